"""Where Ringside can be reached: a free port, the address for phones nearby, and how both are said."""

from __future__ import annotations

import io
import socket
from collections.abc import Iterable

import segno

from config.serving.sockets import listen

DEFAULT_PORT = 8000
PORTS_TO_TRY = 20
# Nothing is sent there; asking for the way to it tells by which address this machine is seen nearby.
SOMEWHERE_ELSE = ("192.0.2.1", 9)


def open_door(host: str, port: int | None) -> socket.socket:
    """A listening socket on `port`, or on the first free one from 8000 on when none is asked for.

    Raises OSError when the port asked for cannot be had.
    """
    if port is not None:
        return listen(host, port)
    for candidate in range(DEFAULT_PORT, DEFAULT_PORT + PORTS_TO_TRY):
        try:
            return listen(host, candidate)
        except OSError:
            continue
    return listen(host, 0)


def address_nearby() -> str | None:
    """This machine's address on the local network, or None when it has none."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asking:
        try:
            asking.connect(SOMEWHERE_ELSE)
            address = str(asking.getsockname()[0])
        except OSError:
            return None
    return None if address.startswith(("127.", "0.")) else address


def names_of_this_machine(nearby: str | None) -> list[str]:
    """Every name under which browsers here and nearby may ask for Ringside."""
    hostname = socket.gethostname().lower()
    names = ["localhost", "127.0.0.1", "[::1]", hostname, f"{hostname}.local"]
    return [*names, nearby] if nearby else names


def is_open_to_phones(host: str) -> bool:
    """Whether a server that listens on `host` answers other machines."""
    return host not in ("127.0.0.1", "localhost", "::1")


def code_for(url: str) -> str:
    """A QR code of `url` in block characters."""
    drawn = io.StringIO()
    segno.make(url, error="l").terminal(out=drawn, compact=True)
    return drawn.getvalue().rstrip()


def greeting(port: int, nearby: str | None, demo: Iterable[str]) -> str:
    """What a person needs to know once everything runs: addresses, the code for phones, the demo logins."""
    lines = ["", f"Ringside runs:  http://localhost:{port}/"]
    if nearby:
        url = f"http://{nearby}:{port}/"
        lines += [f"For phones on the same network:  {url}", "", code_for(url)]
    demo_lines = list(demo)
    if demo_lines:
        lines += ["", "The demo:", *(f"  {line}" for line in demo_lines)]
    return "\n".join([*lines, "", "Ctrl-C ends it; everything is there again at the next start.", ""])
