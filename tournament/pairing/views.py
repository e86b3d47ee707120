"""Pairing pages: rounds and drafts in the console, public pairings and matches."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext, gettext_lazy
from django.views.decorators.http import require_http_methods, require_POST

from decks.shared.refusals import Refused
from tournament.access.permissions import Actor, Right
from tournament.clock.selectors import get_round_clock
from tournament.events import selectors
from tournament.events.models.event import Event
from tournament.events.models.round import Round
from tournament.pairing.draft_page import parse_whole_number
from tournament.pairing.forms import PlayerPairingForm
from tournament.pairing.selectors import pairings
from tournament.pairing.selectors.drafts import find_draft_notice
from tournament.pairing.selectors.pairings import explain_pairing
from tournament.pairing.services import drafts, rounds
from tournament.pairing.services.warming import request_warm_round
from tournament.shared.links import get_base_url
from tournament.web.board_fields import list_boards
from tournament.web.console_page import attempt_step, console_page, lock_row_on_post, render_console_page
from tournament.web.page_query import read_choice
from tournament.web.public_page import PageContext, choose_round, public_page
from tournament.web.refusals import show_refusal

if TYPE_CHECKING:
    from django.utils.functional import _StrOrPromise as StrOrPromise

DraftAction = Callable[[Round, Actor, QueryDict], object]


def _read_number(query: QueryDict, name: str) -> int:
    value = parse_whole_number(query.get(name, "").strip())
    if value is None:
        raise Refused("not_a_number", field=name, text=query.get(name, "")[:20])
    return value


DRAFT_ACTIONS: Mapping[str, tuple[DraftAction, StrOrPromise]] = {
    "publish": (
        lambda d, a, post_data: rounds.publish_round(
            d, a, is_confirmed=bool(post_data.get("confirm")), seen_mark=post_data.get("seen")
        ),
        gettext_lazy("Round %(round)s is published."),
    ),
    "again": (
        lambda d, a, post_data: rounds.pair_round_again(d, a),
        gettext_lazy("Round %(round)s is re-paired."),
    ),
    "throw-away": (
        lambda d, a, post_data: rounds.delete_draft(d, a),
        gettext_lazy("The draft of round %(round)s is discarded."),
    ),
    "swap": (
        lambda d, a, post_data: drafts.swap_players(
            d, a, _read_number(post_data, "one"), _read_number(post_data, "two")
        ),
        gettext_lazy("Players swapped."),
    ),
    "bye": (
        lambda d, a, post_data: drafts.give_bye(d, a, _read_number(post_data, "player")),
        gettext_lazy("The bye is given."),
    ),
    "table": (
        lambda d, a, post_data: drafts.move_to_table(
            d, a, _read_number(post_data, "table"), _read_number(post_data, "wanted")
        ),
        gettext_lazy("Match moved."),
    ),
    "seat": (
        lambda d, a, post_data: drafts.move_to_other_table(
            d, a, _read_number(post_data, "one"), _read_number(post_data, "table")
        ),
        gettext_lazy("Player moved."),
    ),
    "take-back": (lambda d, a, post_data: drafts.undo_last_change(d, a), gettext_lazy("Last change undone.")),
}


@console_page(Right.PAIR)
@require_POST
def change_draft(request: HttpRequest, event: Event, stage: int, number: int, action: str) -> HttpResponse:
    """Change a draft: swap, move, undo, publish or discard."""
    if action not in DRAFT_ACTIONS:
        raise Http404
    drafts_query = Round.objects.select_related("stage__event")
    draft = get_object_or_404(drafts_query, stage__event=event, stage__position=stage, number=number)
    change, success_message = DRAFT_ACTIONS[action]
    actor = Actor.of_user(request.user)
    is_changed = attempt_step(
        request, lambda: change(draft, actor, request.POST), success_message % {"round": number}
    )
    if action == "publish" and is_changed:
        request_warm_round(draft, actor, get_base_url(request))
    still_there = Round.objects.filter(stage__event=event, stage__position=stage, number=number).exists()
    if action == "throw-away" or not still_there:
        return redirect("console_event", event.slug)
    return redirect("console_round", event.slug, stage, number)


@console_page(Right.PAIR)
@require_POST
def pair_round(request: HttpRequest, event: Event) -> HttpResponse:
    """Pair the round of the submitted number."""
    number = request.POST.get("number", "")
    round_number = int(number) if number.isdecimal() else None
    try:
        draft = rounds.pair_next_round(event, Actor.of_user(request.user), number=round_number)
    except Refused as refusal:
        show_refusal(request, refusal)
        return redirect("console_event", event.slug)
    return redirect("console_round", event.slug, draft.stage.position, draft.number)


@console_page(Right.PLAYERS)
@require_http_methods(["GET", "POST"])
@lock_row_on_post
def edit_player_facts(request: HttpRequest, event: Event, number: int) -> HttpResponse:
    """Edit the facts of a player that pairing uses."""
    player = get_object_or_404(event.players.select_related("event"), number=number)
    form = PlayerPairingForm(request.POST or None, player=player)
    has_saved = None
    if request.method == "POST" and form.is_valid():
        has_saved = form.save(Actor.of_user(request.user))
    if has_saved is not None:
        messages.success(request, gettext("Pairing preferences saved."))
        return redirect("console_player", event.slug, player.number)
    context = {"player": player, "form": form, "draft": find_draft_notice(event)}
    return render_console_page(request, event, "tournament/pairing/player_pairing.html", "players", **context)


@public_page("pairings")
def public_match(request: HttpRequest, event: Event, context: PageContext, match_id: int) -> HttpResponse:
    """Explain why two players were paired."""
    explanation = explain_pairing(event, match_id)
    if explanation is None:
        raise Http404(gettext("This table is not published."))
    extra = {"meeting": explanation, "seats": list_boards(explanation.match)}
    return render(request, "tournament/pairing/public_match.html", {**context, **extra})


@public_page("pairings")
def public_pairings(
    request: HttpRequest,
    event: Event,
    context: PageContext,
    number: int | None = None,
) -> HttpResponse:
    """Show the pairings of a Swiss round by table or by name, with a search."""
    swiss = selectors.exclude_bracket_rounds(context["rounds"])
    round_ = choose_round(swiss, number)
    every = pairings.list_pairings(round_) if round_ else []
    if round_ is not None:
        round_.stage.event = event
    by = read_choice(request, "by", ("table", "name")) or "table"
    query = request.GET.get("q", "").strip()[:80]
    found_pairings = pairings.search_pairings(every, query)
    extra = {
        "swiss": swiss,
        "round_": round_,
        "clock": get_round_clock(round_) if round_ else None,
        "query": query,
        "by": by,
        "tables": found_pairings,
        "seatings": pairings.list_by_player(event, found_pairings) if by == "name" else [],
        "finished_count": sum(not table.is_open for table in every),
        "total": len(every),
    }
    return render(request, "tournament/pairing/public_pairings.html", {**context, **extra})
