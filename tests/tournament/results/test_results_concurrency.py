"""Two people at one result at the same moment, with real threads.

There is one result, and nothing is overwritten silently.
"""

from __future__ import annotations

from collections import Counter

import pytest

from decks.shared.refusals import Refused
from tests.decks.submissions.test_submission_concurrency import at_once
from tests.scenarios.factories import open_matches, organizer, play_round, started_event
from tournament.events.models.event import Event
from tournament.events.models.round import Match, Round
from tournament.log.models import LogEntry
from tournament.pairing.services import rounds
from tournament.results.services import drops, results

pytestmark = pytest.mark.both_databases


def outcome_of(act) -> str:
    try:
        return act() or "done"
    except Refused as refusal:
        return refusal.code


def fresh(match: Match) -> Match:
    return Match.objects.select_related("round__stage__event", "p1", "p2").get(pk=match.pk)


@pytest.fixture
def event(transactional_db) -> Event:
    running_event = started_event(8, swiss_rounds=3)
    play_round(running_event)
    rounds.publish_round(rounds.pair_next_round(running_event, organizer()), organizer())
    return running_event


def second_round() -> Round:
    return Round.objects.get(number=2)


def test_the_same_slip_typed_by_two_scorekeepers_counts_once(event: Event) -> None:
    match, actor = open_matches(second_round())[0], organizer()

    def type_it(number: int) -> str:
        one = fresh(match)
        return outcome_of(
            lambda: results.enter_result(one, actor, p1_games=2, p2_games=1, overwrite=False).score
        )

    assert at_once(2, type_it) == ["2-1", "2-1"]
    assert fresh(match).revision == 1


def test_two_different_slips_at_once_leave_the_first_and_ask_the_second(event: Event) -> None:
    match, actor = open_matches(second_round())[0], organizer()

    def type_it(number: int) -> str:
        one = fresh(match)
        return outcome_of(
            lambda: results.enter_result(one, actor, p1_games=2, p2_games=number, overwrite=False).score
        )

    answers = Counter(at_once(2, type_it))
    assert answers == {fresh(match).score: 1, "another_result_stands": 1}


def test_corrections_of_one_result_from_two_old_pages_make_one_correction(event: Event) -> None:
    match, actor = Match.objects.filter(round__number=1).order_by("table").first(), organizer()

    def correct(number: int) -> str:
        one = fresh(match)
        return outcome_of(
            lambda: (
                results.enter_result(
                    one, actor, p1_games=number, p2_games=2, way="swap", seen_revision=1, reason="slip"
                ).score
            )
        )

    answers = Counter(at_once(2, correct))
    assert answers == {fresh(match).score: 1, "result_changed_meanwhile": 1}
    assert second_round().pairing["amended"] == 1
    assert second_round().seats.count() == 8


@pytest.mark.postgres
def test_results_coming_in_while_a_round_is_paired_again_are_kept_or_refused(event: Event) -> None:
    actor = organizer()
    wrong = fresh(Match.objects.filter(round__number=1).order_by("table").first())
    tables = [fresh(match) for match in open_matches(second_round())]

    def act(number: int) -> str:
        if number == 0:
            return outcome_of(
                lambda: results.enter_result(wrong, actor, p2_games=2, way="all", reason="slip").outcome
            )
        return outcome_of(lambda: results.enter_result(tables[number - 1], actor, p1_games=2).outcome)

    answers = at_once(1 + len(tables), act)
    played_count = Match.objects.filter(round=second_round()).exclude(outcome="").count()
    assert set(answers) <= {"p1", "p2", "match_gone"}
    assert played_count == answers[1:].count("p1")
    assert second_round().seats.values("player").distinct().count() == 8


def test_pressing_drop_on_two_devices_drops_once(event: Event) -> None:
    match, actor = open_matches(second_round())[0], organizer()
    at_once(2, lambda number: outcome_of(lambda: drops.drop(fresh(match).p1, actor, open_match_policy="win")))
    assert (fresh(match).outcome, fresh(match).revision) == ("p2", 1)
    assert LogEntry.objects.filter(action="player_dropped").count() == 1
