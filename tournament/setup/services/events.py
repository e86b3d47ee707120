"""Create, change, start, finish events; open, close registration and check-in."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from django.db import transaction
from django.utils.text import slugify

import rules
from decks.shared.refusals import Refused, refuse_all
from rules.reason import Reason
from tournament.access.permissions import Actor
from tournament.brackets.services import stages
from tournament.decklists.services import lists as decklists
from tournament.engine.standings.systems.custom import OWN_SYSTEM_KEY
from tournament.engine.standings.systems.loading import system_names
from tournament.events.models.event import Event, StaffRole, Stage
from tournament.events.models.player import Player
from tournament.events.models.round import Round
from tournament.events.selectors import get_limited_play
from tournament.events.settings import get_game, get_plan, get_sides, parse_plan
from tournament.log.step import step
from tournament.pairing.options import parse_pairing_options
from tournament.registration.services import validation, waiting_list
from tournament.registration.services.attendance import drop_no_shows_in_step
from tournament.registration.services.seats import write_seats
from tournament.setup.services.settings import (
    load_local_format,
    normalize_settings,
    plan_problems,
    refuse_outdated_plan,
    table_problems,
    year_problems,
)
from tournament.shared.hashes import new_seed
from tournament.standings.pods import parse_place_points

EDITABLE_FIELDS = (
    "name", "starts_at", "time_zone", "place", "notes", "game", "format", "rules_version", "capacity",
    "entry_fee", "team_size", "has_boards",
    "swiss_rounds", "match_form", "round_minutes", "place_points", "standings_system", "cut",
    "cut_size", "short_cut",
    "decklists_required", "decklists_due_at", "lists_open", "intentional_draws", "no_show_minutes",
    "plan", "pairing_options",
    "hall", "first_table", "table_count", "reserved_tables", "language", "name_order",
)  # fmt: skip
FIXED_ONCE_PLAYING = (
    "team_size",
    "has_boards",
    "game",
    "format",
    "rules_version",
    "match_form",
    "standings_system",
)
Phase = Event.Phase


def create_event(
    actor: Actor, *, open_registration: bool = True, is_demo: bool = False, **values: Any
) -> Event:
    """Create an event owned by the actor.

    Raises Refused with every wrong value at once.
    """
    event = Event(**normalize_settings(values), seed=new_seed(), is_demo=is_demo)
    refuse_all(list(_event_problems(event)))
    event.phase = Phase.REGISTRATION if open_registration else Phase.PREPARING
    with transaction.atomic():
        event.slug = unused_slug(event.name, event.starts_local.year)
        event.save(force_insert=True)
        with step(event, actor) as recorder:
            if actor.user is not None:
                recorder.create(StaffRole(event=event, user=actor.user, kind=StaffRole.Kind.OWNER))
            recorder.log("event_created")
    return event


def update_event(
    event: Event, actor: Actor, values: Mapping[str, object], *, seen_plan: str | None = None
) -> Event:
    """Change settings.

    What players rely on (game, format, match form) is fixed once rounds are played. Raises Refused with
    everything that is wrong, and Conflict if the plan is another than the one with the mark `seen_plan`.
    """
    with step(event, actor) as recorder:
        refuse_outdated_plan(recorder.event, seen_plan)
        locked_event = recorder.event
        new_values = {name: value for name, value in values.items() if name in EDITABLE_FIELDS}
        changed_values = {
            name: value
            for name, value in normalize_settings(new_values).items()
            if getattr(locked_event, name) != value
        }
        refuse_all(
            [
                *_fixed_problems(locked_event, changed_values),
                *_pod_problems(locked_event, changed_values),
                *plan_problems(locked_event, changed_values),
                *_event_problems(_with_values(locked_event, changed_values)),
            ]
        )
        if recorder.update(locked_event, **changed_values):
            stages.update_planned_rounds(recorder)
            recorder.log(
                "event_changed", settings=[Reason("setting", {"name": name}) for name in changed_values]
            )
            if "capacity" in changed_values:
                waiting_list.move_up(recorder)
            if {"has_boards", "team_size"} & changed_values.keys():
                write_seats(recorder, locked_event.players.exclude(status=Player.Status.WITHDRAWN))
    return event


def refuse_invalid_settings(event: Event) -> None:
    """Raise Refused if an event's settings from an archive make no sense."""
    parse_plan(event.plan)
    parse_pairing_options(event.pairing_options)
    refuse_all(list(_event_problems(event)))
    load_local_format(event, event.overlay)


def _with_values(event: Event, changed_values: Mapping[str, object]) -> Event:
    values = {name: getattr(event, name) for name in EDITABLE_FIELDS}
    return Event(**{**values, **changed_values}, seed=event.seed, own_system=event.own_system)


def _fixed_problems(event: Event, changed_values: Mapping[str, object]) -> Iterator[Refused]:
    if event.phase in (Phase.SWISS, Phase.CUT, Phase.FINISHED):
        labels = {field.name: str(field.verbose_name) for field in Event._meta.concrete_fields}
        for name in FIXED_ONCE_PLAYING:
            if name in changed_values:
                yield Refused("fixed_once_playing", field=name, label=labels[name])


def _pod_problems(event: Event, changed_values: Mapping[str, object]) -> Iterator[Refused]:
    """Refuse rounds inside pods if the format has no pods.

    A change of this setting is refused once a round is paired.
    """
    if "pairing_options" not in changed_values:
        return
    wants_pods = parse_pairing_options(changed_values["pairing_options"]).inside_pods
    if wants_pods == parse_pairing_options(event.pairing_options).inside_pods:
        return
    if event.pk and Round.objects.filter(stage__event=event).exists():
        yield Refused("fixed_once_paired", field="inside_pods")


def _event_problems(event: Event) -> Iterator[Refused]:
    yield from _rules_problems(event)
    yield from _cut_problems(event)
    yield from _sides_problems(event)
    yield from _system_problems(event)
    if not event.name.strip():
        yield Refused("name_missing.event", field="name")
    if event.capacity is not None and event.capacity < 2:
        yield Refused("capacity_too_small", field="capacity")
    yield from validation.team_size_problems(event.team_size)
    yield from _board_problems(event)
    if event.round_minutes is None or event.round_minutes < 1:
        yield Refused("round_too_short", field="round_minutes")
    yield from year_problems(vars(event))
    yield from table_problems(event)
    if not event.plan and event.swiss_rounds is not None and not 1 <= event.swiss_rounds <= 30:
        yield Refused("rounds_out_of_range", field="swiss_rounds")
    try:
        ZoneInfo(event.time_zone)
    except (ZoneInfoNotFoundError, ValueError):
        yield Refused("time_zone_unknown", field="time_zone", time_zone=event.time_zone)


def _board_problems(event: Event) -> Iterator[Refused]:
    if event.has_boards and event.team_size is None:
        yield Refused("boards_need_teams", field="team_size")
    if event.has_boards and not get_sides(event).is_duel:
        yield Refused("boards_need_two_sides", field="has_boards")


def _system_problems(event: Event) -> Iterator[Refused]:
    if event.standings_system not in (*system_names(), *([OWN_SYSTEM_KEY] if event.own_system else [])):
        yield Refused(
            "standings_system_unknown",
            field="standings_system",
            standings_system=event.standings_system,
            systems=tuple(system_names()),
        )


def _rules_problems(event: Event) -> Iterator[Refused]:
    try:
        rules.load_format(event.game, event.format, rules=event.rules_version)
    except rules.UnknownFormat as error:
        yield Refused("format_unknown", field="format", why=error.reasons)
        return
    limited = get_limited_play(event)
    if parse_pairing_options(event.pairing_options).inside_pods and not (limited and limited.pods):
        yield Refused("pods_need_passing", field="inside_pods")
    forms = {form.key for form in get_game(event).match_forms}
    if event.match_form not in forms:
        yield Refused("match_form_unknown", field="match_form", forms=tuple(sorted(forms)))


def _cut_problems(event: Event) -> Iterator[Refused]:
    if event.cut != Event.Cut.NONE and (event.cut_size is None or event.cut_size < 2):
        yield Refused("cut_size_missing", field="cut_size")
    if event.cut == Event.Cut.NONE and event.cut_size is not None:
        yield Refused("cut_size_without_cut", field="cut_size")


def _sides_problems(event: Event) -> Iterator[Refused]:
    """Allow tables of more than two sides in Swiss rounds.

    Duels in a bracket can follow these rounds.
    """
    if event.place_points and parse_place_points(event.place_points) is None:
        yield Refused("place_points_wrong", field="place_points")
    if get_sides(event).is_duel:
        return
    first, *later = get_plan(event)
    if first.kind != Stage.Kind.SWISS or any(
        stage.kind != Stage.Kind.SWISS and not stage.is_bracket for stage in later
    ):
        yield Refused("sides_need_swiss", field="plan")
    yield from _table_size_problems(event)
    if any(stage.has_exits for stage in get_plan(event)):
        yield Refused("plan_wrong.exits_of_two", field="plan")


def _table_size_problems(event: Event) -> Iterator[Refused]:
    """Yield which stages have fewer players than a table has sides."""
    least = get_sides(event).least
    for number, stage in enumerate(get_plan(event), 1):
        if stage.size is not None and stage.size < least and not stage.is_bracket:
            yield Refused("plan_wrong.table_too_small", field="plan", stage=number, least=least)


def unused_slug(name: str, year: int) -> str:
    """Return a short address that no other event has.

    It is the name, then the year if needed, then a number.
    """
    base = slugify(name)[:60] or "event"
    tries = [base, f"{base}-{year}", *(f"{base}-{year}-{n}" for n in range(2, 1000))]
    taken_slugs = set(Event.objects.filter(slug__startswith=base).values_list("slug", flat=True))
    return next(slug for slug in tries if slug not in taken_slugs)


def open_registration(event: Event, actor: Actor) -> None:
    """Let players register (also again, after check-in was closed)."""
    _change_phase(event, actor, {Phase.PREPARING, Phase.CHECK_IN}, Phase.REGISTRATION, "phase_registration")


def open_check_in(event: Event, actor: Actor) -> None:
    """Let players and staff check in; registration stays open."""
    _change_phase(event, actor, {Phase.REGISTRATION}, Phase.CHECK_IN, "phase_check_in")


def close_check_in(event: Event, actor: Actor) -> None:
    """End check-in without starting."""
    _change_phase(event, actor, {Phase.CHECK_IN}, Phase.REGISTRATION, "phase_registration.closed")


def _change_phase(event: Event, actor: Actor, allowed_phases: set[str], phase: str, code: str) -> None:
    with step(event, actor) as recorder:
        if recorder.event.phase == phase:
            return
        if recorder.event.phase not in allowed_phases:
            raise Refused("wrong_phase", phase=recorder.event.get_phase_display())
        recorder.update(recorder.event, phase=phase)
        recorder.log(code)


def start_event(event: Event, actor: Actor, *, drop_missing: bool = False) -> None:
    """Start the first stage.

    Fix the number of rounds, lock the lists, and drop missing players if requested. Starting twice starts
    once. Raises Refused with fewer than two players.
    """
    with step(event, actor) as recorder:
        if recorder.event.phase in (Phase.SWISS, Phase.CUT, Phase.FINISHED):
            return
        starting_players = registered_players = _registered_players(recorder.event)
        if drop_missing:
            drop_no_shows_in_step(recorder)
            starting_players = _registered_players(recorder.event)
        if len(starting_players) < 2:
            raise Refused(
                "too_few_players.start" if len(registered_players) < 2 else "too_few_players.absent"
            )
        stage = stages.begin_first_stage(recorder, starting_players)
        decklists.lock_all_lists(recorder)
        recorder.log(
            "event_started", players=len(starting_players), rounds=stage.planned_rounds, kind=stage.kind
        )


def _registered_players(event: Event) -> list[Player]:
    return list(event.players.filter(status=Player.Status.REGISTERED, dropped_after__isnull=True))


def finish_event(event: Event, actor: Actor) -> None:
    """End an event without a cut after its last Swiss round.

    Also end an event for which too few players are left.
    """
    with step(event, actor) as recorder:
        if recorder.event.phase == Phase.FINISHED:
            return
        is_last = recorder.event.stages.count() >= len(get_plan(recorder.event))
        if recorder.event.phase != Phase.SWISS or not (is_last or stages.can_finish_early(recorder.event)):
            raise Refused("not_to_be_finished_yet")
        open_rounds = Round.objects.filter(stage__event=event).exclude(state=Round.State.FINISHED)
        if open_rounds.exists() or not Round.objects.filter(stage__event=event).exists():
            raise Refused("round_unfinished")
        recorder.update(recorder.event, phase=Phase.FINISHED)
        recorder.log("event_finished")


def archive_event(event: Event, actor: Actor) -> None:
    """Take an event out of the lists of events; its pages stay as they are.

    A second time changes nothing.
    """
    with step(event, actor) as recorder:
        if recorder.event.archived_at is None:
            recorder.update(recorder.event, archived_at=recorder.now)
            recorder.log("event_archived")


def unarchive_event(event: Event, actor: Actor) -> None:
    """Bring an archived event back to the lists of events.

    A second time changes nothing.
    """
    with step(event, actor) as recorder:
        if recorder.event.archived_at is not None:
            recorder.update(recorder.event, archived_at=None)
            recorder.log("event_archived.back")
