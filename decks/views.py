"""The open pages: check a list, search cards, look at one card."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_GET, require_http_methods

from decks.checked import CheckedList
from decks.checking import check_text
from decks.forms import CardSearchForm, CheckForm
from decks.models import Card
from decks.selectors.cards import card_page, search_cards


@require_http_methods(["GET", "HEAD", "POST"])
def deck_check(request: HttpRequest) -> HttpResponse:
    """Check a list that nobody keeps. With HTMX only the verdict is sent back."""
    is_sent = request.method == "POST"
    form = CheckForm(request.POST, request.FILES) if is_sent else CheckForm(initial=request.GET.dict())
    checked = _checked(form) if is_sent and form.is_valid() else None
    if is_sent and request.headers.get("HX-Request") == "true":
        context = {"form": form, "checked": checked, "is_partial": True}
        return render(request, "decks/_check_result.html", context)
    return render(request, "decks/check.html", {"form": form, "checked": checked})


def _checked(form: CheckForm) -> CheckedList | None:
    source = form.source()
    if not source.strip():
        return None
    asked = form.asked()
    return check_text(asked.pop("game"), asked.pop("format"), source, **asked)


@require_GET
def cards(request: HttpRequest) -> HttpResponse:
    """Search the catalogue; with HTMX only the answers are sent back."""
    form = CardSearchForm(request.GET)
    told = form.cleaned_data if form.is_valid() else {"q": "", "game": ""}
    found = search_cards(told["q"], game=told["game"] or None)
    context = {"form": form, "found": found, "asked": told["q"].strip()}
    is_partial = request.headers.get("HX-Request") == "true"
    return render(request, "decks/_cards.html" if is_partial else "decks/cards.html", context)


@require_GET
def card(request: HttpRequest, game: str, key: str) -> HttpResponse:
    """One card on the day of the visit."""
    try:
        page = card_page(game, key, timezone.localdate())
    except Card.DoesNotExist:
        raise Http404("There is no such card.") from None
    return render(request, "decks/card.html", {"page": page})
