"""A push service on this machine, and a browser that subscribes to it.

The browser reads what comes.
"""

from __future__ import annotations

import json
import ssl
from base64 import urlsafe_b64encode
from collections.abc import Iterator
from contextlib import contextmanager
from email.message import Message
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import http_ece
import trustme
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

AUTH = b"0123456789abcdef"


def encode(content: bytes) -> str:
    return urlsafe_b64encode(content).rstrip(b"=").decode()


class Browser:
    """The keys of one browser."""

    def __init__(self, endpoint: str) -> None:
        self.key = ec.generate_private_key(ec.SECP256R1())
        point = self.key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        self.subscription = {"endpoint": endpoint, "p256dh": encode(point), "auth": encode(AUTH)}

    def read(self, body: bytes) -> dict[str, str]:
        """Return the message that was sent to it."""
        return json.loads(http_ece.decrypt(body, private_key=self.key, auth_secret=AUTH))


class PushService:
    """The requests that arrived, and the status of the answers."""

    def __init__(self, port: int, certificate: Path) -> None:
        self.endpoint = f"https://localhost:{port}/send/1"
        self.certificate = certificate
        self.received_messages: list[tuple[Message, bytes]] = []
        self.status = 201


@contextmanager
def push_service(folder: Path) -> Iterator[PushService]:
    """Yield a push service over TLS, with a certificate of its own authority."""
    authority = trustme.CA()
    authority.cert_pem.write_to_path(folder / "authority.pem")
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    authority.issue_cert("localhost").configure_cert(context)
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
    server.socket = context.wrap_socket(server.socket, server_side=True)
    server.service = PushService(server.server_address[1], folder / "authority.pem")  # type: ignore[attr-defined]
    # Closing waits for the answers under way, so that no connection outlives its test.
    server.daemon_threads = False
    thread = Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield server.service  # type: ignore[attr-defined]
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


class _Handler(BaseHTTPRequestHandler):
    timeout = 5

    def do_POST(self) -> None:
        service: PushService = self.server.service  # type: ignore[attr-defined]
        body = self.rfile.read(int(self.headers["Content-Length"]))
        service.received_messages.append((self.headers, body))
        self.send_response(service.status)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *arguments: Any) -> None:
        return
