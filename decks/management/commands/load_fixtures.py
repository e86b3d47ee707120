"""Load the shipped catalogues of every game; running it again changes nothing."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand

from decks.catalogue.services.catalogue import import_catalogue
from decks.shared.wording import format_reason

FOLDER = Path(settings.BASE_DIR) / "fixtures"


class Command(BaseCommand):
    """`manage.py load_fixtures`."""

    help = "Load the built-in catalogues: sets, cards and printings."

    def handle(self, *args: Any, **options: Any) -> None:
        for file in sorted(FOLDER.glob("*/catalogue.json")):
            plan = import_catalogue(file.read_bytes())
            if options["verbosity"] > 0:
                self.stdout.write(f"{plan.game}: {format_reason('reason', plan.summary())}")
            for conflict in plan.conflicts:
                stored_value = (
                    f"{conflict.name} ({conflict.key}) keeps {conflict.fact} {conflict.stored_value!r}"
                )
                self.stderr.write(
                    f"{plan.game}: {stored_value}. The built-in file says {conflict.incoming_value!r}."
                )
