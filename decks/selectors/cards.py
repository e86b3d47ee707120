"""Cards as people look them up: search as one types, and what is known and ruled about one card."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date

import rules
from decks.models import Card, Printing
from decks.selectors.catalogue import Catalogue, catalogue, place_of
from rules import CardFacts, Deck, Edition, Entry, Format
from rules.names import normal

LIMIT = 30
BAN_CODES = {"banned-card": "illegal", "ban-unknown": "unknown"}
STANDING_WORDS = {"legal": "Allowed", "illegal": "Banned", "unknown": "Cannot be told"}


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


@dataclass(frozen=True, slots=True)
class Ruled:
    """What one entry of a dated list says of a card."""

    kind: str
    sentence: str
    clause: str
    source: str
    in_force: date | None


@dataclass(frozen=True)
class CardPage:
    """A card, its printings, every known fact, what lists say of it, where it may be played on the day."""

    card: Card
    game: rules.Game
    printings: tuple[Printing, ...]
    facts: Mapping[str, str]
    standings: tuple[Standing, ...]
    ruled: tuple[Ruled, ...]
    day: date


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
    formats = tuple(_formats(found, day))
    return CardPage(
        card=card,
        game=found,
        printings=printings,
        facts={
            name.replace("_", " "): in_words(value)
            for name, value in card.attributes.items()
            if (name, value) != ("dots", 0)
        },
        standings=tuple(_standing(form, facts) for form in formats),
        ruled=tuple(_ruled(formats, facts)),
        day=day,
    )


def in_words(value: object) -> str:
    """A stored fact for people."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        return ", ".join(in_words(part) for part in value)
    if isinstance(value, Mapping):
        return ", ".join(f"{name} {in_words(part)}" for name, part in value.items())
    return str(value)


def _formats(game: rules.Game, day: date) -> Iterator[Format]:
    for key in game.formats:
        try:
            yield rules.load_format(game.key, key, on=day)
        except rules.UnknownFormat:
            continue  # no version of the game was in force yet


def _standing(form: Format, facts: CardFacts) -> Standing:
    """One copy is judged in every zone; only what lists say of the card counts, not the rest of a deck."""
    zones = {zone: (Entry(facts, 1),) for zone in form.game.zones if zone in ("main", "sideboard", "pregame")}
    verdict = rules.check_deck(Deck(form.game.key, **{"main": (), **zones}), form)
    said = [finding for finding in verdict.findings if finding.code in BAN_CODES]
    outcome = BAN_CODES[said[0].code] if said else "legal"
    sentence = said[0].message if outcome == "unknown" else ""
    return Standing(form.name, form.version, outcome, STANDING_WORDS[outcome], sentence)


def _ruled(formats: tuple[Format, ...], facts: CardFacts) -> Iterator[Ruled]:
    """What each edition in force says of the card; editions that formats share are asked once."""
    asked: set[tuple[str, int]] = set()
    for form in formats:
        for kind, edition in form.lists.editions.items():
            if (kind, edition.number) in asked:
                continue
            asked.add((kind, edition.number))
            for entry, sentence in _entries(form, edition, facts):
                clause = str(entry.get("clause", edition.clause))
                yield Ruled(kind, sentence, clause, edition.document, edition.in_force)


def _entries(form: Format, edition: Edition, facts: CardFacts) -> Iterator[tuple[Mapping[str, object], str]]:
    if edition.kind == "identities":
        yield from _identities(edition, facts)
        return
    for entry, answer in form.lists.entries_of(edition.kind, facts):
        said = str(entry.get("says", "")) or ("Banned." if edition.kind == "bans" else "Listed.")
        perhaps = "" if answer == "yes" else "One version of this name: "
        yield entry, perhaps + said


def _identities(edition: Edition, facts: CardFacts) -> Iterator[tuple[Mapping[str, object], str]]:
    name = normal(facts.name)
    for entry in edition.entries:
        same = entry.get("same")
        if isinstance(same, list) and name in (normal(str(part)) for part in same):
            others = [str(part) for part in same if normal(str(part)) != name]
            yield entry, f"Counts as one card together with {', '.join(others)}."
        elif isinstance(entry.get("distinct"), list) and normal(str(entry.get("name", ""))) == name:
            places = " and ".join(place_of(part) for part in entry["distinct"] if isinstance(part, Mapping))
            yield entry, f"Two cards bear this name ({places}); each has its own limit of copies."
