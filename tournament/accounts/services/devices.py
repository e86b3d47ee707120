"""Where somebody is signed in, and signing out from afar."""

from __future__ import annotations

import re
from datetime import timedelta
from importlib import import_module
from typing import Any

from django.conf import settings
from django.contrib.auth.models import User
from django.contrib.auth.signals import user_logged_in, user_logged_out
from django.http import HttpRequest
from django.utils import timezone

from tournament.accounts.models import Device

SEEN = "device_seen_at"
EVERY = timedelta(minutes=10)
BROWSERS = (
    ("Edg", "Edge"),
    ("OPR", "Opera"),
    ("Firefox", "Firefox"),
    ("Chrom", "Chrome"),
    ("Safari", "Safari"),
)
SYSTEMS = (
    ("iPhone", "iPhone"), ("iPad", "iPad"), ("Android", "Android"), ("Windows", "Windows"), ("Mac OS", "Mac"),
    ("Linux", "Linux"),
)  # fmt: skip


def connect() -> None:
    """Keep a device for each sign-in; called once when the app is ready."""
    user_logged_in.connect(_signed_in, dispatch_uid="tournament.devices.in")
    user_logged_out.connect(_signed_out, dispatch_uid="tournament.devices.out")


def name_of(agent: str) -> str:
    """A browser in words, as far as it says what it is."""
    browser = next((name for mark, name in BROWSERS if mark in agent), "A browser")
    system = next((name for mark, name in SYSTEMS if re.search(mark, agent)), "")
    return f"{browser} on {system}" if system else browser


def _signed_in(request: HttpRequest, user: User, **_: Any) -> None:
    if request.session.session_key is None:
        request.session.save()
    now = timezone.now()
    request.session[SEEN] = now.timestamp()
    Device.objects.update_or_create(
        session_key=request.session.session_key,
        defaults={
            "user": user,
            "name": name_of(request.META.get("HTTP_USER_AGENT", "")),
            "signed_in_at": now,
            "seen_at": now,
        },
    )


def _signed_out(request: HttpRequest, **_: Any) -> None:
    if request.session.session_key:
        Device.objects.filter(session_key=request.session.session_key).delete()


def seen(request: HttpRequest) -> None:
    """Note now and then that a device is in use."""
    now = timezone.now()
    last = request.session.get(SEEN)
    if last is None or now.timestamp() - last > EVERY.total_seconds():
        request.session[SEEN] = now.timestamp()
        Device.objects.filter(session_key=request.session.session_key).update(seen_at=now)


def sign_out(user: User, *, device: int | None = None, keep: str | None = None) -> int:
    """Sign one device of somebody out, or all of them but the one with the session `keep`; says how many."""
    devices = Device.objects.filter(user=user)
    if device is not None:
        devices = devices.filter(pk=device)
    if keep is not None:
        devices = devices.exclude(session_key=keep)
    keys = list(devices.values_list("session_key", flat=True))
    store = import_module(settings.SESSION_ENGINE).SessionStore
    for key in keys:
        store(key).delete()
    Device.objects.filter(session_key__in=keys).delete()
    return len(keys)


def moved(request: HttpRequest, user: User) -> None:
    """The session got another key, as it does with a new password: this device stays, all others go."""
    sign_out(user, keep=request.session.session_key)
    _signed_in(request, user)
