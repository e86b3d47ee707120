"""The versions of a list beside each other: what changed, and what its player has not seen yet."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from decks.checking.declarations import in_words
from decks.checking.result import zone_words
from decks.submissions.models import DeckList, DeckVersion, Ruling
from rules.names import normal

ORDER = ("pregame", "main", "sideboard", "pool")


@dataclass(frozen=True, slots=True)
class CardChange:
    """A card of which one version holds more than another in a part of the list."""

    zone: str
    name: str
    before: int
    after: int

    @property
    def zone_words(self) -> str:
        """The part of the list, named for people."""
        return zone_words(self.zone)

    @property
    def by(self) -> int:
        """How many came in (above zero) or went out."""
        return self.after - self.before

    @property
    def signed(self) -> str:
        """The same with its sign: "+2", "−1"."""
        return f"+{self.by}" if self.by > 0 else f"−{-self.by}"


@dataclass(frozen=True, slots=True)
class Difference:
    """What changed from one version to another.

    `printings` names cards that are as many but of other printings; `declared` holds what is registered
    beside the cards: what it is, before, after.
    """

    older: DeckVersion
    newer: DeckVersion
    cards: tuple[CardChange, ...]
    printings: tuple[str, ...]
    declared: tuple[tuple[str, str, str], ...]

    @property
    def came(self) -> tuple[CardChange, ...]:
        """The cards that came in."""
        return tuple(change for change in self.cards if change.by > 0)

    @property
    def went(self) -> tuple[CardChange, ...]:
        """The cards that went out."""
        return tuple(change for change in self.cards if change.by < 0)

    @property
    def is_none(self) -> bool:
        """Whether cards and declarations are the same."""
        return not (self.cards or self.printings or self.declared)

    def to_json(self) -> dict[str, Any]:
        """Everything, for programs."""
        cards = ({"zone": c.zone, "name": c.name, "before": c.before, "after": c.after} for c in self.cards)
        declared = ({"what": what, "before": old, "after": new} for what, old, new in self.declared)
        return {
            "older": self.older.number,
            "newer": self.newer.number,
            "cards": list(cards),
            "printings": list(self.printings),
            "declared": list(declared),
        }


Place = tuple[str, str]


def difference(older: DeckVersion, newer: DeckVersion) -> Difference:
    """The cards that came in and went out, part by part, and the declarations that changed."""
    before, after = _counted(older.entries), _counted(newer.entries)
    names = {**_names(older.entries), **_names(newer.entries)}
    places = sorted({*before, *after}, key=lambda place: (ORDER.index(place[0]), names[place].casefold()))
    changes = (CardChange(p[0], names[p], before.get(p, 0), after.get(p, 0)) for p in places)
    changed = tuple(change for change in changes if change.by)
    old, new = _printings(older.entries), _printings(newer.entries)
    equal = (p for p in places if before.get(p) == after.get(p) and old[p] != new[p])
    return Difference(
        older, newer, changed, tuple(dict.fromkeys(names[p] for p in equal)), _declared(older, newer)
    )


def _place(entry: Mapping[str, Any]) -> Place:
    return entry["zone"], entry["card"] or normal(entry["name"])


def _counted(entries: Iterable[Mapping[str, Any]]) -> dict[Place, int]:
    counted: dict[Place, int] = {}
    for entry in entries:
        counted[_place(entry)] = counted.get(_place(entry), 0) + (entry["qty"] or 0)
    return counted


def _names(entries: Iterable[Mapping[str, Any]]) -> dict[Place, str]:
    return {_place(entry): entry["name"] for entry in entries}


def _printings(entries: Iterable[Mapping[str, Any]]) -> dict[Place, dict[str | None, int]]:
    held: dict[Place, dict[str | None, int]] = {}
    for entry in entries:
        of_card = held.setdefault(_place(entry), {})
        of_card[entry["printing"]] = of_card.get(entry["printing"], 0) + (entry["qty"] or 0)
    return held


def _declared(older: DeckVersion, newer: DeckVersion) -> tuple[tuple[str, str, str], ...]:
    old, new = in_words(older.options), in_words(newer.options)
    both = dict.fromkeys((*old, *new))
    return tuple(
        (what, old.get(what, ""), new.get(what, "")) for what in both if old.get(what) != new.get(what)
    )


@dataclass(frozen=True, slots=True)
class News:
    """What others did to a player's list and he has not answered: a version that counts, a ruling on it.

    `change` is the difference to the version before, where there is one.
    """

    version: DeckVersion
    is_new_version: bool
    ruling: Ruling | None
    change: Difference | None


def news(deck_list: DeckList | None) -> News | None:
    """What is new to the player about the version that counts; None where nothing is. Few queries."""
    version = deck_list.current if deck_list else None
    if version is None:
        return None
    seen = max((answer.answered_at for answer in version.answers.all()), default=None)
    ruling = max(version.rulings.all(), key=lambda each: each.pk, default=None)
    is_new = version.by_staff and seen is None
    unseen = ruling if ruling and _is_later(ruling.ruled_at, seen) else None
    if not is_new and unseen is None:
        return None
    before = (
        DeckVersion.objects.filter(deck_list=deck_list, number__lt=version.number).order_by("number").last()
    )
    return News(version, is_new, unseen, difference(before, version) if is_new and before else None)


def _is_later(at: datetime, seen: datetime | None) -> bool:
    return seen is None or at > seen
