"""Versions of a list for staff and players: as a file, and on chosen days."""

from __future__ import annotations

from typing import Required, TypedDict

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.text import slugify
from django.utils.translation import gettext, gettext_lazy

import rules
from decks.checking.deck_files import FILE_TYPES
from decks.checking.result import DayComparison, DayVerdict
from decks.importers.parsing import parse
from decks.shared.day_forms import DaysForm
from decks.shared.refusals import Refused
from decks.submissions.differences import VersionDifference
from decks.submissions.models import DeckVersion
from decks.submissions.selectors import verdict_on, write_version_file
from tournament.decklists import selectors
from tournament.decklists.selectors import VersionRow
from tournament.events.models.player import Player
from tournament.web.page_query import read_number
from tournament.web.refusals import show_refusal

SOURCE_KIND, ORIGINAL_KIND = "source", "original"


def export_file(request: HttpRequest, player: Player, number: int, kind: str, back: str) -> HttpResponse:
    """Send the version as a file of a type, or as it was submitted.

    `back` is the page on which a refusal is explained.
    """
    page = selectors.version_page(player, number)
    stored_file = _get_stored_file(page.version, kind) if page else None
    if page is None or (stored_file is None and kind not in FILE_TYPES):
        raise Http404(gettext("There is no such version or type of file."))
    try:
        content, type_key = stored_file or (write_version_file(page.version, kind), kind)
    except Refused as refusal:
        show_refusal(request, refusal)
        return redirect(back)
    suffix = FILE_TYPES[type_key].suffix if type_key in FILE_TYPES else "txt"
    name = f"{slugify(player.name) or 'list'}-{number}.{suffix}"
    answer = HttpResponse(content, content_type="text/plain; charset=utf-8")
    answer["Content-Disposition"] = f'attachment; filename="{name}"'
    answer["X-Content-Type-Options"] = "nosniff"
    return answer


def _get_stored_file(version: DeckVersion, kind: str) -> tuple[str, str] | None:
    """Return the submitted text or the file it was made from, with its type.

    None for other kinds.
    """
    if kind == ORIGINAL_KIND and version.original_text:
        return version.original_text, parse(version.original_text).format
    return (version.source_text, version.source_format) if kind == SOURCE_KIND else None


def get_version(player: Player, number: int) -> DeckVersion:
    """Return one version of the player's list; not found if there is none."""
    rows = DeckVersion.objects.filter(deck_list__player=player).select_related("deck_list")
    return get_object_or_404(rows, number=number)


class ComparisonContext(TypedDict):
    """Return the context of a page that compares two versions."""

    change: VersionDifference | None
    versions: list[VersionRow]


class DaysContext(TypedDict, total=False):
    """Return the context of a page that shows the verdicts of one or two days."""

    form: Required[DaysForm]
    day: DayVerdict
    two_days: DayComparison
    fault: str


def build_comparison_context(request: HttpRequest, player: Player) -> ComparisonContext:
    """Return all versions, and what changed between two of them.

    Raises Http404 for one that does not exist.
    """
    rows = selectors.version_rows(player)
    numbers = [row.version.number for row in rows]
    older, newer = read_number(request, "older", numbers), read_number(request, "newer", numbers)
    return {"change": selectors.compare_numbered_versions(player, older, newer), "versions": rows}


SUBMISSION_WORDS: dict[str, tuple[int, Promise]] = {
    "legal": (messages.SUCCESS, gettext_lazy("Version %(number)s (%(list_code)s) is submitted and counts.")),
    "illegal": (
        messages.WARNING,
        gettext_lazy(
            "Version %(number)s (%(list_code)s) is submitted, but not legal. Fix what is listed below."
        ),
    ),
    "unknown": (
        messages.WARNING,
        gettext_lazy(
            "Version %(number)s (%(list_code)s) is submitted, but cannot be checked. "
            "Fix what is listed below."
        ),
    ),
}


def submission_message(version: DeckVersion) -> tuple[int, str]:
    """Return level and words of the one message about a list that was just submitted."""
    level, words = SUBMISSION_WORDS[version.outcome]
    return level, str(words) % {"number": version.number, "list_code": version.short_hash}


def build_days_context(request: HttpRequest, player: Player, version: DeckVersion) -> DaysContext:
    """Return the form and the verdicts that it asks for.

    Without days, these are for the event's day beside today.
    """
    today, event_date = timezone.localdate(), player.event.starts_local.date()
    form = DaysForm(request.GET or {"on": event_date.isoformat(), "beside": today.isoformat()})
    if not form.is_valid():
        return {"form": form}
    one, other = form.cleaned_data["on"] or today, form.cleaned_data["beside"]
    try:
        first = verdict_on(version, one)
        if other is None:
            return {"form": form, "day": first}
        return {"form": form, "two_days": DayComparison.of(first, verdict_on(version, other))}
    except (rules.UnknownFormat, rules.BadOverlay) as error:
        return {"form": form, "fault": str(error)}
