"""Live streams through restarts of the database."""

from __future__ import annotations

import pytest
from django.db import OperationalError, connection

from tests.config.live.test_streams import OpenStream
from tests.fixtures.servers import Live
from tests.fixtures.workers import wait_for
from tests.scenarios.factories import make_event
from tournament.events.models.event import Event
from tournament.log.step import increment_version

pytestmark = pytest.mark.both_databases

CUT = """
    SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE datname = current_database() AND pid <> pg_backend_pid()
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
