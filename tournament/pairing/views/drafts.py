"""The draft of a round in an organizer's hand: publish, pair again, swap, give the bye, choose a table."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect
from django.views.decorators.http import require_POST

from decks.shared.refusals import Refused
from tournament.access.actor import Actor
from tournament.access.rights import Right
from tournament.events.models.event import Event
from tournament.events.models.player import Player
from tournament.events.models.round import Round
from tournament.pairing.services import drafts, rounds
from tournament.web.console_page import attempt, console_page

Act = Callable[[Round, Actor, QueryDict], object]


@dataclass(frozen=True, slots=True)
class Picked:
    """What the first of two presses chose: a player who changes places, or a table whose match moves."""

    player: Player | None = None
    table: int | None = None


def picked(request: HttpRequest, shown: Round) -> Picked:
    """The first press, from the address; nothing where it names nobody."""
    number, table = _whole(request.GET.get("pick", "")), _whole(request.GET.get("table", ""))
    player = Player.objects.filter(seats__round=shown, number=number).first() if number else None
    is_there = table is not None and shown.matches.filter(table=table).exists()
    return Picked(player, table if is_there else None)


def _whole(text: str) -> int | None:
    """A whole number of a page's field; None for anything else, also where no such number can be."""
    return int(text) if text.isdecimal() and len(text) < 10 else None


def _number(sent: QueryDict, name: str) -> int:
    value = _whole(sent.get(name, "").strip())
    if value is None:
        raise Refused("not_a_number", f"“{sent.get(name, '')[:20]}” is not a number.", field=name)
    return value


ACTS: Mapping[str, tuple[Act, str]] = {
    "publish": (
        lambda d, a, sent: rounds.publish(d, a, confirmed=bool(sent.get("confirm")), seen=sent.get("seen")),
        "Round {} is published.",
    ),
    "again": (lambda d, a, sent: rounds.pair_again(d, a), "Round {} is paired again."),
    "throw-away": (lambda d, a, sent: rounds.throw_away(d, a), "The draft of round {} is gone."),
    "swap": (
        lambda d, a, sent: drafts.swap(d, a, _number(sent, "one"), _number(sent, "two")),
        "They have changed places.",
    ),
    "bye": (lambda d, a, sent: drafts.give_bye(d, a, _number(sent, "player")), "The bye is given."),
    "table": (
        lambda d, a, sent: drafts.seat_at(d, a, _number(sent, "table"), _number(sent, "wanted")),
        "The match has its table.",
    ),
    "take-back": (lambda d, a, sent: drafts.take_back(d, a), "The last change is taken back."),
}


@console_page(Right.PAIR)
@require_POST
def change(request: HttpRequest, event: Event, stage: int, number: int, action: str) -> HttpResponse:
    """One step of a draft."""
    if action not in ACTS:
        raise Http404
    found = Round.objects.select_related("stage__event")
    draft = get_object_or_404(found, stage__event=event, stage__position=stage, number=number)
    act, done = ACTS[action]
    actor = Actor.of_user(request.user)
    attempt(request, lambda: act(draft, actor, request.POST), done.format(number))
    still_there = Round.objects.filter(stage__event=event, stage__position=stage, number=number).exists()
    if action == "throw-away" or not still_there:
        return redirect("console_event", event.slug)
    return redirect("console_round", event.slug, stage, number)
