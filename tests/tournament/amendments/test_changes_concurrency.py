"""Two scorekeepers at one published round at the same moment, with real threads."""

from __future__ import annotations

from collections import Counter

import pytest

from decks.shared.refusals import Refused
from tests.decks.submissions.test_submission_concurrency import at_once
from tests.scenarios.factories import open_matches, organizer, play_round, publish_next, started_event
from tournament.amendments.services.changes import RoundChange, change_round
from tournament.amendments.services.preview import preview_change
from tournament.events.models.event import Event
from tournament.events.models.round import Match, Round
from tournament.log.models import LogEntry
from tournament.results.services import results


def outcome_of(act) -> str:
    try:
        act()
    except Refused as refusal:
        return refusal.code
    return "done"


@pytest.fixture
def event(transactional_db) -> Event:
    running_event = started_event(8, swiss_rounds=3)
    play_round(running_event)
    publish_next(running_event)
    return running_event


def get_running_round() -> Round:
    return Round.objects.select_related("stage__event").get(number=2)


def at(table: int) -> Match:
    matches = Match.objects.select_related("round__stage__event", "p1", "p2")
    return matches.get(round__number=2, table=table)


@pytest.mark.daily_on_postgres
def test_the_same_previewed_swap_from_two_pages_is_made_once(event: Event) -> None:
    one, two = at(1), at(2)
    change, actor = RoundChange("swap", one=one.p2.number, two=two.p2.number), organizer()
    seen_mark = preview_change(get_running_round(), actor, change).keep.mark
    answers = at_once(
        2, lambda n: outcome_of(lambda: change_round(get_running_round(), actor, change, seen_mark=seen_mark))
    )
    assert Counter(answers) == {"done": 1, "round_changed_meanwhile": 1}
    assert (at(1).p2, at(2).p2) == (two.p2, one.p2)
    assert LogEntry.objects.filter(action="round_players_swapped").count() == 1


@pytest.mark.both_databases
def test_a_swap_and_a_result_of_one_table_at_once_never_mix(event: Event) -> None:
    one, two, actor = at(1), at(2), organizer()
    change = RoundChange("swap", one=one.p2.number, two=two.p2.number)
    seen_mark = preview_change(get_running_round(), actor, change).keep.mark

    def act(number: int) -> str:
        if number == 0:
            return outcome_of(lambda: change_round(get_running_round(), actor, change, seen_mark=seen_mark))
        return outcome_of(lambda: results.enter_result(one, actor, p1_games=2, seen_revision=one.revision))

    answers = at_once(2, act)
    assert answers in (["done", "result_changed_meanwhile"], ["round_changed_meanwhile", "done"])
    is_swapped = answers[0] == "done"
    assert (at(1).p2, at(1).outcome) == ((two.p2, "") if is_swapped else (one.p2, "p1"))


@pytest.mark.daily_on_postgres
def test_results_of_other_tables_come_in_while_a_round_is_changed(event: Event) -> None:
    actor, others = organizer(), [at(3), at(4)]
    change = RoundChange("swap", one=at(1).p2.number, two=at(2).p2.number)
    seen_mark = preview_change(get_running_round(), actor, change).keep.mark

    def act(number: int) -> str:
        if number == 0:
            return outcome_of(lambda: change_round(get_running_round(), actor, change, seen_mark=seen_mark))
        match = others[number - 1]
        return outcome_of(
            lambda: results.enter_result(match, actor, p1_games=2, seen_revision=match.revision)
        )

    assert at_once(3, act) == ["done"] * 3
    assert len(open_matches(get_running_round())) == 2
    assert get_running_round().seats.values("player").distinct().count() == 8
