"""Pages for everybody: the events, and what happens in one."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import nullcontext
from functools import wraps
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_safe

from tournament import permissions
from tournament.errors import Refused
from tournament.models import Event, Player, Round
from tournament.permissions import Right
from tournament.place_lines import prizes_of
from tournament.selectors import conditions, public
from tournament.selectors import cut as cut_selectors
from tournament.selectors.bracket import bracket_view
from tournament.selectors.clock import event_clock, round_clock
from tournament.selectors.open_lists import open_list
from tournament.selectors.player import my_line, my_matches
from tournament.selectors.record import worked_out
from tournament.selectors.registration import in_line
from tournament.selectors.standings import standings as standings_of
from tournament.selectors.standings import system_of
from tournament.selectors.table import StandingsTable, standings_table, standings_words
from tournament.services.registration import OPEN_PHASES
from tournament.views.kept import from_shelf, kept, turn
from tournament.views.remembered import remembered

Phase = Event.Phase
View = Callable[..., HttpResponse]
# Made for each visitor: nobody waits for another's.
OWN = frozenset(("me", "register"))


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """What Ringside is, the events, and where to go."""
    return render(request, "public/home.html", {"programme": public.programme()})


@require_safe
def styleguide(request: HttpRequest) -> HttpResponse:
    """Every component on one page."""
    return render(request, "styleguide.html")


@require_safe
def keyboard(request: HttpRequest) -> HttpResponse:
    """All keys, and the switches for them and for movement."""
    return render(request, "public/keyboard.html")


# What nobody should come upon by searching: private links, doors of programs and of staff.
NOT_FOR_SEARCH = (
    "/p/",
    "/console/",
    "/judge/",
    "/account/",
    "/password/",
    "/join/",
    "/admin/",
    "/api/",
    "/live/",
)


@require_safe
def robots(request: HttpRequest) -> HttpResponse:
    """What search engines leave alone."""
    lines = ("User-agent: *", *(f"Disallow: {path}" for path in NOT_FOR_SEARCH))
    return HttpResponse("\n".join(lines) + "\n", content_type="text/plain; charset=utf-8")


def event_page(section: str) -> Callable[[View], View]:
    """A page of one public event; the view gets the event and adds to the context that all of them share."""

    def decorate(view: View) -> View:
        @wraps(view)
        def page(request: HttpRequest, slug: str, **kwargs: Any) -> HttpResponse:
            answer = from_shelf(request, slug)
            if answer is not None:
                return answer
            with nullcontext() if section in OWN else turn(request, slug) as made_by_another:
                return made_by_another or rendered(request, slug, **kwargs)

        def rendered(request: HttpRequest, slug: str, **kwargs: Any) -> HttpResponse:
            shown = public.public_event(slug) or _preview(request, slug)
            if shown is None:
                raise Http404("There is no public event at this address.")
            with timezone.override(shown.zone):
                return kept(
                    request, shown, lambda: view(request, shown, _frame(request, shown, section), **kwargs)
                )

        return (
            require_safe(page)
            if section != "register"
            else require_http_methods(["GET", "HEAD", "POST"])(page)
        )

    return decorate


def _frame(request: HttpRequest, event: Event, section: str) -> dict[str, Any]:
    rounds = public.published_rounds(event)
    return {"event": event, "section": section, "rounds": rounds, "me": remembered(request, event)}


def _preview(request: HttpRequest, slug: str) -> Event | None:
    """An event in preparation, for its staff alone."""
    if not request.user.is_authenticated:
        return None
    prepared = public.counted_events().filter(slug=slug).first()
    return prepared if prepared and permissions.can(request.user, prepared, Right.SEE) else None


@require_safe
def version(request: HttpRequest, slug: str) -> HttpResponse:
    """The event's version number, for pages that keep themselves fresh; 304 while it has not changed."""
    shown = (
        Event.objects.exclude(phase=Phase.PREPARING)
        .filter(slug=slug)
        .values_list("version", flat=True)
        .first()
    )
    if shown is None:
        raise Http404("There is no public event at this address.")
    tag = f'"{shown}"'
    fresh = tag in request.headers.get("If-None-Match", "")
    answer = HttpResponse(status=304) if fresh else JsonResponse({"version": shown})
    answer["ETag"] = tag
    answer["Cache-Control"] = "no-cache"
    return answer


@event_page("event")
def event(request: HttpRequest, event: Event, context: dict[str, Any]) -> HttpResponse:
    """The event: when and where, how it is played, what to do next."""
    rounds = context["rounds"]
    swiss = public.swiss_rounds(rounds)
    extra = {
        "milestones": public.milestones(event, rounds[-1] if rounds else None),
        "facts": conditions.playing_facts(event, event.registered),
        "written": conditions.written_conditions(event),
        "local_rules": conditions.local_rules(event),
        "deck_rules": conditions.deck_rules(event),
        "prizes": prizes_of(event.prizes),
        "standings_words": system_of(event).describe(),
        "is_open": event.phase in OPEN_PHASES,
        "is_full": event.capacity is not None and event.registered >= event.capacity,
        "latest": swiss[-1] if swiss else None,
        "champion": cut_selectors.champion_of(event),
        "leaders": standings_of(event)[:3] if swiss else (),
    }
    return render(request, "public/event.html", {**context, **extra})


@event_page("me")
def my_page(request: HttpRequest, event: Event, context: dict[str, Any]) -> HttpResponse:
    """From a public page, which shows no private link, to the page of the player this browser registered."""
    me = context["me"]
    return redirect("player", me.token) if me else redirect("register", event.slug)


@event_page("players")
def players(request: HttpRequest, event: Event, context: dict[str, Any]) -> HttpResponse:
    """Who plays."""
    people = public.player_list(event)
    extra = {
        "people": [p for p in people if p.status == p.Status.REGISTERED],
        "waiting": in_line(event),
        "shows_characters": public.characters_are_public(event) and any(p.character for p in people),
        "shows_check_in": event.phase == Phase.CHECK_IN,
    }
    return render(request, "public/players.html", {**context, **extra})


@event_page("standings")
def player_record(request: HttpRequest, event: Event, context: dict[str, Any], number: int) -> HttpResponse:
    """One player round by round, and how his place comes about."""
    people = event.players.exclude(status=Player.Status.WITHDRAWN).select_related("deck_list__current")
    person = get_object_or_404(people, number=number)
    opened = open_list(person)
    if not context["rounds"] and opened is None:
        raise Http404("Nothing is played yet, and no list is open.")
    after = _after(request, public.swiss_rounds(context["rounds"]))
    extra = {
        "person": person,
        "after": after,
        "matches": my_matches(person),
        "line": my_line(person),
        "worked": worked_out(event, person, after_round=after),
        "opened": opened,
        "shows_characters": public.characters_are_public(event),
    }
    return render(request, "public/player.html", {**context, **extra})


def _after(request: HttpRequest, swiss: list[Round]) -> int | None:
    """The round after which a page is asked for; None, for now, where that is no published round."""
    asked = request.GET.get("after", "")
    return next((each.number for each in swiss if str(each.number) == asked), None)


@event_page("pairings")
def pairings(
    request: HttpRequest, event: Event, context: dict[str, Any], number: int | None = None
) -> HttpResponse:
    """Who meets whom at which table in a Swiss round: by table or by name, with a search."""
    swiss = public.swiss_rounds(context["rounds"])
    shown = _chosen(swiss, number)
    every = public.tables(shown) if shown else []
    if shown is not None:
        shown.stage.event = event
    query = request.GET.get("q", "").strip()[:80]
    found = public.search(every, query)
    extra = {
        "swiss": swiss,
        "shown": shown,
        "clock": round_clock(shown) if shown else None,
        "query": query,
        "by": "name" if request.GET.get("by") == "name" else "table",
        "tables": found,
        "seatings": public.by_name(found) if request.GET.get("by") == "name" else [],
        "finished": sum(not table.is_open for table in every),
        "total": len(every),
    }
    return render(request, "public/pairings.html", {**context, **extra})


def _chosen(swiss: list[Round], number: int | None) -> Round | None:
    """The round with that number, the latest without one; 404 for a round that nobody may see yet."""
    if number is None:
        return swiss[-1] if swiss else None
    chosen = next((each for each in swiss if each.number == number), None)
    if chosen is None:
        raise Http404("This round is not published.")
    return chosen


@event_page("standings")
def standings(
    request: HttpRequest, event: Event, context: dict[str, Any], number: int | None = None
) -> HttpResponse:
    """The table after a round, or as it stands now, with what each column means."""
    swiss = public.swiss_rounds(context["rounds"])
    shown = _chosen(swiss, number) if number is not None else None
    table: StandingsTable | None = standings_table(event, after_round=number) if swiss else None
    called = standings_words(event, shown)
    extra = {"swiss": swiss, "number": number, "called": called, "table": table}
    return render(request, "public/standings.html", {**context, **extra})


@event_page("cut")
def cut(request: HttpRequest, event: Event, context: dict[str, Any]) -> HttpResponse:
    """Who is in the cut or out of it, and why: every player."""
    if event.cut == Event.Cut.NONE:
        raise Http404("This event has no cut.")
    stage = cut_selectors.stage_of(event)
    rows, refusal = [], None
    if public.swiss_rounds(context["rounds"]):
        try:
            rows = cut_selectors.decisions(event, stage)
        except Refused as refused:
            refusal = refused
    anew = max(
        (r.amended_at for r in context["rounds"] if stage and r.stage_id == stage.pk and r.amended_at),
        default=None,
    )
    extra = {"stage": stage, "decisions": rows, "refusal": refusal, "made_anew_at": anew}
    return render(request, "public/cut.html", {**context, **extra})


@event_page("bracket")
def bracket(request: HttpRequest, event: Event, context: dict[str, Any]) -> HttpResponse:
    """The bracket, and the champion."""
    if not event.has_bracket:
        raise Http404("This event has no bracket.")
    stage = cut_selectors.stage_of(event)
    extra = {
        "stage": stage,
        "bracket": bracket_view(stage) if stage else None,
        "clock": event_clock(event),
        "champion": cut_selectors.champion(stage) if stage else None,
    }
    return render(request, "public/bracket.html", {**context, **extra})
