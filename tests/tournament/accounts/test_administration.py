"""The administration shows accounts, but never their credentials."""

from __future__ import annotations

import pytest
from allauth.mfa.models import Authenticator
from django.contrib import admin
from django.contrib.auth.models import User
from django.contrib.sessions.models import Session
from django.test import Client
from django.urls import reverse

from tests.scenarios.factories import make_event, make_user, organizer
from tournament.registration import services as registration
from tournament.staff import services as staff

pytestmark = pytest.mark.django_db

SECRETS = {
    Authenticator.Type.TOTP: {"secret": "planted-totp"},
    Authenticator.Type.RECOVERY_CODES: {"seed": "planted-seed", "migrated_codes": ["planted-code"]},
    Authenticator.Type.WEBAUTHN: {"name": "Key", "credential": {"id": "planted-passkey"}},
}


@pytest.fixture
def site() -> Client:
    """The browser of someone who may do everything in the administration."""
    client = Client()
    client.force_login(User.objects.create_superuser("root@example.org", "root@example.org", "x"))
    return client


@pytest.fixture
def authenticators() -> list[Authenticator]:
    olga = make_user()
    return [Authenticator.objects.create(user=olga, type=kind, data=data) for kind, data in SECRETS.items()]


def pages(model: type) -> list[str]:
    """List every page of a model: the list, a search, and the pages of each row."""
    prefix = f"admin:{model._meta.app_label}_{model._meta.model_name}"
    rows = [
        reverse(f"{prefix}_{page}", args=[pk])
        for pk in model._default_manager.values_list("pk", flat=True)
        for page in ("change", "delete", "history")
    ]
    return [reverse(f"{prefix}_changelist"), reverse(f"{prefix}_changelist") + "?q=planted", *rows]


def test_administration_pages_show_no_credentials(site: Client, authenticators: list[Authenticator]) -> None:
    event = make_event()
    player = registration.register(event, name="Ann", email="ann@example.org")
    invitation = staff.create_invitation(event, organizer(), kind="judge")
    root = User.objects.get(username="root@example.org")
    secrets = ["planted-", player.token, invitation.token, root.password.split("$")[-1]]
    secrets += Session.objects.values_list("session_key", flat=True)
    answers = {
        address: site.get(address).content.decode()
        for model in admin.site._registry
        for address in pages(model)
    }
    pairs = [(address, secret) for address, page in answers.items() for secret in secrets if secret in page]
    assert pairs == []


def test_authenticators_are_neither_added_nor_changed(
    site: Client, authenticators: list[Authenticator]
) -> None:
    assert site.get(reverse("admin:mfa_authenticator_add")).status_code == 403
    for each in authenticators:
        page = reverse("admin:mfa_authenticator_change", args=[each.pk])
        assert site.post(page, {"type": "totp", "data": "{}"}).status_code == 403
        each.refresh_from_db()
        assert each.data == SECRETS[each.type]


def test_lost_authenticator_is_deleted(site: Client, authenticators: list[Authenticator]) -> None:
    for each in authenticators:
        site.post(reverse("admin:mfa_authenticator_delete", args=[each.pk]), {"post": "yes"})
    assert not Authenticator.objects.exists()
