"""Add, change and remove cards of one event that no catalogue knows."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from difflib import get_close_matches

import rules
from decks.catalogue.importing.records import (
    LARGEST_NUMBER,
    LONGEST_KEY,
    PLACE_FACTS,
    CardRecord,
    make_key,
    make_slug,
    read_record,
)
from decks.catalogue.selectors import get_catalogue
from decks.importers.model import DeckLine
from decks.matching.model import ADDED_CARD_PREFIX
from decks.shared.refusals import Refused, refuse_all
from decks.shared.rows import find_row
from rules.cards import Fact
from rules.catalogue_files.records import CatalogueRecord
from rules.reason import reason
from rules.rendering import translate_text
from tournament.access.permissions import Actor
from tournament.decklists.models import AddedCard
from tournament.events.models.event import Event
from tournament.log.step import step

MOST_ADDED_CARDS = 300
LONGEST_FACT = 400


def add_card(event: Event, actor: Actor, facts: Mapping[str, object]) -> AddedCard:
    """Add a card for one event; its decklists are checked again.

    `facts` are those that the game declares, with name, set and number. Raises Refused for a name that the
    catalogue or the event has, and for facts that the game does not declare or that have other values.
    """
    columns = _read_columns(event, facts)
    with step(event, actor) as recorder:
        _refuse_second_card(recorder.event, str(columns["key"]), str(columns["name"]))
        if recorder.event.added_cards.count() >= MOST_ADDED_CARDS:
            raise Refused("too_many_added_cards", most=MOST_ADDED_CARDS)
        card = recorder.create(AddedCard(event=recorder.event, **columns))
        recorder.log("card_added", card=card.name)
    return card


def change_card(card: AddedCard, actor: Actor, facts: Mapping[str, object]) -> AddedCard:
    """Change what is known of an added card. Raises Refused as `add_card` does."""
    columns = _read_columns(card.event, facts)
    with step(card.event, actor) as recorder:
        if columns["key"] != card.key:
            _refuse_second_card(recorder.event, str(columns["key"]), str(columns["name"]))
        if recorder.update(card, **columns):
            recorder.log("card_changed", card=card.name)
    return card


def remove_card(card: AddedCard, actor: Actor) -> None:
    """Remove an added card and check its decklists again.

    Does nothing if the card is gone.
    """
    with step(card.event, actor) as recorder:
        current_card = find_row(AddedCard.objects.filter(pk=card.pk))
        if current_card is not None:
            recorder.delete(current_card)
            recorder.log("card_removed", card=current_card.name)


def _read_columns(event: Event, facts: Mapping[str, object]) -> dict[str, object]:
    refuse_all(list(_find_wrong_facts(event.game, facts)))
    card_record = read_record(event.game, CatalogueRecord(reason("catalogue_place.file"), None, dict(facts)))
    if not isinstance(card_record, CardRecord):
        refuse_all([Refused.of(problem.reason, section="reason") for problem in card_record])
        raise TypeError("A record without a card has a problem.")
    _refuse_known_name(event.game, card_record)
    key = make_key(
        card_record.set_code,
        card_record.number,
        card_record.name,
        card_record.card_facts,
        card_record.variant,
    )
    return {
        "key": f"{ADDED_CARD_PREFIX}{key}-{make_slug(card_record.name)}"[:LONGEST_KEY],
        "name": card_record.name,
        "set_code": card_record.set_code,
        "number": card_record.number_as_printed,
        "facts": {**card_record.card_facts, **card_record.printing_facts},
    }


def _find_wrong_facts(game: str, facts: Mapping[str, object]) -> Iterator[Refused]:
    declared_facts = rules.get_game(game).cards.facts
    for key, value in facts.items():
        fact = declared_facts.get(key)
        if fact is None and key not in PLACE_FACTS:
            nearest = next(iter(get_close_matches(key, declared_facts, n=1)), None)
            yield Refused("fact_unknown", field="facts", fact=key[:40], nearest=nearest)
        elif fact is not None and not _is_value_of(fact, value):
            label = translate_text(rules.get_game(game).cards.label(key))
            text = json.dumps(value, ensure_ascii=False)[:40]
            yield Refused("fact_unreadable", field="facts", value=text, fact=label, kind=fact.kind)


def _is_value_of(fact: Fact, value: object) -> bool:
    """Return whether the value is one that the fact can have."""
    if isinstance(value, str):
        return fact.kind in ("text", "term", "table") and len(value) <= LONGEST_FACT
    if isinstance(value, bool):
        return fact.kind == "yes_no"
    if isinstance(value, int):
        return fact.kind in ("whole", "term", "table") and abs(value) <= LARGEST_NUMBER
    if isinstance(value, list):
        return fact.kind in ("words", "term") and all(isinstance(word, str) for word in value)
    return isinstance(value, dict) and fact.kind == "table"


def _refuse_known_name(game: str, card_record: CardRecord) -> None:
    """Raise Refused where a line with the name would find a card of the catalogue."""
    dots = card_record.card_facts.get("dots")
    known_dots = dots if isinstance(dots, int) and dots else None
    line = DeckLine(
        1,
        card_record.name,
        "card",
        qty=1,
        name=card_record.name,
        dots=known_dots,
        written_text=card_record.name,
    )
    catalogue = get_catalogue(game)
    known_keys = catalogue.index.resolve(line).meant_keys
    if known_keys:
        label = catalogue.cards[known_keys[0]].label
        raise Refused("card_in_catalogue", field="name", card=card_record.name, label=label)


def _refuse_second_card(event: Event, key: str, name: str) -> None:
    if event.added_cards.filter(key=key).exists():
        raise Refused("card_added_already", field="name", card=name)
