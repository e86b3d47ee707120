"""Write every printout of an event in every paper size, as PDF and pictures."""

from __future__ import annotations

import shutil
import subprocess
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from decks.jobs.handlers import JobFailed
from tournament.events.models.event import Event
from tournament.events.selectors import get_rounds
from tournament.events.settings import get_game
from tournament.printing.registry import Sheet, list_sheets
from tournament.printing.render import render_sheet_pdf
from tournament.printing.request import PAPER_SIZES, PrintRequest, find_round
from tournament.printing.selectors import find_missing


class Command(BaseCommand):
    """Write every printout of one event, or of all events, to a folder."""

    help = "Write every printout of one event, or of all events, to a folder, as PDF and pictures."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the event (its short name) and the target folder."""
        parser.add_argument("event", nargs="?", help="short name of the event (default: every event)")
        parser.add_argument(
            "--folder",
            type=Path,
            default=settings.BASE_DIR / "screenshots" / "sheets",
            help="folder to write to (default: screenshots/sheets)",
        )
        parser.add_argument(
            "--dots", type=int, default=60, help="resolution of the pictures in dots per inch"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Print, and say what was made."""
        events = Event.objects.filter(slug=options["event"]) if options["event"] else Event.objects.all()
        if not events:
            raise CommandError("There is no such event.")
        options["folder"].mkdir(parents=True, exist_ok=True)
        for event in events:
            for print_request, name in _get_print_requests(event):
                self._print(name, print_request, options["folder"], options["dots"])

    def _print(self, sheet: Sheet, print_request: PrintRequest, folder: Path, dots: int) -> None:
        blank = "-blank" if print_request.is_blank else ""
        pdf_path = folder / f"{print_request.event.slug}-{sheet.key}{blank}-{print_request.paper}.pdf"
        try:
            pdf_path.write_bytes(render_sheet_pdf(sheet, print_request))
        except JobFailed as failure:
            raise CommandError(str(failure)) from failure
        painter = shutil.which("pdftoppm")
        if painter:
            subprocess.run([painter, "-r", str(dots), "-png", pdf_path, pdf_path.with_suffix("")], check=True)  # noqa: S603
        self.stdout.write(str(pdf_path))


def _get_print_requests(event: Event) -> list[tuple[PrintRequest, Sheet]]:
    """Return every sheet that can be made, filled and empty, on every paper."""
    rounds, now = get_rounds(event), timezone.now()
    shown_round = find_round(event, None, None)
    base = settings.BASE_URL or "http://localhost:8000"
    return [
        (PrintRequest(event, shown_round, paper, now, base=base, is_blank=blank), sheet)
        for sheet in list_sheets(get_game(event))
        if sheet.fits(event) and not find_missing(sheet, event, rounds) and sheet.parts is None
        for blank in ([False, True] if sheet.can_be_blank else [False])
        for paper in PAPER_SIZES
    ]
