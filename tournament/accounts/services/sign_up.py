"""Who may open an account, and accounts opened through the mailbox.

Where mails leave the machine everybody may ask, and no page tells whether an address has an account. Where
none do, the answer could not help telling; so accounts are opened there by who sits at the machine, and by
who was invited to the staff of an event (docs/decisions/accounts-without-mail.md).
"""

from __future__ import annotations

import logging
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import timedelta
from enum import Enum
from ipaddress import ip_address

from django.conf import settings
from django.contrib.auth.models import User
from django.core import signing
from django.core.mail import EmailMessage
from django.db import IntegrityError, transaction
from django.template.loader import render_to_string
from django.urls import Resolver404, resolve, reverse
from django.utils import timezone

from tournament.access.models import Invitation
from tournament.accounts.services.rate_limits import client_address
from tournament.shared import addresses as links

SALT = "tournament.sign_up"
HOLDS = timedelta(days=1)
# What a proxy says of whom it asks for.
PASSED_ON = ("HTTP_X_FORWARDED_FOR", "HTTP_FORWARDED", "HTTP_X_REAL_IP", "HTTP_VIA")
log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Wish:
    """An account that somebody wants; `then` is the page on which he was.

    It holds no password: who opens the mail chooses it. Otherwise whoever gives another's address knew it.
    """

    name: str
    email: str
    then: str = ""

    @property
    def person(self) -> User:
        """The account, not opened yet."""
        first, _, last = self.name.partition(" ")
        return User(username=self.email, email=self.email, first_name=first, last_name=last)


class Way(Enum):
    """How somebody comes to an account here."""

    MAIL = "by a link in a mail"
    AT_ONCE = "at once"
    INVITED = "at once, being invited"
    CLOSED = "not without an invitation"


def way(meta: Mapping[str, str], then: str) -> Way:
    """How whoever asks so comes to an account; `then` is the page on which he was. One query at most."""
    if settings.BASE_URL and links.sends_mail():
        return Way.MAIL
    if sits_at_the_machine(meta):
        return Way.AT_ONCE
    return Way.INVITED if invitation_of(then) else Way.CLOSED


def sits_at_the_machine(meta: Mapping[str, str]) -> bool:
    """Whether the request comes from the machine that Ringside runs on; a proxy there is nobody."""
    if not settings.SECURE_PROXY_SSL_HEADER and any(meta.get(name) for name in PASSED_ON):
        return False
    asking = client_address(meta)
    try:
        return ip_address(asking).is_loopback or asking == meta.get("SERVER_NAME")
    except ValueError:
        return False


def invitation_of(path: str) -> str | None:
    """The token of the open invitation to a staff whose page this is; None for every other page."""
    try:
        found = resolve(path)
    except Resolver404:
        return None
    if found.url_name != "join":
        return None
    token = str(found.kwargs["token"])
    invitation = Invitation.objects.filter(token=token).first()
    return token if invitation and invitation.is_open(timezone.now()) else None


def ask(wish: Wish) -> None:
    """Send the mail that opens the account, or the one that says that there is one. One query either way."""
    is_known = User.objects.filter(username=wish.email).exists()
    link = reverse("sign_in") if is_known else reverse("sign_up_finish", args=[_sealed(wish)])
    words = {
        "link": f"{settings.BASE_URL}{link}",
        "forgotten": f"{settings.BASE_URL}{reverse('password_forgotten')}",
    }
    template = (
        "tournament/accounts/mail_account_known.txt"
        if is_known
        else "tournament/accounts/mail_account_opens.txt"
    )
    mail = EmailMessage("Your Ringside account", render_to_string(template, words), to=[wish.email])
    try:
        mail.send()
    except OSError:  # the answer must not tell what became of the mail
        log.exception("a mail about an account could not be sent")


def _sealed(wish: Wish) -> str:
    return signing.dumps(asdict(wish), salt=SALT, compress=True)


def unsealed(token: str) -> Wish | None:
    """What a link of a mail asks for; None where it is none of ours or too old."""
    try:
        return Wish(**signing.loads(token, salt=SALT, max_age=HOLDS))
    except (signing.BadSignature, TypeError):
        return None


def finish(wish: Wish, password: str) -> User | None:
    """Open the account with the password as it was typed; None where there is one by now."""
    person = wish.person
    person.set_password(password)
    try:
        with transaction.atomic():
            person.save(force_insert=True)
    except IntegrityError:
        return None
    return person
