"""Matching of lines that carry an identifier.

The identifier is compared with all else that they say of the card.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Literal

from decks.importers.model import DeckLine
from decks.importers.names import exact_key, fold
from decks.matching.lookup import LookupTables, format_name, id_key, id_kind, number_key, number_keys, set_key
from decks.matching.model import CardSuggestion, LineMatch, SearchBudget
from decks.matching.naming import is_near
from rules.reason import Reason, reason


class IdentifierMatcher:
    """Finds cards by identifier.

    What disagrees with it is asked about; `read_line` matches without it.
    """

    def __init__(
        self, tables: LookupTables, read_line: Callable[[DeckLine, SearchBudget], LineMatch]
    ) -> None:
        self._tables = tables
        self._read_line = read_line

    def match(self, line: DeckLine, budget: SearchBudget) -> LineMatch | None:
        """Return the match by the identifier of the line.

        None if the rest of the line decides.
        """
        key = id_key(line.card_id or "")
        if line.is_key_or_name and self._is_own_name(line, self._tables.find_by_identifier(key)):
            return None
        if places := self._tables.find_by_identifier(key):
            name_match = self._as_name(line, places, budget) if line.is_key_or_name else None
            return name_match or self._identify(line, places, budget)
        if key in self._tables.hidden_ids:
            return LineMatch("unknown", reasons=(reason("identifier_of_no_card"),))
        if line.is_key_or_name or not line.name or key == id_key(line.written_text):
            return None
        if places := self._tables.by_fold.get(fold(key), []):
            return self._named_twice(line, places, budget)
        if not self._is_telling(key):
            return None
        rest = self._as_suggestions(self._by_the_rest(line, budget))
        return LineMatch("unknown", reasons=(reason("identifier_unknown"),), suggestions=rest)

    def _is_own_name(self, line: DeckLine, places: Sequence[int]) -> bool:
        """Return whether a word is both the name and the key of the same card.

        The word may be key or name.
        """
        return not set(places).isdisjoint(self._tables.by_exact.get(exact_key(line.name), ()))

    def _is_telling(self, key: str) -> bool:
        """Return whether an unknown identifier shows that the card is unknown.

        It does where other cards have an identifier of its kind. Keys of another program's own
        making show nothing, because no two programs share them.
        """
        kind = id_kind(key)
        return kind != "own" and kind in self._tables.id_kinds

    def _as_name(self, line: DeckLine, places: Sequence[int], budget: SearchBudget) -> LineMatch | None:
        """Return the match by name for a key that is a name as well.

        This is so only where the name means another card, or several.
        """
        name_match = self._read_line(replace(line, card_id=None), budget)
        if name_match.card_key in self._tables.cards(places) or not (
            name_match.is_found or name_match.status == "ambiguous"
        ):
            return None
        if name_match.is_found and line.set_code and line.collector_number:
            return name_match
        why = reason("key_is_a_name", written=line.written_text)
        suggestions_by_key = self._tables.suggestions(places, 100)
        others = (each for each in self._as_suggestions(name_match) if each not in suggestions_by_key)
        may_be = self._cards(places, name_match)
        suggestions = (*suggestions_by_key, *others)
        return LineMatch("ambiguous", found_by="name", reasons=(why,), suggestions=suggestions, may_be=may_be)

    def _named_twice(self, line: DeckLine, places: Sequence[int], budget: SearchBudget) -> LineMatch | None:
        """Return a conflict if an entry has two names that do not mean one card.

        One of the names is in place of the identifier. Both have to mean one card.
        """
        name_match = self._read_line(replace(line, card_id=None), budget)
        if not name_match.is_found or name_match.card_key in self._tables.cards(places):
            return None
        why = reason("two_names", written=line.written_text, other=line.card_id)
        both = (*self._as_suggestions(name_match), *self._tables.suggestions(places, 90))
        may_be = self._cards(places, name_match)
        return LineMatch("conflict", found_by="name", reasons=(why,), suggestions=both, may_be=may_be)

    def _identify(self, line: DeckLine, places: Sequence[int], budget: SearchBudget) -> LineMatch:
        tables = self._tables
        fitting = [place for place in places if self._fits_place(place, line)]
        if not fitting or not self._may_be_named(fitting, line):
            return self._conflict(line, places, budget)
        if len(tables.cards(fitting)) > 1:
            why = (reason("identifier_of_several"),)
            suggestions, may_be = tables.suggestions(fitting, 100), tuple(tables.cards(fitting))
            return LineMatch(
                "ambiguous", found_by="identifier", reasons=why, suggestions=suggestions, may_be=may_be
            )
        printing = tables.printings[fitting[0]]
        name, key = format_name(printing), printing.key if len(fitting) == 1 else None
        remarks = self._remarks(line, fitting, name)
        sure: Literal["certain", "likely"] = "likely" if remarks else "certain"
        return LineMatch("exact", printing.card_key, key, name, "identifier", sure, remarks)

    def _fits_place(self, place: int, line: DeckLine) -> bool:
        """Return whether the line's known set, number and variant fit the printing."""
        printing = self._tables.printings[place]
        if line.variant and printing.variant and line.variant.casefold() != printing.variant.casefold():
            return False
        if line.set_code and not self._knows_set(line):
            return True
        if (
            line.set_code
            and printing.set_code
            and self._tables.find_set(line.set_code) != set_key(printing.set_code)
        ):
            return False
        number, known_numbers = line.collector_number or "", number_keys(printing)
        fits = number_key(number) in known_numbers and self._tables.fits_size(place, number)
        return not number or not known_numbers or fits

    def _knows_set(self, line: DeckLine) -> bool:
        return self._tables.find_set(line.set_code or "") in self._tables.by_set

    def _may_be_named(self, places: Sequence[int], line: DeckLine) -> bool:
        """Return whether the name is one of the card, or a misspelling of one.

        A misspelling counts only if it is no other card's name.
        """
        tables = self._tables
        if line.dots is not None and not any(line.dots in tables.ranks[place] | {0} for place in places):
            return False
        if self._is_named(places, line):
            return True
        elsewhere = tables.by_fold.get(fold(line.name)) or tables.by_fold.get(fold(line.written_text))
        return not elsewhere and any(is_near(line.name, tables.printings[place].name) for place in places)

    def _is_named(self, places: Sequence[int], line: DeckLine) -> bool:
        """Return whether the words beside the identifier fit the card.

        They fit if they are empty, or a name or key of the card.
        """
        if not line.name or id_key(line.card_id or "") == id_key(line.written_text):
            return True
        tables = self._tables
        known_places = {
            *tables.by_fold.get(fold(line.name), ()),
            *tables.by_fold.get(fold(line.written_text), ()),
        }
        return not known_places.isdisjoint(places) or not set(
            tables.find_by_identifier(id_key(line.written_text))
        ).isdisjoint(places)

    def _remarks(self, line: DeckLine, places: Sequence[int], name: str) -> tuple[Reason, ...]:
        """Return what makes the match less than certain."""
        if not self._is_named(places, line):
            return (reason("name_by_identifier", written=line.written_text or line.name, name=name),)
        if line.set_code and not self._knows_set(line):
            return (reason("set_unknown", set=line.set_code),)
        return ()

    def _conflict(self, line: DeckLine, places: Sequence[int], budget: SearchBudget) -> LineMatch:
        written_text = " ".join(
            part for part in (line.written_text, line.set_code, line.collector_number) if part
        )
        name = format_name(self._tables.printings[places[0]])
        why = (reason("identifier_against_name", written=written_text, name=name),)
        first = self._tables.suggestions(places, 100)
        rest = self._by_the_rest(line, budget)
        others = (each for each in self._as_suggestions(rest) if each not in first)
        may_be = self._cards(places, rest)
        return LineMatch(
            "conflict", found_by="identifier", reasons=why, suggestions=(*first, *others), may_be=may_be
        )

    def _by_the_rest(self, line: DeckLine, budget: SearchBudget) -> LineMatch:
        return self._read_line(replace(line, card_id=None), budget)

    def _cards(self, places: Sequence[int], other: LineMatch) -> tuple[str, ...]:
        """Return the cards of the printings, and those that another match means."""
        return tuple(dict.fromkeys((*self._tables.cards(places), *other.meant_keys)))

    def _as_suggestions(self, match: LineMatch) -> tuple[CardSuggestion, ...]:
        return self._tables.as_suggestions(match)
