"""The first person who signs in keeps the catalogue and the ban lists."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone

from decks.access import GROUPS
from tests.scenarios.factories import make_user

pytestmark = pytest.mark.django_db
PASSWORD = "seven wet boxing gloves"


def sign_in(user: User) -> set[str]:
    """Sign in on the page, and read what the person keeps afterwards."""
    user.set_password(PASSWORD)
    user.save()
    Client().post("/sign-in/", {"login": user.email, "password": PASSWORD})
    user.refresh_from_db()
    assert user.last_login is not None
    return set(user.groups.values_list("name", flat=True))


def test_the_first_account_that_signs_in_keeps_catalogue_and_lists():
    assert sign_in(make_user("olga@example.org")) == set(GROUPS)


def test_the_second_account_keeps_nothing():
    sign_in(make_user("olga@example.org"))
    assert sign_in(make_user("otto@example.org")) == set()


def test_an_account_that_never_signed_in_is_not_before_another():
    make_user("olga@example.org")
    assert sign_in(make_user("otto@example.org")) == set(GROUPS)


def test_accounts_of_the_demo_neither_count_nor_become_keepers():
    assert sign_in(make_user("judge@demo.example")) == set()
    assert sign_in(make_user("olga@example.org")) == set(GROUPS)


def test_an_administrator_who_has_not_signed_in_yet_comes_before():
    User.objects.create_superuser("root@example.org", "root@example.org", PASSWORD)
    assert sign_in(make_user("olga@example.org")) == set()


@pytest.mark.both_databases
def test_rights_that_were_taken_from_the_first_account_come_back_to_no_one_else():
    olga = make_user("olga@example.org")
    sign_in(olga)
    olga.groups.clear()
    User.objects.filter(pk=olga.pk).update(last_login=timezone.now())
    assert sign_in(make_user("otto@example.org")) == set()
