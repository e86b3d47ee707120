"""The field of an event.

Shows which cards its lists play, how these fare, and what all lists hold together.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from decks.catalogue.selectors import LoadedCatalogue, get_catalogue
from decks.matching.catalogue import CatalogueCard
from decks.matching.model import is_added_card
from decks.matching.records import EntryRecord
from decks.shared.json_shapes import Published
from rules import CardFacts, Deck, Entry
from rules.figures import Figure, count_figures
from tournament.events.models.event import Event
from tournament.events.models.round import Match, Round
from tournament.events.seats import list_owners, list_registered_owners
from tournament.events.settings import get_undated_format
from tournament.shared.text import format_decimals

BAR_WIDTH = 300
MOST_SHOWN = 100
COUNTED_ZONES = frozenset({"main", "pregame", "sideboard"})
PLAYED_OUTCOMES = (Match.Outcome.P1, Match.Outcome.P2, Match.Outcome.DRAW)

FieldOrder = Literal["share", "result"]


@dataclass(frozen=True, slots=True)
class CardUse(Published):
    """One card of the field.

    Holds the lists that play it, its copies, and the matches against lists without it. `width` is the length
    of its bar in a picture that is `BAR_WIDTH` wide for a card of every list.
    """

    PUBLISHED = {
        "card": "card",
        "name": "name",
        "lists": "lists",
        "share": "share",
        "copies": "copies",
        "won": "wins",
        "lost": "losses",
        "drawn": "draws",
        "win_rate": "rate",
    }

    card: str
    name: str
    lists: int
    all_lists: int
    copies: int
    wins: int
    losses: int
    draws: int

    @property
    def is_added(self) -> bool:
        """Whether the card is one that the organizer added for the event."""
        return is_added_card(self.card)

    @property
    def share(self) -> Fraction:
        """The part of the lists that play it, exactly."""
        return Fraction(self.lists, self.all_lists)

    @property
    def average(self) -> str:
        """Copies in a list that plays it, with one decimal."""
        return format_decimals(Fraction(self.copies, self.lists), 1)

    @property
    def matches(self) -> int:
        """Number of matches behind the rate."""
        return self.wins + self.losses + self.draws

    @property
    def rate(self) -> Fraction | None:
        """Matches won of those played, exactly; None without a match."""
        return Fraction(self.wins, self.matches) if self.matches else None

    @property
    def width(self) -> int:
        """The length of its bar."""
        return max(2, BAR_WIDTH * self.lists // self.all_lists)


@dataclass(frozen=True, slots=True)
class EventField(Published):
    """The cards of all lists that count, and the figures of all lists together."""

    PUBLISHED = ("lists", "cards")

    lists: int
    cards: Sequence[CardUse]
    figures: Sequence[Figure] = ()

    @property
    def shown_cards(self) -> Sequence[CardUse]:
        """The first cards, as many as a page holds."""
        return self.cards[:MOST_SHOWN]

    @property
    def hidden_count(self) -> int:
        """Number of cards that the page leaves out."""
        return max(0, len(self.cards) - MOST_SHOWN)


def public_field(event: Event, order: FieldOrder = "share") -> EventField | None:
    """Return the field as everyone may see it.

    None while the lists are not open to everyone.
    """
    return build_field(event, order) if event.lists_open == Event.ListsOpen.ALL else None


def build_field(event: Event, order: FieldOrder = "share") -> EventField:
    """Return the field of the players who take part, the cards by share or by result.

    Three queries.
    """
    players = list_registered_owners(event).filter(deck_list__current__isnull=False)
    lists: dict[int, Sequence[EntryRecord]] = dict(players.values_list("pk", "deck_list__current__entries"))
    cards_by_player = {pk: _count_cards(entries) for pk, entries in lists.items()}
    results = _count_results(event, cards_by_player)
    card_uses = Counter(card for cards in cards_by_player.values() for card in cards)
    copies: Counter[str] = sum(cards_by_player.values(), Counter[str]())
    catalogue = get_catalogue(event.game).with_added([each.to_record() for each in event.added_cards.all()])
    names = _names(lists.values(), catalogue)
    cards = [
        CardUse(card, names[card], number, len(lists), copies[card], *results.get(card, (0, 0, 0)))
        for card, number in card_uses.items()
    ]
    return EventField(len(lists), sorted(cards, key=_ORDERS[order]), _figures(event, copies, catalogue))


def _by_share(use: CardUse) -> tuple[object, ...]:
    return (-use.lists, -use.copies, use.name.casefold())


def _by_result(use: CardUse) -> tuple[object, ...]:
    return (use.rate is None, -(use.rate or 0), -use.matches, use.name.casefold())


_ORDERS = {"share": _by_share, "result": _by_result}


def _count_cards(entries: Iterable[EntryRecord]) -> Counter[str]:
    """Return the copies of each known card in a list."""
    copies = Counter[str]()
    for entry in entries:
        if entry["card"] and entry["zone"] in COUNTED_ZONES:
            copies[entry["card"]] += entry["qty"] or 0
    return copies


def _names(lists: Iterable[Sequence[EntryRecord]], catalogue: LoadedCatalogue) -> Mapping[str, str]:
    """Return the cards as the catalogue names them today, else as the lists do."""
    written_names = {entry["card"]: entry["name"] for entries in lists for entry in entries if entry["card"]}
    bearers = Counter(card.label for card in catalogue.cards.values())
    return {
        key: name if (card := catalogue.cards.get(key)) is None else _tell_apart(card, bearers[card.label])
        for key, name in written_names.items()
    }


def _tell_apart(card: CatalogueCard, bearers: int) -> str:
    """Return the name of a card.

    Set and number are added where other cards have the name too.
    """
    places = (card.place(printing) for printing in card.printings) if bearers > 1 else ()
    place = next(filter(None, places), "")
    return f"{card.label} ({place})" if place else card.label


def _count_results(event: Event, cards: Mapping[int, Counter[str]]) -> dict[str, tuple[int, int, int]]:
    """Return wins, losses and draws of lists with a card against lists without it."""
    results: dict[str, Counter[str]] = {}
    for p1, p2, outcome in _list_played(event):
        if p1 is None or p2 is None or p1 not in cards or p2 not in cards:
            continue
        is_draw = outcome == Match.Outcome.DRAW
        winner, loser = (p2, p1) if outcome == Match.Outcome.P2 else (p1, p2)
        for card in cards[winner].keys() - cards[loser].keys():
            results.setdefault(card, Counter())["drawn" if is_draw else "won"] += 1
        for card in cards[loser].keys() - cards[winner].keys():
            results.setdefault(card, Counter())["drawn" if is_draw else "lost"] += 1
    return {card: (count["won"], count["lost"], count["drawn"]) for card, count in results.items()}


def _list_played(event: Event) -> Iterator[tuple[int | None, int | None, str]]:
    """Yield the two who met over the board, and the outcome.

    In a match of teams, each board is yielded alone, with the members who played it.
    """
    played_matches = Match.objects.filter(
        round__stage__event=event, outcome__in=PLAYED_OUTCOMES, forfeit=False
    ).exclude(round__state=Round.State.DRAFT)
    if not event.has_boards:
        yield from played_matches.values_list("p1_id", "p2_id", "outcome")
        return
    holders = list_owners(event).values_list("team_id", "seat", "pk")
    members = {(team, seat): pk for team, seat, pk in holders}
    for p1, p2, boards in played_matches.values_list("p1_id", "p2_id", "boards"):
        for seat, (first, second, _) in enumerate(boards, 1):
            outcome = Match.Outcome.DRAW
            if first != second:
                outcome = Match.Outcome.P1 if first > second else Match.Outcome.P2
            yield members.get((p1, seat)), members.get((p2, seat)), outcome


def _figures(event: Event, copies: Mapping[str, int], catalogue: LoadedCatalogue) -> tuple[Figure, ...]:
    """Return the types of all lists together, and the facts that the game counts."""
    facts = ((catalogue.card_facts(card) or CardFacts.of_missing(card), qty) for card, qty in copies.items())
    deck = Deck(event.game, tuple(Entry(card, qty) for card, qty in facts if qty))
    return count_figures(deck, get_undated_format(event))
