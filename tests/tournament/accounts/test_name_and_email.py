"""People change their own name and email."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from allauth.account.models import EmailAddress
from django.contrib.auth.models import User
from django.core import mail
from django.test import Client
from django.utils import timezone

from config.env import accounts
from tests.scenarios.factories import make_user

pytestmark = pytest.mark.django_db

PASSWORD = "correct horse"
OLD, NEW = "olga@example.org", "olga@new.example"


@pytest.fixture
def olga() -> Client:
    """Olga, who signed in and entered the password once more."""
    make_user()
    client = Client()
    assert sign_in(client, OLD) == 302
    confirm(client)
    return client


def confirm(client: Client) -> None:
    answer = client.post("/account/confirm/?next=/account/email/", {"password": PASSWORD})
    assert answer["Location"] == "/account/email/"


@pytest.fixture
def sends_codes(settings: object) -> None:
    """An installation that sends emails."""
    settings.BASE_URL = "https://ringside.example"
    for name, value in accounts.settings(verifies_email=True, behind_proxy=False).items():
        setattr(settings, name, value)


def sign_in(client: Client, email: str) -> int:
    return client.post("/sign-in/", {"login": email, "password": PASSWORD}).status_code


def change(client: Client, email: str = NEW) -> object:
    return client.post("/account/email/", {"email": email, "action_add": "1"})


def code() -> str:
    return re.search(r"^\s*([A-Z0-9]{3,}(?:-[A-Z0-9]+)*)\s*$", mail.outbox[-1].body, re.MULTILINE)[1]


def enter(client: Client, typed_text: str) -> object:
    return client.post("/sign-up/code/", {"code": typed_text, "action": "verify"})


def addresses(user: User) -> list[tuple[str, bool, bool]]:
    return list(EmailAddress.objects.filter(user=user).values_list("email", "verified", "primary"))


def error_codes(answer: object, field: str) -> list[str]:
    return [error.code for error in answer.context["form"].errors.as_data()[field]]


# ── Name ─────────────────────────────────────────────────────────────────────────────────────────────────


def test_name_is_changed(olga: Client) -> None:
    assert olga.post("/account/name/", {"name": "Olga de la Cruz"})["Location"] == "/account/"
    assert User.objects.get().get_full_name() == "Olga de la Cruz"
    assert "Olga de la Cruz" in olga.get("/account/name/").content.decode()


@pytest.mark.parametrize("name", ["", " ", "x" * 121])
def test_name_that_is_empty_or_too_long_changes_nothing(olga: Client, name: str) -> None:
    assert olga.post("/account/name/", {"name": name}).status_code == 422
    assert User.objects.get().get_full_name() == ""


def test_account_leads_to_both_pages(olga: Client) -> None:
    page = olga.get("/account/").content.decode()
    assert ('href="/account/name/"' in page, 'href="/account/email/"' in page) == (True, True)


# ── Email, without a mail server ─────────────────────────────────────────────────────────────────────────


def test_without_a_mail_server_the_email_changes_at_once(olga: Client) -> None:
    answer = change(olga, "Olga@New.example")
    user = User.objects.get()
    assert answer["Location"] == "/account/"
    assert (user.email, user.username, addresses(user)) == (NEW, NEW, [(NEW, True, True)])
    assert (sign_in(Client(), OLD), sign_in(Client(), NEW)) == (200, 302)
    assert olga.get("/account/").status_code == 200
    assert mail.outbox == []


@pytest.mark.parametrize("taken_email", ["eve@example.org", "EVE@example.org", "root@example.org"])
def test_without_a_mail_server_the_email_of_another_account_is_refused(
    olga: Client, taken_email: str
) -> None:
    make_user("eve@example.org")
    User.objects.create_user("root@example.org", "other@example.org", PASSWORD)
    answer = change(olga, taken_email)
    assert (answer.status_code, error_codes(answer, "email")) == (422, ["email_taken"])
    assert User.objects.filter(email=OLD, username=OLD).exists()


@pytest.mark.parametrize(
    ("email", "code"), [(OLD, "duplicate_email"), ("", "required"), ("x", "invalid"), ("x" * 150, "invalid")]
)
def test_email_that_is_none_or_the_same_changes_nothing(olga: Client, email: str, code: str) -> None:
    answer = change(olga, email)
    assert answer.status_code == 422
    assert code in error_codes(answer, "email")


def test_account_whose_name_is_no_email_keeps_its_name() -> None:
    user = User.objects.create_user("keeper", "keeper@example.org", PASSWORD)
    client = Client()
    sign_in(client, "keeper")
    confirm(client)
    change(client)
    user.refresh_from_db()
    assert (user.username, user.email) == ("keeper", NEW)


def test_other_accounts_are_tried_out_ten_times_an_hour(olga: Client) -> None:
    answers = [change(olga, OLD).status_code for _ in range(11)]
    assert answers == [422] * 10 + [429]


# ── Email, with a mail server ────────────────────────────────────────────────────────────────────────────


@pytest.mark.usefixtures("sends_codes")
def test_code_from_the_new_email_changes_it(olga: Client) -> None:
    assert change(olga)["Location"] == "/sign-up/code/"
    user = User.objects.get()
    assert (mail.outbox[0].to, user.email, addresses(user)) == ([NEW], OLD, [(OLD, True, True)])
    assert 'action="/sign-out/"' not in olga.get("/sign-up/code/").content.decode().split("<main")[1]
    assert enter(olga, code())["Location"] == "/account/"
    user.refresh_from_db()
    assert (user.email, user.username, addresses(user)) == (NEW, NEW, [(NEW, True, True)])
    assert (sign_in(Client(), OLD), sign_in(Client(), NEW)) == (200, 302)


@pytest.mark.usefixtures("sends_codes")
def test_old_email_is_told(olga: Client) -> None:
    change(olga)
    enter(olga, code())
    assert (mail.outbox[-1].to, "with another email" in mail.outbox[-1].body) == ([OLD], True)


@pytest.mark.usefixtures("sends_codes")
def test_wrong_codes_change_nothing(olga: Client) -> None:
    change(olga)
    right = code()
    for _ in range(3):
        enter(olga, "AAA-AAA")
    enter(olga, right)
    assert addresses(User.objects.get()) == [(OLD, True, True)]


@pytest.mark.usefixtures("sends_codes")
def test_page_answers_alike_for_free_and_taken_emails_and_takes_none(olga: Client) -> None:
    eve = make_user("eve@example.org")
    free, change_outcome = change(olga), change(olga, eve.email)
    assert (change_outcome.status_code, change_outcome["Location"]) == (free.status_code, free["Location"])
    enter(olga, code())
    assert addresses(User.objects.get(username=OLD)) == [(OLD, True, True)]
    assert addresses(eve) == [("eve@example.org", True, True)]


@pytest.mark.usefixtures("sends_codes")
def test_link_to_a_new_password_that_went_to_the_old_email_ends_with_it(olga: Client) -> None:
    Client().post("/password/", {"email": OLD})
    path = re.search(r"https://ringside.example(/password/\S+)", mail.outbox[-1].body)[1]
    change(olga)
    enter(olga, code())
    assert Client().get(path, follow=True).context["token_fail"]


# ── Both ─────────────────────────────────────────────────────────────────────────────────────────────────


def test_open_browser_of_another_changes_no_email_without_the_password(
    olga: Client, time_machine: object
) -> None:
    time_machine.move_to(timezone.now() + timedelta(minutes=6))
    for answer in (olga.get("/account/email/"), change(olga)):
        assert answer["Location"].startswith("/account/confirm/")
    assert User.objects.get().email == OLD


@pytest.mark.both_databases
def test_new_accounts_are_still_confirmed_alone(sends_codes: None) -> None:
    client = Client()
    values = {"name": "Jo", "email": "jo@example.org", "password1": "seven wet boxing gloves"}
    client.post("/sign-up/", values)
    enter(client, code())
    assert addresses(User.objects.get()) == [("jo@example.org", True, True)]
    assert [message.to for message in mail.outbox] == [["jo@example.org"]]
