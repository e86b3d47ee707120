"""Check interdependent settings (plan, pairing, tables), and set local rules."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any

import rules
from decks.shared.fingerprints import make_fingerprint
from decks.shared.refusals import Conflict, Refused
from tournament.access.permissions import Actor
from tournament.decklists.services.lists import STARTED_PHASES
from tournament.events.models.event import FIRST_YEAR, LAST_YEAR, Event
from tournament.events.settings import LAST_TABLE, get_plan, get_plan_settings, parse_plan
from tournament.log.step import step
from tournament.pairing.options import parse_pairing_options

PLAN_FIELDS = ("swiss_rounds", "cut", "cut_size", "short_cut")

# Settings that cannot change once the stage has started.
LAYOUT_FIELDS = ("kind", "groups", "twice", "third_place", "consolation", "reset", "wins_in", "losses_out")

Values = Mapping[str, object]


def normalize_settings(values: Values) -> dict[str, object]:
    """Return the values with plan and pairing options as they are kept.

    Also return what follows from the plan. Raises Refused with everything that is wrong in a plan or in the
    options.
    """
    normalized_values = dict(values)
    if "pairing_options" in normalized_values:
        normalized_values["pairing_options"] = parse_pairing_options(
            normalized_values["pairing_options"]
        ).as_data()
    if "plan" in normalized_values:
        plan = parse_plan(normalized_values["plan"])
        normalized_values["plan"] = [stage.as_data() for stage in plan]
        if plan:
            normalized_values.update(get_plan_settings(plan))
    return normalized_values


def plan_fingerprint(event: Event) -> str:
    """Return a fingerprint of the plan of an event, as someone saw it.

    Another plan has another one.
    """
    return make_fingerprint([stage.as_data() for stage in get_plan(event)])


def refuse_outdated_plan(event: Event, seen_plan: str | None) -> None:
    """Raise Conflict if `seen_plan` is given and not the fingerprint of the plan."""
    if seen_plan is not None and seen_plan != plan_fingerprint(event):
        raise Conflict(
            "plan_changed_meanwhile.stages", steps=tuple(stage.describe() for stage in get_plan(event))
        )


def plan_problems(event: Event, changed_values: Values) -> Iterator[Refused]:
    """Yield the parts of a change that the stages forbid.

    Stages that were begun stay. A plan is changed as a whole.
    """
    if event.plan and "plan" not in changed_values:
        for name in PLAN_FIELDS:
            if name in changed_values:
                yield Refused("set_in_the_plan", field=name)
    begun_stages = list(event.stages.order_by("position")) if event.is_playing else []
    if not begun_stages or not {"plan", *PLAN_FIELDS} & changed_values.keys():
        return
    planned_stages = get_plan(_with_plan_changes(event, changed_values))
    if len(planned_stages) < len(begun_stages):
        yield Refused("stage_begun.removed", field="plan")
    for position, (stage, plan) in enumerate(zip(begun_stages, planned_stages, strict=False), 1):
        if any(getattr(stage, name) != getattr(plan, name) for name in LAYOUT_FIELDS):
            yield Refused("stage_begun.changed", field="plan", position=position)
        elif plan.rounds is not None and stage.rounds.count() > plan.rounds:
            yield Refused(
                "rounds_played",
                field="swiss_rounds" if not event.plan else "plan",
                round_count=stage.rounds.count(),
            )


def _with_plan_changes(event: Event, changed_values: Values) -> Event:
    names = ("plan", *PLAN_FIELDS)
    return Event(**{name: changed_values.get(name, getattr(event, name)) for name in names})


def year_problems(values: Values) -> Iterator[Refused]:
    """Yield the times of an event that are in no year of an event."""
    for name in ("starts_at", "decklists_due_at"):
        moment = values.get(name)
        if isinstance(moment, datetime) and not FIRST_YEAR <= moment.year <= LAST_YEAR:
            yield Refused(
                "year_out_of_range", field=name, first_year=str(FIRST_YEAR), last_year=str(LAST_YEAR)
            )


def table_problems(event: Event) -> Iterator[Refused]:
    """Yield what is wrong with an event's table numbers."""
    first, count, reserved_numbers = event.first_table, event.table_count, event.reserved_tables
    if type(first) is not int or not 1 <= first <= LAST_TABLE:
        yield Refused("first_table_wrong", field="first_table", last_table=LAST_TABLE)
    if count is not None and not 1 <= count <= LAST_TABLE:
        yield Refused("table_count_wrong", field="table_count")
    yield from reserved_table_problems(reserved_numbers)


def reserved_table_problems(reserved_numbers: Any) -> Iterator[Refused]:
    """Yield what is wrong with the numbers of reserved tables."""
    is_valid = isinstance(reserved_numbers, list) and all(
        type(n) is int and 1 <= n <= LAST_TABLE for n in reserved_numbers
    )
    if not is_valid:
        yield Refused("reserved_tables_wrong", field="reserved_tables", last_table=LAST_TABLE)


def set_local_rules(event: Event, actor: Actor, overlay: Mapping[str, object]) -> tuple[str, ...]:
    """Apply the overlay to the event's format and return it in words.

    An empty overlay removes it. Lists submitted before are checked again. Raises Refused once round 1 has
    started, and when the overlay does not fit the format, with every reason.
    """
    with step(event, actor) as recorder:
        if recorder.event.phase in STARTED_PHASES:
            raise Refused("local_rules_fixed")
        local_format = load_local_format(recorder.event, overlay)
        if recorder.update(recorder.event, overlay=dict(overlay)):
            recorder.log("local_rules_changed", rules=local_format.local_rules() or None)
    return local_format.overlay_in_words()


def load_local_format(event: Event, overlay: Mapping[str, object]) -> rules.Format:
    """Return the format with the overlay. Raises Refused if that does not fit it."""
    try:
        return rules.load_format(event.game, event.format, rules=event.rules_version, overlay=overlay or None)
    except rules.BadOverlay as error:
        raise Refused("local_rules_wrong", why=error.reasons) from error
