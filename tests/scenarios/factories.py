"""People and events as the tests need them, made by the services that people use."""

from __future__ import annotations

import functools
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any, ParamSpec, TypeVar

from django.conf import settings
from django.contrib.auth import SESSION_KEY
from django.contrib.auth.models import User
from django.contrib.sessions.models import Session
from django.db import models, transaction
from django.db.models import F
from django.test import Client
from django.utils import timezone

from decks.submissions.models import DeckList
from rules.reason import params_to_json
from tests.scenarios.event_cache import memory
from tournament.access.permissions import Actor
from tournament.events.models.event import Event
from tournament.events.models.match_result import MatchResult, result_names
from tournament.events.models.player import Player
from tournament.events.models.round import Match, Round
from tournament.log.facts import describe_match
from tournament.log.models import LogEntry, to_json_values
from tournament.log.step import Recorder, step
from tournament.matches import describe_result
from tournament.pairing.selectors.drafts import fingerprint_draft
from tournament.pairing.services import rounds
from tournament.registration import services as registration
from tournament.results.services import results
from tournament.setup.services import events
from tournament.shared.hashes import draw_random_number
from tournament.shared.text import fold_name

NAMES = (
    "Alice", "Bob", "Carol", "Dave", "Erin", "Frank", "Grace", "Heidi", "Ivan", "Judy", "Karl", "Liam",
    "Mallory", "Niaj", "Olivia", "Peggy", "Quentin", "Rupert", "Sybil", "Trent", "Uma", "Victor", "Walter",
    "Xenia", "Yara", "Zoe",
)  # fmt: skip
CHARACTERS = ("Ken", "Ryu", "Chun-Li", "Sagat", "Guile", "Vega", "Blanka", "Dhalsim")

OLGA = "olga@example.org"
Arguments = ParamSpec("Arguments")
Row = TypeVar("Row", bound=models.Model)

SETTINGS: dict[str, Any] = {
    "name": "Spring Open",
    "starts_at": datetime(2026, 5, 2, 9, 0, tzinfo=UTC),
    "time_zone": "Europe/Berlin",
    "place": "Town hall",
    "game": "ufs",
    "format": "constructed",
    "rules_version": "1.9",
    "match_form": "best_of_3_50min",
    "round_minutes": 50,
}


def make_user(email: str = OLGA, **values: Any) -> User:
    """Return a user with the password “correct horse”."""
    return User.objects.create_user(username=email, email=email, password="correct horse", **values)


def organizer() -> Actor:
    """Olga, the organizer of these tests, who is signed in on one device."""
    # Asked some ten thousand times in a run: Django would compile a query for longer than it takes.
    users = User.objects.raw("SELECT * FROM auth_user WHERE username = %s", [OLGA])
    return Actor.of_user(next(iter(users), None) or memory.build_once(OLGA, _make_olga))


def _make_olga() -> User:
    user = make_user(OLGA)
    Client().force_login(user)
    return user


def sign_in_organizer(client: Client | None = None) -> Client:
    """Return the client as Olga's device.

    An event is cached for both: tests that sign in before it, and tests that do not.
    """
    user, client = organizer().user, client or Client()
    for session in Session.objects.all():
        if session.get_decoded().get(SESSION_KEY) == str(user.pk):
            client.cookies[settings.SESSION_COOKIE_NAME] = session.pk
            return client
    client.force_login(user)
    return client


def built_once(build: Callable[Arguments, Row]) -> Callable[Arguments, Row]:
    """Let a fixture or a function build its event once for the same arguments.

    If the first argument is a row, the function may change it in memory.
    """

    @functools.wraps(build)
    def get(*args: Arguments.args, **values: Arguments.kwargs) -> Row:
        organizer()
        about = args[0] if args and isinstance(args[0], models.Model) else None
        key = (build.__module__, build.__qualname__, *map(_describe, args), repr(values))
        row: Row = memory.build_once(key, lambda: build(*args, **values), about)
        return row

    return get


def _describe(argument: Any) -> str:
    is_row = isinstance(argument, models.Model)
    return f"{type(argument).__name__} {argument.pk}" if is_row else repr(argument)


def make_event(actor: Actor | None = None, **values: Any) -> Event:
    """Return an event with open registration."""

    def make() -> Event:
        return events.create_event(actor or organizer(), **{**SETTINGS, **values})

    if actor:
        return make()
    organizer()
    built_event: Event = memory.build_once(("event", repr(values)), make)
    return built_event


def add_players(
    event: Event, count: int, actor: Actor | None = None, *, one_by_one: bool = False
) -> list[Player]:
    """Return players by the names of the cast, each with a character.

    In an empty event with room for all, the rows are written at once, as if each player had been added: eight
    players take a third of the time.
    """
    actor = actor or organizer()
    if one_by_one or not is_empty_and_open(event):
        return [registration.add_player(event, actor, **cast_member(n)) for n in range(count)]
    with step(event, actor) as recorder:
        lists = DeckList.objects.bulk_create(empty_list(event) for _ in range(count))
        recorder.log("player_added", told=f"{count} players were added.")
        return recorder.create_all(
            Player(
                event=recorder.event,
                number=n + 1,
                folded_name=fold_name(name_of(n)),
                lot=draw_random_number(event.seed, n + 1),
                registered_at=recorder.now,
                deck_list=lists[n],
                **cast_member(n),
            )
            for n in range(count)
        )


def is_empty_and_open(event: Event) -> bool:
    """Return whether new players get a place at once and are the first."""
    return event.phase == Event.Phase.REGISTRATION and event.capacity is None and not event.players.exists()


def empty_list(event: Event) -> DeckList:
    """Return the list of someone who has submitted nothing, not yet written."""
    return DeckList(
        game=event.game,
        format_key=event.format,
        rules_version=event.rules_version,
        created_at=timezone.now(),
    )


def cast_member(n: int) -> dict[str, str]:
    """Name and character of the n-th of the cast."""
    return {"name": name_of(n), "character": CHARACTERS[n % len(CHARACTERS)]}


def name_of(n: int) -> str:
    """Return the n-th name of the cast; it starts again with a number."""
    return NAMES[n] if n < len(NAMES) else f"{NAMES[n % len(NAMES)]} {n // len(NAMES) + 1}"


def started_event(players: int, **values: Any) -> Event:
    """Return an event that has just started."""

    def make() -> Event:
        event = make_event(**values)
        add_players(event, players)
        events.start_event(event, organizer())
        return event

    organizer()
    built_event: Event = memory.build_once(("started", players, repr(values)), make)
    return built_event


def play_round(event: Event, *, winner: str = "p1") -> Round:
    """Pair, publish and play one round; the named side wins every table 2-0."""
    key = ("round", event.pk, winner)
    built_event: Round = memory.build_once(key, lambda: _play_round(event, winner), about=event)
    return built_event


def publish_next(event: Event) -> Round:
    """Pair and publish the next round."""

    def make() -> Round:
        return rounds.publish_round(rounds.pair_next_round(event, organizer()), organizer())

    built_event: Round = memory.build_once(("published", event.pk), make, about=event)
    return built_event


def pair_differently(draft: Round) -> Round:
    """Pair a draft again until its tables differ.

    A new seed can pair few players as before.
    """
    old_mark = fingerprint_draft(draft)
    while fingerprint_draft(draft) == old_mark:
        draft = rounds.pair_round_again(draft, organizer())
    return draft


def _play_round(event: Event, winner: str) -> Round:
    round_ = publish_next(event)
    finish_round(round_, winner)
    return Round.objects.get(pk=round_.pk)


def finish_round(round_: Round, winner: str = "p1") -> None:
    """Let the named side win every open table 2-0."""
    *others, last = open_matches(round_)
    if round_.stage.is_elimination:
        for match in others:
            win(match, winner)
    else:
        win_at_once(others, winner)
    # The last result finishes the round, with all effects.
    win(last, winner)


def win_at_once(matches: list[Match], side: str) -> None:
    """Enter the same result at tables of one round.

    The last result of the round is still to come. Rows, log and version are as if each had been entered by
    `win`, which takes ten times as long.
    """
    if not matches:
        return
    actor = organizer()
    entries = [_enter_result(match, actor, side) for match in matches]
    with transaction.atomic():
        Match.objects.bulk_update(matches, ["outcome", f"{side}_games", "result_by", "result_at", "revision"])
        LogEntry.objects.bulk_create(entries)
        Event.objects.filter(pk=entries[0].event_id).update(version=F("version") + len(entries))


def _enter_result(match: Match, actor: Actor, side: str) -> LogEntry:
    """Change the match, without saving it, and return its log line."""
    recorder, old_result = Recorder(match.round.stage.event, actor), MatchResult.of(match)
    values = {f"{side}_games": 2, "outcome": side, "result_by": actor.label, "result_at": recorder.now}
    names = [*result_names(), "result_by", "result_at"]
    before = {name: getattr(match, name) for name in names if name in values}
    after = {name: values[name] for name in names if name in values}
    for name, value in after.items():
        setattr(match, name, value)
    match.revision += 1
    recorder.remember(match, before, after)
    return LogEntry(
        event=recorder.event,
        at=recorder.now,
        user=actor.user,
        actor="" if actor.user else actor.label,
        action="result_entered",
        params=params_to_json(
            {
                "match": describe_match(match),
                "result": describe_result(match),
                "both_lose": match.outcome == Match.Outcome.DOUBLE_LOSS,
                "before": old_result.score
                if old_result.outcome and old_result.score != match.score
                else None,
            }
        ),
        changes=to_json_values(recorder.changes),
        about=f" {' '.join(sorted(recorder.about))} ",
    )


def open_matches(round_: Round) -> list[Match]:
    """Return tables of a round without a result."""
    return list(round_.matches.filter(outcome="").select_related("round__stage__event", "p1", "p2"))


def win(match: Match, side: str = "p1", score: tuple[int, int] = (2, 0), **more: Any) -> Match:
    """Let one side win.

    `more` is passed to the service, such as the way of a correction.
    """
    high, low = score
    p1, p2 = (high, low) if side == "p1" else (low, high)
    return results.enter_result(match, organizer(), p1_games=p1, p2_games=p2, **more)
