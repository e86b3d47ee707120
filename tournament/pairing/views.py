"""Pairing pages: rounds and drafts in the console, public pairings and matches."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext, gettext_lazy
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from decks.shared.refusals import Refused
from tournament.access import permissions
from tournament.access.permissions import Actor, Right
from tournament.clock.selectors import get_round_clock
from tournament.events import selectors
from tournament.events import selectors as events_selectors
from tournament.events.models.event import Event, Stage
from tournament.events.models.player import Player
from tournament.events.models.round import Round
from tournament.pairing.forms import PlayerPairingForm
from tournament.pairing.selectors import pairings
from tournament.pairing.selectors.drafts import (
    find_draft_notice,
    fingerprint_draft,
    list_resting_players,
    load_draft_view,
)
from tournament.pairing.selectors.pairings import explain_pairing
from tournament.pairing.services import drafts, rounds
from tournament.web.console_page import attempt_step, console_page, lock_row_on_post, render_console_page
from tournament.web.page_query import read_choice
from tournament.web.public_page import PageContext, choose_round, public_page
from tournament.web.refusals import show_refusal

if TYPE_CHECKING:
    from django.utils.functional import _StrOrPromise as StrOrPromise

DraftAction = Callable[[Round, Actor, QueryDict], object]


@dataclass(frozen=True, slots=True)
class DraftSelection:
    """The first of two choices in a draft: a player to swap, or a match to move to another table."""

    player: Player | None = None
    table: int | None = None


def read_draft_selection(request: HttpRequest, draft: Round) -> DraftSelection:
    """Read the first choice from the address; empty if there is none."""
    number, table = (
        _parse_whole_number(request.GET.get("pick", "")),
        _parse_whole_number(request.GET.get("table", "")),
    )
    player = Player.objects.filter(seats__round=draft, number=number).first() if number else None
    is_there = table is not None and draft.matches.filter(table=table).exists()
    return DraftSelection(player, table if is_there else None)


def _parse_whole_number(text: str) -> int | None:
    """A whole number of a page's field; None for anything else, also where no such number can be."""
    return int(text) if text.isdecimal() and len(text) < 10 else None


def _read_number(query: QueryDict, name: str) -> int:
    value = _parse_whole_number(query.get(name, "").strip())
    if value is None:
        raise Refused("not_a_number", field=name, text=query.get(name, "")[:20])
    return value


DRAFT_ACTIONS: Mapping[str, tuple[DraftAction, StrOrPromise]] = {
    "publish": (
        lambda d, a, sent: rounds.publish_round(
            d, a, confirmed=bool(sent.get("confirm")), seen=sent.get("seen")
        ),
        gettext_lazy("Round %(round)s is published."),
    ),
    "again": (
        lambda d, a, sent: rounds.pair_round_again(d, a),
        gettext_lazy("Round %(round)s is re-paired."),
    ),
    "throw-away": (
        lambda d, a, sent: rounds.delete_draft(d, a),
        gettext_lazy("The draft of round %(round)s is discarded."),
    ),
    "swap": (
        lambda d, a, sent: drafts.swap_players(d, a, _read_number(sent, "one"), _read_number(sent, "two")),
        gettext_lazy("Players swapped."),
    ),
    "bye": (
        lambda d, a, sent: drafts.give_bye(d, a, _read_number(sent, "player")),
        gettext_lazy("The bye is given."),
    ),
    "table": (
        lambda d, a, sent: drafts.move_to_table(
            d, a, _read_number(sent, "table"), _read_number(sent, "wanted")
        ),
        gettext_lazy("Match moved."),
    ),
    "take-back": (lambda d, a, sent: drafts.undo_last_change(d, a), gettext_lazy("Last change undone.")),
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
    attempt_step(request, lambda: change(draft, actor, request.POST), success_message % {"round": number})
    still_there = Round.objects.filter(stage__event=event, stage__position=stage, number=number).exists()
    if action == "throw-away" or not still_there:
        return redirect("console_event", event.slug)
    return redirect("console_round", event.slug, stage, number)


def _get_round(event: Event, stage: int, number: int) -> Round:
    rounds_of = Round.objects.select_related("stage__event").filter(stage__event=event)
    return get_object_or_404(rounds_of, stage__position=stage, number=number)


@console_page(Right.SEE)
@require_GET
def show_round(request: HttpRequest, event: Event, stage: int, number: int) -> HttpResponse:
    """Show a round: its draft, or its tables with results."""
    round_ = _get_round(event, stage, number)
    only_open = read_choice(request, "show", ("playing",)) == "playing"
    context = {
        "round": round_,
        "view": pairings.load_round_view(round_, only_open=only_open),
        "only_open": only_open,
        "all_rounds": events_selectors.get_rounds(event),
        "clock": get_round_clock(round_),
        **(_draft_context(request, round_) if round_.is_draft else {}),
    }
    return render_console_page(request, event, "tournament/pairing/round.html", "rounds", **context)


def _draft_context(request: HttpRequest, shown: Round) -> dict[str, object]:
    """The context of a draft page besides the tables."""
    draft = load_draft_view(shown)
    may_pair = permissions.has_right(request.user, shown.stage.event, Right.PAIR)
    rows = pairings.load_round_view(shown).rows
    return {
        "draft": draft,
        "draft_mark": fingerprint_draft(shown),
        "draft_rows": [(row, draft.by_match.get(row.match.pk, [])) for row in rows],
        "picked": read_draft_selection(request, shown),
        "can_change": may_pair and shown.stage.kind != Stage.Kind.ROBIN,
        "resting": list_resting_players(shown),
    }


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
    return render(request, "tournament/pairing/public_match.html", {**context, "meeting": explanation})


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
        "shown": round_,
        "clock": get_round_clock(round_) if round_ else None,
        "query": query,
        "by": by,
        "tables": found_pairings,
        "seatings": pairings.list_by_player(found_pairings) if by == "name" else [],
        "finished": sum(not table.is_open for table in every),
        "total": len(every),
    }
    return render(request, "tournament/pairing/public_pairings.html", {**context, **extra})
