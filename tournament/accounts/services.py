"""Sign-up, signed-in devices, and rate limits on attempts."""

from __future__ import annotations

import logging
import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import timedelta
from enum import Enum
from importlib import import_module
from ipaddress import ip_address
from typing import Any

from django.conf import settings
from django.contrib.auth.models import User
from django.contrib.auth.signals import user_logged_in, user_logged_out
from django.core import signing
from django.core.mail import EmailMessage
from django.db import IntegrityError, connection, transaction
from django.http import HttpRequest
from django.template.loader import render_to_string
from django.urls import Resolver404, resolve, reverse
from django.utils import timezone
from django.utils.crypto import salted_hmac

from decks.shared.refusals import Refused
from tournament.access.models import Invitation
from tournament.accounts.models import Attempt, Device
from tournament.shared import links


@dataclass(frozen=True, slots=True)
class RateLimit:
    """At most so many tries of one kind by one key within so many minutes."""

    kind: str
    max_attempts: int
    minutes: int


SIGN_IN_PER_EMAIL = RateLimit("sign_in_box", 10, 15)

SIGN_IN_PER_IP = RateLimit("sign_in_net", 100, 15)

SIGN_UP_PER_IP = RateLimit("sign_up_net", 30, 60)

SIGN_UP_PER_EMAIL = RateLimit("sign_up_box", 3, 60)

SIGN_UP_PER_INVITATION = RateLimit("sign_up_link", 5, 60)

RESET_PER_EMAIL = RateLimit("reset_box", 3, 60)

RESET_PER_IP = RateLimit("reset_net", 30, 60)

REGISTER_PER_IP = RateLimit("register_net", 300, 10)

LONGEST_WINDOW = timedelta(minutes=60)


class RateLimitExceeded(Refused):
    """Somebody tried too often; it passes by waiting."""


def get_client_ip(meta: Mapping[str, str]) -> str:
    """Return the client's IP address; behind a proxy the one the proxy saw."""
    forwarded = meta.get("HTTP_X_FORWARDED_FOR", "") if settings.SECURE_PROXY_SSL_HEADER else ""
    return forwarded.split(",")[-1].strip() or meta.get("REMOTE_ADDR", "")


def check_rate_limits(limited_keys: Sequence[tuple[RateLimit, str]]) -> None:
    """Raise RateLimitExceeded when one of the limits is reached; count nothing."""
    with transaction.atomic():
        _check_limits(limited_keys)


def count_attempt(limited_keys: Sequence[tuple[RateLimit, str]]) -> None:
    """Count one try for each limit; raise RateLimitExceeded when one is reached."""
    with transaction.atomic():
        _check_limits(limited_keys)
        now = timezone.now()
        Attempt.objects.filter(at__lt=now - LONGEST_WINDOW).delete()
        Attempt.objects.bulk_create(
            Attempt(kind=limit.kind, key=_hash_key(limit, key), at=now) for limit, key in limited_keys
        )


def reset_attempts(limit: RateLimit, key: str) -> None:
    """Reset the count after a successful attempt."""
    Attempt.objects.filter(kind=limit.kind, key=_hash_key(limit, key)).delete()


def _check_limits(limited_keys: Sequence[tuple[RateLimit, str]]) -> None:
    for limit, key in limited_keys:
        _lock_key(_hash_key(limit, key))
        since = timezone.now() - timedelta(minutes=limit.minutes)
        tries = Attempt.objects.filter(kind=limit.kind, key=_hash_key(limit, key), at__gte=since)
        if tries.count() >= limit.max_attempts:
            minutes = f"{limit.minutes} minutes"
            raise RateLimitExceeded(
                "too_often", f"That were too many tries within {minutes}.", fix=f"Wait {minutes}."
            )


def _lock_key(digest: str) -> None:
    """Lock one key until the transaction ends; SQLite writes one at a time."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_xact_lock(%s)", [int(digest[:15], 16)])


def _hash_key(limit: RateLimit, key: str) -> str:
    return salted_hmac(f"tournament.limits.{limit.kind}", key.casefold(), algorithm="sha256").hexdigest()


LAST_SEEN_KEY = "device_seen_at"

LAST_SEEN_INTERVAL = timedelta(minutes=10)

BROWSERS = (
    ("Edg", "Edge"),
    ("OPR", "Opera"),
    ("Firefox", "Firefox"),
    ("Chrom", "Chrome"),
    ("Safari", "Safari"),
)

OPERATING_SYSTEMS = (
    ("iPhone", "iPhone"), ("iPad", "iPad"), ("Android", "Android"), ("Windows", "Windows"), ("Mac OS", "Mac"),
    ("Linux", "Linux"),
)  # fmt: skip


def connect_sign_in_signals() -> None:
    """Keep a device for each sign-in; called once when the app is ready."""
    user_logged_in.connect(_record_sign_in, dispatch_uid="tournament.devices.in")
    user_logged_out.connect(_forget_device, dispatch_uid="tournament.devices.out")


def describe_browser(agent: str) -> str:
    """A browser in words, as far as it says what it is."""
    browser = next((name for mark, name in BROWSERS if mark in agent), "A browser")
    system = next((name for mark, name in OPERATING_SYSTEMS if re.search(mark, agent)), "")
    return f"{browser} on {system}" if system else browser


def _record_sign_in(request: HttpRequest, user: User, **_: Any) -> None:
    if request.session.session_key is None:
        request.session.save()
    now = timezone.now()
    request.session[LAST_SEEN_KEY] = now.timestamp()
    Device.objects.update_or_create(
        session_key=request.session.session_key,
        defaults={
            "user": user,
            "name": describe_browser(request.META.get("HTTP_USER_AGENT", "")),
            "signed_in_at": now,
            "seen_at": now,
        },
    )


def _forget_device(request: HttpRequest, **_: Any) -> None:
    if request.session.session_key:
        Device.objects.filter(session_key=request.session.session_key).delete()


def update_last_seen(request: HttpRequest) -> None:
    """Note now and then that a device is in use."""
    now = timezone.now()
    last = request.session.get(LAST_SEEN_KEY)
    if last is None or now.timestamp() - last > LAST_SEEN_INTERVAL.total_seconds():
        request.session[LAST_SEEN_KEY] = now.timestamp()
        Device.objects.filter(session_key=request.session.session_key).update(seen_at=now)


def sign_out_devices(user: User, *, device: int | None = None, keep: str | None = None) -> int:
    """Sign out one device, or all but the session `keep`; return how many."""
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


def sign_out_other_devices(request: HttpRequest, user: User) -> None:
    """Sign out all other devices after a new password changed the session key."""
    sign_out_devices(user, keep=request.session.session_key)
    _record_sign_in(request, user)


SIGN_UP_SALT = "tournament.sign_up"

SIGN_UP_LINK_LIFETIME = timedelta(days=1)

# What a proxy says of whom it asks for.
PROXY_HEADERS = ("HTTP_X_FORWARDED_FOR", "HTTP_FORWARDED", "HTTP_X_REAL_IP", "HTTP_VIA")

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class SignUpRequest:
    """A requested account; `then` is the page the request came from.

    It holds no password: the reader of the email chooses one. Otherwise a person who enters another's
    address would know it.
    """

    name: str
    email: str
    then: str = ""

    @property
    def user(self) -> User:
        """The account, not opened yet."""
        first, _, last = self.name.partition(" ")
        return User(username=self.email, email=self.email, first_name=first, last_name=last)


class SignUpMethod(Enum):
    """How a person can create an account."""

    MAIL = "by a link in a mail"
    AT_ONCE = "at once"
    INVITED = "at once, being invited"
    CLOSED = "not without an invitation"


def get_sign_up_method(meta: Mapping[str, str], then: str) -> SignUpMethod:
    """Return how this request can create an account; `then` is its next page."""
    if settings.BASE_URL and links.can_send_email():
        return SignUpMethod.MAIL
    if is_local_request(meta):
        return SignUpMethod.AT_ONCE
    return SignUpMethod.INVITED if get_invitation_token(then) else SignUpMethod.CLOSED


def is_local_request(meta: Mapping[str, str]) -> bool:
    """Whether the request comes from the machine Ringside runs on, not a proxy."""
    if not settings.SECURE_PROXY_SSL_HEADER and any(meta.get(name) for name in PROXY_HEADERS):
        return False
    client_ip = get_client_ip(meta)
    try:
        return ip_address(client_ip).is_loopback or client_ip == meta.get("SERVER_NAME")
    except ValueError:
        return False


def get_invitation_token(path: str) -> str | None:
    """The token of the open invitation to a staff whose page this is; None for every other page."""
    try:
        resolved_url = resolve(path)
    except Resolver404:
        return None
    if resolved_url.url_name != "join":
        return None
    token = str(resolved_url.kwargs["token"])
    invitation = Invitation.objects.filter(token=token).first()
    return token if invitation and invitation.is_open(timezone.now()) else None


def send_sign_up_email(sign_up: SignUpRequest) -> None:
    """Send the sign-up email, or the one that says the account exists. One query."""
    is_known = User.objects.filter(username=sign_up.email).exists()
    link = reverse("sign_in") if is_known else reverse("sign_up_finish", args=[_sign_request(sign_up)])
    words = {
        "link": f"{settings.BASE_URL}{link}",
        "forgotten": f"{settings.BASE_URL}{reverse('password_forgotten')}",
    }
    template = (
        "tournament/accounts/mail_account_known.txt"
        if is_known
        else "tournament/accounts/mail_account_opens.txt"
    )
    mail = EmailMessage("Your Ringside account", render_to_string(template, words), to=[sign_up.email])
    try:
        mail.send()
    except OSError:  # the answer must not tell what became of the mail
        logger.exception("a mail about an account could not be sent")


def _sign_request(sign_up: SignUpRequest) -> str:
    return signing.dumps(asdict(sign_up), salt=SIGN_UP_SALT, compress=True)


def read_sign_up_token(token: str) -> SignUpRequest | None:
    """Read the request in a sign-up link; None if invalid or expired."""
    try:
        return SignUpRequest(**signing.loads(token, salt=SIGN_UP_SALT, max_age=SIGN_UP_LINK_LIFETIME))
    except (signing.BadSignature, TypeError):
        return None


def create_account(sign_up: SignUpRequest, password: str) -> User | None:
    """Create the account with this password; None if it exists by now."""
    user = sign_up.user
    user.set_password(password)
    try:
        with transaction.atomic():
            user.save(force_insert=True)
    except IntegrityError:
        return None
    return user
