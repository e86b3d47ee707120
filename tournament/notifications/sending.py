"""Send one notification to a push service, encrypted for the browser and signed."""

from __future__ import annotations

import json
import socket
import ssl
from base64 import urlsafe_b64encode
from email.utils import parseaddr
from enum import Enum
from typing import Any

import requests
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from django.conf import settings
from django.utils.crypto import salted_hmac
from requests.adapters import HTTPAdapter
from urllib3.connection import HTTPSConnection
from urllib3.connectionpool import HTTPSConnectionPool
from urllib3.exceptions import HTTPError
from urllib3.util.connection import create_connection

from tournament.notifications.endpoints import find_public_address, is_allowed_endpoint
from tournament.notifications.models import PushSubscription

# So many private keys there are on the curve P-256.
ORDER = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
SECONDS_TO_ANSWER = 10.0
NO_CONTACT = "ringside@ringside.example"
# A table that is posted is no news afterwards.
SECONDS_TO_LIVE = 1800
# The browser is no longer there, or asked another installation.
GONE = frozenset({400, 401, 403, 404, 410})


class SendOutcome(Enum):
    """The outcome of a notification."""

    SENT = "sent"
    GONE = "gone"
    FAILED = "failed"


def load_key() -> ec.EllipticCurvePrivateKey:
    """Return the key that signs notifications.

    It is derived from the secret key, so that all processes have the same.
    """
    seed = salted_hmac("ringside.notifications", "vapid", algorithm="sha512").digest()
    return ec.derive_private_key(int.from_bytes(seed, "big") % (ORDER - 1) + 1, ec.SECP256R1())


def get_public_key() -> str:
    """Return the public half, as browsers want it."""
    point = load_key().public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
    return urlsafe_b64encode(point).rstrip(b"=").decode()


def send(subscription: PushSubscription, message: dict[str, str]) -> SendOutcome:
    """Send a message to a browser. No query."""
    # They take long to load, and only workers send.
    from py_vapid import Vapid02
    from pywebpush import WebPushException, webpush

    if not is_allowed_endpoint(subscription.endpoint):
        return SendOutcome.GONE
    keys = {"p256dh": subscription.p256dh, "auth": subscription.auth}
    with PushSession() as session:
        try:
            webpush(
                {"endpoint": subscription.endpoint, "keys": keys},
                data=json.dumps(message),
                vapid_private_key=Vapid02(load_key()),
                vapid_claims={"sub": _get_contact()},
                ttl=SECONDS_TO_LIVE,
                headers={"Urgency": "high"},
                timeout=SECONDS_TO_ANSWER,
                requests_session=session,
            )
        except WebPushException as refusal:
            status = getattr(refusal.response, "status_code", 0)
            return SendOutcome.GONE if status in GONE else SendOutcome.FAILED
        except (requests.RequestException, HTTPError, OSError, ValueError):
            return SendOutcome.FAILED
    return SendOutcome.SENT


def _get_contact() -> str:
    """Return the contact address for operators of a push service."""
    if settings.BASE_URL.startswith("https://"):
        return str(settings.BASE_URL)
    address = parseaddr(settings.DEFAULT_FROM_EMAIL)[1]
    # Some services refuse a name without a dot, such as localhost.
    return f"mailto:{address if '.' in address.rpartition('@')[2] else NO_CONTACT}"


class PublicConnection(HTTPSConnection):
    """A connection to the address that was checked.

    It stays there, whatever the name resolves to a moment later.
    """

    def _new_conn(self) -> socket.socket:
        port = int(self.port or 0)
        return create_connection((find_public_address(self.host, port), port), SECONDS_TO_ANSWER)


class PublicPool(HTTPSConnectionPool):
    """Connections to one push service."""

    ConnectionCls = PublicConnection


class PublicAdapter(HTTPAdapter):
    """Sends to addresses on the internet alone, over TLS alone."""

    def init_poolmanager(self, *arguments: Any, **options: Any) -> None:
        """Make the pools, with the certificates that the system trusts."""
        super().init_poolmanager(*arguments, **options, ssl_context=ssl.create_default_context())
        self.poolmanager.pool_classes_by_scheme = {"https": PublicPool}


class PushSession(requests.Session):
    """A session that follows no redirects and reads only the head of a response."""

    def __init__(self) -> None:
        super().__init__()
        self.trust_env = False
        self.adapters.clear()
        self.mount("https://", PublicAdapter())

    def post(self, url: Any, *arguments: Any, **options: Any) -> requests.Response:
        """Send, and leave the content of the answer unread."""
        answer = super().post(url, *arguments, **{**options, "allow_redirects": False, "stream": True})
        answer._content = b""
        answer.close()
        return answer
