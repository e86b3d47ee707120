"""Pages: search cards, show one card."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext
from django.views.decorators.http import require_GET

from decks.cards.forms import CardDayForm, CardSearchForm
from decks.cards.selectors import get_card_page, search_cards
from decks.catalogue.models import Card


@require_GET
def search_page(request: HttpRequest) -> HttpResponse:
    """Search the catalogue; with HTMX only the answers are sent back."""
    form = CardSearchForm(request.GET)
    data = form.cleaned_data if form.is_valid() else {"q": "", "game": ""}
    hits = search_cards(data["q"], game=data["game"] or None)
    context = {"form": form, "hits": hits, "query": data["q"].strip()}
    is_partial = request.headers.get("HX-Request") == "true"
    return render(request, "decks/cards/_cards.html" if is_partial else "decks/cards/cards.html", context)


@require_GET
def show_card(request: HttpRequest, game: str, key: str) -> HttpResponse:
    """Show one card on a day, today's without one."""
    form = CardDayForm(request.GET)
    day = (form.cleaned_data["on"] if form.is_valid() else None) or timezone.localdate()
    try:
        page = get_card_page(game, key, day)
    except Card.DoesNotExist:
        raise Http404(gettext("This card does not exist.")) from None
    return render(request, "decks/cards/card.html", {"page": page, "form": form})
