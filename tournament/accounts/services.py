"""Rules for new accounts, and limits on tries.

Also keeps the time when a device was last seen.
"""

from __future__ import annotations

import re
import secrets
from enum import Enum, auto
from ipaddress import ip_address
from typing import Any

from allauth.account.adapter import get_adapter
from allauth.account.models import EmailAddress
from allauth.account.signals import email_changed
from allauth.core import ratelimit
from allauth.core.internal.ratelimit import get_rates
from allauth.usersessions.models import UserSession
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.models import User
from django.contrib.auth.signals import user_logged_in
from django.core.cache import cache
from django.core.exceptions import PermissionDenied
from django.db.models.signals import post_save, pre_save
from django.http import HttpRequest
from django.urls import Resolver404, resolve
from django.utils import timezone
from django.utils.translation import gettext

from decks.shared.refusals import Refused
from decks.shared.rows import find_row
from tournament.access.models import Invitation


class RateLimitExceeded(Refused):
    """Too many tries; waiting helps."""


def count_attempt(request: HttpRequest, action: str, key: str | None = None) -> None:
    """Count one attempt of an action of ACCOUNT_RATE_LIMITS.

    Raises RateLimitExceeded at its limit.
    """
    if not ratelimit.consume(request, action=action, key=key and key.casefold()) and _can_count():
        raise RateLimitExceeded("too_often")


def get_seconds_to_wait(action: str) -> int:
    """Return the longest time that a try of an ACCOUNT_RATE_LIMITS action is counted."""
    rates = get_rates(app="allauth.account", action=action)
    return int(max(rate.duration for rate in rates))


def _can_count() -> bool:
    """Return whether tries can be written down at all.

    On a full disk they cannot; then what follows says why.
    """
    return cache.add(f"can-count-{secrets.token_hex(8)}", 1, timeout=1)


class SignUpMethod(Enum):
    """The ways to create an account.

    They are with a code by email, at once, with an invitation, or not at all.
    """

    MAIL = auto()
    AT_ONCE = auto()
    INVITED = auto()
    CLOSED = auto()


def verifies_email() -> bool:
    """Return whether a code by email confirms who reads it."""
    return settings.ACCOUNT_EMAIL_VERIFICATION == "mandatory"


def get_sign_up_method(request: HttpRequest, next_url: str) -> SignUpMethod:
    """Return how this request can create an account; `next_url` is the page after it."""
    if verifies_email():
        return SignUpMethod.MAIL
    if is_local_request(request):
        return SignUpMethod.AT_ONCE
    return SignUpMethod.INVITED if get_invitation_token(next_url) else SignUpMethod.CLOSED


# The client address that a proxy reports.
PROXY_HEADERS = ("HTTP_X_FORWARDED_FOR", "HTTP_FORWARDED", "HTTP_X_REAL_IP", "HTTP_VIA")


def is_local_request(request: HttpRequest) -> bool:
    """Return whether the request comes from the local machine, not from a proxy.

    The local machine is the one Ringside runs on.
    """
    if not settings.ALLAUTH_TRUSTED_PROXY_COUNT and any(request.META.get(name) for name in PROXY_HEADERS):
        return False
    try:
        client_ip = get_adapter().get_client_ip(request)
    except PermissionDenied:
        return False
    return ip_address(client_ip).is_loopback or client_ip == request.META.get("SERVER_NAME")


def get_invitation_token(path: str) -> str | None:
    """Return the token of the open staff invitation whose page this is.

    None for every other page.
    """
    try:
        resolved_url = resolve(path)
    except Resolver404:
        return None
    if resolved_url.url_name != "join":
        return None
    token = str(resolved_url.kwargs["token"])
    invitation = find_row(Invitation.objects.filter(token=token))
    return token if invitation and invitation.is_open(timezone.now()) else None


def connect_signals() -> None:
    """Watch new accounts and sign-ins; called once when the app is ready."""
    user_logged_in.connect(_note_sign_in, dispatch_uid="tournament.accounts.seen")
    pre_save.connect(_normalize_email, sender=User, dispatch_uid="tournament.accounts.email")
    pre_save.connect(_replace_email, sender=User, dispatch_uid="tournament.accounts.replace")
    post_save.connect(_trust_email, sender=User, dispatch_uid="tournament.accounts.trust")
    email_changed.connect(_report_email_change, dispatch_uid="tournament.accounts.changed")


def _report_email_change(request: HttpRequest, **_: Any) -> None:
    """Say so after the code was entered; at the end of a sign-up nothing has changed."""
    if request.user.is_authenticated:
        messages.success(request, gettext("Email changed."))


def change_email(user: User, email: str) -> EmailAddress:
    """Replace the email at once, if no code can be sent."""
    user.email = email
    user.save()
    return EmailAddress.objects.get(user=user)


def change_name(user: User, name: str) -> None:
    """Replace the name; entries of the log keep the name of their time."""
    user.first_name, _, user.last_name = name.partition(" ")
    user.save(update_fields=["first_name", "last_name"])


def _normalize_email(instance: User, **_: Any) -> None:
    """Convert the email to lower case, as allauth expects.

    Accounts from the command line may have the email only as name.
    """
    name = instance.username if "@" in instance.username else ""
    instance.email = (instance.email or name).strip().lower()


def _trust_email(instance: User, created: bool, **_: Any) -> None:
    """Trust the email of an account created by command line or administration.

    Otherwise the first administrator would wait for a code from a mail server that may not work yet.
    """
    if created and instance.email and not hasattr(instance, "is_signing_up"):
        _store_trusted_email(instance)


def _replace_email(instance: User, **_: Any) -> None:
    """Replace an email.

    The old one no longer signs in and gets no links to a new password.
    """
    stored_user = find_row(User.objects.filter(pk=instance.pk))
    if stored_user is None or stored_user.email == instance.email:
        return
    EmailAddress.objects.filter(user=instance).exclude(email=instance.email).delete()
    if not instance.email:
        return
    if not EmailAddress.objects.filter(user=instance).exists():
        _store_trusted_email(instance)
    if instance.username.lower() == stored_user.email:
        _rename_account(instance)


def _rename_account(user: User) -> None:
    """Name the account by its email, unless another account has that name."""
    if not User.objects.filter(username=user.email).exclude(pk=user.pk).exists():
        User.objects.filter(pk=user.pk).update(username=user.email)
        user.username = user.email


def _store_trusted_email(user: User) -> None:
    is_taken = EmailAddress.objects.filter(email=user.email, verified=True).exists()
    EmailAddress.objects.create(user=user, email=user.email, verified=not is_taken, primary=True)


def get_display_name(user: User) -> str:
    """Return the name of an account, as a device that keeps a passkey shows it."""
    return user.get_full_name() or user.get_username()


LAST_SEEN_KEY = "device_seen_at"

LAST_SEEN_SECONDS = 600


def _note_sign_in(request: HttpRequest, **_: Any) -> None:
    """Record that a device that has just signed in was seen.

    Then the next page writes nothing.
    """
    request.session[LAST_SEEN_KEY] = timezone.now().timestamp()


def update_last_seen(request: HttpRequest) -> None:
    """Record every ten minutes that a device is in use.

    A write for each page would be too many.
    """
    now = timezone.now()
    if now.timestamp() - request.session.get(LAST_SEEN_KEY, 0) > LAST_SEEN_SECONDS:
        request.session[LAST_SEEN_KEY] = now.timestamp()
        UserSession.objects.filter(session_key=request.session.session_key).update(last_seen_at=now)


BROWSERS = (
    ("Edg", "Edge"),
    ("OPR|Opera", "Opera"),
    ("Firefox", "Firefox"),
    ("Chrom", "Chrome"),
    ("Safari", "Safari"),
)

OPERATING_SYSTEMS = ("iPhone", "iPad", "Android", "Windows", "Mac", "Linux")


def describe_browser(agent: str) -> str:
    """Return the kind of browser, as far as it says."""
    browser = next((name for mark, name in BROWSERS if re.search(mark, agent)), gettext("A browser"))
    system = next((name for name in OPERATING_SYSTEMS if name in agent), "")
    if not system:
        return browser
    return gettext("%(browser)s on %(system)s") % {"browser": browser, "system": system}
