"""Render sheets as HTML and PDF.

WeasyPrint is loaded on demand: it may be missing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import tzinfo
from functools import cache, partial
from pathlib import Path
from typing import Any

from django.contrib.staticfiles import finders
from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.translation import gettext

from decks.jobs.handlers import JobFailed, ProgressCallback, paused_garbage_collection
from rules.reason import Reason, reason
from tournament.languages.choice import speak
from tournament.printing.about_line import NAME, AboutLine, AboutPart, build_about_line
from tournament.printing.registry import Sheet, list_parts, say_title, sheet_title
from tournament.printing.request import (
    FilledContext,
    LeagueContext,
    PrintRequest,
    format_amended,
    format_round,
)

STYLE_FOLDER = "ringside/printing"
LEAGUE_STYLES = ("lists",)
INSTALL_LIBRARIES = "apt-get install libpangoft2-1.0-0 libharfbuzz-subset0"


def _ignore_progress(done_count: int, total: int, stage: Reason) -> None:
    """Ignore the progress: no one waits for it."""


def render_sheet_html(sheet: Sheet, request: PrintRequest) -> str:
    """Return a sheet as a whole HTML page, all times in the event's zone."""
    return _render_html(sheet, request, _build_context(sheet, request))


def _build_context(sheet: Sheet, request: PrintRequest) -> Mapping[str, object]:
    build = sheet.fill or sheet.build
    if build is None:
        raise ValueError(f"{sheet.name} is made of other sheets.")
    with timezone.override(request.event.zone), speak(request.event.language):
        return build(request)


def _render_html(sheet: Sheet, request: PrintRequest, sheet_context: Mapping[str, object]) -> str:
    with timezone.override(request.event.zone), speak(request.event.language):
        context = {**_frame_context(sheet, request), **sheet_context}
        return render_to_string(f"tournament/printing/{sheet.template}", context)


def _frame_context(sheet: Sheet, request: PrintRequest) -> dict[str, object]:
    """Return what every sheet shows around its content."""
    shown_round = request.round
    return {
        "event": request.event,
        "round": shown_round,
        "round_words": format_round(request.event, shown_round),
        "amended": format_amended(shown_round),
        "title": say_title(sheet_title(sheet, request.event, shown_round)),
        "paper": request.paper,
        "printed_at": request.now,
        "about_line": build_about_line(sheet, request),
        "page_words": split_page_words(),
        "for_browser": request.for_browser,
        "styles": [f"{STYLE_FOLDER}/{name}.css" for name in ("base", *sheet.styles)],
    }


def split_page_words() -> list[str]:
    """Return the text around the two numbers of “Page 1 of 3”.

    The renderer counts these numbers.
    """
    # Translators: the number of the page must come before the total.
    words = gettext("Page %(number)s of %(total)s")
    return (words % {"number": "\0", "total": "\0"}).split("\0")


def render_sheet_pdf(
    sheet: Sheet, request: PrintRequest, progress: ProgressCallback = _ignore_progress
) -> bytes:
    """Return a sheet, or a pack of several, as PDF.

    Each sheet of a pack counts its own pages. `progress` is called with (done, total, stage). Raises
    JobFailed naming what to install if libraries are missing.
    """
    with paused_garbage_collection():
        content = _write_pdf(_load_weasyprint(), list_parts(sheet, request), request, progress)
    progress(1, 1, reason("file_ready"))
    return content


def _write_pdf(html_of: Any, parts: list[Sheet], request: PrintRequest, progress: ProgressCallback) -> bytes:
    documents = []
    for done_count, part in enumerate(parts):
        progress(done_count, len(parts) + 1, reason("setting_sheet", number=done_count + 1, count=len(parts)))
        documents.append(_lay_out_part(html_of, part, request))
    progress(len(parts), len(parts) + 1, reason("writing_file"))
    from tournament.printing.filled_pages import share_blank_pages

    whole = documents[0].copy([page for each in documents for page in each.pages])
    content: bytes = whole.write_pdf(finisher=share_blank_pages)
    return content


def _lay_out_part(html_of: Any, part: Sheet, request: PrintRequest) -> Any:
    """Return a sheet as a document of the renderer."""
    as_html = partial(_render_html, part, request)
    if part.fill is None:
        return _lay_out_html(html_of, as_html(_build_context(part, request)), part.styles)
    with timezone.override(request.event.zone), speak(request.event.language):
        filled_part = part.fill(request)
    return _lay_out_filled_pages(html_of, filled_part, as_html, part.styles)


def _lay_out_filled_pages(
    html_of: Any,
    sheet_context: FilledContext,
    as_html: Callable[[Mapping[str, object]], str],
    styles: Sequence[str],
) -> Any:
    """Return a document of pages that are filled: one of each shape is set."""
    if not sheet_context["pages"]:
        return _lay_out_html(html_of, as_html(sheet_context), styles)
    from tournament.printing.filled_pages import BlankPage, FilledPage

    shapes = {page.shape: page.blank() for page in sheet_context["pages"]}
    document = _lay_out_html(html_of, as_html({**sheet_context, "pages": list(shapes.values())}), styles)
    blanks = dict(zip(shapes, map(BlankPage, document.pages), strict=True))
    filled_pages = (
        FilledPage(blanks[page.shape], page, is_first=at == 0)
        for at, page in enumerate(sheet_context["pages"])
    )
    return document.copy(filled_pages)


def _lay_out_html(html_of: Any, html: str, styles: Sequence[str]) -> Any:
    html_document = html_of(string=html, url_fetcher=_fetch_own_drawing)
    return html_document.render(stylesheets=[_load_stylesheet(name) for name in ("base", *styles)])


def render_league_html(sheet_context: LeagueContext, *, for_browser: bool = False) -> str:
    """Return the table of a league as a whole HTML page.

    The table is what `build_league_table` returns.
    """
    return _render_league_html(
        sheet_context["printed_at"].tzinfo, {**sheet_context, "for_browser": for_browser}
    )


def _render_league_html(zone: tzinfo | None, context: Mapping[str, object]) -> str:
    styles = [f"{STYLE_FOLDER}/{name}.css" for name in ("base", *LEAGUE_STYLES)]
    about_line = AboutLine((AboutPart(str(context["about"]), NAME),))
    with timezone.override(zone):
        return render_to_string(
            "tournament/printing/columns.html", {**context, "about_line": about_line, "styles": styles}
        )


def render_league_pdf(sheet_context: LeagueContext, progress: ProgressCallback = _ignore_progress) -> bytes:
    """Return the same as PDF.

    Raises JobFailed naming what to install if libraries are missing.
    """
    with paused_garbage_collection():
        progress(0, 2, reason("setting_sheet", number=1, count=1))
        as_html = partial(_render_league_html, sheet_context["printed_at"].tzinfo)
        document = _lay_out_filled_pages(_load_weasyprint(), sheet_context, as_html, LEAGUE_STYLES)
        progress(1, 2, reason("writing_file"))
        from tournament.printing.filled_pages import share_blank_pages

        content: bytes = document.write_pdf(finisher=share_blank_pages)
    progress(2, 2, reason("file_ready"))
    return content


def _load_weasyprint() -> Any:
    try:
        from weasyprint import HTML
    except OSError as error:
        raise JobFailed("printing_libraries_missing", command=INSTALL_LIBRARIES) from error
    return HTML


def _style_folder() -> Path:
    return Path(str(finders.find(f"{STYLE_FOLDER}/base.css"))).parent


def _load_stylesheet(name: str) -> Any:
    from weasyprint import CSS

    return CSS(filename=_style_folder() / f"{name}.css", url_fetcher=_fetch_own_drawing)


@cache
def _own_drawings() -> dict[str, Path]:
    return {path.as_uri(): path for path in _style_folder().glob("*.svg")}


def _fetch_own_drawing(url: str) -> Any:
    """Return the drawings beside our styles.

    Names and notes of strangers must not make us fetch anything: all else raises ValueError.
    """
    from weasyprint.urls import URLFetcherResponse

    if url in _own_drawings():
        return URLFetcherResponse(url, _own_drawings()[url].read_bytes(), {"Content-Type": "image/svg+xml"})
    raise ValueError(f"Sheets load nothing, not even {url[:80]}.")
