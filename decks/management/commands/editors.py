"""The command `manage.py editors`.

It lists the editors of ban lists and the catalogue, and adds and removes some.
"""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.contrib.auth.models import Group, User
from django.core.management.base import BaseCommand, CommandError

from decks.access import GROUPS

GROUP_BY_WORD = {"lists": "Ban list editors", "catalogue": "Catalogue editors"}


class Command(BaseCommand):
    """Gives a first user the right to edit ban lists or the catalogue.

    It does so from the command line.
    """

    help = "Add or remove an editor of ban lists or of the catalogue. Without arguments, list all editors."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "group", nargs="?", choices=sorted(GROUP_BY_WORD), help="what the editors may change"
        )
        parser.add_argument("address", nargs="?", help="email address of the account")
        parser.add_argument("--remove", action="store_true", help="remove the account from the group")

    def handle(self, *args: Any, **options: Any) -> None:
        if options["group"] and not options["address"]:
            raise CommandError("Name the email address of the account.")
        if options["group"]:
            self._move(GROUP_BY_WORD[options["group"]], options["address"], options["remove"])
        for name in GROUPS:
            people = User.objects.filter(groups__name=name).order_by("username")
            self.stdout.write(f"{name}: {', '.join(person.get_username() for person in people) or 'no one'}")

    def _move(self, name: str, address: str, remove: bool) -> None:
        person = User.objects.filter(username__iexact=address.strip()).first()
        if person is None:
            raise CommandError(
                f"No account has the email address {address}. Create it on the page “Sign in” first."
            )
        group = Group.objects.get(name=name)
        (person.groups.remove if remove else person.groups.add)(group)
