"""Accounts opened through the mailbox: nobody learns from the page whether an address has one.

Where no mail leaves the machine an account is opened at once, and a known address is said to be known.
"""

from __future__ import annotations

import logging
from dataclasses import asdict, dataclass
from datetime import timedelta

from django.conf import settings
from django.contrib.auth.models import User
from django.core import signing
from django.core.mail import EmailMessage
from django.db import IntegrityError, transaction
from django.template.loader import render_to_string
from django.urls import reverse

from tournament.services import links

SALT = "tournament.sign_up"
HOLDS = timedelta(days=1)
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


def is_by_mail() -> bool:
    """Whether accounts are opened through the mailbox here."""
    return bool(settings.BASE_URL and links.sends_mail())


def ask(wish: Wish) -> None:
    """Send the mail that opens the account, or the one that says that there is one. One query either way."""
    is_known = User.objects.filter(username=wish.email).exists()
    link = reverse("sign_in") if is_known else reverse("sign_up_finish", args=[_sealed(wish)])
    words = {
        "link": f"{settings.BASE_URL}{link}",
        "forgotten": f"{settings.BASE_URL}{reverse('password_forgotten')}",
    }
    template = "emails/account_known.txt" if is_known else "emails/account_opens.txt"
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
