"""Finds the card that one reading of a line names.

It is found by set and number, by name, or by number alone.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from decks.importers.names import exact_key, fold, spaced_fold, split_dots
from decks.importers.tags import is_finish
from decks.matching.lookup import LookupTables, format_name, id_key, number_key, set_key
from decks.matching.model import FoundBy, LineMatch, MatchStatus
from rules.reason import Reason, reason

_OWNED = re.compile(r"(?P<title>.+?)\s*(?:[(\[](?P<bracketed>[^()\[\]]+)[)\]]|:\s*(?P<behind>\S.*))")

_DRIFT = 82

"""Set and number settle a line whose name is at least this near to the printed one, of 100."""


@dataclass(frozen=True, slots=True)
class CardNameQuery:
    """One reading of a line: the part of it that tells the card."""

    name: str
    dots: int | None = None
    set_code: str | None = None
    number: str | None = None
    variant: str | None = None

    @property
    def where(self) -> str:
        """Set and number in words."""
        return " ".join(part for part in (self.set_code, self.number) if part)


class NameResolver:
    """Finds the card that a query names.

    What a query states is never let fall to find one.
    """

    def __init__(self, tables: LookupTables) -> None:
        self._tables = tables

    def find(self, query: CardNameQuery) -> LineMatch:
        """Return one card, a question, a conflict, or `unknown`.

        Suggestions are made only from cards that fit in part.
        """
        if query.set_code and query.number:
            return self._by_code(query)
        return self._by_name(query) if query.name else self._by_number(query)

    def settle(
        self, places: Sequence[int], status: MatchStatus, found_by: FoundBy, query: CardNameQuery
    ) -> LineMatch:
        """Return one card as the match, several as a question."""
        tables = self._tables
        cards = tables.told_apart(places)
        if len(cards) > 1:
            why = reason("fits_several_cards", name=query.name or query.where, count=len(cards))
            suggestions = tables.suggestions(places, 100)
            return LineMatch(
                "ambiguous", found_by=found_by, reasons=(why,), suggestions=suggestions, may_be=tuple(cards)
            )
        printing = tables.printings[places[0]]
        key = printing.key if len(places) == 1 else None
        # A printing is of its own card, whichever other card no fact tells from it.
        card_key = printing.card_key if key else cards[0]
        return LineMatch(status, card_key, key, format_name(printing), found_by, "certain")

    def find_owned(self, written_name: str) -> LineMatch | None:
        """Return the match of a title with its owner.

        Examples: `Dirty Trick (Kalas)`, `Dirty Trick: Kalas`. None for any other text.
        """
        match = _OWNED.fullmatch(written_name) if self._tables.owners else None
        owner = fold(match["bracketed"] or match["behind"]) if match else ""
        if match is None or owner not in self._tables.owners:
            return None
        title, tables = match["title"], self._tables
        places = tables.by_exact.get(exact_key(title), []) or tables.by_fold.get(fold(title), [])
        owned_places = [place for place in places if fold(tables.printings[place].owner) == owner]
        if owned_places:
            return self.settle(owned_places, "exact", "name", CardNameQuery(title))
        if open_places := [place for place in places if tables.printings[place].is_owner_open]:
            return self._of_open_owner(open_places, title)
        why = reason("version_unknown.owner", name=title, owner=match["bracketed"] or match["behind"])
        suggestions = tables.suggestions(places, 90)
        return LineMatch("fuzzy-suggestions", reasons=(why,), suggestions=suggestions) if places else None

    def _of_open_owner(self, places: Sequence[int], title: str) -> LineMatch:
        """Return the match of cards that may be of the stated owner.

        No fact tells whether they are. The facts of the card decide.
        """
        match = self.settle(places, "exact", "name", CardNameQuery(title))
        if not match.card_key:
            return match
        return replace(match, sure="likely", reasons=(reason("owner_unknown", name=title),))

    def _by_code(self, query: CardNameQuery) -> LineMatch:
        number = query.number or ""
        places = self._tables.by_code.get(
            (self._tables.find_set(query.set_code or ""), number_key(number)), []
        )
        places = [place for place in places if self._tables.fits_size(place, number)]
        if not places:
            return self._nowhere(query)
        named_places = [place for place in places if self._is_named(place, query)]
        if named_places and self._lacks_variant(named_places, query):
            return self.refuse(_no_variant(query), named_places)
        if named_places:
            places_of_variant = self._of_variant(named_places, query)
            return self.settle(places_of_variant, self._degree(named_places, query), "set_number", query)
        return self._report_contradiction(places, query)

    def _nowhere(self, query: CardNameQuery) -> LineMatch:
        """Return the match for a set and number that are unknown.

        The name alone is never taken instead, only suggested.
        """
        places = self._tables.by_fold.get(fold(query.name), []) if query.name else []
        why = reason("number_unknown", number=query.where)
        status: MatchStatus = "fuzzy-suggestions" if places else "unknown"
        return LineMatch(status, reasons=(why,), suggestions=self._tables.suggestions(places, 90))

    def _report_contradiction(self, places: list[int], query: CardNameQuery) -> LineMatch:
        """Set and number say one card, and the name says another, or nearly the same."""
        tables = self._tables
        printing = tables.printings[places[0]]
        elsewhere = tables.by_fold.get(fold(query.name), [])
        if not elsewhere and self._is_near(places, query):
            why = reason("name_by_number", name=format_name(printing), number=query.where)
            resolution = self.settle(places, "normalised", "set_number", query)
            return replace(resolution, sure="likely", reasons=(why,))
        why = reason(
            "number_against_name", number=query.where, name=format_name(printing), written=query.name
        )
        both = (*tables.suggestions(places, 100), *tables.suggestions(elsewhere, 90))
        may_be = tuple(tables.cards((*places, *elsewhere)))
        return LineMatch("conflict", found_by="set_number", reasons=(why,), suggestions=both, may_be=may_be)

    def _is_near(self, places: Sequence[int], query: CardNameQuery) -> bool:
        tables = self._tables
        near = is_near(query.name, tables.printings[places[0]].name)
        has_rank = query.dots is None or query.dots in tables.ranks[places[0]]
        return near and has_rank and len(tables.cards(places)) == 1

    def _is_named(self, place: int, query: CardNameQuery) -> bool:
        is_known = not query.name or place in self._tables.by_fold.get(fold(query.name), ())
        return is_known and (query.dots is None or query.dots in self._tables.ranks[place])

    def _of_variant(self, places: list[int], query: CardNameQuery) -> list[int]:
        variant = (query.variant or "").casefold()
        return [place for place in places if variant and self._variant(place) == variant] or places

    def _lacks_variant(self, places: Iterable[int], query: CardNameQuery) -> bool:
        """Return whether a line states a variant that no printing has.

        Every printing must be known to be of another variant.
        """
        is_stated = bool(query.variant) and not is_finish(query.variant or "")
        variants = {self._variant(place) for place in places}
        return is_stated and "" not in variants and (query.variant or "").casefold() not in variants

    def _variant(self, place: int) -> str:
        return (self._tables.printings[place].variant or "").casefold()

    def _degree(self, places: Sequence[int], query: CardNameQuery) -> MatchStatus:
        exact = set(self._tables.by_exact.get(exact_key(query.name), ()))
        return "exact" if not query.name or not exact.isdisjoint(places) else "normalised"

    def _by_number(self, query: CardNameQuery) -> LineMatch:
        """Return the match of a collector number without set and name.

        It names a card only where exactly one card has it.
        """
        places = self._tables.by_number.get(number_key(query.number or ""), []) if query.number else []
        places = [place for place in places if self._tables.fits_size(place, query.number or "")]
        if not places:
            return LineMatch("unknown", reasons=(reason("names_no_card"),))
        return self.settle(places, "exact", "number", query)

    def _by_name(self, query: CardNameQuery) -> LineMatch:
        tables = self._tables
        exact = tables.by_exact.get(exact_key(query.name), [])
        places = exact or tables.by_fold.get(fold(query.name), [])
        if not places:
            return LineMatch("unknown", reasons=(reason("name_unknown", name=query.name),))
        fitting_places, mismatch = self._narrow(places, query)
        if mismatch:
            return self.refuse(mismatch, places)
        if (
            query.dots is None
            and not query.number
            and any(0 not in tables.ranks[place] for place in fitting_places)
        ):
            return self._which_version(fitting_places, query)
        return self.settle(
            self._of_variant(fitting_places, query),
            "exact" if exact else "normalised",
            _found_by(query),
            query,
        )

    def _narrow(self, places: Sequence[int], query: CardNameQuery) -> tuple[list[int], Reason | None]:
        """Keep the cards that fit the rank, set and number of the line.

        If one of these fits nothing, tell which.
        """
        fitting_places = list(places)
        for fits, mismatch in self._conditions(query, places):
            fitting_places = [place for place in fitting_places if fits(place)]
            if not fitting_places:
                return [], mismatch
        return fitting_places, None

    def refuse(self, why: Reason, places: Sequence[int]) -> LineMatch:
        """Return the cards of a name only as suggestions.

        None of them fits what the line states beside the name.
        """
        is_of_set = why.code == "version_unknown.other_sets"
        suggest = self._tables.suggest_printings if is_of_set else self._tables.suggestions
        return LineMatch("fuzzy-suggestions", reasons=(why,), suggestions=suggest(places, 90))

    def hold_sets(self, match: LineMatch, stated_sets: Iterable[str]) -> LineMatch:
        """Return the match, unless none of its printings is of a set the line states.

        The line states this set in addition to the card.
        """
        tables = self._tables
        places = tables.places_of(match)
        for words in stated_sets if places else ():
            code = tables.find_set(words)
            if all(set_key(tables.printings[place].set_code) != code for place in places):
                all_places = tables.by_card[id_key(match.card_key or "")]
                why = self._not_in_set(CardNameQuery(match.name, set_code=words), all_places)
                return self.refuse(why, all_places)
        return match

    def _not_in_set(self, query: CardNameQuery, places: Sequence[int]) -> Reason:
        sets = self._tables.list_sets(places)
        if not sets:
            return reason("version_unknown.set", name=query.name, set=query.set_code)
        return reason("version_unknown.other_sets", name=query.name, set=query.set_code, sets=sets)

    def _conditions(
        self, query: CardNameQuery, places: Sequence[int]
    ) -> list[tuple[Callable[[int], bool], Reason]]:
        tables = self._tables
        conditions: list[tuple[Callable[[int], bool], Reason]] = []
        if query.dots is not None:
            dots = query.dots
            why = reason("version_unknown.dots", name=query.name, dots=dots)
            conditions.append((lambda place: dots in tables.ranks[place], why))
        if query.set_code:
            code = tables.find_set(query.set_code)
            why = self._not_in_set(query, places)
            conditions.append((lambda place: set_key(tables.printings[place].set_code) == code, why))
        if query.number:
            number = query.number
            why = reason("version_unknown.number", name=query.name, number=number)
            conditions.append((lambda place: self._has_number(place, number), why))
        if self._lacks_variant(places, query):
            conditions.append((lambda place: False, _no_variant(query)))
        return conditions

    def _has_number(self, place: int, number: str) -> bool:
        return place in self._tables.by_number.get(number_key(number), ()) and self._tables.fits_size(
            place, number
        )

    def _which_version(self, places: Sequence[int], query: CardNameQuery) -> LineMatch:
        why = reason("which_version", name=query.name)
        tables = self._tables
        suggestions, may_be = tables.suggestions(places, 100), tuple(tables.cards(places))
        return LineMatch("ambiguous", found_by="name", reasons=(why,), suggestions=suggestions, may_be=may_be)


def _no_variant(query: CardNameQuery) -> Reason:
    return reason("version_unknown.variant", name=query.name or query.where, variant=query.variant)


def is_near(written_name: str, printed_name: str) -> bool:
    """Return whether one name can be a misspelling of the other.

    Names with different numbers never are.
    """
    first, second = spaced_fold(written_name), spaced_fold(split_dots(printed_name).name)
    numbers = ([word for word in name.split() if not word.isalpha()] for name in (first, second))
    return next(numbers) == next(numbers) and similarity(first, second) >= _DRIFT


def similarity(first: str, second: str) -> float:
    """Return how alike two texts are, from 0 to 100.

    The letters that both have in the same order, of all letters.

    The measure by which similar names are searched, without the library that searches them fast.
    """
    lengths = [0] * (len(second) + 1)
    for letter in first:
        before = 0
        for place, other in enumerate(second, 1):
            above = lengths[place]
            lengths[place] = before + 1 if letter == other else max(above, lengths[place - 1])
            before = above
    letters = len(first) + len(second)
    return 200 * lengths[-1] / letters if letters else 100.0


def _found_by(query: CardNameQuery) -> FoundBy:
    return _FOUND_BY[bool(query.dots), bool(query.set_code), bool(query.number)]


# By whether dots, set and number are stated beside the name.
_FOUND_BY: Mapping[tuple[bool, bool, bool], FoundBy] = {
    (False, False, False): "name",
    (True, False, False): "name_dots",
    (False, True, False): "name_set",
    (False, False, True): "name_number",
    (True, True, False): "name_dots_set",
    (True, False, True): "name_dots_number",
    (False, True, True): "name_set_number",
    (True, True, True): "name_dots_set_number",
}
