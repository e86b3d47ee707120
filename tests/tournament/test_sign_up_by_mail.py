"""Where mails leave the machine, opening an account never tells whether an address has one."""

from __future__ import annotations

import re

import pytest
from django.contrib.auth.models import User
from django.core import mail
from django.test import Client

from tests.tournament.factories import make_user
from tournament.services.sign_up import Wish, ask

pytestmark = pytest.mark.django_db

GOOD = {"name": "Olga Organizer", "email": "Olga@Example.org", "password": "seven wet boxing gloves"}


@pytest.fixture(autouse=True)
def reachable(settings: object) -> None:
    """This Ringside knows its own address and sends mails."""
    settings.BASE_URL = "https://ringside.example"


def link() -> str:
    """The way that the last mail shows, without the host."""
    return re.search(r"https://ringside.example(/sign\S+)", mail.outbox[-1].body)[1]


def test_the_page_answers_alike_for_known_and_unknown_addresses() -> None:
    answers = []
    for is_known in (False, True):
        if is_known:
            make_user("olga@example.org")
        client = Client()
        answer = client.post("/sign-up/", GOOD)
        page = client.get(answer["Location"])
        page_without_token = re.sub(r"nonce|csrf\S+", "", page.content.decode())
        answers.append(
            (answer.status_code, answer["Location"], page_without_token, "_auth_user_id" in client.session)
        )
    assert answers[0] == answers[1]
    assert answers[0][:2] == (302, "/sign-up/sent/")
    assert [sent.to for sent in mail.outbox] == [["olga@example.org"]] * 2


def test_the_mail_opens_the_account_with_the_chosen_password(client: Client) -> None:
    client.post("/sign-up/", {**GOOD, "next": "/console/new/"})
    assert User.objects.count() == 0
    assert "Open your account" in client.get(link()).content.decode()
    assert User.objects.count() == 0
    answer = client.post(link())
    person = User.objects.get()
    assert (answer["Location"], person.username, person.get_full_name()) == (
        "/console/new/",
        "olga@example.org",
        "Olga Organizer",
    )
    assert person.check_password(GOOD["password"])
    assert client.session["_auth_user_id"] == str(person.pk)


def test_who_has_an_account_is_told_in_the_mail_and_nothing_changes(client: Client) -> None:
    known = make_user("olga@example.org")
    client.post("/sign-up/", GOOD)
    assert "You have one already." in mail.outbox[-1].body
    known.refresh_from_db()
    assert known.check_password("correct horse")


def test_pressing_the_link_twice_opens_one_account(client: Client) -> None:
    client.post("/sign-up/", GOOD)
    client.post(link())
    assert Client().post(link())["Location"] == "/sign-in/"
    assert User.objects.count() == 1


@pytest.mark.parametrize("token", ["nonsense", "eyJ:x:y"])
def test_a_link_that_is_none_says_so(client: Client, token: str) -> None:
    assert client.get(f"/sign-up/{token}/").status_code == 404
    assert client.post(f"/sign-up/{token}/").status_code == 404


def test_a_link_holds_for_a_day(client: Client, time_machine: object) -> None:
    time_machine.move_to("2026-05-02 09:00Z")
    ask(Wish.of("Olga", "olga@example.org", GOOD["password"]))
    time_machine.move_to("2026-05-03 08:59Z")
    assert client.get(link()).status_code == 200
    time_machine.move_to("2026-05-03 09:01Z")
    assert client.get(link()).status_code == 404


def test_one_mailbox_gets_three_mails_an_hour_whoever_asks(client: Client) -> None:
    make_user("olga@example.org")
    answers = [client.post("/sign-up/", GOOD).status_code for _ in range(4)]
    assert (answers, len(mail.outbox)) == ([302, 302, 302, 422], 3)


def test_a_wrong_password_is_said_before_any_mail(client: Client) -> None:
    make_user("olga@example.org")
    answer = client.post("/sign-up/", {**GOOD, "password": "short"})
    assert (answer.status_code, sorted(answer.context["form"].errors), mail.outbox) == (422, ["password"], [])
