"""Match deck lines to cards of a catalogue, and search as one types.

    index = CardIndex(printings)
    index.resolve(line).card_key
    index.search("kem", 10)

Nothing here knows a database: the caller hands over the printings and keeps the index while they hold.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

from rapidfuzz import fuzz

from decks.importers.model import AlternativeReading, DeckLine
from decks.importers.names import exact_key, fold, split_dots
from decks.importers.tags import is_finish
from decks.matching.fuzzy import FuzzyFinder, spaced_fold
from decks.matching.lookup import LookupTables, format_name, id_key, id_kind, number_key, set_key
from decks.matching.model import CardSuggestion, IndexedPrinting, LineMatch, MatchStatus

__all__ = ["CardIndex", "CardSuggestion", "IndexedPrinting", "LineMatch", "MatchStatus"]


class CardIndex:
    """A catalogue ready for matching and searching; it never changes once made, so share it freely."""

    def __init__(self, printings: Iterable[IndexedPrinting]) -> None:
        self._tables = LookupTables(printings)
        self._finder = FuzzyFinder(self._tables)
        self._matcher = LineMatcher(self._tables, self._finder)

    def resolve(self, line: DeckLine) -> LineMatch:
        """What a line of a parsed deck names; never raises and never guesses.

        Lines that cannot be a card give the status `not-a-card`; a heading that is also the name of a
        card is `ambiguous`. Only `exact` and `normalised` name a card.
        """
        return self._matcher.match(line)

    def search(self, text: str, limit: int = 10) -> tuple[CardSuggestion, ...]:
        """Cards for what has been typed so far, best first, each card once; at most `limit`."""
        return self._finder.search(text, limit)


_DRIFT = 82

"""Set and number settle a line whose name is at least this near to the printed one."""


@dataclass(frozen=True, slots=True)
class CardQuery:
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
    """Finds the card that a query names. What a query states is never let fall to find one."""

    def __init__(self, tables: LookupTables) -> None:
        self._tables = tables

    def find(self, query: CardQuery) -> LineMatch:
        """One card, a question, a conflict, or `unknown`; suggestions only from among what fits in part."""
        if query.set_code and query.number:
            return self._by_code(query)
        return self._by_name(query) if query.name else self._by_number(query)

    def settle(self, places: Sequence[int], status: MatchStatus, how: str, query: CardQuery) -> LineMatch:
        """One card is the match; several are a question."""
        tables = self._tables
        cards = tables.cards(places)
        if len(cards) > 1:
            note = f"'{query.name or query.where}' fits {len(cards)} cards; write set and number as well."
            return LineMatch("ambiguous", how=how, note=note, suggestions=tables.suggestions(places, 100))
        printing = tables.printings[places[0]]
        key = printing.key if len(places) == 1 else None
        return LineMatch(status, cards[0], key, format_name(printing), how, "certain")

    def _by_code(self, query: CardQuery) -> LineMatch:
        number = query.number or ""
        places = self._tables.by_code.get((set_key(query.set_code or ""), number_key(number)), [])
        places = [place for place in places if self._tables.fits_size(place, number)]
        if not places:
            return self._nowhere(query)
        named = [place for place in places if not query.name or self._is_named(place, query)]
        if named:
            places_of_variant = self._of_variant(named, query)
            return self.settle(places_of_variant, self._degree(named, query), "by set and number", query)
        return self._contradicted(places, query)

    def _nowhere(self, query: CardQuery) -> LineMatch:
        """Set and number that no one knows: the name alone is never taken instead, only suggested."""
        places = self._tables.by_fold.get(fold(query.name), []) if query.name else []
        note = f"No card with the number {query.where} is known."
        status: MatchStatus = "fuzzy-suggestions" if places else "unknown"
        return LineMatch(status, note=note, suggestions=self._tables.suggestions(places, 90))

    def _contradicted(self, places: list[int], query: CardQuery) -> LineMatch:
        """Set and number say one card, and the name says another, or nearly the same."""
        tables = self._tables
        printing = tables.printings[places[0]]
        elsewhere = tables.by_fold.get(fold(query.name), [])
        if not elsewhere and self._is_near(places, query):
            note = f"The name was read as '{format_name(printing)}', because {query.where} says so."
            resolution = self.settle(places, "normalised", "by set and number", query)
            return replace(resolution, sure="likely", note=note)
        note = f"{query.where} is '{format_name(printing)}', not '{query.name}'; put one of them right."
        both = (*tables.suggestions(places, 100), *tables.suggestions(elsewhere, 90))
        return LineMatch("conflict", how="by set and number", note=note, suggestions=both)

    def _is_near(self, places: Sequence[int], query: CardQuery) -> bool:
        tables = self._tables
        printed = split_dots(tables.printings[places[0]].name).name
        near = fuzz.ratio(spaced_fold(query.name), spaced_fold(printed)) >= _DRIFT
        ranked = query.dots is None or query.dots in tables.ranks[places[0]]
        return near and ranked and len(tables.cards(places)) == 1

    def _is_named(self, place: int, query: CardQuery) -> bool:
        known = place in self._tables.by_fold.get(fold(query.name), ())
        return known and (query.dots is None or query.dots in self._tables.ranks[place])

    def _of_variant(self, places: list[int], query: CardQuery) -> list[int]:
        variant = (query.variant or "").casefold()
        return [place for place in places if variant and self._variant(place) == variant] or places

    def _variant(self, place: int) -> str:
        return (self._tables.printings[place].variant or "").casefold()

    def _degree(self, places: Sequence[int], query: CardQuery) -> MatchStatus:
        exact = set(self._tables.by_exact.get(exact_key(query.name), ()))
        return "exact" if not query.name or not exact.isdisjoint(places) else "normalised"

    def _by_number(self, query: CardQuery) -> LineMatch:
        """A collector number without set and name names a card only where a single one has it."""
        places = self._tables.by_number.get(number_key(query.number or ""), []) if query.number else []
        places = [place for place in places if self._tables.fits_size(place, query.number or "")]
        if not places:
            return LineMatch("unknown", note="The line names no card that is known.")
        return self.settle(places, "exact", "by number", query)

    def _by_name(self, query: CardQuery) -> LineMatch:
        tables = self._tables
        exact = tables.by_exact.get(exact_key(query.name), [])
        places = exact or tables.by_fold.get(fold(query.name), [])
        if not places:
            return LineMatch("unknown", note=f"No card named '{query.name}' is known.")
        fitting_places, missing = self._narrow(places, query)
        if not fitting_places:
            return LineMatch("fuzzy-suggestions", note=missing, suggestions=tables.suggestions(places, 90))
        if (
            query.dots is None
            and not query.number
            and any(0 not in tables.ranks[place] for place in fitting_places)
        ):
            return self._which_version(fitting_places, query)
        return self.settle(
            self._of_variant(fitting_places, query), "exact" if exact else "normalised", _how(query), query
        )

    def _narrow(self, places: Sequence[int], query: CardQuery) -> tuple[list[int], str]:
        """Keep what fits the rank, set and number of the line, or tell which of them fits nothing."""
        fitting_places = list(places)
        for fits, missing in self._conditions(query):
            fitting_places = [place for place in fitting_places if fits(place)]
            if not fitting_places:
                return [], missing
        return fitting_places, ""

    def _conditions(self, query: CardQuery) -> list[tuple[Callable[[int], bool], str]]:
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

    def _which_version(self, places: Sequence[int], query: CardQuery) -> LineMatch:
        note = f"'{query.name}' is a character with rank dots; write which version is meant."
        return LineMatch(
            "ambiguous", how="by name", note=note, suggestions=self._tables.suggestions(places, 100)
        )


def _how(query: CardQuery) -> str:
    stated = [("rank dots", query.dots), ("set", query.set_code), ("number", query.number)]
    return "by " + " and ".join(["name", *(word for word, value in stated if value)])


NOT_A_CARD = LineMatch("not-a-card")


class LineMatcher:
    """Finds the card that a line names, by the tables of one catalogue."""

    def __init__(self, tables: LookupTables, finder: FuzzyFinder) -> None:
        self._tables = tables
        self._finder = finder
        self._namer = NameResolver(tables)

    def match(self, line: DeckLine) -> LineMatch:
        """The match of a card line; for a heading, whether it may be a card; else `not-a-card`."""
        if line.kind == "section":
            return self._heading(line)
        if line.kind == "problem" and line.name:
            return self._with_suggestions(LineMatch("unknown"), line.name)
        if line.kind != "card":
            return NOT_A_CARD
        return (self._by_id(line) if line.card_id else None) or self._by_readings(line)

    def _heading(self, line: DeckLine) -> LineMatch:
        """A heading that is also the name of a card is asked about, unless it is surely a heading."""
        places = self._tables.by_exact.get(exact_key(line.name), []) if line.name else []
        is_bare = line.text.strip() == line.written.strip() == line.name
        differs = any(notice.code == "heading_count_differs" for notice in line.notices)
        if not places or not (is_bare or differs):
            return NOT_A_CARD
        copies = line.announced or 1
        note = f"This is read as a heading, but a card has that name; write '{copies}x {line.name}' for it."
        return LineMatch("ambiguous", note=note, suggestions=self._tables.suggestions(places, 100))

    def _by_id(self, line: DeckLine) -> LineMatch | None:
        key = id_key(line.card_id or "")
        tables = self._tables
        if places := tables.by_id.get(key) or tables.by_card.get(key):
            return self._identified(line, places)
        if key in tables.hidden_ids:
            return LineMatch(
                "unknown", note="The identifier is that of a part of the game that is no deck card."
            )
        if not line.name or key == id_key(line.written) or not self._is_telling(key):
            return None
        by_name = self._by_readings(replace(line, card_id=None))
        note = "The identifier in the file is not known here."
        return LineMatch("unknown", note=note, suggestions=self._as_suggestions(by_name))

    def _is_telling(self, key: str) -> bool:
        """Whether an identifier that is not known says that the card is not: its kind is known for other
        cards.

        Keys of another program's own making say nothing here, because no two programs share them.
        """
        kind = id_kind(key)
        return kind != "own" and kind in self._tables.id_kinds

    def _identified(self, line: DeckLine, places: Sequence[int]) -> LineMatch:
        tables = self._tables
        printing = tables.printings[places[0]]
        if len(tables.cards(places)) > 1:
            note = "The identifier belongs to several cards."
            return LineMatch(
                "ambiguous", how="by identifier", note=note, suggestions=tables.suggestions(places, 100)
            )
        name = format_name(printing)
        note = "" if self._agrees(line, places) else _drifted(line, name)
        key = printing.key if len(places) == 1 else None
        return LineMatch("exact", printing.card_key, key, name, "by identifier", "certain", note)

    def _agrees(self, line: DeckLine, places: Sequence[int]) -> bool:
        """Whether the name beside an identifier is a name of that card."""
        if not line.name or id_key(line.card_id or "") == id_key(line.written):
            return True
        tables = self._tables
        known = {*tables.by_fold.get(fold(line.name), ()), *tables.by_fold.get(fold(line.written), ())}
        ranked = line.dots is None or any(line.dots in tables.ranks[place] | {0} for place in places)
        return ranked and not known.isdisjoint(places)

    def _by_readings(self, line: DeckLine) -> LineMatch:
        """Try the words as they stand, then taken apart, then the other readings with the same quantity."""
        first = CardQuery(line.name, line.dots, line.set_code, line.collector_number, _variant(line))
        match = self._literal(line) or self._namer.find(first)
        others = (other for other in line.alternatives if other.qty == line.qty)
        while not match.found and (other := next(others, None)):
            match = self._better(match, other, line)
        match = self._or_other_quantity(self._without_id(match, line), line)
        if match.found or match.suggestions:
            return match
        return self._with_suggestions(match, first.name)

    def _literal(self, line: DeckLine) -> LineMatch | None:
        """The words exactly as written, marks and all, are the name of a card: `M.I.A.`, `Kaede (OM)`."""
        if not line.written or line.written == line.name:
            return None
        places = self._tables.by_exact.get(exact_key(line.written), [])
        written = exact_key(line.written)
        whole = [place for place in places if exact_key(self._tables.printings[place].name) == written]
        return self._namer.settle(whole, "exact", "by name", CardQuery(line.written)) if whole else None

    def _better(self, match: LineMatch, other: AlternativeReading, line: DeckLine) -> LineMatch:
        """The match of another reading, where it tells more than what was found so far."""
        query = CardQuery(other.name, other.dots, other.set_code, other.collector_number, _variant(line))
        second = self._namer.find(query)
        if second.found:
            note = f"Read with {other.why}. {second.note}".strip()
            return replace(second, status="normalised", sure="likely", note=note)
        return second if match.status == "unknown" and second.status != "unknown" else match

    def _without_id(self, match: LineMatch, line: DeckLine) -> LineMatch:
        if line.card_id and match.found and id_key(line.card_id) != id_key(line.written):
            note = "No identifiers of this kind are known here, so the name was followed."
            return replace(match, sure="likely", note=f"{match.note} {note}".strip())
        return match

    def _or_other_quantity(self, match: LineMatch, line: DeckLine) -> LineMatch:
        """A number that may belong to the name (`7 Iron`) is asked about where a card has that name."""
        for other in line.alternatives:
            places = self._exactly(other) if other.qty != line.qty else []
            if not places or match.card_key in self._tables.cards(places):
                continue
            label = self._tables.label(places[0])
            note = f"The number may belong to the name; write '1 {label}' if that card is meant."
            also = self._tables.suggestions(places, 100)
            rest = tuple(one for one in self._as_suggestions(match) if one not in also)
            return LineMatch("ambiguous", note=note, suggestions=(*also, *rest))
        return match

    def _exactly(self, other: AlternativeReading) -> list[int]:
        places = self._tables.by_exact.get(exact_key(other.name), [])
        return [place for place in places if other.dots is None or other.dots in self._tables.ranks[place]]

    def _as_suggestions(self, match: LineMatch) -> tuple[CardSuggestion, ...]:
        """What was found, or what it suggests, as suggestions: for a line that is asked about after all."""
        if not match.card_key:
            return match.suggestions
        return self._tables.suggestions(self._tables.by_card[id_key(match.card_key)], 100)

    def _with_suggestions(self, match: LineMatch, name: str) -> LineMatch:
        suggestions = self._finder.near(split_dots(name).name)
        if suggestions and match.status == "unknown":
            return replace(match, status="fuzzy-suggestions", suggestions=suggestions)
        return replace(match, suggestions=suggestions)


def _variant(line: DeckLine) -> str | None:
    """The variant of a line, or how its copy is finished, for choosing among printings of one card."""
    return line.variant or next(("foil" for mark in line.ignored if is_finish(mark)), None)


def _drifted(line: DeckLine, name: str) -> str:
    written = line.written or line.name
    return (
        f"The file writes '{written}', but its identifier is that of '{name}'; the identifier was followed."
    )
