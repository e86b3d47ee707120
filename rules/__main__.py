"""The rules on the command line: check, cases, explain, diff and lint."""

from __future__ import annotations

import argparse
import gc
import json
import os
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import date
from io import TextIOWrapper
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

if TYPE_CHECKING:
    from decks.importers import ParsedDeck, ParseProblem
    from decks.matching.reading import ReadList
    from rules.catalogue import Catalogue
    from rules.finding import Verdict
    from rules.formats import Format
    from rules.plan import Plan

LEGAL, ILLEGAL, UNKNOWN, UNREADABLE = 0, 1, 2, 3

AddArguments = Callable[[argparse.ArgumentParser], None]
Run = Callable[[argparse.Namespace], int | None]


class Unreadable(Exception):
    """An input that cannot be read; the message says which and why."""


class _HelpFormatter(argparse.HelpFormatter):
    """A help formatter that uses the full width of the terminal.

    For the width, argparse would ask a module that loads slowly.
    """

    def __init__(self, prog: str) -> None:
        super().__init__(prog, width=_columns() - 2)


def _columns() -> int:
    try:
        return int(os.environ.get("COLUMNS", 0)) or os.get_terminal_size().columns or 80
    except (OSError, ValueError):
        return 80


class _Parser(argparse.ArgumentParser):
    """A wrong call is an input that cannot be read: 2 means something else here."""

    def error(self, message: str) -> NoReturn:
        self.print_usage(sys.stderr)
        self.exit(UNREADABLE, f"{self.prog}: {message}\n")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code."""
    written_arguments = sys.argv[1:] if arguments is None else list(arguments)
    parsed_arguments = _parser(written_arguments[0] if written_arguments else "").parse_args(
        written_arguments
    )
    try:
        code = parsed_arguments.run(parsed_arguments)
        sys.stdout.flush()
    except BrokenPipeError:
        # The reader has closed the pipe. Python must not write the rest when it ends, either.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return UNREADABLE
    except Exception as problem:  # whatever goes wrong must not leave with the code of a verdict
        print(str(problem) or type(problem).__name__, file=sys.stderr)
        return UNREADABLE
    return code if isinstance(code, int) else LEGAL


def _parser(command: str) -> argparse.ArgumentParser:
    """Return the parser of all commands.

    Only the called command has its arguments.
    """
    parser = _Parser(prog="python -m rules", description=__doc__, formatter_class=_HelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True, parser_class=_Parser)
    for name, (summary, add_arguments, run) in COMMANDS.items():
        subparser = commands.add_parser(
            name,
            help=summary,
            description=f"{summary[0].upper()}{summary[1:]}.",
            formatter_class=_HelpFormatter,
        )
        subparser.set_defaults(run=run)
        if name == command:
            add_arguments(subparser)
    return parser


def _add_check(check: argparse.ArgumentParser) -> None:
    check.add_argument("deck", type=Path, help="deck file")
    _add_format(check)
    check.add_argument(
        "--cards",
        type=Path,
        required=True,
        help="catalogue file: JSON, CSV, OCTGN set or LackeyCCG card data",
    )
    check.add_argument("--pool", type=Path, help="deck file of the opened or drafted cards")
    check.add_argument("--overlay", type=Path, help="JSON file of local rules")
    check.add_argument("--declared", help="declared character")
    check.add_argument("--options", type=Path, help="JSON file of other declarations, by their keys")
    check.add_argument("--diversity", action="store_true", help="check for an event with a diversity cut")
    check.add_argument("--json", action="store_true", help="print JSON")


def _add_cases(cases: argparse.ArgumentParser) -> None:
    cases.add_argument("file", type=Path, help="JSON file of cases")


def _add_versions(diff: argparse.ArgumentParser) -> None:
    _add_format(diff, versions=False)
    diff.add_argument("old", help="version before")
    diff.add_argument("new", help="version after")


def _add_format(parser: argparse.ArgumentParser, *, versions: bool = True) -> None:
    parser.add_argument("--game", required=True, help="key of the game")
    parser.add_argument("--format", required=True, help="key of the format")
    if versions:
        parser.add_argument("--rules", help="version of the rules (default: the newest in force)")
        parser.add_argument("--on", type=date.fromisoformat, help="date of the event, YYYY-MM-DD")


def _check(arguments: argparse.Namespace) -> int:
    from rules import load_format
    from rules.catalogue import read_catalogue

    version_options = {"rules": arguments.rules, "on": arguments.on}
    form, overlay, options, cards, deck, pool = _each(
        lambda: load_format(arguments.game, arguments.format, **version_options),
        lambda: _object(arguments.overlay) if arguments.overlay else None,
        lambda: _object(arguments.options) if arguments.options else {},
        lambda: _bytes(arguments.cards),
        lambda: _parse_file(arguments.deck),
        lambda: _parse_file(arguments.pool) if arguments.pool else None,
    )
    form, catalogue = _each(
        lambda: (
            form
            if overlay is None
            else load_format(arguments.game, arguments.format, overlay=overlay, **version_options)
        ),
        lambda: read_catalogue(cards, form.game),
    )
    options_given = {"diversity": arguments.diversity, "declared_character": arguments.declared, **options}
    parsed_deck = _with_pool(deck, pool)
    verdict, plan, notices = _judge_file(parsed_deck, catalogue, options_given, form)
    of_catalogue = [f"{arguments.cards}: {each}" for each in catalogue.problems]
    _print_verdict(verdict, plan, notices, of_catalogue, arguments.json)
    return {"legal": LEGAL, "illegal": ILLEGAL, "unknown": UNKNOWN}[verdict.outcome]


def _with_pool(deck: ParsedDeck, pool: ParsedDeck | None) -> ParsedDeck:
    from decks.importers import append_pool

    return append_pool(deck, pool) if pool else deck


def _judge_file(
    parsed_deck: ParsedDeck, catalogue: Catalogue, options: Mapping[str, object], format: Format
) -> tuple[Verdict, Plan | None, Sequence[ParseProblem]]:
    """Return the verdict on a deck file, and a plan if the deck is not legal.

    The file is processed in the same way as every other list. With it come the notices of the readers, and
    why lines name no card. Names like one are not searched.
    """
    from decks.matching.catalogue import cards_of_file
    from decks.matching.reading import read_list
    from rules import judge_list
    from rules.plan import make_plan

    cards = cards_of_file(format.game.key, catalogue.cards)
    list_read = read_list(parsed_deck, cards, options=options)
    verdict = judge_list(list_read.written_list, format)
    plan = make_plan(list_read.written_list, format, cards.supply) if verdict.outcome == "illegal" else None
    return verdict, plan, (*parsed_deck.notices, *_list_notices(parsed_deck, list_read))


def _list_notices(parsed_deck: ParsedDeck, list_read: ReadList) -> Iterator[ParseProblem]:
    """Yield why lines name no card, and what was not read beside names."""
    from decks.importers import ParseProblem

    of_readers = [(notice.line, notice.reason) for notice in parsed_deck.notices]
    for line in list_read.lines:
        if line.kind == "card" and not line.is_resolved:
            for why in line.reasons:
                if (line.number, why) not in of_readers:
                    yield ParseProblem(why, line.number, "notice")
    of_file = [notice.placed_reason for notice in parsed_deck.notices]
    yield from (ParseProblem(why, None, "notice") for why in list_read.notices if why not in of_file)


def _print_verdict(
    verdict: Verdict,
    plan: Plan | None,
    notices: Sequence[ParseProblem],
    of_catalogue: Sequence[str],
    as_json: bool,
) -> None:
    """Print the verdict and the plan.

    All notices of the readers are printed too, with what they could not read of the catalogue.
    """
    for problem in of_catalogue:
        print(problem, file=sys.stderr)
    if as_json:
        notice_records = [
            {"code": each.code, "line": each.line, "message": each.sentence} for each in notices
        ]
        answer = {**verdict.to_json(), "plan": plan.to_json() if plan else None}
        print(
            json.dumps(
                {**answer, "notices": notice_records, "catalogue": list(of_catalogue)}, ensure_ascii=False
            )
        )
        return
    from rules.finding import format_verdict

    print(format_verdict(verdict))
    if plan:
        print("\n".join(f"  {line}" for line in plan.lines))
    for each in notices:
        print(f"  notice: {each.sentence}{f' (line {each.line})' if each.line else ''}")


# Any: each reader returns a type of its own.
def _each(*readers: Callable[[], Any]) -> list[Any]:
    """Return what each of them reads.

    Raises Unreadable with the problems of all, a line each.
    """
    results, problems = [], []
    for reader in readers:
        try:
            results.append(reader())
        except Exception as problem:  # an input that breaks one must not hide what is wrong with another
            problems.append(str(problem) or type(problem).__name__)
    if problems:
        raise Unreadable("\n".join(problems))
    return results


def _parse_file(file: Path) -> ParsedDeck:
    """Return a deck file's lines and what could not be read of it.

    Raises Unreadable if it is no deck file. A line that cannot be read is part of the verdict.
    """
    from decks.importers import parse

    parsed_deck = parse(_bytes(file))
    of_lines = [line.problem for line in parsed_deck.lines]
    of_file = [problem.sentence for problem in parsed_deck.problems if problem not in of_lines]
    if of_file and not parsed_deck.cards:
        raise Unreadable(f"{file}: {' '.join(of_file)}")
    return parsed_deck


def _cases(arguments: argparse.Namespace) -> None:
    from rules.cases import answer_cases

    for answer in answer_cases(_json(arguments.file)):
        print(json.dumps(answer, ensure_ascii=False))


def _explain(arguments: argparse.Namespace) -> None:
    from rules import load_format
    from rules.format_text import explain_format

    print(
        explain_format(load_format(arguments.game, arguments.format, rules=arguments.rules, on=arguments.on))
    )


def _diff(arguments: argparse.Namespace) -> None:
    from rules import load_format
    from rules.format_text import diff_formats

    old, new = (
        load_format(arguments.game, arguments.format, rules=number)
        for number in (arguments.old, arguments.new)
    )
    print(diff_formats(old, new))


def _lint(arguments: argparse.Namespace) -> int:
    from rules.library import get_shipped_library
    from rules.lint import lint
    from rules.rendering import say

    problems = lint(get_shipped_library())
    for problem in problems:
        print(problem)
    print(say("verdict", "lint", problems=len(problems)))
    return ILLEGAL if problems else LEGAL


# Each command: a line of help, what adds its arguments, what runs it.
COMMANDS: Mapping[str, tuple[str, AddArguments, Run]] = {
    "check": ("check a deck file", _add_check, _check),
    "cases": ("answer a file of example cases", _add_cases, _cases),
    "explain": ("explain the rules of a format", _add_format, _explain),
    "diff": ("compare two versions of a format", _add_versions, _diff),
    "lint": ("check all built-in formats and lists for errors", lambda _: None, _lint),
}


def _bytes(file: Path) -> bytes:
    try:
        return file.read_bytes()
    except OSError as problem:
        raise Unreadable(f"{file}: {problem.strerror or problem}.") from problem


def _json(file: Path) -> object:
    from rules.rendering import say

    try:
        return json.loads(_bytes(file))
    except (ValueError, RecursionError) as problem:
        raise Unreadable(say("problem", "no-json", file=str(file), problem=str(problem))) from problem


def _object(file: Path) -> dict[str, object]:
    from rules.rendering import say

    data = _json(file)
    if not isinstance(data, dict):
        raise Unreadable(say("problem", "no-json-object", file=str(file), braces="{…}"))
    return data


if __name__ == "__main__":
    # A short command leaves little garbage: looking for it while modules load takes longer than it is worth.
    gc.set_threshold(100_000)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            # Half a character in a name, which UTF-8 cannot say, is written as JSON escapes it.
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    sys.exit(main())
