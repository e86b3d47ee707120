"""Console pages of the log: list, one step, undo, roll back."""

from __future__ import annotations

from collections.abc import Callable

from django.contrib import messages
from django.core.paginator import InvalidPage
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils.translation import gettext
from django.views.decorators.http import require_GET, require_http_methods

from decks.shared.refusals import Refused
from tournament.access import permissions
from tournament.access.permissions import Actor, Right
from tournament.events.models.event import Event
from tournament.log import selectors, services
from tournament.log.models import LogEntry
from tournament.log.undo_plan import UndoPlan, plan_restore, plan_undo
from tournament.log.wording import show_entries, show_entry
from tournament.web.console_page import console_page, get_request_rights, redirect_back, render_console_page
from tournament.web.page_query import read_number
from tournament.web.refusals import show_refusal


@console_page(Right.SEE)
@require_GET
def log(request: HttpRequest, event: Event) -> HttpResponse:
    """Show the log, newest first, with filters."""
    log_filter = selectors.LogFilter(
        player=str(read_number(request, "player") or ""),
        round=str(read_number(request, "round") or ""),
        action=request.GET.get("action", "")[:40],
        person=request.GET.get("person", "")[:120].replace("\x00", ""),
        page=request.GET.get("page", ""),
    )
    query = request.GET.copy()
    query.pop("page", None)
    try:
        view = selectors.get_log_page(event, log_filter, get_request_rights(request, event))
    except InvalidPage as error:
        raise Http404(gettext("There is no such page.")) from error
    context = {
        "view": view,
        "filters": log_filter,
        "query": query.urlencode(),
    }
    return render_console_page(request, event, "tournament/log/log.html", "log", **context)


def _entry(event: Event, pk: int) -> LogEntry:
    entries = LogEntry.objects.select_related("event", "head", "undone_by").filter(event=event)
    log_entry = get_object_or_404(entries, pk=min(pk, 2**63 - 1))
    return log_entry.head or log_entry


@console_page(Right.SEE)
@require_GET
def entry(request: HttpRequest, event: Event, entry: int) -> HttpResponse:
    """Show a step: who, when, why, and all changes before and after."""
    rights = get_request_rights(request, event)
    log_entry = _entry(event, entry)
    further = list(log_entry.further.order_by("pk"))
    undone_entries = list(LogEntry.objects.filter(event=event, pk__in=log_entry.takes_back).defer("changes"))
    undone_by = [log_entry.undone_by] if log_entry.undone_by else []
    show_entries([log_entry, *further, *undone_entries, *undone_by], rights)
    context = {
        "entry": log_entry,
        "detail": selectors.describe_step(log_entry, rights),
        "further": further,
        "undone_entries": undone_entries,
    }
    return render_console_page(request, event, "tournament/log/log_entry.html", "log", **context)


@console_page(Right.UNDO)
@require_http_methods(["GET", "POST"])
def take_back(request: HttpRequest, event: Event, entry: int) -> HttpResponse:
    """Undo a step: first show what would change, then carry it out.

    A button that says what it undoes sends `at_once`: then nothing is asked, unless other steps would go too.
    """
    log_entry = _entry(event, entry)
    if request.method == "POST" and request.POST.get("at_once"):
        return _undo_alone(request, event, log_entry)
    reason = request.POST.get("reason", "")

    def act(seen_mark: str) -> LogEntry:
        return services.undo_step(log_entry, Actor.of_user(request.user), reason=reason, seen_mark=seen_mark)

    return _carry_out(request, event, lambda: plan_undo(event, log_entry), act)


def _undo_alone(request: HttpRequest, event: Event, log_entry: LogEntry) -> HttpResponse:
    """Undo one step and return to the page of the button.

    Where more steps would be undone, show the page of the plan.
    """
    rights = get_request_rights(request, event)
    try:
        plan = plan_undo(event, log_entry)
        if plan.others:
            return redirect("console_undo", event.slug, log_entry.pk)
        permissions.deny_missing_rights(plan.describe_missing_rights(rights))
        undo_entry = services.undo_step(log_entry, Actor.of_user(request.user), seen_mark=plan.mark)
        messages.success(request, show_entry(undo_entry, rights).sentence)
    except Refused as refusal:
        show_refusal(request, refusal)
    return redirect_back(request, "console_log", event.slug)


@console_page(Right.UNDO)
@require_http_methods(["GET", "POST"])
def restore(request: HttpRequest, event: Event, stage: int, number: int) -> HttpResponse:
    """Restore the event to the state before a round.

    First show what would change, then carry it out.
    """
    reason = request.POST.get("reason", "")

    def act(seen_mark: str) -> LogEntry:
        actor = Actor.of_user(request.user)
        return services.roll_back_event(
            event, actor, stage=stage, number=number, reason=reason, seen_mark=seen_mark
        )

    return _carry_out(request, event, lambda: plan_restore(event, stage, number), act, before=(stage, number))


def _carry_out(
    request: HttpRequest,
    event: Event,
    make_plan: Callable[[], UndoPlan],
    carry_out: Callable[[str], LogEntry],
    before: tuple[int, int] | None = None,
) -> HttpResponse:
    """Show an undo plan, or carry out the shown one; the log page shows a refusal."""
    try:
        plan, rights = make_plan(), get_request_rights(request, event)
        impact = selectors.get_plan_impact(plan, rights)
        show_entries([*plan.entries, plan.target], rights)
        missing_rights = plan.describe_missing_rights(rights)
        if request.method == "POST":
            permissions.deny_missing_rights(missing_rights)
            undo_entry = show_entry(carry_out(request.POST.get("seen", "")), rights)
            words = gettext("%(step)s You can undo this too.") % {"step": undo_entry.sentence}
            messages.success(request, words)
            return redirect("console_log", event.slug)
    except Refused as refusal:
        show_refusal(request, refusal)
        if request.method == "POST" and refusal.code == "log_changed_meanwhile":
            return redirect(request.path)
        return redirect("console_log", event.slug)
    context = {
        "plan": plan,
        "impact": impact,
        "before": before,
        "beyond": missing_rights,
    }
    return render_console_page(request, event, "tournament/log/undo.html", "log", **context)
