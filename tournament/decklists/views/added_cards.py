"""Console pages of the cards that the organizer adds for one event."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils.translation import gettext
from django.views.decorators.http import require_http_methods, require_POST

import rules
from tournament.access.permissions import Actor, Right
from tournament.decklists.card_forms import AddedCardForm
from tournament.decklists.models import AddedCard
from tournament.decklists.needed_cards import find_needed_cards, find_needing_lines
from tournament.decklists.services import added_cards
from tournament.events.models.event import Event
from tournament.web.console_page import (
    attempt_step,
    console_page,
    form_response,
    render_console_page,
    save_form,
)
from tournament.web.page_query import read_number


@console_page(Right.MANAGE)
@require_http_methods(["GET", "POST"])
def cards(request: HttpRequest, event: Event) -> HttpResponse:
    """Show the added cards and those that decklists need; add one."""
    form = AddedCardForm(request.POST or None, event=event, initial={"name": request.GET.get("name", "")})
    if save_form(request, form):
        messages.success(request, gettext("Card added. Decklists are checked again."))
        return redirect(_address_after(request, event))
    return _show_cards(request, event, form)


@console_page(Right.MANAGE)
@require_http_methods(["GET", "POST"])
def card(request: HttpRequest, event: Event, card: int) -> HttpResponse:
    """Change an added card."""
    form = AddedCardForm(request.POST or None, event=event, card=_card(event, card))
    if save_form(request, form):
        messages.success(request, gettext("Card saved. Decklists are checked again."))
        return redirect("console_added_cards", event.slug)
    return _show_cards(request, event, form)


@console_page(Right.MANAGE)
@require_POST
def remove_card(request: HttpRequest, event: Event, card: int) -> HttpResponse:
    """Remove an added card."""
    removed_card = _card(event, card)
    actor = Actor.of_user(request.user)
    attempt_step(
        request,
        lambda: added_cards.remove_card(removed_card, actor),
        gettext("Card removed. Decklists are checked again."),
    )
    return redirect("console_added_cards", event.slug)


def _card(event: Event, pk: int) -> AddedCard:
    return get_object_or_404(AddedCard.objects.select_related("event"), event=event, pk=pk)


def _list_number(request: HttpRequest, event: Event) -> int | None:
    """Return the number of the player whose list needs the card.

    None if the address names no player.
    """
    return read_number(request, "list", list(event.players.values_list("number", flat=True)))


def _address_after(request: HttpRequest, event: Event) -> str:
    """Return the next card of the same list, else all cards."""
    number = _list_number(request, event)
    query = f"?list={number}" if number else ""
    return f"{reverse('console_added_cards', args=[event.slug])}{query}"


def _show_cards(request: HttpRequest, event: Event, form: AddedCardForm) -> HttpResponse:
    number = _list_number(request, event)
    context = {
        "form": form,
        "game": rules.get_game(event.game),
        "cards": event.added_cards.all(),
        "needed_cards": find_needed_cards(event),
        "number": number,
        "beside": find_needing_lines(event, number) if number else None,
    }
    answer = render_console_page(request, event, "tournament/decklists/added_cards.html", "lists", **context)
    return form_response(form, answer)
