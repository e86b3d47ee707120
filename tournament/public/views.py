"""Public pages: home, event, player record, and files for crawlers."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, render
from django.utils import timezone
from django.utils.translation import gettext
from django.views.decorators.http import require_safe

from tournament.access import permissions
from tournament.booster_drafts.selectors import get_draft_pods
from tournament.brackets.selectors import bracket as cut_selectors
from tournament.clock.selectors import get_latest_clock
from tournament.decklists.open_lists import find_open_lists
from tournament.events import selectors as events_selectors
from tournament.events.models.event import Event
from tournament.events.models.player import Player
from tournament.public import selectors as public
from tournament.public.calendar import build_calendar
from tournament.registration.services.validation import OPEN_PHASES
from tournament.results.selectors import list_my_matches
from tournament.setup import selectors as conditions
from tournament.shared.awards import load_prizes
from tournament.shared.links import get_base_url
from tournament.standings.selectors.player import calculate_tiebreakers, line_of_player
from tournament.standings.selectors.standings import scoring_system_of
from tournament.standings.selectors.standings import standings as standings_of
from tournament.web.page_query import read_number
from tournament.web.public_page import PageContext, public_page, send_if_changed


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """Show the home page: current, upcoming and past events."""
    return render(request, "tournament/public/home.html", {"programme": public.list_home_events()})


@require_safe
def styleguide(request: HttpRequest) -> HttpResponse:
    """Show every component on one page."""
    return render(request, "styleguide.html")


@require_safe
def keyboard(request: HttpRequest) -> HttpResponse:
    """Show all keyboard shortcuts, with switches for them and for animation."""
    return render(request, "tournament/public/keyboard.html")


# Addresses that search engines must not index: private links, pages of programs and of staff.
ROBOTS_DISALLOWED = (
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
    """Return what search engines leave alone."""
    lines = ("User-agent: *", *(f"Disallow: {path}" for path in ROBOTS_DISALLOWED))
    return HttpResponse("\n".join(lines) + "\n", content_type="text/plain; charset=utf-8")


@require_safe
def event_version(request: HttpRequest, slug: str) -> HttpResponse:
    """Return the event's version, for pages that refresh themselves.

    The answer is 304 while it has not changed.
    """
    public_version = events_selectors.get_public_version(slug)
    if public_version is None:
        raise Http404(permissions.NO_EVENT)
    _, version = public_version
    return send_if_changed(request, JsonResponse({"version": version}), str(version))


@require_safe
def calendar(request: HttpRequest) -> HttpResponse:
    """Send all public events as a calendar to subscribe to.

    They are the events to come and those of the last weeks.
    """
    home_events = public.list_home_events()
    return _calendar_response(
        request, [*home_events.now, *home_events.upcoming_events, *home_events.past_events]
    )


@require_safe
def event_calendar(request: HttpRequest, slug: str) -> HttpResponse:
    """Send one event as a calendar to subscribe to."""
    event = events_selectors.get_public_event(slug)
    if event is None:
        raise Http404(permissions.NO_EVENT)
    return _calendar_response(request, [event])


def _calendar_response(request: HttpRequest, events: list[Event]) -> HttpResponse:
    text = build_calendar(events, get_base_url(request), timezone.now())
    return HttpResponse(text, content_type="text/calendar; charset=utf-8")


@public_page("event")
def event(request: HttpRequest, event: Event, context: PageContext) -> HttpResponse:
    """Show an event: date, place, format and next step."""
    rounds = context["rounds"]
    swiss = events_selectors.exclude_bracket_rounds(rounds)
    registered_count = events_selectors.get_registered_count(event)
    extra = {
        "milestones": public.list_milestones(event, rounds[-1] if rounds else None),
        "facts": conditions.playing_conditions(event, registered_count),
        "conditions": conditions.written_conditions(event),
        "local_rules": conditions.describe_local_rules(event),
        "deck_rules": conditions.describe_deck_rules(event),
        "prizes": load_prizes(event.prizes),
        "standings_words": scoring_system_of(event).describe(),
        "is_open": event.phase in OPEN_PHASES,
        "is_full": event.capacity is not None and registered_count >= event.capacity,
        "latest": swiss[-1] if swiss else None,
        "has_round": event.is_playing and bool(rounds),
        "clock": get_latest_clock(event, rounds),
        "champion": cut_selectors.champion_of_event(event),
        "has_pods": not rounds and get_draft_pods(event) is not None and event.pod_seats.exists(),
        "leaders": standings_of(event)[:3] if swiss else (),
    }
    return render(request, "tournament/public/event.html", {**context, **extra})


@public_page("event")
def event_rules(request: HttpRequest, event: Event, context: PageContext) -> HttpResponse:
    """Show the sheet by which a judge runs a round.

    It has the event's lists and local rules.
    """
    extra = {
        "parts": conditions.build_sheet(event),
        "local_rules": conditions.describe_local_rules(event),
    }
    return render(request, "tournament/public/rules.html", {**context, **extra})


@public_page("standings")
def player_record(request: HttpRequest, event: Event, context: PageContext, number: int) -> HttpResponse:
    """Show the matches of a player, and how the tiebreakers are computed."""
    people = event.players.exclude(status=Player.Status.WITHDRAWN).select_related("deck_list__current")
    person = get_object_or_404(people, number=number)
    opened_lists = find_open_lists(person)
    if not context["rounds"] and not opened_lists:
        raise Http404(gettext("No match is finished yet, and no decklist is public."))
    swiss = events_selectors.exclude_bracket_rounds(context["rounds"])
    after = read_number(request, "after", [each.number for each in swiss])
    extra = {
        "person": person,
        "after": after,
        "matches": list_my_matches(person),
        "line": line_of_player(person),
        "worked": calculate_tiebreakers(event, person, after_round=after),
        "opened_lists": opened_lists,
        "shows_characters": events_selectors.are_characters_public(event),
    }
    return render(request, "tournament/public/player.html", {**context, **extra})
