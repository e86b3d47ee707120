"""Results: entered, corrected, reported, disputed."""

from __future__ import annotations

import pytest

from tests.tournament.factories import open_matches, organizer, started_event, win
from tournament.errors import Conflict, Refused
from tournament.models import Match, Round
from tournament.selectors.standings import standings
from tournament.services import results, rounds

pytestmark = pytest.mark.django_db


@pytest.fixture
def table() -> Match:
    """Table 1 of a published first round."""
    event = started_event(4)
    played = rounds.publish(rounds.pair_next_round(event, organizer()), organizer())
    return open_matches(played)[0]


def points(match: Match) -> dict[str, int]:
    lines = standings(match.round.stage.event)
    return {
        line.player.name: line.row.points for line in lines if line.player.pk in (match.p1_id, match.p2_id)
    }


@pytest.mark.parametrize(
    ("p1", "p2", "draws", "outcome"),
    [(2, 0, 0, "p1"), (2, 1, 0, "p1"), (1, 0, 0, "p1"), (1, 1, 0, "draw"), (0, 0, 0, "draw"), (0, 2, 0, "p2"),
     (1, 2, 0, "p2"), (1, 1, 1, "draw")],
)  # fmt: skip
def test_games_decide_the_outcome(table: Match, p1: int, p2: int, draws: int, outcome: str) -> None:
    entered = results.enter_result(table, organizer(), p1_games=p1, p2_games=p2, draws=draws)
    assert entered.outcome == outcome


@pytest.mark.parametrize(("p1", "p2"), [(3, 0), (2, 2), (0, 3), (-1, 2)])
def test_a_score_that_cannot_happen_is_refused(table: Match, p1: int, p2: int) -> None:
    with pytest.raises(Refused):
        results.enter_result(table, organizer(), p1_games=p1, p2_games=p2)
    assert Match.objects.get(pk=table.pk).outcome == ""


def test_standings_are_right_at_once(table: Match) -> None:
    win(table, "p2")
    assert points(table) == {table.p1.name: 0, table.p2.name: 3}


def test_the_same_result_again_changes_nothing(table: Match) -> None:
    first = win(table)
    second = win(table)
    assert first.revision == second.revision == 1
    assert table.round.stage.event.log.filter(action="result_entered").count() == 1


def test_a_correction_counts_and_is_logged_with_its_reason(table: Match) -> None:
    win(table)
    results.enter_result(table, organizer(), p1_games=1, p2_games=2, reason="slip read upside down")
    assert points(table) == {table.p1.name: 0, table.p2.name: 3}
    assert table.round.stage.event.log.first().reason == "slip read upside down"


def test_an_entry_over_somebody_elses_newer_entry_is_a_conflict(table: Match) -> None:
    win(table)
    with pytest.raises(Conflict) as caught:
        results.enter_result(table, organizer(), p1_games=0, p2_games=2, seen_revision=0)
    assert caught.value.code == "result_changed_meanwhile"
    assert Match.objects.get(pk=table.pk).score == "2-0"


def test_a_double_loss_gives_no_points(table: Match) -> None:
    results.enter_result(table, organizer(), p1_games=0, p2_games=0, double_loss=True)
    assert points(table) == {table.p1.name: 0, table.p2.name: 0}


def test_no_result_goes_into_a_draft() -> None:
    event = started_event(4)
    draft = rounds.pair_next_round(event, organizer())
    with pytest.raises(Refused) as caught:
        win(open_matches(draft)[0])
    assert caught.value.code == "round_is_draft"


def test_a_bye_keeps_its_result() -> None:
    event = started_event(5)
    played = rounds.publish(rounds.pair_next_round(event, organizer()), organizer())
    free = played.matches.select_related("round__stage__event").get(outcome="bye")
    with pytest.raises(Refused) as caught:
        results.enter_result(free, organizer(), p1_games=0, p2_games=2)
    assert caught.value.code == "bye_stands"


def test_one_report_is_no_result(table: Match) -> None:
    results.report_result(table, table.p1, p1_games=2, p2_games=1)
    assert Match.objects.get(pk=table.pk).outcome == ""


def test_two_equal_reports_make_the_result(table: Match) -> None:
    results.report_result(table, table.p1, p1_games=2, p2_games=1)
    agreed = results.report_result(table, table.p2, p1_games=2, p2_games=1)
    assert (agreed.outcome, agreed.score) == ("p1", "2-1")
    assert agreed.result_by == f"{table.p1} and {table.p2}"


def test_two_different_reports_wait_for_a_judge(table: Match) -> None:
    results.report_result(table, table.p1, p1_games=2, p2_games=1)
    results.report_result(table, table.p2, p1_games=1, p2_games=2)
    assert Match.objects.get(pk=table.pk).outcome == ""
    results.report_result(table, table.p1, p1_games=1, p2_games=2)
    assert Match.objects.get(pk=table.pk).outcome == "p2"


def test_a_stranger_cannot_report(table: Match) -> None:
    stranger = table.round.stage.event.players.exclude(pk__in=[table.p1_id, table.p2_id]).first()
    with pytest.raises(Refused) as caught:
        results.report_result(table, stranger, p1_games=2, p2_games=0)
    assert caught.value.code == "not_your_match"


def test_a_report_never_changes_a_result_that_stands(table: Match) -> None:
    win(table)
    with pytest.raises(Refused) as caught:
        results.report_result(table, table.p2, p1_games=0, p2_games=2)
    assert caught.value.code == "result_stands"
    assert Round.objects.get().matches.get(pk=table.pk).outcome == "p1"
