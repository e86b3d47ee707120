"""Pages behind a private link: next task, result, leaving, judge call, phone app."""

from __future__ import annotations

from contextlib import nullcontext
from pathlib import Path
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.templatetags.static import static
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import get_language, gettext
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from decks.shared.refusals import Conflict, Refused
from decks.submissions.selectors import current_verdict
from tournament.access.player_details import own_fields, read_answers
from tournament.brackets.selectors.bracket import champion_of_event
from tournament.brackets.services import cut as cuts
from tournament.clock.selectors import get_latest_clock
from tournament.decklists import selectors as decklists_selectors
from tournament.decklists.open_lists import can_see_list
from tournament.decklists.selectors import unanswered_changes
from tournament.decklists.services import lists as decklists
from tournament.events.models.event import Event
from tournament.events.models.player import Player
from tournament.events.models.round import Round
from tournament.events.selectors import get_published_rounds
from tournament.judging.selectors import open_call_of, player_judging
from tournament.judging.services import calls
from tournament.languages.choice import find_language, speak
from tournament.my_page import selectors
from tournament.my_page.forms import CharacterForm, ConfirmForm, DetailsForm, ReportForm, require_match
from tournament.registration import services as registration
from tournament.registration.services import contact as links
from tournament.results import selectors as results_selectors
from tournament.results.selectors import MyMatch
from tournament.results.services import drops
from tournament.shared.links import make_scaled_qr_png
from tournament.standings.selectors import player as selectors_player
from tournament.standings.selectors.outlook import outlook_of_player
from tournament.web.player_page import (
    attempt_player_step,
    get_actor,
    player_page,
    remember_player,
    render_player_page,
)
from tournament.web.refusals import show_refusal

Phase = Event.Phase

BEFORE_START = (Phase.PREPARING, Phase.REGISTRATION, Phase.CHECK_IN)


@player_page
@require_safe
def home(request: HttpRequest, player: Player) -> HttpResponse:
    """Show a player what to do next, the matches so far and the standings."""
    if "new" in request.GET and get_actor(request, player).user is None:
        # Whoever comes by the link in the first mail is known in this browser from now on.
        remember_player(request, player)
    return _home_page(request, player)


def _clock_context(event: Event, rounds: list[Round], mine: MyMatch | None) -> dict[str, object]:
    """The clock of the round, with the extra time of the player's table."""
    clock = get_latest_clock(event, rounds)
    return {"clock": clock, "extension": clock.of_match(mine.match) if clock and mine else None}


def _home_page(request: HttpRequest, player: Player, *, status: int = 200, **extra: Any) -> HttpResponse:
    matches = results_selectors.list_my_matches(player)
    line = selectors_player.line_of_player(player)
    closed = decklists.format_closed_reason(player.event)
    rounds = get_published_rounds(player.event)
    judging = player_judging(player)
    task = selectors.find_next_task(
        player, matches, line, rounds, closed=closed, is_disqualified=judging.is_disqualified
    )
    form = CharacterForm(event=player.event, initial={"character": player.character})
    version = decklists_selectors.current_version(player)
    context: dict[str, object] = {
        "task": task,
        "matches": matches,
        "line": line,
        "buttons": _buttons(player, task.match),
        "report_form": ReportForm(initial={"match": task.match.match.pk} if task.match else None),
        "character_form": form,
        "answers": read_answers(player.details, own_fields(player.event.game)),
        "version": version,
        "lists_closed": closed,
        "list_news": unanswered_changes(player),
        "standing": current_verdict(version) if version else None,
        "champion": champion_of_event(player.event),
        **_clock_context(player.event, rounds, task.match),
        "rounds": rounds,
        "link": links.build_private_link(request, player),
        "shown": timezone.now(),
        "shows_opponents_list": _shows_opponent_list(player, task.match),
        "outlook": outlook_of_player(player.event, player) if matches else None,
        "judging": judging,
        "is_new": "new" in request.GET,
        "can_withdraw": player.event.phase in BEFORE_START and player.status != Player.Status.WITHDRAWN,
        "can_drop": player.event.is_playing and player.is_in,
        "may_decline": cuts.can_decline_cut(player),
    }
    return render_player_page(
        request, player, "tournament/my_page/home.html", status=status, **{**context, **extra}
    )


def _shows_opponent_list(player: Player, mine: MyMatch | None) -> bool:
    return mine is not None and mine.opponent is not None and can_see_list(mine.opponent, viewer=player)


def _buttons(player: Player, mine: MyMatch | None) -> list[selectors.ScoreButton]:
    if mine is None or mine.opponent is None:
        return []
    return selectors.list_score_buttons(player.event, is_elimination=mine.is_elimination)


@player_page
@require_http_methods(["GET", "HEAD", "POST"])
def report(request: HttpRequest, player: Player) -> HttpResponse:
    """Report the result of the player's match by a button, or by numbers if it is unusual."""
    return _send_report(request, player, ReportForm)


@player_page
@require_POST
def confirm(request: HttpRequest, player: Player) -> HttpResponse:
    """Confirm the result that the opponent reported."""
    return _send_report(request, player, ConfirmForm)


def _send_report(request: HttpRequest, player: Player, kind: type[ReportForm]) -> HttpResponse:
    matches = results_selectors.list_my_matches(player)
    current = matches[0] if matches else None
    form = kind(request.POST, event=player.event) if request.method == "POST" else None
    try:
        current = require_match(current)
        if form is not None and form.is_valid():
            played = form.report(player, current, get_actor(request, player))
            if played.is_finished:
                messages.success(request, gettext("The result is confirmed."))
            return redirect("player", player.token)
    except Conflict as conflict:
        show_refusal(request, conflict)
        return redirect("player", player.token)
    except Refused as refusal:
        if form is None or current is None or current.opponent is None:
            show_refusal(request, refusal)
            return redirect("player", player.token)
        _add_refusal(form, refusal)
    return _report_page(request, player, current, form)


def _add_refusal(form: ReportForm, refusal: Refused) -> None:
    for problem in refusal.problems:
        form.add_error(problem.field if problem.field in form.fields else None, problem.message)


def _report_page(
    request: HttpRequest, player: Player, current: MyMatch, form: ReportForm | None
) -> HttpResponse:
    context = {
        "match": current,
        "buttons": _buttons(player, current),
        "report_form": form or ReportForm(initial={"match": current.match.pk}, event=player.event),
    }
    return render_player_page(
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
    form = DetailsForm(request.POST or None, player=player)
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
    """Drop the player from a running event, or undo the drop while Swiss rounds are played."""
    actor = get_actor(request, player)
    if request.POST.get("undo"):
        return attempt_player_step(
            request,
            player,
            lambda: registration.undo_drop(player, actor),
            gettext("You play again from the next round."),
        )
    shown, current = request.POST.get("match"), drops.find_open_match(player)
    if shown and current is not None and str(current.pk) != shown:
        messages.info(request, gettext("You have a new match. Check it before you drop."))
        return redirect("player", player.token)
    reason = request.POST.get("reason", "").replace("\0", "").strip()[:200]
    running = drops.OpenMatchPolicy.WIN if request.POST.get("now") else drops.OpenMatchPolicy.PLAY
    return attempt_player_step(
        request,
        player,
        lambda: drops.drop(player, actor, reason=reason, running=running),
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
        request, player, lambda: cuts.decline_cut(player, actor, declined=declines), message
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
@require_safe
def private_link_qr(request: HttpRequest, player: Player) -> HttpResponse:
    """The private link as a QR code, one pixel a module; the page scales it up."""
    link = links.build_private_link(request, player)
    return HttpResponse(make_scaled_qr_png(link), content_type="image/png")


@player_page
@require_POST
def new_link(request: HttpRequest, player: Player) -> HttpResponse:
    """Replace the private link, for example if somebody else may have it."""
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
        words = request.POST.get("words", "").replace("\x00", "")
        return attempt_player_step(
            request,
            player,
            lambda: calls.call_judge(player, actor, words=words),
            gettext("You called a judge. Stay at your table."),
        )
    open_call = open_call_of(player)
    if open_call is None:
        return attempt_player_step(request, player, lambda: None, gettext("No judge is on the way."))
    return attempt_player_step(
        request, player, lambda: calls.resolve_call(open_call, actor), gettext("Call canceled.")
    )


SERVICE_WORKER_FILE = Path(__file__).parents[1] / "static" / "ringside" / "my_page" / "worker.js"

APP_SCOPE = "/p/"

APP_ICONS = (("icon-192.png", "192x192", "any"), ("icon-512.png", "512x512", "any"))

MASKABLE_ICON = ("icon-maskable-512.png", "512x512", "maskable")

BAR_COLOR = "#12161d"


@require_safe
def service_worker(request: HttpRequest) -> HttpResponse:
    """The service worker. Its address is at the root, so it can serve the private pages below `/p/`."""
    answer = HttpResponse(SERVICE_WORKER_FILE.read_bytes(), content_type="text/javascript; charset=utf-8")
    answer["Cache-Control"] = "no-cache"
    return answer


@require_safe
def offline_page(request: HttpRequest) -> HttpResponse:
    """The page that the service worker shows if there is no network and no cached page.

    It speaks the language that the worker names, that of the page which was opened last.
    """
    language = find_language(request.GET.get("language", ""))
    with speak(language) if language else nullcontext():
        answer = render(request, "offline.html")
        answer["Content-Language"] = get_language() or settings.LANGUAGE_CODE
        return answer


@player_page
@require_safe
def app_manifest(request: HttpRequest, player: Player) -> HttpResponse:
    """The web app manifest of the player's page. It contains the private link."""
    home = reverse("player", args=[player.token])
    icons = [
        {"src": static(f"ringside/icons/{name}"), "sizes": sizes, "type": "image/png", "purpose": purpose}
        for name, sizes, purpose in (*APP_ICONS, MASKABLE_ICON)
    ]
    described = {
        "name": f"{player.event.name}: {player.name}",
        "short_name": player.event.name[:24],
        "id": home,
        "start_url": home,
        "scope": APP_SCOPE,
        "display": "standalone",
        "background_color": BAR_COLOR,
        "theme_color": BAR_COLOR,
        "icons": icons,
    }
    return JsonResponse(described, content_type="application/manifest+json")
