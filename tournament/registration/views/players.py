"""Console pages of the players: the list, adding, check-in, details, drops, their lists."""

from __future__ import annotations

from collections.abc import Callable

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.views.decorators.http import require_http_methods, require_POST

from tournament.access import rights as permissions
from tournament.access.actor import Actor
from tournament.access.rights import Right
from tournament.brackets.selectors.playing_on import playing_on
from tournament.brackets.services import cut as cuts
from tournament.events.models.event import Event
from tournament.events.models.player import Player
from tournament.registration import player_rows as console
from tournament.registration import services as registration
from tournament.registration.forms.staff import PlayerForm, QuickForm
from tournament.registration.selectors import entered_words, likely_doubles
from tournament.registration.services import late_entry as late
from tournament.registration.services import private_links as links
from tournament.web.console_page import attempt, back, console_page, show
from tournament.web.locked_form import compared_under_lock


@console_page(Right.SEE)
@require_http_methods(["GET", "POST"])
def players(request: HttpRequest, event: Event) -> HttpResponse:
    """All players with what staff needs to know, and one line to add the next."""
    if request.method == "POST":
        return _add(request, event)
    return _show_players(request, event, PlayerForm(event=event), QuickForm(event=event))


def _show_players(request: HttpRequest, event: Event, form: PlayerForm, quick: QuickForm) -> HttpResponse:
    asked = {"q": request.GET.get("q", ""), "show": request.GET.get("show", "")}
    rows = console.player_rows(event, asked["q"], asked["show"])
    context = {"rows": rows, "form": form, "quick": quick, "doubles": likely_doubles(event), **asked}
    context["bracket"] = playing_on(event)
    return show(request, event, "tournament/registration/players.html", "players", **context)


def _add(request: HttpRequest, event: Event) -> HttpResponse:
    permissions.require(request.user, event, Right.PLAYERS)
    form = (QuickForm if "line" in request.POST else PlayerForm)(request.POST, event=event)
    if form.is_valid():
        actor = Actor.of_user(request.user)
        player = form.save(lambda values: registration.add_player(event, actor, **values))
        if player is not None:
            messages.success(request, _added(player))
            return redirect("console_players", event.slug)
    if isinstance(form, QuickForm):
        return _show_players(request, event, PlayerForm(event=event), form)
    return _show_players(request, event, form, QuickForm(event=event))


def _added(player: Player) -> str:
    words = f"{player.name} is number {player.number}"
    if player.status == Player.Status.WAITING:
        return f"{words}, on the waiting list."
    return f"{words} and {entered_words(player)}." if player.event.is_playing else f"{words}."


@console_page(Right.PLAYERS)
@require_http_methods(["GET", "HEAD", "POST"])
def doubles(request: HttpRequest, event: Event) -> HttpResponse:
    """Registrations that may be of one person, and making two of them one."""
    if request.method == "POST":
        kept, double = (_numbered(event, request.POST.get(name, "")) for name in ("kept", "double"))
        actor = Actor.of_user(request.user)
        attempt(
            request,
            lambda: registration.merge(kept, double, actor),
            f"{kept.name} stands in the list once now.",
        )
        return redirect("console_doubles", event.slug)
    people = event.players.exclude(status=Player.Status.WITHDRAWN).order_by("name", "number")
    context = {"pairs": likely_doubles(event), "people": people}
    return show(request, event, "tournament/registration/doubles.html", "players", **context)


def _numbered(event: Event, number: str) -> Player:
    known = int(number) if number.isascii() and number.isdecimal() and len(number) < 8 else 0
    return get_object_or_404(event.players, number=known)


@console_page(Right.SEE)
@require_http_methods(["GET", "POST"])
@compared_under_lock
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
    context = {"player": person, "form": form, "detail": detail, "bracket": playing_on(event)}
    return show(request, event, "tournament/registration/player.html", "players", **context)


Act = Callable[[Player, Actor, HttpRequest], object]
ACTIONS: dict[str, tuple[Act, str]] = {
    "check-in": (lambda p, a, r: registration.check_in(p, a), "{} is here."),
    "undo-check-in": (lambda p, a, r: registration.undo_check_in(p, a), "The check-in of {} is taken back."),
    "withdraw": (lambda p, a, r: registration.withdraw(p, a), "{} is withdrawn."),
    "restore": (lambda p, a, r: registration.restore(p, a), "{} is back."),
    "drop": (lambda p, a, r: registration.drop(p, a, reason=r.POST.get("reason", "")), "{} is dropped."),
    "undo-drop": (lambda p, a, r: registration.undo_drop(p, a), "{} is back."),
    "let-in": (
        lambda p, a, r: registration.let_in(p, a, missed=r.POST.get("missed", late.LOSS)),
        "{} plays from now on.",
    ),
    "paid": (lambda p, a, r: registration.mark_paid(p, a), "{} has paid."),
    "unpaid": (lambda p, a, r: registration.mark_paid(p, a, paid=False), "{} has not paid."),
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
    if attempt(request, lambda: do(person, actor, request)):
        messages.success(request, _done(action, person, done))
    return back(request, "console_players", event.slug)


def _done(action: str, person: Player, words: str) -> str:
    if action == "let-in" and person.is_in:
        return f"{person.name} {entered_words(person)}."
    return (_stands_otherwise(action, person) or words).format(person.name)


def _stands_otherwise(action: str, person: Player) -> str:
    """What to say of somebody who is not back after all, as a page may not know that opened it before."""
    if action not in ("restore", "undo-drop") or person.status == Player.Status.REGISTERED:
        return ""
    return "{} is on the waiting list." if person.status == Player.Status.WAITING else "{} has withdrawn."
