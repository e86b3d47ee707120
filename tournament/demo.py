"""Three demo events, built by the same services that people use."""

from __future__ import annotations

import json
import random
import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from django.conf import settings
from django.contrib.auth.models import Group, User
from django.utils import timezone
from django.utils.text import slugify

from decks.access import GROUPS
from tournament.access.permissions import Actor
from tournament.brackets.services import cut as cuts
from tournament.decklists.services import lists as decklists
from tournament.events.models.event import Event, StaffRole
from tournament.events.models.player import Player
from tournament.events.models.round import Match, Round
from tournament.log.step import step
from tournament.pairing.services import rounds
from tournament.registration import services as registration
from tournament.results.services import results
from tournament.setup.services import events

FOLDER = Path(settings.BASE_DIR) / "fixtures" / "demo"
LOGINS = Path(settings.DATA_DIR) / "demo-logins.json"
WORDS = (
    "amber",
    "anvil",
    "copper",
    "falcon",
    "harbor",
    "jade",
    "lantern",
    "meadow",
    "onyx",
    "pepper",
    "quartz",
    "willow",
)
FRIDAY, SUNDAY = 4, 6
SCORES = ((2, 0), (2, 1), (2, 1), (0, 2), (1, 2), (1, 1))


@dataclass(frozen=True, slots=True)
class DemoCast:
    """The players of the demo, and their lists."""

    people: Sequence[tuple[str, str, str]]
    lists: dict[str, str]
    odd_lists: Sequence[str]

    def list_for(self, character: str, place: int) -> str:
        """Return a legal list with that character if there is one, else any."""
        legal = [text for name, text in sorted(self.lists.items()) if name.startswith(slugify(character))]
        everything = legal or list(self.lists.values())
        return everything[place % len(everything)]


def read_cast() -> DemoCast:
    """Return the players and lists in `fixtures/demo`.

    Files named `odd-…` are lists with a fault.
    """
    lines = (FOLDER / "players.txt").read_text(encoding="utf-8").splitlines()
    people = [_read_person(line) for line in lines if line and line[0] != "#"]
    texts = {path.stem: path.read_text(encoding="utf-8") for path in sorted((FOLDER / "decks").glob("*.txt"))}
    odd = [text for name, text in texts.items() if name.startswith("odd-")]
    return DemoCast(people, {name: text for name, text in texts.items() if not name.startswith("odd-")}, odd)


def _read_person(line: str) -> tuple[str, str, str]:
    name, email, character = (part.strip() for part in line.split("|"))
    return name, email, character


def get_demo_logins() -> list[dict[str, str]]:
    """Return the demo's people who can sign in, with their passwords.

    The passwords are made on the first start and kept with the data.
    """
    if LOGINS.exists():
        stored_logins: list[dict[str, str]] = json.loads(LOGINS.read_text(encoding="utf-8"))
        return stored_logins
    people = [
        {"email": "organizer@demo.example", "name": "Olga Organizer", "role": StaffRole.Kind.OWNER},
        {"email": "judge@demo.example", "name": "Judy Judge", "role": StaffRole.Kind.JUDGE},
        {"email": "score@demo.example", "name": "Sam Scorekeeper", "role": StaffRole.Kind.SCOREKEEPER},
    ]
    logins = [{**person, "password": _password()} for person in people]
    LOGINS.parent.mkdir(parents=True, exist_ok=True)
    LOGINS.touch(mode=0o600)
    LOGINS.write_text(json.dumps(logins, indent=1), encoding="utf-8")
    return logins


def _password() -> str:
    return "-".join([*(secrets.choice(WORDS) for _ in range(3)), str(secrets.randbelow(90) + 10)])


def build_demo() -> list[Event]:
    """Build the demo unless it exists already.

    Returns its events, the running one first.
    """
    existing = list(Event.objects.filter(is_demo=True).order_by("pk"))
    users = [_get_or_create_user(person) for person in get_demo_logins()]
    if existing:
        return existing
    cast = read_cast()
    owner = Actor.of_user(users[0])
    chance = random.Random(1991)
    events = [
        _build_running_event(owner, cast, chance),
        _build_open_event(owner, cast),
        _build_finished_event(owner, cast, chance),
    ]
    for event in events:
        _add_staff(event, owner, users[1:])
    return events


def _get_or_create_user(person: dict[str, str]) -> User:
    user, is_new = User.objects.get_or_create(username=person["email"], defaults={"email": person["email"]})
    if is_new:
        user.first_name = person["name"]
        user.set_password(person["password"])
        user.save()
        if person["role"] == StaffRole.Kind.OWNER:
            user.groups.add(*Group.objects.filter(name__in=GROUPS))
    return user


def _add_staff(event: Event, owner: Actor, users: Sequence[User]) -> None:
    kinds = (StaffRole.Kind.JUDGE, StaffRole.Kind.SCOREKEEPER)
    with step(event, owner) as recorder:
        for user, kind in zip(users, kinds, strict=True):
            recorder.create(StaffRole(event=event, user=user, kind=kind))
        recorder.log("staff_added", judge=users[0], scorekeeper=users[1])


# Any: arguments of `create_event`, by name.
def _settings(name: str, starts_at: datetime, **values: Any) -> dict[str, Any]:
    return {
        "name": name,
        "starts_at": starts_at,
        "time_zone": "Europe/Berlin",
        "game": "ufs",
        "format": "constructed",
        "rules_version": "1.9",
        "match_form": "best_of_3_50min",
        "round_minutes": 50,
        "is_demo": True,
        **values,
    }


def _today(hour: int, days: int = 0) -> datetime:
    return timezone.now().replace(hour=hour, minute=0, second=0, microsecond=0) + timedelta(days=days)


def _next_weekday(weekday: int, hour: int, *, after: int) -> datetime:
    """Return the first given weekday at least a given number of days from now.

    Monday is 0. A negative number means days ago.
    """
    soonest = _today(hour, days=after)
    return soonest + timedelta(days=(weekday - soonest.weekday()) % 7)


def _build_running_event(owner: Actor, cast: DemoCast, chance: random.Random) -> Event:
    event = events.create_event(
        owner,
        **_settings(
            "Harbour City Open",
            _today(9),
            place="Old Gymnasium, Harbour Street 12",
            notes="Doors open at 8:30. Entry is 5 euros. Bring dice, counters, pen and paper.",
            capacity=48,
            swiss_rounds=5,
            cut=Event.Cut.DIVERSITY,
            cut_size=8,
            decklists_required=True,
        ),
    )
    _fill_event(event, owner, cast, len(cast.people))
    events.start_event(event, owner, drop_missing=True)
    for _ in range(2):
        _play_round(event, owner, chance)
    third = rounds.publish_round(rounds.pair_next_round(event, owner), owner)
    for match in _open_tables(third)[:7]:
        _enter_result(match, owner, chance)
    _report_results(third)
    return event


def _build_open_event(owner: Actor, cast: DemoCast) -> Event:
    event = events.create_event(
        owner,
        **_settings(
            "Friday Night Clash",
            _next_weekday(FRIDAY, 18, after=2),
            place="Comics & Cards, upstairs",
            notes="Entry is free. New players are welcome and can borrow a deck.",
            capacity=16,
            cut=Event.Cut.TOP,
            cut_size=4,
            match_form="one_game_30min",
            round_minutes=30,
        ),
    )
    for place, (name, email, character) in enumerate(cast.people[8:14]):
        player = registration.register(event, name=name, email=email, character=character)
        if place % 2:
            decklists.submit_list(player, Actor.of_player(player), cast.list_for(character, place))
    return event


def _build_finished_event(owner: Actor, cast: DemoCast, chance: random.Random) -> Event:
    event = events.create_event(
        owner,
        **_settings(
            "Riverside Cup",
            _next_weekday(SUNDAY, 10, after=-30),
            place="Riverside Library",
            cut=Event.Cut.TOP,
            cut_size=8,
        ),
    )
    _fill_event(event, owner, cast, 20)
    events.start_event(event, owner, drop_missing=True)
    for _ in range(event.swiss_rounds or 0):
        _play_round(event, owner, chance)
    stage = cuts.make_cut(event, owner)
    while event.phase == Event.Phase.CUT:
        for match in Match.objects.filter(round__stage=stage, outcome="").select_related(
            "round__stage__event", "p1", "p2"
        ):
            _enter_result(match, owner, chance, draw=False)
        event.refresh_from_db()
    return event


def _fill_event(event: Event, owner: Actor, cast: DemoCast, count: int) -> None:
    players = [
        registration.register(event, name=name, email=email, character=character)
        for name, email, character in cast.people[:count]
    ]
    for place, player in enumerate(players):
        odd = len(cast.odd_lists) and place in (11, 17, 23)[: len(cast.odd_lists)]
        text = cast.odd_lists[(11, 17, 23).index(place)] if odd else cast.list_for(player.character, place)
        decklists.submit_list(player, Actor.of_player(player), text)
    events.open_check_in(event, owner)
    for player in players:
        registration.check_in(Player.objects.select_related("event").get(pk=player.pk), owner)


def _open_tables(round_: Round) -> list[Match]:
    tables = round_.matches.filter(outcome="").order_by("table")
    return list(tables.select_related("round__stage__event", "p1", "p2"))


def _enter_result(match: Match, owner: Actor, chance: random.Random, *, draw: bool = True) -> None:
    p1_games, p2_games = chance.choice(SCORES if draw else SCORES[:-1])
    results.enter_result(match, owner, p1_games=p1_games, p2_games=p2_games)


def _play_round(event: Event, owner: Actor, chance: random.Random) -> None:
    round_ = rounds.publish_round(rounds.pair_next_round(event, owner), owner)
    for match in _open_tables(round_):
        _enter_result(match, owner, chance)


def _report_results(round_: Round) -> None:
    """Report for three tables: one agrees, one waits for the opponent, one disagrees."""
    open_tables = _open_tables(round_)
    if len(open_tables) < 2:
        return
    reported_match, disputed_match = open_tables[:2]
    results.report_result(reported_match, reported_match.p1, p1_games=2, p2_games=1)
    results.report_result(disputed_match, disputed_match.p1, p1_games=2, p2_games=0)
    if disputed_match.p2 is not None:
        results.report_result(disputed_match, disputed_match.p2, p1_games=1, p2_games=2)
