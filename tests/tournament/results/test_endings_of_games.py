"""Endings that a game declares.

Tests cover who may report them, how lines and forms name them, and what the log says.
"""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from django.test import Client
from django.urls import reverse

from decks.shared.refusals import Refused
from rules import Game, get_game
from tests.scenarios.factories import open_matches, organizer, publish_next, sign_in_organizer, started_event
from tests.scenarios.log_words import all_words
from tournament.archive.export import export_event
from tournament.archive.restore import restore_event
from tournament.events.models.event import Event
from tournament.events.models.round import Match
from tournament.events.settings import name_ending
from tournament.log.models import LogEntry
from tournament.log.selectors import describe_step
from tournament.my_page.forms import ReportForm
from tournament.results.forms import ResultForm, parse_slip
from tournament.results.services import results

pytestmark = pytest.mark.django_db

SEA: list[dict[str, object]] = [
    {"key": "boarded", "label": "Boarded", "mark": "b", "reported_by_players": True, "needs_winner": True},
    {"key": "becalmed", "label": "Becalmed"},
]


@pytest.fixture
def table() -> Match:
    return open_matches(publish_next(started_event(4, game="highlander", format="standard",
                        rules_version="1.7", match_form="one_game_30min")))[0]  # fmt: skip


@pytest.fixture
def sea(monkeypatch: pytest.MonkeyPatch) -> Game:
    """Give the game of `table` other endings."""
    highlander = get_game("highlander")
    game = replace(highlander, data={**highlander.data, "endings": SEA, "result_fields": []})
    monkeypatch.setattr("rules.get_game", lambda key: game)
    return game


def again(match: Match) -> Match:
    return Match.objects.select_related("round__stage__event", "p1", "p2").get(pk=match.pk)


def test_typed_line_takes_the_mark_of_an_ending(sea: Game) -> None:
    assert parse_slip("12 1 0 b d2", sea).entry["ending"] == "boarded"
    with pytest.raises(Refused) as excinfo:
        parse_slip("12 1 0 b", get_game("ufs"))
    assert excinfo.value.code == "line_not_understood"


@pytest.mark.usefixtures("sea")
def test_forms_offer_staff_all_endings_and_players_theirs(table: Match) -> None:
    event = table.round.stage.event
    staff = dict(ResultForm(match=table).fields["ending"].choices)  # type: ignore[attr-defined]
    players = dict(ReportForm(event=event).fields["ending"].choices)  # type: ignore[attr-defined]
    assert {key: staff[key] for key in staff if key in ("boarded", "becalmed")} == {
        "boarded": "Boarded",
        "becalmed": "Becalmed",
    }
    assert list(players) == ["", "concession", "boarded"]


@pytest.mark.usefixtures("sea")
@pytest.mark.parametrize(
    ("ending", "code"),
    [("becalmed", "ending_not_yours"), ("time", "ending_not_yours"), ("sunk", "ending_unknown")],
)  # fmt: skip
def test_player_reports_no_ending_of_staff_and_no_unknown_one(table: Match, ending: str, code: str) -> None:
    with pytest.raises(Refused) as excinfo:
        results.report_result(table, table.p1, p1_games=1, ending=ending)
    assert (excinfo.value.code, excinfo.value.field) == (code, "ending")


@pytest.mark.usefixtures("sea")
def test_ending_that_needs_a_winner_ends_no_draw(table: Match) -> None:
    with pytest.raises(Refused) as excinfo:
        results.enter_result(table, organizer(), p1_games=0, p2_games=0, ending="boarded")
    assert (excinfo.value.code, excinfo.value.message) == ("ending_needs_winner", "“Boarded” needs a winner.")
    results.enter_result(table, organizer(), p1_games=0, p2_games=0, ending="becalmed")
    assert again(table).ending == "becalmed"


def test_result_report_and_log_say_the_ending_in_the_words_of_the_game(table: Match) -> None:
    results.report_result(table, table.p1, p1_games=1, ending="head_shot")
    head_text = f"{table.p1} took the head of {table.p2}"
    assert head_text in again(table).reports.get().words
    results.enter_result(table, organizer(), p1_games=1, ending="head_shot")
    assert again(table).how_it_ended == head_text
    words = all_words(LogEntry.objects.order_by("pk"))
    assert any("as 1-0 (Head Shot)." in line for line in words)
    assert any(f"1-0 ({head_text})" in line for line in words)


def test_log_keeps_the_key_of_the_ending_and_shows_its_label(table: Match) -> None:
    results.enter_result(table, organizer(), p1_games=1, ending="head_shot")
    entry = LogEntry.objects.filter(action="result_entered").latest("pk")
    assert entry.params["result"]["params"]["ending"] == "head_shot"
    lines = [(line.label, line.after) for line in describe_step(entry).rows[0].lines]
    assert ("How it ended", "Head Shot") in lines


def test_archive_with_an_ending_of_no_game_is_refused(table: Match) -> None:
    results.enter_result(table, organizer(), p1_games=1, ending="head_shot")
    document = json.dumps(export_event(table.round.stage.event))
    assert restore_event(document, organizer()).stages.get().rounds.get().matches.filter(ending="head_shot")
    with pytest.raises(Refused) as excinfo:
        restore_event(document.replace('"head_shot"', '"sunk"'), organizer())
    assert {problem.code for problem in excinfo.value.problems} == {"archive_value_wrong"}


def test_ending_that_the_game_does_not_know_is_called_by_its_key() -> None:
    assert [name_ending(Event(game="ufs"), key) for key in ("head_shot", "time", "")] == [
        "head_shot",
        "Time was called",
        "Played out",
    ]


def test_page_of_a_match_takes_the_ending(client: Client, table: Match) -> None:
    sign_in_organizer(client)
    page = reverse("console_match", args=[table.round.stage.event.slug, table.pk])
    assert client.post(page, {"p1_games": 1, "ending": "head_shot", "revision": 0}).status_code == 302
    assert again(table).ending == "head_shot"
