"""Validate one edition of a ban, errata or identity list.

Whether its cards exist, and whether numbers fit their names, only a catalogue can tell.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Literal

from rules.game import Game
from rules.lint_parts import entry_misfits
from rules.lists import NO_CLAUSE, Edition
from rules.names import normalize_name
from rules.reason import Param, Reason, reason
from rules.rendering import get_messages, render

ListEntry = Mapping[str, object]

# The section of the messages for problems.
SECTION = "edition"


@dataclass(frozen=True, slots=True)
class ListProblem:
    """Something wrong with an edition.

    Holds a stable code, and a message of the section `edition` with its fix. `entry` counts the entries from
    1 (None: the whole list). An "error" has to be fixed before the edition can count; a "warning" may be
    meant.
    """

    code: str
    reason: Reason
    entry: int | None = None
    severity: Literal["error", "warning"] = "error"

    @property
    def sentence(self) -> str:
        """Return what is wrong."""
        return render(SECTION, self.reason)

    @property
    def fix(self) -> str:
        """The smallest fix; empty if there is none."""
        return get_messages().fix(SECTION, self.reason)

    @property
    def message(self) -> str:
        """The sentence with its fix."""
        return f"{self.sentence} {self.fix}".strip()


def find_fault(code: str, /, place: int | None, **params: Param) -> ListProblem:
    """Return a problem of an edition by the code of its message.

    A variant of the words is not part of its code.
    """
    return ListProblem(code.partition(".")[0], Reason(code, params), place)


def lint_list(edition: Edition, game: Game | None = None) -> list[ListProblem]:
    """Return every problem of an edition in itself, in the order of its entries.

    With the game, the names and kinds of all parts of its entries are looked at as well.
    """
    problems = []
    if not edition.document:
        problems.append(find_fault("no-document", None))
    for place, entry in enumerate(edition.entries, 1):
        problems += _lint_entry(place, entry, edition)
        for misfit in entry_misfits(edition.kind, entry, game) if game else ():
            reason = misfit.of(get_entry_label(place, entry))
            problems.append(ListProblem(misfit.code, reason, place))
    problems += _lint_repeated(edition)
    return problems


def get_entry_label(place: int, entry: ListEntry) -> Reason:
    """Return an entry as a part of a sentence.

    It is its number and what it is about: "Entry 3 (Ken)".
    """
    card, same = entry.get("card"), entry.get("same")
    label = card.get("name") if isinstance(card, Mapping) else None
    if isinstance(same, list | tuple):
        return reason("entry.named", place=place, names=tuple(map(str, same)))
    name = label or entry.get("name")
    return reason("entry.named", place=place, names=str(name)) if name else reason("entry", place=place)


def _lint_entry(place: int, entry: ListEntry, edition: Edition) -> Iterator[ListProblem]:
    who = get_entry_label(place, entry)
    if edition.kind in _OF_CARDS and not _speaks_of_a_card(entry):
        yield find_fault("no-card", place, entry=who)
    if edition.kind == "errata" and not (entry.get("id") and entry.get("says")):
        yield find_fault("no-words", place, entry=who)
    if edition.kind == "identities":
        yield from _identity(place, entry, who)
    if edition.kind in COUNTED_KINDS:
        yield from _lint_counts(place, entry, who, edition.kind)
    if edition.cite(entry).clause == NO_CLAUSE:
        yield replace(find_fault("no-clause", place, entry=who), severity="warning")
    for printing in _printings(entry):
        yield from _check_printing(place, printing, who)


COUNTED_KINDS = frozenset({"limits", "points"})
"""The lists that give each card a number."""

_OF_CARDS = frozenset({"bans", "errata", *COUNTED_KINDS})


def _lint_counts(place: int, entry: ListEntry, who: Reason, kind: str) -> Iterator[ListProblem]:
    copies, points = entry.get("copies"), entry.get("points")
    if kind == "limits" and (type(copies) is not int or copies < 0):
        yield find_fault("no-copies", place, entry=who)
    if kind == "points" and (type(points) is not int or points < 1):
        yield find_fault("no-points", place, entry=who)


def _speaks_of_a_card(entry: ListEntry) -> bool:
    card = entry.get("card")
    return isinstance(card, Mapping) and any(card.values())


def _identity(place: int, entry: ListEntry, who: Reason) -> Iterator[ListProblem]:
    same, distinct = entry.get("same"), entry.get("distinct")
    if isinstance(same, list | tuple) and len({normalize_name(str(name)) for name in same}) < 2:
        yield find_fault("one-name", place, entry=who)
    if isinstance(distinct, list | tuple) and (len(distinct) < 2 or not entry.get("name")):
        yield find_fault("one-printing", place, entry=who)
    if same is None and not entry.get("name"):
        yield find_fault("no-card.of-several", place, entry=who)


def _printings(entry: ListEntry) -> Iterator[ListEntry]:
    """Yield every place in which an entry names a printing."""
    card, printing, distinct = entry.get("card"), entry.get("printed"), entry.get("distinct")
    yield from (place for place in (card, printing) if isinstance(place, Mapping))
    if isinstance(distinct, list | tuple):
        yield from (place for place in distinct if isinstance(place, Mapping))


def _check_printing(place: int, printing: ListEntry, who: Reason) -> Iterator[ListProblem]:
    code, number, size = printing.get("set"), printing.get("number"), printing.get("set_size")
    if isinstance(code, str) and (corrected_code := fix_letter_o(code)) != code:
        yield find_fault("letter-o", place, entry=who, set=code, corrected=corrected_code)
    if number is not None and (type(number) is not int or number < 1):
        yield find_fault("bad-number", place, entry=who, number=str(number))
    elif type(number) is int and type(size) is int and number > size:
        yield find_fault("beyond-the-set", place, entry=who, number=number, size=size)


def fix_letter_o(code: str) -> str:
    """Return a set code with misplaced letters O replaced by zeros.

    These are beside a digit or behind the letters: SCO3 is SC03.
    """
    return re.sub(r"(?<=[A-Z])O(?=\d)|(?<=\d)O", "0", code)


def _lint_repeated(edition: Edition) -> Iterator[ListProblem]:
    yield from _find_repeated_entries(edition.entries)
    if edition.kind == "errata":
        yield from _numbered_twice(edition.entries)
    if edition.kind == "bans":
        yield from _banned_twice(edition.entries)
    if edition.kind in COUNTED_KINDS:
        yield from _counted_twice(edition.entries)


def _find_repeated_entries(entries: Iterable[ListEntry]) -> Iterator[ListProblem]:
    first_places: dict[str, int] = {}
    for place, entry in enumerate(entries, 1):
        same = repr(sorted((key, str(value)) for key, value in entry.items()))
        if same in first_places:
            who = get_entry_label(place, entry)
            yield find_fault("entry-twice", place, entry=who, first=first_places[same])
        first_places.setdefault(same, place)


def _numbered_twice(entries: Iterable[ListEntry]) -> Iterator[ListProblem]:
    """Report two errata that say different things under one id.

    They would be shown as one.
    """
    first_entries: dict[str, tuple[int, ListEntry]] = {}
    for place, entry in enumerate(entries, 1):
        number = str(entry.get("id", ""))
        first, other = first_entries.setdefault(number, (place, entry))
        are_one = _is_identity(entry) and _is_identity(other)
        if number and other.get("says") != entry.get("says") and not are_one:
            who = get_entry_label(place, entry)
            yield find_fault("id-twice", place, entry=who, first=first, id=number)


def _is_identity(entry: ListEntry) -> bool:
    """Recognize one paragraph that makes two names one card.

    It is an entry for each name.
    """
    kinds = entry.get("kinds")
    return isinstance(kinds, list | tuple) and "identity" in kinds


def _banned_twice(entries: Iterable[ListEntry]) -> Iterator[ListProblem]:
    """Report a ban of a name beside the ban of one of its versions, which it covers."""
    entries_by_name: dict[str, list[tuple[int, ListEntry, ListEntry]]] = {}
    for place, entry in enumerate(entries, 1):
        card = entry.get("card")
        if not isinstance(card, Mapping) or "formats" in entry or "zones" in entry:
            continue
        earlier = entries_by_name.setdefault(normalize_name(str(card.get("name", ""))), [])
        twins = (each for each in earlier if _is_same_ban(card, each[1]) and each[2] != entry)
        if twin := next(twins, None):
            key = "ban-within-ban" if card == twin[1] else "ban-within-ban.wider"
            fault = find_fault(key, place, entry=get_entry_label(place, entry), first=twin[0])
            yield replace(fault, severity="warning")
        earlier.append((place, card, entry))


def _counted_twice(entries: Iterable[ListEntry]) -> Iterator[ListProblem]:
    """Yield two numbers for one card: only one of them could be meant."""
    first_places: dict[str, int] = {}
    for place, entry in enumerate(entries, 1):
        card = entry.get("card")
        facts = dict(card) if isinstance(card, Mapping) else {}
        subject = {**facts, "name": normalize_name(str(facts.get("name", ""))), "in": entry.get("formats")}
        first = first_places.setdefault(repr(sorted(subject.items(), key=repr)), place)
        if first != place and facts:
            yield find_fault("listed-twice", place, entry=get_entry_label(place, entry), first=first)


def _is_same_ban(card: ListEntry, other: ListEntry) -> bool:
    return _covers(card, other) or _covers(other, card)


def _covers(wide: ListEntry, narrow: ListEntry) -> bool:
    """Return whether whatever the second names is named by the first as well."""
    return all(key == "name" or narrow.get(key) == value for key, value in wide.items())
