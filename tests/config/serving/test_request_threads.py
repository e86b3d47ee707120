"""The server answers a whole request in one thread.

Each answer is sent in two messages.
"""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Iterator
from typing import Any

import pytest
from django.core import signals
from django.http import HttpResponse, StreamingHttpResponse
from django.test import override_settings
from django.urls import path
from django.views.decorators.csrf import csrf_exempt

from config.serving.threads import Pages
from tests.scenarios.event_loop import run_aside

urlpatterns: list[Any] = []


def handler500(request: Any) -> HttpResponse:
    """Return the log line of a fault."""
    return HttpResponse("Sorry.", status=500)


def view(function: Any) -> Any:
    """Return the only view of the site, at its root."""
    urlpatterns[:] = [path("", function)]
    return function


@pytest.fixture
def pages() -> Iterator[Pages]:
    """Our handler in front of this module's own address."""
    with override_settings(ROOT_URLCONF=__name__):
        yield Pages(threads=2)


def ask(pages: Pages, *parts: bytes, has_gone: bool = False) -> list[dict[str, Any]]:
    """Return what is sent to who asks for the path with a body in these parts."""
    messages = [{"type": "http.request", "body": part, "more_body": True} for part in parts]
    messages.append({"type": "http.disconnect"} if has_gone else {"type": "http.request", "body": b""})
    scope = {
        "type": "http", "method": "POST" if parts else "GET", "path": "/", "raw_path": b"/",
        "query_string": b"", "headers": [(b"host", b"localhost")],
    }  # fmt: skip
    sent_messages: list[dict[str, Any]] = []

    async def receive() -> Any:
        return messages.pop(0)

    async def send(message: Any) -> None:
        sent_messages.append(message)

    run_aside(pages(scope, receive, send))
    return sent_messages


def test_answer_is_its_head_with_every_cookie_and_then_its_content(pages: Pages) -> None:
    @view
    def answer(request: Any) -> HttpResponse:
        response = HttpResponse("Tisch 1 – 7", status=201, headers={"X-Hall": "Süd"})
        response.set_cookie("one", "1", httponly=True)
        response.set_cookie("two", "2")
        return response

    start, body = ask(pages)
    assert (start["type"], start["status"]) == ("http.response.start", 201)
    assert [value for name, value in start["headers"] if name == b"Set-Cookie"] == [
        b"one=1; HttpOnly; Path=/", b"two=2; Path=/",
    ]  # fmt: skip
    assert "Tisch 1 – 7".encode() == body["body"]
    assert not body.get("more_body")


def test_content_that_comes_in_parts_is_sent_whole(pages: Pages) -> None:
    @view
    def answer(request: Any) -> StreamingHttpResponse:
        return StreamingHttpResponse(iter(["No,Player\n", "1,Ada\n"]))

    assert ask(pages)[1]["body"] == b"No,Player\n1,Ada\n"


def lengths(start: dict[str, Any]) -> list[bytes]:
    """Return the content length of the head."""
    return [value for name, value in start["headers"] if name == b"Content-Length"]


def test_length_is_that_of_the_content_though_the_file_was_exchanged_meanwhile(pages: Pages) -> None:
    @view
    def answer(request: Any) -> HttpResponse:
        return HttpResponse(b".grown { }", headers={"Content-Length": "4"})

    assert lengths(ask(pages)[0]) == [b"10"]


@pytest.mark.parametrize("status", [204, 304])
def test_answer_that_has_no_content_tells_no_length(pages: Pages, status: int) -> None:
    @view
    def answer(request: Any) -> HttpResponse:
        return HttpResponse(status=status, headers={"Content-Length": "0"})

    assert lengths(ask(pages)[0]) == []


def test_body_that_arrives_in_parts_is_read_whole(pages: Pages) -> None:
    @view
    @csrf_exempt
    def answer(request: Any) -> HttpResponse:
        return HttpResponse(request.body)

    assert ask(pages, b"p1_games=2&", b"p2_games=1")[1]["body"] == b"p1_games=2&p2_games=1"


def test_one_thread_answers_the_whole_request(pages: Pages) -> None:
    threads: list[str] = []

    def note(**_: Any) -> None:
        threads.append(threading.current_thread().name)

    @view
    def answer(request: Any) -> HttpResponse:
        note()
        return HttpResponse("")

    signals.request_started.connect(note)
    signals.request_finished.connect(note)
    try:
        ask(pages)
    finally:
        signals.request_started.disconnect(note)
        signals.request_finished.disconnect(note)
    assert len(threads) == 3
    assert len(set(threads)) == 1
    assert threads[0].startswith("pages")


def test_visitor_who_leaves_before_the_form_has_arrived_is_asked_nothing(pages: Pages) -> None:
    assert ask(pages, b"p1_games=2&", has_gone=True) == []


def test_fault_of_a_page_is_an_answer_of_its_own(pages: Pages) -> None:
    @view
    def answer(request: Any) -> Any:
        raise ZeroDivisionError

    start, body = ask(pages)
    assert (start["status"], body["body"]) == (500, b"Sorry.")


def test_give_way_waits_for_staff_and_no_longer_than_it_is_told(pages: Pages) -> None:
    async def give_way_beside_staff() -> tuple[bool, bool]:
        gate = threading.Event()
        staff = pages._threads.submit(gate.wait)
        await pages.give_way(time.monotonic() + 0.05)
        has_gone_on = not staff.done()
        asyncio.get_running_loop().call_later(0.05, gate.set)
        await pages.give_way(time.monotonic() + 60)
        return has_gone_on, staff.done()

    assert run_aside(give_way_beside_staff()) == (True, True)
