"""The work of judges in archives.

It travels with an event, and can be undone where it is imported.
"""

from __future__ import annotations

import json
from copy import deepcopy
from typing import Any

import pytest

from decks.shared.refusals import Refused
from tests.everyday import each_case
from tests.scenarios.factories import organizer
from tests.scenarios.rollback import rolled_back
from tests.tournament.archive.test_archive import remove, without_import
from tests.tournament.penalties.test_penalties import give, start_first_round, table_of
from tournament.access.permissions import Actor
from tournament.archive.export import export_event
from tournament.archive.restore import restore_event
from tournament.events.models.event import Event
from tournament.judging.models import CheckDraw, DeckCheck, JudgeCall, TableRuling
from tournament.judging.services import calls
from tournament.judging.services import deck_checks as checks
from tournament.judging.services.penalties import undo_penalty
from tournament.penalties.models import Penalty

pytestmark = pytest.mark.django_db


def judged_event() -> Event:
    """Return an event with a round and the work of its judges.

    It has a drawn deck check, a penalty after it, a call and its ruling.
    """
    event = start_first_round()
    draw = checks.draw_checks(event, organizer(), count=1, seed=5)
    check = draw.checks.select_related("player", "event").first()
    checks.end_check(check, organizer(), outcome="problem", note="61 cards", extension=4)
    give(check.player, "match_loss", "deck", check=check)
    call = calls.call_judge(check.player, Actor.of_player(check.player), words="Why?")
    calls.resolve_call(call, organizer(), ruling="The list has 60.", reason="UFS 100.3.1")
    calls.record_table_ruling(table_of(event, 2), organizer(), ruling="Play on.", reason="UFS 102.1")
    return event


def export_as_json(event: Event) -> dict[str, Any]:
    return json.loads(json.dumps(export_event(event)))


@pytest.fixture
def judged_document() -> dict[str, Any]:
    """The archive of an event with the work of its judges."""
    return export_as_json(judged_event())


@pytest.mark.both_databases
def test_event_comes_back_with_all_that_judges_kept() -> None:
    event = judged_event()
    document = export_as_json(event)
    assert [len(document[name]) for name in LISTS] == [1, 2, 1, 1, 2]
    for model in (TableRuling, JudgeCall, Penalty, DeckCheck, CheckDraw):
        model.objects.all().delete()
    remove(event)
    back = restore_event(json.dumps(document), organizer())
    assert without_import(export_as_json(back)) == document
    penalty = back.penalties.get()
    assert (penalty.deck_check.draw.seed, penalty.deck_check.player) == (5, penalty.player)
    assert back.table_rulings.exclude(call=None).get().call == back.judge_calls.get()


LISTS = ("check_draws", "deck_checks", "penalties", "judge_calls", "table_rulings")


def test_penalty_is_taken_back_where_the_event_arrived() -> None:
    event = judged_event()
    back = restore_event(json.dumps(export_as_json(event)), organizer())
    penalty = back.penalties.select_related("player", "event").get()
    table = penalty.table
    undo_penalty(penalty, organizer(), reason="the list was misread")
    assert (back.penalties.count(), table_of(back, table).outcome) == (0, "")
    assert (event.penalties.count(), table_of(event, table).outcome != "") == (1, True)


def test_archive_from_before_there_were_judges_is_whole() -> None:
    document = export_as_json(judged_event())
    older = {**document, "log": []}
    for name in LISTS:
        del older[name]
    assert restore_event(json.dumps(older), organizer()).penalties.count() == 0


@each_case(
    ("name", "link"), [("penalties", "deck_check"), ("deck_checks", "draw"), ("table_rulings", "call")]
)
@each_case("wrong", [99, -1, "x"], around=rolled_back)
def test_row_that_points_nowhere_is_refused(
    judged_document: dict[str, Any], name: str, link: str, wrong: object
) -> None:
    document = deepcopy(judged_document)
    document[name][0][link] = wrong
    with pytest.raises(Refused):
        restore_event(json.dumps(document), organizer())
