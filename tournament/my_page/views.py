"""Pages behind a private link: next task, result, leaving, judge call, phone app."""

from __future__ import annotations

import json
from functools import partial
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import gettext
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from tournament.booster_drafts.selectors import find_seat_of
from tournament.brackets.services import cut as cuts
from tournament.clock.selectors import get_latest_clock
from tournament.decklists.open_lists import can_see_list
from tournament.decklists.services import lists as decklists
from tournament.engine.outlook.projections import Projection
from tournament.events.models.event import Event
from tournament.events.models.player import Player
from tournament.judging.selectors import open_call_of, player_judging
from tournament.judging.services import calls
from tournament.my_page import digests, page_rows, selectors
from tournament.my_page.board_rows import get_seat, remember_seat
from tournament.my_page.forms import CharacterForm, PlayerDetailsForm, ReportForm, fill_match_fields
from tournament.my_page.meanings import describe_meanings
from tournament.my_page.page_rows import PageRows
from tournament.my_page.registration_context import can_withdraw, registration_context
from tournament.my_page.report_views import load_report_context
from tournament.registration import services as registration
from tournament.registration.services import contact as links
from tournament.results.selectors import MyMatch
from tournament.results.services import drops
from tournament.standings.selectors.outlook import outlook_of_player
from tournament.web.player_page import (
    attempt_player_step,
    get_actor,
    player_page,
    remember_player,
    render_player_page,
)
from tournament.web.public_page import send_if_changed

Phase = Event.Phase

LIVE_HEADER = "X-Ringside-Live"


@partial(player_page, find_player=page_rows.find_player)
@require_safe
def home(request: HttpRequest, player: Player) -> HttpResponse:
    """Show a player what to do next, the matches so far and the standings."""
    if "new" in request.GET and get_actor(request, player).user is None:
        # A browser that opens the link of the first email is known from then on.
        remember_player(request, player)
    if "seat" in request.GET:
        remember_seat(request, player, request.GET["seat"])
    return _home_page(request, player)


@require_safe
def version(request: HttpRequest, token: str) -> HttpResponse:
    """Return a digest of what this player sees, for phones without a stream.

    The answer is 304 if it is unchanged.
    """
    current_version = digests.find_version(token)
    if current_version is None:
        raise Http404(gettext("No player has this private link."))
    player, event, number = current_version
    digest = digests.load_digests(event, number).by_player.get(player, "")
    answer = send_if_changed(request, JsonResponse({"version": number, "digest": digest}), digest)
    answer["Cache-Control"] = "private, no-cache"
    return answer


def _clock_context(event: Event, rows: PageRows, mine: MyMatch | None) -> dict[str, object]:
    """Return the clock of the round, with the extra time of the player's table."""
    clock = get_latest_clock(event, rows.rounds, entries=rows.clock_entries)
    if clock is None:
        return {"clock": None, "extension": None}
    extension = clock.of_match(mine.match) if mine else None
    return {"clock": clock, "clock_state": json.dumps(clock.to_json()), "extension": extension}


def _home_page(request: HttpRequest, player: Player, *, status: int = 200, **extra: Any) -> HttpResponse:
    rows = page_rows.load_page_rows(player)
    context: dict[str, object] = {
        "digest": rows.digests.by_player.get(player.pk, ""),
        "spread": rows.digests.question_spread,
        "shown_at": timezone.now(),
        **_play_context(player, rows, seat=get_seat(request, player)),
        **registration_context(request, player),
        "https_port": settings.HTTPS_PORT,
        # The part of an open page that is replaced is sent without its frame.
        "shell": "shells/live.html" if LIVE_HEADER in request.headers else "shells/player.html",
    }
    context.update(_say_one_thing(request, player, context))
    return render_player_page(
        request, player, "tournament/my_page/home.html", status=status, **{**context, **extra}
    )


def _play_context(player: Player, rows: PageRows, *, seat: str) -> dict[str, object]:
    """Return what to do next, and the player's matches, rank and chances.

    The match of the round is included.
    """
    event, matches = player.event, rows.matches
    judging = player_judging(player, has_rows=player.pk in rows.digests.judged_players)
    closed_reason = decklists.format_closed_reason(event)
    task = selectors.find_next_task(
        player,
        matches,
        rows.line,
        rows.rounds,
        why_closed=closed_reason,
        is_disqualified=judging.is_disqualified,
    )
    outlook = outlook_of_player(event, player) if matches and not player.declined_cut else None
    return {
        "task": task,
        "matches": matches,
        "line": rows.line,
        "rounds": rows.rounds,
        "ranks": rows.settled_ranks,
        "rank": rows.settled_ranks.ranks.get(player.pk),
        "judging": judging,
        "outlook": outlook,
        "meanings": _describe_meanings(player, outlook, task),
        "champion": rows.champion,
        "lists_closed": closed_reason,
        "shows_opponents_list": _shows_opponent_list(player, task.match),
        "report_form": ReportForm(initial=fill_match_fields(task.match)),
        "pod_seat": None if rows.rounds else find_seat_of(player),
        **load_report_context(player, task.match, seat),
        **_clock_context(event, rows, task.match),
    }


def _say_one_thing(request: HttpRequest, player: Player, context: dict[str, object]) -> dict[str, object]:
    """Return one message at a time.

    It is the weightiest answer to the last step. Without an answer, it is one notice.
    """
    answers = sorted(messages.get_messages(request), key=lambda answer: -answer.level)
    notice = "" if answers else _find_notice(request, player, context)
    return {"messages": answers[:1], "notice": notice}


def _find_notice(request: HttpRequest, player: Player, context: dict[str, object]) -> str:
    """Return what is most important to know besides the next task.

    `_notice.html` has the words of each notice.
    """
    later = getattr(context["standing"], "later", None)
    has_moved_up = player.moved_up_at is not None and player.status == Player.Status.REGISTERED
    if context["list_news"]:
        return "list_news"
    if later is not None and later.mends and can_withdraw(player):
        return "list_legal_again"
    if has_moved_up and can_withdraw(player):
        return "moved_up"
    return "new" if "new" in request.GET else ""


def _shows_opponent_list(player: Player, mine: MyMatch | None) -> bool:
    return mine is not None and mine.opponent is not None and can_see_list(mine.opponent, viewer=player)


def _describe_meanings(player: Player, outlook: Projection | None, task: selectors.PlayerTask) -> list[str]:
    """Return what the results of the match mean for the cut.

    There is nothing for tables of more than two sides.
    """
    if not task.has_seat or task.match is None or task.match.match.is_pod:
        return []
    return describe_meanings(player.event, outlook, task.match)


@player_page
@require_http_methods(["GET", "HEAD", "POST"])
def character(request: HttpRequest, player: Player) -> HttpResponse:
    """Declare a character, or change it until round 1."""
    form = CharacterForm(request.POST or None, event=player.event, initial={"character": player.character})
    if request.method == "POST" and form.is_valid() and form.save(player, get_actor(request, player)):
        messages.success(request, gettext("Your character: %(character)s.") % {"character": player.character})
        return redirect("player", player.token)
    return render_player_page(
        request,
        player,
        "tournament/my_page/character.html",
        character_form=form,
        status=422 if form.errors else 200,
    )


@player_page
@require_http_methods(["GET", "HEAD", "POST"])
def details(request: HttpRequest, player: Player) -> HttpResponse:
    """Change what registration asked the player beside name and address."""
    form = PlayerDetailsForm(request.POST or None, player=player)
    if not form.fields:
        raise Http404
    if request.method == "POST" and form.is_valid() and form.save(player, get_actor(request, player)):
        messages.success(request, gettext("Your details are saved."))
        return redirect("player", player.token)
    return render_player_page(
        request,
        player,
        "tournament/my_page/details.html",
        details_form=form,
        status=422 if form.errors else 200,
    )


@player_page
@require_POST
def check_in(request: HttpRequest, player: Player) -> HttpResponse:
    """Check the player in."""
    actor = get_actor(request, player)
    return attempt_player_step(
        request, player, lambda: registration.check_in(player, actor), gettext("You are checked in.")
    )


@player_page
@require_POST
def drop(request: HttpRequest, player: Player) -> HttpResponse:
    """Drop the player from a running event, or undo the drop.

    A drop can be undone while Swiss rounds are played.
    """
    actor = get_actor(request, player)
    if request.POST.get("undo"):
        return attempt_player_step(
            request,
            player,
            lambda: registration.undo_drop(player, actor),
            gettext("You play again from the next round."),
        )
    shown_match, current = request.POST.get("match"), drops.find_open_match(player)
    if shown_match and current is not None and str(current.pk) != shown_match:
        messages.info(request, gettext("You have a new match. Check it before you drop."))
        return redirect("player", player.token)
    reason = request.POST.get("reason", "").replace("\0", "").strip()[:200]
    open_match_policy = drops.OpenMatchPolicy.WIN if request.POST.get("now") else drops.OpenMatchPolicy.PLAY
    return attempt_player_step(
        request,
        player,
        lambda: drops.drop(player, actor, reason=reason, open_match_policy=open_match_policy),
        gettext("You have dropped."),
    )


@player_page
@require_POST
def decline_cut(request: HttpRequest, player: Player) -> HttpResponse:
    """Decline the place in the cut before the cut is made, or undo that."""
    declines = not request.POST.get("undo")
    message = gettext("You declined the cut.") if declines else gettext("You no longer decline the cut.")
    actor = get_actor(request, player)
    return attempt_player_step(
        request, player, lambda: cuts.decline_cut(player, actor, has_declined=declines), message
    )


@player_page
@require_POST
def withdraw(request: HttpRequest, player: Player) -> HttpResponse:
    """Withdraw before the start, or undo that."""
    actor = get_actor(request, player)
    if request.POST.get("undo"):
        return attempt_player_step(
            request,
            player,
            lambda: registration.undo_withdrawal(player, actor),
            gettext("You are registered again."),
        )
    return attempt_player_step(
        request, player, lambda: registration.withdraw(player, actor), gettext("You have withdrawn.")
    )


@player_page
@require_POST
def new_link(request: HttpRequest, player: Player) -> HttpResponse:
    """Replace the private link, for example if someone else may have it."""
    token = links.renew_private_link(player, get_actor(request, player))
    remember_player(request, player)
    messages.success(request, gettext("This is your new private link. The old link no longer works."))
    return redirect("player", token)


@player_page
@require_POST
def call_judge(request: HttpRequest, player: Player) -> HttpResponse:
    """Call a judge to the player's table, or close the call."""
    actor = get_actor(request, player)
    if not request.POST.get("off"):
        topic, words = (request.POST.get(name, "").replace("\x00", "").strip() for name in ("topic", "words"))
        return attempt_player_step(
            request,
            player,
            lambda: calls.call_judge(player, actor, topic=topic, words=words),
            gettext("You called a judge. Stay at your table."),
        )
    open_call = open_call_of(player)
    if open_call is None:
        return attempt_player_step(request, player, lambda: None, gettext("No judge is on the way."))
    return attempt_player_step(
        request, player, lambda: calls.resolve_call(open_call, actor), gettext("Call canceled.")
    )
