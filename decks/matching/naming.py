"""One reading of a line to one card: by set and number, by number, by name with rank and set."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from rapidfuzz import fuzz

from decks.importers.names import exact_key, fold, split_dots
from decks.matching.fuzzy import spaced_fold
from decks.matching.model import Match, Status
from decks.matching.tables import Tables, number_key, set_key, shown_name

_DRIFT = 82
"""Set and number settle a line whose name is at least this near to the printed one."""


@dataclass(frozen=True, slots=True)
class Query:
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


class Namer:
    """Finds the card that a query names. What a query states is never let fall to find one."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables

    def find(self, query: Query) -> Match:
        """One card, a question, a conflict, or `unknown`; suggestions only from among what fits in part."""
        if query.set_code and query.number:
            return self._by_code(query)
        return self._by_name(query) if query.name else self._by_number(query)

    def settle(self, places: Sequence[int], status: Status, how: str, query: Query) -> Match:
        """One card is the match; several are a question."""
        tables = self._tables
        cards = tables.cards(places)
        if len(cards) > 1:
            note = f"'{query.name or query.where}' fits {len(cards)} cards; write set and number as well."
            return Match("ambiguous", how=how, note=note, suggestions=tables.suggestions(places, 100))
        printing = tables.printings[places[0]]
        key = printing.key if len(places) == 1 else None
        return Match(status, cards[0], key, shown_name(printing), how, "certain")

    def _by_code(self, query: Query) -> Match:
        number = query.number or ""
        places = self._tables.by_code.get((set_key(query.set_code or ""), number_key(number)), [])
        places = [place for place in places if self._tables.fits_size(place, number)]
        if not places:
            return self._nowhere(query)
        named = [place for place in places if not query.name or self._is_named(place, query)]
        if named:
            kept = self._of_variant(named, query)
            return self.settle(kept, self._degree(named, query), "by set and number", query)
        return self._contradicted(places, query)

    def _nowhere(self, query: Query) -> Match:
        """Set and number that nobody knows: the name alone is never taken instead, only suggested."""
        places = self._tables.by_fold.get(fold(query.name), []) if query.name else []
        note = f"No card with the number {query.where} is known."
        status: Status = "fuzzy-suggestions" if places else "unknown"
        return Match(status, note=note, suggestions=self._tables.suggestions(places, 90))

    def _contradicted(self, places: list[int], query: Query) -> Match:
        """Set and number say one card, and the name says another, or nearly the same."""
        tables = self._tables
        printing = tables.printings[places[0]]
        elsewhere = tables.by_fold.get(fold(query.name), [])
        if not elsewhere and self._is_near(places, query):
            note = f"The name was read as '{shown_name(printing)}', because {query.where} says so."
            found = self.settle(places, "normalised", "by set and number", query)
            return replace(found, sure="likely", note=note)
        note = f"{query.where} is '{shown_name(printing)}', not '{query.name}'; put one of them right."
        both = (*tables.suggestions(places, 100), *tables.suggestions(elsewhere, 90))
        return Match("conflict", how="by set and number", note=note, suggestions=both)

    def _is_near(self, places: Sequence[int], query: Query) -> bool:
        tables = self._tables
        printed = split_dots(tables.printings[places[0]].name).name
        near = fuzz.ratio(spaced_fold(query.name), spaced_fold(printed)) >= _DRIFT
        ranked = query.dots is None or query.dots in tables.ranks[places[0]]
        return near and ranked and len(tables.cards(places)) == 1

    def _is_named(self, place: int, query: Query) -> bool:
        known = place in self._tables.by_fold.get(fold(query.name), ())
        return known and (query.dots is None or query.dots in self._tables.ranks[place])

    def _of_variant(self, places: list[int], query: Query) -> list[int]:
        variant = (query.variant or "").casefold()
        return [place for place in places if variant and self._variant(place) == variant] or places

    def _variant(self, place: int) -> str:
        return (self._tables.printings[place].variant or "").casefold()

    def _degree(self, places: Sequence[int], query: Query) -> Status:
        exact = set(self._tables.by_exact.get(exact_key(query.name), ()))
        return "exact" if not query.name or not exact.isdisjoint(places) else "normalised"

    def _by_number(self, query: Query) -> Match:
        """A collector number without set and name names a card only where a single one has it."""
        places = self._tables.by_number.get(number_key(query.number or ""), []) if query.number else []
        places = [place for place in places if self._tables.fits_size(place, query.number or "")]
        if not places:
            return Match("unknown", note="The line names no card that is known.")
        return self.settle(places, "exact", "by number", query)

    def _by_name(self, query: Query) -> Match:
        tables = self._tables
        exact = tables.by_exact.get(exact_key(query.name), [])
        places = exact or tables.by_fold.get(fold(query.name), [])
        if not places:
            return Match("unknown", note=f"No card named '{query.name}' is known.")
        kept, missing = self._narrow(places, query)
        if not kept:
            return Match("fuzzy-suggestions", note=missing, suggestions=tables.suggestions(places, 90))
        if query.dots is None and not query.number and any(0 not in tables.ranks[place] for place in kept):
            return self._which_version(kept, query)
        return self.settle(
            self._of_variant(kept, query), "exact" if exact else "normalised", _how(query), query
        )

    def _narrow(self, places: Sequence[int], query: Query) -> tuple[list[int], str]:
        """Keep what fits the rank, set and number of the line, or tell which of them fits nothing."""
        kept = list(places)
        for fits, missing in self._conditions(query):
            kept = [place for place in kept if fits(place)]
            if not kept:
                return [], missing
        return kept, ""

    def _conditions(self, query: Query) -> list[tuple[Callable[[int], bool], str]]:
        tables = self._tables
        conditions: list[tuple[Callable[[int], bool], str]] = []
        if query.dots is not None:
            dots = query.dots
            note = f"No version of '{query.name}' with {dots} dot{'s' if dots > 1 else ''} is known."
            conditions.append((lambda place: dots in tables.ranks[place], note))
        if query.set_code:
            code = set_key(query.set_code)
            note = f"No '{query.name}' in the set {query.set_code} is known."
            conditions.append((lambda place: set_key(tables.printings[place].set_code) == code, note))
        if query.number:
            number = query.number
            note = f"No '{query.name}' with the number {number} is known."
            conditions.append((lambda place: self._has_number(place, number), note))
        return conditions

    def _has_number(self, place: int, number: str) -> bool:
        return place in self._tables.by_number.get(number_key(number), ()) and self._tables.fits_size(
            place, number
        )

    def _which_version(self, places: Sequence[int], query: Query) -> Match:
        note = f"'{query.name}' is a character with rank dots; write which version is meant."
        return Match("ambiguous", how="by name", note=note, suggestions=self._tables.suggestions(places, 100))


def _how(query: Query) -> str:
    stated = [("rank dots", query.dots), ("set", query.set_code), ("number", query.number)]
    return "by " + " and ".join(["name", *(word for word, value in stated if value)])
