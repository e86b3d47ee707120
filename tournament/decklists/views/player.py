"""Pages of a player's own decklist: submit, versions, answers to staff."""

from __future__ import annotations

from functools import wraps
from typing import Any

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils.translation import gettext
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from decks.checking.deck_files import FILE_TYPES
from decks.checking.result import CheckedList
from decks.submissions.selectors import current_verdict, to_checked_list
from tournament.decklists import selectors
from tournament.decklists.count_forms import PoolPickForm
from tournament.decklists.forms import AnswerForm, DeckListForm
from tournament.decklists.open_lists import find_open_lists
from tournament.decklists.selectors import current_version
from tournament.decklists.services import lists as decklists
from tournament.decklists.views.typed import answer_offers, build_typed_context, render_typed_verdict
from tournament.decklists.views.versions import (
    build_comparison_context,
    build_days_context,
    export_file,
    get_version,
    submission_message,
)
from tournament.events.models.player import Player
from tournament.events.seats import list_owners_of
from tournament.web.player_page import View, get_actor, list_page, render_player_page


def own_list_page(view: View) -> View:
    """Return a page of the player's own decklist.

    Where teams play on boards, the team chooses a seat first.
    """

    @wraps(view)
    def page(request: HttpRequest, player: Player, **kwargs: Any) -> HttpResponse:
        if not player.event.has_boards or player.seat:
            return view(request, player, **kwargs)
        return render_player_page(
            request,
            player,
            "tournament/decklists/player_seats.html",
            seats=[(owner, current_version(owner)) for owner in list_owners_of(player)],
            lists_closed=decklists.format_closed_reason(player.event),
        )

    return list_page(page)


@own_list_page
@require_http_methods(["GET", "HEAD", "POST"])
def deck_list(request: HttpRequest, player: Player) -> HttpResponse:
    """Edit and submit the player's list; show its verdict and all submitted versions."""
    form = _list_form(request, player)
    if request.method == "POST" and form.is_valid():
        version = form.save(player, get_actor(request, player))
        if version is not None:
            messages.add_message(request, *submission_message(version))
            return redirect("player_list", player.token)
    current = current_version(player)
    checked_list = to_checked_list(current) if current and not form.errors else None
    return _list_page(request, player, form, checked_list, status=422 if form.errors else 200)


def _list_form(request: HttpRequest, player: Player) -> DeckListForm:
    form_data = (request.POST, request.FILES) if request.method == "POST" else (None, None)
    return DeckListForm(*form_data, event=player.event, version=current_version(player))


def _list_page(
    request: HttpRequest,
    player: Player,
    form: DeckListForm,
    checked_list: CheckedList | None,
    *,
    status: int = 200,
) -> HttpResponse:
    current = current_version(player)
    context = {
        "checked_list": checked_list,
        "current": current,
        "standing": current_verdict(current) if current else None,
        "versions": selectors.version_rows(player),
        "news": selectors.unanswered_changes(player),
        "closed_reason": decklists.format_closed_reason(player.event),
        "time_left": selectors.time_left(player.event),
        **build_typed_context(form, checked_list, reverse("player_check", args=[player.token])),
    }
    return render_player_page(
        request, player, "tournament/decklists/player_list.html", status=status, **context
    )


@own_list_page
@require_POST
def check_list(request: HttpRequest, player: Player) -> HttpResponse:
    """Show the verdict on a list as typed; nothing is kept.

    A part of a page for htmx, the whole page without.
    """
    form = _list_form(request, player)
    checked_list = form.check(player) if form.is_valid() else None
    if getattr(request, "htmx", False):
        context = build_typed_context(form, checked_list, request.path)
        return render_typed_verdict(request, checked_list, {**context, "player": player})
    return _list_page(request, player, form, checked_list)


@own_list_page
@require_safe
def card_offers(request: HttpRequest, player: Player) -> HttpResponse:
    """Show the cards offered while a line is typed."""
    return answer_offers(request, player.event)


@own_list_page
@require_POST
def pick_from_pool(request: HttpRequest, player: Player) -> HttpResponse:
    """Choose the deck from the pool by numbers beside its cards.

    The choice goes into the list's field.
    """
    form = _list_form(request, player)
    if not form.can_pick:
        raise Http404(gettext("The format of this event has no pool to choose from."))
    cards = form.pool_cards(player) if form.is_valid() else []
    if not cards:
        sentence = gettext("Enter your pool first, then choose your deck.")
        form.add_error("pool", ValidationError(sentence, code="pool_missing"))
        return _list_page(request, player, form, None, status=422)
    is_chosen = "take" in request.POST
    picks = PoolPickForm(request.POST if is_chosen else None, game=player.event.game, cards=cards)
    if not (is_chosen and picks.is_valid()):
        return render_player_page(
            request,
            player,
            "tournament/decklists/player_list_pick.html",
            picks=picks,
            posted_fields=_posted_fields(request),
        )
    picked_values = request.POST.copy()
    picked_values["text"] = picks.as_text()
    filled_form = DeckListForm(picked_values, event=player.event, version=current_version(player))
    return _list_page(
        request, player, filled_form, filled_form.check(player) if filled_form.is_valid() else None
    )


def _posted_fields(request: HttpRequest) -> list[tuple[str, str]]:
    """Return the submitted fields, to send them again."""
    return [
        (name, str(value))
        for name, value in request.POST.items()
        if not name.startswith(("csrf", "take", "pick_"))
    ]


@own_list_page
@require_POST
def answer_staff(request: HttpRequest, player: Player) -> HttpResponse:
    """Answer a change of the list by staff: agree or disagree."""
    form = AnswerForm(request.POST)
    if form.is_valid() and form.save(player, get_actor(request, player)):
        messages.success(request, gettext("Comment saved. Staff can see it."))
    for problems in form.errors.values():
        messages.error(request, " ".join(map(str, problems)))
    return redirect("player_list", player.token)


@own_list_page
@require_safe
def compare_versions(request: HttpRequest, player: Player) -> HttpResponse:
    """Compare two versions of the player's list."""
    context = build_comparison_context(request, player)
    return render_player_page(request, player, "tournament/decklists/player_list_compare.html", **context)


@own_list_page
@require_safe
def list_version(request: HttpRequest, player: Player, number: int) -> HttpResponse:
    """Show a version of the player's list with its verdict and rulings."""
    page = selectors.version_page(player, number)
    if page is None:
        raise Http404(gettext("You have no such version."))
    return render_player_page(
        request,
        player,
        "tournament/decklists/player_list_version.html",
        page=page,
        file_types=FILE_TYPES.values(),
    )


@own_list_page
@require_safe
def export_version(request: HttpRequest, player: Player, number: int, kind: str) -> HttpResponse:
    """Export a version of the player's list as a file."""
    back = reverse("player_list_version", args=[player.token, number])
    return export_file(request, player, number, kind, back)


@list_page
@require_safe
def opened_list(request: HttpRequest, player: Player, number: int) -> HttpResponse:
    """Show another player's list, or those of a team.

    The organizer must have opened the lists to this player.
    """
    people = player.event.players.select_related("event", "deck_list__current")
    owner = get_object_or_404(people, number=number)
    opened_lists = find_open_lists(owner, viewer=player.entrant)
    if not opened_lists:
        raise Http404(gettext("You cannot view this decklist."))
    return render_player_page(
        request,
        player,
        "tournament/decklists/player_opened_list.html",
        owner=owner,
        opened_lists=opened_lists,
    )


@own_list_page
@require_safe
def list_days_for_player(request: HttpRequest, player: Player, number: int) -> HttpResponse:
    """Check a version of the player's list on chosen days."""
    version = get_version(player, number)
    return render_player_page(
        request,
        player,
        "tournament/decklists/player_list_days.html",
        version=version,
        **build_days_context(request, player, version),
    )
