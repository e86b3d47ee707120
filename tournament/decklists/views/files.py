"""A version of a list as a file to take away."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.text import slugify

from decks.checking.files import FILE_TYPES
from decks.shared.refusals import Refused
from decks.submissions.selectors.files import as_file
from tournament.decklists.selectors.lists import version_page
from tournament.events.models.player import Player
from tournament.web.refusals import say

AS_HANDED_IN = "source"


def export_file(request: HttpRequest, player: Player, number: int, kind: str, back: str) -> HttpResponse:
    """The version as a file of a type, or as it was handed in; `back` is the page to explain a refusal on."""
    page = version_page(player, number)
    if page is None or (kind != AS_HANDED_IN and kind not in FILE_TYPES):
        raise Http404("There is no such version or type of file.")
    suffix = "txt" if kind == AS_HANDED_IN else FILE_TYPES[kind].suffix
    name = f"{slugify(player.name) or 'list'}-{number}.{suffix}"
    try:
        content = page.version.source_text if kind == AS_HANDED_IN else as_file(page.version, kind)
    except Refused as refusal:
        say(request, refusal)
        return redirect(back)
    answer = HttpResponse(content, content_type="text/plain; charset=utf-8")
    answer["Content-Disposition"] = f'attachment; filename="{name}"'
    answer["X-Content-Type-Options"] = "nosniff"
    return answer
