"""Judges lists as they were stored, under the editions and on the day that are asked for.

The cards are those that the lines became when the list was handed in: a list is not read anew, so that a name
that has since come into the catalogue cannot change what somebody submitted. What is known of each card is
taken from the catalogue of today.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from types import MappingProxyType
from typing import Any, NamedTuple

import rules
from decks.catalogue.selectors.catalogue import Catalogue
from decks.checking.deck import deck_of, with_cards
from decks.checking.result import CheckedLine
from rules import CardFacts, Deck, Edition, Entry, Format, Verdict


@dataclass(frozen=True, slots=True)
class Terms:
    """What a list is judged under: format, version of the rules (empty: the day's), day and local rules."""

    format_key: str
    rules_version: str
    on: date | None
    overlay: Mapping[str, Any] | None = None


class Stored(NamedTuple):
    """A submitted list as values. `open_lines` are those that were not understood, by their number."""

    entries: Sequence[Mapping[str, Any]]
    options: Mapping[str, Any]
    not_read: Sequence[Mapping[str, Any]] = ()
    open_lines: Mapping[int, CheckedLine] = MappingProxyType({})
    is_read: bool = True


class Judged(NamedTuple):
    """What a check comes to: a list with a line that was not understood is never legal."""

    outcome: str
    verdict: Verdict


class Judge:
    """Judges many lists of one game: facts and formats are worked out once and kept as long as the judge.

    `editions` are the lists made at run time, beside those that are shipped.
    """

    def __init__(self, known: Catalogue, editions: Iterable[Edition]) -> None:
        self.game = known.game
        self._known = known
        self._editions = tuple(editions)
        self._facts: dict[tuple[str, str | None], CardFacts] = {}
        self._formats: dict[tuple[Any, ...], Format] = {}
        self._by_content: dict[tuple[Any, ...], Format] = {}

    def format(self, terms: Terms) -> Format:
        """The format of these terms. Raises `rules.UnknownFormat` and `rules.BadOverlay`."""
        laid = json.dumps(terms.overlay, sort_keys=True, default=str) if terms.overlay else ""
        place = (terms.format_key, terms.rules_version, terms.on, laid)
        found = self._formats.get(place)
        if found is None:
            found = self._formats[place] = self._shared(self._load(terms), laid)
        return found

    def _load(self, terms: Terms) -> Format:
        return rules.load_format(
            self.game,
            terms.format_key,
            rules=terms.rules_version or None,
            on=terms.on,
            overlay=terms.overlay or None,
            editions=self._editions,
        )

    def _shared(self, loaded: Format, laid: str) -> Format:
        """One format for all days on which the same lists are in force, so that cards are named but once."""
        numbers = tuple((kind, edition.number) for kind, edition in loaded.editions.items())
        return self._by_content.setdefault((loaded.key, loaded.version, laid, numbers), loaded)

    def judge(self, stored: Stored, terms: Terms) -> Judged:
        """The verdict on a stored list. Raises `rules.UnknownFormat` and `rules.BadOverlay`."""
        verdict = rules.check_deck(self._deck(stored), self.format(terms))
        is_open = verdict.outcome == "legal" and not stored.is_read
        return Judged("unknown" if is_open else verdict.outcome, verdict)

    def _deck(self, stored: Stored) -> Deck:
        zones: dict[str, list[Entry]] = {}
        facts = self._facts
        for entry in stored.entries:
            place = (entry["card"], entry["printing"])
            card = facts.get(place) or self._card(place, entry, stored)
            zones.setdefault(entry["zone"], []).append(Entry(card, entry["qty"], entry["line"]))
        return deck_of(self.game, zones, with_cards(stored.options, self._known), stored.not_read)

    def _card(self, place: tuple[str, str | None], entry: Mapping[str, Any], stored: Stored) -> CardFacts:
        found = self._known.card_facts(*place) if place[0] else None
        if found is not None:
            self._facts[place] = found
            return found
        line = stored.open_lines.get(entry["line"])
        is_ambiguous = line is not None and line.status == "ambiguous"
        return CardFacts(entry["name"], entry["name"]) if is_ambiguous else CardFacts.missing(entry["name"])
