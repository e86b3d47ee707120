"""Events made for their pictures alone.

They have brackets of every kind, groups, the other games, and difficult names.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tests.screens.hall import SETTINGS
from tournament.access.permissions import Actor
from tournament.decklists.services import lists as decklists
from tournament.events.models.event import Event
from tournament.events.models.round import Match
from tournament.pairing.services import rounds
from tournament.registration import services as registration
from tournament.results.services import results
from tournament.setup.services import events

NAMES = (
    "佐藤 健",
    "Катя Морозова",
    "Pablo Echeverría-Santos de la Torre y Álvarez del Castillo Montenegro",
    "Ada Holt",
    "Ben Ito",
    "Donaudampfschifffahrtsgesellschaftskapitän Müller",
    "Cem Polat",
    "Zoë Achterberg",
    "مريم الحسن",
)
FIRST = ("Nora", "Ivo", "Lena", "Karim", "Mia", "Oskar", "Priya", "Tom")
LAST = ("Almeida", "Brandt", "Castellanos", "Dvořák", "Eriksen", "Fontaine", "Grzelak", "Hoang", "Ikeda")
MINIATURES = {
    "game": "sf_miniatures",
    "format": "versus",
    "rules_version": "1",
    "match_form": "versus_25min",
    "round_minutes": 25,
}
HIGHLANDER = {
    "game": "highlander",
    "format": "standard",
    "rules_version": "1.7",
    "match_form": "one_game_30min",
    "round_minutes": 30,
}
GROUPS = [{"kind": "robin", "groups": 2}, {"kind": "single", "size": 4}]
FOURS = [{"kind": "groups"}, {"kind": "single", "size": 8}]
CONSOLATION = {"kind": "single", "third_place": True, "consolation": True}


def build_exhibits(owner: Actor) -> dict[str, Event]:
    """Return the events by the name of their pictures."""
    double = _bracket(owner, "Double Trouble", 8, {"kind": "double"})
    _win(double, owner, 9)
    third = _bracket(owner, "Six and Third Place", 6, {"kind": "single", "third_place": True})
    _win(third, owner, 4)
    large = _bracket(owner, "The Great Bracket", 52, {"kind": "single"})
    _win(large, owner, 24)
    wide = _bracket(owner, "Twice Beaten", 24, {"kind": "double"})
    _win(wide, owner, 20)
    consolation = _bracket(owner, "No One Goes Home", 16, CONSOLATION)
    _win(consolation, owner, 13)
    fours = _create_started_event(owner, "Four by Four", 16, plan=FOURS)
    _round(_round(fours, owner, play=8), owner, play=3)
    return {
        "double": double,
        "third": third,
        "large": large,
        "wide": wide,
        "consolation": consolation,
        "groups": _groups(owner),
        "fours": fours,
        "highlander": _highlander(owner),
        "miniatures": _round(_create_started_event(owner, "Arcade Night", 9, **MINIATURES), owner, play=2),
        "crowd": _round(_create_started_event(owner, "Two Hundred", 200), owner, play=60),
    }


def name_of(place: int) -> str:
    """Return difficult names first, then ordinary ones; no two alike."""
    if place < len(NAMES):
        return NAMES[place]
    index = place - len(NAMES)
    again = index // (len(FIRST) * len(LAST))
    first, last = FIRST[index % len(FIRST)], LAST[index // len(FIRST) % len(LAST)]
    return f"{first} {last}" if not again else f"{first} {'ABC'[again - 1]}. {last}"


def _create_started_event(owner: Actor, name: str, players: int, **values: Any) -> Event:
    free = {"decklists_required": False, "cut": Event.Cut.NONE, "cut_size": None}
    event = events.create_event(owner, **{**SETTINGS, **free, **values}, name=name)
    for place in range(players):
        registration.add_player(event, owner, name=name_of(place), character="Ken" if place % 2 else "Ryu")
    events.start_event(event, owner)
    return event


def _bracket(owner: Actor, name: str, players: int, stage: dict[str, Any]) -> Event:
    return _create_started_event(owner, name, players, plan=[stage])


def _groups(owner: Actor) -> Event:
    event = _create_started_event(owner, "Group Day", 8, plan=GROUPS)
    return _round(_round(event, owner, play=4), owner, play=2)


def _round(event: Event, owner: Actor, *, play: int) -> Event:
    rounds.publish_round(rounds.pair_next_round(event, owner), owner)
    _win(event, owner, play)
    event.refresh_from_db()
    return event


def _win(event: Event, owner: Actor, count: int) -> None:
    """Enter a number of results, in the order of the tables."""
    games_to_win = _games_to_win(event)
    for place in range(count):
        match = _open_tables(event).first()
        if match is None:
            return
        games_by_winner = (games_to_win, 0 if place % 3 else games_to_win - 1)
        one, two = games_by_winner if place % 4 else games_by_winner[::-1]
        results.enter_result(match, owner, p1_games=one, p2_games=two)


def _games_to_win(event: Event) -> int:
    from tournament.events.settings import get_match_form

    return get_match_form(event).games_to_win


def _open_tables(event: Event) -> Any:
    open_matches = Match.objects.filter(round__stage__event=event, outcome="", p2__isnull=False)
    related_matches = open_matches.exclude(round__state="draft").select_related(
        "round__stage__event", "p1", "p2"
    )
    return related_matches.order_by("round__number", "table")


def _highlander(owner: Actor) -> Event:
    free = {"decklists_required": True, "cut": Event.Cut.NONE, "cut_size": None}
    event = events.create_event(owner, **{**SETTINGS, **free, **HIGHLANDER}, name="The Gathering")
    for place in range(5):
        player = registration.register(event, name=name_of(place), email=f"p{place}@example.org")
        if place != 3:
            decklists.submit_list(player, Actor.of_player(player), _cards(place))
    events.start_event(event, owner)
    return _round(event, owner, play=1)


def _cards(place: int) -> str:
    from decks.models import Card

    names = Card.objects.filter(game="highlander").values_list("name", flat=True).distinct().order_by("name")
    card_names: Sequence[str] = names[place * 7 : place * 7 + 24]
    return "\n".join(f"{1 + index % 3} {name}" for index, name in enumerate(card_names))
