"""Authenticator apps, recovery codes and trusted devices."""

from __future__ import annotations

import re
import time

import pytest
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal import auth as totp
from django.contrib.auth.models import User
from django.test import Client

from tests.scenarios.factories import make_user
from tournament.accounts import known_devices

pytestmark = pytest.mark.django_db
PASSWORD = "correct horse"


def current_code(secret: str) -> str:
    return totp.format_hotp_value(totp.hotp_value(secret, int(time.time()) // 30))


def sign_in(client: Client) -> str:
    return client.post("/sign-in/?next=/account/", {"login": "olga@example.org", "password": PASSWORD})[
        "Location"
    ]


def add_app(client: Client) -> str:
    """Add an authenticator app as a person does; its secret."""
    answer = client.get("/account/protection/app/")
    if answer.status_code == 302:
        client.post(answer["Location"], {"password": PASSWORD})
        answer = client.get("/account/protection/app/")
    secret = answer.context["form"].secret
    assert client.post("/account/protection/app/", {"code": current_code(secret)}).status_code == 302
    return secret


@pytest.fixture
def olga() -> User:
    return make_user()


@pytest.fixture
def secret(olga: User) -> str:
    client = Client()
    client.force_login(olga)
    return add_app(client)


def enter(client: Client, code: str) -> str:
    answer = client.post("/sign-in/code/", {"code": code})
    return answer.get("Location", str(answer.status_code))


def test_account_with_an_app_is_signed_in_by_no_password_alone(secret: str) -> None:
    client = Client()
    assert sign_in(client) == "/sign-in/code/"
    assert "_auth_user_id" not in client.session
    assert known_devices.COOKIE not in client.cookies
    assert client.get("/console/").status_code == 302
    assert client.get("/sign-in/code/").status_code == 200
    assert enter(client, "000000") == "200"
    # The moment's code was used up when the app was added.
    totp.cache.clear()
    assert enter(client, current_code(secret)) == "/sign-in/trust/"
    assert client.post("/sign-in/trust/", {"action": "none"})["Location"] == "/account/"
    assert sign_in_of_same_device(client) == "/sign-in/code/"


def sign_in_of_same_device(client: Client) -> str:
    client.post("/sign-out/")
    return sign_in(client)


def test_trusted_device_asks_for_the_password_alone(secret: str) -> None:
    client = Client()
    sign_in(client)
    totp.cache.clear()
    enter(client, current_code(secret))
    client.post("/sign-in/trust/", {"action": "trust"})
    assert sign_in_of_same_device(client) == "/account/"
    assert sign_in(Client()) == "/sign-in/code/"


def test_code_works_once(secret: str) -> None:
    totp.cache.clear()
    code = current_code(secret)
    first, second = Client(), Client()
    sign_in(first), sign_in(second)
    assert (enter(first, code), enter(second, code)) == ("/sign-in/trust/", "200")


def test_recovery_code_works_once_without_the_app(secret: str, olga: User) -> None:
    code = Authenticator.objects.get(user=olga, type="recovery_codes").wrap().get_unused_codes()[0]
    first, second = Client(), Client()
    sign_in(first), sign_in(second)
    assert (enter(first, code), enter(second, code)) == ("/sign-in/trust/", "200")


def test_codes_are_limited_for_each_account(secret: str) -> None:
    client = Client()
    sign_in(client)
    totp.cache.clear()
    answers = [client.post("/sign-in/code/", {"code": f"{n:06}"}) for n in range(11)]
    codes = [answer.context["form"].errors.as_data()["code"][0].code for answer in answers]
    assert codes == ["incorrect_code"] * 10 + ["too_many_login_attempts"]


def test_administration_asks_for_the_second_step_too(secret: str, olga: User) -> None:
    User.objects.update(is_staff=True, is_superuser=True)
    client = Client()
    answer = client.post("/sign-in/?next=/admin/", {"login": "olga@example.org", "password": PASSWORD})
    assert answer["Location"] == "/sign-in/code/"
    assert client.get("/admin/").status_code == 302


def test_new_password_by_email_does_not_leave_out_the_second_step(secret: str, mailoutbox: list) -> None:
    client = Client()
    client.post("/password/", {"email": "olga@example.org"})
    path = re.search(r"http\S+?(/password/\S+)", mailoutbox[-1].body)[1]
    form = client.get(path, follow=True)
    new = {"password1": "seven wet boxing gloves", "password2": "seven wet boxing gloves"}
    answer = client.post(form.request["PATH_INFO"], new)
    assert (answer["Location"], "_auth_user_id" in client.session) == ("/sign-in/code/", False)


@pytest.mark.parametrize(
    "page", ["app/remove/", "codes/new/", "passkeys/add/"], ids=lambda page: page.replace("/", " ")
)
def test_open_browser_changes_no_way_to_sign_in_without_the_password(
    secret: str, olga: User, page: str
) -> None:
    client = Client()
    client.force_login(olga)
    before = list(Authenticator.objects.values("pk", "data"))
    answer = client.post(f"/account/protection/{page}")
    assert answer["Location"].startswith("/account/confirm/?next=")
    assert list(Authenticator.objects.values("pk", "data")) == before


def test_page_of_the_app_shows_a_code_and_a_key_without_a_style(olga: User) -> None:
    client = Client()
    client.force_login(olga)
    client.post(client.get("/account/protection/app/")["Location"], {"password": PASSWORD})
    page = client.get("/account/protection/app/").content.decode()
    secret = client.session["mfa.totp.secret"]
    assert secret in page
    main = page.partition("<main")[2]
    assert re.search(r"<svg[^>]+viewBox|<svg[^>]+width", main)
    assert "style=" not in main
    assert "data:" not in main


def test_stored_recovery_codes_are_shown_after_the_password_alone(secret: str, olga: User) -> None:
    code = Authenticator.objects.get(user=olga, type="recovery_codes").wrap().get_unused_codes()[0]
    client = Client()
    client.force_login(olga)
    for path in ("/account/protection/codes/", "/account/protection/codes/download/"):
        assert code not in client.get(path).content.decode()
