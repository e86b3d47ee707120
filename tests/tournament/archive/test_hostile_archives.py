"""Altered archives: nothing outside the imported event changes."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from contextlib import suppress
from copy import deepcopy
from random import Random
from typing import Any

import pytest
from django.apps import apps
from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import Model

from decks.jobs.models import Job
from decks.shared.refusals import Refused
from tests import machine
from tests.everyday import each_case
from tests.scenarios.event_cache import memory
from tests.scenarios.factories import make_event, make_user, organizer, play_round, started_event
from tests.scenarios.rollback import rolled_back
from tests.tournament.archive.test_archive import rich_event
from tournament.archive.export import export_event
from tournament.archive.restore import restore_event
from tournament.archive.values import clean_value, own_fields
from tournament.events.models.event import Event, StaffRole
from tournament.events.models.player import Player
from tournament.leagues.models import League
from tournament.log.models import LogEntry
from tournament.log.services import roll_back_event, undo_step

pytestmark = pytest.mark.django_db

# Four of five altered archives are refused, so the test continues until enough steps were undone.
TIMES, MOST_TIMES = (600, 600) if machine.whole() else (6, 60)
ALL_MODELS = [
    model
    for app in ("auth", "sessions", "tournament", "decks")
    for model in apps.get_app_config(app).get_models()
]
ODD_VALUES: tuple[Any, ...] = (
    None, True, 0, 1, -1, -2, 2**31, 2**63, 10**40, 1.5, float("nan"), "", "x", "0", "../../etc/passwd",
    "\x00", "\ud800", "2026-13-45T99:99", [], {}, [[[]]], {"id": 1}, [1, "x", None], "é" * 500,
)  # fmt: skip

TRAVELLING = frozenset(
    {
        "event", "stage", "stageentrant", "player", "forbiddenpair", "round", "match", "seat", "resultreport",
        "clockentry", "timesettlement", "exchangecheck", "checkdraw", "deckcheck", "judgecall", "tableruling",
        "penalty", "decklist", "deckversion", "podseating", "podseat", "buildclockentry", "addedcard",
    }
)  # fmt: skip

Rows = dict[str, dict[Any, dict[str, Any]]]


def all_rows() -> Rows:
    """Return every row of every table, by its id."""
    return {
        model._meta.label: {row[model._meta.pk.attname]: row for row in model._default_manager.values()}
        for model in ALL_MODELS
    }


def changed_outside(before: Rows) -> list[str]:
    """Return the tables in which a row that was there is another now, or gone."""
    after = all_rows()
    return [
        label
        for label, rows in before.items()
        if any(after[label].get(pk) != row for pk, row in rows.items())
    ]


@pytest.fixture
def document() -> dict[str, Any]:
    """Return the archive of an event with lists, rounds, a bracket and a report.

    There is other data beside it.
    """
    return json.loads(json.dumps(export_event(memory.build_once("beside others", _event_beside_others))))


@pytest.fixture
def short_document() -> dict[str, Any]:
    """Return the archive of an event of two players with a finished round.

    A line that is refused is refused in any log.
    """
    event = started_event(2)
    play_round(event)
    return json.loads(json.dumps(export_event(event)))


def _event_beside_others() -> Event:
    make_user("olga@example.org")
    bystander = started_event(4, name="Bystander")
    play_round(bystander)
    League.objects.create(name="Harbour league", slug="harbour", owner=make_user("lena@example.org"))
    Job.objects.create(kind="print_sheet", payload={"event": bystander.pk})
    return rich_event()


def import_and_undo_all(document: Any, chance: Random) -> int:
    """Import a document and undo every step that can be undone, in any order.

    Refusals are not faults. Returns the count of steps.
    """
    try:
        event = restore_event(json.dumps(document), organizer())
    except Refused:
        return 0
    steps = 0
    entries = list(LogEntry.objects.filter(event=event).order_by("pk"))
    chance.shuffle(entries)
    for entry in [*entries, None]:
        try:
            with transaction.atomic():
                if entry is None:
                    roll_back_event(event, organizer(), stage=1, number=1)
                else:
                    undo_step(entry, organizer())
            steps += 1
        except Refused:
            continue
    return steps


def places(value: Any, at: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yield the way to every value of a document."""
    yield at
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, one in items:
        yield from places(one, (*at, key))


def alter_document(document: dict[str, Any], chance: Random) -> dict[str, Any]:
    """Return the document with a few random changes, most of them in its log.

    Values, keys or parts are changed.
    """
    copied_document = copy.deepcopy(document)
    for _ in range(chance.randint(1, 2)):
        inside = [
            way for way in places(copied_document) if way and (way[0] == "log" or chance.random() < 0.2)
        ]
        *way, last = chance.choice(inside)
        holder = copied_document
        for key in way:
            holder = holder[key]
        act = chance.randrange(5)
        if act == 0:
            del holder[last]
        elif act == 1 and isinstance(holder, list):
            holder.append(copy.deepcopy(holder[last]))
        elif act == 2 and isinstance(holder, dict):
            holder[chance.choice(["table", "id", "ids", "columns", "x"])] = holder.pop(last)
        elif isinstance(holder[last], str) and last == "table":
            holder[last] = chance.choice(names_of_tables())
        elif type(holder[last]) is int and chance.random() < 0.7:
            holder[last] += chance.choice([-1, 1, 2, 100, -(10**6)])
        else:
            holder[last] = copy.deepcopy(chance.choice(ODD_VALUES))
    return copied_document


def names_of_tables() -> list[str]:
    """Return all tables, each in several spellings."""
    names = [model._meta.model_name for model in ALL_MODELS]
    classes = (model.__name__ for model in ALL_MODELS)
    return [*names, *classes, *map(str.upper, names), *(f" {name}" for name in names)]


@pytest.mark.one_database("an honest archive goes in and out on both")
def test_altered_archive_changes_nothing_outside_its_event(document: dict[str, Any]) -> None:
    before, steps = all_rows(), 0
    for seed in range(MOST_TIMES):
        if seed >= TIMES and steps > TIMES // 2:
            break
        chance = Random(seed)
        with transaction.atomic():
            steps += import_and_undo_all(alter_document(document, chance), chance)
            assert changed_outside(before) == [], f"seed {seed}"
            transaction.set_rollback(True)
    assert steps > TIMES // 2


def test_honest_archive_is_undone_without_touching_anything_else(document: dict[str, Any]) -> None:
    before = all_rows()
    assert import_and_undo_all(document, Random(1)) > 10
    assert changed_outside(before) == []


def spell_table_name(model: type[Model], spelling: str) -> str:
    """Return a table's name as changes spell it, or in another way."""
    name = str(model._meta.model_name)
    return {"lower": name, "class": model.__name__, "upper": name.upper()}[spelling]


@pytest.mark.one_database("refused before a row is written")
@pytest.mark.parametrize("spelling", ["lower", "class", "upper"])
def test_change_of_a_table_that_does_not_travel_is_refused(
    short_document: dict[str, Any], spelling: str
) -> None:
    travels = {change["table"] for line in short_document["log"] for change in line["changes"]}
    before = all_rows()
    for model in ALL_MODELS if machine.whole() else ALL_MODELS[::5]:
        name = {"lower": model._meta.model_name, "class": model.__name__, "upper": model.__name__.upper()}[
            spelling
        ]
        if name in travels or name in TRAVELLING:
            continue
        line = {**short_document["log"][3], "changes": [row(name, -1, {"id": -1}, None)]}
        document = {**short_document, "log": [*short_document["log"], line]}
        with pytest.raises(Refused) as excinfo:
            restore_event(json.dumps(document), organizer())
        assert excinfo.value.code == "archive_incomplete"
    assert all_rows() == before


def row(table: Any, pk: Any, before: Any, after: Any) -> dict[str, Any]:
    """Return a change of one row as a log holds it."""
    return {"table": table, "id": pk, "before": before, "after": after}


@pytest.mark.one_database("refused before a row is written")
@each_case(
    "line",
    [
        {"takes_back": [-1]},
        {"takes_back": [999]},
        {"head": -1},
        {"undone_by": 0},
        {"about": ["p1 p2"]},
        {"about": ["x1"]},
        {"changes": [row("player", 1, {"token": "x"}, {"nam": "y"})]},
        {"changes": [row("player", "1", {"name": "x"}, {"name": "y"})]},
        {"changes": [row("player", 1, {"status": "king"}, {"status": "dropped"})]},
        {"changes": [row("player", 1, {"event_id": 1}, {"event_id": 0})]},
        {"changes": [row("player", 10**6, {"name": "x"}, {"name": "y"})]},
        {"changes": [row("decklist", -(10**6), None, {"id": -(10**6)})]},
        {"changes": [row(["seat"], 1, {}, {})]},
        {"changes": [{"table": "seat", "columns": ["id", "id"], "created": [[1, 1]]}]},
        {"changes": [{"table": "seat", "columns": ["player_id"], "created": [[1]]}]},
        {"changes": [{"table": "seat", "columns": ["id"], "ids": [1, 2], "before": [[1]], "after": [[1]]}]},
        {"changes": {"table": "seat"}},
        {"by_player": "1"},
        {"by_player": 10**6},
        {"params": {"player": {"player": 10**6}}},
        {"params": {"player": {"player": "1"}}},
        {"params": {"person": {"user": 1}}},
        {"params": {"event": {"event": 1}}},
        {"params": {"step": {"entry": 5}}},
        {"params": {"step": {"entry": -1}}},
        {"params": {"why": {"code": "x", "params": {"player": {"player": 10**6}}}}},
        {"params": {"told": {"player": 1}}},
        {"params": {"told": "x" * 600_000}},
        {"params": {"player": {"dog": 1}}},
        {"params": [1]},
        {"params": "x"},
        {"params": {"x": 1.5}},
    ], around=rolled_back,
)  # fmt: skip
def test_line_of_a_log_that_makes_no_sense_is_refused(
    short_document: dict[str, Any], line: dict[str, Any]
) -> None:
    document = deepcopy(short_document)
    document["log"].insert(5, {**document["log"][4], **line})
    for later in document["log"][6:]:
        later.update(head=None, undone_by=None, takes_back=[])
    with pytest.raises(Refused) as excinfo:
        restore_event(json.dumps(document), organizer())
    codes = {problem.code for problem in excinfo.value.problems}
    assert codes <= {"archive_incomplete", "archive_value_wrong"}


def foreign_changes(event: Event, other: Event) -> dict[str, dict[str, Any]]:
    """Return changes that a log could contain before imported logs were checked."""
    theirs, ours = other.players.get(number=1), event.players.get(number=1)
    job = Job.objects.get()
    moved_row = row("player", ours.pk, {"event_id": other.pk}, {"event_id": event.pk})
    foreign_stage = row("stage", 9999, {"id": 9999, "event_id": other.pk, "position": 7}, None)
    return {
        "another event's player": row("player", theirs.pk, {"name": "x"}, {"name": theirs.name}),
        "a link to another event": moved_row,
        "a row brought into another event": foreign_stage,
        "a job": row("job", str(job.pk), {"result_file": "/etc/passwd"}, {"result_file": ""}),
        "an account": row("user", 1, {"is_superuser": True}, {"is_superuser": False}),
        "the event's own row": row("event", event.pk, None, {"id": event.pk}),
    }


@pytest.mark.daily_on_postgres
def test_undo_of_a_log_that_names_rows_of_others_is_refused(document: dict[str, Any]) -> None:
    event, other = restore_event(json.dumps(document), organizer()), Event.objects.get(slug="bystander")
    for name, change in foreign_changes(event, other).items():
        entry = event.log.create(
            at=event.starts_at, actor="Eve", action="player_changed", params={"told": name}, changes=[change]
        )
        before = all_rows()
        with pytest.raises(Refused) as excinfo, transaction.atomic():
            undo_step(entry, organizer())
        assert (name, excinfo.value.code) == (name, "log_names_foreign_rows")
        assert all_rows() == before
        entry.delete()


def test_importer_is_the_only_one_with_a_role(document: dict[str, Any]) -> None:
    event = restore_event(json.dumps(document), organizer())
    assert list(event.staff.values_list("kind", flat=True)) == [StaffRole.Kind.OWNER]
    assert Player.objects.filter(event=event).count() == len(document["players"])


def test_an_empty_event_stays_importable() -> None:
    make_user("olga@example.org")
    document = json.loads(json.dumps(export_event(make_event())))
    assert restore_event(json.dumps(document), organizer()).players.count() == 0


def test_no_value_of_a_closed_set_comes_in_empty_where_no_form_leaves_it_empty() -> None:
    accepted_fields = []
    for model in ALL_MODELS:
        for field in own_fields(model):
            if field.choices and not field.blank:
                with suppress(ValidationError, Refused):
                    clean_value(field, "")
                    accepted_fields.append(f"{model.__name__}.{field.name}")
    assert accepted_fields == []
    with pytest.raises(ValidationError):
        clean_value(Event._meta.get_field("phase"), "")
