"""Console pages of decklists: lists, versions, rulings, exchanges, files."""

from __future__ import annotations

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils.translation import gettext
from django.views.decorators.http import require_GET, require_http_methods, require_POST, require_safe

from decks.checking.deck_files import FILE_TYPES
from decks.checking.result import OUTCOME_LABELS
from decks.shared.refusals import Refused
from decks.submissions.exchanges import Exchange, allows_exchange
from tournament.access.permissions import Actor, Right
from tournament.decklists import selectors
from tournament.decklists.count_forms import ExchangeForm
from tournament.decklists.forms import RulingForm, StaffListForm
from tournament.decklists.models import ExchangeCheck
from tournament.decklists.services import exchanges
from tournament.decklists.services import lists as decklists
from tournament.decklists.views.typed import answer_offers, build_typed_context, render_typed_verdict
from tournament.decklists.views.versions import (
    build_comparison_context,
    build_days_context,
    export_file,
    get_version,
    submission_message,
)
from tournament.events.models.event import Event
from tournament.events.models.player import Player
from tournament.events.seats import find_owners
from tournament.events.settings import get_undated_format
from tournament.web.console_page import (
    attempt_step,
    console_page,
    form_response,
    get_request_rights,
    redirect_back,
    render_console_page,
)
from tournament.web.refusals import attempt_form_step


@console_page(Right.LISTS)
@require_GET
def lists(request: HttpRequest, event: Event) -> HttpResponse:
    """Show every player's list and verdict, worst first."""
    context = {
        "rows": selectors.list_rows(event),
        "audiences": Event.ListsOpen.choices,
        "closed_reason": decklists.format_closed_reason(event),
        "time_left": selectors.time_left(event),
    }
    return render_console_page(request, event, "tournament/decklists/lists.html", "lists", **context)


def _player(event: Event, number: int) -> Player:
    """Return the owner of a list; where teams play on boards, a member.

    Raises Http404.
    """
    return get_object_or_404(
        find_owners(event).select_related("deck_list__current__deck_list"), number=number
    )


@console_page(Right.LISTS)
@require_http_methods(["GET", "POST"])
def player_list(request: HttpRequest, event: Event, number: int) -> HttpResponse:
    """Show a player's list with verdict and versions.

    Staff can submit a list for the player.
    """
    player = _player(event, number)
    form = _staff_form(request, event, player)
    if request.method == "POST" and form.is_valid() and not form.is_pressed:
        version = form.save(player, Actor.of_user(request.user))
        if version is not None:
            messages.add_message(request, *submission_message(version))
            return redirect("console_list", event.slug, player.number)
    return _show_list(request, event, player, form)


@console_page(Right.LISTS)
@require_POST
def check_typed_list(request: HttpRequest, event: Event, number: int) -> HttpResponse:
    """Show the verdict on a list as staff type it; nothing is kept.

    A part of the page for htmx.
    """
    player = _player(event, number)
    form = _staff_form(request, event, player)
    if not getattr(request, "htmx", False):
        return _show_list(request, event, player, form)
    checked_list = form.check(player) if form.is_valid() else None
    context = {**build_typed_context(form, checked_list, request.path), **_card_form_address(request, player)}
    return render_typed_verdict(request, checked_list, {**context, "event": event})


def _card_form_address(request: HttpRequest, player: Player) -> dict[str, str]:
    """Return the form for a card that the list needs, for those who may add one."""
    event = player.event
    if Right.MANAGE not in get_request_rights(request, event):
        return {}
    return {"card_form": f"{reverse('console_added_cards', args=[event.slug])}?list={player.number}"}


def _staff_form(request: HttpRequest, event: Event, player: Player) -> StaffListForm:
    current = player.deck_list.current if player.deck_list else None
    form_data = (request.POST, request.FILES) if request.method == "POST" else (None, None)
    may_declare = not player.seat and Right.PLAYERS in get_request_rights(request, event)
    return StaffListForm(*form_data, event=event, version=current, may_declare_character=may_declare)


def _show_list(request: HttpRequest, event: Event, player: Player, form: StaffListForm) -> HttpResponse:
    """Show the page of a list.

    If the form holds something other than the version, the verdict is on what is in the form.
    """
    current = player.deck_list.current if player.deck_list else None
    page = selectors.version_page(player, current.number) if current else None
    typed_list = page.checked_list if page and page.checked_list.outcome != "legal" else None
    if form.is_bound:
        typed_list = form.check(player) if form.is_valid() else None
    context = {
        **build_typed_context(
            form, typed_list, reverse("console_list_check", args=[event.slug, player.number])
        ),
        **_card_form_address(request, player),
        "player": player,
        "page": page,
        "typed_list": typed_list,
        "versions": selectors.version_rows(player),
        "ruling_form": RulingForm(),
        "has_exchange": allows_exchange(get_undated_format(event)),
        "file_types": FILE_TYPES.values(),
    }
    answer = render_console_page(request, event, "tournament/decklists/list.html", "lists", **context)
    return form_response(form, answer)


@console_page(Right.LISTS)
@require_GET
def card_offers(request: HttpRequest, event: Event, number: int) -> HttpResponse:
    """Show the cards offered while a line is typed."""
    return answer_offers(request, event)


@console_page(Right.LISTS)
@require_GET
def list_version(request: HttpRequest, event: Event, number: int, version: int) -> HttpResponse:
    """Show one version of a player's list."""
    return _show_list_version(request, event, _player(event, number), version, RulingForm())


def _show_list_version(
    request: HttpRequest, event: Event, player: Player, number: int, ruling_form: RulingForm
) -> HttpResponse:
    page = selectors.version_page(player, number)
    if page is None:
        raise Http404(gettext("There is no such version."))
    context = {
        "player": player,
        "page": page,
        "ruling_form": ruling_form,
        "file_types": FILE_TYPES.values(),
    }
    return render_console_page(request, event, "tournament/decklists/list_version.html", "lists", **context)


@console_page(Right.LISTS)
@require_GET
def compare_versions(request: HttpRequest, event: Event, number: int) -> HttpResponse:
    """Return what changed between two versions of a player's list."""
    player = _player(event, number)
    context = {"player": player, **build_comparison_context(request, player)}
    return render_console_page(request, event, "tournament/decklists/list_compare.html", "lists", **context)


@console_page(Right.LISTS)
@require_GET
def export_version(request: HttpRequest, event: Event, number: int, version: int, kind: str) -> HttpResponse:
    """Send a version as a file."""
    back_to = reverse("console_list_version", args=[event.slug, number, version])
    return export_file(request, _player(event, number), version, kind, back_to)


@console_page(Right.MANAGE)
@require_POST
def overrule_verdict(request: HttpRequest, event: Event, number: int, version: int) -> HttpResponse:
    """Overrule a verdict."""
    player = _player(event, number)
    form = RulingForm(request.POST)
    if form.is_valid() and form.save(player, Actor.of_user(request.user), version):
        messages.success(
            request, gettext("Ruling recorded. %(player)s can see it.") % {"player": player.name}
        )
        return redirect("console_list", event.slug, player.number)
    answer = _show_list_version(request, event, player, version, form)
    answer.status_code = 422
    return answer


@console_page(Right.MANAGE)
@require_POST
def open_lists(request: HttpRequest, event: Event) -> HttpResponse:
    """Set who can see the lists."""
    audience = request.POST.get("to", "")
    attempt_step(
        request, lambda: decklists.open_lists(event, Actor.of_user(request.user), audience), "Changed."
    )
    return redirect_back(request, "console_lists", event.slug)


@console_page(Right.LISTS)
@require_http_methods(["GET", "POST"])
def exchange(request: HttpRequest, event: Event, number: int) -> HttpResponse:
    """Compare a deck after an exchange of cards with the registered list.

    The check is optionally saved.
    """
    player = _player(event, number)
    try:
        registered_version = exchanges.registered_version(player)
    except Refused as refusal:
        messages.error(request, refusal.message)
        return redirect("console_list", event.slug, number)
    form = ExchangeForm(request.POST or None, version=registered_version)
    checked_exchange = (
        _check_presented(request, player, form) if request.method == "POST" and form.is_valid() else None
    )
    if checked_exchange and request.POST.get("keep"):
        level = messages.SUCCESS if checked_exchange.verdict.outcome == "legal" else messages.WARNING
        messages.add_message(
            request,
            level,
            gettext("%(verdict)s. The check is recorded below.")
            % {"verdict": OUTCOME_LABELS[checked_exchange.verdict.outcome]},
        )
        return redirect("console_exchange", event.slug, number)
    context = {
        "player": player,
        "version": registered_version,
        "form": form,
        "exchange": checked_exchange,
        "records": selectors.exchange_records(player),
    }
    answer = render_console_page(request, event, "tournament/decklists/exchange.html", "lists", **context)
    return form_response(form, answer)


def _check_presented(request: HttpRequest, player: Player, form: ExchangeForm) -> Exchange | None:
    presented_exchange = form.build_exchange()
    if presented_exchange is None:
        return None
    checked_exchange = attempt_form_step(form, lambda: exchanges.check_exchange(player, presented_exchange))
    if checked_exchange and request.POST.get("keep"):
        exchanges.record_exchange(player, Actor.of_user(request.user), presented_exchange)
    return checked_exchange


@console_page(Right.LISTS)
@require_POST
def undo_exchange_check(request: HttpRequest, event: Event, number: int, check: int) -> HttpResponse:
    """Undo a saved exchange check."""
    player = _player(event, number)
    saved_check = get_object_or_404(
        ExchangeCheck.objects.select_related("player__event"), pk=check, player=player
    )
    actor = Actor.of_user(request.user)
    attempt_step(
        request, lambda: exchanges.undo_exchange_check(saved_check, actor), gettext("Record removed.")
    )
    return redirect("console_exchange", event.slug, number)


@console_page(Right.LISTS)
@require_safe
def list_days_for_staff(request: HttpRequest, event: Event, number: int, version: int) -> HttpResponse:
    """Check a version of a player's list on chosen days."""
    player = _player(event, number)
    version_row = get_version(player, version)
    days = build_days_context(request, player, version_row)
    return render_console_page(
        request,
        event,
        "tournament/decklists/console_list_days.html",
        "lists",
        player=player,
        version=version_row,
        **days,
    )
