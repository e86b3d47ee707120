"""Pages of a format's rules.

They are the sheet by which a judge runs a round, and what differs between versions.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

import rules
from rules import Format
from rules.format_text import list_differences
from rules.round_sheet import build_round_sheet


@dataclass(frozen=True, slots=True)
class VersionPair:
    """Two versions of a format's rules that follow each other."""

    old: str
    new: str


def _load(game: str, format_key: str, version: str | None) -> Format:
    """Return a format under a version of its rules (None: the newest).

    Raises Http404.
    """
    try:
        return rules.load_format(game, format_key, rules=version)
    except rules.UnknownFormat as problem:
        raise Http404(str(problem)) from problem


@require_safe
def show_round_sheet(request: HttpRequest, game: str, format_key: str) -> HttpResponse:
    """Show the sheet of a format, under the newest version or that of the address."""
    format = _load(game, format_key, request.GET.get("rules") or None)
    numbers = [version.number for version in format.game.versions]
    context = {
        "format": format,
        "parts": build_round_sheet(format),
        "versions": numbers,
        "pairs": [VersionPair(old, new) for old, new in pairwise(numbers)],
    }
    return render(request, "decks/checking/round_sheet.html", context)


@require_safe
def compare_versions(request: HttpRequest, game: str, format_key: str, old: str, new: str) -> HttpResponse:
    """Show what differs between two versions of a format's rules."""
    before, after = _load(game, format_key, old), _load(game, format_key, new)
    context = {"before": before, "format": after, "differences": list_differences(before, after)}
    return render(request, "decks/checking/rules_diff.html", context)
