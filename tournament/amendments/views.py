"""Pages that change a published round: choose, preview, and notify players."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.views.decorators.http import require_GET, require_http_methods

from decks.shared.refusals import Conflict, Refused
from tournament.access import permissions
from tournament.access.permissions import Actor, Right
from tournament.amendments import selectors
from tournament.amendments.forms import KIND_LABELS, RoundChangeForm, fill_choices, find_initial_values
from tournament.amendments.services import changes
from tournament.amendments.services.changes import RoundChange
from tournament.amendments.services.preview import ChangePreview, preview_change
from tournament.amendments.services.seats import UnpairedPolicy
from tournament.events.models.event import Event
from tournament.events.models.round import Round
from tournament.log.models import LogEntry
from tournament.log.wording import show_entries
from tournament.web.console_page import console_page, render_console_page
from tournament.web.refusals import add_form_errors, show_refusal


def _get_round(event: Event, stage: int, number: int) -> Round:
    rounds = Round.objects.select_related("stage__event").exclude(state=Round.State.DRAFT)
    return get_object_or_404(rounds, stage__event=event, stage__position=stage, number=number)


@console_page(Right.PAIR)
@require_http_methods(["GET", "POST"])
def change_round(request: HttpRequest, event: Event, stage: int, number: int) -> HttpResponse:
    """Choose a change of a published round, see its effect in each way, and make it."""
    round_ = _get_round(event, stage, number)
    kinds = changes.list_kinds(round_)
    data = request.POST if request.method == "POST" else request.GET
    kind = data.get("kind", "") if data.get("kind", "") in kinds else kinds[0]
    is_asked = any(data.get(name) for name in changes.NEEDED_FIELDS[kind])
    initial = find_initial_values(round_, request.GET.get("at", ""), kind)
    form = RoundChangeForm(
        fill_choices(data) if is_asked else None, round_=round_, kind=kind, initial=initial
    )
    preview = None
    if is_asked and form.is_valid():
        change = form.change()
        if change.unpaired == UnpairedPolicy.DROP:
            permissions.require_right(request.user, event, Right.PLAYERS)
        if request.method == "POST" and (answer := _make_change(request, round_, change)) is not None:
            return answer
        preview = _preview_or_refuse(request, round_, change, form)
    context = {
        "round": round_,
        "form": form,
        "kind": kind,
        "at": request.GET.get("at", "")[:9],
        "kinds": [(each.value, KIND_LABELS[each]) for each in kinds],
        "preview": preview,
        "fields": [("kind", kind), *((name, form.data.get(name, "")) for name in form.fields)],
        "reason": request.POST.get("reason", "")[:400],
        "last": selectors.find_last_amendment(round_),
        "slips": selectors.list_changed_slips(round_),
    }
    return render_console_page(request, event, "tournament/amendments/change.html", "rounds", **context)


def _make_change(request: HttpRequest, round_: Round, change: RoundChange) -> HttpResponse | None:
    """Make the change, or show why not beside the preview as it is now."""
    way = request.POST.get("way", "")
    try:
        outcome = changes.change_round(
            round_,
            Actor.of_user(request.user),
            change,
            way=way,
            seen_mark=request.POST.get(f"seen-{way}") or None,
            reason=request.POST.get("reason", "").replace("\0", "").strip(),
        )
    except Refused as refusal:
        if isinstance(refusal, Conflict) or refusal.field == "way":
            show_refusal(request, refusal)
        return None
    places = (round_.stage.event.slug, round_.stage.position, round_.number)
    if outcome.entry is None:
        return redirect("console_round", *places)
    return redirect(reverse("console_round_changed", args=[*places, outcome.entry.pk]))


def _preview_or_refuse(
    request: HttpRequest, round_: Round, change: RoundChange, form: RoundChangeForm
) -> ChangePreview | None:
    try:
        return preview_change(round_, Actor.of_user(request.user), change)
    except Refused as refusal:
        add_form_errors(form, refusal)
        return None


@console_page(Right.PAIR)
@require_GET
def show_change(request: HttpRequest, event: Event, stage: int, number: int, entry: int) -> HttpResponse:
    """Show a change that was made.

    The page shows the players to notify, the slips to reprint, and undo.
    """
    round_ = _get_round(event, stage, number)
    entries = LogEntry.objects.filter(event=event, head=None, action__in=selectors.AMENDMENT_ACTIONS)
    step = get_object_or_404(entries, pk=entry)
    context = {
        "round": round_,
        "entry": show_entries([step])[0],
        "tell": [move.sentence for move in selectors.state_moves_to_tell(step)],
        "slips": selectors.list_changed_slips(round_),
    }
    return render_console_page(request, event, "tournament/amendments/changed.html", "rounds", **context)
