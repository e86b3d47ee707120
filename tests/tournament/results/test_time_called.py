"""A table when time is called.

Tests cover the rule's questions, its outcome with the clause, and the result in one press.
"""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.test import Client

from decks.shared.refusals import Refused
from rules.rendering import say
from tests.scenarios.factories import make_user, open_matches, organizer, started_event
from tests.scenarios.log_words import words_of
from tests.tournament.clock.test_clock import HIGHLANDER, publish_round
from tournament.archive.export import export_event
from tournament.archive.restore import restore_event
from tournament.clock.models import TimeSettlement
from tournament.events.models.player import Player
from tournament.events.models.round import Match, Round
from tournament.results.services import time_called as settlements
from tournament.results.table_at_time import evaluate_time_called

pytestmark = pytest.mark.django_db

LEVEL = {"games_p1": "1", "games_p2": "1", "game_in_progress": "yes", "last_turn_winner": "nobody"}
CFC: dict[str, Any] = {
    "game": "cfc",
    "format": "standard",
    "rules_version": "1",
    "match_form": "one_game_30min",
    "round_minutes": 30,
}
VERSUS: dict[str, Any] = {
    "game": "sf_miniatures",
    "format": "versus",
    "rules_version": "1",
    "match_form": "versus_25min",
    "round_minutes": 25,
}
NUMBERS = {
    "vitality_p1": "20",
    "character_vitality_p1": "25",
    "vitality_p2": "15",
    "character_vitality_p2": "20",
}
AHEAD = {**LEVEL, "games_p1": "0", "game_in_progress": "no"}


def table(round_: Round) -> Match:
    return open_matches(round_)[0]


def bracket_table(version: str = "1.9") -> Match:
    event = started_event(2, plan=[{"kind": "single"}], rules_version=version)
    return table(Round.objects.get(stage__event=event))


def keys(match: Match, answers: dict[str, Any]) -> list[str]:
    settlement = settlements.save_answers(match, organizer(), answers)
    return [one.key for one in settlement.questions if one.is_open]


def test_level_games_in_swiss_are_a_draw_and_entered_with_one_press() -> None:
    match = table(publish_round())
    settlement = settlements.save_answers(match, organizer(), LEVEL)
    assert (settlement.outcome.result, settlement.outcome.clause, settlement.score) == (
        "draw",
        "102.3",
        "1-1",
    )
    settled_match = settlements.enter_settled_result(match, organizer(), seen_revision=0)
    assert (settled_match.outcome, settled_match.score, settled_match.ending) == ("draw", "1-1", "time")
    time_settlement = TimeSettlement.objects.get(match=match)
    assert time_settlement.facts == {
        "games_p1": 1,
        "games_p2": 1,
        "game_in_progress": True,
        "last_turn_winner": None,
    }
    assert (time_settlement.result, time_settlement.clause, time_settlement.settled_by) == (
        "draw",
        "102.3",
        organizer().label,
    )


def test_a_lead_of_one_game_wins_in_swiss_with_the_players_name() -> None:
    match = table(publish_round())
    settlement = settlements.save_answers(match, organizer(), {**LEVEL, "games_p1": "0"})
    assert (settlement.outcome.result, settlement.score) == ("p2", "0-1")
    assert settlement.sentence.startswith(match.p2.name)


def test_the_rule_asks_on_only_where_the_games_do_not_decide() -> None:
    match = bracket_table()
    vitality = ["vitality_p1", "vitality_p2", "character_vitality_p1", "character_vitality_p2"]
    assert keys(match, LEVEL) == vitality
    assert keys(match, {**LEVEL, **NUMBERS}) == ["removed_p1", "removed_p2"]
    assert keys(match, {**LEVEL, **NUMBERS, "removed_p1": "3", "removed_p2": "3"}) == ["first_blood_winner"]
    answers = {**LEVEL, **NUMBERS, "removed_p1": "3", "removed_p2": "3", "first_blood_winner": "p2"}
    settlement = settlements.save_answers(match, organizer(), answers)
    assert (settlement.outcome.decided_by, settlement.score, settlement.outcome.clause) == (
        "first_blood",
        "1-2",
        "102.3.1",
    )


def test_no_running_game_needs_no_winner_of_one() -> None:
    match = table(publish_round())
    answers = {"games_p1": "1", "games_p2": "0", "game_in_progress": "no"}
    settlement = settlements.save_answers(match, organizer(), answers)
    assert [one.key for one in settlement.questions] == ["games_p1", "games_p2", "game_in_progress"]
    assert (settlement.score, settlement.outcome.clause) == ("1-0", "102.3")
    again = settlements.save_answers(match, organizer(), {**answers, "last_turn_winner": "nobody"})
    assert [one.key for one in again.questions] == ["games_p1", "games_p2", "game_in_progress"]
    assert again.facts == {"games_p1": 1, "games_p2": 0, "game_in_progress": False}


def test_a_winner_of_a_game_that_was_not_played_is_said_and_not_dropped() -> None:
    match = table(publish_round())
    answers = {**LEVEL, "game_in_progress": "no", "last_turn_winner": "p1"}
    settlement = settlements.save_answers(match, organizer(), answers)
    assert settlement.sentence == say("timed", "no-game-to-win")
    assert "last_turn_winner" in [one.key for one in settlement.questions]


def test_the_page_takes_the_question_away_where_it_is_answered_with_no() -> None:
    match = table(publish_round())
    client = Client()
    client.force_login(make_user("root@example.org", is_superuser=True))
    address = f"/console/{match.round.stage.event.slug}/matches/{match.pk}/time/"
    assert 'data-unless-no="game_in_progress"' in client.get(address).content.decode()
    client.post(address, {"games_p1": "1", "games_p2": "1", "game_in_progress": "no"})
    page = client.get(address).content.decode()
    assert "last_turn_winner" not in page
    assert 'Enter <bdi class="nowrap">1-1</bdi> for table' in page


def test_an_older_rulebook_leaves_the_last_tie_to_the_organizer() -> None:
    match = bracket_table("1.8")
    answers = {**LEVEL, **NUMBERS, "removed_p1": "3", "removed_p2": "3"}
    settlement = settlements.save_answers(match, organizer(), answers)
    assert (settlement.goes_to_organizer, settlement.outcome.clause) == (True, "100.2")
    with pytest.raises(Refused) as refusal:
        settlements.enter_settled_result(match, organizer())
    assert refusal.value.code == "not_settled_yet"
    settlement = settlements.save_answers(match, organizer(), {**answers, "organizer_ruling": "p1"})
    assert (settlement.score, settlement.outcome.decided_by) == ("2-1", "organizer")


def test_highlander_never_draws_and_plays_end_game() -> None:
    match = table(publish_round(**HIGHLANDER))
    settlement = settlements.save_answers(
        match, organizer(), {"last_turn_winner": "nobody", "finished_turn": "p1"}
    )
    assert (settlement.outcome.result, settlement.outcome.next_step) == ("play_on", "end_game")
    assert f"begins with {match.p2.name}" in settlement.sentence
    answers = {"last_turn_winner": "nobody", "finished_turn": "p1", "end_game_winner": "p2"}
    settlements.save_answers(match, organizer(), answers)
    assert settlements.enter_settled_result(match, organizer()).score == "0-1"


@pytest.mark.parametrize(
    ("tiebreak", "result", "score"),
    [
        ({"hp_tiebreak": "no"}, "draw", "0-0"),
        ({"hp_tiebreak": "yes", "hp_p1": "900", "hp_p2": "1200"}, "p2", "0-1"),
    ],
)
def test_card_fighters_clash_goes_by_hp_only_where_it_was_announced(
    tiebreak: dict[str, str], result: str, score: str
) -> None:
    match = table(publish_round(**CFC))
    answers = {"games_p1": "0", "games_p2": "0", "last_turn_winner": "nobody"}
    settlement = settlements.save_answers(match, organizer(), {**answers, **tiebreak})
    assert (settlement.outcome.result, settlement.score, settlement.outcome.is_ours) == (result, score, True)


def test_street_fighter_goes_by_time_out_where_it_was_agreed() -> None:
    match = table(publish_round(**VERSUS))
    agreed_answers = {"rounds_p1": "1", "rounds_p2": "0", "time_out_agreed": "yes"}
    numbers = {"health_p1": "5", "health_p2": "5", "meter_p1": "2", "meter_p2": "1"}
    settlement = settlements.save_answers(match, organizer(), {**agreed_answers, **numbers})
    assert (settlement.outcome.result, settlement.outcome.decided_by, settlement.score) == (
        "p1",
        "meter",
        "2-0",
    )


def test_whom_the_organizer_names_without_a_lead_has_won_the_games_it_takes() -> None:
    match = table(publish_round(**VERSUS))
    answers = {"rounds_p1": "1", "rounds_p2": "0", "time_out_agreed": "no", "organizer_ruling": "p2"}
    assert settlements.save_answers(match, organizer(), answers).games == (1, 2)


def test_a_street_fighter_match_without_a_named_winner_is_entered_as_a_draw() -> None:
    match = table(publish_round(**VERSUS))
    answers = {"rounds_p1": "1", "rounds_p2": "0", "time_out_agreed": "no", "organizer_ruling": "nobody"}
    settlements.save_answers(match, organizer(), answers)
    assert settlements.enter_settled_result(match, organizer()).outcome == "draw"


def test_answers_that_are_none_are_all_named_and_nothing_is_kept() -> None:
    match = table(publish_round())
    answers = {**LEVEL, "games_p1": "-1", "games_p2": "9" * 60, "game_in_progress": "perhaps"}
    answers["last_turn_winner"] = "p3"
    with pytest.raises(Refused) as refusal:
        settlements.save_answers(match, organizer(), answers)
    assert [problem.field for problem in refusal.value.problems] == list(answers)
    assert TimeSettlement.objects.count() == 0


def test_answers_that_contradict_each_other_are_said_and_settle_nothing() -> None:
    match = table(publish_round())
    settlement = settlements.save_answers(match, organizer(), {**LEVEL, "games_p1": "2", "games_p2": "2"})
    assert (settlement.outcome.result, settlement.is_settled) == ("facts_needed", False)
    assert "2-2" in settlement.sentence


@pytest.mark.both_databases
def test_a_changed_answer_drops_what_is_no_longer_asked() -> None:
    match = bracket_table()
    settlements.save_answers(match, organizer(), {**LEVEL, **NUMBERS})
    settlement = settlements.save_answers(match, organizer(), {**LEVEL, **NUMBERS, "games_p1": "0"})
    assert sorted(settlement.facts) == sorted(LEVEL)
    assert evaluate_time_called(match, settlement.facts).score == "0-1"


def test_the_answers_travel_in_the_archive() -> None:
    match = table(publish_round())
    settlements.save_answers(match, organizer(), LEVEL)
    again = restore_event(json.dumps(export_event(match.round.stage.event)), organizer())
    copy = TimeSettlement.objects.get(match__round__stage__event=again)
    assert (copy.facts["games_p1"], copy.result, copy.clause) == (1, "draw", "102.3")


def test_a_judge_settles_a_table_on_its_page_and_the_result_shows_why() -> None:
    match = table(publish_round())
    event = match.round.stage.event
    client = Client()
    client.force_login(make_user("root@example.org", is_superuser=True))
    address = f"/console/{event.slug}/matches/{match.pk}/time/"
    assert client.get(address).status_code == 200
    assert client.post(address, LEVEL).status_code == 302
    page = client.get(address).content.decode()
    assert 'Enter <bdi class="nowrap">1-1</bdi> for table' in page
    assert client.post(address, {"enter": "1", "revision": "0"}).status_code == 302
    assert Match.objects.get(pk=match.pk).score == "1-1"
    text = client.get(f"/e/{event.slug}/matches/{match.pk}/").content.decode()
    assert 'aria-labelledby="time"' in text
    assert client.post(address, {"games_p1": "\x00", "games_p2": "x" * 9999}).status_code == 302


def test_a_table_is_settled_by_another_program() -> None:
    match = table(publish_round())
    event = match.round.stage.event
    client = Client()
    client.force_login(make_user("root@example.org", is_superuser=True))
    address = f"/api/events/{event.slug}/matches/{match.pk}/time/"
    first = client.get(address).json()
    assert (first["result"], [q["key"] for q in first["questions"]]) == (
        "facts_needed",
        ["games_p1", "games_p2", "game_in_progress", "last_turn_winner"],
    )
    payload = client.put(address, {"answers": LEVEL}, content_type="application/json").json()
    assert (payload["result"], payload["score"], payload["clause"]) == ("draw", "1-1", "102.3")
    assert client.post(address, content_type="application/json").json()["outcome"] == "draw"


def test_log_stores_what_was_answered_by_codes_with_the_players() -> None:
    match = table(publish_round())
    settlements.save_answers(match, organizer(), AHEAD)
    line = match.round.stage.event.log.get(action="time_answered")
    assert [each["code"] for each in line.params["outcome"]] == ["won-more-games.score"]
    assert line.params["outcome"][0]["params"]["winner"] == {"player": match.p2_id}
    Player.objects.filter(pk=match.p2_id).update(name="Player 12")
    assert "Player 12" in words_of(line)


def test_result_by_the_rule_is_logged_with_its_reasons_and_no_sentence() -> None:
    match = table(publish_round())
    settlements.save_answers(match, organizer(), AHEAD)
    settlements.enter_settled_result(match, organizer())
    line = match.round.stage.event.log.get(action="result_entered")
    assert (line.reason, line.params["clause"]) == ("", "102.3")
    assert [each["code"] for each in line.params["settled"]] == ["won-more-games.score"]
    assert words_of(line).endswith(" (102.3)")


def test_answers_logged_before_codes_are_read_as_they_were_written() -> None:
    match = table(publish_round())
    settlements.save_answers(match, organizer(), LEVEL)
    line = match.round.stage.event.log.get(action="time_answered")
    line.params["outcome"] = {"code": "told", "params": {"told": "A draw, it was said."}}
    assert words_of(line).endswith(": A draw, it was said.")
