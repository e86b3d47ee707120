"""Public pages of the rounds.

These are pairings, standings, cut, bracket and a player's record.
"""

from __future__ import annotations

import pytest
from django.test import Client

from rules.rendering import say
from tests.everyday import each_case
from tests.scenarios.factories import (
    add_players,
    make_event,
    open_matches,
    organizer,
    play_round,
    publish_next,
    started_event,
    win,
)
from tests.scenarios.public_pages import event_with_cut, get, text_of
from tests.scenarios.rollback import rolled_back
from tests.scenarios.sentences import CUT_IS_MADE
from tournament.pairing.services import rounds
from tournament.registration import services as registration
from tournament.results.services import results
from tournament.setup.services import events

pytestmark = pytest.mark.django_db


def test_drafts_are_never_public(client: Client) -> None:
    event = started_event(4)
    draft = rounds.pair_next_round(event, organizer())
    assert "No pairings yet" in get(client, f"/e/{event.slug}/pairings/")
    assert client.get(f"/e/{event.slug}/pairings/1/").status_code == 404
    assert client.get(f"/e/{event.slug}/standings/1/").status_code == 404
    rounds.publish_round(draft, organizer())
    assert "Round 1" in get(client, f"/e/{event.slug}/pairings/1/")


def test_pairings_by_table_show_results_points_and_the_bye(client: Client) -> None:
    event = started_event(5)
    round_ = play_round(event)
    results.enter_result(round_.matches.get(table=1), organizer(), p1_games=1, p2_games=2)
    publish_next(event)
    first = client.get(f"/e/{event.slug}/pairings/1/").context
    assert [table.number for table in first["tables"]] == [1, 2, None]
    assert [table.result_words for table in first["tables"]] == ["1-2", "2-0", "Bye"]
    second = client.get(f"/e/{event.slug}/pairings/").context
    assert second["round_"].number == 2
    assert second["tables"][0].result_words == "Playing"
    sides = [side for table in second["tables"] for side in (table.red, table.blue) if side]
    assert sorted(side.points for side in sides) == [0, 0, 3, 3, 3]


def test_pairings_by_name_list_everyone_once_with_their_own_games_first(client: Client) -> None:
    event = started_event(4)
    round_ = play_round(event)
    seats = client.get(f"/e/{event.slug}/pairings/?by=name").context["seatings"]
    assert [seat.player.name for seat in seats] == ["Alice", "Bob", "Carol", "Dave"]
    winners = set(round_.matches.values_list("p1__name", flat=True))
    assert {seat.player.name for seat in seats if seat.score == "2-0"} == winners
    assert sum(seat.score == "0-2" for seat in seats) == 2


@each_case(
    ("query", "tables"),
    [("1", {1}), ("99", set()), ("ALI", {1, 2}), (" bob ", {1, 2}), ("xyz", set())],
    around=rolled_back,
)
def test_pairings_are_searched_by_table_and_by_any_part_of_a_name(
    client: Client, query: str, tables: set[int]
) -> None:
    event = started_event(4)
    play_round(event)
    shown_tables = {
        table.number for table in client.get(f"/e/{event.slug}/pairings/", {"q": query}).context["tables"]
    }
    assert shown_tables <= tables
    assert bool(shown_tables) == bool(tables)


def test_search_without_a_hit_says_so_and_shows_the_way_back(client: Client) -> None:
    event = started_event(4)
    play_round(event)
    page = get(client, f"/e/{event.slug}/pairings/?q=<b>nobody")
    assert "No results for “&lt;b&gt;nobody”" in page


def test_standings_explain_each_column_and_say_that_it_is_ours(client: Client) -> None:
    event = started_event(4)
    play_round(event)
    answer = client.get(f"/e/{event.slug}/standings/")
    page = text_of(answer)
    assert "Ringside default." in page
    assert say("reason", "system_source.ufs") in page
    assert "Opponents' match-win percentage" in page.replace("&#x27;", "'")
    assert [column.key for column in answer.context["table"].columns] == ["omw", "gw", "ogw"]


def test_standings_of_a_past_round_stay_what_they_were(client: Client) -> None:
    event = started_event(4)
    play_round(event)
    before = text_of(client.get(f"/e/{event.slug}/standings/1/"))
    play_round(event)
    after = text_of(client.get(f"/e/{event.slug}/standings/1/"))
    assert [w for w in before.split() if w in {"Alice", "Bob", "Carol", "Dave"}] == [
        w for w in after.split() if w in {"Alice", "Bob", "Carol", "Dave"}
    ]


def test_standings_mark_who_would_be_in_the_cut_and_draw_the_line(client: Client) -> None:
    event = started_event(8, cut="top", cut_size=4, swiss_rounds=3)
    play_round(event)
    table = client.get(f"/e/{event.slug}/standings/").context["table"]
    assert [row.is_in for row in table.rows] == [True] * 4 + [False] * 4
    assert [row.is_last_in for row in table.rows].index(True) == 3


def test_standings_before_a_round_is_finished_mark_no_player(client: Client) -> None:
    event = started_event(8, cut="top", cut_size=4)
    publish_next(event)
    table = client.get(f"/e/{event.slug}/standings/").context["table"]
    assert {row.is_in for row in table.rows} == {None}


def test_cut_page_gives_every_player_a_reason(client: Client) -> None:
    event = event_with_cut()
    answer = client.get(f"/e/{event.slug}/cut/")
    rows = answer.context["decisions"]
    assert len(rows) == 6
    assert all(row.reason for row in rows)
    assert sum(row.is_in for row in rows) == 4
    assert CUT_IS_MADE in text_of(answer)


def test_cut_page_of_undeclared_characters_says_what_is_missing(client: Client) -> None:
    event = make_event(cut="diversity", cut_size=2)
    for name in ("Alice", "Bob"):
        registration.add_player(event, organizer(), name=name)
    events.start_event(event, organizer())
    play_round(event)
    assert "The cut is not available yet. " in get(client, f"/e/{event.slug}/cut/")
    assert get(client, f"/e/{event.slug}/standings/")


@pytest.mark.parametrize("page", ["cut/", "bracket/"])
def test_events_without_a_cut_have_no_cut_pages(client: Client, page: str) -> None:
    event = started_event(4)
    assert client.get(f"/e/{event.slug}/{page}").status_code == 404


def test_bracket_shows_open_tables_results_and_the_champion(client: Client) -> None:
    event = event_with_cut(cut="top")
    stage = event.stages.get(position=2)
    assert "Semi-finals" in get(client, f"/e/{event.slug}/bracket/")
    for match in open_matches(stage.rounds.get(number=1)):
        win(match)
    final = win(open_matches(stage.rounds.get(number=2))[0], score=(2, 1))
    page = get(client, f"/e/{event.slug}/bracket/")
    assert f"Champion {final.p1.name}" in page


def test_record_of_a_player_shows_rounds_place_and_the_arithmetic(client: Client) -> None:
    event = started_event(4, swiss_rounds=2)
    winner = play_round(event).matches.select_related("p1", "p2").get(table=1)
    answer = client.get(f"/e/{event.slug}/players/{winner.p1.number}/")
    page = text_of(answer)
    assert f"1 {winner.p2.name} Won 2-0" in page
    worked = {each.explanation.tiebreaker.key: each for each in answer.context["worked"]}
    assert list(worked) == ["points", "omw", "gw", "ogw"]
    assert worked["omw"].explanation.written_sum == "(1/3) / 1 = 1/3"
    assert [step.opponent for step in worked["omw"].steps] == [winner.p2.name]
    assert worked["omw"].shown_value == "33.3%"


def test_record_needs_a_round_and_a_player_who_did_not_withdraw(client: Client) -> None:
    event = make_event()
    alice, *_ = add_players(event, 5)
    assert client.get(f"/e/{event.slug}/players/2/").status_code == 404
    registration.withdraw(alice, organizer())
    events.start_event(event, organizer())
    play_round(event)
    assert client.get(f"/e/{event.slug}/players/1/").status_code == 404
    assert client.get(f"/e/{event.slug}/players/2/").status_code == 200
    assert client.get(f"/e/{event.slug}/players/99/").status_code == 404


def test_record_shows_no_report_that_is_not_agreed(client: Client) -> None:
    event = started_event(2)
    publish_next(event)
    match = open_matches(event.stages.get().rounds.get())[0]
    results.report_result(match, match.p1, p1_games=2, p2_games=1)
    page = get(client, f"/e/{event.slug}/players/1/")
    assert "Playing" in page
    assert "2-1" not in page
