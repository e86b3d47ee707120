"""Django behind our own server: one of a few threads answers a whole request.

Django's handler for such servers begins a thread for each request and passes it back and forth at every
middleware, because a view may be asynchronous. No view of Ringside is; live streams, which are, come first.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from contextlib import suppress
from contextvars import copy_context
from functools import partial
from http import HTTPStatus
from importlib import import_module
from io import SEEK_END, BytesIO
from itertools import chain
from time import monotonic
from typing import IO, Any, cast

from django.conf import settings
from django.core import signals
from django.core.exceptions import RequestAborted
from django.core.handlers.asgi import ASGIHandler, get_script_prefix
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.template.loader import get_template
from django.urls import set_script_prefix

from config.serving.body_limits import find_allowed_size
from config.serving.database_away import disk_full
from config.serving.garbage import search_between_requests
from config.serving.priorities import PriorityThreads, is_of_phones
from config.serving.request_bodies import (
    BodyRefused,
    Message,
    Receive,
    Send,
    announced_length,
    send_early,
    take_body,
    with_length,
)
from config.serving.templates import list_templates
from decks.shared.disk import is_disk_full
from rules.rendering import get_messages

# Enough that pages are read while some writers wait for each other, few enough that thousands of phones queue
# here instead of sharing the processor among as many threads.
THREADS = 16
SECONDS_BETWEEN_LOOKS = 0.01
# A Content-Length in these answers would be that of the page which is not sent (RFC 9110, 8.6).
WITHOUT_CONTENT = (HTTPStatus.NO_CONTENT, HTTPStatus.NOT_MODIFIED)


class Pages(ASGIHandler):
    """An ASGI application: the pages of Django, whose middleware is all synchronous."""

    def __init__(self, threads: int = THREADS) -> None:
        super().__init__()
        self._threads = PriorityThreads(threads, between_requests=search_between_requests)

    def load_middleware(self, is_async: bool = False) -> None:
        """Run all middlewares in one thread.

        They do not return to the event loop in between.
        """
        super().load_middleware(is_async=False)

    def load_pages(self) -> None:
        """Begin to load views, messages and each template.

        This runs when no other request of phones is waiting.
        """
        self._threads.submit(self._load_views, is_of_phones=True)

    def _load_views(self) -> None:
        import_module(settings.ROOT_URLCONF)
        messages = (partial(get_messages, language) for language, _ in settings.LANGUAGES)
        self._load_next(chain(messages, (partial(get_template, name) for name in list_templates())))

    def _load_next(self, loads: Iterator[Callable[[], object]]) -> None:
        load = next(loads, None)
        if load is not None and not self._threads.is_closing:
            load()
            self._threads.submit(self._load_next, loads, is_of_phones=True)

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        """Serve one request (the ASGI interface).

        What began is finished even if the client has disconnected.
        """
        with suppress(RequestAborted):
            try:
                find_allowed_size = partial(self._run, scope, self._find_allowed_size, scope)
                body = await take_body(scope, receive, find_allowed_size)
            except BodyRefused as refusal:
                refused_scope = with_length(scope, refusal.length)
                start, content = await self._run(scope, self._answer, refused_scope, BytesIO())
                await send_early(start, content, receive, send)
            except OSError as error:
                if not is_disk_full(error):
                    raise
                response = disk_full(self.create_request(scope, BytesIO())[0] or HttpRequest(), error)
                await send_early(_head(response), response.content, receive, send)
            else:
                start, content = await self._run(scope, self._answer, scope, body)
                await send(start)
                await send({"type": "http.response.body", "body": content})

    async def give_way(self, until: float) -> None:
        """Let other tasks run until no staff request runs or waits, or until a time."""
        await asyncio.sleep(0)
        while self._threads.is_serving_staff and monotonic() < until:
            await asyncio.sleep(SECONDS_BETWEEN_LOOKS)

    async def _run(self, scope: Message, function: Callable[..., Any], *arguments: Any) -> Any:
        """Call a function in one of the threads, after what staff waits for."""
        run = copy_context().run
        return await self._threads.run(
            is_of_phones(scope["method"], scope["path"]), run, function, *arguments
        )

    def _find_allowed_size(self, scope: Message) -> int:
        """Return the largest body that may be sent with this request."""
        request, _ = self.create_request(scope, BytesIO())
        return find_allowed_size(request) if request else 0

    def _answer(self, scope: Message, body: IO[bytes]) -> tuple[Message, bytes]:
        """Return the head of the answer, as ASGI has it, and all of its content."""
        with body:
            length = body.seek(0, SEEK_END) or announced_length(scope)
            body.seek(0)
            scope = with_length(scope, length)
            set_script_prefix(get_script_prefix(scope))
            signals.request_started.send(sender=type(self), scope=scope)
            request, refusal = self.create_request(scope, body)
            response = refusal or self.get_response(cast(HttpRequest, request))
            try:
                content = b"".join(response)
                _measure(response, scope["method"], content)
                return _head(response), content
            finally:
                response.close()


def _measure(response: HttpResponseBase, method: str, content: bytes) -> None:
    """Set the length of the content that is sent.

    It replaces the length given for a file before the content was exchanged.
    """
    if response.status_code in WITHOUT_CONTENT:
        del response.headers["Content-Length"]
    elif method != "HEAD":
        response.headers["Content-Length"] = str(len(content))


def _head(response: HttpResponseBase) -> Message:
    headers = [(name.encode("ascii"), value.encode("latin-1")) for name, value in response.items()]
    cookies = [(b"Set-Cookie", each.OutputString().encode("ascii")) for each in response.cookies.values()]
    return {"type": "http.response.start", "status": response.status_code, "headers": headers + cookies}
