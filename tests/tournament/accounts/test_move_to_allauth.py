"""Accounts, passwords, sessions and devices from before django-allauth.

They keep working.
"""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module

import pytest
from allauth.account.models import EmailAddress
from allauth.usersessions.models import UserSession
from django.apps import apps
from django.contrib.auth.models import User
from django.db.migrations.state import StateApps
from django.test import Client

from tests.scenarios.factories import make_user
from tests.scenarios.migrations import migrate, migrate_to_newest

move = import_module("tournament.migrations.0015_accounts_move_to_allauth")
OLD = ("tournament", "0014_accepted_entries")
pytestmark = [pytest.mark.both_databases, pytest.mark.django_db]


def without_rows() -> None:
    """Create the accounts as they were before, some made at the command line."""
    make_user("olga@example.org")
    User.objects.create_user("keeper", "keeper@example.org", "correct horse")
    User.objects.create_user("both@example.org", "other@example.org", "correct horse")
    User.objects.create_user("taken", "olga@example.org", "correct horse")
    User.objects.create_user("nobody", "", "correct horse")
    User.objects.filter(username="olga@example.org").update(email="")
    EmailAddress.objects.all().delete()


def test_every_account_signs_in_as_before() -> None:
    without_rows()
    move.store_emails(apps, None)
    rows = EmailAddress.objects.order_by("user_id", "-primary").values_list(
        "user__username", "email", "primary"
    )
    assert list(rows) == [
        ("olga@example.org", "olga@example.org", True),
        ("keeper", "keeper@example.org", True),
        ("both@example.org", "other@example.org", True),
        ("both@example.org", "both@example.org", False),
    ]
    assert set(EmailAddress.objects.values_list("verified", flat=True)) == {True}
    for login in ("olga@example.org", "keeper", "both@example.org", "other@example.org", "taken", "nobody"):
        client = Client()
        client.post("/sign-in/", {"login": login, "password": "correct horse"})
        assert "_auth_user_id" in client.session, login


def test_moving_twice_changes_nothing() -> None:
    without_rows()
    move.store_emails(apps, None)
    before = list(EmailAddress.objects.values())
    move.store_emails(apps, None)
    assert list(EmailAddress.objects.values()) == before


def test_everyone_stays_signed_in() -> None:
    client, player = Client(), Client()
    client.force_login(make_user())
    for each, values in (
        (client, {"_auth_user_backend": move.OLD_BACKEND}),
        (player, {"players": {"1": "x"}}),
    ):
        session = each.session
        session.update(values)
        session.save()
    assert client.get("/console/").status_code == 302
    move.name_new_backend(apps, None)
    assert client.get("/console/").status_code == 200
    assert player.session["players"] == {"1": "x"}
    move.name_old_backend(apps, None)
    assert client.session["_auth_user_backend"] == move.OLD_BACKEND


@pytest.fixture
def old_tables() -> Iterator[StateApps]:
    """The tables as they were, and afterwards as they are."""
    yield migrate(*OLD)
    migrate_to_newest()


@pytest.mark.whole("a migration that is out changes no more; all run forward in each test run")
@pytest.mark.django_db(transaction=True)
def test_devices_are_listed_after_the_tables_moved_back_and_forth(old_tables: StateApps) -> None:
    user = make_user()
    client = Client()
    client.force_login(user)
    moment = "2026-05-02T09:00:00Z"
    old_tables.get_model("tournament", "Device").objects.create(
        user_id=user.pk,
        session_key=client.session.session_key,
        name="Safari on iPhone",
        signed_in_at=moment,
        seen_at=moment,
    )
    migrate_to_newest()
    assert UserSession.objects.values_list("user_agent", flat=True).get() == "Safari on iPhone"
    assert "Safari on iPhone" in client.get("/account/").content.decode()
