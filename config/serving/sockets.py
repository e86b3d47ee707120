"""Listening sockets."""

from __future__ import annotations

import socket

WAITING_CONNECTIONS = 2048


def listen(host: str, port: int) -> socket.socket:
    """Return a socket that listens there; port 0 takes any free one.

    Raises OSError when the port is taken.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # asyncio sends small answers at once only on sockets that name their protocol; others wait 40 ms for the
    # phone to confirm the head of an answer before its body leaves.
    listening = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((host, port))
    except OSError:
        listening.close()
        raise
    listening.listen(WAITING_CONNECTIONS)
    return listening
