"""What one edition of a list says otherwise than another."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from decks.editions.domain.content import plain
from decks.editions.domain.words import entry_in_words
from rules.names import normal
from rules.words import listed

Entry = Mapping[str, Any]
Placed = tuple[int, Entry]


@dataclass(frozen=True, slots=True)
class Change:
    """An entry that came, went, or says something else. Places count from 0; None where it does not stand.

    `changed` names the parts that differ.
    """

    sentence: str
    before: Entry | None = None
    after: Entry | None = None
    place_before: int | None = None
    place_after: int | None = None
    changed: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        return {
            "sentence": self.sentence,
            "before": plain(self.before),
            "after": plain(self.after),
            "changed": list(self.changed),
        }


@dataclass(frozen=True, slots=True)
class EditionDifference:
    """All that a second edition says otherwise than a first one, in the order of the entries."""

    new: tuple[Change, ...] = ()
    gone: tuple[Change, ...] = ()
    changed: tuple[Change, ...] = ()
    same: int = 0

    def __bool__(self) -> bool:
        return bool(self.new or self.gone or self.changed)

    @property
    def in_words(self) -> str:
        """The counts: "2 new, 1 gone, 15 as before"."""
        counts = ((len(self.new), "new"), (len(self.gone), "gone"), (len(self.changed), "changed"))
        told = [f"{count} {word}" for count, word in counts if count]
        return ", ".join([*told, f"{self.same} as before"]) if told else "Nothing differs."

    def to_json(self) -> dict[str, Any]:
        return {
            part: [change.to_json() for change in getattr(self, part)] for part in ("new", "gone", "changed")
        }


def difference(kind: str, before: Sequence[Entry], after: Sequence[Entry]) -> EditionDifference:
    """What `after` says otherwise than `before`, entry by entry that speak of the same thing."""
    left = _by_subject(before)
    new, changed, same = [], [], 0
    for place, entry in enumerate(after):
        waiting = left.get(subject(entry), [])
        pick = next((pair for pair in waiting if plain(pair[1]) == plain(entry)), None)
        pair = pick or next(iter(waiting), None)
        if pair is None:
            new.append(Change(entry_in_words(kind, entry), None, entry, None, place))
            continue
        waiting.remove(pair)
        if pick:
            same += 1
        else:
            changed.append(_changed(kind, pair, (place, entry)))
    rest = sorted((pair for pairs in left.values() for pair in pairs), key=lambda pair: pair[0])
    gone = [Change(entry_in_words(kind, entry), entry, None, place, None) for place, entry in rest]
    return EditionDifference(tuple(new), tuple(gone), tuple(changed), same)


def _by_subject(entries: Iterable[Entry]) -> dict[Hashable, list[Placed]]:
    found: dict[Hashable, list[Placed]] = {}
    for place, entry in enumerate(entries):
        found.setdefault(subject(entry), []).append((place, entry))
    return found


def subject(entry: Entry) -> Hashable:
    """What an entry speaks of: the card and its paragraph, the names that are one card, or the name."""
    card, same = entry.get("card"), entry.get("same")
    if isinstance(same, list | tuple):
        return "same", frozenset(normal(str(name)) for name in same)
    if isinstance(card, Mapping):
        name = normal(str(card.get("name", "")))
        return "card", name, str(card.get("dots", "")), str(card.get("id", "")), str(entry.get("id", ""))
    return "name", normal(str(entry.get("name") or entry.get("front") or "")), str(entry.get("group", ""))


def _changed(kind: str, before: Placed, after: Placed) -> Change:
    (old_place, old), (place, entry) = before, after
    parts = [key for key in (*old, *(key for key in entry if key not in old)) if _differs(old, entry, key)]
    words = [part.replace("_", " ") for part in parts]
    sentence = f"{entry_in_words(kind, entry)} — before: {entry_in_words(kind, old)}"
    if entry_in_words(kind, entry) == entry_in_words(kind, old):
        sentence = f"{entry_in_words(kind, entry)} — other {listed(words)}"
    return Change(sentence, old, entry, old_place, place, tuple(parts))


def _differs(old: Entry, new: Entry, key: str) -> bool:
    return bool(plain(old.get(key)) != plain(new.get(key)))
