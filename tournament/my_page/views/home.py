"""The pages behind a player's private link: the next thing to do, his list, his result, leaving."""

from __future__ import annotations

from io import BytesIO
from typing import Any

import segno
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from decks.shared.refusals import Refused
from decks.submissions.selectors.standing import standing
from tournament.access.actor import Actor
from tournament.brackets.selectors.bracket import champion_of
from tournament.brackets.services import cut as cuts
from tournament.clock.selectors import clock_of_latest
from tournament.decklists.selectors import lists
from tournament.decklists.selectors.lists import news_of
from tournament.decklists.selectors.open_lists import may_see
from tournament.decklists.services import lists as decklists
from tournament.events.models.event import Event
from tournament.events.models.player import Player
from tournament.events.models.round import Round
from tournament.events.selectors.published import published_rounds
from tournament.judging.selectors import own_judging
from tournament.my_page import selectors
from tournament.registration import services as registration
from tournament.registration.forms.public import CharacterForm
from tournament.registration.services import private_links as links
from tournament.results.forms.reports import ConfirmForm, ReportForm, refuse_without_match
from tournament.results.selectors import my_matches
from tournament.results.selectors.my_matches import MyMatch
from tournament.results.services import drops
from tournament.shared import addresses
from tournament.shared.refusals import Conflict
from tournament.standings.selectors import my_line
from tournament.standings.selectors.outlook import outlook
from tournament.web.own_registration import remember
from tournament.web.player_page import player_page, show, take
from tournament.web.refusals import say

Phase = Event.Phase


BEFORE_START = (Phase.PREPARING, Phase.REGISTRATION, Phase.CHECK_IN)


def link_of(request: HttpRequest, player: Player) -> str:
    """The private link in full, as a code or a message carries it."""
    return f"{addresses.public_base(request)}{reverse('player', args=[player.token])}"


@player_page
@require_safe
def home(request: HttpRequest, player: Player) -> HttpResponse:
    """The next thing to do, and what stands so far."""
    return _home(request, player)


def _clock(event: Event, rounds: list[Round], mine: MyMatch | None) -> dict[str, Any]:
    """The clock of the round, with what the player's own table has more."""
    clock = clock_of_latest(event, rounds)
    return {"clock": clock, "extension": clock.of_match(mine.match) if clock and mine else None}


def _home(request: HttpRequest, player: Player, *, status: int = 200, **extra: Any) -> HttpResponse:
    matches = my_matches.my_matches(player)
    line = my_line.my_line(player)
    closed = decklists.closed_because(player.event)
    rounds = published_rounds(player.event)
    judging = own_judging(player)
    task = selectors.next_task(
        player, matches, line, rounds, closed=closed, is_disqualified=judging.is_disqualified
    )
    form = CharacterForm(initial={"character": player.character})
    version = lists.current_version(player)
    context: dict[str, Any] = {
        "task": task,
        "matches": matches,
        "line": line,
        "buttons": _buttons(player, task.match),
        "report_form": ReportForm(initial={"match": task.match.match.pk} if task.match else None),
        "character_form": form,
        "version": version,
        "lists_closed": closed,
        "list_news": news_of(player),
        "standing": standing(version) if version else None,
        "champion": champion_of(player.event),
        **_clock(player.event, rounds, task.match),
        "rounds": rounds,
        "link": link_of(request, player),
        "shown": timezone.now(),
        "shows_opponents_list": _shows_list(player, task.match),
        "outlook": outlook(player.event, player) if matches else None,
        "judging": judging,
        "is_new": "new" in request.GET,
        "can_withdraw": player.event.phase in BEFORE_START and player.status != Player.Status.WITHDRAWN,
        "can_drop": player.event.is_playing and player.is_in,
        "may_decline": cuts.can_be_declined(player),
    }
    return show(request, player, "tournament/my_page/home.html", status=status, **{**context, **extra})


def _shows_list(player: Player, mine: MyMatch | None) -> bool:
    return mine is not None and mine.opponent is not None and may_see(mine.opponent, viewer=player)


def _buttons(player: Player, mine: MyMatch | None) -> list[selectors.Button]:
    if mine is None or mine.opponent is None:
        return []
    return selectors.score_buttons(player.event, is_elimination=mine.is_elimination)


@player_page
@require_http_methods(["GET", "HEAD", "POST"])
def report(request: HttpRequest, player: Player) -> HttpResponse:
    """Report my match: by one press, or in figures for anything unusual."""
    return _send_report(request, player, ReportForm)


@player_page
@require_POST
def confirm(request: HttpRequest, player: Player) -> HttpResponse:
    """Agree with what the opponent reported."""
    return _send_report(request, player, ConfirmForm)


def _send_report(request: HttpRequest, player: Player, kind: type[ReportForm]) -> HttpResponse:
    matches = my_matches.my_matches(player)
    current = matches[0] if matches else None
    form = kind(request.POST) if request.method == "POST" else None
    try:
        current = refuse_without_match(current)
        if form is not None and form.is_valid():
            played = form.report(player, current)
            messages.success(request, _said(played.is_finished))
            return redirect("player", player.token)
    except Conflict as conflict:
        say(request, conflict)
        return redirect("player", player.token)
    except Refused as refusal:
        if form is None or current is None or current.opponent is None:
            say(request, refusal)
            return redirect("player", player.token)
        _add_refusal(form, refusal)
    return _report_page(request, player, current, form)


def _said(is_finished: bool) -> str:
    return "The result stands." if is_finished else "Reported. It counts when your opponent says the same."


def _add_refusal(form: ReportForm, refusal: Refused) -> None:
    for problem in refusal.problems:
        form.add_error("draws" if problem.field == "draws" else None, problem.message)


def _report_page(
    request: HttpRequest, player: Player, current: MyMatch, form: ReportForm | None
) -> HttpResponse:
    context = {
        "match": current,
        "buttons": _buttons(player, current),
        "report_form": form or ReportForm(initial={"match": current.match.pk}, event=player.event),
    }
    return show(
        request,
        player,
        "tournament/my_page/report.html",
        status=422 if form and form.errors else 200,
        **context,
    )


@player_page
@require_http_methods(["GET", "HEAD", "POST"])
def character(request: HttpRequest, player: Player) -> HttpResponse:
    """Declare a character, or change it until round 1."""
    form = CharacterForm(request.POST or None, initial={"character": player.character})
    if request.method == "POST" and form.is_valid() and form.save(player):
        messages.success(request, f"You play {player.character}.")
        return redirect("player", player.token)
    return show(
        request,
        player,
        "tournament/my_page/character.html",
        character_form=form,
        status=422 if form.errors else 200,
    )


@player_page
@require_POST
def check_in(request: HttpRequest, player: Player) -> HttpResponse:
    """I am here."""
    actor = Actor.of_player(player)
    return take(request, player, lambda: registration.check_in(player, actor), "You are checked in.")


@player_page
@require_POST
def drop(request: HttpRequest, player: Player) -> HttpResponse:
    """Leave a running event, or come back while the Swiss rounds last."""
    actor = Actor.of_player(player)
    if request.POST.get("undo"):
        return take(
            request,
            player,
            lambda: registration.undo_drop(player, actor),
            "You are back in from the next round on.",
        )
    shown, current = request.POST.get("match"), drops.open_match_of(player)
    if shown and current is not None and str(current.pk) != shown:
        messages.info(request, "You have another match meanwhile. Look at it first, then drop if you want.")
        return redirect("player", player.token)
    reason = request.POST.get("reason", "").replace("\0", "").strip()[:200]
    running = drops.Running.WIN if request.POST.get("now") else drops.Running.PLAY
    return take(
        request,
        player,
        lambda: drops.drop(player, actor, reason=reason, running=running),
        "You have dropped.",
    )


@player_page
@require_POST
def cut(request: HttpRequest, player: Player) -> HttpResponse:
    """Leave one's place in the cut to the next player before it is made, or take that back."""
    declines = not request.POST.get("undo")
    said = "You leave your place to the next player." if declines else "You take part in the cut."
    actor = Actor.of_player(player)
    return take(request, player, lambda: cuts.decline_cut(player, actor, declined=declines), said)


@player_page
@require_POST
def withdraw(request: HttpRequest, player: Player) -> HttpResponse:
    """Give the place back before the start, or take that back."""
    actor = Actor.of_player(player)
    if request.POST.get("undo"):
        return take(request, player, lambda: registration.restore(player, actor), "You are registered again.")
    return take(request, player, lambda: registration.withdraw(player, actor), "You have withdrawn.")


@player_page
@require_safe
def qr(request: HttpRequest, player: Player) -> HttpResponse:
    """The private link as a QR code, one pixel a module; the page scales it up."""
    picture = BytesIO()
    segno.make(link_of(request, player), error="m", boost_error=False).save(
        picture, kind="png", scale=6, border=2
    )
    return HttpResponse(picture.getvalue(), content_type="image/png")


@player_page
@require_POST
def new_link(request: HttpRequest, player: Player) -> HttpResponse:
    """Replace the private link, when somebody else may have it."""
    token = links.renew(player, Actor.of_player(player))
    remember(request, player)
    messages.success(request, "This is your new private link. The old one leads nowhere now.")
    return redirect("player", token)
