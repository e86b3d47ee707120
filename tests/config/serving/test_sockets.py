"""Answers are sent at once.

Head and body are two packets, and the second does not wait for the first.
"""

from __future__ import annotations

import asyncio
import socket

from config.serving.sockets import listen
from tests.scenarios.event_loop import run_aside


async def _nodelay(listening: socket.socket) -> int:
    """Return TCP_NODELAY of a connection that asyncio accepted there."""
    options_read: asyncio.Future[int] = asyncio.get_running_loop().create_future()

    def on_connection(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        accepted_socket = writer.get_extra_info("socket")
        options_read.set_result(accepted_socket.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY))
        writer.close()

    async with await asyncio.start_server(on_connection, sock=listening):
        _, writer = await asyncio.open_connection(*listening.getsockname()[:2])
        nodelay_option = await options_read
        writer.close()
        return nodelay_option


def nodelay(listening: socket.socket) -> int:
    """Return TCP_NODELAY."""
    return run_aside(_nodelay(listening))


def test_small_answers_are_sent_without_waiting_for_the_phone() -> None:
    assert nodelay(listen("127.0.0.1", 0)) == 1


def test_socket_handed_to_another_process_sends_without_waiting_too() -> None:
    listening = listen("127.0.0.1", 0)
    inherited = socket.socket(fileno=listening.detach())
    assert nodelay(inherited) == 1
