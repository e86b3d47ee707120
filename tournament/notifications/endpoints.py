"""Check where notifications are sent.

The address comes from a browser, and anyone can write one. Only https, and only to the internet: never to
this machine or its network, except to hosts that the operator names in `RINGSIDE_PUSH_HOSTS`.
"""

from __future__ import annotations

import binascii
import socket
from base64 import urlsafe_b64decode
from ipaddress import ip_address
from urllib.parse import urlsplit

from cryptography.hazmat.primitives.asymmetric import ec
from django.conf import settings

from decks.shared.refusals import Refused

MAX_ENDPOINT_LENGTH = 1000
AUTH_BYTES = 16
HTTPS_PORT = 443
LOCAL_NAMES = (".local", ".localhost", ".internal", ".lan", ".home.arpa")


class AddressRefused(OSError):
    """The host of an endpoint is not on the internet."""


def check_subscription(endpoint: str, p256dh: str, auth: str) -> None:
    """Raise Refused for what no push service gives out. Asks no other computer."""
    if not is_allowed_endpoint(endpoint):
        raise Refused("push_endpoint_wrong", field="endpoint")
    if not _is_public_key(p256dh) or len(_decode(auth)) != AUTH_BYTES:
        raise Refused("push_keys_wrong", field="p256dh")


def is_allowed_endpoint(endpoint: str) -> bool:
    """Return whether notifications may be sent to this address.

    Only the address itself is checked.
    """
    if len(endpoint) > MAX_ENDPOINT_LENGTH or not endpoint.isascii() or not endpoint.isprintable():
        return False
    try:
        parts = urlsplit(endpoint)
        host, port = parts.hostname or "", parts.port or HTTPS_PORT
    except ValueError:
        return False
    if parts.scheme != "https" or "@" in parts.netloc or "\\" in endpoint or " " in endpoint:
        return False
    return is_named_by_operator(host) or (port == HTTPS_PORT and _is_public_name(host))


def is_named_by_operator(host: str) -> bool:
    """Return whether the operator allows this host wherever it is."""
    return host in settings.PUSH_HOSTS


def find_public_address(host: str, port: int) -> str:
    """Return an address of the host on the internet, to connect to and to no other.

    Raises AddressRefused if the name leads to this machine or its network.
    """
    address_infos = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    addresses = [str(each[4][0]) for each in address_infos]
    if is_named_by_operator(host):
        return addresses[0]
    if not addresses or not all(map(_is_public_address, addresses)):
        raise AddressRefused(host)
    return addresses[0]


def _is_public_name(host: str) -> bool:
    if "." not in host.strip(".") and ":" not in host:
        return False
    if host.rstrip(".").endswith(LOCAL_NAMES):
        return False
    # A host of digits alone is an address in another notation.
    is_number = host.replace(".", "").isdigit() or ":" in host or host.startswith("0x")
    return not is_number or _is_public_address(host)


def _is_public_address(text: str) -> bool:
    try:
        address = ip_address(text)
    except ValueError:
        return False
    address = getattr(address, "ipv4_mapped", None) or address
    return address.is_global and not address.is_multicast


def _is_public_key(text: str) -> bool:
    try:
        ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), _decode(text))
    except ValueError:
        return False
    return True


def _decode(text: str) -> bytes:
    """Return the bytes of a key; none if it is not readable."""
    if len(text) > MAX_ENDPOINT_LENGTH or not text.isascii():
        return b""
    try:
        return urlsafe_b64decode(text.rstrip("=") + "=" * (-len(text.rstrip("=")) % 4))
    except (binascii.Error, ValueError):
        return b""
