"""Rechecks after a new edition.

Stored lists are judged again, recorded verdicts stay, and nothing is done twice.
"""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from decks.jobs.handlers import Cancelled
from decks.jobs.models import Job
from decks.rechecks import services as rechecks
from decks.rechecks import upcoming
from decks.rechecks.models import Recheck, RecheckPart
from decks.submissions import selectors, services
from decks.submissions.models import DeckList, DeckVersion, Rechecked
from decks.submissions.selectors import compare_with_previous_verdict, current_verdict
from rules.reason import Reason, reason
from tests import machine
from tests.scenarios.catalogue import LEGAL, list_of, small_catalogue
from tests.scenarios.decklists import lock, submit
from tests.scenarios.editions import draft, publish
from tests.scenarios.upcoming_decklists import DAY, DayEvents, ban_list

pytestmark = pytest.mark.django_db
WITHOUT_ANVIL = list_of("1 Mara ●", "4 Paper Tiger").replace("4 Anvil Stance\n", "")


@pytest.fixture
def hall(db, monkeypatch) -> DayEvents:
    """An event on the day of the edition; its lists are added by `hand_in`."""
    small_catalogue()
    hall = DayEvents()
    monkeypatch.setattr(upcoming, "_registered", [hall])
    return hall


def hand_in(hall: DayEvents, text: str = LEGAL, event: int = 1) -> DeckVersion:
    deck_list = services.create_list(game="ufs", format_key="constructed", rules_version="1.9")
    hall.held_lists.append((deck_list, event))
    return submit(deck_list, text, actor="Ada")


def outcomes() -> list[tuple[str, bool]]:
    return list(Rechecked.objects.order_by("version", "pk").values_list("outcome", "brings_news"))


def quiet(done_count: int, total: int, words: str) -> None:
    """Ignore progress."""


def test_a_list_with_a_newly_banned_card_gets_a_later_verdict_and_keeps_its_first(hall, run_jobs):
    version = hand_in(hall)
    recheck = rechecks.start_recheck(ban_list("Anvil Stance"), asked_by="Kim")
    run_jobs(), run_jobs()
    later = Rechecked.objects.get()
    version.refresh_from_db()
    assert (version.outcome, version.verdict["findings"]) == ("legal", [])
    assert (later.version, later.outcome, later.brings_news, later.day) == (version, "illegal", True, DAY)
    assert (later.cause, later.since) == ("Banned list 2, in force from Tue 1 Dec 2026", DAY)
    bans = later.judged_under["editions"][0]
    assert bans["params"] == {"name": "Banned list", "document": "Ringside news", "since": "2026-12-01"}
    assert [finding.code for finding in compare_with_previous_verdict(later).new] == ["banned-card"]
    assert selectors.current_outcome(version) == "illegal"
    recheck.refresh_from_db()
    assert (recheck.total, recheck.ended_at is None) == (1, False)


def test_a_list_without_the_card_stays_legal_and_is_no_news(hall, run_jobs):
    hand_in(hall, WITHOUT_ANVIL)
    rechecks.start_recheck(ban_list("Anvil Stance"))
    run_jobs(), run_jobs()
    assert outcomes() == [("legal", False)]


@pytest.mark.both_databases
def test_a_ban_that_is_lifted_makes_a_list_legal_again(hall, run_jobs):
    version = hand_in(hall, list_of("1 Mara ●", "1 Kubi Ori"))
    assert version.outcome == "illegal"
    rechecks.start_recheck(ban_list("Paper Lion"))
    run_jobs(), run_jobs()
    assert outcomes() == [("legal", False)]
    assert [finding.code for finding in compare_with_previous_verdict(Rechecked.objects.get()).gone] == [
        "banned-card"
    ]


def test_an_event_before_the_day_of_the_edition_is_left_alone(hall, run_jobs):
    hall.days = {1: DAY - timedelta(days=1), 2: DAY}
    hand_in(hall, event=1)
    there = hand_in(hall, event=2)
    recheck = rechecks.start_recheck(ban_list("Anvil Stance"))
    run_jobs(), run_jobs()
    recheck.refresh_from_db()
    assert recheck.total == 1
    assert list(Rechecked.objects.values_list("version", flat=True)) == [there.pk]


def test_events_under_other_rules_are_left_alone(hall):
    hall.rules_version = "1.8"
    hand_in(hall)
    recheck = rechecks.start_recheck(ban_list("Anvil Stance", versions=["1.9"]))
    assert rechecks.plan_recheck(recheck.pk).total == 0
    recheck.refresh_from_db()
    assert recheck.ended_at is not None


def test_a_line_that_was_not_understood_still_leaves_the_list_open(hall, run_jobs):
    version = hand_in(hall, LEGAL.replace("4 Granite Guard", "4 Granit Guard"))
    assert version.outcome == "unknown"
    rechecks.start_recheck(ban_list("Paper Lion"))
    run_jobs(), run_jobs()
    assert outcomes() == [("unknown", False)]


def test_a_list_that_was_locked_meanwhile_keeps_its_verdict(hall):
    version = hand_in(hall)
    recheck = rechecks.plan_recheck(rechecks.start_recheck(ban_list("Anvil Stance")).pk)
    lock(version.deck_list)
    rechecks.check_part(recheck.parts.get().pk, quiet)
    assert outcomes() == []
    assert selectors.current_outcome(version) == "legal"


def test_publishing_an_edition_starts_its_recheck(hall, run_jobs):
    hand_in(hall)
    published_edition = publish(draft("Anvil Stance"))
    run_jobs(), run_jobs()
    recheck = Recheck.objects.get()
    assert (recheck.edition, recheck.asked_by, recheck.total) == (published_edition, "Lena", 1)
    assert outcomes() == [("illegal", True)]


def test_publishing_twice_starts_one_recheck(hall):
    edition = ban_list("Anvil Stance")
    assert rechecks.start_recheck(edition) == rechecks.start_recheck(edition)
    assert Job.objects.filter(kind="plan_recheck").count() == 1


@pytest.mark.both_databases
def test_a_part_done_twice_leaves_each_list_one_later_verdict(hall, monkeypatch):
    monkeypatch.setattr(rechecks, "LISTS_A_PART", 2)
    for _ in range(3):
        hand_in(hall)
    recheck = rechecks.plan_recheck(rechecks.start_recheck(ban_list("Anvil Stance")).pk)
    parts = list(recheck.parts.all())
    assert [part.lists for part in parts] == [2, 1]
    rechecks.check_part(parts[0].pk, quiet)
    RecheckPart.objects.update(done_at=None)
    for part in parts:
        rechecks.check_part(part.pk, quiet)
    assert outcomes() == [("illegal", True)] * 3
    assert Recheck.objects.get().ended_at is not None


def test_a_part_that_was_broken_off_goes_on_where_its_rows_end(hall, monkeypatch):
    monkeypatch.setattr(rechecks, "LISTS_A_SLICE", 2)
    for _ in range(5):
        hand_in(hall)
    part = rechecks.plan_recheck(rechecks.start_recheck(ban_list("Anvil Stance")).pk).parts.get()

    def stop(done_count: int, total: int, stage: Reason) -> None:
        assert (done_count, total, stage) == (2, 5, reason("lists_done", done=2, total=5))
        raise Cancelled

    with pytest.raises(Cancelled):
        rechecks.check_part(part.pk, stop)
    first = list(Rechecked.objects.values_list("pk", flat=True))
    part.refresh_from_db()
    assert (len(first), part.checked_count, part.done_at) == (2, 2, None)
    rechecks.check_part(part.pk, quiet)
    assert list(Rechecked.objects.order_by("pk").values_list("pk", flat=True))[:2] == first
    assert Rechecked.objects.count() == 5


def test_cancelling_stops_the_parts_and_ends_the_recheck_once(hall, run_jobs):
    hand_in(hall)
    recheck = rechecks.plan_recheck(rechecks.start_recheck(ban_list("Anvil Stance")).pk)
    cancel_results = [rechecks.cancel_recheck(recheck.pk) for _ in range(2)]
    run_jobs()
    payloads = Job.objects.filter(kind="tell_of_recheck").values_list("payload", flat=True)
    assert (cancel_results, list(payloads), outcomes()) == ([True, False], [{"recheck": recheck.pk}], [])
    assert Job.objects.get(kind="recheck_part").state == "cancelled"


def test_a_ruling_is_valid_until_a_later_check_finds_a_problem_without_a_ruling(hall, run_jobs):
    version = hand_in(hall, LEGAL.replace("4 Granite Guard", "4 Granit Guard"))
    ruling = services.record_ruling(version, "legal", actor="Judy", reason="A slip of the pen")
    rechecks.start_recheck(ban_list("Paper Lion"))
    run_jobs(), run_jobs()
    assert current_verdict(version).ruling == ruling
    rechecks.start_recheck(ban_list("Anvil Stance", number=3))
    run_jobs(), run_jobs()
    version = DeckVersion.objects.get(pk=version.pk)
    assert (current_verdict(version).outcome, current_verdict(version).overtaken_ruling) == (
        "illegal",
        ruling,
    )
    services.record_ruling(version, "legal", actor="Judy", reason="It was printed before")
    assert selectors.current_outcome(DeckVersion.objects.get(pk=version.pk)) == "legal"


def test_the_second_of_two_editions_is_held_against_the_first(hall, run_jobs):
    hand_in(hall)
    for number in (2, 3):
        rechecks.start_recheck(ban_list("Anvil Stance", number=number))
        run_jobs(), run_jobs()
    assert outcomes() == [("illegal", True), ("illegal", False)]


def test_many_lists_cost_no_more_queries_than_few(hall):
    counts = []
    for number, more in ((2, 1), (3, 49 if machine.whole() else 9)):
        for _ in range(more):
            hand_in(hall)
        part = rechecks.plan_recheck(
            rechecks.start_recheck(ban_list("Jade Focus", number=number)).pk
        ).parts.get()
        rechecks.get_checker("ufs")
        with CaptureQueriesContext(
            connection,
        ) as queries:
            rechecks.check_part(part.pk, quiet)
        counts.append(len(queries))
    assert counts[0] == counts[1]


def test_an_edition_of_a_past_day_reaches_lists_of_todays_events(hall, run_jobs):
    hand_in(hall)
    rechecks.start_recheck(ban_list("Anvil Stance", in_force=date(2020, 1, 1)))
    run_jobs(), run_jobs()
    assert outcomes() == [("illegal", True)]
    assert DeckList.objects.get().current.outcome == "legal"
