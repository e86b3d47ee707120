"""The console's page of how standings are made: a shipped system, or one of the organizer's own."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_http_methods

from decks.shared.refusals import Refused
from tournament.access.actor import Actor
from tournament.access.rights import Right
from tournament.engine.standings.systems.loading import load_system, system_names
from tournament.engine.standings.systems.own import OWN, as_data
from tournament.engine.standings.systems.palette import PALETTE
from tournament.engine.standings.systems.system import System
from tournament.events.models.event import Event
from tournament.shared.refusals import Conflict
from tournament.standings.forms import Draft, SystemForm, change_draft, read_draft
from tournament.standings.selectors.standings import system_of
from tournament.standings.selectors.system_preview import preview
from tournament.standings.services import set_standings_system, system_mark
from tournament.web.console_page import console_page, show


@console_page(Right.MANAGE)
@require_http_methods(["GET", "POST"])
def standings_system(request: HttpRequest, event: Event) -> HttpResponse:
    """Choose a system, or put one together; only "use" and "save" write, all else redraws the page."""
    if request.method == "GET":
        return _page(request, event, SystemForm(_draft_of(system_of(event)), seen=system_mark(event)))
    do, _, name = request.POST.get("do", "preview").partition(":")
    if do in ("use", "from") and name in system_names():
        return _take(request, event, name) if do == "use" else _start_from(request, event, name)
    draft = read_draft(request.POST)
    change_draft(draft, request.POST.get("do", ""), request.POST.get("choice", ""))
    form = _form(request, draft)
    if do == "save" and form.system is not None and _set(request, event, form, OWN):
        return redirect("console_system", event.slug)
    return _page(request, event, form, 422 if form.errors else 200)


def _draft_of(system: System) -> Draft:
    """A system to start from; a shipped one's title is not that of one's own."""
    return {**as_data(system), "title": system.title if system.name == OWN else ""}


def _take(request: HttpRequest, event: Event, name: str) -> HttpResponse:
    form = _form(request, _draft_of(load_system(name)))
    if _set(request, event, form, name):
        return redirect("console_system", event.slug)
    return _page(request, event, form, 422)


def _start_from(request: HttpRequest, event: Event, name: str) -> HttpResponse:
    return _page(request, event, _form(request, _draft_of(load_system(name))))


def _form(request: HttpRequest, draft: Draft) -> SystemForm:
    return SystemForm(draft, request.POST.get("reason", ""), request.POST.get("seen", ""))


def _set(request: HttpRequest, event: Event, form: SystemForm, name: str) -> bool:
    own = form.draft if name == OWN else None
    actor = Actor.of_user(request.user)
    try:
        system = set_standings_system(
            event, actor, name, own, reason=form.data["reason"], seen=form.seen or None
        )
    except Refused as refusal:
        form.refuse(refusal.problems)
        if isinstance(refusal, Conflict):
            form.seen = system_mark(event)
        return False
    messages.success(request, f"The standings are made by {system.title} now.")
    return True


def _page(request: HttpRequest, event: Event, form: SystemForm, status: int = 200) -> HttpResponse:
    context = {
        "form": form,
        "now": system_of(event),
        "shipped": [load_system(name) for name in system_names()],
        "palette": PALETTE,
        "preview": preview(event, form.system) if form.system else None,
    }
    answer = show(request, event, "tournament/standings/standings_system.html", "settings", **context)
    answer.status_code = status
    return answer
