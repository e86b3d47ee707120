"""`python -m tournament.engine standings | pair | bracket`: an event comes in, JSON goes out.

Leaves with 0, or with 3 and one sentence a problem on standard error when the input cannot be worked on.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from contextlib import suppress
from io import TextIOWrapper
from typing import TextIO

from tournament.engine import commands
from tournament.engine.pairing.model import PairingError
from tournament.engine.problems import EngineError

UNREADABLE = 3


def main(arguments: Sequence[str], stdin: TextIO, stdout: TextIO, stderr: TextIO) -> int:
    """Run one command and return its exit code."""
    options = _parser().parse_args(arguments)
    try:
        answer: dict[str, object] = options.run(options, stdin)
    except (EngineError, PairingError) as fault:
        for problem in fault.problems:
            print(problem, file=stderr)
        return UNREADABLE
    except UnicodeDecodeError:
        print("The input is not UTF-8 text.", file=stderr)
        return UNREADABLE
    with suppress(BrokenPipeError):
        print(_written(answer), file=stdout, flush=True)
    return 0


def _written(answer: dict[str, object]) -> str:
    """The answer as JSON; escaped all through where a name holds half a character, which UTF-8 cannot say."""
    text = json.dumps(answer, ensure_ascii=False, indent=1)
    try:
        text.encode()
    except UnicodeEncodeError:
        return json.dumps(answer, indent=1)
    return text


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tournament.engine", description="Pairing and standings.")
    parts = parser.add_subparsers(required=True, metavar="standings | pair | bracket")
    standings = parts.add_parser("standings", help="print the standings of an event")
    _add_system(standings)
    standings.add_argument("--after", type=int, metavar="ROUND", help="standings after an earlier round")
    standings.add_argument(
        "--seed", type=int, help="draw lots from this seed for systems that end with the lot"
    )
    standings.set_defaults(run=commands.run_standings)
    pair = parts.add_parser("pair", help="pair the next Swiss round")
    _add_system(pair)
    pair.add_argument(
        "--seed", type=int, required=True, help="random seed: the same seed gives the same round"
    )
    pair.add_argument(
        "--rounds", type=int, help="number of planned rounds, for better pairings in small events"
    )
    pair.set_defaults(run=commands.run_pair)
    bracket = parts.add_parser("bracket", help="print an elimination bracket")
    _add_system(bracket)
    bracket.add_argument("--kind", choices=("single", "double"), required=True)
    bracket.add_argument(
        "--entrants", type=int, help="number of players (default: seed the players of an event)"
    )
    bracket.add_argument("--seed", type=int, help="random seed that decides between tied players")
    bracket.add_argument("--third-place", action="store_true", help="add a match for third place")
    bracket.set_defaults(run=commands.run_bracket)
    return parser


def _add_system(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--system", default="ufs", help="magic, netrunner, go, carrom, fide or ufs (default)")
    parser.add_argument("--floor", help="minimum of an opponent's percentage: 0.33, 1/3 or 0")
    parser.add_argument(
        "--own-floor", action="store_true", default=None, help="one's own percentage has it too"
    )
    parser.add_argument("--drawn-games", type=int, help="game points of a drawn game, 1 or 0")
    parser.add_argument("--year", type=int, help="year of the FIDE regulations, 2024 or 2026")


if __name__ == "__main__":
    for stream in (sys.stdin, sys.stdout):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(encoding="utf-8")
    sys.exit(main(sys.argv[1:], sys.stdin, sys.stdout, sys.stderr))
