"""Console pages of the setup: new event, settings, local rules, stages, pairing."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.forms import Form
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext, gettext_lazy, ngettext
from django.views.decorators.http import require_GET, require_http_methods, require_POST

import rules
from decks.catalogue.selectors import count_deck_cards
from decks.shared.refusals import Refused
from decks.shared.wording import say_reason
from tournament.access.permissions import Actor, Right, get_signed_in_user
from tournament.brackets.services import stages
from tournament.events.models.event import Event
from tournament.events.presets import get_preset, list_presets
from tournament.events.selectors import get_last_time_zone
from tournament.events.settings import get_plan, get_sides
from tournament.pairing.selectors import venues
from tournament.pairing.selectors.drafts import find_draft_notice
from tournament.pairing.services import player_facts
from tournament.registration.selectors import over_capacity_message
from tournament.setup import selectors
from tournament.setup.forms.copies import CopyForm
from tournament.setup.forms.event import EventForm
from tournament.setup.forms.rules import ForbiddenPairForm, LocalRulesForm, PairingForm, SeasonSeedsForm
from tournament.setup.forms.stages import PlanForm
from tournament.setup.services import events
from tournament.setup.services.extra_round import add_round, find_extra_round, list_extra_round_effects
from tournament.web.console_page import (
    attempt_step,
    console_page,
    form_response,
    lock_row_on_post,
    redirect_back,
    render_console_page,
    save_form,
)


@login_required
@require_GET
def choose_format(request: HttpRequest) -> HttpResponse:
    """Create an event, step 1: game and format."""
    cards = count_deck_cards()
    choices = [
        (game, [rules.load_format(game.key, key) for key in game.formats], cards.get(game.key, 0))
        for game in rules.games()
    ]
    return render(request, "tournament/setup/choose_format.html", {"choices": choices})


@login_required
@require_http_methods(["GET", "POST"])
def new_event(request: HttpRequest, game: str, format_key: str) -> HttpResponse:
    """Create an event, step 2: the settings, with default values."""
    try:
        zone = get_last_time_zone(get_signed_in_user(request.user))
        form = EventForm(request.POST or None, game=game, format_key=format_key, zone=zone)
    except rules.UnknownFormat as error:
        raise Http404(str(error)) from error
    if request.method == "POST" and form.is_valid():
        event = form.save(Actor.of_user(request.user))
        if event is not None:
            return redirect("console_event", event.slug)
    return render(request, "tournament/setup/event_form.html", {"form": form, "is_new": True})


@console_page(Right.MANAGE)
@require_http_methods(["GET", "POST"])
@lock_row_on_post
def event_settings(request: HttpRequest, event: Event) -> HttpResponse:
    """Change an event's settings."""
    form = EventForm(request.POST or None, event=event)
    if save_form(request, form):
        messages.success(request, gettext("Settings saved."))
        if (words := over_capacity_message(Event.objects.get(pk=event.pk))) is not None:
            messages.info(request, words)
        return redirect("console_event", event.slug)
    return render_console_page(
        request, event, "tournament/setup/event_form.html", "settings", form=form, is_new=False
    )


@console_page(Right.MANAGE)
@require_http_methods(["GET", "POST"])
def copy_event(request: HttpRequest, event: Event) -> HttpResponse:
    """Copy an event for its next night."""
    form = CopyForm(request.POST or None, event=event)
    copied_event = form.save(Actor.of_user(request.user)) if form.is_valid() else None
    if copied_event is not None:
        messages.success(request, gettext("“%(event)s” is created.") % {"event": copied_event.name})
        return redirect("console_event", copied_event.slug)
    answer = render_console_page(request, event, "tournament/setup/copy.html", "settings", form=form)
    return form_response(form, answer)


@console_page(Right.MANAGE)
@require_http_methods(["GET", "POST"])
def archive_event(request: HttpRequest, event: Event) -> HttpResponse:
    """Say what archiving means, and archive the event or bring it back."""
    if request.method == "POST":
        actor = Actor.of_user(request.user)
        is_back = "back" in request.POST
        run = events.unarchive_event if is_back else events.archive_event
        words = (
            gettext("“%(event)s” is back in your events.") if is_back else gettext("“%(event)s” is archived.")
        )
        attempt_step(request, lambda: run(event, actor), words % {"event": event.name})
        return redirect("console")
    return render_console_page(request, event, "tournament/setup/archive.html", "settings")


@console_page(Right.MANAGE)
@require_http_methods(["GET", "POST"])
@lock_row_on_post
def local_rules(request: HttpRequest, event: Event) -> HttpResponse:
    """Edit the local rules of an event."""
    form = LocalRulesForm(request.POST or None, event=event)
    if save_form(request, form):
        messages.success(request, gettext("Local rules saved."))
        return redirect("console_rules", event.slug)
    numbers = [form[name] for name in form.fields if name.startswith(("number:", "reading:"))]
    context = {"form": form, "numbers": numbers, "words": selectors.describe_local_rules(event)}
    return render_console_page(request, event, "tournament/setup/local_rules.html", "settings", **context)


EVENT_STEPS = {
    "open-registration": (events.open_registration, gettext_lazy("Registration is open.")),
    "open-check-in": (events.open_check_in, gettext_lazy("Check-in is open.")),
    "close-check-in": (events.close_check_in, gettext_lazy("Check-in is closed.")),
    "finish": (events.finish_event, gettext_lazy("The event is finished.")),
}


@console_page(Right.MANAGE)
@require_POST
def event_step(request: HttpRequest, event: Event, step: str) -> HttpResponse:
    """Open or close registration and check-in, or finish the event."""
    if step not in EVENT_STEPS:
        raise Http404
    run, success_message = EVENT_STEPS[step]
    attempt_step(request, lambda: run(event, Actor.of_user(request.user)), str(success_message))
    return redirect_back(request, "console_event", event.slug)


@console_page(Right.PAIR)
@require_POST
def start_event(request: HttpRequest, event: Event) -> HttpResponse:
    """Start the event; optionally drop players who are not checked in."""
    drop_missing = bool(request.POST.get("drop_missing"))
    actor = Actor.of_user(request.user)
    attempt_step(
        request,
        lambda: events.start_event(event, actor, drop_missing=drop_missing),
        gettext("The event has started."),
    )
    return redirect_back(request, "console_event", event.slug)


@console_page(Right.MANAGE)
@require_http_methods(["GET", "POST"])
def stage_plan(request: HttpRequest, event: Event) -> HttpResponse:
    """Edit the stages, from a preset or one by one."""
    if request.method == "POST" and "preset" in request.POST:
        return _take_preset(request, event)
    form = PlanForm(request.POST or None, event=event)
    if save_form(request, form):
        messages.success(request, gettext("Stages saved."))
        return redirect("console_stages", event.slug)
    begun_count = event.stages.count()
    context = {
        "form": form,
        "plan": get_plan(event),
        "presets": list_presets(get_sides(event)),
        "begun_count": begun_count,
    }
    return render_console_page(request, event, "tournament/setup/stages.html", "settings", **context)


def _take_preset(request: HttpRequest, event: Event) -> HttpResponse:
    preset = get_preset(request.POST["preset"], get_sides(event))
    if preset is None:
        raise Http404
    stages_of = [stage.as_data() for stage in preset.plan]
    actor, seen_plan = Actor.of_user(request.user), request.POST.get("seen") or None
    attempt_step(
        request,
        lambda: events.update_event(event, actor, {"plan": stages_of}, seen_plan=seen_plan),
        gettext("Event structure: %(structure)s.") % {"structure": preset.name},
    )
    return redirect("console_stages", event.slug)


@console_page(Right.PAIR)
@require_POST
def next_stage(request: HttpRequest, event: Event) -> HttpResponse:
    """Start the next stage."""
    attempt_step(
        request,
        lambda: stages.begin_next_stage(event, Actor.of_user(request.user)),
        gettext("The next stage has started."),
    )
    return redirect("console_event", event.slug)


@console_page(Right.MANAGE)
@require_http_methods(["GET", "POST"])
@lock_row_on_post
def pairing_options(request: HttpRequest, event: Event) -> HttpResponse:
    """Edit pairing options and table numbers."""
    form = PairingForm(request.POST or None, event=event)
    if save_form(request, form):
        messages.success(request, gettext("Pairing settings saved."))
        return redirect("console_pairing", event.slug)
    return _pairing_page(request, event, form=form)


def _pairing_page(request: HttpRequest, event: Event, **forms: Form) -> HttpResponse:
    context = {
        "form": forms.get("form") or PairingForm(event=event),
        "pair_form": forms.get("pair_form") or ForbiddenPairForm(event=event),
        "season_form": forms.get("season_form") or SeasonSeedsForm(event=event),
        "draft": find_draft_notice(event),
        "pairs": event.forbidden_pairs.select_related("one", "two"),
        "overlaps": venues.describe_overlaps(event),
        "shortage": venues.count_missing_tables(event),
        "neighbours": venues.events_sharing_venue(event),
    }
    return render_console_page(request, event, "tournament/setup/pairing.html", "settings", **context)


@console_page(Right.MANAGE)
@require_POST
def seed_by_season(request: HttpRequest, event: Event) -> HttpResponse:
    """Seed the players by their places in a league."""
    form = SeasonSeedsForm(request.POST, event=event)
    seeded_count = form.save(Actor.of_user(request.user)) if form.is_valid() else None
    if seeded_count is None:
        return _pairing_page(request, event, season_form=form)
    words = ngettext(
        "%(count)d player has a seed from %(league)s.",
        "%(count)d players have seeds from %(league)s.",
        seeded_count,
    )
    messages.success(request, words % {"count": seeded_count, "league": form.cleaned_data["league"].name})
    return redirect("console_pairing", event.slug)


@console_page(Right.MANAGE)
@require_POST
def forbid_pair(request: HttpRequest, event: Event) -> HttpResponse:
    """Forbid a pairing of two players."""
    form = ForbiddenPairForm(request.POST, event=event)
    pair = form.save(Actor.of_user(request.user)) if form.is_valid() else None
    if pair is None:
        return _pairing_page(request, event, pair_form=form)
    words = gettext("%(one)s and %(two)s are blocked.") % {"one": pair.one, "two": pair.two}
    messages.success(request, words)
    return redirect("console_pairing", event.slug)


@console_page(Right.MANAGE)
@require_POST
def allow_pair(request: HttpRequest, event: Event, pair: int) -> HttpResponse:
    """Allow a forbidden pairing again."""
    forbidden_pair = get_object_or_404(event.forbidden_pairs.select_related("event", "one", "two"), pk=pair)
    names = {"one": forbidden_pair.one, "two": forbidden_pair.two}
    success_message = gettext("%(one)s and %(two)s are no longer blocked.") % names
    attempt_step(
        request,
        lambda: player_facts.allow_pair(forbidden_pair, Actor.of_user(request.user)),
        success_message,
    )
    return redirect("console_pairing", event.slug)


@console_page(Right.MANAGE)
@require_http_methods(["GET", "POST"])
def extra_round(request: HttpRequest, event: Event) -> HttpResponse:
    """Say what an extra Swiss round means, and add it."""
    if request.method == "POST":
        seen_number = request.POST.get("number", "")
        actor, why = Actor.of_user(request.user), request.POST.get("reason", "").replace("\0", "").strip()
        number = int(seen_number) if seen_number.isdecimal() and len(seen_number) < 4 else None
        attempt_step(
            request,
            lambda: add_round(event, actor, why=why, seen_number=number),
            gettext("Round %(round)s is planned.") % {"round": seen_number},
        )
        return redirect("console_event", event.slug)
    context: dict[str, object] = {"number": None, "effects": [], "refusal": ""}
    try:
        number = find_extra_round(event)
        effects = [say_reason(each) for each in list_extra_round_effects(event, number)]
        context |= {"number": number, "effects": effects}
    except Refused as refusal:
        context["refusal"] = refusal.message
    return render_console_page(request, event, "tournament/setup/extra_round.html", "overview", **context)
