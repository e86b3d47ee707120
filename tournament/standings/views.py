"""Standings pages: console table, public table and groups, scoring system."""

from __future__ import annotations

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext
from django.views.decorators.http import require_GET, require_http_methods

from decks.shared.csv_cells import write_rows
from decks.shared.refusals import Conflict, Refused
from decks.shared.wording import say_reason
from tournament.access.permissions import Actor, Right
from tournament.engine.standings.systems.custom import (
    OWN_SYSTEM_KEY,
    TIEBREAKER_CHOICES,
    SystemData,
)
from tournament.engine.standings.systems.loading import load_system, system_names
from tournament.engine.standings.systems.system import System
from tournament.events import selectors
from tournament.events import selectors as events_selectors
from tournament.events.models.event import Event
from tournament.standings.forms import SystemForm, change_system_draft, read_system_draft
from tournament.standings.selectors.boards import SeatRecord, list_seat_records
from tournament.standings.selectors.draft_pods import filter_table, map_draft_pods
from tournament.standings.selectors.groups import group_tables, list_stages_in_groups
from tournament.standings.selectors.standings import put_system_into_words, scoring_system_of
from tournament.standings.selectors.table import (
    StandingsTable,
    format_standings_title,
    preview_system,
    standings_table,
)
from tournament.standings.services import fingerprint_system, set_standings_system
from tournament.web.console_page import console_page, render_console_page
from tournament.web.page_query import read_number
from tournament.web.public_page import PageContext, choose_round, public_page


@console_page(Right.SEE)
@require_GET
def console_standings(request: HttpRequest, event: Event) -> HttpResponse:
    """Show the standings, now or after a past round, with all tiebreakers."""
    rounds = [r for r in events_selectors.get_rounds(event) if not r.stage.is_elimination and not r.is_draft]
    number = read_number(request, "after", [r.number for r in rounds])
    round_ = next((r for r in rounds if r.number == number), None)
    table = standings_table(event, after_round=number) if rounds else None
    context = {
        **_choose_pod(request, event, table),
        "number_query": f"after={number}&" if number else "",
        "number": number,
        "numbers": [r.number for r in rounds],
        "title": format_standings_title(event, round_),
    }
    return render_console_page(request, event, "tournament/standings/standings.html", "standings", **context)


def _choose_pod(request: HttpRequest, event: Event, table: StandingsTable | None) -> dict[str, object]:
    """Return the table of a draft pod, and the pods to choose from.

    The table is that of one pod if the address names one.
    """
    pods = map_draft_pods(event)
    numbers = sorted(set(pods.values()))
    pod = read_number(request, "pod", numbers)
    if table is not None and pod is not None:
        table = filter_table(table, {player for player, number in pods.items() if number == pod})
    return {"table": table, "pod_numbers": numbers, "pod": pod}


@console_page(Right.MANAGE)
@require_http_methods(["GET", "POST"])
def standings_system(request: HttpRequest, event: Event) -> HttpResponse:
    """Choose or compose a system.

    Only "use" and "save" write; other buttons render the page again.
    """
    if request.method == "GET":
        return _show_system_page(
            request,
            event,
            SystemForm(_draft_of(scoring_system_of(event)), seen_mark=fingerprint_system(event)),
        )
    command, _, name = request.POST.get("do", "preview").partition(":")
    if command in ("use", "from") and name in system_names():
        return _use_system(request, event, name) if command == "use" else _start_from(request, event, name)
    draft = read_system_draft(request.POST)
    change_system_draft(draft, request.POST.get("do", ""), request.POST.get("choice", ""))
    form = _bind_form(request, draft)
    if command == "save" and form.system is not None and _save_system(request, event, form, OWN_SYSTEM_KEY):
        return redirect("console_system", event.slug)
    return _show_system_page(request, event, form, 422 if form.errors else 200)


def _draft_of(system: System) -> SystemData:
    """Return a system to start from; a shipped one's title is not that of one's own."""
    return {**put_system_into_words(system), "title": system.own_title}


def _use_system(request: HttpRequest, event: Event, name: str) -> HttpResponse:
    form = _bind_form(request, _draft_of(load_system(name)))
    if _save_system(request, event, form, name):
        return redirect("console_system", event.slug)
    return _show_system_page(request, event, form, 422)


def _start_from(request: HttpRequest, event: Event, name: str) -> HttpResponse:
    return _show_system_page(request, event, _bind_form(request, _draft_of(load_system(name))))


def _bind_form(request: HttpRequest, draft: SystemData) -> SystemForm:
    return SystemForm(draft, request.POST.get("reason", ""), request.POST.get("seen", ""))


def _save_system(request: HttpRequest, event: Event, form: SystemForm, name: str) -> bool:
    own_system = form.draft if name == OWN_SYSTEM_KEY else None
    actor = Actor.of_user(request.user)
    try:
        system = set_standings_system(
            event, actor, name, own_system, reason=form.data["reason"], seen_mark=form.seen_mark or None
        )
    except Refused as refusal:
        form.refuse(refusal.problems)
        if isinstance(refusal, Conflict):
            form.seen_mark = fingerprint_system(event)
        return False
    title = say_reason(system.title)
    messages.success(request, gettext("Scoring system: %(title)s.") % {"title": title})
    return True


def _list_shipped_systems() -> list[System]:
    """Return the shipped systems by the titles that the reader sees."""
    systems = [load_system(name) for name in system_names()]
    return sorted(systems, key=lambda system: say_reason(system.title).casefold())


def _show_system_page(
    request: HttpRequest, event: Event, form: SystemForm, status: int = 200
) -> HttpResponse:
    context = {
        "form": form,
        "now": scoring_system_of(event),
        "shipped_systems": [(system, _name_tiebreakers(system)) for system in _list_shipped_systems()],
        "palette": TIEBREAKER_CHOICES,
        "preview": preview_system(event, form.system) if form.system else None,
    }
    answer = render_console_page(
        request, event, "tournament/standings/standings_system.html", "settings", **context
    )
    answer.status_code = status
    return answer


def _name_tiebreakers(system: System) -> list[str]:
    return [say_reason(tiebreaker.name) for tiebreaker in system.tiebreakers]


@public_page("groups")
def public_groups(request: HttpRequest, event: Event, context: PageContext) -> HttpResponse:
    """Show standings and cross tables of all groups."""
    stages = [(stage, group_tables(stage)) for stage in list_stages_in_groups(event)]
    if not stages:
        raise Http404(gettext("This event has no groups."))
    return render(request, "tournament/standings/public_groups.html", {**context, "stages": stages})


@public_page("boards")
def public_boards(request: HttpRequest, event: Event, context: PageContext) -> HttpResponse:
    """Show the individual records of the members of teams."""
    records = _list_records(event)
    return render(request, "tournament/standings/public_boards.html", {**context, "records": records})


@public_page("boards")
def boards_csv(request: HttpRequest, event: Event, context: PageContext) -> HttpResponse:
    """Export the individual records as CSV."""
    records = _list_records(event)
    answer = HttpResponse(content_type="text/csv; charset=utf-8")
    answer["Content-Disposition"] = f'attachment; filename="{event.slug}-boards.csv"'
    rows = [record.to_json().values() for record in records]
    write_rows(answer, [SeatRecord.PUBLISHED, *rows])
    return answer


def _list_records(event: Event) -> list[SeatRecord]:
    if not event.has_boards:
        raise Http404(gettext("This event has no boards."))
    return list_seat_records(event)


@public_page("standings")
def public_standings(
    request: HttpRequest,
    event: Event,
    context: PageContext,
    number: int | None = None,
) -> HttpResponse:
    """Show the public standings, now or after a round, and explain the columns."""
    swiss = selectors.exclude_bracket_rounds(context["rounds"])
    round_ = choose_round(swiss, number) if number is not None else None
    table: StandingsTable | None = standings_table(event, after_round=number) if swiss else None
    title = format_standings_title(event, round_)
    extra = {"swiss": swiss, "number": number, "title": title, **_choose_pod(request, event, table)}
    return render(request, "tournament/standings/public_standings.html", {**context, **extra})
