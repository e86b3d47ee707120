"""Live streams and the clock through restarts of the database and of a process."""

from __future__ import annotations

import json
import subprocess
import sys
from datetime import timedelta
from pathlib import Path

import pytest
from django.db import OperationalError, connection
from django.utils import timezone

from tests.config.live.test_streams import OpenStream
from tests.fixtures.servers import Live
from tests.fixtures.workers import CLONE, process_environment, wait_for
from tests.scenarios.factories import make_event, organizer, started_event
from tournament.clock import services as clock
from tournament.clock.selectors import get_event_clock
from tournament.events.models.event import Event
from tournament.log.step import increment_version
from tournament.pairing.services import rounds

pytestmark = pytest.mark.both_databases

CUT = """
    SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE datname = current_database() AND pid <> pg_backend_pid()
"""
LOOK = """
import json, django
django.setup()
from tournament.events.models.event import Event
from tournament.clock.selectors import get_event_clock
clock = get_event_clock(Event.objects.get())
print(json.dumps([clock.phase, clock.ends_at.isoformat(), clock.remaining_seconds]))
"""


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_a_stream_goes_on_after_the_database_has_restarted(
    live: Live, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("config.live.watcher.RETRY_SECONDS", 0.05)
    event = make_event()
    stream = OpenStream(live, f"/live/events/{event.slug}")
    stream.event()
    wait_for(_is_listening)
    with connection.cursor() as cursor:
        cursor.execute(CUT)
    wait_for(_is_listening)
    increment_version(event)
    version = Event.objects.values_list("version", flat=True).get()
    assert stream.event()["data"] == str(version)
    stream.close()


@pytest.mark.django_db(transaction=True)
def test_who_opens_a_stream_while_the_database_is_away_is_asked_to_come_back(
    live: Live, monkeypatch: pytest.MonkeyPatch
) -> None:
    def away(slugs: list[str]) -> dict[str, int]:
        raise OperationalError("server closed the connection unexpectedly")

    monkeypatch.setattr("config.live.versions.read_versions", away)
    stream = OpenStream(live, "/live/events/any")
    answer = stream.answer
    assert (answer.status, answer.headers["retry-after"]) == (503, "5")
    assert answer.read() == b"The database is unavailable at the moment.\n"
    stream.close()


def _is_listening() -> bool:
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM pg_stat_activity WHERE query LIKE 'LISTEN%%' AND state = 'idle'")
        return bool(cursor.fetchone()[0])


@pytest.mark.daily_on_postgres
@pytest.mark.django_db(transaction=True)
def test_the_clock_is_right_in_a_process_that_has_just_started(tmp_path: Path) -> None:
    event = started_event(4)
    round_ = rounds.publish_round(rounds.pair_next_round(event, organizer()), organizer())
    clock.start_clock(round_, organizer())
    clock.change_time(round_, organizer(), minutes=2)
    before = get_event_clock(Event.objects.get())
    began = timezone.now()
    fresh = subprocess.run(
        [sys.executable, "-c", LOOK],
        cwd=CLONE,
        env=process_environment(tmp_path),
        capture_output=True,
        check=True,
        text=True,
    )
    phase, ends_at, seconds_left = json.loads(fresh.stdout.splitlines()[-1])
    assert (phase, ends_at) == (str(before.phase), before.ends_at.isoformat())
    # It read the time between these two moments, and shows whole seconds.
    looked = before.ends_at - timedelta(seconds=seconds_left)
    assert began - timedelta(seconds=1) <= looked <= timezone.now() + timedelta(seconds=1)
