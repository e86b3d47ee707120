"""The one dataclass that says what a result is.

All else follows from its fields, and from what a game declares.
"""

from __future__ import annotations

from dataclasses import asdict, field, make_dataclass, replace
from typing import Any

import pytest
from django.db import models
from django.test import Client
from django.urls import reverse

import rules
from decks.shared.refusals import Refused
from rules import get_game
from rules.endings import ENDINGS
from rules.result_fields import ResultField
from tests.scenarios.factories import open_matches, organizer, publish_next, sign_in_organizer, started_event
from tests.scenarios.html import html_of
from tournament.events.models import match_result
from tournament.events.models.match_result import (
    COUNTED,
    EMPTY_RESULT,
    ENTERED,
    REPORTED,
    Ending,
    MatchResult,
    result_names,
)
from tournament.events.models.round import Match, ResultReport
from tournament.log.selectors import describe_step
from tournament.log.services import undo_step
from tournament.log.undo_plan import PAIRING_BASIS_COLUMNS
from tournament.matches import REOPENED, EnteredFields
from tournament.my_page.api import GamesSerializer
from tournament.results.api import EntrySerializer
from tournament.results.forms import ResultForm, parse_slip
from tournament.results.services import results
from tournament.web import api as web_api

pytestmark = pytest.mark.django_db

PEARLS = ResultField("pearls", "whole", "Pearls", most=20, mark="p", says="{winner} took {pearls} pearls")
TIDE = ResultField("tide", "whole_each", "Tide", most=9, mark="w")
STORM = ResultField("storm", "yes_no", "A storm came up", ending="time", mark="st")


@pytest.fixture
def table() -> Match:
    return open_matches(publish_next(started_event(4, game="highlander", format="standard",
                        rules_version="1.7", match_form="one_game_30min")))[0]  # fmt: skip


@pytest.fixture
def declared(monkeypatch: pytest.MonkeyPatch) -> None:
    """Give the game of `table` other result fields."""
    highlander = get_game("highlander")
    fields = [asdict(each) for each in (PEARLS, TIDE, STORM)]
    game = replace(highlander, data={**highlander.data, "result_fields": fields})
    monkeypatch.setattr("rules.get_game", lambda key: game)


def again(match: Match) -> Match:
    return Match.objects.select_related("round__stage__event", "p1", "p2").get(pk=match.pk)


def list_problems(match: Match, **entry: Any) -> list[tuple[str, str | None]]:
    with pytest.raises(Refused) as excinfo:
        results.enter_result(match, organizer(), **entry)
    return [(problem.code, problem.field) for problem in excinfo.value.problems]


def columns_of(table: type[models.Model]) -> set[str]:
    return {column.name for column in table._meta.concrete_fields}


def test_every_field_of_a_result_is_a_column_with_its_empty_value() -> None:
    assert set(result_names()) <= columns_of(Match)
    assert {
        name: Match._meta.get_field(name).get_default() for name in result_names()
    } == EMPTY_RESULT.values()
    assert columns_of(ResultReport) & set(result_names()) == set(result_names(REPORTED))
    assert set(REOPENED) == {*result_names(), "result_by", "result_at"}
    assert PAIRING_BASIS_COLUMNS["match"] == {*result_names(COUNTED), "p1_id", "p2_id"}


def test_every_field_that_is_entered_is_in_form_and_api() -> None:
    extra = {"double_loss", "loser", "drop", "revision", "reason"}
    assert set(ResultForm.base_fields) == {*result_names(ENTERED), *extra} - {"details", "boards"}
    assert set(EntrySerializer().fields) == {*result_names(ENTERED), *extra}
    assert set(GamesSerializer().fields) == {*result_names(REPORTED), "match"}
    assert set(result_names()) <= set(web_api.MatchSerializer().fields)


def test_a_field_more_in_the_dataclass_is_all_that_a_new_fact_takes(monkeypatch: pytest.MonkeyPatch) -> None:
    umpire = models.CharField("umpire", max_length=9, default="", blank=True)
    more = field(default="", metadata={"column": umpire, "uses": frozenset({ENTERED, REPORTED})})
    wider = make_dataclass("Wider", [("umpire", str, more)], bases=(MatchResult,), frozen=True, slots=True)
    monkeypatch.setattr(match_result, "MatchResult", wider)
    result_names.cache_clear()
    try:
        assert [column.name for column in match_result.iterate_columns()][-1] == "umpire"
        assert "umpire" in wider().values(ENTERED)
        assert "umpire" in web_api.make_result_fields(REPORTED)
        columns = match_result._columns("WiderColumns", REPORTED)
        assert {column.name for column in columns._meta.fields} == {*result_names(REPORTED)}
    finally:
        result_names.cache_clear()


def test_endings_that_games_may_name_are_those_that_there_are() -> None:
    assert {"", *ENDINGS} == set(Ending.values)


def test_result_that_is_entered_with_a_field_that_is_none_is_a_mistake_of_the_program(table: Match) -> None:
    with pytest.raises(TypeError, match="forfeit"):
        results.enter_result(table, organizer(), p1_games=1, forfeit=True)


@pytest.mark.usefixtures("declared")
def test_details_are_kept_said_logged_and_undone(table: Match) -> None:
    details = {"pearls": 7, "tide": {"p1": 2}, "storm": False}
    results.enter_result(table, organizer(), p1_games=1, details=details)
    entered_match = again(table)
    assert entered_match.details == {"pearls": 7, "tide": {"p1": 2, "p2": 0}}
    tide = f"Tide: {table.p1} 2, {table.p2} 0"
    assert entered_match.how_it_ended == f"{table.p1} took 7 pearls; {tide}"
    step = table.round.stage.event.log.get(action="result_entered")
    (row,) = describe_step(step).rows
    assert {(line.label, line.before, line.after) for line in row.lines} >= {
        ("Pearls", "–", "7"),
        ("Tide", "–", "2-0"),
    }
    undo_step(step, organizer())
    assert MatchResult.of(again(table)) == EMPTY_RESULT


@pytest.mark.usefixtures("declared")
def test_detail_of_an_ending_is_refused_with_another(table: Match) -> None:
    results.enter_result(table, organizer(), p1_games=1, ending="time", details={"storm": True})
    assert again(table).how_it_ended == "time was called; A storm came up"
    assert list_problems(table, p1_games=1, details={"storm": True}) == [
        ("detail_of_ending", "details.storm")
    ]
    results.enter_result(table, organizer(), p1_games=1, details={"storm": False})
    assert again(table).details == {}


@pytest.mark.usefixtures("declared")
def test_form_says_which_ending_a_detail_belongs_to(client: Client, table: Match) -> None:
    sign_in_organizer(client)
    page = reverse("console_match", args=[table.round.stage.event.slug, table.pk])
    values = {"p1_games": 1, "details.storm": "on", "revision": 0}
    answer = client.post(page, values)
    assert "details.storm" in answer.context["form"].errors
    assert not again(table).is_finished
    assert client.post(page, {**values, "ending": "time"}).status_code == 302
    assert again(table).details == {"storm": True}


@pytest.mark.usefixtures("declared")
def test_phone_and_typed_line_say_so_too(client: Client, table: Match) -> None:
    report = {"match": table.pk, "mine": 1, "theirs": 0, "details.storm": "on"}
    answer = client.post(f"/p/{table.p1.token}/report/", report)
    assert (answer.status_code, table.reports.count()) == (422, 0)
    sign_in_organizer(client)
    line = reverse("console_quick_result", args=[table.round.stage.event.slug, 1, 1])
    client.post(line, {"line": f"{table.table} 1 0 st k"})
    assert not again(table).is_finished


@pytest.mark.usefixtures("declared")
def test_details_that_cannot_be_are_refused_all_at_once(table: Match) -> None:
    details = {"pearls": 21, "tide": {"p1": 1, "p3": 2}, "peals": 1}
    assert list_problems(table, p1_games=1, details=details) == [
        ("detail_impossible", "details.pearls"),
        ("detail_impossible", "details.tide"),
        ("detail_unknown", "details.peals"),
    ]
    assert not again(table).is_finished


@pytest.mark.usefixtures("declared")
@pytest.mark.parametrize(
    ("line", "entry"),
    [
        ("12 1 0 p7", {"details": {"pearls": 7}}),
        ("12 1 0 p7 w2-3 t", {"details": {"pearls": 7, "tide": {"p1": 2, "p2": 3}}, "ending": "time"}),
        ("12 1 0 st d2", {"details": {"storm": True}, "ending": "time"}),
    ],
)
def test_typed_line_takes_the_marks_of_the_game(line: str, entry: dict[str, Any]) -> None:
    slip = parse_slip(line, rules.get_game("highlander"))
    assert slip.entry == {"p1_games": 1, "p2_games": 0, "draws": 0, **entry}


@pytest.mark.parametrize("line", ["12 1 0 p7", "12 1 0 p", "12 1 0 h3"])
def test_typed_line_takes_no_marks_of_other_games(line: str) -> None:
    with pytest.raises(Refused) as excinfo:
        parse_slip(line, get_game("ufs"))
    assert excinfo.value.code == "line_not_understood"


@pytest.mark.usefixtures("declared")
def test_form_asks_what_the_game_declares_and_shows_it_again(client: Client, table: Match) -> None:
    sign_in_organizer(client)
    page = reverse("console_match", args=[table.round.stage.event.slug, table.pk])
    assert "A storm came up" in html_of(client.get(page))
    form_values = {
        "p1_games": 1,
        "details.pearls": 7,
        "details.tide.p1": 2,
        "details.tide.p2": 3,
        "revision": 0,
    }
    assert client.post(page, form_values).status_code == 302
    assert again(table).details == {"pearls": 7, "tide": {"p1": 2, "p2": 3}}
    form = client.get(page).context["form"]
    assert [form[name].value() for name in ("details.pearls", "details.tide.p1", "details.tide.p2")] == [
        7,
        2,
        3,
    ]


@pytest.mark.usefixtures("declared")
def test_players_agree_on_details_too(client: Client, table: Match) -> None:
    report = {"match": table.pk, "mine": 1, "theirs": 0, "details.pearls": 7}
    client.post(f"/p/{table.p1.token}/report/", report)
    other = {"match": table.pk, "mine": 0, "theirs": 1, "details.pearls": 8}
    client.post(f"/p/{table.p2.token}/report/", other)
    assert again(table).is_disputed
    client.post(f"/p/{table.p2.token}/report/", {**other, "details.pearls": 7})
    assert (again(table).outcome, again(table).details) == ("p1", {"pearls": 7})


@pytest.mark.usefixtures("declared")
def test_api_takes_and_gives_details(client: Client, table: Match) -> None:
    sign_in_organizer(client)
    address = f"/api/events/{table.round.stage.event.slug}/matches/{table.pk}/result/"
    form_values = {"p1_games": 1, "details": {"tide": {"p2": 4}}}
    answer = client.put(address, form_values, content_type="application/json")
    assert (answer.status_code, answer.json()["details"]) == (200, {"tide": {"p1": 0, "p2": 4}})
    wrong = client.put(address, {**form_values, "details": {"tide": [4]}}, content_type="application/json")
    assert (wrong.status_code, wrong.json()["problems"][0]["field"]) == (400, "details.tide")


def test_what_is_entered_is_typed_as_the_fields_that_staff_enters() -> None:
    assert tuple(EnteredFields.__annotations__) == result_names(ENTERED)
