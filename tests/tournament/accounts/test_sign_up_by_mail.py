"""Creation of accounts where emails are sent.

It never tells whether an email has an account.
"""

from __future__ import annotations

import re
import smtplib

import pytest
from django.contrib.auth.hashers import make_password
from django.contrib.auth.models import User
from django.core import mail
from django.core.cache import cache
from django.core.mail.backends.locmem import EmailBackend
from django.core.management import call_command
from django.test import Client

from config.env import accounts
from tests.scenarios.factories import make_user

pytestmark = pytest.mark.django_db

PASSWORD = "seven wet boxing gloves"
GOOD = {"name": "Olga Organizer", "email": "Olga@Example.org", "password1": PASSWORD}


@pytest.fixture(autouse=True)
def reachable(settings: object) -> None:
    """An installation with a public address that sends emails."""
    settings.BASE_URL = "https://ringside.example"
    for name, value in accounts.settings(verifies_email=True, behind_proxy=False).items():
        setattr(settings, name, value)


def code() -> str:
    """Return the code in the last email."""
    return re.search(r"^\s*([A-Z0-9]{3,}(?:-[A-Z0-9]+)*)\s*$", mail.outbox[-1].body, re.MULTILINE)[1]


def visible_answer(client: Client, answer: object) -> tuple[object, ...]:
    page = re.sub(r"csrf\S+ value=\S+", "", client.get(answer["Location"]).content.decode())
    return answer.status_code, answer["Location"], page, "_auth_user_id" in client.session


@pytest.mark.both_databases
def test_the_page_answers_alike_for_known_and_unknown_emails() -> None:
    client, other = Client(), Client()
    unknown = visible_answer(client, client.post("/sign-up/", GOOD))
    User.objects.all().delete()
    make_user("olga@example.org")
    # Another hour: the limit of emails to one mailbox counts both alike.
    cache.clear()
    seen_pages = visible_answer(other, other.post("/sign-up/", GOOD))
    assert seen_pages == unknown
    assert seen_pages[:2] == (302, "/sign-up/code/")
    assert [message.to for message in mail.outbox] == [["olga@example.org"]] * 2


def test_any_code_is_refused_alike_for_known_and_unknown_emails() -> None:
    make_user("olga@example.org")
    answers = []
    for email in ("olga@example.org", "new@example.org"):
        client = Client()
        client.post("/sign-up/", {**GOOD, "email": email})
        answer = client.post("/sign-up/code/", {"code": "AAA-AAA", "action": "verify"})
        answers.append((answer.status_code, answer.context["verify_form"].errors.as_data()["code"][0].code))
    assert answers == [(200, "incorrect_code")] * 2


def test_code_from_the_email_signs_the_reader_in(client: Client) -> None:
    client.post("/sign-up/", {**GOOD, "next": "/console/new/"})
    assert "_auth_user_id" not in client.session
    answer = client.post("/sign-up/code/", {"code": code(), "action": "verify"})
    person = User.objects.get()
    assert (answer["Location"], person.username, person.get_full_name()) == (
        "/console/new/",
        "olga@example.org",
        "Olga Organizer",
    )
    assert client.session["_auth_user_id"] == str(person.pk)


def test_an_email_of_another_signs_in_only_after_its_code_is_entered(client: Client) -> None:
    client.post("/sign-up/", GOOD)
    stranger = Client()
    answer = stranger.post("/sign-in/", {"login": "olga@example.org", "password": PASSWORD})
    assert "_auth_user_id" not in stranger.session
    assert answer.status_code == 429  # No second code within ten seconds.
    assert [error.code for error in answer.context["form"].non_field_errors().as_data()] == [
        "too_many_login_attempts"
    ]


def test_owner_of_a_squatted_email_takes_it_over_with_a_new_password(client: Client) -> None:
    Client().post("/sign-up/", {**GOOD, "name": "A Stranger"})
    client.post("/password/", {"email": "olga@example.org"})
    path = re.search(r"https://ringside.example(/password/\S+)", mail.outbox[-1].body)[1]
    form = client.get(path, follow=True)
    new = {"password1": "another good password", "password2": "another good password"}
    client.post(form.request["PATH_INFO"], new)
    assert client.session["_auth_user_id"] == str(User.objects.get().pk)
    assert not User.objects.get().check_password(PASSWORD)


@pytest.mark.both_databases
def test_account_from_the_command_line_signs_in_without_a_code(client: Client) -> None:
    call_command("createsuperuser", username="Root@example.org", email="", interactive=False)
    User.objects.update(password=make_password(PASSWORD))
    answer = client.post("/sign-in/", {"login": "root@example.org", "password": PASSWORD})
    assert (answer["Location"], mail.outbox) == ("/console/", [])


def test_who_has_an_account_is_told_in_the_email_and_nothing_changes(client: Client) -> None:
    known_user = make_user("olga@example.org")
    client.post("/sign-up/", GOOD)
    assert "You already have a Ringside account" in mail.outbox[-1].body
    known_user.refresh_from_db()
    assert known_user.check_password("correct horse")


def test_links_in_emails_lead_to_this_installation_whatever_host_was_asked() -> None:
    make_user("olga@example.org")
    for path in ("/sign-up/", "/password/"):
        Client(headers={"host": "evil.example"}).post(path, GOOD)
    links = [link for message in mail.outbox for link in re.findall(r"https?://[^/\s]+", message.body)]
    assert set(links) == {"https://ringside.example"}


def test_code_works_for_fifteen_minutes(client: Client, time_machine: object) -> None:
    time_machine.move_to("2026-05-02 09:00Z", tick=False)
    client.post("/sign-up/", GOOD)
    time_machine.move_to("2026-05-02 09:16Z", tick=False)
    answer = client.post("/sign-up/code/", {"code": code(), "action": "verify"})
    assert answer["Location"] == "/sign-in/"
    assert "_auth_user_id" not in client.session


def test_three_wrong_codes_end_the_sign_up(client: Client) -> None:
    client.post("/sign-up/", GOOD)
    right = code()
    for _ in range(3):
        client.post("/sign-up/code/", {"code": "AAA-AAA", "action": "verify"})
    client.post("/sign-up/code/", {"code": right, "action": "verify"})
    assert "_auth_user_id" not in client.session


@pytest.mark.parametrize("is_known", [True, False])
def test_one_inbox_gets_three_emails_an_hour_for_all_requests(time_machine: object, is_known: bool) -> None:
    if is_known:
        make_user("olga@example.org")
    answers = []
    for minute in range(4):
        time_machine.move_to(f"2026-05-02 09:0{minute}Z", tick=False)
        answers.append(Client().post("/sign-up/", GOOD).status_code)
    assert (answers, len(mail.outbox)) == ([302, 302, 302, 429], 3)


def test_email_that_cannot_be_sent_does_not_show_on_the_page(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise smtplib.SMTPServerDisconnected

    monkeypatch.setattr(EmailBackend, "send_messages", fail)
    assert client.post("/sign-up/", GOOD)["Location"] == "/sign-up/code/"


@pytest.mark.parametrize("password", ["short", "olga@example.org", ""])
def test_a_password_that_is_easily_guessed_creates_nothing(client: Client, password: str) -> None:
    answer = client.post("/sign-up/", {**GOOD, "password1": password})
    assert (answer.status_code, list(answer.context["form"].errors)) == (422, ["password1"])
    assert User.objects.count() == 0
