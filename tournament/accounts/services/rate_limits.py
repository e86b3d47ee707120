"""How often somebody may try: counted in the database, so all processes count together.

A whole hall may share one network address, so limits by address are wide and those by mailbox narrow.
Addresses and mailboxes are kept as digests, and only as long as they count.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta

from django.conf import settings
from django.db import connection, transaction
from django.utils import timezone
from django.utils.crypto import salted_hmac

from decks.shared.refusals import Refused
from tournament.accounts.models import Attempt


@dataclass(frozen=True, slots=True)
class Limit:
    """At most so many tries of one kind by one key within so many minutes."""

    kind: str
    most: int
    minutes: int


SIGN_IN_MAILBOX = Limit("sign_in_box", 10, 15)
SIGN_IN_ADDRESS = Limit("sign_in_net", 100, 15)
SIGN_UP_ADDRESS = Limit("sign_up_net", 30, 60)
SIGN_UP_MAILBOX = Limit("sign_up_box", 3, 60)
SIGN_UP_INVITATION = Limit("sign_up_link", 5, 60)
RESET_MAILBOX = Limit("reset_box", 3, 60)
RESET_ADDRESS = Limit("reset_net", 30, 60)
REGISTER_ADDRESS = Limit("register_net", 300, 10)
LONGEST = timedelta(minutes=60)


class TooOften(Refused):
    """Somebody tried too often; it passes by waiting."""


def client_address(meta: Mapping[str, str]) -> str:
    """The network address a request came from; behind a proxy the one that the proxy saw."""
    forwarded = meta.get("HTTP_X_FORWARDED_FOR", "") if settings.SECURE_PROXY_SSL_HEADER else ""
    return forwarded.split(",")[-1].strip() or meta.get("REMOTE_ADDR", "")


def refuse_if_over(wanted: Sequence[tuple[Limit, str]]) -> None:
    """Raise TooOften when one of the limits is reached; counts nothing."""
    with transaction.atomic():
        _refuse(wanted)


def count(wanted: Sequence[tuple[Limit, str]]) -> None:
    """Count one try for each limit, or raise TooOften when one is reached; then nothing is counted."""
    with transaction.atomic():
        _refuse(wanted)
        now = timezone.now()
        Attempt.objects.filter(at__lt=now - LONGEST).delete()
        Attempt.objects.bulk_create(
            Attempt(kind=limit.kind, key=_digest(limit, key), at=now) for limit, key in wanted
        )


def forget(limit: Limit, key: str) -> None:
    """Whoever got in starts anew."""
    Attempt.objects.filter(kind=limit.kind, key=_digest(limit, key)).delete()


def _refuse(wanted: Sequence[tuple[Limit, str]]) -> None:
    for limit, key in wanted:
        _take_turns(_digest(limit, key))
        since = timezone.now() - timedelta(minutes=limit.minutes)
        tries = Attempt.objects.filter(kind=limit.kind, key=_digest(limit, key), at__gte=since)
        if tries.count() >= limit.most:
            minutes = f"{limit.minutes} minutes"
            raise TooOften("too_often", f"That were too many tries within {minutes}.", fix=f"Wait {minutes}.")


def _take_turns(digest: str) -> None:
    """One after another for one key; on SQLite every transaction that writes is alone already."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_xact_lock(%s)", [int(digest[:15], 16)])


def _digest(limit: Limit, key: str) -> str:
    return salted_hmac(f"tournament.limits.{limit.kind}", key.casefold(), algorithm="sha256").hexdigest()
