"""Decorator of pages for the owner of a league."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext

from tournament.leagues.models import League
from tournament.leagues.selectors import can_manage_league

View = Callable[..., HttpResponse]


def league_owner_page(view: View) -> View:
    """Return a page for who runs the league; the view gets it in place of the slug."""

    @wraps(view)
    def page(request: HttpRequest, slug: str, **kwargs: Any) -> HttpResponse:
        league = get_object_or_404(League, slug=slug)
        if not can_manage_league(request.user, league):
            denied_text = gettext("Only its owner can change “%(league)s”.") % {"league": league.name}
            raise PermissionDenied(denied_text)
        return view(request, league, **kwargs)

    return login_required(page)
