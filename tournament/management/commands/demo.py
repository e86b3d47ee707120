"""Create the demo events if they do not exist, and print the demo logins."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand
from django.db import transaction

from tournament.demo import build_demo, get_demo_logins


class Command(BaseCommand):
    """Build the demo; a second run finds it again."""

    help = "Create missing demo events and print the demo accounts."

    def handle(self, *args: Any, **options: Any) -> None:
        """Build all or nothing: an interrupted run leaves nothing behind."""
        with transaction.atomic():
            events = build_demo()
        for event in events:
            self.stdout.write(f"{event.name}: /e/{event.slug}/")
        for person in get_demo_logins():
            self.stdout.write(f"{person['role']}: {person['email']}  {person['password']}")
