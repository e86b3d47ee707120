"""Every answer 429 says after how many seconds the limit is certain to be free."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from django.core.cache import cache
from django.test import Client
from django.urls import get_resolver
from rest_framework.exceptions import Throttled

from config.env import accounts
from tests.scenarios.factories import make_event, make_user, organizer
from tests.style.sources import CLONE
from tournament.accounts.views import LIMITED_PAGES
from tournament.staff import services as staff
from tournament.web.api import handle_exception

pytestmark = pytest.mark.django_db

PASSWORD = "correct horse"


def olga() -> Client:
    client = Client()
    client.force_login(make_user())
    return client


def sign_in(number: int) -> object:
    return Client().post("/sign-in/", {"login": "olga@example.org", "password": "wrong"})


def sign_up(number: int) -> object:
    return Client().post("/sign-up/", {"email": f"p{number}@example.org"})


def forget_password(number: int) -> object:
    return Client().post("/password/", {"email": "olga@example.org"})


@pytest.mark.parametrize(
    ("ask", "tries", "seconds"), [(sign_in, 11, 900), (sign_up, 31, 3600), (forget_password, 4, 3600)]
)
def test_strangers_are_told_when_to_come_back(ask: Callable[[int], object], tries: int, seconds: int) -> None:
    answers = [ask(number) for number in range(tries)]
    assert 429 not in [answer.status_code for answer in answers[:-1]]
    assert (answers[-1].status_code, answers[-1]["Retry-After"]) == (429, str(seconds))


@pytest.mark.parametrize(
    ("path", "tries", "seconds"),
    [
        ("/account/password/", 6, 60),
        ("/account/confirm/?next=/account/", 11, 60),
        ("/account/email/", 11, 3600),
    ],
)
def test_people_with_an_account_are_told_when_to_come_back(path: str, tries: int, seconds: int) -> None:
    client = olga()
    client.post("/account/confirm/?next=/account/", {"password": PASSWORD})
    cache.clear()
    values = {"action_add": "1", "password": "wrong", "oldpassword": "wrong"}
    answers = [client.post(path, values) for _ in range(tries)]
    assert 429 not in [answer.status_code for answer in answers[:-1]]
    assert (answers[-1].status_code, answers[-1]["Retry-After"]) == (429, str(seconds))


def test_page_says_the_same_time_in_words() -> None:
    page = [sign_up(number) for number in range(31)][-1].content.decode()
    assert "Try again in 60 minutes." in page


def test_invitation_that_was_tried_too_often_says_when_to_come_back() -> None:
    link = staff.create_invitation(make_event(), organizer(), kind="judge")
    values = {"email": "", "next": f"/join/{link.token}/"}
    client = Client(REMOTE_ADDR="192.168.1.77")
    answers = [client.post("/sign-up/", values) for _ in range(6)]
    assert (answers[-1].status_code, answers[-1]["Retry-After"]) == (429, "3600")


def test_code_that_was_sent_just_now_says_when_to_come_back(settings: object) -> None:
    settings.BASE_URL = "https://ringside.example"
    for name, value in accounts.settings(verifies_email=True, behind_proxy=False).items():
        setattr(settings, name, value)
    values = {"name": "Jo", "email": "jo@example.org", "password1": "seven wet boxing gloves"}
    Client().post("/sign-up/", values)
    answer = Client().post("/sign-up/", values)
    assert (answer.status_code, int(answer["Retry-After"]) > 0) == (429, True)


def test_api_says_when_to_come_back() -> None:
    answer = handle_exception(Throttled(wait=7), {})
    assert (answer.status_code, answer["Retry-After"]) == (429, "7")


def test_every_page_with_a_limit_exists() -> None:
    names = set(get_resolver().reverse_dict)
    assert set(LIMITED_PAGES) - names == set()


STATUS = re.compile(r"status(_code)?\b.*429|HTTPStatus\.TOO_MANY_REQUESTS")
COMMENTS = re.compile(r'"""(?:.|\n)*?"""|#.*')


@pytest.mark.parametrize("package", ["config", "decks", "tournament"])
def test_who_answers_429_says_when_to_come_back(package: str) -> None:
    """Code that writes the status also writes the header, within eight lines."""
    answers = []
    for file in (CLONE / package).rglob("*.py"):
        text = COMMENTS.sub(lambda comment: "\n" * comment[0].count("\n"), file.read_text("utf-8"))
        lines = text.split("\n")
        answers += [
            f"{file.relative_to(CLONE)}:{number}"
            for number, line in enumerate(lines, 1)
            if STATUS.search(line) and "Retry-After" not in "".join(lines[number : number + 8])
        ]
    assert answers == []
