"""Import a catalogue file, or show what importing it would change."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from decks.catalogue.importing.plan import CatalogueImportPlan, FactDifference
from decks.catalogue.services.catalogue import import_catalogue, preview_catalogue
from decks.shared.refusals import Refused
from decks.shared.wording import format_reason


class Command(BaseCommand):
    """`manage.py import_catalogue FILE [--game GAME] [--preview] [--replace]`."""

    help = (
        "Import cards from JSON, CSV, OCTGN (set.xml or game package) or LackeyCCG (card data or plugin). "
        "Without --replace, facts are only added."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path, help="catalogue file")
        parser.add_argument("--game", help="key of the game, if the file does not name it")
        parser.add_argument("--preview", action="store_true", help="show the changes without writing them")
        parser.add_argument("--replace", action="store_true", help="in a conflict, use the value of the file")

    def handle(
        self, *args: Any, file: Path, game: str | None, preview: bool, replace: bool, **options: Any
    ) -> None:
        run = preview_catalogue if preview else import_catalogue
        try:
            plan = run(file.read_bytes(), game=game, on_conflict="replace" if replace else "keep")
        except OSError as error:
            raise CommandError(f"{file} cannot be read: {error.strerror}.") from error
        except Refused as error:
            raise CommandError(str(error)) from error
        self._report(plan)

    def _report(self, plan: CatalogueImportPlan) -> None:
        for problem in plan.problems:
            self.stderr.write(str(problem))
        for conflict in plan.conflicts:
            self.stderr.write(f"{format_reason('reason', conflict.place)}: {_in_words(conflict)}")
        for note in plan.notes:
            self.stdout.write(format_reason("reason", note))
        self.stdout.write(format_reason("reason", plan.summary()))


def _in_words(conflict: FactDifference) -> str:
    stored_value = f"{conflict.name}: {conflict.fact} is stored as {conflict.stored_value!r}"
    return f"{stored_value}, the file says {conflict.incoming_value!r}."
