"""The open pages of dated lists: every edition of every game, since when it holds, and what it changed."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

import rules
from decks.access.rights import may_keep_lists
from decks.editions.forms.drafts import readable_games
from decks.editions.selectors.pages import edition_page, game_of, lists_of


@require_safe
def games(request: HttpRequest) -> HttpResponse:
    """The lists of all games that are in force today."""
    today = timezone.localdate()
    found = [(game, lists_of(game, today)) for game in sorted(rules.games(), key=lambda game: game.name)]
    shown = [(game, lists, any(each.editions for each in lists)) for game, lists in found]
    context = {"shown": shown, "day": today, "may_keep": may_keep_lists(request.user)}
    return render(request, "decks/editions/games.html", context)


@require_safe
def game(request: HttpRequest, game: str) -> HttpResponse:
    """Every edition of a game's lists; for keepers, the doors to draft the next."""
    found = game_of(game)
    if found is None:
        raise Http404("There is no such game.")
    today = timezone.localdate()
    context = {
        "game": found,
        "lists": lists_of(found, today),
        "day": today,
        "may_keep": may_keep_lists(request.user),
        "is_readable": found in readable_games(),
    }
    return render(request, "decks/editions/game.html", context)


@require_safe
def edition(request: HttpRequest, game: str, kind: str, number: int) -> HttpResponse:
    """One edition: what it says, and what it says otherwise than the one before."""
    page = edition_page(game, kind, number, timezone.localdate())
    if page is None:
        raise Http404("There is no such edition.")
    context = {"page": page, "may_keep": may_keep_lists(request.user)}
    return render(request, "decks/editions/edition.html", context)
