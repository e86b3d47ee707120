"""One page that the whole venue asks for when a round is published.

It is made once, and no one waits for ever.
"""

from __future__ import annotations

import gzip
from threading import Event, Thread

import pytest
from django.db import connection
from django.test import Client

from decks.shared import cache as cache_module
from decks.shared.cache import SingleFlightCache
from tests.decks.submissions.test_submission_concurrency import at_once
from tests.scenarios.factories import publish_next, started_event
from tournament.standings.selectors.standings import standings
from tournament.web import public_page as kept

pytestmark = pytest.mark.both_databases

HALL = 20
# The version for the cache, for the turn, and for the cache when the page is made.
ASKED_WHILE_WAITING = 3


@pytest.fixture(autouse=True)
def empty_cache():
    kept.page_cache.clear()
    yield
    kept.page_cache.clear()


def test_twenty_visitors_of_a_new_round_make_its_page_once(transactional_db):
    event = started_event(16, swiss_rounds=3)
    publish_next(event)

    def visit(number: int) -> tuple[int, bytes]:
        asked_addresses = []

        def note(execute, *rest):
            asked_addresses.append(rest[0])
            return execute(*rest)

        with connection.execute_wrapper(note):
            answer = Client().get(f"/e/{event.slug}/pairings/", headers={"Accept-Encoding": "gzip"})
        return len(asked_addresses), answer.content

    responses = at_once(HALL, visit)
    assert sum(count > ASKED_WHILE_WAITING for count, _ in responses) == 1
    assert {content for _, content in responses} == {responses[0][1]}
    assert b"The pairings of round 1 are published." in gzip.decompress(responses[0][1])


def test_standings_that_many_pages_need_are_reckoned_once(transactional_db):
    event = started_event(16, swiss_rounds=3)
    publish_next(event)

    def look(number: int) -> int:
        return id(standings(event))

    assert len(set(at_once(HALL, look))) == 1


def test_who_waits_takes_what_the_first_one_made():
    cache: SingleFlightCache[str, list[int]] = SingleFlightCache(4)
    has_begun, may_end, texts = Event(), Event(), []

    def slowly() -> list[int]:
        has_begun.set()
        assert may_end.wait(60)
        texts.append("slowly")
        return [1]

    first = Thread(target=lambda: cache.get_or_compute("page", slowly))
    first.start()
    assert has_begun.wait(60)
    waiting_thread = Thread(target=lambda: texts.append(cache.get_or_compute("page", lambda: [2])))
    waiting_thread.start()
    assert cache.get_or_compute("another page", lambda: [3]) == [3]
    may_end.set()
    first.join(60)
    waiting_thread.join(60)
    assert texts == ["slowly", [1]]


def test_visitors_whose_page_is_not_kept_take_turns():
    cache: SingleFlightCache[str, int] = SingleFlightCache(4)
    inside, most = [], []

    def visit(number: int) -> None:
        with cache.compute_lock("page"):
            inside.append(number)
            most.append(len(inside))
            inside.remove(number)

    visitors = [Thread(target=visit, args=(number,)) for number in range(HALL)]
    for each in visitors:
        each.start()
    for each in visitors:
        each.join(60)
    assert most == [1] * HALL


def test_reader_who_waits_too_long_renders_the_page(monkeypatch):
    monkeypatch.setattr(cache_module, "WAIT_TIMEOUT_SECONDS", 0.01)
    cache: SingleFlightCache[str, int] = SingleFlightCache(4)
    with cache.compute_lock("page") as has_waited:
        assert has_waited is False
        assert cache.get_or_compute("page", lambda: 2) == 2
    assert cache.get("page") == 2


def test_what_was_made_between_looking_and_the_turn_is_taken():
    class Slow(SingleFlightCache[str, int]):
        looks = 0

        def get(self, key: str) -> int | None:
            self.looks += 1
            return super().get(key) if self.looks > 1 else None

    cache = Slow(4)
    cache.put("page", 1)
    assert cache.get_or_compute("page", lambda: 2) == 1


def test_what_cannot_be_made_frees_its_turn():
    cache: SingleFlightCache[str, int] = SingleFlightCache(4)
    with pytest.raises(ZeroDivisionError):
        cache.get_or_compute("page", lambda: 1 // 0)
    with cache.compute_lock("page") as has_waited:
        assert has_waited is False
