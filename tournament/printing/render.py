"""Sheets as HTML and as PDF. WeasyPrint is loaded only when needed: its libraries may be missing."""

from __future__ import annotations

from datetime import datetime
from typing import NoReturn

from django.contrib.staticfiles import finders
from django.template.loader import render_to_string
from django.utils import timezone

from decks.jobs import JobFailed, paused_collector
from tournament.models import Event, Round
from tournament.printing.documents import Sheet, title

STYLES = "ringside/css/sheets.css"
LIBRARIES = "apt-get install libpangoft2-1.0-0 libharfbuzz-subset0"


def sheet_html(
    sheet: Sheet, event: Event, shown: Round | None, *, paper: str, now: datetime, for_browser: bool = False
) -> str:
    """A sheet as a whole HTML page, all times in the event's zone; `now` is the time of printing."""
    context = {
        "event": event,
        "round": shown,
        "title": title(sheet, event, shown),
        "paper": paper,
        "printed_at": now,
        "for_browser": for_browser,
        **sheet.build(event, shown),
    }
    with timezone.override(event.zone):
        return render_to_string(f"print/{sheet.template}", context)


def pdf(html: str) -> bytes:
    """A page of HTML as PDF. Raises JobFailed naming what to install where libraries are missing."""
    try:
        from weasyprint import CSS, HTML
    except OSError as error:
        raise JobFailed(
            "printing_libraries_missing",
            f"This computer lacks libraries for PDF. Install them: {LIBRARIES}. "
            "Until then print the page from the browser.",
        ) from error
    with paused_collector():
        page = HTML(string=html, url_fetcher=_nothing_from_outside)
        return page.write_pdf(stylesheets=[CSS(filename=finders.find(STYLES))])


def _nothing_from_outside(url: str, *_: object, **__: object) -> NoReturn:
    # The sheet's own styles are handed over; names and notes of strangers must not make us fetch anything.
    raise ValueError(f"Sheets load nothing, not even {url[:80]}.")
