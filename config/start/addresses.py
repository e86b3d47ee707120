"""Find a free port and the local address, and build the greeting that shows them."""

from __future__ import annotations

import io
import socket
from collections.abc import Iterable

import segno

from config.serving.sockets import listen

DEFAULT_PORT = 8000
DEFAULT_HTTPS_PORT = 8443
PORTS_TO_TRY = 20
# Nothing is sent there: connecting a UDP socket shows which local address would be used.
REMOTE_ADDRESS = ("192.0.2.1", 9)


def open_port(host: str, port: int | None, default: int = DEFAULT_PORT) -> socket.socket:
    """Listen on `port`; without one on the first free port from the default.

    Raises OSError when the requested port cannot be used.
    """
    if port is not None:
        return listen(host, port)
    for candidate in range(default, default + PORTS_TO_TRY):
        try:
            return listen(host, candidate)
        except OSError:
            continue
    return listen(host, 0)


def local_address() -> str | None:
    """Return this machine's address on the local network, or None."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(REMOTE_ADDRESS)
            address = str(probe.getsockname()[0])
        except OSError:
            return None
    return None if address.startswith(("127.", "0.")) else address


def host_names(nearby: str | None) -> list[str]:
    """List the host names under which browsers may reach this server."""
    hostname = socket.gethostname().lower()
    names = ["localhost", "127.0.0.1", "[::1]", hostname, f"{hostname}.local"]
    return [*names, nearby] if nearby else names


def is_open_to_phones(host: str) -> bool:
    """Tell whether a server that listens on `host` answers other machines."""
    return host not in ("127.0.0.1", "localhost", "::1")


def qr_code(url: str) -> str:
    """Draw `url` as a QR code in block characters."""
    output = io.StringIO()
    segno.make(url, error="l").terminal(out=output, compact=True)
    return output.getvalue().rstrip()


def greeting(port: int, nearby: str | None, demo: Iterable[str], https_port: int | None = None) -> str:
    """Build the text shown after the start: addresses, QR code, demo logins."""
    lines = ["", f"Ringside is running:  http://localhost:{port}/"]
    if nearby:
        url = f"http://{nearby}:{port}/"
        lines += [f"For phones on the same network:  {url}", "", qr_code(url)]
    if https_port:
        lines += ["", f"With https:  https://{nearby or 'localhost'}:{https_port}/"]
        lines += [
            "Phones have to trust it once. The page for that:",
            f"http://{nearby or 'localhost'}:{port}/trust/",
        ]
        lines += ["", qr_code(f"http://{nearby}:{port}/trust/")] if nearby else []
    demo_lines = list(demo)
    if demo_lines:
        lines += ["", "The demo:", *(f"  {line}" for line in demo_lines)]
    return "\n".join([*lines, "", "Press Ctrl-C to stop. Your data is kept.", ""])
