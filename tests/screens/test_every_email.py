"""Every email can be translated: in the pseudo-locale, only names are English."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings as django_settings
from django.core import mail
from django.core.mail import EmailMessage
from django.test import RequestFactory
from django.test.signals import template_rendered
from django.utils import timezone

from decks.jobs.models import Job
from decks.rechecks import services as rechecks
from tests.scenarios.catalogue import LEGAL, small_catalogue
from tests.scenarios.factories import add_players, make_event
from tests.scenarios.upcoming_decklists import ban_list
from tests.translations.pseudo import pseudo_language
from tests.translations.unmarked import find_english
from tournament.access.permissions import Actor
from tournament.accounts.adapter import EMAILS, NOTICES, AccountAdapter
from tournament.decklists.services import lists as decklists
from tournament.events.models.event import Event
from tournament.events.models.player import Player
from tournament.languages.choice import speak
from tournament.registration.services import contact

pytestmark = pytest.mark.django_db
FOLDER = Path(django_settings.BASE_DIR) / "templates" / "tournament"
LINK = re.compile(r"https://\S+")
BROWSER = "Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0"
CODE = "K7T4-QX"
# Texts in the emails below that come from people and data.
NAMES = ("Spring Open", "Alice", "Bob", "Town hall", "Banned list", CODE, "Firefox", "Linux")


@pytest.fixture
def pseudo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, settings: Any) -> Iterator[str]:
    """The language that no one speaks, on an installation that knows its own address."""
    settings.BASE_URL = "https://ringside.example"
    with pseudo_language(tmp_path, monkeypatch) as language:
        settings.LANGUAGE_CODE = language
        yield language


@pytest.fixture
def rendered_mail() -> Iterator[set[str]]:
    """The names of the templates of emails that were rendered."""
    names: set[str] = set()

    def note(template: Any, **_: Any) -> None:
        names.add(Path(str(template.name)).name)

    template_rendered.connect(note)
    yield names
    template_rendered.disconnect(note)


@pytest.fixture
def event(pseudo: str) -> Event:
    """An event of two players with decklists, both of whom have an address."""
    small_catalogue()
    starts = timezone.now() + timedelta(days=14)
    event = make_event(starts_at=starts, place="Town hall", language=pseudo)
    add_players(event, 2)
    for player in event.players.select_related("event"):
        decklists.submit_list(player, Actor.of_player(player), LEGAL)
        Player.objects.filter(pk=player.pk).update(email=f"{player.number}@example.org")
    return event


def account_emails(language: str) -> Iterator[EmailMessage]:
    """Yield every email about an account."""
    adapter = AccountAdapter(RequestFactory().get("/", HTTP_HOST="localhost"))
    words = {"code": CODE, "password_reset_url": "https://ringside.example/reset/"}
    used_names = {"timestamp": timezone.now(), "ip": "192.0.2.1", "user_agent": BROWSER}
    with speak(language):
        for name in (*EMAILS, *NOTICES):
            yield adapter.render_mail(f"account/email/{name}", "a@example.org", {**words, **used_names})


def registration_emails(event: Event) -> Iterator[EmailMessage]:
    """Yield every email about a place or a page."""
    alice, bob = event.players.select_related("event")
    yield contact.build_private_link_email(alice)
    yield contact.build_private_link_email(alice, bob)
    yield contact.build_place_free_email(alice)


def decklist_emails(event: Event, run_jobs: Callable[[], list[Job]]) -> list[EmailMessage]:
    """Return every email about decklists that were checked again.

    The lists are banned, banned after the deadline, or allowed.
    """
    moments = ((2, "Anvil Stance", None), (3, "", None), (4, "Anvil Stance", event.starts_at))
    for number, name, due in (*moments, (5, "", None), (6, "Anvil Stance", datetime(2026, 1, 1, tzinfo=UTC))):
        Event.objects.filter(pk=event.pk).update(decklists_due_at=due)
        rechecks.start_recheck(ban_list(*filter(None, [name]), number=number), asked_by="Kim")
        for _ in ("plan", "part", "tell", "mail"):
            run_jobs()
    return mail.outbox


def list_unmarked(email: EmailMessage) -> list[str]:
    """Return the lines of an email that say something in English.

    The subject counts as a line.
    """
    lines = [str(email.subject), *str(email.body).splitlines()]
    return [line for line in lines if find_english(LINK.sub("", line), NAMES)]


def test_every_text_of_every_email_can_be_translated(
    event: Event, pseudo: str, rendered_mail: set[str], run_jobs: Callable[[], list[Job]]
) -> None:
    emails = [*account_emails(pseudo), *registration_emails(event), *decklist_emails(event, run_jobs)]
    assert [line for email in emails for line in list_unmarked(email)] == []
    assert all(str(email.subject).count("⟦") for email in emails)
    files = {path.name for path in FOLDER.glob("*/*.txt") if path.name.startswith(("mail_", "email_"))}
    assert files - rendered_mail == set()
