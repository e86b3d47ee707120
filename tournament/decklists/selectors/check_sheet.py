"""A registered list in the order in which a judge holds a deck against it: zone, type, name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from decks.catalogue.models.cards import Card
from decks.catalogue.selectors.namesakes import Places, namesakes, told_apart
from decks.submissions.models import DeckVersion
from rules.deck import ZONE_WORDS

# What lies on the table first is held against the list first. Other types follow by name, unknown ones last.
FIRST_TYPES = {
    "ufs": ("character", "foundation", "attack", "action", "asset"),
    "highlander": ("persona", "watcher", "hunter", "weapon of choice", "quickening", "crystal"),
    "cfc": ("character", "action"),
}
ZONES = ("pregame", "main", "sideboard", "pool")


@dataclass(frozen=True, slots=True)
class CheckRow:
    """One row to tick: its place among the entries of the list, and what lies there."""

    place: int
    qty: int
    name: str
    is_ticked: bool


@dataclass(frozen=True, slots=True)
class CheckGroup:
    """Rows of one type in one zone."""

    words: str
    rows: list[CheckRow]

    @property
    def cards(self) -> int:
        """How many cards there must be."""
        return sum(row.qty for row in self.rows)


@dataclass(frozen=True, slots=True)
class CheckSheet:
    """A whole list in checking order; `cards` and `ticked` count cards, not rows."""

    groups: list[CheckGroup]
    cards: int
    ticked: int


def check_sheet(
    version: DeckVersion | None, ticks: Sequence[int] = (), shared: Places | None = None
) -> CheckSheet:
    """The list of a version with its ticks; `shared` are the cards of one name, read here if not given.

    One query for the types of the cards, and two for `shared`.
    """
    if version is None:
        return CheckSheet([], 0, 0)
    game, ticked = version.deck_list.game, frozenset(ticks)
    types, apart = _types(game, version.entries), namesakes(game) if shared is None else shared
    groups: dict[tuple[Any, ...], list[CheckRow]] = {}
    for place, entry in enumerate(version.entries):
        kind = types.get(entry["card"], "")
        key = (_zone(entry["zone"]), entry["zone"], *_rank(game, kind))
        row = CheckRow(place, entry["qty"] or 0, told_apart(entry, apart), place in ticked)
        groups.setdefault(key, []).append(row)
    rows = [row for found in groups.values() for row in found]
    return CheckSheet(
        [_group(key, groups[key]) for key in sorted(groups)],
        sum(row.qty for row in rows),
        sum(row.qty for row in rows if row.is_ticked),
    )


def names_by_type(version: DeckVersion | None) -> dict[str, list[str]]:
    """The cards of a list by their type in small letters, such as "persona", in their order. One query."""
    found: dict[str, list[str]] = {}
    types = _types(version.deck_list.game, version.entries) if version is not None else {}
    for entry in version.entries if version is not None else ():
        names = found.setdefault(types.get(entry["card"], "").casefold(), [])
        if entry["name"] not in names:
            names.append(entry["name"])
    return found


def _types(game: str, entries: Sequence[Mapping[str, Any]]) -> dict[str, str]:
    keys = {entry["card"] for entry in entries if entry["card"]}
    found = Card.objects.filter(game=game, key__in=keys).values_list("key", "attributes")
    return {key: str(facts.get("type") or facts.get("kind") or "") for key, facts in found}


def _zone(zone: str) -> int:
    return ZONES.index(zone) if zone in ZONES else len(ZONES)


def _rank(game: str, kind: str) -> tuple[int, str]:
    order = FIRST_TYPES.get(game, ())
    plain = kind.casefold()
    if not plain:
        return len(order) + 1, ""
    return (order.index(plain) if plain in order else len(order)), kind


def _group(key: tuple[Any, ...], rows: list[CheckRow]) -> CheckGroup:
    zone, kind = ZONE_WORDS.get(key[1], key[1]).capitalize(), key[3]
    words = f"{zone}: {kind}" if kind else f"{zone}: type unknown"
    return CheckGroup(words, sorted(rows, key=lambda row: (row.name.casefold(), row.place)))
