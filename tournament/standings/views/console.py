"""From tournament.views.console.rounds."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_GET

from tournament.access.rights import Right
from tournament.events.models.event import Event
from tournament.events.selectors import rounds as events_rounds
from tournament.standings.selectors.table import standings_table, standings_words
from tournament.web.console_page import console_page, show


@console_page(Right.SEE)
@require_GET
def standings(request: HttpRequest, event: Event) -> HttpResponse:
    """The table as it stands now, or after a past round, with every tiebreaker."""
    rounds = [r for r in events_rounds.rounds_of(event) if not r.stage.is_elimination and not r.is_draft]
    shown = next((r for r in rounds if str(r.number) == request.GET.get("after")), None)
    number = shown.number if shown else None
    context = {
        "table": standings_table(event, after_round=number) if rounds else None,
        "number": number,
        "numbers": [r.number for r in rounds],
        "called": standings_words(event, shown),
    }
    return show(request, event, "tournament/standings/standings.html", "standings", **context)
