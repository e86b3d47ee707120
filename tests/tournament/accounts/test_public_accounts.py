"""Signing in, signing out, and creating an account."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.test import Client

from tests.everyday import each_case
from tests.scenarios.factories import make_user
from tests.scenarios.rollback import rolled_back

pytestmark = pytest.mark.django_db

GOOD = {"name": "Olga Organizer", "email": "Olga@Example.org", "password1": "seven wet boxing gloves"}


def test_account_is_opened_and_signed_in_at_once(client: Client) -> None:
    answer = client.post("/sign-up/", GOOD)
    person = User.objects.get()
    assert (answer.status_code, answer["Location"]) == (302, "/console/")
    assert (person.username, person.email) == ("olga@example.org", "olga@example.org")
    assert person.get_full_name() == "Olga Organizer"
    assert client.session["_auth_user_id"] == str(person.pk)


@each_case(
    ("change", "field", "says"),
    [
        ({"password1": "short"}, "password1", "This password is too short."),
        ({"password1": "olga@example.org"}, "password1", "The password is too similar to the username."),
        ({"password1": "olgaorganizer"}, "password1", "The password is too similar to the first name."),
        ({"email": "olga"}, "email", "Enter a valid email address."),
        ({"name": ""}, "name", "Fill this in."),
    ],
    around=rolled_back,
)
def test_account_refused_says_why_beside_the_field(
    client: Client, change: dict[str, str], field: str, says: str
) -> None:
    answer = client.post("/sign-up/", {**GOOD, **change})
    assert answer.status_code == 422
    assert says in " ".join(answer.context["form"].errors[field])
    assert User.objects.count() == 0


def test_one_address_has_one_account_however_it_is_written(client: Client) -> None:
    make_user("olga@example.org")
    answer = client.post("/sign-up/", GOOD)
    assert [error.code for error in answer.context["form"].errors.as_data()["email"]] == ["email_taken"]


def test_sign_in_takes_the_address_in_any_capitals(client: Client) -> None:
    make_user("olga@example.org")
    answer = client.post("/sign-in/", {"login": " OLGA@example.org", "password": "correct horse"})
    assert (answer.status_code, answer["Location"]) == (302, "/console/")


def test_sign_in_leads_back_to_where_one_came_from_but_not_to_other_sites(client: Client) -> None:
    make_user("olga@example.org")
    values = {"login": "olga@example.org", "password": "correct horse"}
    assert client.post("/sign-in/", {**values, "next": "/console/new/"})["Location"] == "/console/new/"
    client.logout()
    assert client.post("/sign-in/", {**values, "next": "https://evil.example/"})["Location"] == "/console/"


def test_opening_an_account_leads_back_but_not_to_other_sites(client: Client) -> None:
    assert client.post("/sign-up/", {**GOOD, "next": "//evil.example/"})["Location"] == "/console/"
    second = {**GOOD, "email": "second@example.org", "next": "/console/new/"}
    assert Client().post("/sign-up/", second)["Location"] == "/console/new/"


@pytest.mark.parametrize(
    "login", ["OLGA@example.org", "keeper", "Keeper"], ids=["email", "name", "name in capitals"]
)
def test_account_from_the_command_line_signs_in_however_it_was_named(client: Client, login: str) -> None:
    User.objects.create_user("olga@Example.org", password="correct horse")
    User.objects.create_user("keeper", password="correct horse")
    answer = client.post("/sign-in/", {"login": login, "password": "correct horse"})
    assert (answer.status_code, answer["Location"]) == (302, "/console/")


def test_wrong_password_says_so_and_shows_the_form_again(client: Client) -> None:
    make_user("olga@example.org")
    answer = client.post("/sign-in/", {"login": "olga@example.org", "password": "wrong"})
    assert "Email and password do not match." in answer.content.decode()


def test_sign_out_needs_a_button_press(client: Client) -> None:
    client.force_login(make_user("olga@example.org"))
    assert client.get("/sign-out/").status_code == 405
    assert client.post("/sign-out/")["Location"] == "/"
    assert "_auth_user_id" not in client.session


def test_a_form_too_old_to_be_sent_gets_a_page_that_helps() -> None:
    answer = Client(enforce_csrf_checks=True).post("/sign-up/", GOOD)
    assert answer.status_code == 403
    assert answer.templates[0].name == "403_csrf.html"
