"""Editors of ban lists and the catalogue.

The tests also cover how the first person gets the right.
"""

from __future__ import annotations

from importlib import import_module
from io import StringIO

import pytest
from django.apps import apps
from django.contrib.auth.models import Group, User
from django.core.management import CommandError, call_command
from django.db import connection

pytestmark = pytest.mark.django_db


def run_editors(*args: str) -> str:
    output = StringIO()
    call_command("editors", *args, stdout=output)
    return output.getvalue()


@pytest.mark.both_databases
def test_an_account_gets_the_right_to_ban_lists_and_no_other():
    User.objects.create_user("olga@example.org")

    assert (
        run_editors("lists", "Olga@example.org")
        == "Catalogue editors: no one\nBan list editors: olga@example.org\n"
    )
    olga = User.objects.get()
    assert [olga.has_perm(f"decks.{right}") for right in ("publish_lists", "import_catalogue")] == [
        True,
        False,
    ]
    assert run_editors("lists", "olga@example.org", "--remove").endswith("Ban list editors: no one\n")


def test_an_address_without_an_account_is_refused():
    with pytest.raises(CommandError, match=r"No account has the email address nobody@example\.org"):
        run_editors("lists", "nobody@example.org")


def test_a_group_needs_a_person():
    with pytest.raises(CommandError, match="Name the email address of the account"):
        run_editors("lists")


def test_renamed_groups_keep_their_members_and_go_back():
    migration = import_module("decks.migrations.0018_groups_of_editors")
    person = User.objects.create_user("olga@example.org")
    person.groups.add(Group.objects.get(name="Ban list editors"))
    schema_editor = connection.schema_editor()
    migration.restore_names(apps, schema_editor)
    old_name = person.groups.get().name
    migration.rename_groups(apps, schema_editor)
    assert (old_name, person.groups.get().name) == ("List keepers", "Ban list editors")
