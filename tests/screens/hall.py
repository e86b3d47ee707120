"""A venue with content on every screen.

It is the demo, and an event in each other moment.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from django.contrib.auth.models import User
from django.core.management import call_command

from decks.catalogue.services import imports as catalogue_imports
from decks.editions import services as editions_services
from tournament.access.permissions import Actor
from tournament.brackets.services import cut as cuts
from tournament.decklists.services import lists as decklists
from tournament.demo import DemoCast, build_demo, read_cast
from tournament.events.models.event import Event, StaffRole
from tournament.events.models.round import Match
from tournament.leagues import services as leagues_services
from tournament.pairing.services import rounds
from tournament.printing import services as printing
from tournament.printing.request import SheetRequest
from tournament.registration import services as registration
from tournament.results.services import results
from tournament.setup.services import events
from tournament.staff import services as staff

# Nothing here depends on the day on which it is built.
STARTS = datetime(2027, 3, 6, 9, 0, tzinfo=UTC)
SETTINGS: dict[str, Any] = {
    "starts_at": STARTS,
    "time_zone": "Europe/Berlin",
    "place": "Town hall, Market Square 1",
    "game": "ufs",
    "format": "constructed",
    "rules_version": "1.9",
    "match_form": "best_of_3_50min",
    "round_minutes": 50,
    "decklists_required": True,
    "cut": Event.Cut.TOP,
    "cut_size": 4,
}
CATALOGUE = """{"game": "ufs", "cards": {"storm-9": {"name": "Storm of Nine", "type": "attack"}}}"""


def owner_of_demo() -> User:
    """Olga, who owns every event of the venue and keeps catalogue and lists."""
    role = (
        StaffRole.objects.filter(kind=StaffRole.Kind.OWNER, event__is_demo=True)
        .select_related("user")
        .first()
    )
    assert role is not None
    return role.user


def build_hall() -> dict[str, Event]:
    """Build everything; the events by their moment."""
    call_command("load_fixtures", verbosity=0)
    running_event, upcoming_event, finished_matches = build_demo()
    olga, cast = owner_of_demo(), read_cast()
    owner = Actor.of_user(olga)
    _of_keepers(olga)
    leagues_services.add_event(
        leagues_services.create_league(olga, name="Harbour Season"), olga, finished_matches
    )
    moments = {
        "preparing": events.create_event(owner, **SETTINGS, name="Spring Cup", open_registration=False),
        "registration": upcoming_event,
        "check-in": _check_in(owner, cast),
        "draft": _draft(owner, cast),
        "playing": running_event,
        "cut": _cut(owner, cast),
        "finished": finished_matches,
    }
    staff.create_invitation(running_event, owner, kind=StaffRole.Kind.JUDGE, uses=2)
    last = running_event.stages.get().rounds.last()
    sheet_request = SheetRequest(running_event.pk, "pairings", "A4", last.stage.position, last.number)
    printing.request_sheet_pdf(owner, sheet_request)
    return moments


def _of_keepers(olga: User) -> None:
    """Create a draft of a list and a file that waits, for the pages of keepers."""
    editions_services.create_draft("ufs", "bans", actor=olga.get_full_name())
    catalogue_imports.receive_file(CATALOGUE.encode(), file_name="storm.json", game="ufs", person=olga)


def _create_full_event(owner: Actor, cast: DemoCast, name: str, count: int) -> Event:
    event = events.create_event(owner, **SETTINGS, name=name)
    for place, (person, email, character) in enumerate(cast.people[:count]):
        player = registration.register(event, name=person, email=email, character=character)
        if place % 5:
            decklists.submit_list(player, Actor.of_player(player), cast.list_for(character, place))
    return event


def _check_in(owner: Actor, cast: DemoCast) -> Event:
    event = _create_full_event(owner, cast, "Winter Qualifier", 12)
    events.open_check_in(event, owner)
    for player in event.players.select_related("event")[:7]:
        registration.check_in(player, owner)
    return event


def _create_started_event(owner: Actor, cast: DemoCast, name: str, count: int) -> Event:
    event = _create_full_event(owner, cast, name, count)
    events.start_event(event, owner)
    return event


def _draft(owner: Actor, cast: DemoCast) -> Event:
    event = _create_started_event(owner, cast, "Evening League", 9)
    _play(event, owner)
    rounds.pair_next_round(event, owner)
    return event


def _cut(owner: Actor, cast: DemoCast) -> Event:
    event = _create_started_event(owner, cast, "City Final", 8)
    for _ in range(event.swiss_rounds or 0):
        _play(event, owner)
    cuts.make_cut(event, owner)
    return event


def _play(event: Event, owner: Actor) -> None:
    round_ = rounds.publish_round(rounds.pair_next_round(event, owner), owner)
    open_tables = Match.objects.filter(round=round_, outcome="").select_related(
        "round__stage__event", "p1", "p2"
    )
    for match in open_tables:
        results.enter_result(match, owner, p1_games=2, p2_games=match.table % 2)
