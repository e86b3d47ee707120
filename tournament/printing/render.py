"""Sheets as HTML and as PDF. WeasyPrint is loaded only when needed: its libraries may be missing."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache, partial
from pathlib import Path
from typing import Any

from django.contrib.staticfiles import finders
from django.template.loader import render_to_string
from django.utils import timezone

from decks.jobs.collector import paused_collector
from decks.jobs.handlers import JobFailed
from tournament.printing.headings import amended, words_for
from tournament.printing.registry import Sheet, parts_of, title
from tournament.printing.request import Asked

FOLDER = "ringside/css/sheets"
LEAGUE_STYLES = ("lists",)
LIBRARIES = "apt-get install libpangoft2-1.0-0 libharfbuzz-subset0"


Progress = Callable[[int, int, str], None]


def _nobody(done: int, total: int, words: str) -> None:
    """Nobody waits for news."""


def sheet_html(sheet: Sheet, asked: Asked) -> str:
    """A sheet as a whole HTML page, all times in the event's zone."""
    return _html(sheet, asked, _built(sheet, asked))


def _built(sheet: Sheet, asked: Asked) -> dict[str, Any]:
    if sheet.build is None:
        raise ValueError(f"{sheet.name} is made of other sheets.")
    with timezone.override(asked.event.zone):
        return sheet.build(asked)


def _html(sheet: Sheet, asked: Asked, built: dict[str, Any]) -> str:
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
        return render_to_string(f"tournament/printing/{sheet.template}", {**context, **built})


def sheet_pdf(sheet: Sheet, asked: Asked, progress: Progress = _nobody) -> bytes:
    """A sheet, or a pack of several, as PDF; each sheet of a pack counts its own pages.

    `progress` is told (done, total, words). Raises JobFailed naming what to install where libraries are
    missing.
    """
    with paused_collector():
        content = _written(_weasyprint(), parts_of(sheet, asked), asked, progress)
    progress(1, 1, "Ready")
    return content


def _written(html_of: Any, parts: list[Sheet], asked: Asked, progress: Progress) -> bytes:
    made = []
    for done, part in enumerate(parts):
        progress(done, len(parts) + 1, f"Setting {part.name.lower()}")
        made.append(_set(html_of, part, asked))
    progress(len(parts), len(parts) + 1, "Writing the file")
    from tournament.printing.layout.filled_pages import share

    whole = made[0].copy([page for each in made for page in each.pages])
    content: bytes = whole.write_pdf(finisher=share)
    return content


def _set(html_of: Any, part: Sheet, asked: Asked) -> Any:
    """A sheet as a document of the renderer."""
    built, as_html = _built(part, asked), partial(_html, part, asked)
    if not part.is_filled or not built["pages"]:
        return _document(html_of, as_html(built), part.styles)
    return _filled(html_of, built, as_html, part.styles)


def _filled(
    html_of: Any, built: dict[str, Any], as_html: Callable[[dict[str, Any]], str], styles: Sequence[str]
) -> Any:
    """A document of pages that are filled: one of each shape is set."""
    from tournament.printing.layout.filled_pages import BlankPage, FilledPage

    shapes = {page.shape: page.blank() for page in built["pages"]}
    document = _document(html_of, as_html({**built, "pages": list(shapes.values())}), styles)
    blanks = dict(zip(shapes, map(BlankPage, document.pages), strict=True))
    filled = (
        FilledPage(blanks[page.shape], page, is_first=at == 0) for at, page in enumerate(built["pages"])
    )
    return document.copy(filled)


def _document(html_of: Any, html: str, styles: Sequence[str]) -> Any:
    made = html_of(string=html, url_fetcher=_only_our_own)
    return made.render(stylesheets=[_style(name) for name in ("base", *styles)])


def league_html(built: dict[str, Any], *, for_browser: bool = False) -> str:
    """The table of a league, as `league_list` makes it, as a whole HTML page."""
    styles = [f"{FOLDER}/{name}.css" for name in ("base", *LEAGUE_STYLES)]
    with timezone.override(built["printed_at"].tzinfo):
        return render_to_string(
            "tournament/printing/columns.html", {**built, "for_browser": for_browser, "styles": styles}
        )


def league_pdf(built: dict[str, Any], progress: Progress = _nobody) -> bytes:
    """The same as PDF. Raises JobFailed naming what to install where libraries are missing."""
    with paused_collector():
        progress(0, 2, "Setting the table")
        document = _filled(_weasyprint(), built, league_html, LEAGUE_STYLES)
        progress(1, 2, "Writing the file")
        from tournament.printing.layout.filled_pages import share

        content: bytes = document.write_pdf(finisher=share)
    progress(2, 2, "Ready")
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
    """The drawings beside our styles.

    Names and notes of strangers must not make us fetch anything: all else raises ValueError.
    """
    from weasyprint.urls import URLFetcherResponse

    if url in _drawings():
        return URLFetcherResponse(url, _drawings()[url].read_bytes(), {"Content-Type": "image/svg+xml"})
    raise ValueError(f"Sheets load nothing, not even {url[:80]}.")
