"""Take the body of a request from the network.

It is counted while it arrives, and large ones go to a temporary file.
"""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from typing import IO, Any

from django.conf import settings
from django.core.exceptions import RequestAborted

from config.serving.body_limits import FORM

Message = Mapping[str, Any]  # Any: a scope or message of ASGI, which differ from kind to kind
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
AllowedSize = Callable[[], Awaitable[int]]

# Seconds for which a refused body is read: without new data, and in total.
IDLE_DISCARD_SECONDS = 5
LONGEST_DISCARD_SECONDS = 120


class BodyRefused(Exception):
    """The sender may not send as much.

    `length` is what came, or what the head of the request announced.
    """

    def __init__(self, length: int) -> None:
        super().__init__(length)
        self.length = length


async def take_body(scope: Message, receive: Receive, find_allowed_size: AllowedSize) -> IO[bytes]:
    """Return the body as a file.

    As much as a form is taken from everyone; for more `find_allowed_size` is asked. Raises BodyRefused, and
    RequestAborted when the sender has gone.
    """
    length = announced_length(scope)
    allowed_size = FORM.most if length <= FORM.most else await find_allowed_size()
    if length > allowed_size:
        raise BodyRefused(length)
    body: IO[bytes] = tempfile.SpooledTemporaryFile(settings.FILE_UPLOAD_MAX_MEMORY_SIZE)  # noqa: SIM115
    try:
        await _fill(body, receive, allowed_size, find_allowed_size)
    except BaseException:
        body.close()
        raise
    body.seek(0)
    return body


async def _fill(body: IO[bytes], receive: Receive, allowed_size: int, find_allowed_size: AllowedSize) -> None:
    count, more = 0, True
    while more:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise RequestAborted
        data, more = message.get("body", b""), message.get("more_body", False)
        count += len(data)
        if count > allowed_size == FORM.most:
            allowed_size = await find_allowed_size()
        if count > allowed_size:
            raise BodyRefused(count)
        body.write(data)


def announced_length(scope: Message) -> int:
    """Return the body length announced in the head of the request.

    Returns 0 if none is announced.
    """
    values = [value for name, value in scope["headers"] if name == b"content-length"]
    return int(values[0]) if values and values[0].isdigit() else 0


def with_length(scope: Message, length: int) -> Message:
    """Return the request with the length of its body.

    Form parsers need the length, and a chunked body lacks it.
    """
    if length == announced_length(scope):
        return scope
    headers = [pair for pair in scope["headers"] if pair[0] not in (b"content-length", b"transfer-encoding")]
    return {**scope, "headers": [*headers, (b"content-length", b"%d" % length)]}


async def send_early(start: Message, content: bytes, receive: Receive, send: Send) -> None:
    """Answer while the body is still on its way.

    What arrives afterwards is discarded for a while: a connection that is closed with unread data loses the
    answer with it.
    """
    await send({**start, "headers": [*start["headers"], (b"Connection", b"close")]})
    await send({"type": "http.response.body", "body": content, "more_body": True})
    with suppress(TimeoutError):
        async with asyncio.timeout(LONGEST_DISCARD_SECONDS):
            while (await asyncio.wait_for(receive(), IDLE_DISCARD_SECONDS)).get("more_body"):
                continue
    await send({"type": "http.response.body", "body": b""})
