"""One line to one card: what is certain is taken, what can mean two things is asked, nothing is guessed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from decks.importers.model import Line, Reading
from decks.importers.names import exact_key, fold, split_dots
from decks.importers.tags import is_finish
from decks.matching.fuzzy import Finder
from decks.matching.model import Match, Suggestion
from decks.matching.naming import Namer, Query
from decks.matching.tables import Tables, id_key, id_kind, shown_name

NOT_A_CARD = Match("not-a-card")


class Matcher:
    """Finds the card that a line names, by the tables of one catalogue."""

    def __init__(self, tables: Tables, finder: Finder) -> None:
        self._tables = tables
        self._finder = finder
        self._namer = Namer(tables)

    def match(self, line: Line) -> Match:
        """The match of a card line; for a heading, whether it may be a card; else `not-a-card`."""
        if line.kind == "section":
            return self._heading(line)
        if line.kind == "problem" and line.name:
            return self._with_suggestions(Match("unknown"), line.name)
        if line.kind != "card":
            return NOT_A_CARD
        return (self._by_id(line) if line.card_id else None) or self._by_readings(line)

    def _heading(self, line: Line) -> Match:
        """A heading that is also the name of a card is asked about, unless it is surely a heading."""
        places = self._tables.by_exact.get(exact_key(line.name), []) if line.name else []
        is_bare = line.text.strip() == line.written.strip() == line.name
        differs = any(notice.code == "heading_count_differs" for notice in line.notices)
        if not places or not (is_bare or differs):
            return NOT_A_CARD
        copies = line.announced or 1
        note = f"This is read as a heading, but a card has that name; write '{copies}x {line.name}' for it."
        return Match("ambiguous", note=note, suggestions=self._tables.suggestions(places, 100))

    def _by_id(self, line: Line) -> Match | None:
        key = id_key(line.card_id or "")
        tables = self._tables
        if places := tables.by_id.get(key) or tables.by_card.get(key):
            return self._identified(line, places)
        if key in tables.hidden_ids:
            return Match("unknown", note="The identifier is that of a part of the game that is no deck card.")
        if not line.name or key == id_key(line.written) or not self._is_telling(key):
            return None
        by_name = self._by_readings(replace(line, card_id=None))
        note = "The identifier in the file is not known here."
        return Match("unknown", note=note, suggestions=self._as_suggestions(by_name))

    def _is_telling(self, key: str) -> bool:
        """Whether an identifier that is not known says that the card is not: its kind is known for other
        cards.

        Keys of another program's own making say nothing here, because no two programs share them.
        """
        kind = id_kind(key)
        return kind != "own" and kind in self._tables.id_kinds

    def _identified(self, line: Line, places: Sequence[int]) -> Match:
        tables = self._tables
        printing = tables.printings[places[0]]
        if len(tables.cards(places)) > 1:
            note = "The identifier belongs to several cards."
            return Match(
                "ambiguous", how="by identifier", note=note, suggestions=tables.suggestions(places, 100)
            )
        name = shown_name(printing)
        note = "" if self._agrees(line, places) else _drifted(line, name)
        key = printing.key if len(places) == 1 else None
        return Match("exact", printing.card_key, key, name, "by identifier", "certain", note)

    def _agrees(self, line: Line, places: Sequence[int]) -> bool:
        """Whether the name beside an identifier is a name of that card."""
        if not line.name or id_key(line.card_id or "") == id_key(line.written):
            return True
        tables = self._tables
        known = {*tables.by_fold.get(fold(line.name), ()), *tables.by_fold.get(fold(line.written), ())}
        ranked = line.dots is None or any(line.dots in tables.ranks[place] | {0} for place in places)
        return ranked and not known.isdisjoint(places)

    def _by_readings(self, line: Line) -> Match:
        """Try the words as they stand, then taken apart, then the other readings with the same quantity."""
        first = Query(line.name, line.dots, line.set_code, line.collector_number, _variant(line))
        match = self._literal(line) or self._namer.find(first)
        others = (other for other in line.alternatives if other.qty == line.qty)
        while not match.found and (other := next(others, None)):
            match = self._better(match, other, line)
        match = self._or_other_quantity(self._without_id(match, line), line)
        if match.found or match.suggestions:
            return match
        return self._with_suggestions(match, first.name)

    def _literal(self, line: Line) -> Match | None:
        """The words exactly as written, marks and all, are the name of a card: `M.I.A.`, `Kaede (OM)`."""
        if not line.written or line.written == line.name:
            return None
        places = self._tables.by_exact.get(exact_key(line.written), [])
        written = exact_key(line.written)
        whole = [place for place in places if exact_key(self._tables.printings[place].name) == written]
        return self._namer.settle(whole, "exact", "by name", Query(line.written)) if whole else None

    def _better(self, match: Match, other: Reading, line: Line) -> Match:
        """The match of another reading, where it tells more than what was found so far."""
        query = Query(other.name, other.dots, other.set_code, other.collector_number, _variant(line))
        second = self._namer.find(query)
        if second.found:
            note = f"Read with {other.why}. {second.note}".strip()
            return replace(second, status="normalised", sure="likely", note=note)
        return second if match.status == "unknown" and second.status != "unknown" else match

    def _without_id(self, match: Match, line: Line) -> Match:
        if line.card_id and match.found and id_key(line.card_id) != id_key(line.written):
            note = "No identifiers of this kind are known here, so the name was followed."
            return replace(match, sure="likely", note=f"{match.note} {note}".strip())
        return match

    def _or_other_quantity(self, match: Match, line: Line) -> Match:
        """A number that may belong to the name (`7 Iron`) is asked about where a card has that name."""
        for other in line.alternatives:
            places = self._exactly(other) if other.qty != line.qty else []
            if not places or match.card_key in self._tables.cards(places):
                continue
            label = self._tables.label(places[0])
            note = f"The number may belong to the name; write '1 {label}' if that card is meant."
            also = self._tables.suggestions(places, 100)
            rest = tuple(one for one in self._as_suggestions(match) if one not in also)
            return Match("ambiguous", note=note, suggestions=(*also, *rest))
        return match

    def _exactly(self, other: Reading) -> list[int]:
        places = self._tables.by_exact.get(exact_key(other.name), [])
        return [place for place in places if other.dots is None or other.dots in self._tables.ranks[place]]

    def _as_suggestions(self, match: Match) -> tuple[Suggestion, ...]:
        """What was found, or what it suggests, as suggestions: for a line that is asked about after all."""
        if not match.card_key:
            return match.suggestions
        return self._tables.suggestions(self._tables.by_card[id_key(match.card_key)], 100)

    def _with_suggestions(self, match: Match, name: str) -> Match:
        suggestions = self._finder.near(split_dots(name).name)
        if suggestions and match.status == "unknown":
            return replace(match, status="fuzzy-suggestions", suggestions=suggestions)
        return replace(match, suggestions=suggestions)


def _variant(line: Line) -> str | None:
    """The variant of a line, or how its copy is finished, for choosing among printings of one card."""
    return line.variant or next(("foil" for mark in line.ignored if is_finish(mark)), None)


def _drifted(line: Line, name: str) -> str:
    written = line.written or line.name
    return (
        f"The file writes '{written}', but its identifier is that of '{name}'; the identifier was followed."
    )
