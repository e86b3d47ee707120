"""Console pages of players: search, details, check-in, duplicates, CSV."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from urllib.parse import urlencode

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.html import format_html
from django.utils.translation import gettext, gettext_lazy, ngettext
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from decks.shared.refusals import Refused
from decks.shared.wording import say_reason
from tournament.access import permissions
from tournament.access.permissions import Actor, Right
from tournament.access.player_details import attach_answers, readable_fields
from tournament.brackets.selectors.bracket import load_stage_players
from tournament.brackets.services import cut as cut_services
from tournament.entry_line.responses import WayOut, answer_entry, is_entry_request
from tournament.events.models.event import Event
from tournament.events.models.player import Player
from tournament.events.name_order import sort_players
from tournament.events.names import EventNames
from tournament.pairing.selectors.drafts import find_draft_notice
from tournament.registration import selectors
from tournament.registration import services as registration
from tournament.registration.forms import PlayerForm, QuickEntryForm, read_missed_rounds
from tournament.registration.late_entries import describe_added_player, describe_admitted_player
from tournament.registration.returns import list_return_effects
from tournament.registration.selectors import likely_duplicates
from tournament.registration.services import contact, entry
from tournament.registration.services.contact import build_private_link
from tournament.registration.services.entry import EntryValues
from tournament.web.console_page import (
    allow_camera,
    attempt_step,
    console_page,
    get_request_rights,
    lock_row_on_post,
    redirect_back,
    render_console_page,
)
from tournament.web.page_query import read_choice
from tournament.web.refusals import show_refusal


@console_page(Right.SEE)
@require_http_methods(["GET", "POST"])
def players(request: HttpRequest, event: Event) -> HttpResponse:
    """Show all players, and a line to add one."""
    if request.method == "POST":
        return _add_player(request, event)
    return _show_players(request, event, PlayerForm(event=event), QuickEntryForm(event=event))


def _show_players(
    request: HttpRequest, event: Event, form: PlayerForm, quick: QuickEntryForm
) -> HttpResponse:
    search = {"q": request.GET.get("q", ""), "show": read_choice(request, "show", selectors.SHOWN_PLAYERS)}
    rows = selectors.search_players(event, search["q"], search["show"])
    fields = readable_fields(event.game, get_request_rights(request, event))
    attach_answers(rows, fields)
    context = {"rows": rows, "form": form, "quick": quick, "doubles": likely_duplicates(event), **search}
    context["bracket"], context["draft"] = load_stage_players(event), find_draft_notice(event)
    return render_console_page(request, event, "tournament/registration/players.html", "players", **context)


def _add_player(request: HttpRequest, event: Event) -> HttpResponse:
    permissions.require_right(request.user, event, Right.PLAYERS)
    if is_entry_request(request):
        return answer_entry(request, event, lambda: _add_walk_in(request, event), _find_walk_in_ways)
    form = (QuickEntryForm if "line" in request.POST else PlayerForm)(request.POST, event=event)
    if form.is_valid():
        actor = Actor.of_user(request.user)
        missed_rounds = read_missed_rounds(form)
        player = form.save(
            lambda values: registration.add_player(event, actor, missed_handling=missed_rounds, **values)
        )
        if player is not None:
            messages.success(request, describe_added_player(player))
            return redirect("console_players", event.slug)
    if isinstance(form, QuickEntryForm):
        return _show_players(request, event, PlayerForm(event=event), form)
    return _show_players(request, event, form, QuickEntryForm(event=event))


def _add_walk_in(request: HttpRequest, event: Event) -> str:
    """Add the player of a typed line with the answers given so far.

    Returns where the player is.
    """
    form = QuickEntryForm(request.POST, event=event)
    entry = form.entry()
    missed_rounds = read_missed_rounds(form)
    player = registration.add_player(
        event, Actor.of_user(request.user), missed_handling=missed_rounds, **entry
    )
    return describe_added_player(player)


def _find_walk_in_ways(refusal: Refused) -> Iterator[WayOut]:
    if {problem.code for problem in refusal.problems} == {"same_name"}:
        yield WayOut(gettext("Add as another person"), values={"is_namesake": "on"})


@console_page(Right.PLAYERS)
@require_http_methods(["GET", "HEAD", "POST"])
def duplicates(request: HttpRequest, event: Event) -> HttpResponse:
    """Show possible duplicate registrations, and merge two of them."""
    if request.method == "POST":
        permissions.require_right(request.user, event, Right.LINKS)
        player_to_keep, double = (
            _player_by_number(event, request.POST.get(name, "")) for name in ("kept", "double")
        )
        actor = Actor.of_user(request.user)
        attempt_step(
            request,
            lambda: registration.merge_players(player_to_keep, double, actor),
            gettext("The registrations of %(player)s are merged.") % {"player": player_to_keep.name},
        )
        return redirect("console_doubles", event.slug)
    players_listed = sort_players(event, event.players.exclude(status=Player.Status.WITHDRAWN))
    context = {"pairs": likely_duplicates(event), "people": players_listed, "draft": find_draft_notice(event)}
    return render_console_page(request, event, "tournament/registration/doubles.html", "players", **context)


def _player_by_number(event: Event, number: str) -> Player:
    player_number = int(number) if number.isascii() and number.isdecimal() and len(number) < 8 else 0
    return get_object_or_404(event.players, number=player_number)


@console_page(Right.SEE)
@require_http_methods(["GET", "POST"])
@lock_row_on_post
def player(request: HttpRequest, event: Event, number: int) -> HttpResponse:
    """Show a player: details, list with verdict, and matches."""
    person = get_object_or_404(event.players, number=number)
    rights = get_request_rights(request, event)
    form = PlayerForm(request.POST or None, event=event, player=person, rights=rights)
    if request.method == "POST":
        permissions.require_right(request.user, event, Right.PLAYERS)
        actor = Actor.of_user(request.user)

        reason = request.POST.get("character_reason", "").replace("\0", "")[:400]
        decision_reason = reason if Right.MANAGE in rights else None

        def change(values: EntryValues) -> Player:
            registration.change_details(person, actor, character_reason=decision_reason, **values)
            return person

        if form.is_valid() and form.save(change):
            messages.success(request, gettext("Details saved."))
            return redirect("console_player", event.slug, person.number)
    detail = selectors.player_details(event, person, rights)
    context = {"player": person, "form": form, "detail": detail, "bracket": load_stage_players(event)}
    context["link"] = _take_new_link(request, person)
    context["draft"] = None if person.is_in else find_draft_notice(event)
    return render_console_page(request, event, "tournament/registration/player.html", "players", **context)


NEW_LINK_KEY = "new_link"


def _take_new_link(request: HttpRequest, person: Player) -> str:
    """Return the player's new private link to the person who made it, once.

    Otherwise it is empty.
    """
    player_id, token = request.session.get(NEW_LINK_KEY, (None, ""))
    if request.method != "GET" or player_id != person.pk:
        return ""
    del request.session[NEW_LINK_KEY]
    return build_private_link(request, person) if token == person.token else ""


def _make_new_link(player: Player, actor: Actor, request: HttpRequest) -> None:
    permissions.require_right(request.user, player.event, Right.LINKS)
    request.session[NEW_LINK_KEY] = (player.pk, contact.renew_private_link(player, actor))


PlayerStep = Callable[[Player, Actor, HttpRequest], object]

PLAYER_ACTIONS: dict[str, tuple[PlayerStep, Promise]] = {
    "check-in": (lambda p, a, r: registration.check_in(p, a), gettext_lazy("%(player)s is checked in.")),
    "undo-check-in": (
        lambda p, a, r: registration.undo_check_in(p, a),
        gettext_lazy("The check-in of %(player)s is undone."),
    ),
    "withdraw": (lambda p, a, r: registration.withdraw(p, a), gettext_lazy("%(player)s is withdrawn.")),
    "restore": (lambda p, a, r: registration.undo_withdrawal(p, a), gettext_lazy("%(player)s is back.")),
    "drop": (
        lambda p, a, r: registration.drop(p, a, reason=r.POST.get("reason", "")),
        gettext_lazy("%(player)s is dropped."),
    ),
    "undo-drop": (lambda p, a, r: registration.undo_drop(p, a), gettext_lazy("%(player)s is back.")),
    "let-in": (
        lambda p, a, r: registration.admit_player(
            p, a, missed_handling=r.POST.get("missed", entry.MISSED_AS_LOSS)
        ),
        gettext_lazy("%(player)s plays from now on."),
    ),
    "paid": (lambda p, a, r: registration.mark_paid(p, a), gettext_lazy("%(player)s has paid.")),
    "unpaid": (
        lambda p, a, r: registration.mark_paid(p, a, has_paid=False),
        gettext_lazy("%(player)s has not paid."),
    ),
    "new-link": (
        _make_new_link,
        gettext_lazy("%(player)s has a new private link. The old link no longer works."),
    ),
    "send-link": (
        lambda p, a, r: contact.send_private_link(p, a),
        gettext_lazy("The private link is on its way to %(player)s."),
    ),
    "decline-cut": (
        lambda p, a, r: cut_services.decline_cut(p, a),
        gettext_lazy("%(player)s declines a place in the cut."),
    ),
    "accept-cut": (
        lambda p, a, r: cut_services.decline_cut(p, a, has_declined=False),
        gettext_lazy("%(player)s no longer declines a place in the cut."),
    ),
}


@console_page(Right.PLAYERS)
@require_safe
def show_return(request: HttpRequest, event: Event, number: int) -> HttpResponse:
    """Show what undoing the drop of a player changes, and the button that does it."""
    person = get_object_or_404(event.players.select_related("event"), number=number)
    effects = list_return_effects(person) if person.is_dropped else []
    names = EventNames(event).collect(effects)
    context = {"player": person, "effects": [say_reason(each, names) for each in effects]}
    return render_console_page(request, event, "tournament/registration/return.html", "players", **context)


@console_page(Right.PLAYERS)
@require_POST
def save_character(request: HttpRequest, event: Event, number: int) -> HttpResponse:
    """Declare the character of a player beside their decklist.

    The answer is 422 if that is refused.
    """
    person = get_object_or_404(event.players.select_related("event"), number=number)
    character = request.POST.get("character", "").replace("\0", "")
    try:
        registration.declare_character(person, Actor.of_user(request.user), character)
    except Refused:
        return HttpResponse(status=422)
    return HttpResponse(status=204)


@console_page(Right.PLAYERS)
@require_POST
def player_action(request: HttpRequest, event: Event, number: int, action: str) -> HttpResponse:
    """Run an action on a player."""
    person = get_object_or_404(event.players.select_related("event"), number=number)
    if action not in PLAYER_ACTIONS:
        raise Http404
    run, success_message = PLAYER_ACTIONS[action]
    actor = Actor.of_user(request.user)
    if attempt_step(request, lambda: run(person, actor, request)):
        messages.success(request, _done_message(action, person, str(success_message)))
    return redirect_back(request, "console_players", event.slug)


def _done_message(action: str, person: Player, words: str) -> str:
    if action == "let-in" and person.is_in:
        return describe_admitted_player(person)
    return (_not_back_message(action, person) or words) % {"player": person.name}


def _not_back_message(action: str, person: Player) -> str:
    """Return the message for a player who could not be let in again.

    This happens if the page was out of date.
    """
    if action not in ("restore", "undo-drop") or person.status == Player.Status.REGISTERED:
        return ""
    if person.status == Player.Status.WAITING:
        return gettext("%(player)s is on the waiting list.")
    return gettext("%(player)s has withdrawn.")


@console_page(Right.PLAYERS)
@require_http_methods(["GET", "HEAD", "POST"])
def check_in(request: HttpRequest, event: Event) -> HttpResponse:
    """Show expected players to check in, or check one in.

    The player is found by a typed number, badge or name.
    """
    if request.method == "POST":
        return _check_in_line(request, event)
    query = request.GET.get("q", "").strip()[:80]
    overview = selectors.check_in_overview(event, query)
    return render_console_page(
        request, event, "tournament/registration/check_in.html", "check-in", door=overview, q=query
    )


MAX_CHOICES = 6


def _check_in_line(request: HttpRequest, event: Event) -> HttpResponse:
    line = request.POST.get("line", "").replace("\0", "")[:300]

    def act() -> str:
        players = selectors.find_players(event, request.POST.get("player") or line)
        return _check_in_found(selectors.require_one_player(players, line), event, _actor(request))

    if is_entry_request(request):
        return answer_entry(request, event, act, lambda refusal: _find_check_in_ways(event, line, refusal))
    try:
        messages.success(request, act())
    except Refused as refusal:
        show_refusal(request, refusal)
        if refusal.code == "several_players_match":
            return redirect(f"{request.path}?{urlencode({'q': line})}")
    return redirect_back(request, "console_check_in", event.slug)


def _check_in_found(player: Player, event: Event, actor: Actor) -> str:
    player.event = event
    was_here = player.checked_in_at is not None
    registration.check_in(player, actor)
    words = (
        gettext("%(player)s was already checked in.") if was_here else gettext("%(player)s is checked in.")
    )
    return words % {"player": player.name}


def _find_check_in_ways(event: Event, line: str, refusal: Refused) -> Iterator[WayOut]:
    if refusal.code != "several_players_match":
        return
    for player in selectors.find_players(event, line)[:MAX_CHOICES]:
        label = gettext("%(player)s, no. %(number)s") % {"player": player.name, "number": player.number}
        yield WayOut(label, values={"player": str(player.number)})


@console_page(Right.PLAYERS)
@require_safe
def scan_badges(request: HttpRequest, event: Event) -> HttpResponse:
    """Check in by the camera or by a typed number, one player after another.

    The camera reads the code of a badge.
    """
    return allow_camera(
        render_console_page(
            request,
            event,
            "tournament/registration/scan.html",
            "check-in",
            door=selectors.check_in_overview(event),
        )
    )


@console_page(Right.PLAYERS)
@require_safe
def check_in_player(request: HttpRequest, event: Event, number: int) -> HttpResponse:
    """Check in the player whose code a phone has read, or open their page."""
    person: Player = get_object_or_404(event.players, number=number)
    return render_console_page(
        request, event, "tournament/registration/check_in_one.html", "check-in", player=person
    )


@console_page(Right.PLAYERS)
@require_POST
def drop_no_shows(request: HttpRequest, event: Event) -> HttpResponse:
    """Drop all players who are not checked in."""
    dropped_ids: list[int] = []
    log = reverse("console_log", args=[event.slug])
    if attempt_step(request, lambda: dropped_ids.append(registration.drop_no_shows(event, _actor(request)))):
        _add_dropped_message(request, dropped_ids[0], log)
    return redirect("console_check_in", event.slug)


def _add_dropped_message(request: HttpRequest, count: int, log: str) -> None:
    if not count:
        messages.success(request, gettext("All players are checked in."))
        return
    words = ngettext("%(count)s dropped.", "%(count)s dropped.", count) % {"count": count}
    link = format_html('<a href="{}">{}</a>', log, gettext("Undo in the log"))
    messages.success(request, format_html("{} {}", words, link))


def _actor(request: HttpRequest) -> Actor:
    return Actor.of_user(request.user)
