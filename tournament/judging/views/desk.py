"""The judge's first page, finding a table or a player, and their pages."""

from __future__ import annotations

import re

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from decks.catalogue.selectors.namesakes import namesakes
from tournament.access.actor import Actor
from tournament.decklists.selectors.check_sheet import check_sheet
from tournament.decklists.services.exchanges import current_match
from tournament.events.models.event import Event
from tournament.events.models.player import Player
from tournament.events.models.round import Match
from tournament.judging import selectors
from tournament.judging.forms import CloseCallForm, TableRulingForm
from tournament.judging.models import JudgeCall
from tournament.judging.services import calls
from tournament.judging.services import deck_checks as checks
from tournament.judging.views.page import judge_page, sent, show
from tournament.penalties.selectors import history
from tournament.registration.selectors import number_of
from tournament.web.console_page import attempt

PRIVATE_LINK = re.compile(r"/p/(?P<token>[\w-]{10,40})(?:/|$)", re.IGNORECASE)
MATCH_LINK = re.compile(r"/(?:matches|S)/(?P<match>\d{1,12})(?:/|$)", re.IGNORECASE)


@judge_page
@require_GET
def desk(request: HttpRequest, event: Event) -> HttpResponse:
    """Open calls, disputes, tables still playing, open checks, and the field to find a table."""
    return show(request, event, "tournament/judging/desk.html", section="desk", desk=selectors.desk(event))


@judge_page
@require_POST
def find(request: HttpRequest, event: Event) -> HttpResponse:
    """Go to what was typed or scanned: a table's number, a player's name or code, a slip's code."""
    words = request.POST.get("what", "").replace("\x00", "").strip()[:200]
    found = _scanned(event, words)
    if isinstance(found, Match):
        return redirect(
            "judge_table", event.slug, found.round.stage.position, found.round.number, found.table
        )
    if isinstance(found, Player):
        return redirect("judge_player", event.slug, found.number)
    people = selectors.players_called(event, words) if words else []
    if len(people) == 1:
        return redirect("judge_player", event.slug, people[0].number)
    return show(request, event, "tournament/judging/found.html", section="desk", words=words, people=people)


def _scanned(event: Event, words: str) -> Match | Player | None:
    """The table of a number, or whom a scanned code means."""
    if words.isascii() and words.isdigit() and len(words) < 7:
        return selectors.tables_numbered(event, int(words))
    if (number := number_of(words, event)) is not None:
        return event.players.filter(number=number).first()
    if link := PRIVATE_LINK.search(words):
        return event.players.filter(token=link["token"]).first()
    if link := MATCH_LINK.search(words):
        matches = Match.objects.filter(round__stage__event=event, pk=int(link["match"]))
        return matches.exclude(table=None).select_related("round__stage").first()
    return None


def match_or_404(event: Event, stage: int, number: int, table: int) -> Match:
    """A table of a published round. Raises Http404."""
    found = selectors.match_at(event, stage, number, table)
    if found is None:
        raise Http404("There is no such table.")
    return found


@judge_page
@require_http_methods(["GET", "POST"])
def table(request: HttpRequest, event: Event, stage: int, number: int, table: int) -> HttpResponse:
    """A table: both players, their lists, checks and penalties, the result, and what was ruled there."""
    match = match_or_404(event, stage, number, table)
    form = TableRulingForm(sent(request))
    if request.method == "POST" and form.is_valid() and form.save(match, Actor.of_user(request.user)):
        messages.success(request, "The ruling is on record.")
        return redirect("judge_table", event.slug, stage, number, table)
    status = 422 if form.is_bound else 200
    context = {"view": selectors.table_view(match), "form": form}
    return show(request, event, "tournament/judging/table.html", section="desk", status=status, **context)


@judge_page
@require_GET
def lists(request: HttpRequest, event: Event, stage: int, number: int, table: int) -> HttpResponse:
    """The registered lists of both players beside each other, in checking order."""
    match = match_or_404(event, stage, number, table)
    view = selectors.table_view(match)
    shared = namesakes(event.game)
    sheets = [(side, check_sheet(side.version, shared=shared)) for side in view.sides]
    return show(request, event, "tournament/judging/lists.html", section="desk", view=view, sheets=sheets)


@judge_page
@require_POST
def check_table(request: HttpRequest, event: Event, stage: int, number: int, table: int) -> HttpResponse:
    """Begin deck checks of both players at a table."""
    match = match_or_404(event, stage, number, table)
    attempt(request, lambda: checks.begin_table(match, Actor.of_user(request.user)))
    return redirect("judge_table", event.slug, stage, number, table)


def player_or_404(event: Event, number: int) -> Player:
    """A player of the event. Raises Http404."""
    return get_object_or_404(event.players.select_related("event", "deck_list__current"), number=number)


@judge_page
@require_GET
def player(request: HttpRequest, event: Event, number: int) -> HttpResponse:
    """A player: his list, his table, his deck checks and his penalties across the event."""
    person = player_or_404(event, number)
    context = {
        "side": selectors.side_of(person),
        "match": current_match(person),
        "history": history(person),
        "checks": list(person.deck_checks.select_related("version")),
    }
    return show(request, event, "tournament/judging/player.html", section="desk", **context)


@judge_page
@require_http_methods(["GET", "POST"])
def call(request: HttpRequest, event: Event, call: int, action: str) -> HttpResponse:
    """Take a call, or settle it with what was ruled, if anything."""
    held = get_object_or_404(JudgeCall.objects.select_related("player", "event"), pk=call, event=event)
    actor = Actor.of_user(request.user)
    if action == "take" and request.method == "POST":
        attempt(request, lambda: calls.take_call(held, actor), f"You go to {held.player}.")
        return redirect("judge", event.slug)
    if action != "close":
        raise Http404("There is no such step.")
    form = CloseCallForm(sent(request), initial={"question": held.words})
    if request.method == "POST" and form.is_valid() and form.close(held, actor):
        messages.success(request, f"The call of {held.player} is settled.")
        return redirect("judge", event.slug)
    status = 422 if form.is_bound else 200
    return show(
        request, event, "tournament/judging/call.html", section="desk", status=status, call=held, form=form
    )
