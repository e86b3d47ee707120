"""The clock of a round.

It is stored as facts, and is the same after a restart, on every screen and in every undo.
"""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
import time_machine

from decks.shared.refusals import Refused
from tests.everyday import each_case
from tests.scenarios.factories import open_matches, organizer, publish_next, started_event, win
from tests.scenarios.log_words import words_of
from tests.scenarios.rollback import rolled_back
from tournament.archive.export import export_event
from tournament.archive.restore import restore_event
from tournament.clock import services as clock
from tournament.clock.api import ClockSerializer
from tournament.clock.models import ClockEntry
from tournament.clock.selectors import RoundClock, get_event_clock, get_round_clock
from tournament.engine.clock import ClockAction, ClockPhase
from tournament.events.models.event import Event
from tournament.events.models.round import Match, Round
from tournament.log import services as undo
from tournament.log.models import LogEntry
from tournament.pairing.services import rounds

pytestmark = pytest.mark.django_db

NOON = datetime(2026, 11, 21, 12, tzinfo=UTC)
HIGHLANDER: dict[str, Any] = {
    "game": "highlander",
    "format": "standard",
    "rules_version": "1.7",
    "match_form": "one_game_30min",
    "round_minutes": 30,
}


def at(minutes: int) -> datetime:
    return NOON + timedelta(minutes=minutes)


def publish_round(players: int = 4, **values: Any) -> Round:
    event = started_event(players, **values)
    return publish_next(event)


def act_at(minute: int, step: Any, round_: Round, **values: Any) -> None:
    with time_machine.travel(at(minute), tick=False):
        step(round_, organizer(), **values)


def get_clock_at(round_: Round, minutes: int) -> RoundClock:
    round_clock = get_round_clock(Round.objects.select_related("stage__event").get(pk=round_.pk), at(minutes))
    assert round_clock is not None
    return round_clock


def hidden_round() -> Round:
    round_ = publish_round(**HIGHLANDER)
    clock.set_clock_options(round_.stage.event, organizer(), {"hidden_from": 25, "hidden_to": 35})
    act_at(0, clock.start_clock, Round.objects.get(pk=round_.pk))
    return Round.objects.select_related("stage__event").get(pk=round_.pk)


def test_the_clock_follows_from_its_facts_and_nothing_else() -> None:
    round_ = publish_round()
    assert get_clock_at(round_, 0).phase == ClockPhase.NOT_STARTED
    act_at(0, clock.start_clock, round_)
    act_at(10, clock.pause_clock, round_)
    act_at(17, clock.resume_clock, round_)
    act_at(20, clock.change_time, round_, minutes=2)
    round_clock = get_clock_at(round_, 30)
    assert (
        round_clock.phase,
        round_clock.remaining_seconds,
        round_clock.ends_at,
        round_clock.warning_at,
    ) == (
        ClockPhase.RUNNING,
        29 * 60,
        at(59),
        at(49),
    )
    assert get_clock_at(round_, 49).phase == ClockPhase.WARNING
    assert get_clock_at(round_, 61).overtime_seconds == 120
    assert list(ClockEntry.objects.values_list("act", "seconds")) == [
        ("start", 3000),
        ("pause", 0),
        ("resume", 0),
        ("extend", 120),
    ]


def test_two_people_starting_the_clock_start_it_once() -> None:
    round_ = publish_round()
    act_at(0, clock.start_clock, round_)
    act_at(1, clock.start_clock, round_)
    assert get_clock_at(round_, 2).ends_at == at(50)
    assert ClockEntry.objects.count() == 1


@pytest.mark.both_databases
def test_a_clock_that_runs_keeps_the_length_it_started_with() -> None:
    round_ = publish_round()
    act_at(0, clock.start_clock, round_)
    Event.objects.update(round_minutes=30)
    assert get_clock_at(round_, 1).ends_at == at(50)


def test_more_time_for_one_table_is_that_tables_alone() -> None:
    round_ = publish_round()
    act_at(0, clock.start_clock, round_)
    match = open_matches(round_)[0]
    act_at(40, clock.change_time, round_, minutes=3, match=match, reason="Deck check")
    round_clock = get_clock_at(round_, 51)
    assert round_clock.phase == ClockPhase.TIME_CALLED
    table_time = round_clock.of_match(match)
    assert table_time is not None
    assert (table_time.table, table_time.words, table_time.reasons, table_time.ends_at, table_time.phase) == (
        match.table,
        "3 minutes",
        ("Deck check",),
        at(53),
        ClockPhase.WARNING,
    )
    assert round_clock.of_match(open_matches(round_)[1]) is None


@each_case(
    ("values", "code"),
    [
        ({"minutes": 0}, "minutes_wrong"),
        ({"minutes": 61}, "minutes_wrong"),
        ({"minutes": -61}, "minutes_wrong"),
        ({"minutes": 10**30}, "minutes_wrong"),
        ({"minutes": -1, "there": True, "reason": "Late"}, "minutes_wrong"),
        ({"minutes": 3, "there": True, "reason": "  "}, "reason_missing"),
    ],
    around=rolled_back,
)
def test_time_that_makes_no_sense_is_refused(values: dict[str, Any], code: str) -> None:
    round_ = publish_round()
    clock.start_clock(round_, organizer())
    match = open_matches(round_)[0] if values.pop("there", False) else None
    with pytest.raises(Refused) as refusal:
        clock.change_time(round_, organizer(), match=match, **values)
    assert refusal.value.code == code
    assert ClockEntry.objects.count() == 1


def test_a_table_with_a_result_gets_no_more_time() -> None:
    round_ = publish_round()
    clock.start_clock(round_, organizer())
    match = win(open_matches(round_)[0])
    with pytest.raises(Refused) as refusal:
        clock.change_time(round_, organizer(), minutes=3, match=match, reason="Late")
    assert refusal.value.code == "table_has_finished"


@pytest.mark.parametrize("step", [clock.pause_clock, clock.resume_clock, clock.call_time])
def test_a_clock_that_was_not_started_can_only_start(step: Any) -> None:
    round_ = publish_round()
    with pytest.raises(Refused) as refusal:
        step(round_, organizer())
    assert refusal.value.code == "clock_not_started"


def test_a_draft_and_a_finished_round_have_no_clock() -> None:
    event = started_event(2)
    draft = rounds.pair_next_round(event, organizer())
    assert (get_event_clock(event), get_round_clock(draft)) == (None, None)
    with pytest.raises(Refused) as refusal:
        clock.start_clock(draft, organizer())
    assert refusal.value.code == "round_is_draft"
    round_ = rounds.publish_round(draft, organizer())
    clock.start_clock(round_, organizer())
    win(open_matches(round_)[0])
    assert get_event_clock(event) is None
    with pytest.raises(Refused) as refusal:
        clock.pause_clock(round_, organizer())
    assert refusal.value.code == "round_is_finished"


def test_every_step_of_the_clock_is_undone_from_the_log() -> None:
    round_ = publish_round()
    event = round_.stage.event
    act_at(0, clock.start_clock, round_)
    act_at(10, clock.pause_clock, round_)
    act_at(12, clock.resume_clock, round_)
    undo.undo_step(event.log.get(action="clock_resumed"), organizer())
    assert get_clock_at(round_, 20).phase == ClockPhase.PAUSED
    undo.undo_step(event.log.get(action="clock_paused"), organizer())
    assert get_clock_at(round_, 20).ends_at == at(50)
    undo.undo_step(event.log.get(action="clock_started"), organizer())
    assert get_clock_at(round_, 20).phase == ClockPhase.NOT_STARTED
    undo.undo_step(event.log.filter(action="undone").first(), organizer())
    assert get_clock_at(round_, 20).ends_at == at(50)


def test_a_pause_taken_back_out_of_the_middle_leaves_a_clock_that_runs() -> None:
    round_ = publish_round()
    act_at(0, clock.start_clock, round_)
    act_at(10, clock.pause_clock, round_)
    act_at(12, clock.resume_clock, round_)
    undo.undo_step(round_.stage.event.log.get(action="clock_paused"), organizer())
    assert get_clock_at(round_, 20).ends_at == at(50)


def test_a_start_taken_back_can_be_made_again_after_a_pause() -> None:
    round_ = publish_round()
    act_at(0, clock.start_clock, round_)
    act_at(10, clock.pause_clock, round_)
    undo.undo_step(round_.stage.event.log.get(action="clock_started"), organizer())
    assert get_clock_at(round_, 20).phase == ClockPhase.NOT_STARTED
    act_at(20, clock.start_clock, round_)
    assert get_clock_at(round_, 21).ends_at == at(70)


def test_the_warning_is_the_rules_unless_the_organizer_chose_another() -> None:
    round_ = publish_round()
    event = round_.stage.event
    act_at(0, clock.start_clock, round_)
    assert get_clock_at(round_, 1).warning_at == at(40)
    clock.set_clock_options(event, organizer(), {"warning": 5})
    assert get_clock_at(round_, 1).warning_at == at(45)
    clock.set_clock_options(event, organizer(), {"warning": 0})
    assert get_clock_at(round_, 1).warning_at is None


def test_highlander_has_no_warning_of_its_own() -> None:
    round_ = publish_round(**HIGHLANDER)
    act_at(0, clock.start_clock, round_)
    assert get_clock_at(round_, 1).warning_at is None


def test_a_bracket_can_be_played_without_a_clock() -> None:
    event = started_event(4, plan=[{"kind": "single"}])
    round_ = Round.objects.get(stage__event=event)
    clock.set_clock_options(event, organizer(), {"elimination": 0})
    fresh = Round.objects.select_related("stage__event").get(pk=round_.pk)
    assert get_round_clock(fresh) is None
    with pytest.raises(Refused) as refusal:
        clock.start_clock(fresh, organizer())
    assert refusal.value.code == "round_without_clock"
    clock.set_clock_options(event, organizer(), {"elimination": 75})
    act_at(0, clock.start_clock, fresh)
    assert get_clock_at(round_, 1).ends_at == at(75)


@each_case(
    ("values", "codes"),
    [
        ({"hidden_from": 25}, ["clock_range_half"]),
        ({"hidden_from": 35, "hidden_to": 25}, ["clock_range_empty"]),
        ({"hidden_from": 0, "hidden_to": 25}, ["clock_range_empty"]),
        ({"warning": -1, "elimination": 10**12}, ["clock_minutes_wrong", "clock_minutes_wrong"]),
        ({"warning": True, "alarm": 3}, ["clock_option_unknown", "clock_minutes_wrong"]),
        ([], ["clock_unreadable"]),
    ],
    around=rolled_back,
)
def test_every_wrong_option_of_the_clock_is_named(values: Any, codes: list[str]) -> None:
    with pytest.raises(Refused) as refusal:
        clock.set_clock_options(started_event(2), organizer(), values)
    assert [problem.code for problem in refusal.value.problems] == codes


def test_an_end_that_the_rule_announces_cannot_be_hidden() -> None:
    with pytest.raises(Refused) as refusal:
        clock.set_clock_options(started_event(2), organizer(), {"hidden_from": 40, "hidden_to": 50})
    assert refusal.value.code == "hidden_end_against_rule"


def test_a_hidden_end_is_told_by_nothing_before_it_comes() -> None:
    round_ = hidden_round()
    entry = ClockEntry.objects.get()
    assert entry.drawn is not None
    assert 25 * 60 <= entry.drawn <= 35 * 60
    before = get_clock_at(round_, 10)
    clock_data = ClockSerializer(before).data
    assert (
        clock_data["phase"],
        clock_data["ends_at"],
        clock_data["remaining"],
        clock_data["length"],
        clock_data["warning_at"],
    ) == (
        "running",
        None,
        None,
        None,
        None,
    )
    event = round_.stage.event
    lines = list(event.log.values("params", "reason", "changes"))
    with time_machine.travel(at(10), tick=False):
        text = json.dumps([lines, export_event(event)], default=str)
    assert (f'"drawn": {entry.drawn}' in text, '"drawn": null' in text) == (False, True)
    after = get_clock_at(round_, 36)
    assert (after.phase, after.ends_at) == (ClockPhase.TIME_CALLED, NOON + timedelta(seconds=entry.drawn))


@pytest.mark.both_databases
def test_a_hidden_end_that_has_come_is_called_once_for_all_to_hear() -> None:
    round_ = hidden_round()
    version = round_.stage.event.version
    with time_machine.travel(at(24), tick=False):
        assert clock.call_hidden_ends() == 0
    with time_machine.travel(at(36), tick=False):
        assert (clock.call_hidden_ends(), clock.call_hidden_ends()) == (1, 0)
    event = Event.objects.get(pk=round_.stage.event_id)
    assert event.version > version
    hidden_seconds = ClockEntry.objects.get(act=ClockAction.START).drawn or 0
    assert ClockEntry.objects.get(act=ClockAction.CALL_TIME).at == NOON + timedelta(seconds=hidden_seconds)
    assert words_of(event.log.get(action="time_called")) == "Time is called in round 1."


@pytest.mark.both_databases
def test_a_clock_with_a_hidden_end_is_taken_back_and_started_again_from_the_log() -> None:
    round_ = hidden_round()
    entry = LogEntry.objects.filter(event=round_.stage.event, head=None).latest("pk")
    back = undo.undo_step(entry, organizer())
    assert ClockEntry.objects.count() == 0
    undo.undo_step(back, organizer())
    again = ClockEntry.objects.get()
    assert (again.earliest, again.latest) == (1500, 2100)
    assert 1500 <= again.drawn <= 2100


def test_an_archive_brings_the_clock_along_and_draws_a_hidden_end_again() -> None:
    round_ = hidden_round()
    match = open_matches(round_)[0]
    act_at(3, clock.change_time, round_, minutes=3, match=match, reason="Deck check")
    with time_machine.travel(at(10), tick=False):
        document = export_event(round_.stage.event)
    again = restore_event(json.dumps(document), organizer())
    copied_round = Round.objects.select_related("stage__event").get(stage__event=again)
    start, extension = copied_round.clock.all()
    assert 25 * 60 <= (start.drawn or 0) <= 35 * 60
    assert (extension.match.table, extension.seconds, extension.reason) == (match.table, 180, "Deck check")
    with time_machine.travel(at(10), tick=False):
        assert export_event(again)["stages"] == document["stages"]
    assert Match.objects.filter(round=copied_round).count() == 2
