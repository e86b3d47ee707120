"""Console pages of check-in: the list at the door, the camera, who is missing."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from tournament.access.actor import Actor
from tournament.access.rights import Right
from tournament.events.models.event import Event
from tournament.events.models.player import Player
from tournament.registration import selectors
from tournament.registration import services as registration
from tournament.web.camera import with_camera
from tournament.web.console_page import attempt, console_page, show


@console_page(Right.PLAYERS)
@require_safe
def check_in(request: HttpRequest, event: Event) -> HttpResponse:
    """Everybody who is expected, one press each; narrowed by name or number."""
    query = request.GET.get("q", "").strip()[:80]
    door = selectors.at_the_door(event, query)
    return show(request, event, "tournament/registration/check_in.html", "check-in", door=door, q=query)


@console_page(Right.PLAYERS)
@require_http_methods(["GET", "HEAD", "POST"])
def scan(request: HttpRequest, event: Event) -> HttpResponse:
    """Check in by the camera, which reads the code of a badge, or by a typed number; then the next."""
    if request.method == "POST":
        _scanned(request, event)
        return redirect("console_scan", event.slug)
    return with_camera(
        show(
            request, event, "tournament/registration/scan.html", "check-in", door=selectors.at_the_door(event)
        )
    )


def _scanned(request: HttpRequest, event: Event) -> None:
    number = selectors.number_of(request.POST.get("code", ""), event)
    player = event.players.select_related("event").filter(number=number).first() if number else None

    def act() -> None:
        registration.check_in(selectors.found(player, request.POST.get("code", "")), _actor(request))

    attempt(request, act, f"{player.name} is here." if player else "")


@console_page(Right.PLAYERS)
@require_safe
def one(request: HttpRequest, event: Event, number: int) -> HttpResponse:
    """The player whose code was read by a phone: check in, or open his page."""
    person: Player = get_object_or_404(event.players, number=number)
    return show(request, event, "tournament/registration/check_in_one.html", "check-in", player=person)


@console_page(Right.PLAYERS)
@require_POST
def drop_missing(request: HttpRequest, event: Event) -> HttpResponse:
    """Drop everybody who is not checked in."""
    gone: list[int] = []
    log = reverse("console_log", args=[event.slug])
    if attempt(request, lambda: gone.append(registration.drop_missing(event, _actor(request)))):
        words = f"{gone[0]} dropped." if gone[0] else "Nobody is missing."
        _say(request, words, log if gone[0] else "")
    return redirect("console_check_in", event.slug)


def _say(request: HttpRequest, words: str, log: str) -> None:
    link: str | SafeString = format_html(' <a href="{}">Take it back in the log</a>', log) if log else ""
    messages.success(request, format_html("{}{}", words, link))


def _actor(request: HttpRequest) -> Actor:
    return Actor.of_user(request.user)
