"""A real worker killed in the middle of a recheck.

Nothing is lost, and nothing is done or announced twice.
"""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from celery import Celery
from django.db.models import Count
from django.test import override_settings

from config.env import broker
from decks.jobs.queue import sweep
from decks.rechecks import services as rechecks
from decks.submissions.models import DeckVersion, Rechecked
from tests.fixtures.workers import wait_for
from tests.scenarios.catalogue import LEGAL, small_catalogue
from tests.scenarios.factories import add_players, make_event
from tests.scenarios.upcoming_decklists import ban_list
from tournament.access.permissions import Actor
from tournament.decklists.models import ListNotice
from tournament.decklists.services import lists as decklists

pytestmark = [pytest.mark.both_databases, pytest.mark.worker, pytest.mark.django_db(transaction=True)]
LISTS = 30


@pytest.mark.whole("a worker killed in the middle of any job, tests/decks/jobs/test_real_worker.py")
def test_a_worker_killed_in_the_middle_of_a_recheck_loses_and_doubles_nothing(
    start_worker, tmp_path, monkeypatch
):
    small_catalogue()
    event = make_event(starts_at=datetime(2026, 12, 12, 9, 0, tzinfo=UTC))
    add_players(event, LISTS)
    for player in event.players.select_related("event", "deck_list"):
        decklists.submit_list(player, Actor.of_player(player), LEGAL)
    settings, _ = broker.parse("", folder=tmp_path / "data" / "queue")
    with Celery("sender", broker=settings["CELERY_BROKER_URL"], set_as_current=False) as app:
        app.conf.broker_transport_options = settings["CELERY_BROKER_TRANSPORT_OPTIONS"]
        monkeypatch.setattr("decks.jobs.queue.current_app", app)
        # Parts of one list, so that there is a middle.
        monkeypatch.setattr(rechecks, "LISTS_A_PART", 1)
        worker = start_worker(RINGSIDE_JOB_LEASE_SECONDS="1.5")
        recheck = rechecks.plan_recheck(rechecks.start_recheck(ban_list("Anvil Stance")).pk)
        wait_for(lambda: Rechecked.objects.count() >= 3)
        worker.kill()
        before = set(Rechecked.objects.values_list("pk", flat=True))
        assert len(before) < LISTS
        start_worker(RINGSIDE_JOB_LEASE_SECONDS="1.5")
        with override_settings(JOB_LEASE_SECONDS=1.5):
            wait_for(lambda: sweep() and event.log.filter(action="lists_checked_again").exists(), 60)
    recheck.refresh_from_db()
    assert (recheck.total, recheck.ended_at is None) == (LISTS, False)
    once = DeckVersion.objects.annotate(times=Count("rechecks")).values_list("times", flat=True)
    assert list(once) == [1] * LISTS
    assert before <= set(Rechecked.objects.values_list("pk", flat=True))
    assert event.log.filter(action="lists_checked_again").count() == 1
    assert ListNotice.objects.filter(player__isnull=False).count() == LISTS
