"""Editors of ban lists and the catalogue, and how the first person gets the right."""

from __future__ import annotations

from io import StringIO

import pytest
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command

pytestmark = pytest.mark.django_db


def keepers(*args: str) -> str:
    output = StringIO()
    call_command("keepers", *args, stdout=output)
    return output.getvalue()


@pytest.mark.both_databases
def test_an_account_gets_the_right_to_ban_lists_and_no_other():
    User.objects.create_user("olga@example.org")

    assert (
        keepers("lists", "Olga@example.org") == "Catalogue keepers: no one\nList keepers: olga@example.org\n"
    )
    olga = User.objects.get()
    assert [olga.has_perm(f"decks.{right}") for right in ("publish_lists", "import_catalogue")] == [
        True,
        False,
    ]
    assert keepers("lists", "olga@example.org", "--remove").endswith("List keepers: no one\n")


def test_an_address_without_an_account_is_refused():
    with pytest.raises(CommandError, match=r"No account has the email address nobody@example\.org"):
        keepers("lists", "nobody@example.org")


def test_a_group_needs_a_person():
    with pytest.raises(CommandError, match="Name the email address of the account"):
        keepers("lists")
