"""The chain from a published list to the last email.

A worker is lost before and after every step.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from django.conf import settings
from django.contrib.auth.models import Group
from django.core import mail
from django.db.models import Count
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from decks.jobs import handlers, queue, worker
from decks.jobs.models import Job
from decks.rechecks import chain
from decks.rechecks import services as rechecks
from decks.rechecks.models import Recheck
from decks.rechecks.selectors import recheck_progress
from decks.submissions.models import DeckVersion, Rechecked
from tests.scenarios.catalogue import LEGAL, small_catalogue
from tests.scenarios.editions import draft, publish
from tests.scenarios.factories import add_players, make_event, make_user
from tests.scenarios.html import html_of
from tournament.access.permissions import Actor
from tournament.decklists.models import ListNotice
from tournament.decklists.services import lists as decklists
from tournament.events.models.event import Event

pytestmark = pytest.mark.django_db
PLAYERS = 3


@pytest.fixture
def event(db: None, monkeypatch: pytest.MonkeyPatch) -> Event:
    """Return an event with three lists that a ban of Anvil Stance breaks.

    A part of a recheck takes two of them.
    """
    monkeypatch.setattr(rechecks, "LISTS_A_PART", 2)
    small_catalogue()
    event = make_event(starts_at=datetime.now(UTC) + timedelta(days=60))
    add_players(event, PLAYERS)
    for player in event.players.all():
        type(player).objects.filter(pk=player.pk).update(email=f"player{player.number}@example.org")
    for player in event.players.select_related("event", "deck_list"):
        decklists.submit_list(player, Actor.of_player(player), LEGAL)
    return event


def do_all_jobs() -> list[str]:
    """Do what waits until nothing does; the kinds in their order."""
    done_kinds = []
    while job := Job.objects.filter(state=Job.State.QUEUED).order_by("created_at").first():
        Job.objects.filter(pk=job.pk).update(run_after=timezone.now())
        worker.perform(job.pk, heartbeat=False)
        done_kinds.append(job.kind)
        assert len(done_kinds) < 40
    return done_kinds


def lose_worker(kind: str, *, after_hop: bool) -> None:
    """Let a worker take a job of this kind and disappear.

    Its work is either done but not closed, or not begun.
    """
    job = Job.objects.filter(kind=kind, state=Job.State.QUEUED).order_by("created_at").first()
    assert job is not None
    run = worker._claim(job.pk)
    assert run is not None
    if after_hop:
        handlers.get_handler(kind)(run)
    Job.objects.filter(pk=job.pk).update(lease_until=timezone.now() - timedelta(seconds=1))
    assert queue.sweep().requeued_count == 1


def do_jobs_before(kind: str) -> None:
    while not Job.objects.filter(kind=kind, state=Job.State.QUEUED).exists():
        next_job = Job.objects.filter(state=Job.State.QUEUED).order_by("created_at").first()
        assert next_job is not None
        worker.perform(next_job.pk, heartbeat=False)


def assert_told_once(event: Event) -> None:
    assert Recheck.objects.get().ended_at is not None
    times = DeckVersion.objects.annotate(times=Count("rechecks")).values_list("times", flat=True)
    assert list(times) == [1] * PLAYERS
    assert set(Rechecked.objects.values_list("outcome", flat=True)) == {"illegal"}
    assert event.log.filter(action="lists_checked_again").count() == 1
    assert ListNotice.objects.filter(player__isnull=False, mail="sent").count() == PLAYERS
    to_players = sorted(to for message in mail.outbox for to in message.to if to.startswith("player"))
    assert to_players == [f"player{number}@example.org" for number in range(1, PLAYERS + 1)]


def test_the_hops_follow_each_other_in_the_order_of_the_chain(event: Event) -> None:
    publish(draft("Anvil Stance"))
    assert tuple(dict.fromkeys(do_all_jobs())) == chain.HOPS
    assert_told_once(event)


def test_documentation_draws_the_hops_in_their_order() -> None:
    page = (Path(settings.BASE_DIR) / "docs" / "explanation" / "rechecks.md").read_text(encoding="utf-8")
    drawn_lines = [line.split() for line in page.splitlines() if line.startswith("    ")]
    assert [words[0] for words in drawn_lines if words[0] in chain.HOPS] == list(chain.HOPS)


@pytest.mark.parametrize("after_hop", [False, True], ids=["before each", "after each"])
def test_workers_lost_at_every_hop_lose_and_double_nothing(event: Event, after_hop: bool) -> None:
    publish(draft("Anvil Stance"))
    for kind in chain.HOPS:
        do_jobs_before(kind)
        lose_worker(kind, after_hop=after_hop)
    do_all_jobs()
    assert_told_once(event)


@pytest.mark.whole("workers lost at every hop of one chain, above")
@pytest.mark.parametrize("after_hop", [False, True], ids=["before it", "after it"])
@pytest.mark.parametrize("kind", chain.HOPS)
def test_a_worker_lost_at_a_hop_loses_and_doubles_nothing(event: Event, kind: str, after_hop: bool) -> None:
    publish(draft("Anvil Stance"))
    do_jobs_before(kind)
    lose_worker(kind, after_hop=after_hop)
    do_all_jobs()
    assert_told_once(event)


def test_a_hop_done_once_more_at_the_end_changes_nothing(event: Event) -> None:
    publish(draft("Anvil Stance"))
    do_all_jobs()
    for kind in chain.HOPS:
        for job in Job.objects.filter(kind=kind, state=Job.State.DONE):
            queue.enqueue(kind, job.payload)
        assert set(do_all_jobs()) == {kind}
        assert_told_once(event)


@pytest.mark.both_databases
def test_telling_that_stopped_with_an_error_goes_on_from_the_page(
    event: Event, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    publish(draft("Anvil Stance"))
    do_jobs_before(chain.TELL_JOB)
    with monkeypatch.context() as patch:
        patch.setattr("tournament.decklists.services.notices.notify_event", _fail)
        do_all_jobs()
    recheck = Recheck.objects.get()
    assert recheck_progress(recheck).failed == 1
    keeper = make_user("keeper")
    keeper.groups.add(Group.objects.get(name="Ban list editors"))
    client.force_login(keeper)
    assert "An error stopped the notifications" in html_of(
        client.get(reverse("list_recheck", args=[recheck.pk]))
    )
    client.post(reverse("list_recheck_resume", args=[recheck.pk]))
    do_all_jobs()
    assert recheck_progress(recheck).failed == 0
    assert_told_once(event)


def _fail(*_values: object) -> bool:
    raise RuntimeError("The step does not go through.")
