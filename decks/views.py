"""The open pages: check a list, search cards, look at one card."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_GET, require_http_methods

from decks.checking import check_text
from decks.forms import CardSearchForm, CheckForm
from decks.models import Card
from decks.selectors.cards import card_page, search_cards
from decks.selectors.days import TwoDays, of_checked


@require_http_methods(["GET", "HEAD", "POST"])
def deck_check(request: HttpRequest) -> HttpResponse:
    """Check a list that nobody keeps. With HTMX only the verdict is sent back."""
    is_sent = request.method == "POST"
    form = CheckForm(request.POST, request.FILES) if is_sent else CheckForm(initial=request.GET.dict())
    context: dict[str, Any] = {"form": form}
    if is_sent and form.is_valid():
        context |= _checked(form)
    if is_sent and request.headers.get("HX-Request") == "true":
        return render(request, "decks/_check_result.html", {**context, "is_partial": True})
    return render(request, "decks/check.html", context)


def _checked(form: CheckForm) -> dict[str, Any]:
    """The verdict on the first day, and where a second one was asked for, both held against each other."""
    source = form.source()
    if not source.strip():
        return {}
    asked = form.asked()
    game, format_key = asked.pop("game"), asked.pop("format")
    checked = check_text(game, format_key, source, **asked)
    day, beside = asked["on"] or timezone.localdate(), form.cleaned_data["beside"]
    if beside is None:
        return {"checked": checked, "day": of_checked(checked, day)}
    other = check_text(game, format_key, source, **{**asked, "on": beside})
    return {"checked": checked, "two_days": TwoDays.of(of_checked(checked, day), of_checked(other, beside))}


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
