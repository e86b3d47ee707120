"""Results: entered, corrected, reported, disputed."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from decks.shared.refusals import Conflict, Refused
from tests.everyday import each_case
from tests.scenarios.factories import open_matches, organizer, publish_next, started_event, win
from tests.scenarios.rollback import rolled_back
from tournament.events.models.round import Match, Round
from tournament.my_page import selectors as player
from tournament.pairing.selectors import pairings as console
from tournament.pairing.services import rounds
from tournament.results.services import results
from tournament.shared import coded_texts
from tournament.standings.selectors.standings import standings

pytestmark = pytest.mark.django_db
HIGHLANDER = "one_game_30min"


@pytest.fixture
def table() -> Match:
    """Table 1 of a published first round."""
    event = started_event(4)
    round_ = publish_next(event)
    return open_matches(round_)[0]


def points(match: Match) -> dict[str, int]:
    lines = standings(match.round.stage.event)
    return {
        line.player.name: line.row.points for line in lines if line.player.pk in (match.p1_id, match.p2_id)
    }


@each_case(
    ("p1", "p2", "draws", "outcome"),
    [(2, 0, 0, "p1"), (2, 1, 0, "p1"), (1, 0, 0, "p1"), (1, 1, 0, "draw"), (0, 0, 0, "draw"), (0, 2, 0, "p2"),
     (1, 2, 0, "p2"), (1, 1, 1, "draw")], around=rolled_back,
)  # fmt: skip
def test_games_decide_the_outcome(table: Match, p1: int, p2: int, draws: int, outcome: str) -> None:
    entered_match = results.enter_result(table, organizer(), p1_games=p1, p2_games=p2, draws=draws)
    assert entered_match.outcome == outcome


@each_case(("p1", "p2"), [(3, 0), (2, 2), (0, 3), (-1, 2)], around=rolled_back)
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


def test_a_result_takes_eleven_statements_and_writes_its_match_once(table: Match) -> None:
    actor = organizer()
    with CaptureQueriesContext(connection) as queries:
        results.enter_result(table, actor, p1_games=2, p2_games=0)
    statements = [query["sql"] for query in queries if "SAVEPOINT" not in query["sql"]]
    # PostgreSQL is asked to tell listeners as well.
    assert len(statements) == (11 if connection.vendor == "sqlite" else 12)
    assert sum(statement.startswith('UPDATE "tournament_match"') for statement in statements) == 1


def test_a_correction_counts_and_is_logged_with_its_reason(table: Match) -> None:
    win(table)
    results.enter_result(table, organizer(), p1_games=1, p2_games=2, reason="slip read upside down")
    assert points(table) == {table.p1.name: 0, table.p2.name: 3}
    assert table.round.stage.event.log.first().reason == "slip read upside down"


def test_an_entry_over_the_newer_entry_of_another_scorekeeper_is_a_conflict(table: Match) -> None:
    win(table)
    with pytest.raises(Conflict) as excinfo:
        results.enter_result(table, organizer(), p1_games=0, p2_games=2, seen_revision=0)
    assert excinfo.value.code == "result_changed_meanwhile"
    assert excinfo.value.params["result"].params == {"score": "2-0", "how": None}
    assert Match.objects.get(pk=table.pk).score == "2-0"


def test_an_entry_over_a_result_that_was_cleared_meanwhile_is_a_conflict(table: Match) -> None:
    finished_match = win(table)
    results.clear_result(table, organizer())
    with pytest.raises(Conflict) as excinfo:
        results.enter_result(
            table, organizer(), p1_games=0, p2_games=2, seen_revision=finished_match.revision
        )
    assert excinfo.value.reason.code == "result_changed_meanwhile.cleared"
    assert Match.objects.get(pk=table.pk).outcome == ""


def test_a_double_loss_gives_no_points(table: Match) -> None:
    results.enter_result(table, organizer(), p1_games=0, p2_games=0, double_loss=True)
    assert points(table) == {table.p1.name: 0, table.p2.name: 0}


def test_no_result_goes_into_a_draft() -> None:
    event = started_event(4)
    draft = rounds.pair_next_round(event, organizer())
    with pytest.raises(Refused) as excinfo:
        win(open_matches(draft)[0])
    assert excinfo.value.code == "round_is_draft"


def test_a_bye_keeps_its_result() -> None:
    event = started_event(5)
    round_ = publish_next(event)
    free = round_.matches.select_related("round__stage__event").get(outcome="bye")
    with pytest.raises(Refused) as excinfo:
        results.enter_result(free, organizer(), p1_games=0, p2_games=2)
    assert excinfo.value.code == "bye_stands"


def test_one_report_is_no_result(table: Match) -> None:
    results.report_result(table, table.p1, p1_games=2, p2_games=1)
    assert Match.objects.get(pk=table.pk).outcome == ""


def test_two_equal_reports_make_the_result(table: Match) -> None:
    results.report_result(table, table.p1, p1_games=2, p2_games=1)
    agreed_match = results.report_result(table, table.p2, p1_games=2, p2_games=1)
    assert (agreed_match.outcome, agreed_match.score) == ("p1", "2-1")
    assert agreed_match.result_by == coded_texts.BY_BOTH_PLAYERS


def test_two_different_reports_wait_for_a_judge(table: Match) -> None:
    results.report_result(table, table.p1, p1_games=2, p2_games=1)
    results.report_result(table, table.p2, p1_games=1, p2_games=2)
    assert Match.objects.get(pk=table.pk).outcome == ""
    results.report_result(table, table.p1, p1_games=1, p2_games=2)
    assert Match.objects.get(pk=table.pk).outcome == "p2"


def test_a_stranger_cannot_report(table: Match) -> None:
    stranger = table.round.stage.event.players.exclude(pk__in=[table.p1_id, table.p2_id]).first()
    with pytest.raises(Refused) as excinfo:
        results.report_result(table, stranger, p1_games=2, p2_games=0)
    assert excinfo.value.code == "not_your_match"


def test_a_report_never_changes_a_result_that_stands(table: Match) -> None:
    win(table)
    with pytest.raises(Refused) as excinfo:
        results.report_result(table, table.p2, p1_games=0, p2_games=2)
    assert excinfo.value.code == "result_stands"
    assert Round.objects.get().matches.get(pk=table.pk).outcome == "p1"


# -- how a match ended


def again(match: Match) -> Match:
    return Match.objects.select_related("round__stage__event", "p1", "p2").get(pk=match.pk)


def list_problem_codes(match: Match, **entry: Any) -> list[str]:
    with pytest.raises(Refused) as excinfo:
        results.enter_result(match, organizer(), **entry)
    return [problem.code for problem in excinfo.value.problems]


def highlander_table() -> Match:
    event = started_event(
        4, game="highlander", format="standard", rules_version="1.7", match_form=HIGHLANDER, round_minutes=30
    )
    return open_matches(publish_next(event))[0]


def test_concession_gives_the_opponent_the_games_still_needed(table: Match) -> None:
    results.enter_result(table, organizer(), p1_games=1, p2_games=1, ending="concession", loser="p2")
    assert (again(table).score, again(table).how_it_ended) == ("2-1", f"{table.p2} conceded")


def test_a_highlander_concession_needs_the_opponents_consent() -> None:
    table = highlander_table()
    assert list_problem_codes(table, ending="concession", loser="p1") == ["consent_needed"]
    results.enter_result(table, organizer(), ending="concession", loser="p1", consent=True)
    assert (again(table).outcome, again(table).consent) == ("p2", True)


def test_a_head_shot_hands_the_losers_quickenings_over() -> None:
    table = highlander_table()
    results.enter_result(table, organizer(), p1_games=1, ending="head_shot", details={"quickenings": 3})
    words = f"{table.p1} took the head of {table.p2}; 3 Quickenings of {table.p2} go to {table.p1}"
    assert again(table).how_it_ended == words
    declined_details = {"quickenings": 3, "quickenings_declined": True}
    results.enter_result(table, organizer(), p1_games=1, ending="head_shot", details=declined_details)
    assert again(table).how_it_ended.endswith(f"{table.p1} declined 3 Quickenings")


def test_no_draw_is_offered_in_a_game_that_knows_none(table: Match) -> None:
    immortals = highlander_table().round
    assert console.list_score_options(immortals) == [(1, 0), (0, 1)]
    buttons = player.list_score_buttons(immortals.stage.event, ("Ann", "Bo"), needs_winner=False)
    assert [button.value for button in buttons] == ["1-0", "0-1"]
    assert (1, 1) in console.list_score_options(table.round)


def test_no_head_is_taken_in_ufs(table: Match) -> None:
    assert list_problem_codes(table, p1_games=2, ending="head_shot") == ["ending_unknown"]


@pytest.mark.both_databases
def test_players_may_agree_on_a_draw_where_the_event_allows_it(table: Match) -> None:
    assert list_problem_codes(table, ending="agreed_draw") == ["agreed_draw_not_allowed"]
    type(table.round.stage.event).objects.update(intentional_draws=True)
    results.enter_result(again(table), organizer(), ending="agreed_draw")
    assert (again(table).outcome, points(table)) == ("draw", {table.p1.name: 1, table.p2.name: 1})
    assert again(table).score == "0-0"


def test_intentional_draw_is_recorded_as_the_scoring_system_says(table: Match) -> None:
    type(table.round.stage.event).objects.update(intentional_draws=True, standings_system="magic")
    results.enter_result(again(table), organizer(), ending="agreed_draw")
    assert (again(table).outcome, again(table).score) == ("draw", "0-0-3")


@pytest.mark.both_databases
def test_an_absent_player_is_waited_for_as_long_as_the_organizer_says(table: Match) -> None:
    Round.objects.update(published_at=timezone.now())
    assert list_problem_codes(again(table), ending="no_show", loser="p2") == ["too_early_for_no_show"]
    results.enter_result(again(table), organizer(), ending="no_show", loser="p2", reason="rang: ill in bed")
    assert (again(table).score, again(table).forfeit) == ("2-0", True)


def test_two_absent_players_both_lose(table: Match) -> None:
    results.enter_result(table, organizer(), ending="no_show", loser="both", reason="both at lunch")
    assert (again(table).outcome, points(table)) == ("double_loss", {table.p1.name: 0, table.p2.name: 0})


@each_case(
    ("entry", "codes"),
    [
        ({"ending": "concession"}, ["loser_missing"]),
        ({"ending": "concession", "loser": "both"}, ["both_concede"]),
        ({"loser": "p1"}, ["loser_without_ending"]),
        ({"ending": "penalty", "loser": "p3", "p1_games": 9}, ["score_impossible", "loser_unknown"]),
        ({"ending": "struck by lightning"}, ["ending_unknown"]),
        ({"ending": "disqualified", "loser": "p1", "p1_games": 2}, ["score_impossible"]),
    ],
    around=rolled_back,
)
def test_an_ending_that_makes_no_sense_is_refused(
    table: Match, entry: dict[str, Any], codes: list[str]
) -> None:
    assert list_problem_codes(table, **entry) == codes
    assert again(table).outcome == ""


def test_player_concedes_by_phone_without_asking_in_ufs(table: Match) -> None:
    results.report_result(table, table.p2, p1_games=1, p2_games=1, ending="concession")
    assert (again(table).score, again(table).result_by) == ("2-1", coded_texts.BY_PLAYER)


def test_no_player_concedes_for_the_opponent(table: Match) -> None:
    results.report_result(table, table.p1, p1_games=1, p2_games=0, ending="concession")
    assert again(table).outcome == ""


def test_a_highlander_concession_waits_for_the_opponents_phone() -> None:
    table = highlander_table()
    results.report_result(table, table.p2, ending="concession")
    assert again(table).outcome == ""
    results.report_result(table, table.p1, p1_games=1, ending="concession")
    assert (again(table).outcome, again(table).ending, again(table).consent) == ("p1", "concession", True)


def test_a_report_of_other_endings_differs(table: Match) -> None:
    type(table.round.stage.event).objects.update(intentional_draws=True)
    results.report_result(again(table), table.p1, p1_games=1, p2_games=1, ending="agreed_draw")
    results.report_result(again(table), table.p2, p1_games=1, p2_games=1)
    assert again(table).outcome == ""
    assert list_problem_codes(again(table), p1_games=1, p2_games=1) == ["reason_needed"]
