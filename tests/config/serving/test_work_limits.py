"""No one gets more than their share of the processor.

A venue behind one address is not held up.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
import time_machine
from django.test import Client
from django.urls import get_resolver, reverse
from hypothesis import given
from hypothesis import strategies as st

from config.serving import work_limits
from config.serving.work_limits import (
    COUNTED,
    COUNTED_VISITOR,
    WINDOW_SECONDS,
    cache,
    find_network,
    record_work,
    seconds_to_wait,
)
from tests import machine
from tests.everyday import each_case
from tests.fixtures.api_answers import description
from tests.scenarios.factories import add_players, make_event, make_user
from tests.scenarios.rollback import rolled_back

pytestmark = pytest.mark.django_db

CHECK = {"format": "ufs/constructed/1.9", "text": "4 Ken of the lost text"}
OWN = {"text": "4 Ken of the lost text"}
SENT = {"game": "ufs", "format": "constructed", "text": "4 Ken of the lost text"}
START = 1_800_000_000


class ThreadClock:
    """The processor time of a thread: each read of it takes as long as set."""

    def __init__(self) -> None:
        self.seconds, self.step = 0.0, 0.0

    def __call__(self) -> float:
        self.seconds += self.step
        return self.seconds


@pytest.fixture
def clock(settings: Any, monkeypatch: pytest.MonkeyPatch) -> Iterator[ThreadClock]:
    """Ten seconds of work a window; every counted request takes what the test says."""
    settings.WORK_SECONDS = 10
    cache.clear()
    clock = ThreadClock()
    monkeypatch.setattr(work_limits.time, "thread_time", clock)
    with time_machine.travel(START, tick=False):
        yield clock
    cache.clear()


def check(client: Client, address: str = "192.0.2.1") -> Any:
    return client.post("/api/decks/check/", SENT, content_type="application/json", REMOTE_ADDR=address)


def use_up(client: Client, clock: ThreadClock) -> None:
    """Use up all the work of a window."""
    clock.step = 10
    assert check(client).status_code == 200
    clock.step = 0


def test_program_is_refused_by_code_until_the_time_it_is_told(client: Client, clock: ThreadClock) -> None:
    use_up(client, clock)
    response = check(client)
    [problem] = response.json()["problems"]
    assert (response.status_code, problem["code"]) == (429, "too_much_work")
    wait = int(response["Retry-After"])
    assert f"{-(-wait // 60)} minutes" in problem["fix"]
    with time_machine.travel(START + wait - 1, tick=False):
        assert check(client).status_code == 429
    with time_machine.travel(START + wait, tick=False):
        assert check(client).status_code == 200


def test_page_is_refused_as_a_page_with_the_way_back(client: Client, clock: ThreadClock) -> None:
    use_up(client, clock)
    response = client.post("/decks/check/", CHECK, REMOTE_ADDR="192.0.2.1")
    text = response.content.decode()
    assert (response.status_code, 'data-code="too_much_work"' in text) == (429, True)
    assert int(response["Retry-After"]) > 0
    assert 'href="/decks/check/?typed=again"' in text
    assert CHECK["text"] in text
    assert client.get("/decks/check/", REMOTE_ADDR="192.0.2.1").status_code == 200


def test_work_of_page_and_api_and_search_is_one_share(client: Client, clock: ThreadClock) -> None:
    use_up(client, clock)
    assert client.get("/cards/?q=ken", REMOTE_ADDR="192.0.2.1").status_code == 429
    assert client.get("/api/cards/?game=ufs&q=ken", REMOTE_ADDR="192.0.2.1").status_code == 429
    assert check(client, "192.0.2.2").status_code == 200


def test_two_hundred_phones_behind_one_address_check_and_read_as_they_like(
    settings: Any, clock: ThreadClock, client: Client
) -> None:
    settings.WORK_SECONDS = 60
    clock.step = 0.25
    event = make_event()
    # Without cookies, requests of one client are to the server those of many.
    first = check(client)
    assert (first.status_code, not client.cookies) == (200, True)
    others = 0 if machine.whole() else 180
    for _ in range(others):
        record_work(first.wsgi_request.META[COUNTED_VISITOR], clock.step)
    assert {check(client).status_code for _ in range(199 - others)} == {200}
    assert {client.get(f"/e/{event.slug}/").status_code for _ in range(3)} == {200}


def test_player_with_private_link_and_signed_in_person_are_not_held_up_by_their_neighbours(
    client: Client, clock: ThreadClock
) -> None:
    player = add_players(make_event(), 1)[0]
    use_up(client, clock)
    person = Client()
    person.force_login(make_user("somebody@example.org"))
    own = client.post(
        f"/api/me/{player.token}/list/check/",
        OWN,
        content_type="application/json",
        REMOTE_ADDR="192.0.2.1",
    )
    assert own.status_code == 200
    assert person.post("/decks/check/", CHECK, REMOTE_ADDR="192.0.2.1").status_code == 200


def test_player_has_a_share_too(client: Client, clock: ThreadClock) -> None:
    player = add_players(make_event(), 1)[0]
    clock.step = 10
    paths = [f"/api/me/{player.token}/list/check/", f"/p/{player.token}/list/check/"]
    answers = [client.post(path, OWN, content_type="application/json") for path in paths]
    assert [answer.status_code for answer in answers] == [200, 429]


def test_zero_is_no_limit(client: Client, clock: ThreadClock, settings: Any) -> None:
    use_up(client, clock)
    settings.WORK_SECONDS = 0
    assert check(client).status_code == 200


def test_broken_cache_takes_no_page_with_it(
    client: Client, clock: ThreadClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: Any, **__: Any) -> Any:
        raise ConnectionError

    monkeypatch.setattr(cache, "get_many", fail)
    monkeypatch.setattr(cache, "add", fail)
    assert check(client).status_code == 200


@given(
    st.lists(st.tuples(st.integers(0, 400), st.floats(0, 40)), max_size=12),
    st.integers(0, WINDOW_SECONDS - 1),
)
def test_visitor_is_let_in_when_told_and_not_a_second_earlier(
    steps: list[tuple[int, float]], into: int
) -> None:
    cache.clear()
    now = START // WINDOW_SECONDS * WINDOW_SECONDS + into
    with pytest.MonkeyPatch.context() as patch, time_machine.travel(now, tick=False) as traveller:
        patch.setattr("django.conf.settings.WORK_SECONDS", 10)
        for pause, seconds in steps:
            traveller.shift(pause)
            record_work("ada", seconds)
        if wait := seconds_to_wait("ada"):
            traveller.shift(wait - 1)
            assert seconds_to_wait("ada") > 0
            traveller.shift(1)
            assert seconds_to_wait("ada") == 0
        traveller.shift(2 * WINDOW_SECONDS)
        assert seconds_to_wait("ada") == 0


@each_case(
    ("meta", "network"),
    [
        ({"REMOTE_ADDR": "192.0.2.7"}, "192.0.2.7"),
        ({"REMOTE_ADDR": "2001:db8:1:2:3:4:5:6"}, "2001:db8:1:2::/64"),
        ({"REMOTE_ADDR": "::ffff:192.0.2.7"}, "192.0.2.7"),
        ({"REMOTE_ADDR": ""}, ""),
        ({"REMOTE_ADDR": "10.0.0.1", "HTTP_X_FORWARDED_FOR": "6.6.6.6"}, "10.0.0.1"),
    ],
    around=rolled_back,
)
def test_network_of_request(meta: dict[str, str], network: str) -> None:
    assert find_network(meta) == network


def test_behind_proxy_the_address_it_saw_counts(settings: Any) -> None:
    settings.SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    meta = {"REMOTE_ADDR": "10.0.0.1", "HTTP_X_FORWARDED_FOR": "6.6.6.6, 192.0.2.9"}
    assert find_network(meta) == "192.0.2.9"


def test_every_counted_name_is_an_address() -> None:
    assert set(COUNTED) <= set(get_resolver().reverse_dict)


def test_description_of_api_names_both_limits() -> None:
    paths = description()["paths"]
    check_deck = paths[reverse("api_deck_check")]["post"]["responses"]
    assert "4 MB" in check_deck["413"]["description"]
    assert "Retry-After" in check_deck["429"]["headers"]
    assert "64 MB" in paths[reverse("api_archives")]["post"]["responses"]["413"]["description"]
    assert "429" not in paths[reverse("api_archives")]["post"]["responses"]
