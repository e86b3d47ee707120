"""Console pages of the stages: the plan of an event, and the step from one stage into the next."""

from __future__ import annotations

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_http_methods, require_POST

from tournament.access.actor import Actor
from tournament.access.rights import Right
from tournament.brackets.services import stages
from tournament.events.models.event import Event
from tournament.events.plan import PRESETS, plan_of, preset
from tournament.setup.forms.plan import PlanForm
from tournament.setup.services import events
from tournament.web.console_page import attempt, console_page, show


@console_page(Right.MANAGE)
@require_http_methods(["GET", "POST"])
def plan(request: HttpRequest, event: Event) -> HttpResponse:
    """The stages in a row; a kind of event to start from, or each stage by hand."""
    if request.method == "POST" and "preset" in request.POST:
        return _take_preset(request, event)
    form = PlanForm(request.POST or None, event=event)
    if request.method == "POST" and form.is_valid() and form.save(Actor.of_user(request.user)):
        messages.success(request, "The plan is kept.")
        return redirect("console_stages", event.slug)
    begun = event.stages.count()
    context = {"form": form, "plan": plan_of(event), "presets": PRESETS, "begun": begun}
    return show(request, event, "tournament/setup/stages.html", "settings", **context)


def _take_preset(request: HttpRequest, event: Event) -> HttpResponse:
    chosen = preset(request.POST["preset"])
    if chosen is None:
        raise Http404
    stages_of = [stage.as_data() for stage in chosen.plan]
    actor, seen = Actor.of_user(request.user), request.POST.get("seen") or None
    attempt(
        request,
        lambda: events.update_event(event, actor, {"plan": stages_of}, seen_plan=seen),
        f"The plan is now: {chosen.name}.",
    )
    return redirect("console_stages", event.slug)


@console_page(Right.PAIR)
@require_POST
def next_stage(request: HttpRequest, event: Event) -> HttpResponse:
    """Begin the next stage of the plan."""
    attempt(
        request, lambda: stages.next_stage(event, Actor.of_user(request.user)), "The next stage has begun."
    )
    return redirect("console_event", event.slug)
