"""The command line `python -m tournament.engine COMMAND`.

An event is read from standard input, and JSON is written. Leaves with 0, or with 3 and one sentence a problem
on standard error when the input cannot be worked on.
"""

from __future__ import annotations

import argparse
import gc
import json
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import cache
from importlib import import_module
from io import TextIOWrapper
from typing import NoReturn, TextIO

UNREADABLE = 3
# Python reads no longer numbers.
MOST_DIGITS = 4300
Add = Callable[..., object]


SIDES = {
    "--least-sides": "fewest sides at a table of more than two (default: 3)",
    "--most-sides": "most sides at a table",
    "--usual-sides": "usual number of sides at a table",
}


class _EngineHelpFormatter(argparse.HelpFormatter):
    """A help formatter that uses the full width of the terminal.

    For the width, argparse would ask a module that loads slowly.
    """

    def __init__(self, prog: str) -> None:
        super().__init__(prog, width=_columns() - 2)


@cache
def _columns() -> int:
    try:
        return int(os.environ.get("COLUMNS", 0)) or os.get_terminal_size().columns or 80
    except (OSError, ValueError):
        return 80


def main(arguments: Sequence[str], stdin: TextIO, stdout: TextIO, stderr: TextIO) -> int:
    """Run one command and return its exit code."""
    parsed_arguments = _parser(arguments).parse_args(arguments)
    module, _, function = parsed_arguments.run.partition(":")
    command = getattr(import_module(f"tournament.engine.commands.{module}"), function or "run")
    try:
        answer: dict[str, object] = command(parsed_arguments, stdin)
    except UnicodeDecodeError:
        print("The input is not UTF-8 text.", file=stderr)
        return UNREADABLE
    except ValueError as fault:
        for problem in _problems_of(fault):
            print(problem, file=stderr)
        return UNREADABLE
    with suppress(BrokenPipeError):
        print(_write_answer(answer), file=stdout, flush=True)
    return 0


def _problems_of(fault: ValueError) -> Sequence[object]:
    """Return what is wrong with the input.

    An error of the program itself is raised again.
    """
    from tournament.engine.problems import EngineError

    if not isinstance(fault, EngineError):
        raise fault
    return fault.problems


def _write_answer(answer: dict[str, object]) -> str:
    """Return the answer as JSON.

    All of it is escaped if a name holds half a character (a lone surrogate), which UTF-8 cannot encode.
    """
    text = json.dumps(answer, ensure_ascii=False, indent=1)
    try:
        text.encode()
    except UnicodeEncodeError:
        return json.dumps(answer, indent=1)
    return text


def _parser(arguments: Sequence[str]) -> argparse.ArgumentParser:
    """Return the parser of the called command alone.

    Building the parsers of all commands takes longer than most commands. Without a command, all are in it
    without their options.
    """
    parser = argparse.ArgumentParser(
        prog="python -m tournament.engine",
        description="Pairing, standings, cuts and brackets. An event file is read from standard input.",
        formatter_class=_EngineHelpFormatter,
    )
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    called_command = arguments[0] if arguments and arguments[0] in _COMMANDS else None
    for name in (called_command,) if called_command else _COMMANDS:
        run, words, add_options = _COMMANDS[name]
        subparser = commands.add_parser(
            name,
            help=words,
            description=f"{words[0].upper()}{words[1:]}.",
            formatter_class=_EngineHelpFormatter,
        )
        subparser.set_defaults(run=run)
        if called_command:
            add_options(subparser.add_argument)
    return parser


def _add_standings(add: Add) -> None:
    _add_system(add)
    add("--after", type=_whole_number, metavar="ROUND", help="standings after an earlier round")


def _add_pair(add: Add) -> None:
    _add_system(add)
    add("--rounds", type=_whole_number, help="number of planned rounds, for better pairings in small events")
    add("--first-round", choices=("random", "fold", "slide", "adjacent"), help="how round 1 is paired")
    _add_switch(add, "--accelerated", "accelerate the first rounds")
    add("--clubs-apart", choices=("no", "wish", "never"), help="keep players of one group apart")
    _add_switch(add, "--fresh-tables", "avoid tables where a player has played before")
    _add_pairs(add, "--forbidden", "two players who must not meet, such as 3 4; repeat it for more")
    _add_pairs(add, "--fixed", "two players who meet in this round, such as 3 4; repeat it for more")
    add(
        "--draft-pods",
        nargs="+",
        action="append",
        metavar="PLAYER",
        help="players of a draft pod that is paired alone, such as 1 2 3 4; repeat it for each pod",
    )


def _add_pairs(add: Add, name: str, words: str) -> None:
    add(name, nargs=2, action="append", metavar="PLAYER", help=words)


def _add_outlook(add: Add) -> None:
    add("--rounds", type=_whole_number, help="number of planned rounds (default: those of the event)")
    _add_cut(add)


def _add_cut(add: Add, size: str = "--size") -> None:
    _add_system(add)
    add(size, dest="cut", type=_whole_number, metavar="PLAYERS", help="size of the cut")
    _add_switch(add, "--diversity", 'take the best player of each character (needs "character" of players)')
    add(
        "--short", choices=("shrink", "fill"), help="with too few characters, make the cut smaller or fill it"
    )
    add("--reserves", type=_whole_number, help="number of alternates")


def _add_bracket(add: Add) -> None:
    add(
        "--kind",
        choices=("single", "double", "groups"),
        required=True,
        help="kind of bracket (groups have four players)",
    )
    add("--entrants", type=_whole_number, help="number of players (default: seed the players of an event)")
    add("--third-place", action="store_true", help="add a match for third place")
    add("--consolation", action="store_true", help="players beaten in round 1 play for their places")
    add(
        "--no-reset", dest="reset", action="store_false", help="no second grand final in a double elimination"
    )
    _add_cut(add, "--cut")


def _whole_number(text: str) -> int:
    """Return a number in plain digits; Python's own reading takes 1_0 for ten, too."""
    digits = text.removeprefix("-")
    if not digits.isascii() or not digits.isdecimal() or len(digits) > MOST_DIGITS:
        from rules.text import truncate

        raise argparse.ArgumentTypeError(f'"{truncate(text)}" is not a whole number')
    return int(text)


def _add_system(add: Add) -> None:
    names = "ufs (default), magic, pokemon, yugioh, fab, lorcana, netrunner, go, carrom, fide or boards"
    add("--system", help=names)
    add(
        "--tiebreakers", type=_split, metavar="KEYS", help="your own order of tiebreakers, such as omw,gw,ogw"
    )
    add("--floor", help="minimum of an opponent's percentage: 0.33, 1/3 or 0")
    _add_switch(add, "--own-floor", "apply the minimum to a player's own percentage too")
    add("--drawn-games", type=_whole_number, help="game points of a drawn game: 1 or 0")
    add("--year", type=_whole_number, help="year of the FIDE regulations: 2024 or 2026")
    for name, words in SIDES.items():
        add(name, type=_whole_number, metavar="SIDES", help=words)
    add(
        "--place-points",
        type=_split,
        metavar="POINTS",
        help="points of the places at a table, such as 5,3,2,1",
    )
    add("--ends", choices=("places", "last_standing"), help="how a match of more than two sides ends")
    _add_switch(add, "--forfeits-meet", "count two players as having met after a forfeit")
    add(
        "--wins-in",
        type=_whole_number,
        metavar="WINS",
        help="number of wins that qualify a player, who then plays no more Swiss rounds",
    )
    add("--losses-out", type=_whole_number, metavar="LOSSES", help="number of losses that eliminate a player")
    add("--seed", type=_whole_number, help="random seed: the same seed gives the same answer")


def _add_switch(add: Add, name: str, words: str) -> None:
    add(name, action=argparse.BooleanOptionalAction, default=None, help=words)


def _split(text: str) -> list[str]:
    return [key.strip() for key in text.split(",") if key.strip()]


# Each command: what runs it, a line of help, what adds its options.
_COMMANDS: Mapping[str, tuple[str, str, Callable[[Add], None]]] = {
    "standings": ("standings", "print the standings of an event", _add_standings),
    "pair": ("pair", "pair the next Swiss round", _add_pair),
    "repair": ("pair:run_repair", "re-pair the last round after a change", _add_pair),
    "cut": ("cut", "print who qualifies for the cut", _add_cut),
    "outlook": ("cut:run_outlook", "print who has clinched a place in the cut", _add_outlook),
    "bracket": ("bracket", "print an elimination bracket", _add_bracket),
}


def _end(code: int) -> NoReturn:
    """End the process without unloading what it has loaded.

    Unloading takes as long as the work itself.
    """
    with suppress(BrokenPipeError):
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)
    sys.exit(code)


if __name__ == "__main__":
    # One command makes little garbage, and what it loads stays.
    gc.disable()
    for stream in (sys.stdin, sys.stdout):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(encoding="utf-8")
    _end(main(sys.argv[1:], sys.stdin, sys.stdout, sys.stderr))
