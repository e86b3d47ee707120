"""Cards offered while a line is typed, with what a format says of each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext

import rules
from decks.catalogue.selectors import get_ready_catalogue
from decks.matching.added_cards import AddedCardRecord
from decks.matching.catalogue import CatalogueCard, format_place
from decks.matching.model import is_added_card
from decks.shared.json_shapes import Published
from rules import CardFacts, Deck, Entry, Format

LEAST_LETTERS = 3
MOST_OFFERED = 8
LONGEST_QUERY = 80


@dataclass(frozen=True, slots=True)
class OfferedCard(Published):
    """A card to take.

    Holds what to write for it, where it is, and whether the format lets it in. `most` is how many copies the
    format allows; None if it names no number.
    """

    key: str
    label: str
    type: str
    place: str
    is_banned: bool
    most: int | None

    PUBLISHED = ("key", "label", "type", "place", "is_banned", "most", "says")

    @property
    def says(self) -> str:
        """A note to read before the card is added."""
        if self.is_banned:
            return gettext("banned")
        added_words = gettext("Added by the organizer") if is_added_card(self.key) else ""
        return " · ".join(filter(None, (self.type, self.place, added_words)))


def offer_cards(format: Format, search_text: str, cards: Sequence[AddedCardRecord] = ()) -> list[OfferedCard]:
    """Return the cards that start with, contain or resemble the search text.

    None are offered until it has three letters. `cards` are those that an organizer added.
    """
    query = search_text.strip()[:LONGEST_QUERY]
    if len(query) < LEAST_LETTERS:
        return []
    catalogue = get_ready_catalogue(format.game.key)[0].with_added(cards)
    most = _most_copies(format)
    hits = [catalogue.cards[hit.card_key] for hit in catalogue.index.search(query, MOST_OFFERED)]
    return [_offer(card, format, most) for card in hits if card.is_deck_card]


def _offer(card: CatalogueCard, format: Format, most: int | None) -> OfferedCard:
    places = [place for facts in card.printings.values() if (place := format_place(facts))]
    facts = CardFacts(card.key, card.name, card.facts(None))
    kind = str(facts.attributes.get("type", ""))
    return OfferedCard(
        card.key, card.label, kind, places[0] if places else "", _is_banned(facts, format), most
    )


def _is_banned(facts: CardFacts, format: Format) -> bool:
    verdict = rules.check_deck(Deck(format.game.key, (Entry(facts, 1),)), format)
    return any(finding.code == "banned-card" for finding in verdict.findings)


def _most_copies(format: Format) -> int | None:
    limits = (rule.params.get("max") for rule in format.rules if rule.check == "copies")
    return next((most for most in limits if type(most) is int), None)
