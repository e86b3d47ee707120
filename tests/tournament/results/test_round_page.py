"""The page of a round.

Tests cover its marks, its filters, the next step, the last entries and their undo.
"""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from tests.scenarios.factories import (
    built_once,
    open_matches,
    play_round,
    publish_next,
    sign_in_organizer,
    started_event,
    win,
)
from tournament.access.permissions import ALL_RIGHTS, Right
from tournament.clock.models import ClockEntry
from tournament.events.models.event import Event
from tournament.events.models.round import Match, Round
from tournament.penalties.models import Infraction, Penalty, PenaltyLevel
from tournament.results.round_page import load_round_page
from tournament.results.services import results

pytestmark = pytest.mark.django_db


@pytest.fixture
@built_once
def round_() -> Round:
    event = started_event(8, swiss_rounds=2)
    return Round.objects.select_related("stage__event").get(pk=publish_next(event).pk)


@pytest.fixture
def desk(client: Client) -> Client:
    """A client signed in as Olga."""
    return sign_in_organizer(client)


def mark_tables(round_: Round) -> list[Match]:
    """Mark four tables.

    Table 1 is disputed, 2 is reported, 3 has an extension and a penalty, and 4 is fixed for a player.
    """
    one, two, three, four = open_matches(round_)
    results.report_result(one, one.p1, p1_games=2, p2_games=1)
    results.report_result(one, one.p2, p1_games=1, p2_games=2)
    results.report_result(two, two.p2, p1_games=0, p2_games=2)
    published_at = round_.published_at
    ClockEntry.objects.create(round=round_, act="extend", at=published_at, seconds=300, match=three)
    Penalty.objects.create(
        event=round_.stage.event, player=three.p2, infraction=Infraction.SLOW, degree=PenaltyLevel.WARNING,
        given_at=published_at, given_by="Sam", stage=1, round=1,
    )  # fmt: skip
    type(four.p1).objects.filter(pk=four.p1_id).update(fixed_table=four.table)
    return [one, two, three, four]


def test_round_page_marks_tables_and_players(round_: Round) -> None:
    mark_tables(round_)
    one, two, three, four = load_round_page(round_, ALL_RIGHTS).rows
    assert (one.state, one.claims) == ("is-open is-disputed", ["2-1", "1-2"])
    assert [mark.kind for mark in one.marks] == ["red"]
    assert (two.state, two.reported_score, [mark.kind for mark in two.marks]) == ("is-open", "0-2", ["blue"])
    assert ([mark.label for mark in three.marks], three.p1_marks) == (["+5 min"], [])
    assert [mark.label for mark in three.p2_marks] == ["Warning"]
    assert [mark.kind for mark in four.marks] == ["pin"]


def test_round_page_hides_penalties_from_staff_who_may_not_judge(round_: Round) -> None:
    mark_tables(round_)
    rows = load_round_page(round_, frozenset({Right.SEE, Right.SCORE})).rows
    assert [row.p2_marks for row in rows] == [[], [], [], []]


def test_round_page_counts_and_narrows_its_tables(round_: Round) -> None:
    one, *_ = mark_tables(round_)
    round_page = load_round_page(round_, ALL_RIGHTS, "decide")
    assert [row.match for row in round_page.rows] == [one]
    assert [each.key for each in round_page.filters] == ["", "playing", "decide", "extensions"]
    assert (round_page.waiting_count, round_page.waiting_words) == (4, "4 results missing")
    assert round_page.step is not None
    assert round_page.step.url_name == "console_pair"


def test_earlier_round_offers_no_next_step() -> None:
    event = started_event(4, swiss_rounds=3)
    round_ = play_round(event)
    publish_next(event)
    earlier = Round.objects.select_related("stage__event").get(pk=round_.pk)
    assert load_round_page(earlier, ALL_RIGHTS).step is None


def test_last_entry_is_undone_at_once_unless_more_depends_on_it(desk: Client, round_: Round) -> None:
    event: Event = round_.stage.event
    for match in open_matches(round_):
        win(match, "p1")
    entries = load_round_page(round_, ALL_RIGHTS).entries
    assert [entry.match.table for entry in entries] == [4, 3, 2, 1]
    here = reverse("console_round", args=[event.slug, 1, 1])
    undo = reverse("console_undo", args=[event.slug, entries[0].log_entry.pk])
    assert desk.post(undo, {"at_once": "yes", "next": here}).url == here
    assert [match.table for match in open_matches(round_)] == [4]

    win(open_matches(round_)[0], "p1")
    publish_next(event)
    undo = reverse("console_undo", args=[event.slug, entries[1].log_entry.pk])
    assert desk.post(undo, {"at_once": "yes", "next": here}).url == undo
    assert open_matches(round_) == []


def test_exclamation_mark_replaces_a_result_without_a_question(desk: Client, round_: Round) -> None:
    address = reverse("console_quick_result", args=[round_.stage.event.slug, 1, 1])
    for number, line in enumerate(("1 2 1", "1 0 2", "1 0 2!")):
        key = f"00000000-0000-0000-0000-00000000000{number}"
        account = str(User.objects.get().pk)
        answer = desk.post(
            address, {"line": line, "key": key, "account": account}, headers={"Accept": "application/json"}
        )
        assert (answer.status_code == 200) == (number != 1)
    assert Match.objects.get(round=round_, table=1).score == "0-2"
