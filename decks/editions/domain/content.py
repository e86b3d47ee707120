"""Content of an edition: as JSON, as text, and compared with another."""

from __future__ import annotations

import json
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import Literal

from decks.editions.domain.kinds import EntryData
from decks.shared.json_shapes import Published, to_json
from rules import Edition
from rules.lists import NO_CLAUSE
from rules.names import normalize_name
from rules.reason import Reason, params_to_json, reason
from rules.rendering import render, say, translate_text


def edition_to_json(edition: Edition) -> dict[str, object]:
    """Return the edition in a form that JSON can hold.

    `rules.Edition.from_mapping` reads it back once the day is a date.
    """
    return {
        "game": edition.game,
        "kind": edition.kind,
        "number": edition.number,
        "name": edition.name,
        "document": edition.document,
        "clause": edition.clause,
        "versions": list(edition.versions),
        "in_force": edition.in_force.isoformat() if edition.in_force else None,
        "entries": [to_json(entry) for entry in edition.entries],
    }


def edition_digest(edition: Edition) -> str:
    """Return 64 hexadecimal digits drawn from all that the edition says."""
    edition_text = json.dumps(
        edition_to_json(edition), sort_keys=True, ensure_ascii=False, separators=(",", ":")
    )
    return sha256(edition_text.encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class UsedList(Published):
    """A dated list that a verdict depends on.

    `in_force` is an ISO day, empty for always. `source` tells whether it ships with the rules or was
    published here; `digest` is drawn from its content.
    """

    kind: str
    number: int
    name: str
    document: str
    in_force: str
    source: Literal["shipped", "published"]
    digest: str


# Facts that are said with the name, or that say where an entry is.
_FACTS_IN_NAME = frozenset({"name", "title", "dots", "set", "number", "set_size", "id", "variant"})


def format_entry(kind: str, entry: EntryData) -> str:
    """Return an entry as a sentence or name, without clause: "Ken ●● (SF01 38/143)"."""
    return render("reason", describe_entry(kind, translate_entry(entry)))


def translate_entry(entry: EntryData) -> EntryData:
    """Return the entry with its texts in the reader's language.

    Only entries that ship with a game are translated.
    """
    return {**entry, "says": translate_text(str(entry["says"]))} if entry.get("says") else entry


def describe_entry(kind: str, entry: EntryData) -> Reason:
    """Return what an entry says, without its clause."""
    if kind == "identities" or "same" in entry or "distinct" in entry:
        return _describe_identity(entry)
    card = entry.get("card")
    if isinstance(card, Mapping):
        return _describe_card_entry(entry, card)
    return _describe_plain_entry(entry)


def format_card(card: EntryData) -> str:
    """Return a card as text: name, dots, and where it is printed.

    The text has the facts that an entry gives.
    """
    name = str(card.get("name") or card.get("title") or say("reason", "any-card"))
    dots = card.get("dots")
    marks = f" {'●' * dots}" if type(dots) is int and 0 < dots <= 12 else ""
    rest = [
        f"{fact} {value}"
        for fact, value in card.items()
        if fact not in _FACTS_IN_NAME and value not in ("", None)
    ]
    details = [part for part in (format_place(card), str(card.get("id") or ""), *rest) if part]
    return f"{name}{marks} ({', '.join(details)})" if details else f"{name}{marks}"


def format_place(printing: EntryData) -> str:
    """Return set and number as people write them ("SF01 38/143").

    The variant is added if there is one.
    """
    number = printing.get("number")
    size = printing.get("set_size")
    place_text = "" if number is None else f"{number}/{size}" if size else str(number)
    return " ".join(
        str(part) for part in (printing.get("set", ""), place_text, printing.get("variant", "")) if part
    )


def _describe_card_entry(entry: EntryData, card: EntryData) -> Reason:
    printing = entry.get("printed")
    whole = {**printing, **card} if isinstance(printing, Mapping) else card
    says = str(entry["says"]) if entry.get("says") else describe_number(entry)
    return reason(
        "card_entry",
        card=format_card(whole),
        formats=_words(entry.get("formats")),
        zones=_words(entry.get("zones")),
        says=says,
    )


def describe_number(entry: EntryData) -> Reason | None:
    """Return what an entry of a list of limits or points gives its card.

    None for other entries.
    """
    copies, points = entry.get("copies"), entry.get("points")
    if type(copies) is int:
        return reason("copies_of_entry", number=copies)
    return reason("points_of_entry", number=points) if type(points) is int else None


def _describe_identity(entry: EntryData) -> Reason:
    name = str(entry["name"]) if "name" in entry else None
    if same := _words(entry.get("same")):
        return reason("identity_entry.same", names=same)
    distinct = entry.get("distinct")
    if isinstance(distinct, list | tuple) and distinct:
        places = tuple(format_place(place) for place in distinct if isinstance(place, Mapping))
        return reason("identity_entry.distinct", name=name, count=len(places), places=places)
    if printings := _words(entry.get("one_card_in_printings")):
        return reason("identity_entry.printings", name=name, printings=printings)
    return reason("identity_entry", name=name)


def _describe_plain_entry(entry: EntryData) -> Reason:
    name = entry.get("name")
    parts = tuple(
        reason("entry_part", part=translate_text(key.replace("_", " ")), values=_words(value) or str(value))
        for key, value in entry.items()
        if key not in ("name", "clause", "document") and value not in ("", None)
    )
    return reason("plain_entry", name=str(name) if name else None, parts=parts)


def _words(value: object) -> tuple[str, ...]:
    """Return the values of a list as texts; of anything else none."""
    return tuple(map(str, value)) if isinstance(value, list | tuple) else ()


def name_source(entry: EntryData, edition: Edition) -> dict[str, object]:
    """Return an entry with its document and clause from an edition.

    The entry is to go into another edition.
    """
    citation = edition.cite(entry)
    clause = "" if citation.clause == NO_CLAUSE else citation.clause
    source = {"document": citation.document, "clause": clause}
    return {**entry, **{part: value for part, value in source.items() if value}}


PlacedEntry = tuple[int, EntryData]


@dataclass(frozen=True, slots=True)
class EntryChange(Published):
    """An entry of a list of a kind that came, went, or says something else.

    Places count from 0; None if it is not there. `changed` names the parts that differ.
    """

    PUBLISHED = ("code", "params", "sentence", "before", "after", "changed")

    kind: str
    before: EntryData | None = None
    after: EntryData | None = None
    place_before: int | None = None
    place_after: int | None = None
    changed: tuple[str, ...] = ()

    @property
    def reason(self) -> Reason:
        """Return what the entry says, beside what it said before."""
        entries = [describe_entry(self.kind, each) for each in (self.before, self.after) if each is not None]
        if len(entries) == 1:
            return entries[0]
        before, after = entries
        if before != after:
            return reason("changed_entry", before=before, after=after)
        parts = tuple(part.replace("_", " ") for part in self.changed)
        return reason("changed_entry.parts", after=after, parts=parts)

    @property
    def code(self) -> str:
        """The code of what it says."""
        return self.reason.code.partition(".")[0]

    @property
    def params(self) -> Mapping[str, object]:
        """The parameters of the code by name."""
        return params_to_json(self.reason.params)

    @property
    def sentence(self) -> str:
        """The same in words."""
        before, after = (each and translate_entry(each) for each in (self.before, self.after))
        return render("reason", replace(self, before=before, after=after).reason)


@dataclass(frozen=True, slots=True)
class EditionDifference(Published):
    """All differences of a second edition from a first one.

    They are in the order of the entries.
    """

    PUBLISHED = ("new", "gone", "changed")

    new: tuple[EntryChange, ...] = ()
    gone: tuple[EntryChange, ...] = ()
    changed: tuple[EntryChange, ...] = ()
    same: int = 0

    def __bool__(self) -> bool:
        return bool(self.new or self.gone or self.changed)

    @property
    def in_words(self) -> str:
        """The counts: "2 new, 1 gone, 15 as before"."""
        if not self:
            return say("reason", "no_difference")
        counts = {"new": len(self.new), "gone": len(self.gone), "changed": len(self.changed)}
        return say("reason", "difference", **counts, same=self.same)


def compare_entries(kind: str, before: Sequence[EntryData], after: Sequence[EntryData]) -> EditionDifference:
    """Return the differences between `before` and `after`.

    Entries about the same thing are compared with each other.
    """
    entries_left = _by_subject(before)
    new, changed_entries, same = [], [], 0
    for place, entry in enumerate(after):
        same_subject_entries = entries_left.get(entry_subject(entry), [])
        pick = next((pair for pair in same_subject_entries if not _changed_parts(pair[1], entry)), None)
        pair = pick or next(iter(same_subject_entries), None)
        if pair is None:
            new.append(EntryChange(kind, after=entry, place_after=place))
            continue
        same_subject_entries.remove(pair)
        if pick:
            same += 1
        else:
            changed_entries.append(_changed_entry(kind, pair, (place, entry)))
    rest = sorted((pair for pairs in entries_left.values() for pair in pairs), key=lambda pair: pair[0])
    removed_entries = [EntryChange(kind, before=entry, place_before=place) for place, entry in rest]
    return EditionDifference(tuple(new), tuple(removed_entries), tuple(changed_entries), same)


def _by_subject(entries: Iterable[EntryData]) -> dict[Hashable, list[PlacedEntry]]:
    entries_by_subject: dict[Hashable, list[PlacedEntry]] = {}
    for place, entry in enumerate(entries):
        entries_by_subject.setdefault(entry_subject(entry), []).append((place, entry))
    return entries_by_subject


def entry_subject(entry: EntryData) -> Hashable:
    """Return what an entry is about.

    The card and its paragraph, the names that are one card, or the name.
    """
    card, same = entry.get("card"), entry.get("same")
    if isinstance(same, list | tuple):
        return "same", frozenset(normalize_name(str(name)) for name in same)
    if isinstance(card, Mapping):
        name = normalize_name(str(card.get("name", "")))
        return "card", name, str(card.get("dots", "")), str(card.get("id", "")), str(entry.get("id", ""))
    return (
        "name",
        normalize_name(str(entry.get("name") or "")),
        str(entry.get("group", "")),
    )


def _changed_entry(kind: str, before: PlacedEntry, after: PlacedEntry) -> EntryChange:
    (old_place, old), (place, entry) = before, after
    return EntryChange(kind, old, entry, old_place, place, tuple(_changed_parts(old, entry)))


def _changed_parts(old: EntryData, new: EntryData) -> list[str]:
    """Return the parts that differ.

    A document that only one of them names may be that of the other's edition.
    """
    parts = (*old, *(key for key in new if key not in old))
    both_named = "document" in old and "document" in new
    return [key for key in parts if _differs(old, new, key) and (key != "document" or both_named)]


def _differs(old: EntryData, new: EntryData, key: str) -> bool:
    return bool(to_json(old.get(key)) != to_json(new.get(key)))
