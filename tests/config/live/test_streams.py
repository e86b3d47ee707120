"""Live changes over real connections to a real server."""

from __future__ import annotations

import http.client
import json
import socket
import threading
import time
from urllib.parse import urlsplit

import pytest
from django.db import transaction
from django.utils import timezone

from config.live import bus
from tests import machine
from tests.fixtures.workers import wait_for
from tournament.events.models.event import Event
from tournament.events.models.player import Player
from tournament.log.step import increment_version

pytestmark = pytest.mark.both_databases
NAMED = ((1, "Ada"), (2, "Bo"))


class OpenStream:
    """One open stream, read line by line."""

    def __init__(self, live, path):
        self.connection = http.client.HTTPConnection(urlsplit(live.url).netloc, timeout=60)
        self.connection.request("GET", path)
        self.answer = self.connection.getresponse()

    def event(self):
        """Return the next event as a dictionary of its fields.

        Returns None when the stream has ended.
        """
        fields = {}
        while True:
            line = self.answer.readline().decode()
            if line == "":
                return None
            if line == "\n":
                return fields
            name, _, value = line.rstrip("\n").partition(":")
            fields[name] = value.strip()

    def close(self):
        self.answer.close()
        self.connection.close()


@pytest.fixture
def event(transactional_db):
    return make_event("autumn-open")


def make_event(slug, phase=Event.Phase.REGISTRATION):
    return Event.objects.create(
        name=slug,
        slug=slug,
        starts_at=timezone.now(),
        game="ufs",
        format="constructed",
        rules_version="1.9",
        match_form="best-of-3",
        round_minutes=50,
        seed=1,
        phase=phase,
    )


@pytest.fixture
def follow(live):
    streams = []

    def open_stream(name, folder="events"):
        streams.append(OpenStream(live, f"/live/{folder}/{name}"))
        return streams[-1]

    yield open_stream
    for stream in streams:
        stream.close()


def test_a_new_stream_is_told_the_version_that_holds(event, follow):
    stream = follow("autumn-open")
    assert stream.answer.status == 200
    assert stream.answer.getheader("content-type") == "text/event-stream; charset=utf-8"
    assert stream.answer.getheader("cache-control") == "no-store"
    assert stream.event() == {"retry": "3000", "id": "1", "event": "version", "data": "1"}


def test_each_change_notifies_all_followers(event, follow):
    streams = [follow("autumn-open") for _ in range(5)]
    assert [stream.event()["data"] for stream in streams] == ["1"] * 5
    increment_version(event)
    assert [stream.event()["data"] for stream in streams] == ["2"] * 5


def test_a_player_hears_the_digest_of_the_own_page_with_each_version(event, follow):
    field_values = {"event": event, "registered_at": timezone.now()}
    ada, bob = (
        Player.objects.create(number=number, lot=number, name=name, **field_values) for number, name in NAMED
    )
    streams = [follow(player.token, folder="p") for player in (ada, bob)]
    before = [json.loads(stream.event()["data"]) for stream in streams]
    assert before[0]["version"] == 1
    assert before[0]["digest"] != before[1]["digest"]
    Player.objects.filter(pk=bob.pk).update(character="Ken")
    increment_version(event)
    after = [json.loads(stream.event()["data"]) for stream in streams]
    assert [news["version"] for news in after] == [2, 2]
    assert [old["digest"] == new["digest"] for old, new in zip(before, after, strict=True)] == [True, False]
    assert after[1]["spread"] > 0


def test_a_stream_of_an_unknown_link_is_not_found(event, live):
    stream = OpenStream(live, "/live/p/nobody")
    assert stream.answer.status == 404
    stream.close()


def test_a_change_is_looked_for_within_a_second_and_does_not_wait_for_a_silence(event, follow, monkeypatch):
    assert bus.POLL_SECONDS + bus.SECONDS_TO_GATHER < 1
    monkeypatch.setattr(bus, "MAX_SILENCE_SECONDS", 600.0)
    stream = follow("autumn-open")
    stream.event()
    increment_version(event)
    assert stream.event()["data"] == "2"


def test_a_change_that_is_rolled_back_notifies_no_follower(event, follow):
    stream = follow("autumn-open")
    stream.event()
    with transaction.atomic():
        increment_version(Event.objects.get(pk=event.pk))
        transaction.set_rollback(True)
    time.sleep(0.5)
    increment_version(event)
    assert stream.event()["data"] == "2"


def test_many_changes_in_one_breath_end_in_the_last_version(event, follow):
    stream = follow("autumn-open")
    stream.event()
    for _ in range(50):
        increment_version(event)
    version = 0
    while version < 51:
        version = int(stream.event()["data"])
    assert version == 51


def test_a_change_of_another_event_is_not_told(event, follow):
    other = make_event("spring-open")
    stream, elsewhere = follow("autumn-open"), follow("spring-open")
    stream.event()
    elsewhere.event()
    increment_version(other)
    assert elsewhere.event()["data"] == "2"
    increment_version(event)
    assert stream.event()["data"] == "2"


def test_who_comes_late_is_told_what_was_missed(event, follow):
    first = follow("autumn-open")
    first.event()
    increment_version(event)
    assert first.event()["data"] == "2"
    assert follow("autumn-open").event()["data"] == "2"


@pytest.mark.parametrize("slug", ["unknown", "prepared"])
def test_an_event_that_the_public_does_not_see_cannot_be_followed(event, follow, slug):
    make_event("prepared", Event.Phase.PREPARING)
    stream = follow(slug)
    assert (stream.answer.status, stream.answer.read()) == (404, b"There is no such event to follow.\n")


def test_a_stream_can_only_be_read(event, live):
    connection = http.client.HTTPConnection(urlsplit(live.url).netloc, timeout=60)
    connection.request("POST", "/live/events/autumn-open")
    answer = connection.getresponse()
    assert (answer.status, answer.getheader("allow")) == (405, "GET")
    connection.close()


def test_streams_beyond_the_limit_are_asked_to_come_back(event, live, follow):
    live.server.streams.at_most = 2
    followers = [follow("autumn-open"), follow("autumn-open")]
    assert [stream.answer.status for stream in followers] == [200, 200]
    response = follow("autumn-open")
    assert (response.answer.status, response.answer.getheader("retry-after")) == (503, "30")
    followers[0].close()
    wait_for(lambda: len(live.server.streams.watcher) == 1)
    assert follow("autumn-open").answer.status == 200


def test_a_sign_of_life_comes_while_nothing_changes(event, live, follow):
    live.server.streams.heartbeat = 0.1
    stream = follow("autumn-open")
    stream.event()
    assert [stream.event(), stream.event()] == [{"": "still here"}, {"": "still here"}]


def test_the_watch_rests_when_the_last_one_has_left(event, live, follow):
    watcher = live.server.streams.watcher
    stream = follow("autumn-open")
    stream.event()
    assert (len(watcher), watcher._watch is None) == (1, False)
    stream.connection.sock.shutdown(socket.SHUT_RDWR)
    stream.close()
    wait_for(lambda: len(watcher) == 0)
    wait_for(lambda: watcher._watch is None)


def test_streams_end_cleanly_when_the_server_stops(event, live, follow):
    streams = [follow("autumn-open") for _ in range(3)]
    for stream in streams:
        stream.event()
    # A page under way would be waited for as long as it takes.
    live.server.config.timeout_graceful_shutdown = None
    live.stop()
    assert [stream.event() for stream in streams] == [None] * 3


def test_a_stream_opened_while_the_server_ends_is_no_refusal_and_asks_to_come_back(event, live):
    live.server.streams.watcher.is_closing = True
    stream = OpenStream(live, f"/live/events/{event.slug}")
    assert (stream.answer.status, stream.event(), stream.event()) == (200, {"retry": "3000"}, None)
    stream.close()


def test_a_bus_that_breaks_is_taken_up_again(event, live, follow, monkeypatch):
    monkeypatch.setattr("config.live.watcher.RETRY_SECONDS", 0.05)
    watcher, good, attempts = live.server.streams.watcher, live.server.streams.watcher._make_bus, []

    class Broken:
        async def changes(self):
            raise ConnectionError("the database went away")
            yield

    def bus(reader):
        attempts.append(1)
        return Broken() if len(attempts) < 3 else good(reader)

    watcher._make_bus = bus
    stream = follow("autumn-open")
    stream.event()
    increment_version(event)
    assert stream.event()["data"] == "2"
    assert len(attempts) == 3


def test_many_streams_are_told_together(event, live, follow):
    streams = [follow("autumn-open") for _ in range(200 if machine.whole() else 40)]
    for stream in streams:
        stream.event()
    increment_version(event)
    assert {stream.event()["data"] for stream in streams} == {"2"}
    assert sum(thread.name.startswith("live-reader") for thread in threading.enumerate()) == 1


def test_pages_are_served_beside_the_streams(live):
    connection = http.client.HTTPConnection(urlsplit(live.url).netloc, timeout=60)
    connection.request("GET", "/sign-in/")
    answer = connection.getresponse()
    assert (answer.status, b"</html>" in answer.read()) == (200, True)
    connection.close()
