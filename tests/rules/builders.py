"""Cards, decks and case files for the tests of the rules, in a short notation."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from rules import CardFacts, Deck, Entry

CASES = Path(__file__).parent / "cases"
COPIES = 4

_LISTED = re.compile(r"(-?\d+) (\S.*)")


def card(key: str, **attributes: object) -> CardFacts:
    """Return a card; its name is its key unless given."""
    return CardFacts.of(key, {"name": key, **attributes})


def foundation(name: str, **attributes: object) -> CardFacts:
    return card(name, type="foundation", dots=0, split=(), **attributes)


def character(name: str, dots: int, **attributes: object) -> CardFacts:
    return CardFacts.of(
        f"{name}-{dots}", {"name": name, "type": "character", "dots": dots, "split": (), **attributes}
    )


def entries(*counted_cards: tuple[int, CardFacts]) -> tuple[Entry, ...]:
    """Return entries with line numbers from 1."""
    return tuple(Entry(of, qty, line) for line, (qty, of) in enumerate(counted_cards, 1))


def fillers(number: int, copies: int = COPIES, stem: str = "Filler") -> list[tuple[int, CardFacts]]:
    """Make foundations, with as few names as the copies allow."""
    quantities = []
    for place in range(1, -(-number // copies) + 1):
        qty = min(copies, number - copies * (place - 1))
        quantities.append((qty, foundation(f"{stem} {place}")))
    return quantities


KEN = character("Ken", 2, set="SF01", number=38)


def constructed(*others: tuple[int, CardFacts], side: tuple[Entry, ...] = (), **options: object) -> Deck:
    """Return a deck of sixty: a Ken, the other cards given, and fillers for the rest."""
    rest = 59 - sum(qty for qty, _ in others)
    return Deck("ufs", entries((1, KEN), *others, *fillers(rest)), side, options=options)


@cache
def case_file(name: str) -> dict[str, Any]:
    """Return a file of worked cases in the shape that `rules.cases` reads.

    The file is written in our short form. A list is written "1 ken2, 59 filler": `filler` stands for as many
    cards F01, F02, … as are needed, `copies` of each. What a list does not say is what the file's
    `[defaults]` say.
    """
    data = tomllib.loads((CASES / name).read_text(encoding="utf-8"))
    pool = data.get("pool", {}) | {f"F{place:02}": dict(data["filler"]) for place in range(1, 31)}
    for key in list(pool):
        pool[key] = {"name": key, **pool[key]}
    defaults = data.get("defaults", {})
    cases = [_case({**defaults, **case}, int(data.get("copies", COPIES))) for case in data["cases"]]
    return {"pools": {"own": {"cards": pool}}, "cases": cases}


def _case(case: Mapping[str, Any], copies: int) -> dict[str, Any]:
    case_values = {**case, "pool": "own"}
    for part in ("main", "sideboard", "pregame", "card_pool"):
        if isinstance(case_values.get(part), str):
            case_values[part] = list_entries(case_values[part], copies)
    for part in ("registered", "presented"):
        if part in case_values:
            case_values[part] = {zone: list_entries(text, copies) for zone, text in case_values[part].items()}
    return case_values


def list_entries(text: str, copies: int = COPIES) -> list[dict[str, Any]]:
    """Return the entries of "1 ken2, 59 filler"."""
    entries: list[dict[str, Any]] = []
    for part in filter(None, (part.strip() for part in text.split(","))):
        match = _LISTED.fullmatch(part)
        assert match, part
        entries += _entries(int(match[1]), match[2], copies)
    return entries


def _entries(qty: int, name: str, copies: int) -> list[dict[str, Any]]:
    if name != "filler":
        return [{"card": name, "qty": qty}]
    whole, rest = divmod(qty, copies)
    names = [f"F{place:02}" for place in range(1, whole + (rest > 0) + 1)]
    return [{"card": key, "qty": copies if place < whole else rest} for place, key in enumerate(names)]


def rows_kept_and_broken(written_cases: Iterable[Mapping[str, Any]]) -> tuple[set[str], set[str]]:
    """Return the digest's rows that written cases keep, and those that they break."""
    sides: tuple[set[str], set[str]] = (set(), set())
    for case in written_cases:
        sides[bool(case.get("broken"))].update(case["rows"])
    return sides
