"""Sheets as HTML and as PDF. WeasyPrint is loaded only when needed: its libraries may be missing."""

from __future__ import annotations

from base64 import b64decode
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

from django.contrib.staticfiles import finders
from django.template.loader import render_to_string
from django.utils import timezone

from decks.jobs import JobFailed, paused_collector
from tournament.printing.asked import Asked
from tournament.printing.documents import Sheet, parts_of, title, words_for

FOLDER = "ringside/css/sheets"
PICTURE = "data:image/png;base64,"
LIBRARIES = "apt-get install libpangoft2-1.0-0 libharfbuzz-subset0"


Progress = Callable[[int, int, str], None]


def _nobody(done: int, total: int, words: str) -> None:
    """Nobody waits for news."""


def sheet_html(sheet: Sheet, asked: Asked) -> str:
    """A sheet as a whole HTML page, all times in the event's zone."""
    if sheet.build is None:
        raise ValueError(f"{sheet.name} is made of other sheets.")
    shown = asked.round
    context = {
        "event": asked.event,
        "round": shown,
        "round_words": words_for(asked.event, shown),
        "amended": amended(shown),
        "title": title(sheet, asked.event, shown),
        "paper": asked.paper,
        "printed_at": asked.now,
        "for_browser": asked.for_browser,
        "styles": [f"{FOLDER}/{name}.css" for name in ("base", *sheet.styles)],
    }
    with timezone.override(asked.event.zone):
        return render_to_string(f"print/{sheet.template}", {**context, **sheet.build(asked)})


def amended(shown: Any) -> str:
    """The mark of a round that was changed after it was published; empty for any other."""
    at = getattr(shown, "amended_at", None)
    return f"amended {at.astimezone(shown.stage.event.zone):%H:%M}" if at else ""


def sheet_pdf(sheet: Sheet, asked: Asked, progress: Progress = _nobody) -> bytes:
    """A sheet, or a pack of several, as PDF; each sheet of a pack counts its own pages.

    `progress` is told (done, total, words). Raises JobFailed naming what to install where libraries are
    missing.
    """
    html_of = _weasyprint()
    parts = parts_of(sheet, asked)
    with paused_collector():
        made = []
        for done, part in enumerate(parts):
            progress(done, len(parts) + 1, f"Setting {part.name.lower()}")
            document = html_of(string=sheet_html(part, asked), url_fetcher=_only_our_own)
            made.append(document.render(stylesheets=[_style(name) for name in ("base", *part.styles)]))
        progress(len(parts), len(parts) + 1, "Writing the file")
        whole = made[0].copy([page for each in made for page in each.pages])
        content = whole.write_pdf()
    progress(len(parts) + 1, len(parts) + 1, "Ready")
    return content


def _weasyprint() -> Any:
    try:
        from weasyprint import HTML
    except OSError as error:
        raise JobFailed(
            "printing_libraries_missing",
            f"This computer lacks libraries for PDF. Install them: {LIBRARIES}. "
            "Until then print the page from the browser.",
        ) from error
    return HTML


def _folder() -> Path:
    return Path(finders.find(f"{FOLDER}/base.css")).parent


def _style(name: str) -> Any:
    from weasyprint import CSS

    return CSS(filename=_folder() / f"{name}.css", url_fetcher=_only_our_own)


@cache
def _drawings() -> dict[str, Path]:
    return {path.as_uri(): path for path in _folder().glob("*.svg")}


def _only_our_own(url: str) -> Any:
    """The drawings beside our styles, and pictures that a page holds itself.

    Names and notes of strangers must not make us fetch anything: all else raises ValueError.
    """
    from weasyprint.urls import URLFetcherResponse

    if url.startswith(PICTURE):
        return URLFetcherResponse(url, b64decode(url.removeprefix(PICTURE)), {"Content-Type": "image/png"})
    if url in _drawings():
        return URLFetcherResponse(url, _drawings()[url].read_bytes(), {"Content-Type": "image/svg+xml"})
    raise ValueError(f"Sheets load nothing, not even {url[:80]}.")
