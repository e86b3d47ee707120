"""Passkeys, codes and signed-in devices in a real browser.

Chromium emulates an authenticator.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal import auth as totp
from allauth.usersessions.models import UserSession
from django.core.cache import cache

from tests.fixtures.browser import LAPTOP, PHONE
from tests.fixtures.servers import Live
from tests.scenarios import labels
from tests.scenarios.factories import make_user

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
PASSWORD = "correct horse"
INTERNAL = {
    "protocol": "ctap2",
    "transport": "internal",
    "hasResidentKey": True,
    "hasUserVerification": True,
    "isUserVerified": True,
    "automaticPresenceSimulation": True,
}


@pytest.fixture(autouse=True)
def counted_afresh() -> Iterator[None]:
    cache.clear()
    yield
    cache.clear()


@pytest.fixture
def page(new_page: Callable[..., Any], live: Live) -> Any:
    """A laptop with a fingerprint reader, on which Olga is about to sign in."""
    make_user(first_name="Olga")
    laptop = new_page(LAPTOP)
    # A passkey belongs to a name, not to a number.
    laptop.start = live.url.replace("127.0.0.1", "localhost")
    devices = laptop.context.new_cdp_session(laptop)
    devices.send("WebAuthn.enable")
    laptop.authenticator = devices.send("WebAuthn.addVirtualAuthenticator", {"options": INTERNAL})[
        "authenticatorId"
    ]
    laptop.devices = devices
    return laptop


def sign_in(page: Any, path: str) -> None:
    page.goto(f"{getattr(page, 'start', '')}/sign-in/?next={path}")
    page.get_by_label(labels.EMAIL).fill("olga@example.org")
    page.get_by_label(labels.PASSWORD).fill(PASSWORD)
    page.get_by_role("button", name=labels.SIGN_IN, exact=True).click()


def add_passkey(page: Any) -> None:
    page.get_by_role("link", name=labels.ADD_PASSKEY).click()
    page.get_by_label(labels.PASSWORD).fill(PASSWORD)
    page.get_by_role("button", name=labels.CONTINUE).click()
    page.get_by_role("button", name=labels.ADD_PASSKEY).click()
    page.get_by_role("heading", name="Recovery codes").wait_for()


def sign_out(page: Any) -> None:
    page.get_by_role("button", name=labels.SIGN_OUT, exact=True).click()
    page.wait_for_url(re.compile("/$"))


def test_passkey_is_added_and_signs_in_without_a_password(page: Any) -> None:
    sign_in(page, "/account/protection/")
    add_passkey(page)
    assert Authenticator.objects.filter(type="webauthn").get().wrap().is_passwordless
    page.get_by_role("link", name="Passkeys and codes").click()
    page.get_by_role("link", name="Rename").click()
    page.get_by_label("Name").fill("Desk laptop")
    page.get_by_role("button", name="Save name").click()
    page.get_by_text("Desk laptop").wait_for()
    sign_out(page)
    page.goto(f"{page.start}/sign-in/?next=/account/")
    page.get_by_role("button", name=labels.USE_A_PASSKEY).click()
    page.get_by_role("heading", name="Olga").wait_for()
    assert page.url.endswith("/account/")


def test_passkey_is_the_second_step_after_the_password(page: Any) -> None:
    sign_in(page, "/account/protection/")
    add_passkey(page)
    sign_out(page)
    sign_in(page, "/account/")
    page.get_by_role("heading", name="Enter a code").wait_for()
    page.get_by_role("button", name=labels.USE_A_PASSKEY).click()
    page.get_by_role("button", name="Ask every time").click()
    page.get_by_role("heading", name="Olga").wait_for()


@pytest.mark.whole("a passkey that signs in, and tests of allauth's own")
def test_passkey_that_is_not_there_says_so_and_leaves_the_password(page: Any) -> None:
    page.devices.send(
        "WebAuthn.setUserVerified", {"authenticatorId": page.authenticator, "isUserVerified": False}
    )
    page.goto(f"{page.start}/sign-in/")
    page.get_by_role("button", name=labels.USE_A_PASSKEY).click()
    page.get_by_text("No passkey was used.").wait_for()
    sign_in(page, "/account/")
    page.get_by_role("heading", name="Olga").wait_for()


def test_without_passkeys_in_the_browser_the_page_offers_none(phone: Any) -> None:
    phone.goto("/sign-in/")
    phone.get_by_role("button", name=labels.SIGN_IN).wait_for()
    assert phone.get_by_role("button").all_inner_texts().count("Use a passkey") == 0


@pytest.mark.whole("a passkey that signs in, and tests of allauth's own")
def test_passkey_is_removed_after_the_password(page: Any) -> None:
    sign_in(page, "/account/protection/")
    add_passkey(page)
    page.goto(f"{page.start}/account/protection/")
    page.get_by_role("link", name=labels.REMOVE).click()
    page.get_by_role("button", name=labels.REMOVE).click()
    page.get_by_text("No passkeys yet").wait_for()
    assert Authenticator.objects.count() == 0


@pytest.mark.whole("a passkey that signs in, and tests of allauth's own")
def test_app_is_added_by_its_key_and_asked_for_on_a_phone(page: Any, new_page: Callable[..., Any]) -> None:
    sign_in(page, "/account/protection/")
    page.get_by_role("link", name=labels.ADD_APP).click()
    page.get_by_label(labels.PASSWORD).fill(PASSWORD)
    page.get_by_role("button", name=labels.CONTINUE).click()
    secret = page.locator("figcaption code").inner_text()
    page.get_by_label(labels.CODE).fill(current_code(secret))
    page.get_by_role("button", name=labels.ADD_APP).click()
    page.get_by_role("heading", name="Recovery codes").wait_for()
    cache.clear()
    phone = new_page(PHONE)
    sign_in(phone, "/account/")
    phone.get_by_label(labels.CODE).fill(current_code(secret))
    phone.get_by_role("button", name=labels.SIGN_IN, exact=True).click()
    phone.get_by_role("button", name="Trust this device").click()
    phone.get_by_role("button", name="Sign out all other devices").click()
    phone.get_by_text("All other devices are signed out.").wait_for()
    page.goto(f"{page.start}/account/")
    page.get_by_role("heading", name="Sign in").wait_for()


def test_server_believes_no_client_about_its_address(new_page: Callable[..., Any]) -> None:
    make_user(first_name="Olga")
    page = new_page(LAPTOP, extra_http_headers={"X-Forwarded-For": "6.6.6.6"})
    sign_in(page, "/account/")
    page.get_by_role("heading", name="Olga").wait_for()
    assert UserSession.objects.get().ip == "127.0.0.1"


def current_code(secret: str) -> str:
    return totp.format_hotp_value(totp.hotp_value(secret, int(time.time()) // 30))
