"""Console pages of the players: the list, adding, check-in, details, drops, their lists."""

from __future__ import annotations

from collections.abc import Callable

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.views.decorators.http import require_http_methods, require_POST

from tournament import permissions
from tournament.forms.players import PlayerForm
from tournament.models import Event, Player
from tournament.permissions import Right
from tournament.selectors import console
from tournament.services import cuts, links, registration
from tournament.services.actor import Actor
from tournament.views.console.access import attempt, back, console_page, show


@console_page(Right.SEE)
@require_http_methods(["GET", "POST"])
def players(request: HttpRequest, event: Event) -> HttpResponse:
    """All players with what staff needs to know, and one line to add the next."""
    if request.method == "POST":
        return _add(request, event)
    return _show_players(request, event, PlayerForm(event=event))


def _show_players(request: HttpRequest, event: Event, form: PlayerForm) -> HttpResponse:
    asked = {"q": request.GET.get("q", ""), "show": request.GET.get("show", "")}
    rows = console.player_rows(event, asked["q"], asked["show"])
    return show(request, event, "players.html", "players", rows=rows, form=form, **asked)


def _add(request: HttpRequest, event: Event) -> HttpResponse:
    permissions.require(request.user, event, Right.PLAYERS)
    form = PlayerForm(request.POST, event=event)
    if form.is_valid():
        player = form.save(
            lambda values: registration.add_player(event, Actor.of_user(request.user), **values)
        )
        if player is not None:
            messages.success(request, f"{player.name} is number {player.number}.")
            return redirect("console_players", event.slug)
    return _show_players(request, event, form)


@console_page(Right.SEE)
@require_http_methods(["GET", "POST"])
def player(request: HttpRequest, event: Event, number: int) -> HttpResponse:
    """One player: details, private link and its code, list and its verdict, matches."""
    person = get_object_or_404(event.players, number=number)
    form = PlayerForm(request.POST or None, event=event, player=person)
    if request.method == "POST":
        permissions.require(request.user, event, Right.PLAYERS)
        actor = Actor.of_user(request.user)
        if form.is_valid() and form.save(
            lambda values: registration.change_details(person, actor, **values) or person
        ):
            messages.success(request, "Changed.")
            return redirect("console_player", event.slug, person.number)
    detail = console.player_detail(event, person)
    return show(request, event, "player.html", "players", player=person, form=form, detail=detail)


Act = Callable[[Player, Actor, HttpRequest], object]
ACTIONS: dict[str, tuple[Act, str]] = {
    "check-in": (lambda p, a, r: registration.check_in(p, a), "{} is here."),
    "undo-check-in": (lambda p, a, r: registration.undo_check_in(p, a), "The check-in of {} is taken back."),
    "withdraw": (lambda p, a, r: registration.withdraw(p, a), "{} is withdrawn."),
    "restore": (lambda p, a, r: registration.restore(p, a), "{} is back."),
    "drop": (lambda p, a, r: registration.drop(p, a, reason=r.POST.get("reason", "")), "{} is dropped."),
    "undo-drop": (lambda p, a, r: registration.undo_drop(p, a), "{} is back."),
    "new-link": (lambda p, a, r: links.renew(p, a), "{} has a new private link; the old one leads nowhere."),
    "send-link": (lambda p, a, r: links.send(p, a), "The private link is on its way to {}."),
    "decline-cut": (lambda p, a, r: cuts.decline_cut(p, a), "{} declines a place in the cut."),
    "accept-cut": (
        lambda p, a, r: cuts.decline_cut(p, a, declined=False),
        "{} would take a place in the cut.",
    ),
}


@console_page(Right.PLAYERS)
@require_POST
def act(request: HttpRequest, event: Event, number: int, action: str) -> HttpResponse:
    """One button of one player."""
    person = get_object_or_404(event.players.select_related("event"), number=number)
    if action not in ACTIONS:
        raise Http404
    do, done = ACTIONS[action]
    actor = Actor.of_user(request.user)
    attempt(request, lambda: do(person, actor, request), done.format(person.name))
    return back(request, "console_players", event.slug)
