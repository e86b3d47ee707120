"""A round page that says which step it shows.

It gets what changed since, as the whole page has it.
"""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from django.test import Client

from tests.everyday import each_case
from tests.scenarios.factories import (
    finish_round,
    organizer,
    play_round,
    publish_next,
    sign_in_organizer,
    started_event,
    win,
)
from tests.scenarios.rollback import rolled_back
from tests.tournament.penalties.test_penalties import give
from tournament.clock import services as clock
from tournament.events.models.event import Event
from tournament.events.models.player import Player
from tournament.events.models.round import Match, Round
from tournament.judging.services.penalties import undo_penalty
from tournament.log.models import LogEntry
from tournament.log.services import undo_step
from tournament.penalties.models import Penalty
from tournament.registration.services.details import change_details
from tournament.results import round_changes
from tournament.results.services import drops, results

pytestmark = pytest.mark.django_db

MARKS = re.compile(r'\s+hx-swap-oob="true"|name="csrfmiddlewaretoken" value="\w+"')
ROW = re.compile(r'<tr\s+id="table-(\d+)".*?</tr>', re.DOTALL)
STEP = re.compile(r'id="shown-step"\s+value="(\d+)"')
PARTS = (
    re.compile(r'<div\s+class="cockpit-head".*?<nav class="cockpit-filter".*?</nav>', re.DOTALL),
    re.compile(r'<div\s+class="strip-status".*?</progress>', re.DOTALL),
    re.compile(r'<section\s+class="rail-box rail-entries".*?</section>', re.DOTALL),
)


@pytest.fixture
def event() -> Event:
    event = started_event(16, swiss_rounds=3)
    play_round(event)
    publish_next(event)
    return event


@pytest.fixture
def desk(client: Client) -> Client:
    return sign_in_organizer(client)


def table(number: int) -> Match:
    matches = Match.objects.select_related("p1", "p2", "round__stage__event")
    return matches.get(table=number, round__number=2)


def other_player(number: int) -> Player:
    return Player.objects.select_related("event").get(pk=table(number).p2_id)


def report(score: tuple[int, int]) -> None:
    match = table(3)
    player = match.p1 if not match.reports.exists() else match.p2
    assert player is not None
    results.report_result(match, player, p1_games=score[0], p2_games=score[1])


def extend() -> None:
    round_ = Round.objects.select_related("stage__event").get(number=2)
    clock.start_clock(round_, organizer())
    match = table(4)
    clock.change_time(match.round, organizer(), minutes=3, match=match, reason="deck check")


def undo_last() -> None:
    undo_step(LogEntry.objects.filter(head=None)[0], organizer())


# The changes between two pages, by the table that each one changes.
STEPS: list[dict[str, Callable[[], object]]] = [
    {
        "2": lambda: win(table(2), ending="concession", loser="p2"),
        "3": lambda: report((2, 0)),
        "5": lambda: drops.drop(other_player(5), organizer(), reason="ill"),
        "6": lambda: give(table(6).p1, "warning"),
        "1": lambda: win(table(1)),
    },
    {
        "3": lambda: report((0, 2)),
        "6": lambda: undo_penalty(Penalty.objects.get(), organizer(), reason="misread"),
        "1": lambda: win(table(1), "p2", reason="the slip was read upside down"),
    },
    {"1": undo_last, "3": lambda: report((2, 0))},
    {"1": lambda: results.clear_result(table(1), organizer())},
]


def load(desk: Client, event: Event, since: str = "", query: str = "") -> str:
    headers = {"X-Ringside-Live": "1", "X-Ringside-Since": since}
    answer = desk.get(f"/console/{event.slug}/rounds/1/2/{query}", headers=headers)
    assert answer.status_code == 200
    return answer.content.decode()


def rows(page: str) -> dict[str, str]:
    plain = re.sub(r"\s+>", ">", MARKS.sub("", page))
    return {row_match[1]: row_match[0] for row_match in ROW.finditer(plain)}


def parts(page: str) -> list[str]:
    (head, status, entries) = (part.search(MARKS.sub("", page)) for part in PARTS)
    return [re.sub(r"\s+>", ">", part[0]) for part in (head, status, entries) if part]


def step_of(page: str) -> str:
    step_match = STEP.search(page)
    assert step_match is not None
    return step_match[1]


def is_whole(page: str) -> bool:
    return "<html" in page


def test_partial_answer_has_each_changed_row_as_the_whole_page_has_it(event: Event, desk: Client) -> None:
    whole = load(desk, event)
    for changes in STEPS:
        before, tables = whole, set(changes)
        for change in changes.values():
            change()
        partial, whole = load(desk, event, step_of(before)), load(desk, event)
        rows_before, rows_after, partial_rows = rows(before), rows(whole), rows(partial)
        changed_numbers = {number for number, row in rows_after.items() if row != rows_before[number]}
        assert (is_whole(partial), changed_numbers) == (False, tables)
        assert partial_rows == {number: rows_after[number] for number in partial_rows}
        assert changed_numbers <= partial_rows.keys()
        assert (len(parts(partial)), parts(partial)) == (len(PARTS), parts(whole))


def test_extension_of_one_table_is_told_after_the_clock_has_started(event: Event, desk: Client) -> None:
    before = load(desk, event)
    extend()
    # The clock of the whole round has started too.
    whole = load(desk, event, step_of(before))
    assert is_whole(whole)
    clock.change_time(table(2).round, organizer(), minutes=5, match=table(2), reason="judge call")
    partial = load(desk, event, step_of(whole))
    assert (is_whole(partial), rows(partial)) == (False, {"2": rows(load(desk, event))["2"]})


def test_nothing_changed_answers_without_rows(event: Event, desk: Client) -> None:
    partial = load(desk, event, step_of(load(desk, event)))
    assert (is_whole(partial), rows(partial)) == (False, {})


def rename() -> None:
    player = Player.objects.select_related("event").get(pk=table(1).p1_id)
    change_details(player, organizer(), name="Åsa")


def correct_the_round_before() -> None:
    match = Match.objects.select_related("p1", "p2", "round__stage__event").get(table=1, round__number=1)
    win(match, "p2", reason="slip misread", way="leave")


def finish() -> None:
    finish_round(table(1).round)


@pytest.mark.parametrize("change", [rename, correct_the_round_before, finish])
def test_change_of_more_than_tables_answers_with_the_whole_page(
    event: Event, desk: Client, change: Callable[[], object]
) -> None:
    step = step_of(load(desk, event))
    change()
    assert is_whole(load(desk, event, step))


UNKNOWN_STEPS = [
    "0",
    "x",
    "9" * 30,
    pytest.param("", marks=pytest.mark.whole("the first page of each test here")),
    pytest.param("-1", marks=pytest.mark.whole("no more a number of a step than x")),
]


@each_case("step", UNKNOWN_STEPS, around=rolled_back)
def test_unknown_step_answers_with_the_whole_page(event: Event, desk: Client, step: str) -> None:
    assert is_whole(load(desk, event, step))


def test_page_older_than_the_log_tells_answers_whole(
    event: Event, desk: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(round_changes, "MOST_STEPS", 2)
    step = step_of(load(desk, event))
    win(table(1))
    win(table(2))
    assert rows(load(desk, event, step)).keys() == {"1", "2"}
    win(table(3))
    assert is_whole(load(desk, event, step))


def test_reopened_round_answers_with_the_whole_page(event: Event, desk: Client) -> None:
    finish()
    step = step_of(load(desk, event))
    results.clear_result(table(1), organizer())
    assert is_whole(load(desk, event, step))


def test_finished_table_leaves_the_filter_and_a_reopened_one_comes_with_all(
    event: Event, desk: Client
) -> None:
    step = step_of(load(desk, event, query="?show=playing"))
    win(table(4))
    partial = load(desk, event, step, "?show=playing")
    assert re.findall(r'id="table-(\d+)"\s+hx-swap-oob="delete"', partial) == ["4"]
    assert "Playing 7" in partial
    results.clear_result(table(4), organizer())
    assert is_whole(load(desk, event, step, "?show=playing"))


def test_button_of_a_table_answers_with_rows_and_says_that_the_table_stays(
    event: Event, desk: Client
) -> None:
    step = step_of(load(desk, event))
    win(table(7))
    address = f"/console/{event.slug}/matches/{table(2).pk}/result/"
    form = {"score": "2-1", "revision": "0", "since": step}
    answer = desk.post(address, form, headers={"HX-Request": "true"})
    page = answer.content.decode()
    assert (answer["HX-Reswap"], rows(page).keys()) == ("none", {"2", "7"})
    assert rows(page).items() <= rows(load(desk, event)).items()
    assert parts(page) == parts(load(desk, event))
    assert 'id="messages"' in page

    del form["since"]
    whole = desk.post(address, {**form, "score": "2-0", "revision": "1"}, headers={"HX-Request": "true"})
    assert "HX-Reswap" not in whole
    assert len(rows(whole.content.decode())) == 8
    assert desk.post(address, {**form, "score": "2-1", "revision": "2"}).status_code == 302
