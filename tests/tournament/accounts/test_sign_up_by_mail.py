"""Where mails leave the machine, opening an account never tells whether an address has one."""

from __future__ import annotations

import re

import pytest
from django.contrib.auth.models import User
from django.core import mail
from django.test import Client

from tests.scenarios.factories import make_user
from tournament.accounts.services import SignUpRequest, send_sign_up_email

pytestmark = pytest.mark.django_db

GOOD = {"name": "Olga Organizer", "email": "Olga@Example.org"}
PASSWORD = {"password": "seven wet boxing gloves"}


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


def test_who_opens_the_mail_chooses_the_password_and_has_the_account(client: Client) -> None:
    client.post("/sign-up/", {**GOOD, "next": "/console/new/"})
    assert User.objects.count() == 0
    assert "Open your account" in client.get(link()).content.decode()
    assert User.objects.count() == 0
    answer = client.post(link(), PASSWORD)
    person = User.objects.get()
    assert (answer["Location"], person.username, person.get_full_name()) == (
        "/console/new/",
        "olga@example.org",
        "Olga Organizer",
    )
    assert person.check_password(PASSWORD["password"])
    assert client.session["_auth_user_id"] == str(person.pk)


def test_who_has_an_account_is_told_in_the_mail_and_nothing_changes(client: Client) -> None:
    known = make_user("olga@example.org")
    client.post("/sign-up/", GOOD)
    assert "You have one already." in mail.outbox[-1].body
    known.refresh_from_db()
    assert known.check_password("correct horse")


def test_pressing_the_link_twice_opens_one_account(client: Client) -> None:
    client.post("/sign-up/", GOOD)
    client.post(link(), PASSWORD)
    assert Client().post(link(), PASSWORD)["Location"] == "/sign-in/"
    assert User.objects.count() == 1


@pytest.mark.parametrize("token", ["nonsense", "eyJ:x:y"])
def test_a_link_that_is_none_says_so(client: Client, token: str) -> None:
    assert client.get(f"/sign-up/{token}/").status_code == 404
    assert client.post(f"/sign-up/{token}/").status_code == 404


def test_a_link_holds_for_a_day(client: Client, time_machine: object) -> None:
    time_machine.move_to("2026-05-02 09:00Z")
    send_sign_up_email(SignUpRequest("Olga", "olga@example.org"))
    time_machine.move_to("2026-05-03 08:59Z")
    assert client.get(link()).status_code == 200
    time_machine.move_to("2026-05-03 09:01Z")
    assert client.get(link()).status_code == 404


def test_one_mailbox_gets_three_mails_an_hour_whoever_asks(client: Client) -> None:
    make_user("olga@example.org")
    answers = [client.post("/sign-up/", GOOD).status_code for _ in range(4)]
    assert (answers, len(mail.outbox)) == ([302, 302, 302, 422], 3)


def test_whoever_asks_with_the_address_of_another_does_not_choose_his_password(client: Client) -> None:
    client.post("/sign-up/", {**GOOD, "password": "known to the stranger"})
    assert "password" not in client.get("/sign-up/").context["form"].fields
    client.post(link(), PASSWORD)
    assert not User.objects.get().check_password("known to the stranger")


@pytest.mark.parametrize("password", ["short", "olga@example.org", ""])
def test_a_password_that_is_easily_guessed_opens_nothing(client: Client, password: str) -> None:
    client.post("/sign-up/", GOOD)
    answer = client.post(link(), {"password": password})
    assert (answer.status_code, list(answer.context["form"].errors)) == (422, ["password"])
    assert User.objects.count() == 0
