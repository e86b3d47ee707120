"""Console page and public page of draft pods."""

from __future__ import annotations

from django.contrib import messages
from django.forms import Form
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext, gettext_lazy
from django.views.decorators.http import require_GET, require_POST

from tournament.access.permissions import Actor, Right
from tournament.booster_drafts import selectors
from tournament.booster_drafts.forms import PodChangeForm, SeatPodsForm
from tournament.booster_drafts.pictures import draw_pod
from tournament.clock.selectors import get_build_clock
from tournament.events.models.event import Event
from tournament.web.console_page import console_page, form_response, render_console_page
from tournament.web.public_page import PageContext, public_page

DONE = {
    "swap": gettext_lazy("Seats swapped."),
    "add": gettext_lazy("The player has a seat."),
    "remove": gettext_lazy("The player has left the pod."),
}


@console_page(Right.SEE)
@require_GET
def show_pods(request: HttpRequest, event: Event) -> HttpResponse:
    """Show the pods as round tables, with the clock of the build time."""
    return _pods_page(request, event)


@console_page(Right.PAIR)
@require_POST
def seat_pods(request: HttpRequest, event: Event) -> HttpResponse:
    """Seat all players who are here in pods."""
    form = SeatPodsForm(request.POST)
    if form.is_valid() and form.save(event, Actor.of_user(request.user)):
        messages.success(request, gettext("The draft pods are seated."))
        return redirect("console_pods", event.slug)
    return _pods_page(request, event, seat=form)


@console_page(Right.PAIR)
@require_POST
def change_pods(request: HttpRequest, event: Event, change: str) -> HttpResponse:
    """Swap two players, add one to a pod, or take one out."""
    if change not in DONE:
        raise Http404
    form = PodChangeForm(request.POST, event=event, kind=change, pods=selectors.list_pods(event))
    if form.is_valid() and form.save(Actor.of_user(request.user)):
        messages.success(request, str(DONE[change]))
        return redirect("console_pods", event.slug)
    return _pods_page(request, event, **{change: form})


def _pods_page(request: HttpRequest, event: Event, **refused_forms: Form) -> HttpResponse:
    rules = selectors.get_draft_pods(event)
    if rules is None:
        raise Http404(gettext("This event has no draft pods."))
    pods = selectors.list_pods(event)
    forms = {kind: PodChangeForm(event=event, kind=kind, pods=pods) for kind in DONE if pods}
    seating = getattr(event, "pod_seating", None)
    size = seating.size if seating else rules.usual
    context = {
        "rules": rules,
        "pods": [(pod, draw_pod(pod)) for pod in pods],
        "ready": selectors.list_draft_players(event).count(),
        "unseated": selectors.list_unseated_players(event) if pods else [],
        "has_begun": selectors.has_draft_begun(event),
        "clock": get_build_clock(event),
        "forms": {"seat": SeatPodsForm(initial={"size": size}), **forms, **refused_forms},
    }
    answer = render_console_page(request, event, "tournament/booster_drafts/pods.html", "pods", **context)
    return form_response(next(iter(refused_forms.values())), answer) if refused_forms else answer


@public_page("pods")
def public_pods(request: HttpRequest, event: Event, context: PageContext) -> HttpResponse:
    """Show every player's pod and seat by name, and to whom packs are passed."""
    rules, pods = selectors.get_draft_pods(event), selectors.list_pods(event)
    if rules is None:
        raise Http404(gettext("This event has no draft pods."))
    extra = {"rules": rules, "pods": pods, "seats": selectors.sort_seats(event, pods)}
    return render(request, "tournament/booster_drafts/public_pods.html", {**context, **extra})
