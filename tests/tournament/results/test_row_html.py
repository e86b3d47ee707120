"""The rows of a round page, kept as HTML.

A kept row is never older than what it shows.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import timedelta

import pytest
import time_machine
from django.db import connection
from django.template.loader import get_template
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from tests.scenarios.factories import (
    make_user,
    organizer,
    publish_next,
    sign_in_organizer,
    started_event,
    win,
)
from tests.tournament.penalties.test_penalties import give
from tournament.clock import services as clock
from tournament.events.models.event import Event, StaffRole
from tournament.events.models.player import Player
from tournament.events.models.round import Match, ResultReport, Round
from tournament.results import row_html
from tournament.results.selectors import list_open_tables
from tournament.results.services import results

pytestmark = pytest.mark.django_db
ROW = re.compile(r"<tr.*?</tr>", re.DOTALL)
TOKENS = re.compile(r'name="csrfmiddlewaretoken" value="(\w+)"')


@pytest.fixture
def event() -> Event:
    event = started_event(6, swiss_rounds=2)
    publish_next(event)
    return event


def table(number: int) -> Match:
    return Match.objects.select_related("p1", "p2", "round__stage__event").get(table=number)


def report(score: tuple[int, int]) -> None:
    match = table(2)
    player = match.p1 if not match.reports.exists() else match.p2
    values = dict(zip(("p1_games", "p2_games"), score, strict=True))
    ResultReport.objects.create(match=match, player=player, reported_at=timezone.now(), **values)


def rename() -> None:
    Player.objects.filter(pk=table(1).p1_id).update(name="Åsa {0} </td>")


def drop() -> None:
    Player.objects.filter(pk=table(3).p2_id).update(dropped_after=1, drop_reason="left early")


def extend() -> None:
    clock.start_clock(Round.objects.select_related("stage__event").get(), organizer())
    clock.change_time(table(3).round, organizer(), minutes=3, match=table(3), reason="deck check")


STEPS: dict[str, Callable[[], object]] = {
    "a result": lambda: win(table(1)),
    "another result": lambda: win(table(1), "p2", reason="the slip was read upside down"),
    "no result": lambda: results.clear_result(table(1), organizer()),
    "a concession": lambda: win(table(1), ending="concession", loser="p2"),
    "a report": lambda: report((2, 0)),
    "a dispute": lambda: report((0, 2)),
    "a name": rename,
    "a drop": drop,
    "a penalty": lambda: give(table(2).p1, "warning"),
    "an extension": extend,
    "a fixed table": lambda: Player.objects.filter(pk=table(2).p2_id).update(fixed_table=2),
}


# The steps between two pages are at different tables.
STEPS_BETWEEN_PAGES = (
    ("a result", "a report", "a drop"),
    ("another result", "a dispute", "an extension"),
    ("no result", "a penalty"),
    ("a concession", "a fixed table"),
    ("a name",),
)
STEPS_BETWEEN_PAGES_OF_OPEN_TABLES = (
    ("a result", "a report", "an extension"),
    ("no result", "a dispute"),
    ("a name",),
)


def rows(client: Client, event: Event, page: str = "rounds/1/1", **headers: str) -> str:
    html = client.get(f"/console/{event.slug}/{page}/", headers=headers).content.decode()
    return TOKENS.sub("", "".join(re.findall(r"<tbody>(.*?)</tbody>", html, re.DOTALL)))


def check_kept_rows(
    client: Client, event: Event, page: str, groups: tuple[tuple[str, ...], ...], before: str
) -> None:
    """Require that each step changes a row, and that the kept row shows it."""
    for names in groups:
        for name in names:
            STEPS[name]()
        cached_rows = rows(client, event, page)
        row_html._patterns.clear()
        changed_rows = {*ROW.findall(cached_rows)} ^ {*ROW.findall(before)}
        tables = {number for row in changed_rows for number in re.findall(r"/matches/(\d+)/", row)}
        assert (names, len(tables) >= len(names)) == (names, True)
        before = rows(client, event, page)
        assert (names, cached_rows) == (names, before)


def test_kept_rows_show_every_change_at_once(event: Event, client: Client) -> None:
    sign_in_organizer(client)
    assert {name for names in STEPS_BETWEEN_PAGES for name in names} == STEPS.keys()
    check_kept_rows(client, event, "rounds/1/1", STEPS_BETWEEN_PAGES, rows(client, event))


def test_kept_rows_of_open_tables_show_every_change_and_every_minute(event: Event, client: Client) -> None:
    sign_in_organizer(client)
    now = timezone.now()
    with time_machine.travel(now, tick=False):
        before = rows(client, event, "tables")
        check_kept_rows(client, event, "tables", STEPS_BETWEEN_PAGES_OF_OPEN_TABLES, before)
    begin = Round.objects.get().published_at
    assert begin is not None
    with time_machine.travel(begin + timedelta(minutes=77), tick=False):
        assert rows(client, event, "tables").count(">77<") == len(list_open_tables(event, timezone.now()))
    assert "Reported" not in rows(client, event, "tables", **{"accept-language": "de"})


@pytest.mark.django_db(transaction=True)
@pytest.mark.both_databases
def test_open_tables_are_read_once_for_each_version(event: Event, client: Client) -> None:
    sign_in_organizer(client)
    first_rows = rows(client, event, "tables")
    with CaptureQueriesContext(connection) as again:
        assert rows(client, event, "tables") == first_rows
    assert [query["sql"] for query in again if 'FROM "tournament_match"' in query["sql"]] == []
    for number in (1, 2, 3):
        win(table(number))
        assert rows(client, event, "tables") != first_rows
    assert rows(client, event, "tables") == ""


def test_rows_that_differ_in_names_and_numbers_are_rendered_once(
    event: Event, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    sign_in_organizer(client)
    row_html._patterns.clear()
    names: list[str] = []
    monkeypatch.setattr(row_html, "get_template", lambda name: names.append(name) or get_template(name))
    assert rows(client, event).count("<tr") == 3
    assert len(names) == 1
    win(table(1))
    win(table(2))
    rows(client, event)
    assert len(names) == 2


def test_kept_rows_differ_by_language_and_role(event: Event, client: Client) -> None:
    sign_in_organizer(client)
    english = rows(client, event)
    assert "Table 1: 2-0" in english
    assert "Table 1: 2-0" not in rows(client, event, **{"accept-language": "de"})
    give(table(2).p1, "warning")
    assert "mark-amber" in rows(client, event)
    sam = make_user("sam@example.org")
    StaffRole.objects.create(event=event, user=sam, kind=StaffRole.Kind.SCOREKEEPER)
    scorekeeper = Client()
    scorekeeper.force_login(sam)
    assert "mark-amber" not in rows(scorekeeper, event)
    assert rows(scorekeeper, event) == english


@pytest.mark.both_databases
def test_each_reader_has_a_token_of_their_own_in_every_form(event: Event, client: Client) -> None:
    sign_in_organizer(client)
    tokens = [
        set(TOKENS.findall(client.get(f"/console/{event.slug}/rounds/1/1/").content.decode()))
        for _ in range(2)
    ]
    assert all(row_html.MARK not in token for each in tokens for token in each)
    assert tokens[0].isdisjoint(tokens[1])
