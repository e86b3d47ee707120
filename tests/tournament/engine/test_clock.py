"""The clock out of stored facts, at any instant."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from tests.everyday import each_case
from tournament.engine.clock import (
    ClockAction,
    ClockFact,
    ClockPhase,
    ClockSetting,
    ClockState,
    clock_state,
    draw_hidden_end,
    drop_inconsistent_facts,
)
from tournament.engine.problems import EngineError

NOON = datetime(2026, 11, 21, 12, tzinfo=UTC)
FIFTY = ClockSetting(50 * 60, warning=10 * 60)


def at(minutes: int, seconds: int = 0, micro: int = 0) -> datetime:
    return NOON + timedelta(minutes=minutes, seconds=seconds, microseconds=micro)


def fact(act: ClockAction, minutes: int, seconds: int = 0, *, table: int | None = None) -> ClockFact:
    return ClockFact(act, at(minutes), seconds, table)


START = fact(ClockAction.START, 0)


def state(
    now: datetime, *facts: ClockFact, setting: ClockSetting = FIFTY, table: int | None = None
) -> ClockState:
    return clock_state(setting, facts, now, table=table)


@each_case(
    ("now", "phase", "seconds_left", "over"),
    [
        (at(0), ClockPhase.RUNNING, 3000, 0),
        (at(0, 0, 1), ClockPhase.RUNNING, 3000, 0),
        (at(39, 59), ClockPhase.RUNNING, 601, 0),
        (at(40), ClockPhase.WARNING, 600, 0),
        (at(49, 59), ClockPhase.WARNING, 1, 0),
        (at(49, 59, 999_999), ClockPhase.WARNING, 1, 0),
        (at(50), ClockPhase.TIME_CALLED, 0, 0),
        (at(52, 30), ClockPhase.TIME_CALLED, 0, 150),
    ],
)
def test_a_round_runs_down_warns_and_ends(
    now: datetime, phase: ClockPhase, seconds_left: int, over: int
) -> None:
    clock_state = state(now, START)
    assert (
        clock_state.phase,
        clock_state.remaining_seconds,
        clock_state.overtime_seconds,
        clock_state.shown_seconds,
    ) == (
        phase,
        seconds_left,
        over,
        seconds_left,
    )
    assert clock_state.ends_at == at(50)


def test_before_the_start_the_whole_time_is_left() -> None:
    for facts in ((), (fact(ClockAction.START, 5),), (fact(ClockAction.EXTEND, 0, 60),)):
        clock_state = state(at(1), *facts)
        assert (
            clock_state.phase,
            clock_state.elapsed_seconds,
            clock_state.ends_at,
            clock_state.is_running,
        ) == (
            ClockPhase.NOT_STARTED,
            0,
            None,
            False,
        )
    assert state(at(1), fact(ClockAction.EXTEND, 0, 60)).remaining_seconds == 3060


def test_a_pause_stands_still_and_moves_the_end() -> None:
    pause, resume = fact(ClockAction.PAUSE, 10), fact(ClockAction.RESUME, 17)
    paused_clock = state(at(15), START, pause)
    assert (
        paused_clock.phase,
        paused_clock.remaining_seconds,
        paused_clock.elapsed_seconds,
        paused_clock.ends_at,
    ) == (
        ClockPhase.PAUSED,
        2400,
        600,
        None,
    )
    running_clock = state(at(20), START, pause, resume)
    assert (running_clock.phase, running_clock.elapsed_seconds, running_clock.ends_at) == (
        ClockPhase.RUNNING,
        780,
        at(57),
    )


def test_a_pause_after_time_was_called_does_not_undo_it() -> None:
    clock_state = state(at(60), START, fact(ClockAction.PAUSE, 52))
    assert (clock_state.phase, clock_state.ends_at, clock_state.overtime_seconds) == (
        ClockPhase.TIME_CALLED,
        at(50),
        600,
    )


def test_an_extension_holds_for_all_or_for_one_table() -> None:
    facts = (START, fact(ClockAction.EXTEND, 20, 120), fact(ClockAction.EXTEND, 30, 300, table=7))
    assert state(at(30), *facts).remaining_seconds == 20 * 60 + 120
    assert state(at(30), *facts, table=6).remaining_seconds == 20 * 60 + 120
    assert state(at(30), *facts, table=7).remaining_seconds == 20 * 60 + 420
    assert state(at(53), *facts, table=7).phase is ClockPhase.WARNING
    assert state(at(53), *facts).phase is ClockPhase.TIME_CALLED


def test_an_extension_after_the_end_starts_the_time_again() -> None:
    clock_state = state(at(53), START, fact(ClockAction.EXTEND, 52, 300))
    assert (clock_state.phase, clock_state.remaining_seconds) == (ClockPhase.WARNING, 120)


def test_time_can_be_taken_away_but_not_below_nothing() -> None:
    assert state(at(10), START, fact(ClockAction.EXTEND, 5, -600)).remaining_seconds == 1800
    assert state(at(10), START, fact(ClockAction.EXTEND, 5, -9999)).ends_at == at(0)


def test_time_called_by_hand_ends_the_round() -> None:
    clock_state = state(at(45), START, fact(ClockAction.CALL_TIME, 41))
    assert (
        clock_state.phase,
        clock_state.remaining_seconds,
        clock_state.overtime_seconds,
        clock_state.ends_at,
    ) == (
        ClockPhase.TIME_CALLED,
        0,
        240,
        at(41),
    )


def test_a_past_instant_does_not_know_what_came_later() -> None:
    facts = (
        START,
        fact(ClockAction.PAUSE, 10),
        fact(ClockAction.RESUME, 17),
        fact(ClockAction.EXTEND, 20, 60),
        fact(ClockAction.CALL_TIME, 30),
    )
    for minute in (5, 12, 18, 25, 35):
        earlier = [known_fact for known_fact in facts if known_fact.at <= at(minute)]
        assert state(at(minute), *facts) == state(at(minute), *earlier)


def test_facts_may_come_in_any_order() -> None:
    facts = (START, fact(ClockAction.PAUSE, 10), fact(ClockAction.RESUME, 17))
    assert state(at(20), *reversed(facts)) == state(at(20), *facts)


def test_a_hidden_end_shows_nothing_until_time_is_called() -> None:
    setting_with_hidden_end = ClockSetting(30 * 60, warning=600, hidden_end=27 * 60)
    before, after = (
        state(at(20), START, setting=setting_with_hidden_end),
        state(at(27), START, setting=setting_with_hidden_end),
    )
    assert (before.phase, before.shown_seconds, before.remaining_seconds) == (ClockPhase.RUNNING, None, 420)
    assert (after.phase, after.shown_seconds, after.overtime_seconds) == (ClockPhase.TIME_CALLED, 0, 0)


def test_a_hidden_end_is_drawn_from_its_seed_within_the_range() -> None:
    hidden_ends = [draw_hidden_end(seed, 1500, 2100) for seed in range(300)]
    assert draw_hidden_end(7, 1500, 2100) == hidden_ends[7]
    assert (min(hidden_ends) >= 1500, max(hidden_ends) <= 2100, len(set(hidden_ends)) > 150) == (
        True,
        True,
        True,
    )
    assert draw_hidden_end(3, 60, 60) == 60


@each_case(
    ("facts", "codes"),
    [
        ((fact(ClockAction.RESUME, 1),), ["clock-fact"]),
        ((START, fact(ClockAction.START, 2)), ["clock-fact"]),
        (
            (fact(ClockAction.PAUSE, 1), fact(ClockAction.START, 2), fact(ClockAction.RESUME, 3)),
            ["clock-fact"] * 2,
        ),
        ((START, fact(ClockAction.CALL_TIME, 2), fact(ClockAction.CALL_TIME, 3)), ["clock-fact"]),
        ((fact(ClockAction.CALL_TIME, 2),), ["clock-fact"]),
        ((ClockFact(ClockAction.START, datetime(2026, 11, 21, 12)),), ["clock-zones"]),
    ],
)
def test_facts_that_cannot_be_are_told_at_once(facts: tuple[ClockFact, ...], codes: list[str]) -> None:
    with pytest.raises(EngineError) as excinfo:
        state(at(30), *facts)
    assert [problem.code for problem in excinfo.value.problems] == codes


def test_impossible_lengths_are_refused() -> None:
    with pytest.raises(EngineError, match="cannot last"):
        state(at(0), setting=ClockSetting(-1))
    with pytest.raises(EngineError, match="no length"):
        draw_hidden_end(1, 10, 9)


def test_time_called_by_hand_leaves_a_table_the_time_it_was_given() -> None:
    facts = (START, fact(ClockAction.EXTEND, 20, 180, table=7), fact(ClockAction.CALL_TIME, 41))
    assert state(at(42), *facts).phase is ClockPhase.TIME_CALLED
    there = state(at(42), *facts, table=7)
    assert (there.phase, there.remaining_seconds, there.ends_at) == (ClockPhase.WARNING, 120, at(44))
    assert state(at(44), *facts, table=7).phase is ClockPhase.TIME_CALLED
    assert state(at(46), *facts, table=7).overtime_seconds == 120


def test_a_table_with_more_time_sees_its_end_once_the_hidden_one_has_come() -> None:
    setting_with_hidden_end = ClockSetting(30 * 60, hidden_end=27 * 60)
    facts = (START, fact(ClockAction.EXTEND, 5, 180, table=7))
    assert state(at(26), *facts, setting=setting_with_hidden_end, table=7).shown_seconds is None
    assert state(at(28), *facts, setting=setting_with_hidden_end, table=7).shown_seconds == 120


def test_facts_that_lost_what_they_followed_from_are_left_aside() -> None:
    lost_its_pause = (START, fact(ClockAction.RESUME, 17), fact(ClockAction.EXTEND, 20, 60))
    assert drop_inconsistent_facts(lost_its_pause) == [START, fact(ClockAction.EXTEND, 20, 60)]
    assert drop_inconsistent_facts((fact(ClockAction.PAUSE, 3), fact(ClockAction.START, 5))) == [
        fact(ClockAction.START, 5)
    ]
