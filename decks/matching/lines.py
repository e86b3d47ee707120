"""Matching of deck lines to cards of a catalogue.

What a line says of its card is compared with the tables. Pure and without a search for similar names, so that
the command line of the rules can use it as well.
"""

from __future__ import annotations

from collections.abc import Callable
from copy import copy
from dataclasses import replace

from decks.importers.model import AlternativeReading, DeckLine
from decks.importers.names import exact_key, split_dots
from decks.importers.tags import is_finish
from decks.matching.identifiers import IdentifierMatcher
from decks.matching.labels import Labeller
from decks.matching.lookup import LookupTables, id_key
from decks.matching.model import CardSuggestion, LineMatch, SearchBudget
from decks.matching.naming import CardNameQuery, NameResolver
from rules.reason import Param, Reason, reason

_MAYBE_A_CARD = {"heading_count_differs", "heading_unknown", "title_assumed"}
"""The note about a heading or title that can also be a card."""

NOT_A_CARD = LineMatch("not-a-card")


FindSimilar = Callable[[str], tuple[CardSuggestion, ...]]


class LineMatcher:
    """Finds the card that a line names, by the tables of one catalogue.

    `find_similar` gives suggestions for a name that no card has; without it there are none.
    """

    def __init__(self, tables: LookupTables, find_similar: FindSimilar | None = None) -> None:
        self._tables = tables
        self._find_similar = find_similar
        self._namer = NameResolver(tables)
        self._identifiers = IdentifierMatcher(tables, self._by_readings)

    def resolve(self, line: DeckLine, budget: SearchBudget | None = None) -> LineMatch:
        """Return the match of a line.

        A card line gets the match of its card. A heading gets whether it may be a card. Any other line gets
        `not-a-card`.
        """
        budget = budget or SearchBudget()
        if line.kind == "section" or (line.kind == "comment" and line.name):
            return self._match_heading(line)
        if line.kind == "problem" and line.name:
            return self._with_suggestions(LineMatch("unknown"), line.name, budget)
        if line.kind != "card":
            return NOT_A_CARD
        by_id = self._identifiers.match(line, budget) if line.card_id else None
        if by_id:
            return self._namer.hold_sets(by_id, self._tables.find_stated_sets(line.ignored_marks))
        return self._by_readings(line, budget)

    def states_set(self, mark: str) -> bool:
        """Return whether words beside a name state a set."""
        return bool(self._tables.find_stated_sets((mark,)))

    def _match_heading(self, line: DeckLine) -> LineMatch:
        """Ask about a heading or title that is also the name of a card.

        It does not ask if the line is surely no card.
        """
        places = self._tables.by_exact.get(exact_key(line.name), []) if line.name else []
        is_bare = line.text.strip() == line.written_text.strip() == line.name
        if not places or not (is_bare or _MAYBE_A_CARD & {notice.code for notice in line.notices}):
            return NOT_A_CARD
        code = "heading_is_a_name.title" if line.kind == "comment" else "heading_is_a_name"
        why = Reason(code, {"qty": line.announced_count or 1, "name": line.name})
        return LineMatch("ambiguous", reasons=(why,), suggestions=self._tables.suggestions(places, 100))

    def _by_readings(self, line: DeckLine, budget: SearchBudget) -> LineMatch:
        """Match the words as written, then split, then in other readings.

        The other readings have the same quantity.
        """
        literal = self._literal(line)
        stated_sets = () if literal else self._tables.find_stated_sets(line.ignored_marks)
        code = line.set_code or next(iter(stated_sets), None)
        first = CardNameQuery(line.name, line.dots, code, line.collector_number, _variant(line))
        match = literal or self._namer.find(first)
        if not match.is_found and (owned_card := self._namer.find_owned(line.written_text)):
            match = owned_card
        others = (each for each in line.alternatives if self._may_hold(each, line))
        while not match.is_found and (other := next(others, None)):
            match = self._better(match, other, line)
        match = self._namer.hold_sets(match, stated_sets)
        match = self._or_other_quantity(self._without_id(match, line), line)
        if match.is_found or match.suggestions:
            return match
        return self._with_suggestions(match, first.name, budget)

    def _literal(self, line: DeckLine) -> LineMatch | None:
        """Return the match if the words exactly as written are the name of a card.

        This includes all marks: `M.I.A.`, `Kaede (OM)`.
        """
        if not line.written_text or line.written_text == line.name:
            return None
        places = self._tables.by_exact.get(exact_key(line.written_text), [])
        written_key = exact_key(line.written_text)
        whole = [place for place in places if written_key in map(exact_key, self._tables.whole_names(place))]
        return self._namer.settle(whole, "exact", "name", CardNameQuery(line.written_text)) if whole else None

    def _may_hold(self, other: AlternativeReading, line: DeckLine) -> bool:
        """Return whether a reading leaves the rest of the line as it is.

        Brackets have to hold a known set.
        """
        if _is_asked(other, line):
            return False
        return not other.is_marked or self._tables.find_set(other.set_code or "") in self._tables.by_set

    def _better(self, match: LineMatch, other: AlternativeReading, line: DeckLine) -> LineMatch:
        """Return the match of another reading if it tells more than the one so far."""
        query = CardNameQuery(other.name, other.dots, other.set_code, other.collector_number, _variant(line))
        second = self._namer.find(query)
        if second.sure == "certain" and other.is_marked:
            return second
        if second.is_found:
            reasons = (*((other.why,) if other.why else ()), *second.reasons)
            return replace(second, status="normalised", sure="likely", reasons=reasons)
        return second if match.status == "unknown" and second.status != "unknown" else match

    def _without_id(self, match: LineMatch, line: DeckLine) -> LineMatch:
        if line.card_id and match.is_found and id_key(line.card_id) != id_key(line.written_text):
            return replace(match, sure="likely", reasons=(*match.reasons, reason("no_such_identifiers")))
        return match

    def _or_other_quantity(self, match: LineMatch, line: DeckLine) -> LineMatch:
        """Ask about a number that may belong to the name (`7 Iron`).

        It asks only where a card has that name.
        """
        for other in line.alternatives:
            places = self._exactly(other) if _is_asked(other, line) else []
            if not places or (match.card_key in self._tables.cards(places) and not other.is_marked):
                continue
            label = self._tables.label(places[0])
            facts: dict[str, Param] = {"qty": line.qty if other.is_asked else 1, "label": label}
            why = Reason(_question_code(other), facts)
            also = self._tables.suggestions(places, 100)
            rest = tuple(one for one in self._tables.as_suggestions(match) if one not in also)
            may_be = tuple(dict.fromkeys((*self._tables.cards(places), *match.meant_keys)))
            copies = None if other.is_asked or other.qty == line.qty else other.qty
            return LineMatch(
                "ambiguous", reasons=(why,), suggestions=(*also, *rest), may_be=may_be, other_qty=copies
            )
        return match

    def _exactly(self, other: AlternativeReading) -> list[int]:
        if other.set_code:
            query = CardNameQuery(other.name, other.dots, other.set_code, other.collector_number)
            return self._tables.places_of(self._namer.find(query))
        places = self._tables.by_exact.get(exact_key(other.name), [])
        return [place for place in places if other.dots is None or other.dots in self._tables.ranks[place]]

    def _with_suggestions(self, match: LineMatch, name: str, budget: SearchBudget) -> LineMatch:
        if self._find_similar is None:
            return match
        if not budget.spend():
            return replace(match, status="not-searched", reasons=(*match.reasons, reason("not_searched")))
        suggestions = self._find_similar(split_dots(name).name)
        if suggestions and match.status == "unknown":
            return replace(match, status="fuzzy-suggestions", suggestions=suggestions)
        return replace(match, suggestions=suggestions)


def add_labels(tables: LookupTables) -> None:
    """Let the tables label what they suggest.

    Labels are tried with tables that suggest nothing, or each would need the labels of others.
    """
    tables.labeller = Labeller(tables.printings, LineMatcher(copy(tables)).resolve)


def _variant(line: DeckLine) -> str | None:
    """Return the variant of a line, or the finish of its copy.

    It is for choosing among printings of one card.
    """
    return line.variant or next(("foil" for mark in line.ignored_marks if is_finish(mark)), None)


def _is_asked(other: AlternativeReading, line: DeckLine) -> bool:
    """Return whether a reading would change more than the card.

    The number of copies, or the part of the deck.
    """
    return other.is_asked or other.qty != line.qty


def _question_code(other: AlternativeReading) -> str:
    if other.is_asked:
        return "other_reading.words_before_colon"
    return "other_reading.number_in_set" if other.is_marked else "other_reading.number_in_name"
