"""Cards as people look them up: search as one types, and what is known and ruled about one card."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date

import rules
from decks.cards.selectors.facts import Fact, facts_of
from decks.cards.selectors.history import Said, history
from decks.catalogue.models.cards import Card, Printing
from decks.catalogue.selectors.catalogue import Catalogue, catalogue, place_of
from decks.editions.selectors.editions import formats_on
from rules import CardFacts, Deck, Entry, Format

LIMIT = 30
BAN_CODES = {"banned-card": "illegal", "ban-unknown": "unknown"}
STANDING_WORDS = {"legal": "Allowed", "illegal": "Banned", "unknown": "Cannot be checked"}


@dataclass(frozen=True, slots=True)
class Found:
    """One answer of a search: a card with the facts that tell it from others; `score` runs to 100."""

    game: str
    game_name: str
    key: str
    label: str
    type: str
    places: tuple[str, ...]
    score: int


@dataclass(frozen=True, slots=True)
class Standing:
    """Whether one format, under one version of the rules, lets a card be played on a day."""

    format_name: str
    version: str
    outcome: str
    words: str
    sentence: str = ""
    clause: str = ""
    document: str = ""


@dataclass(frozen=True)
class CardPage:
    """A card, its printings, every known fact, what lists say of it, where it may be played on the day."""

    card: Card
    game: rules.Game
    printings: tuple[Printing, ...]
    facts: tuple[Fact, ...]
    standings: tuple[Standing, ...]
    history: tuple[Said, ...]
    day: date

    @property
    def ruled(self) -> tuple[Said, ...]:
        """What the lists in force on the day say."""
        return tuple(said for said in self.history if said.holds(self.day) and not said.is_over)


def search_cards(text: str, *, game: str | None = None, limit: int = LIMIT) -> tuple[Found, ...]:
    """Cards for what was typed so far, best first: names with slips, rank dots, set and number."""
    if not text.strip():
        return ()
    games = [each for each in rules.games() if game in (None, each.key)]
    found = [hit for each in games for hit in _in_game(catalogue(each.key), each, text, limit)]
    return tuple(sorted(found, key=lambda hit: -hit.score)[:limit])


def _in_game(known: Catalogue, game: rules.Game, text: str, limit: int) -> Iterator[Found]:
    for hit in known.index.search(text, limit):
        card = known.cards[hit.card_key]
        places = tuple(place for facts in card.printings.values() if (place := place_of(facts)))
        kind = str(card.facts(None).get("type", ""))
        yield Found(game.key, game.name, card.key, card.label, kind, places, hit.score)


def card_page(game: str, key: str, day: date) -> CardPage:
    """Everything about one card on a day. Raises `Card.DoesNotExist`."""
    card = Card.objects.get(game=game, key=key)
    printings = tuple(card.printings.select_related("card_set"))
    found = next(each for each in rules.games() if each.key == game)
    facts = catalogue(game).card_facts(key) or CardFacts(key, card.name)
    return CardPage(
        card=card,
        game=found,
        printings=printings,
        facts=facts_of(game, facts.attributes or card.attributes),
        standings=tuple(_standing(form, facts) for form in formats_on(found, day)),
        history=history(found, facts),
        day=day,
    )


def _standing(form: Format, facts: CardFacts) -> Standing:
    """One copy is judged in every zone; only what lists say of the card counts, not the rest of a deck."""
    zones = {zone: (Entry(facts, 1),) for zone in form.game.zones if zone in ("main", "sideboard", "pregame")}
    verdict = rules.check_deck(Deck(form.game.key, **{"main": (), **zones}), form)
    said = [finding for finding in verdict.findings if finding.code in BAN_CODES]
    outcome = BAN_CODES[said[0].code] if said else "legal"
    told = (said[0].message, said[0].clause, said[0].document) if said else ("", "", form.document)
    return Standing(form.name, form.version, outcome, STANDING_WORDS[outcome], *told)
