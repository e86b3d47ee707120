"""Lookup tables over a catalogue: by identifier, set and number, name."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence

from decks.importers.names import exact_key, fold, split_dots
from decks.matching.labels import Label, Labeller
from decks.matching.model import CardSuggestion, IndexedPrinting, LineMatch
from decks.matching.twins import find_twins

MOST_SUGGESTIONS = 40
"""All cards of one title, even in a game whose cards share titles."""

_SPLIT_CARD = " // "
_DOT = "●"
_AROUND_MARKS = " ()[]{}<>#^-*!="


class LookupTables:
    """Look-up tables over the printings.

    Positions in `printings` stand for printings throughout.
    """

    def __init__(self, printings: Iterable[IndexedPrinting]) -> None:
        everything = tuple(printings)
        self.printings: tuple[IndexedPrinting, ...] = tuple(each for each in everything if each.is_deck_card)
        self.hidden_ids = {
            name
            for each in everything
            if not each.is_deck_card
            for name in (id_key(one) for one in _ids(each))
        }
        self.by_id: dict[str, list[int]] = defaultdict(list)
        self.by_card: dict[str, list[int]] = defaultdict(list)
        self.by_code: dict[tuple[str, str], list[int]] = defaultdict(list)
        self.by_set: dict[str, list[int]] = defaultdict(list)
        self._other_sets: dict[str, set[str]] = defaultdict(set)
        self.by_number: dict[str, list[int]] = defaultdict(list)
        self.by_exact: dict[str, list[int]] = defaultdict(list)
        self.by_fold: dict[str, list[int]] = defaultdict(list)
        self.ranks: list[frozenset[int]] = []
        self.id_kinds: set[str] = set()
        self.labeller: Labeller | None = None
        self.twins = find_twins(self.printings)
        self._first_twin = {key: first for first, keys in self.twins.items() for key in keys}
        self.owners = frozenset(fold(each.owner) for each in self.printings if each.owner)
        for place, printing in enumerate(self.printings):
            self._add(place, printing)

    def _add(self, place: int, printing: IndexedPrinting) -> None:
        self.by_card[id_key(printing.card_key)].append(place)
        for one in _ids(printing):
            _append(self.by_id[id_key(one)], place)
        self.id_kinds.update(id_kind(one) for one in printing.ids)
        if printing.set_code:
            self.by_set[set_key(printing.set_code)].append(place)
            for number in number_keys(printing):
                self.by_code[set_key(printing.set_code), number].append(place)
            for code in printing.other_set_codes:
                self._other_sets[set_key(code)].add(set_key(printing.set_code))
        for number in number_keys(printing):
            self.by_number[number].append(place)
        self.ranks.append(_ranks(printing))
        for name in _names(printing):
            _append(self.by_exact[exact_key(name)], place)
            _append(self.by_fold[fold(name)], place)

    def find_stated_sets(self, marks: Iterable[str]) -> tuple[str, ...]:
        """Return the sets that marks beside a name state.

        Examples: `[The Dark Path, Foil]`, `# darkpath`.
        """
        words = [part.strip(_AROUND_MARKS) for mark in marks for part in mark.split(",")]
        return tuple(dict.fromkeys([each for each in words if each and self.find_set(each) in self.by_set]))

    def list_sets(self, places: Iterable[int]) -> tuple[str, ...]:
        """Return the codes of the sets that the printings are of, each once."""
        codes = (self.printings[place].set_code for place in places)
        return tuple(dict.fromkeys([code for code in codes if code]))

    def find_set(self, code: str) -> str:
        """Return the key of the set that a code names.

        The code is the set's own, or another that only this set has.
        """
        key = set_key(code)
        others = self._other_sets.get(key, set()) if key not in self.by_set else set()
        return next(iter(others)) if len(others) == 1 else key

    def fits_size(self, place: int, number: str) -> bool:
        """Return whether a written number (`38/143`) can belong to a printing.

        The size of its set decides.
        """
        printing = self.printings[place]
        size, own = size_of(number), printing.set_size or size_of(printing.number_text)
        return size is None or own is None or size == own

    def find_by_identifier(self, key: str) -> list[int]:
        """Return the printings of an identifier: one of theirs, or the key of their card."""
        printings, cards = self.by_id.get(key, []), self.by_card.get(key, [])
        if not printings or not set(self.cards(cards)) <= set(self.cards(printings)):
            return list(dict.fromkeys((*printings, *cards)))
        own = [place for place in printings if id_key(self.printings[place].key) == key]
        return own if own and len(self.cards(printings)) == 1 else printings

    def whole_names(self, place: int) -> tuple[str, ...]:
        """Return the names of a printing as they are printed."""
        printing = self.printings[place]
        return (printing.name, *printing.aliases)

    def cards(self, places: Iterable[int]) -> list[str]:
        """Return the keys of the cards that the printings are of, each once, in order."""
        return list(dict.fromkeys(self.printings[place].card_key for place in places))

    def told_apart(self, places: Iterable[int]) -> list[str]:
        """Return the same, but only the first of cards that no fact distinguishes."""
        return list(dict.fromkeys(self._first_twin.get(key, key) for key in self.cards(places)))

    def label(self, place: int) -> str:
        """Return what to write for exactly this printing: name, rank dots, set, number."""
        return self._label(place).text

    def _label(self, place: int) -> Label:
        name = format_name(self.printings[place])
        return self.labeller.label(place, name) if self.labeller else Label(name)

    def suggestion(self, place: int, score: int) -> CardSuggestion:
        """Return a printing as a suggestion.

        It is named with its owner where that identifies the card.
        """
        printing, label = self.printings[place], self._label(place)
        card_key = self._first_twin.get(printing.card_key, printing.card_key)
        if printing.owner and self.labeller:
            owned_name = f"{format_name(printing)} ({printing.owner})"
            if self.labeller.reads_as(owned_name, card_key):
                return CardSuggestion(card_key, None, format_name(printing), owned_name, score)
        key = printing.key if label.tells_printing else None
        return CardSuggestion(printing.card_key, key, format_name(printing), label.text, score)

    def suggestions(
        self, places: Sequence[int], score: int, most: int = MOST_SUGGESTIONS
    ) -> tuple[CardSuggestion, ...]:
        """Return one suggestion per card, in order.

        Of its printings, the first that belongs to a set is used.
        """
        ordered_places = sorted(places, key=lambda place: not self.printings[place].set_code)
        first = {self.told_apart([place])[0]: place for place in reversed(ordered_places)}
        return tuple(self.suggestion(first[key], score) for key in self.told_apart(places)[:most])

    def suggest_printings(self, places: Iterable[int], score: int) -> tuple[CardSuggestion, ...]:
        """Return a suggestion for each set that the printings are of."""
        ordered_places = sorted(places, key=lambda place: not self.printings[place].set_code)
        first = {self.printings[place].set_code: place for place in reversed(ordered_places)}
        suggestions = {
            each.label: each
            for place in ordered_places
            if place in first.values()
            for each in [self.suggestion(place, score)]
        }
        return tuple(suggestions.values())[:MOST_SUGGESTIONS]

    def places_of(self, match: LineMatch) -> list[int]:
        """Return the printings that a match names; none where it names no card."""
        places = self.by_card[id_key(match.card_key)] if match.card_key else []
        return [place for place in places if match.printing_key in (None, self.printings[place].key)]

    def as_suggestions(self, match: LineMatch) -> tuple[CardSuggestion, ...]:
        """Return what was found, or what it suggests, as suggestions.

        For a line that is asked about after all.
        """
        return self.suggestions(self.places_of(match), 100) if match.card_key else match.suggestions


def format_name(printing: IndexedPrinting) -> str:
    """Return the name with its rank dots in their plain form."""
    dotted_name = split_dots(printing.name)
    if printing.dots and dotted_name.dots != printing.dots:
        return f"{printing.name} {_DOT * printing.dots}"
    if dotted_name.dots and (not dotted_name.is_soft or printing.dots == dotted_name.dots):
        return f"{dotted_name.name} {_DOT * dotted_name.dots}"
    return printing.name


def id_key(identifier: str) -> str:
    """Return an identifier without case, braces and blanks, to compare."""
    return identifier.strip().strip("{}").casefold()


def id_kind(identifier: str) -> str:
    """Return the kind of an identifier: number, GUID, or that of another program."""
    key = id_key(identifier)
    if key.isdigit():
        return "number"
    return "guid" if re.fullmatch(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}", key) else "own"


def set_key(code: str) -> str:
    """Set codes are compared without case and punctuation."""
    return "".join(filter(str.isalnum, code)).casefold()


def number_key(number: str) -> str:
    """Return a collector number in a form for comparison.

    Size of the set, leading zeros, case and blanks are removed.
    """
    bare = "".join(filter(str.isalnum, number.partition("/")[0])).casefold()
    return bare.lstrip("0") or bare[:1]


def size_of(number: str) -> int | None:
    """Return the size of the set, where a number states it: 143 in `38/143`."""
    size = number.partition("/")[2].strip()
    return int(size) if size.isdecimal() else None


def number_keys(printing: IndexedPrinting) -> set[str]:
    """Return the spellings under which a printing's number is found."""
    keys = {number_key(printing.number_text)} if printing.number_text else set()
    if printing.number is not None and not any(map(str.isalpha, printing.number_text)):
        keys.add(str(printing.number))
    return keys - {""}


def _ids(printing: IndexedPrinting) -> tuple[str, ...]:
    return (printing.key, *printing.ids)


def _names(printing: IndexedPrinting) -> list[str]:
    """Return every name by which a printing is found.

    These are the name as printed, without dots, aliases, and halves of a split card.
    """
    names = []
    for name in (printing.name, *printing.aliases):
        names += [name, split_dots(name).name]
        if _SPLIT_CARD in name:
            names += [name.replace(_SPLIT_CARD, "/"), *(half.strip() for half in name.split(_SPLIT_CARD))]
        if name.lower().startswith("the "):
            names.append(f"{name[4:]}, {name[:3]}")
    return [name for name in names if name]


def _ranks(printing: IndexedPrinting) -> frozenset[int]:
    """Return the ranks that a line may write for this printing.

    Full stops after a name may be dots or not.
    """
    if printing.dots is not None:
        return frozenset({printing.dots})
    dotted_name = split_dots(printing.name)
    if dotted_name.dots is None:
        return frozenset({0})
    return frozenset({dotted_name.dots, 0} if dotted_name.is_soft else {dotted_name.dots})


def _append(places: list[int], place: int) -> None:
    if not places or places[-1] != place:
        places.append(place)
