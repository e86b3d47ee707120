"""Devices that have signed in before: wrong tries elsewhere do not stop them.

A signed cookie, which scripts cannot read, names the device and the accounts that have signed in there. It is
bound to the password, so a new password makes all other devices unknown, as it signs them out.
"""

from __future__ import annotations

import secrets
from dataclasses import asdict, dataclass, field
from datetime import timedelta

from allauth.account.models import EmailAddress
from django.conf import settings
from django.contrib.auth.models import User
from django.core import signing
from django.http import HttpRequest, HttpResponse
from django.utils.crypto import constant_time_compare, salted_hmac

COOKIE = "known_device"
SALT = "tournament.accounts.known_devices"
LIFETIME = timedelta(days=365)
MAX_ACCOUNTS = 5


@dataclass(frozen=True, slots=True)
class KnownDevice:
    """A random name, and a fingerprint of the password for the id of each account."""

    name: str = field(default_factory=lambda: secrets.token_urlsafe(12))
    accounts: dict[str, str] = field(default_factory=dict)


def remember_device(request: HttpRequest, response: HttpResponse, user: User) -> None:
    """Let the response make this device known to the account."""
    device = _read(request) or KnownDevice()
    accounts = {key: value for key, value in device.accounts.items() if key != str(user.pk)}
    accounts[str(user.pk)] = _make_fingerprint(user)
    newest = dict(list(accounts.items())[-MAX_ACCOUNTS:])
    response.set_cookie(
        COOKIE,
        signing.dumps(asdict(KnownDevice(device.name, newest)), salt=SALT),
        max_age=LIFETIME,
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite=settings.SESSION_COOKIE_SAMESITE,
    )


def get_limit_key(request: HttpRequest, typed_login: str) -> str | None:
    """Return the key that counts attempts of this device for the typed account.

    None if the device is not known there.
    """
    device = _read(request)
    if device is None:
        return None
    for user in User.objects.filter(pk__in=device.accounts):
        is_current = constant_time_compare(device.accounts[str(user.pk)], _make_fingerprint(user))
        if is_current and typed_login in _get_logins(user):
            return f"{device.name} {user.pk}"
    return None


def _read(request: HttpRequest) -> KnownDevice | None:
    try:
        values = signing.loads(request.COOKIES.get(COOKIE, ""), salt=SALT, max_age=LIFETIME)
        return KnownDevice(**values)
    except (signing.BadSignature, TypeError):
        return None


def _make_fingerprint(user: User) -> str:
    return salted_hmac(SALT, user.password, algorithm="sha256").hexdigest()[:32]


def _get_logins(user: User) -> set[str]:
    addresses = EmailAddress.objects.filter(user=user).values_list("email", flat=True)
    return {login.lower() for login in (user.username, user.email, *addresses)}
