"""Registration with a mail server.

No answer reveals whether an address is registered.
"""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.core import mail
from django.db import connection, transaction
from django.test import Client
from django.test.utils import CaptureQueriesContext

from decks.jobs.models import Job
from decks.jobs.worker import perform
from tests.everyday import each_case
from tests.scenarios.factories import make_event, make_user, organizer
from tests.scenarios.log_words import all_words
from tests.scenarios.rollback import rolled_back
from tournament.events.models.event import Event
from tournament.log.models import LogEntry
from tournament.registration import services as registration
from tournament.registration.services import contact

pytestmark = pytest.mark.django_db

KNOWN, NEW = "ada@example.org", "new@example.org"
REFUSED_NAME = pytest.mark.whole("the case of an empty name, which is refused as these are")
KEY = re.compile(r"\b\w{64}\b")


@pytest.fixture
def event(settings: Any) -> Event:
    """An event with Ada, on an installation that sends emails."""
    event = make_event()
    settings.BASE_URL = "https://ringside.example"
    registration.register(event, name="Ada", email=KNOWN)
    Job.objects.all().delete()
    return event


def register(event: Event, **values: str) -> list[str]:
    """Return all that a stranger sees.

    This is the answer, where it leads, its cookies, and the players afterwards.
    """
    client = Client()
    with transaction.atomic():
        answer = client.post(f"/e/{event.slug}/register/", values)
        pages = [
            answer,
            *(client.get(f"/e/{event.slug}/{page}") for page in ("", "players/", "register/", "me/")),
        ]
        pages += [Client().get(f"/api/events/{event.slug}/{page}") for page in ("", "players/")]
        transaction.set_rollback(True)
    page_texts = [KEY.sub("", each.content.decode()) for each in pages]
    return [str(answer.status_code), answer.headers.get("Location", ""), *sorted(answer.cookies), *page_texts]


@each_case(
    "values",
    [
        {"name": "Somebody"}, {"name": "Ada"}, {"name": ""},
        pytest.param({"name": "x" * 90}, marks=REFUSED_NAME),
        pytest.param({"name": "a\tb"}, marks=REFUSED_NAME),
        {"name": "Ada", "is_namesake": "on"},
    ], around=rolled_back,
)  # fmt: skip
def test_page_and_players_are_alike_for_a_known_and_a_new_address(
    event: Event, values: dict[str, str]
) -> None:
    known_answer, new = (register(event, **values, email=email) for email in (KNOWN, NEW))
    assert [part.replace(KNOWN, NEW) for part in known_answer] == new


@pytest.mark.parametrize("name", ["Somebody", "Ada", ""])
def test_api_answers_alike_for_a_known_and_a_new_address(event: Event, name: str) -> None:
    address = f"/api/events/{event.slug}/register/"
    known_answer, new = (
        Client().post(
            address, {"name": name and f"{name}{end}", "email": email}, content_type="application/json"
        )
        for email, end in ((KNOWN, ""), (NEW, " B" if name == "Somebody" else ""))
    )
    assert known_answer.status_code == new.status_code == (202 if name == "Somebody" else 400)
    assert known_answer.content.replace(KNOWN.encode(), NEW.encode()) == new.content
    assert b"token" not in new.content


def post(event: Event, name: str, email: str) -> int:
    """Register for good; the status of the answer."""
    return Client().post(f"/e/{event.slug}/register/", {"name": name, "email": email}).status_code


def test_new_address_is_sent_its_link(event: Event) -> None:
    post(event, "Somebody", NEW)
    somebody, job = event.players.get(name="Somebody"), Job.objects.get(kind=contact.PRIVATE_LINK_JOB)
    assert (somebody.email, job.payload) == (NEW, {"player": somebody.pk})
    contact.build_private_link_email(somebody).send()
    assert f"https://ringside.example/p/{somebody.token}/?new=1" in mail.outbox[0].body


def test_known_address_is_sent_both_links_and_counts_as_one_person_still(event: Event) -> None:
    post(event, "Somebody", KNOWN.upper())
    ada, somebody = event.players.order_by("number")
    job = Job.objects.get(kind=contact.PRIVATE_LINK_JOB)
    assert (somebody.email, job.payload) == ("", {"player": ada.pk, "second_player": somebody.pk})
    contact.build_private_link_email(ada, somebody).send()
    assert mail.outbox[0].to == [KNOWN]
    assert all(f"/p/{player.token}/?new=1" in mail.outbox[0].body for player in (ada, somebody))


def test_both_answers_take_the_same_work_but_for_one_line_of_the_log(event: Event) -> None:
    counts = []
    for place, email in enumerate((NEW, KNOWN)):
        with CaptureQueriesContext(connection) as queries:
            post(event, f"Somebody {place}", email)
        counts.append(len(queries))
    assert abs(counts[0] - counts[1]) <= 1


def ask_for_link(event: Event, email: str, page: str = "register") -> list[object]:
    """Return what a stranger can see or measure of a private link request.

    The request asks for the private link of an address.
    """
    with CaptureQueriesContext(connection) as queries:
        answer = Client().post(f"/e/{event.slug}/{page}/", {"send_link": "1", "email": email})
    return [answer.status_code, answer.headers["Location"], len(queries)]


@pytest.mark.parametrize("page", ["register", "me"])
def test_link_is_asked_for_alike_with_a_known_and_a_new_address(event: Event, page: str) -> None:
    ask_for_link(event, "first@example.org", page)  # what is cached once costs nothing later
    assert ask_for_link(event, KNOWN, page) == ask_for_link(event, NEW, page)


def test_page_of_a_stranger_offers_to_send_the_link_again(event: Event) -> None:
    page = Client().get(f"/e/{event.slug}/me/").content.decode()
    assert 'id="link-email"' in page
    ask_for_link(event, KNOWN, "me")
    perform_jobs()
    assert [message.to for message in mail.outbox] == [[KNOWN]]


def test_public_version_does_not_reveal_whether_a_link_was_sent(event: Event) -> None:
    before = Client().get(f"/e/{event.slug}/").content
    for email in (KNOWN, NEW):
        ask_for_link(event, email)
    perform_jobs()
    assert Client().get(f"/e/{event.slug}/").content == before
    assert [message.to for message in mail.outbox] == [[KNOWN]]
    assert all_words(LogEntry.objects.filter(action="link_sent")) == [
        "A visitor sent the private link to Ada."
    ]


def perform_jobs() -> None:
    """Do what waits, as a worker would."""
    for job in Job.objects.order_by("created_at"):
        perform(job.pk)


def test_mailbox_is_not_flooded_whether_it_is_known_or_not(event: Event) -> None:
    answers = [
        [post(event, f"Somebody {place} {email}", email) for place in range(5)] for email in (KNOWN, NEW)
    ]
    assert answers == [[302, 302, 302, 422, 422]] * 2


def test_first_page_behind_the_mail_is_remembered_by_the_browser_of_the_player_alone(event: Event) -> None:
    ada, client = event.players.get(), Client()
    client.get(f"/p/{ada.token}/?new=1")
    assert client.get(f"/e/{event.slug}/me/")["Location"] == f"/p/{ada.token}/"
    staff = Client()
    staff.force_login(organizer().user or make_user())
    staff.get(f"/p/{ada.token}/?new=1")
    assert staff.get(f"/e/{event.slug}/me/").status_code == 200


def test_without_a_mail_server_a_known_address_is_told_so_that_the_hall_can_help(settings: Any) -> None:
    settings.BASE_URL = "https://ringside.example"
    settings.EMAIL_BACKEND = "django.core.mail.backends.filebased.EmailBackend"
    event = make_event()
    first = Client().post(f"/e/{event.slug}/register/", {"name": "Ada", "email": KNOWN})
    second = Client().post(f"/e/{event.slug}/register/", {"name": "Ada", "email": KNOWN})
    assert (first["Location"], second.status_code) == (f"/p/{event.players.get().token}/?new=1", 422)
    assert second.context["form"].has_error("email", "already_registered")
