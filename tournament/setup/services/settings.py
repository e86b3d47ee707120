"""Settings that need more than one look: the plan of stages, the pairing options, the tables."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from decks.shared.refusals import Refused, refuse_all
from tournament.events.models.event import Event
from tournament.events.plan import plan_of, read_plan, settings_of
from tournament.events.table_numbers import LAST_TABLE
from tournament.pairing.options import read_options
from tournament.shared.fingerprint import mark_of
from tournament.shared.refusals import Conflict

FOLLOWS_PLAN = ("swiss_rounds", "cut", "cut_size", "short_cut")


Values = Mapping[str, Any]


def settled(values: Values) -> dict[str, Any]:
    """The values with plan and pairing options in the form that is kept, and what follows from the plan.

    Raises Refused with everything that is wrong in a plan or in the options.
    """
    made = dict(values)
    if "pairing_options" in made:
        made["pairing_options"] = read_options(made["pairing_options"]).as_data()
    if "plan" in made:
        plan = read_plan(made["plan"])
        made["plan"] = [stage.as_data() for stage in plan]
        if plan:
            made.update(settings_of(plan))
    return made


def plan_mark(event: Event) -> str:
    """What somebody saw who looked at the plan of an event; another plan has another mark."""
    return mark_of([stage.as_data() for stage in plan_of(event)])


def refuse_unseen_plan(event: Event, seen: str | None) -> None:
    """Raise Conflict where the plan is another than the one with the mark `seen`."""
    if seen is not None and seen != plan_mark(event):
        raise Conflict(
            "plan_changed_meanwhile",
            f"Somebody changed the plan since you looked: {', then '.join(s.words for s in plan_of(event))}.",
            fix="Look at it, and send yours again to have it.",
        )


def refuse_unreadable(event: Event) -> None:
    """Raise Refused where the plan, pairing options or tables of an event from elsewhere make no sense."""
    read_plan(event.plan)
    read_options(event.pairing_options)
    refuse_all(list(table_problems(event)))


def plan_problems(event: Event, changed: Values) -> Iterator[Refused]:
    """What of a change the stages forbid: those that were begun stay, a plan is changed as a whole."""
    if event.plan and "plan" not in changed:
        for name in FOLLOWS_PLAN:
            if name in changed:
                yield Refused(
                    "set_in_the_plan",
                    "This event follows a plan of stages, which says this as well.",
                    fix="Change the plan.",
                    field=name,
                )
    begun = list(event.stages.order_by("position")) if event.is_playing else []
    if not begun or not {"plan", *FOLLOWS_PLAN} & changed.keys():
        return
    wanted = plan_of(_with(event, changed))
    if len(wanted) < len(begun):
        yield Refused("stage_begun", "A stage that was begun cannot be taken out of the plan.", field="plan")
    for at, (stage, plan) in enumerate(zip(begun, wanted, strict=False), 1):
        as_begun = (stage.kind, stage.groups, stage.twice, stage.third_place)
        if as_begun != (plan.kind, plan.groups, plan.twice, plan.third_place):
            yield Refused("stage_begun", f"Stage {at} was begun and stays as it is.", field="plan")
        elif plan.rounds is not None and stage.rounds.count() > plan.rounds:
            yield Refused(
                "rounds_played",
                f"{stage.rounds.count()} rounds are paired already.",
                fix="Plan at least as many.",
                field="swiss_rounds" if not event.plan else "plan",
            )


def _with(event: Event, changed: Values) -> Event:
    names = ("plan", *FOLLOWS_PLAN)
    return Event(**{name: changed.get(name, getattr(event, name)) for name in names})


def table_problems(event: Event) -> Iterator[Refused]:
    """What is wrong with an event's table numbers."""
    first, count, reserved = event.first_table, event.table_count, event.reserved_tables
    if type(first) is not int or not 1 <= first <= LAST_TABLE:
        yield Refused(
            "first_table_wrong", f"Tables are numbered from 1 to {LAST_TABLE}.", field="first_table"
        )
    if count is not None and not 1 <= count <= LAST_TABLE:
        yield Refused(
            "table_count_wrong",
            "An event needs a table; empty: as many as come.",
            field="table_count",
        )
    good = isinstance(reserved, list) and all(type(n) is int and 1 <= n <= LAST_TABLE for n in reserved)
    if not good:
        yield Refused(
            "reserved_tables_wrong",
            f"Reserved tables are numbers from 1 to {LAST_TABLE}.",
            fix="Write such as 5, 7.",
            field="reserved_tables",
        )
