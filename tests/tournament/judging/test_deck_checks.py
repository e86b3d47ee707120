"""Deck checks.

Tables are drawn from a stored seed, rows are ticked one by one, and the outcome is recorded.
"""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from hypothesis import given
from hypothesis import strategies as st

from decks.catalogue.models import Card
from decks.jobs.models import Job
from decks.shared.refusals import Conflict, Refused
from tests.scenarios.event_with_decklist import event_with_alices_list
from tests.scenarios.factories import add_players, make_event, organizer, win
from tests.scenarios.html import html_of
from tests.scenarios.log_words import words_of
from tests.tournament.desk.test_console_pages import signed_in
from tests.tournament.penalties.test_penalties import start_first_round, table_of
from tournament.clock import services as clock
from tournament.clock.models import ClockEntry
from tournament.decklists.selectors import build_check_sheet
from tournament.engine.table_draws import draw_tables
from tournament.events.models.event import Event
from tournament.events.models.round import Match
from tournament.judging.models import CheckDraw, DeckCheck
from tournament.judging.selectors import count_deck_checks, proposed_extension
from tournament.judging.services import deck_checks as checks
from tournament.log.services import undo_step

TABLES = st.sets(st.integers(1, 60), max_size=30)


@given(TABLES, TABLES, st.integers(1, 40), st.integers(0, 2**53 - 1))
def test_draw_is_repeatable_and_prefers_tables_without_a_check(
    tables: set[int], checked_tables: set[int], count: int, seed: int
) -> None:
    drawn_tables = draw_tables(tables, checked_tables, count, seed)
    again = draw_tables(sorted(tables, reverse=True), checked_tables, count, seed)
    assert drawn_tables == again
    assert len(drawn_tables.tables) == len(set(drawn_tables.tables)) == min(count, len(tables))
    assert set(drawn_tables.pool) == tables - checked_tables
    fresh_left = set(drawn_tables.pool) - set(drawn_tables.tables)
    assert not (fresh_left and set(drawn_tables.tables) & checked_tables)
    assert set(drawn_tables.passed_over) == (tables & checked_tables) - set(drawn_tables.tables)


def test_every_table_is_drawn_about_as_often() -> None:
    first = [draw_tables(range(1, 5), [], 1, seed).tables[0] for seed in range(4000)]
    assert all(900 < first.count(table) < 1100 for table in range(1, 5))


def test_draw_with_seed_seven_is_this_one_on_every_machine() -> None:
    assert draw_tables(range(1, 11), [4], 3, seed=7).tables == (10, 6, 3)


pytestmark = pytest.mark.django_db


@pytest.fixture
def event() -> Event:
    """Four players, Alice with a list, round 1 being played."""
    return event_with_alices_list(players=4)


def check_of(event: Event) -> DeckCheck:
    alice = event.players.select_related("event", "deck_list__current").get(number=1)
    deck_check = checks.start_check(alice, organizer())
    return DeckCheck.objects.select_related("event", "player", "version__deck_list").get(pk=deck_check.pk)


def test_draw_begins_a_check_of_each_player_at_the_table() -> None:
    event = start_first_round(8)
    drawn_checks = checks.draw_checks(event, organizer(), count=1, seed=11)
    match = table_of(event, drawn_checks.tables[0])
    rows = event.deck_checks.order_by("player__number")
    assert {check.player_id for check in rows} == {match.p1_id, match.p2_id}
    assert [(c.outcome, c.stage, c.round, c.table, c.draw_id) for c in rows] == [
        ("", 1, 1, match.table, drawn_checks.pk)
    ] * 2
    log_words = words_of(event.log.order_by("-pk").first())
    assert (
        log_words == f"{organizer().label} selected table {match.table} at random for deck checks (seed 11)."
    )


def test_second_draw_passes_over_those_checked() -> None:
    event = start_first_round(8)
    first = checks.draw_checks(event, organizer(), count=2, seed=1)
    second = checks.draw_checks(event, organizer(), count=2, seed=1)
    assert sorted(first.tables + second.tables) == [1, 2, 3, 4]
    assert second.passed_over == sorted(first.tables)


def test_finished_tables_are_not_drawn() -> None:
    event = start_first_round(4)
    win(table_of(event, 1))
    assert checks.draw_checks(event, organizer(), count=5).tables == [2]


def test_no_table_plays_and_the_refusal_says_what_to_do() -> None:
    event = make_event()
    add_players(event, 4)
    with pytest.raises(Refused) as refusal:
        checks.draw_checks(event, organizer(), count=1)
    assert refusal.value.code == "no_tables"
    assert CheckDraw.objects.count() == 0


def test_list_stands_in_checking_order_character_first(event: Event) -> None:
    deck_check = check_of(event)
    entries = deck_check.version.entries
    for entry, kind in zip(entries, ("asset", "attack", "character", "foundation"), strict=False):
        Card.objects.filter(key=entry["card"]).update(attributes={"type": kind})
    Card.objects.filter(key__in=[e["card"] for e in entries[4:]]).update(attributes={})
    sheet = build_check_sheet(deck_check.version)
    assert [group.words for group in sheet.groups] == [
        "Main deck: Character", "Main deck: Foundation", "Main deck: Attack", "Main deck: Asset",
        "Main deck: Type unknown", "Sideboard: Type unknown",
    ]  # fmt: skip
    assert sheet.groups[0].rows[0].name == entries[2]["name"]
    assert sheet.cards == sum(entry["qty"] for entry in entries)


def test_list_of_a_check_is_printed_by_one_press(event: Event) -> None:
    check = check_of(event)
    judge = signed_in(event, "judge")
    page = html_of(judge.get(f"/judge/{event.slug}/checks/{check.pk}/"))
    (form,) = re.findall(r"<form(?:(?!</form>).)*Print decklist.*?</form>", page, re.S)
    hidden_fields = dict(re.findall(r'type="hidden" name="(\w+)" value="([\w-]+)"', form))
    del hidden_fields["csrfmiddlewaretoken"]
    assert hidden_fields == {"sheet": "deck-check", "player": str(check.player.number)}
    (action,) = re.findall(r'action="([^"]+)"', form)
    answer = judge.post(action, hidden_fields)
    job = Job.objects.get()
    assert answer.url == reverse("print_job", args=[job.pk])
    assert (job.payload["sheet"], job.payload["player"]) == ("deck-check", check.player.number)
    assert "Print decklist" not in html_of(
        signed_in(event, "scorekeeper").get(f"/judge/{event.slug}/checks/{check.pk}/")
    )


def test_ticks_are_kept_one_by_one_and_are_no_steps(event: Event) -> None:
    deck_check = check_of(event)
    version = Event.objects.get(pk=event.pk).version
    judge = signed_in(event, "judge")
    address = f"/judge/{event.slug}/checks/{deck_check.pk}/ticks/"
    for place, tick in (("0", "1"), ("3", "1"), ("0", "0"), ("5", "1")):
        last = judge.post(address, {"place": place, "ticked": tick})
    assert last.json() == {"ticks": [3, 5]}
    assert Event.objects.get(pk=event.pk).version == version
    assert build_check_sheet(deck_check.version, [3, 5]).ticked_cards == sum(
        deck_check.version.entries[n]["qty"] for n in (3, 5)
    )


def test_without_javascript_all_ticks_are_kept_at_once(event: Event) -> None:
    deck_check = check_of(event)
    judge = signed_in(event, "judge")
    judge.post(
        f"/judge/{event.slug}/checks/{deck_check.pk}/ticks/", {"ticks": ["2", "1", "x", "999999999999", "-4"]}
    )
    deck_check.refresh_from_db()
    assert deck_check.ticks == [1, 2]


def test_closed_check_takes_no_tick(event: Event) -> None:
    deck_check = check_of(event)
    checks.set_tick(deck_check, 1, is_ticked=True)
    checks.end_check(deck_check, organizer(), outcome="ok")
    with pytest.raises(Conflict):
        checks.set_tick(deck_check, 2, is_ticked=True)
    answer = signed_in(event, "judge").post(
        f"/judge/{event.slug}/checks/{deck_check.pk}/ticks/", {"place": "2", "ticked": "1"}
    )
    assert (answer.status_code, answer.json()["error"]) == (
        409, "This deck check is closed. Its ticks cannot change. To continue, reopen the check.",
    )  # fmt: skip


def test_problem_needs_a_note(event: Event) -> None:
    deck_check = check_of(event)
    judge = signed_in(event, "judge")
    address = f"/judge/{event.slug}/checks/{deck_check.pk}/"
    answer = judge.post(address, {"outcome": "problem", "extension": ""})
    assert (answer.status_code, list(answer.context["form"].errors)) == (422, ["note"])
    assert judge.post(address, {"outcome": "problem", "note": "61 cards"}).status_code == 302
    deck_check.refresh_from_db()
    assert (deck_check.outcome, deck_check.note, deck_check.finished_by) == (
        "problem",
        "61 cards",
        "judge@example.org",
    )
    count = count_deck_checks(event)
    assert (count.open_count, count.passed_count, count.problem_count) == (0, 0, 1)


def test_second_judge_does_not_overwrite_the_outcome(event: Event) -> None:
    deck_check = check_of(event)
    checks.end_check(deck_check, organizer(), outcome="problem", note="61 cards")
    with pytest.raises(Conflict) as conflict:
        checks.end_check(deck_check, organizer(), outcome="ok")
    assert conflict.value.code == "check_closed"
    checks.end_check(deck_check, organizer(), outcome="problem", note="61 cards")
    assert event.log.filter(action="deck_checked").count() == 1


def test_begun_twice_is_begun_once(event: Event) -> None:
    assert check_of(event).pk == check_of(event).pk
    assert event.log.filter(action="deck_check_begun").count() == 1


def test_check_is_opened_again_and_called_off(event: Event) -> None:
    deck_check = check_of(event)
    checks.end_check(deck_check, organizer(), outcome="ok")
    checks.reopen_check(deck_check, organizer())
    checks.cancel_check(deck_check, organizer())
    checks.cancel_check(deck_check, organizer())
    assert DeckCheck.objects.count() == 0


@pytest.mark.both_databases
def test_draw_can_be_taken_back_though_rows_were_ticked(event: Event) -> None:
    checks.draw_checks(event, organizer(), count=2)
    deck_check = event.deck_checks.get(player__number=1)
    checks.set_tick(deck_check, 4, is_ticked=True)
    undo_step(event.log.get(action="deck_checks_drawn"), organizer())
    assert (CheckDraw.objects.count(), DeckCheck.objects.count()) == (0, 0)
    undo_step(event.log.order_by("-pk").first(), organizer())
    assert DeckCheck.objects.get(player__number=1).ticks == [4]


def test_proposed_extension_is_the_time_of_the_check_and_three_minutes() -> None:
    begun_at = timezone.now()
    deck_check = DeckCheck(started_at=begun_at)
    time_spent = [
        timedelta(0),
        timedelta(seconds=1),
        timedelta(minutes=8),
        timedelta(minutes=8, seconds=20),
        timedelta(hours=3),
    ]
    assert [proposed_extension(deck_check, begun_at + each) for each in time_spent] == [3, 4, 11, 12, 60]


def test_ended_check_gives_its_table_the_minutes(event: Event) -> None:
    clock.start_clock(table_of(event).round, organizer())
    deck_check = check_of(event)
    judge: Client = signed_in(event, "judge")
    judge.post(f"/judge/{event.slug}/checks/{deck_check.pk}/", {"outcome": "ok", "extension": "7"})
    extension = ClockEntry.objects.get(act="extend")
    match = Match.objects.get(round__stage__event=event, table=deck_check.table)
    assert (extension.match_id, extension.seconds, extension.reason) == (match.pk, 420, "Deck check")


def test_table_that_has_finished_gets_no_minutes(event: Event) -> None:
    deck_check = check_of(event)
    win(table_of(event, deck_check.table))
    signed_in(event, "judge").post(
        f"/judge/{event.slug}/checks/{deck_check.pk}/", {"outcome": "ok", "extension": "7"}
    )
    assert ClockEntry.objects.filter(act="extend").count() == 0
