"""Certificates of `bin/start --https`.

There is an authority that stays, certificates that change, and keys for the owner alone.
"""

from __future__ import annotations

import socket
import ssl
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from django.test import Client

from config.start import addresses
from config.start.certificates import AUTHORITY, AUTHORITY_KEY, FOLDER, make_certificate

NAMES = ["localhost", "127.0.0.1", "[::1]", "192.0.2.7"]


def test_certificate_is_trusted_with_the_authority_and_keeps_its_authority(tmp_path: Path) -> None:
    first = make_certificate(tmp_path, NAMES)
    authority = first.authority.read_bytes()
    second = make_certificate(tmp_path, NAMES)
    assert second.authority.read_bytes() == authority
    assert _shake_hands(second.certificate, second.authority, "192.0.2.7")["issuer"]


def test_another_name_is_not_in_the_certificate(tmp_path: Path) -> None:
    certificate = make_certificate(tmp_path, NAMES)
    with pytest.raises(ssl.SSLCertVerificationError):
        _shake_hands(certificate.certificate, certificate.authority, "example.org")


def test_keys_are_for_the_owner_alone(tmp_path: Path) -> None:
    make_certificate(tmp_path, NAMES)
    folder = tmp_path / FOLDER
    assert folder.stat().st_mode & 0o777 == 0o700
    assert {path.stat().st_mode & 0o777 for path in folder.iterdir()} == {0o600}
    assert {AUTHORITY, AUTHORITY_KEY} <= {path.name for path in folder.iterdir()}


def test_greeting_names_the_secure_address_and_the_page_of_the_two_steps() -> None:
    lines = addresses.greeting(8000, "192.0.2.7", [], 8443).splitlines()
    assert "With https:  https://192.0.2.7:8443/" in lines
    assert addresses.qr_code("http://192.0.2.7:8000/trust/").splitlines()[0] in lines


@pytest.mark.django_db
def test_trust_page_leads_to_the_certificate_and_back(tmp_path: Path, settings: Any, client: Client) -> None:
    assert client.get("/trust/").status_code == 404
    settings.HTTPS_PORT = 8443
    settings.HTTPS_AUTHORITY = make_certificate(tmp_path, NAMES).authority
    page = client.get("/trust/?to=/p/abc/", headers={"host": "localhost:8000"}).content.decode()
    assert 'href="https://localhost:8443/p/abc/"' in page
    answer = client.get("/trust/ringside.crt")
    assert answer["Content-Type"] == "application/x-x509-ca-cert"
    assert answer.content == settings.HTTPS_AUTHORITY.read_bytes()
    assert b"PRIVATE" not in answer.content


@pytest.mark.django_db
@pytest.mark.parametrize(
    "elsewhere", ["https://example.org/", "//example.org/", "javascript:1", "\\\\example.org"]
)
def test_trust_page_leads_nowhere_else(settings: Any, client: Client, elsewhere: str) -> None:
    settings.HTTPS_PORT = 8443
    page = client.get("/trust/", {"to": elsewhere}, headers={"host": "localhost"}).content.decode()
    assert 'href="https://localhost:8443/"' in page


def _shake_hands(certificate: Path, authority: Path, name: str) -> dict[str, Any]:
    """Return what a client learns of a server with the certificate.

    The client trusts the authority.
    """
    ours, theirs = socket.socketpair()
    server_context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    server_context.load_cert_chain(certificate)
    thread = Thread(target=_serve, args=(server_context, theirs))
    thread.start()
    trusting = ssl.create_default_context(cafile=str(authority))
    try:
        with trusting.wrap_socket(ours, server_hostname=name) as connection:
            return connection.getpeercert() or {}
    finally:
        ours.close()
        thread.join()


def _serve(context: ssl.SSLContext, connection: socket.socket) -> None:
    try:
        context.wrap_socket(connection, server_side=True).close()
    except (ssl.SSLError, OSError):
        connection.close()
