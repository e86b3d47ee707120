"""Players as a table: out for a spreadsheet, in with a look at each line before anything is written."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_http_methods, require_safe

from decks.shared.refusals import Refused
from tournament.access.actor import Actor
from tournament.access.rights import Right
from tournament.events.models.event import Event
from tournament.registration import player_csv
from tournament.registration.player_table import player_table
from tournament.registration.services import imports
from tournament.web.console_page import attempt, console_page, show
from tournament.web.refusals import say


@console_page(Right.PLAYERS)
@require_safe
def export(request: HttpRequest, event: Event) -> HttpResponse:
    """The table as a file."""
    answer = HttpResponse(player_table(event), content_type="text/csv; charset=utf-8")
    answer["Content-Disposition"] = f'attachment; filename="{event.slug}-players.csv"'
    return answer


@console_page(Right.PLAYERS)
@require_http_methods(["GET", "HEAD", "POST"])
def read_in(request: HttpRequest, event: Event) -> HttpResponse:
    """Paste or choose a table; see what each line would do; then do exactly that."""
    if request.method != "POST":
        return _page(request, event, "")
    text, note = "", ""
    try:
        text, note = _text(request)
        table = player_csv.read(text)
    except Refused as refusal:
        say(request, refusal)
        return _page(request, event, text, status=422)
    mark = request.POST.get("mark", "")
    if mark and _import(request, event, table, mark):
        return redirect("console_players", event.slug)
    notes = [*([note] if note else []), *table.notes]
    return _page(request, event, text, plan=imports.plan(event, table), notes=notes)


def _import(request: HttpRequest, event: Event, table: player_csv.Table, mark: str) -> bool:
    counts = imports.plan(event, table).counts
    words = f"{counts['add']} added, {counts['change']} changed, {counts['refused']} left out."
    actor = Actor.of_user(request.user)
    return attempt(request, lambda: imports.carry_out(event, actor, table, seen=mark), words)


def _text(request: HttpRequest) -> tuple[str, str]:
    """What was sent: the file if there is one, otherwise what was pasted."""
    sent = request.FILES.get("file")
    if sent is None:
        return request.POST.get("text", ""), ""
    if (sent.size or 0) > player_csv.LARGEST:
        raise Refused("file_too_large", "The file is over 1 MB.", fix="Send it in parts.", field="file")
    return player_csv.decode(sent.read())


def _page(
    request: HttpRequest, event: Event, text: str, *, status: int = 200, **context: object
) -> HttpResponse:
    answer = show(
        request, event, "tournament/registration/players_import.html", "players", text=text, **context
    )
    answer.status_code = status
    return answer
