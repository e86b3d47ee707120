"""Tables of hundreds and thousands of players.

Each is a job with progress and one step, undone as one.
"""

from __future__ import annotations

import time
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from decks.jobs.models import Job
from decks.jobs.worker import perform
from tests.everyday import each_case, each_nth
from tests.scenarios.factories import make_event, organizer, play_round, sign_in_organizer, started_event
from tests.scenarios.log_words import all_words
from tests.scenarios.rollback import rolled_back
from tournament.events.models.event import Event
from tournament.log.services import undo_step
from tournament.registration import player_csv
from tournament.registration import services as registration
from tournament.registration.services import player_import
from tournament.registration.services.import_plan import PlayerImportPlan

pytestmark = pytest.mark.django_db

LONG = player_import.LINES_AT_ONCE + 1


def table_of(count: int, *, first: int = 0, more: str = "") -> str:
    lines = (
        f"Player {n};p{n}@example.org;Ken;Club {n % 9};{1000 + n}\n" for n in range(first, first + count)
    )
    return "Name;E-mail;Character;Club;Rating\n" + "".join(lines) + more


def bring_in(event: Event, text: str) -> PlayerImportPlan:
    return player_import.run_player_import(event, organizer(), player_csv.read_player_csv(text, event))


@pytest.fixture
def desk() -> Client:
    return sign_in_organizer()


def plan_of(event: Event, text: str) -> PlayerImportPlan:
    return player_import.plan_player_import(event, player_csv.read_player_csv(text, event))


def press(desk: Client, event: Event, text: str, plan: PlayerImportPlan | None = None) -> str:
    """Press the button of the plan, and return the address that follows."""
    form_values = {"text": text, "mark": (plan or plan_of(event, text)).fingerprint}
    return str(desk.post(f"/console/{event.slug}/players/import/", form_values)["Location"])


def rows_of(event: Event) -> list[tuple[object, ...]]:
    columns = (
        "number", "name", "folded_name", "namesake", "email", "character", "club", "rating", "status",
        "waiting_since", "lot", "entered_round", "dropped_after",
    )  # fmt: skip
    return list(event.players.order_by("number").values_list(*columns))


def test_import_of_many_players_takes_a_number_of_queries_that_does_not_grow(
    django_assert_max_num_queries,
) -> None:
    event = make_event()
    with django_assert_max_num_queries(40):
        bring_in(event, table_of(50))
    with django_assert_max_num_queries(45):  # SQLite takes some 80 rows of this table in one statement
        bring_in(event, table_of(320, first=50))
    assert event.players.count() == 370
    with django_assert_max_num_queries(60):
        undo_step(event.log.filter(action="players_imported").first(), organizer())
    assert event.players.count() == 50


@pytest.mark.whole(
    "test_import_of_many_players_takes_a_number_of_queries_that_does_not_grow, and the page by "
    "test_long_table_is_a_job_that_the_page_follows"
)
def test_thousand_players_are_planned_written_and_undone_within_seconds_of_work(desk: Client) -> None:
    event, text = make_event(), table_of(1000)
    table = player_csv.read_player_csv(text, event)
    began = time.thread_time()
    desk.post(f"/console/{event.slug}/players/import/", {"text": text})
    planned_at = time.thread_time()
    player_import.run_player_import(event, organizer(), table)
    write_start = time.thread_time()
    undo_step(event.log.get(action="players_imported"), organizer())
    undo_end = time.thread_time()
    assert event.players.count() == 0
    assert [planned_at - began < 15, write_start - planned_at < 15, undo_end - write_start < 15] == [
        True,
        True,
        True,
    ]


def test_imported_players_are_as_those_added_one_by_one() -> None:
    event, other = (make_event(name=name, capacity=3) for name in ("Open", "Other"))
    bring_in(event, "Name;E-mail;Character;Namesake\nAnn;a@x.org;Ken;\nBob;;;\nann;b@x.org;;yes\nDave;;;\n")
    for name, email, character in (
        ("Ann", "a@x.org", "Ken"), ("Bob", "", ""), ("ann", "b@x.org", ""), ("Dave", "", ""),
    ):  # fmt: skip
        registration.add_player(
            other, organizer(), name=name, email=email, character=character, is_namesake=name == "ann"
        )
    waits = [row[9] is not None for row in rows_of(event)]
    assert waits == [row[9] is not None for row in rows_of(other)] == [False, False, False, True]
    # Neither when they came, nor what was drawn from the seed of the event.
    without_times = [[row[:9] + row[11:] for row in rows_of(each)] for each in (event, other)]
    assert without_times[0] == without_times[1]
    lists = [each.deck_list_id for each in event.players.all()]
    assert len(set(lists)) == 4


def test_changes_of_different_columns_are_written_and_undone_as_one_step() -> None:
    event = make_event()
    bring_in(event, table_of(3))
    before = rows_of(event)
    bring_in(event, "Name;Club;Rating\nPlayer 0;Dojo;\nPlayer 1;;1\nPlayer 2;Dojo;2\nNew;;\n")
    assert list(event.players.values_list("club", "rating")) == [
        ("Dojo", 1000),
        ("Club 1", 1),
        ("Dojo", 2),
        ("", None),
    ]
    undo_step(event.log.filter(action="players_imported").first(), organizer())
    assert rows_of(event) == before


@pytest.mark.both_databases
def test_import_is_one_line_of_the_log_for_all_its_players() -> None:
    event = make_event()
    bring_in(event, table_of(300))
    assert all_words(event.log.filter(action__startswith="player")) == [
        "olga@example.org imported players: 300 added, 0 changed, 0 rejected."
    ]


@pytest.mark.both_databases
def test_players_imported_while_rounds_run_all_enter_late() -> None:
    event = started_event(4, swiss_rounds=3)
    play_round(event)
    bring_in(event, table_of(3))
    late = event.players.filter(name__startswith="Player", email__startswith="p").order_by("-number")[:3]
    assert [each.matches_as_p1.get().outcome for each in late] == ["loss_no_opponent"] * 3


def test_long_table_is_a_job_that_the_page_follows(desk: Client) -> None:
    event, text = make_event(), table_of(LONG, more="Refused;nobody;;;\n")
    plan = desk.post(f"/console/{event.slug}/players/import/", {"text": text}).context["plan"]
    address = press(desk, event, text, plan)
    job = Job.objects.get(kind="import_players")
    assert (address, event.players.count()) == (f"/console/{event.slug}/players/import/{job.pk}/", 0)
    page = desk.get(address)
    assert "every 500ms" in page.content.decode()
    perform(job.pk, heartbeat=False)
    job.refresh_from_db()
    assert (job.state, job.result) == ("done", {"add": LONG, "change": 0, "same": 0, "refused": 1})
    page = desk.get(address, headers={"HX-Request": "true"})
    assert "every 500ms" not in page.content.decode()
    assert f"<strong>{LONG}</strong> added" in page.content.decode()


@pytest.mark.both_databases
def test_page_says_when_no_worker_begins_the_import(desk: Client) -> None:
    event = make_event()
    address = press(desk, event, table_of(LONG))
    assert "No worker has started the import." not in desk.get(address).content.decode()
    Job.objects.update(created_at=timezone.now() - timedelta(seconds=21))
    assert "No worker has started the import." in desk.get(address).content.decode()


def test_short_table_is_written_at_once(desk: Client) -> None:
    event = make_event()
    assert press(desk, event, table_of(LONG - 1)) == f"/console/{event.slug}/players/"
    assert (event.players.count(), Job.objects.filter(kind="import_players").count()) == (LONG - 1, 0)


def test_long_table_sent_twice_is_one_job(desk: Client) -> None:
    event = make_event()
    assert press(desk, event, table_of(LONG)) == press(desk, event, table_of(LONG))


def test_job_lost_after_it_wrote_adds_no_player_twice_and_keeps_its_counts(desk: Client) -> None:
    event = make_event()
    press(desk, event, table_of(LONG))
    job = Job.objects.get(kind="import_players")
    perform(job.pk, heartbeat=False)
    Job.objects.update(state="queued")  # as after a worker that was killed before it said that it was done
    perform(job.pk, heartbeat=False)
    job.refresh_from_db()
    assert (job.state, job.result["add"], event.players.count()) == ("done", LONG, LONG)


def test_finished_job_keeps_no_addresses(desk: Client) -> None:
    event = make_event()
    press(desk, event, table_of(LONG))
    job = Job.objects.get(kind="import_players")
    perform(job.pk, heartbeat=False)
    job.refresh_from_db()
    assert job.payload == {"event": event.pk}


def test_job_whose_plan_is_outdated_writes_nothing_and_says_so(desk: Client) -> None:
    event = make_event()
    address = press(desk, event, table_of(LONG))
    registration.add_player(event, organizer(), name="Player 5")
    job = Job.objects.get(kind="import_players")
    perform(job.pk, heartbeat=False)
    job.refresh_from_db()
    assert (job.state, job.error_code, event.players.count()) == ("failed", "import_changed_meanwhile", 1)
    assert job.error in desk.get(address).content.decode().replace("&#x27;", "'")


@pytest.mark.both_databases
def test_job_of_a_closed_account_writes_nothing(desk: Client) -> None:
    event = make_event()
    press(desk, event, table_of(LONG))
    type(organizer().user).objects.update(is_active=False)
    job = Job.objects.get(kind="import_players")
    perform(job.pk, heartbeat=False)
    job.refresh_from_db()
    assert (job.error_code, event.players.count()) == ("event_gone", 0)


def test_job_of_another_event_is_not_found(desk: Client) -> None:
    event, other = make_event(), make_event(name="Other")
    address = press(desk, event, table_of(LONG))
    assert desk.get(address.replace(event.slug, other.slug)).status_code == 404


def test_preview_shows_what_is_refused_first(desk: Client) -> None:
    event = make_event()
    text = table_of(3, more="Refused;nobody;;;\n")
    plan = desk.post(f"/console/{event.slug}/players/import/", {"text": text}).context["plan"]
    assert [line.kind for line in plan.by_urgency] == ["refused", "add", "add", "add"]


@each_case("mark", each_nth(3, ["x" * 5000, "a\0b", "0" * 15, "G" * 16]), around=rolled_back)
def test_mark_that_no_page_showed_is_refused_and_makes_no_job(desk: Client, mark: str) -> None:
    event, text = make_event(), table_of(LONG)
    answer = desk.post(f"/console/{event.slug}/players/import/", {"text": text, "mark": mark})
    assert (answer.status_code, Job.objects.count(), event.players.count()) == (200, 0, 0)
    assert answer.context["plan"].counts["add"] == LONG
