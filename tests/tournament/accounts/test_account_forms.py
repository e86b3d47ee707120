"""Every page of an account has one heading, and its form leads on or back."""

from __future__ import annotations

import re

import pytest
from django.test import Client

from tests.scenarios.factories import make_user
from tests.scenarios.html import html_of
from tournament.accounts.urls import CONFIRM

pytestmark = pytest.mark.django_db

# Each with its heading, the words of its button, and where Cancel leads.
FORMS = [
    ("/sign-up/", "Create an account", "Create account", None),
    ("/password/", "New password", "Send link", None),
    ("/account/name/", "Change name", "Change name", "/account/"),
    ("/account/email/", "Change email", "Change email", "/account/"),
    ("/account/password/", "Change password", "Change password", "/account/"),
    ("/account/confirm/", str(CONFIRM), "Continue", "/account/"),
    ("/account/protection/app/", "Add authenticator app", "Add app", "/account/protection/"),
    ("/account/protection/passkeys/add/", "Add passkey", "Add passkey", "/account/protection/"),
]


@pytest.fixture
def signed_in() -> Client:
    """Someone who has just entered the password."""
    make_user()
    client = Client()
    client.post("/sign-in/", {"login": "olga@example.org", "password": "correct horse"})
    client.post("/account/confirm/", {"password": "correct horse"})
    return client


@pytest.mark.parametrize(("address", "heading", "button", "back"), FORMS)
def test_form_has_its_heading_as_title_its_button_and_a_way_back(
    signed_in: Client, address: str, heading: str, button: str, back: str | None
) -> None:
    client = signed_in if address.startswith("/account/") else Client()
    page = html_of(client.get(address))
    main = page[page.index("<main") : page.index("</main>")]
    assert f"<title>{heading} · Ringside</title>" in page
    assert re.findall(r"<h1>(.*?)</h1>", main) == [heading]
    assert button in re.findall(r'class="button button-primary"[^>]*>\s*(.*?)\s*</button>', main)
    assert re.findall(r'href="([^"]+)"\s*>Cancel<', main) == ([back] if back else [])
