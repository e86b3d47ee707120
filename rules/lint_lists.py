"""Validate one edition of a ban, errata or identity list.

Whether its cards exist, and whether numbers fit their names, only a catalogue can tell.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Literal, NamedTuple

from rules.game import Game
from rules.lint_parts import entry_misfits
from rules.lists import NO_CLAUSE, Edition
from rules.names import normalize_name
from rules.text import join_list

ListEntry = Mapping[str, object]


class ListProblem(NamedTuple):
    """Something wrong with an edition: a stable code, a whole sentence, and the smallest fix.

    `entry` counts the entries from 1 (None: the whole list). An "error" has to be fixed before the edition
    can count; a "warning" may be meant.
    """

    code: str
    sentence: str
    fix: str
    entry: int | None = None
    severity: Literal["error", "warning"] = "error"

    @property
    def message(self) -> str:
        """The sentence with its fix."""
        return f"{self.sentence} {self.fix}".strip()


def lint_list(edition: Edition, game: Game | None = None) -> list[ListProblem]:
    """Every problem of an edition in itself, in the order of its entries.

    With the game, the names and kinds of all parts of its entries are looked at as well.
    """
    problems = []
    if not edition.document:
        sentence = "The list does not say which document it is taken from."
        problems.append(ListProblem("no-document", sentence, "Name the document or the announcement."))
    for place, entry in enumerate(edition.entries, 1):
        problems += _lint_entry(place, entry, edition)
        for code, says in entry_misfits(edition.kind, entry, game) if game else ():
            problems.append(ListProblem(code, f"{label_entry(place, entry)} {says}", "", place))
    problems += _repeated(edition)
    return problems


def label_entry(place: int, entry: ListEntry) -> str:
    """An entry for a sentence: its number and what it speaks of, "Entry 3 (Ken)"."""
    card, same = entry.get("card"), entry.get("same")
    label = card.get("name") if isinstance(card, Mapping) else None
    if isinstance(same, list | tuple):
        label = join_list(map(str, same))
    name = label or entry.get("name") or entry.get("front")
    return f"Entry {place} ({name})" if name else f"Entry {place}"


def _lint_entry(place: int, entry: ListEntry, edition: Edition) -> Iterator[ListProblem]:
    who = label_entry(place, entry)

    def problem(code: str, says: str, fix: str) -> ListProblem:
        return ListProblem(code, f"{who} {says}", fix, place)

    if edition.kind in ("bans", "errata") and not _speaks_of_a_card(entry):
        yield problem("no-card", "does not say which card it speaks of.", "Name the card.")
    if edition.kind == "errata" and not (entry.get("id") and entry.get("says")):
        yield problem("no-words", "needs an id and what the erratum says.", "Give both.")
    if edition.kind == "identities":
        yield from (problem(*values) for values in _identity(entry))
    if edition.cite(entry).clause == NO_CLAUSE:
        missing = problem("no-clause", "has no clause.", "Say where it stands in the document.")
        yield missing._replace(severity="warning")
    for printed in _printings(entry):
        yield from (problem(*values) for values in _printing(printed))


def _speaks_of_a_card(entry: ListEntry) -> bool:
    card = entry.get("card")
    return isinstance(card, Mapping) and any(card.values())


def _identity(entry: ListEntry) -> Iterator[tuple[str, str, str]]:
    same, distinct = entry.get("same"), entry.get("distinct")
    if isinstance(same, list | tuple) and len({normalize_name(str(name)) for name in same}) < 2:
        yield "one-name", "makes one name one card.", "Give at least two different names."
    if isinstance(distinct, list | tuple) and (len(distinct) < 2 or not entry.get("name")):
        yield (
            "one-printing",
            "needs a name and the printings that tell its cards apart.",
            "Give two at least.",
        )
    if same is None and not entry.get("name"):
        yield "no-card", "does not say which cards it speaks of.", "Name them."


def _printings(entry: ListEntry) -> Iterator[ListEntry]:
    """Every place in which an entry names a printing."""
    card, printed, distinct = entry.get("card"), entry.get("printed"), entry.get("distinct")
    yield from (place for place in (card, printed) if isinstance(place, Mapping))
    if isinstance(distinct, list | tuple):
        yield from (place for place in distinct if isinstance(place, Mapping))


def _printing(printed: ListEntry) -> Iterator[tuple[str, str, str]]:
    code, number, size = printed.get("set"), printed.get("number"), printed.get("set_size")
    if isinstance(code, str) and (corrected_code := fix_letter_o(code)) != code:
        yield (
            "letter-o",
            f"writes the set {code} with a letter O where a zero belongs.",
            f"Write {corrected_code}.",
        )
    if number is not None and (type(number) is not int or number < 1):
        yield "bad-number", f"has the number {number}, which is not a positive whole number.", "Mend it."
    elif type(number) is int and type(size) is int and number > size:
        says = f"has number {number}, which lies beyond the set's {size} cards."
        yield "beyond-the-set", says, "Mend the number or the size."


def fix_letter_o(code: str) -> str:
    """A set code with zeros where a letter O is beside a digit or behind the letters: SCO3 is SC03."""
    return re.sub(r"(?<=[A-Z])O(?=\d)|(?<=\d)O", "0", code)


def _repeated(edition: Edition) -> Iterator[ListProblem]:
    yield from _find_repeated_entries(edition.entries)
    if edition.kind == "errata":
        yield from _numbered_twice(edition.entries)
    if edition.kind == "bans":
        yield from _banned_twice(edition.entries)


def _find_repeated_entries(entries: Iterable[ListEntry]) -> Iterator[ListProblem]:
    seen: dict[str, int] = {}
    for place, entry in enumerate(entries, 1):
        same = repr(sorted((key, str(value)) for key, value in entry.items()))
        if same in seen:
            sentence = f"{label_entry(place, entry)} repeats entry {seen[same]}."
            yield ListProblem("entry-twice", sentence, "Take one of them out.", place)
        seen.setdefault(same, place)


def _numbered_twice(entries: Iterable[ListEntry]) -> Iterator[ListProblem]:
    """Two errata that say different things under one id would be told as one."""
    seen: dict[str, tuple[int, ListEntry]] = {}
    for place, entry in enumerate(entries, 1):
        number = str(entry.get("id", ""))
        first, other = seen.setdefault(number, (place, entry))
        are_one = _is_identity(entry) and _is_identity(other)
        if number and other.get("says") != entry.get("says") and not are_one:
            sentence = f"{label_entry(place, entry)} has the id of entry {first} and says another thing."
            yield ListProblem("id-twice", sentence, f"Call them {number}a and {number}b.", place)


def _is_identity(entry: ListEntry) -> bool:
    """One paragraph that makes two names one card is an entry for each name."""
    kinds = entry.get("kinds")
    return isinstance(kinds, list | tuple) and "identity" in kinds


def _banned_twice(entries: Iterable[ListEntry]) -> Iterator[ListProblem]:
    """A ban of a name covers the ban of one of its versions."""
    named: dict[str, list[tuple[int, ListEntry, ListEntry]]] = {}
    for place, entry in enumerate(entries, 1):
        card = entry.get("card")
        if not isinstance(card, Mapping) or "formats" in entry or "zones" in entry:
            continue
        earlier = named.setdefault(normalize_name(str(card.get("name", ""))), [])
        twins = (each for each in earlier if _is_same_ban(card, each[1]) and each[2] != entry)
        if twin := next(twins, None):
            sentence = f"{label_entry(place, entry)} and entry {twin[0]} ban one card twice."
            wider = "Keep the ban without further facts if every version is meant, else the other."
            fix = "Take one of them out." if card == twin[1] else wider
            yield ListProblem("ban-within-ban", sentence, fix, place, "warning")
        earlier.append((place, card, entry))


def _is_same_ban(card: ListEntry, other: ListEntry) -> bool:
    return _covers(card, other) or _covers(other, card)


def _covers(wide: ListEntry, narrow: ListEntry) -> bool:
    """Whether whatever the second names is named by the first as well."""
    return all(key == "name" or narrow.get(key) == value for key, value in wide.items())
