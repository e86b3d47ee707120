"""Cards that the decklists of an event need and no catalogue has."""

from __future__ import annotations

from dataclasses import dataclass

from decks.catalogue.selectors import LoadedCatalogue, get_catalogue
from decks.importers.model import DeckLine
from decks.importers.pools import parse_list
from decks.matching.model import NOT_KNOWN, SearchBudget
from tournament.events.models.event import Event
from tournament.events.models.player import Player
from tournament.events.seats import list_owners

MOST_NEEDED = 100


@dataclass(slots=True)
class NeededCard:
    """A card by the name that lists have for it, and the players whose lists do."""

    name: str
    players: list[Player]


@dataclass(frozen=True, slots=True)
class NeedingLine:
    """A line of a list as written.

    `name` is set where it names a card that is not known.
    """

    text: str
    name: str = ""


@dataclass(frozen=True, slots=True)
class NeedingList:
    """The list beside the form: whose it is, and its lines."""

    player: Player
    lines: list[NeedingLine]


def find_needed_cards(event: Event) -> list[NeededCard]:
    """Return the cards that submitted lists name and no one has entered.

    The cards of most lists come first.
    """
    needed_by_key: dict[str, NeededCard] = {}
    catalogue = _load_cards(event)
    players = list_owners(event).exclude(deck_list__current__outcome="legal")
    rows = players.filter(deck_list__current__isnull=False).select_related("deck_list__current", "team")
    for player in rows.order_by("number"):
        for line in _read_lines(player, catalogue):
            if line.name:
                card = needed_by_key.setdefault(line.name.casefold(), NeededCard(line.name, []))
                if player not in card.players:
                    card.players.append(player)
    return sorted(needed_by_key.values(), key=lambda card: (-len(card.players), card.name))[:MOST_NEEDED]


def find_needing_lines(event: Event, number: int) -> NeedingList | None:
    """Return a player's list with those of its cards that are not known.

    None if there is no list.
    """
    players = list_owners(event).filter(deck_list__current__isnull=False)
    player = players.select_related("deck_list__current", "team").filter(number=number).first()
    return NeedingList(player, _read_lines(player, _load_cards(event))) if player else None


def _load_cards(event: Event) -> LoadedCatalogue:
    return get_catalogue(event.game).with_added([card.to_record() for card in event.added_cards.all()])


def _read_lines(player: Player, catalogue: LoadedCatalogue) -> list[NeedingLine]:
    """Return each line of the submitted list, matched with the cards of today."""
    version = player.deck_list.current if player.deck_list else None
    parsed_deck = parse_list(version.source_text, version.pool_text) if version else None
    return [_read_line(line, catalogue) for line in parsed_deck.lines] if parsed_deck else []


def _read_line(line: DeckLine, catalogue: LoadedCatalogue) -> NeedingLine:
    match = catalogue.index.resolve(line, SearchBudget(0)) if line.kind == "card" else None
    is_needed = match is not None and match.status in NOT_KNOWN
    return NeedingLine(line.text, f"{line.name} {'●' * (line.dots or 0)}".strip() if is_needed else "")
