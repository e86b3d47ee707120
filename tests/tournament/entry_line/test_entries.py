"""Lines sent by the entry line.

Each key is accepted once, and a refusal says how it can be answered.
"""

from __future__ import annotations

from typing import Any
from uuid import uuid4

import pytest
from django.db import connection
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from tests.everyday import each_case
from tests.scenarios.factories import (
    add_players,
    built_once,
    make_event,
    make_user,
    organizer,
    play_round,
    publish_next,
    sign_in_organizer,
    started_event,
)
from tests.scenarios.log_words import words_of
from tests.scenarios.rollback import rolled_back
from tournament.entry_line.models import AcceptedEntry
from tournament.events.models.event import Event, StaffRole
from tournament.events.models.round import Match, Round
from tournament.setup.services import events

pytestmark = pytest.mark.django_db


@pytest.fixture
def event() -> Event:
    running_event = started_event(8, swiss_rounds=3)
    publish_next(running_event)
    # The event may have been built some time ago, for another test.
    Round.objects.update(published_at=timezone.now())
    return running_event


@pytest.fixture
def desk(client: Client) -> Client:
    """A client signed in as Olga."""
    return sign_in_organizer(client)


def send(desk: Client, address: str, line: str, key: object = None, **values: Any) -> Any:
    """Send a line as the script does, with the key of the line or a new one."""
    account = desk.session["_auth_user_id"]
    data = {"account": account, "line": line, "key": str(key or uuid4()), **values}
    return desk.post(address, data, headers={"Accept": "application/json"})


def slips(event: Event, number: int = 1) -> str:
    return reverse("console_quick_result", args=[event.slug, 1, number])


def codes(answer: Any) -> list[str]:
    return [problem["code"] for problem in answer.json()["problems"]]


def ways(answer: Any) -> list[tuple[dict[str, str], str]]:
    return [(way["values"], way["asks"]) for way in answer.json()["ways"]]


def score(table: int = 1) -> str:
    match = Match.objects.filter(table=table).latest("pk")
    return match.score if match.outcome else ""


def test_line_sent_again_after_a_lost_answer_is_entered_once_and_answered_alike(
    desk: Client, event: Event
) -> None:
    key = uuid4()
    first, second = (send(desk, slips(event), "1 2 1", key) for _ in range(2))
    entry = event.log.get(action="result_entered")
    undo = reverse("console_undo", args=[event.slug, entry.pk])
    assert (first.status_code, second.status_code) == (200, 200)
    assert (first.json()["undo"], second.json()["undo"]) == (undo, undo)
    assert second.json()["sentence"] == words_of(entry)
    event.refresh_from_db()
    assert first.json()["version"] == second.json()["version"] == event.version


def test_line_undone_since_is_not_entered_again(desk: Client, event: Event) -> None:
    key = uuid4()
    undo = send(desk, slips(event), "1 2 1", key).json()["undo"]
    desk.post(undo, {"seen": desk.get(undo).context["plan"].mark})
    assert score() == ""
    assert send(desk, slips(event), "1 2 1", key).status_code == 200
    assert score() == ""


def test_walk_in_sent_again_is_one_player(desk: Client) -> None:
    event, key = make_event(), uuid4()
    address = reverse("console_players", args=[event.slug])
    answers = [send(desk, address, "Ann Brook; ann@example.org", key) for _ in range(3)]
    assert [answer.status_code for answer in answers] == [200, 200, 200]
    assert list(event.players.values_list("name", "email")) == [("Ann Brook", "ann@example.org")]


def test_changed_line_whose_first_form_had_arrived_is_refused(desk: Client, event: Event) -> None:
    key = uuid4()
    send(desk, slips(event), "1 2 1", key)
    answer = send(desk, slips(event), "1 2 0", key)
    assert (answer.status_code, codes(answer), score()) == (409, ["accepted_otherwise"], "2-1")


def test_same_key_of_two_accounts_is_two_lines(desk: Client, event: Event, client: Client) -> None:
    key = uuid4()
    send(desk, slips(event), "1 2 1", key)
    sam = make_user("sam@example.org")
    StaffRole.objects.create(event=event, user=sam, kind="scorekeeper")
    other = Client()
    other.force_login(sam)
    assert send(other, slips(event), "2 2 1", key).status_code == 200
    assert (score(1), score(2), AcceptedEntry.objects.count()) == ("2-1", "2-1", 2)


def test_refused_line_leaves_no_key_and_its_answer_is_taken(desk: Client, event: Event) -> None:
    send(desk, slips(event), "1 2 1")
    key = uuid4()
    answer = send(desk, slips(event), "1 0 2", key)
    assert (answer.status_code, codes(answer)) == (409, ["another_result_stands"])
    assert ways(answer) == [({"replace": "1"}, "")]
    assert AcceptedEntry.objects.filter(key=key).count() == 0
    assert send(desk, slips(event), "1 0 2", key, replace="1").status_code == 200
    assert score() == "0-2"


@each_case(
    ("line", "code", "table"),
    [
        ("2 0 2", "another_result_stands", 2),
        ("4 9 9", "score_impossible", 4),
        ("3 n2", "too_early_for_no_show", 3),
        ("99 2 1", "no_such_table", None),
        ("2 2 1 1 1 1", "line_not_understood", None),
        ("", "line_not_understood", None),
    ],
    around=rolled_back,
)
def test_refusal_of_a_slip_names_its_table(
    desk: Client, event: Event, line: str, code: str, table: int | None
) -> None:
    send(desk, slips(event), "2 2 1")
    answer = send(desk, slips(event), line)
    assert (codes(answer), answer.json()["table"]) == ([code], table)


def test_refusal_of_a_walk_in_names_no_table(desk: Client) -> None:
    answer = send(desk, reverse("console_players", args=[make_event().slug]), "Bo Ek; bo@ek")
    assert (codes(answer), answer.json()["table"]) == (["email_invalid"], None)


def test_replacement_of_a_result_that_changed_since_is_asked_about_again(desk: Client, event: Event) -> None:
    send(desk, slips(event), "1 2 1")
    send(desk, slips(event), "1 2 0", replace="1")
    answer = send(desk, slips(event), "1 0 2", replace="1")
    assert (codes(answer), ways(answer)) == (
        ["result_changed_meanwhile"],
        [({"replace": "2"}, "")],
    )


def test_early_no_show_asks_for_the_reason(desk: Client, event: Event) -> None:
    answer = send(desk, slips(event), "1 n2")
    assert (codes(answer), ways(answer)) == (
        ["too_early_for_no_show"], [({}, "reason")],
    )  # fmt: skip
    assert send(desk, slips(event), "1 n2", reason="They called.").status_code == 200
    assert event.log.get(action="result_entered").reason == "They called."


def test_result_that_a_later_round_was_paired_from_offers_every_choice(desk: Client) -> None:
    event = started_event(8, swiss_rounds=3)
    play_round(event)
    publish_next(event)
    match = Match.objects.get(round__number=1, table=1)
    answer = send(desk, slips(event), "1 0 2", replace=str(match.revision))
    assert codes(answer) == ["way_needed"]
    leave, view = answer.json()["ways"]
    assert leave["values"] == {"way": "leave"}
    assert desk.get(view["href"]).status_code == 200
    again = send(desk, slips(event), "1 0 2", replace=str(match.revision), way="leave")
    match.refresh_from_db()
    assert (again.status_code, match.score) == (200, "0-2")
    assert again.json()["sentence"].endswith("This is round 1. Round 2 is in progress.")


@pytest.mark.parametrize(
    ("line", "code"),
    [("99 2 1", "no_such_table"), ("Ann", "line_not_understood"), ("\0", "line_not_understood")],
)
def test_line_that_is_no_result_has_no_way_but_to_change_it(
    desk: Client, event: Event, line: str, code: str
) -> None:
    answer = send(desk, slips(event), line)
    assert (answer.status_code, codes(answer), ways(answer)) == (400, [code], [])


@each_case("key", ["", "x", "\0", "9" * 400], around=rolled_back)
def test_line_without_a_key_is_refused(desk: Client, event: Event, key: str) -> None:
    data = {"account": desk.session["_auth_user_id"], "line": "1 2 1", "key": key}
    answer = desk.post(slips(event), data, headers={"Accept": "application/json"})
    assert (answer.status_code, codes(answer), score()) == (400, ["key_invalid"], "")


def test_line_of_another_account_is_not_entered(desk: Client, event: Event) -> None:
    answer = send(desk, slips(event), "1 2 1", account="0")
    assert (answer.status_code, answer.headers["X-Ringside-Why"], score()) == (403, "signed-out", "")


def test_scorekeeper_without_the_right_cannot_drop_a_player_by_a_line(event: Event) -> None:
    judge = make_user("judge@example.org")
    StaffRole.objects.create(event=event, user=judge, kind="judge")
    desk = Client()
    desk.force_login(judge)
    answer = send(desk, slips(event), "1 2 1 d2")
    assert (answer.status_code, codes(answer), score()) == (403, ["not_allowed"], "")
    assert AcceptedEntry.objects.count() == 0


def test_known_name_is_added_when_it_is_another_person(desk: Client) -> None:
    event = make_event()
    address = reverse("console_players", args=[event.slug])
    send(desk, address, "Ann Brook")
    answer = send(desk, address, "Ann Brook")
    assert (codes(answer), ways(answer)) == (
        ["same_name"], [({"is_namesake": "on"}, "")],
    )  # fmt: skip
    assert send(desk, address, "Ann Brook", is_namesake="on").status_code == 200
    assert event.players.count() == 2


def test_every_problem_of_a_walk_in_is_said_at_once(desk: Client) -> None:
    event = make_event()
    address = reverse("console_players", args=[event.slug])
    assert codes(send(desk, address, f"{'x' * 81}; no@address")) == ["name_too_long", "email_invalid"]
    assert codes(send(desk, address, "x" * 601)) == ["max_length"]


@pytest.fixture
@built_once
def arrivals() -> Event:
    event = make_event()
    add_players(event, 4)
    events.open_check_in(event, organizer())
    return event


def test_number_name_and_part_of_a_name_check_in(desk: Client, arrivals: Event) -> None:
    address = reverse("console_check_in", args=[arrivals.slug])
    sentences = [send(desk, address, line).json()["sentence"] for line in ("2", "ALICE", "car", "2")]
    assert sentences == [
        "Bob is checked in.",
        "Alice is checked in.",
        "Carol is checked in.",
        "Bob was already checked in.",
    ]


def test_part_of_several_names_offers_each(desk: Client, arrivals: Event) -> None:
    address, key = reverse("console_check_in", args=[arrivals.slug]), uuid4()
    answer = send(desk, address, "o", key)
    assert (codes(answer), ways(answer)) == (
        ["several_players_match"],
        [({"player": "2"}, ""), ({"player": "3"}, "")],
    )
    assert send(desk, address, "o", key, player="3").json()["sentence"] == "Carol is checked in."


@pytest.mark.both_databases
def test_whole_name_is_meant_where_others_begin_like_it(desk: Client, arrivals: Event) -> None:
    arrivals.players.filter(number=4).update(name="Alice Berg", folded_name="aliceberg")
    address = reverse("console_check_in", args=[arrivals.slug])
    assert send(desk, address, "alice").json()["sentence"] == "Alice is checked in."


def test_accepting_a_line_costs_the_same_for_few_and_many(
    desk: Client, arrivals: Event, django_assert_num_queries: Any
) -> None:
    address = reverse("console_check_in", args=[arrivals.slug])
    send(desk, address, "1")
    # PostgreSQL is asked to tell listeners as well.
    count = 26 if connection.vendor == "sqlite" else 27
    for line in ("2", "3", "4"):
        with django_assert_num_queries(count):
            send(desk, address, line)


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("1 9 9", "score_impossible"),
        ("1 2 2", "score_impossible"),
        ("1 1 1 99", "draws_impossible"),
    ],
)
def test_result_that_cannot_be_is_refused_at_once_where_another_stands(
    desk: Client, event: Event, line: str, code: str
) -> None:
    send(desk, slips(event), "1 2 1")
    answer = send(desk, slips(event), line)
    assert (answer.status_code, codes(answer), ways(answer)) == (400, [code], [])
    assert score() == "2-1"
