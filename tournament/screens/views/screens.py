"""Venue screen: full-screen views in turn for a projector, and its settings page."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext
from django.views.decorators.http import require_http_methods

from decks.shared.wording import say_reason
from rules.reason import reason
from tournament.access import permissions
from tournament.access.permissions import Right
from tournament.events import selectors as public
from tournament.events.models.event import Event
from tournament.languages.choice import speak
from tournament.screens.forms import ScreenForm
from tournament.screens.selectors import (
    STAFF_CHOICE,
    STREAM_PARTS,
    VIEW_LABELS,
    build_stream,
    known_parts,
    known_views,
)
from tournament.screens.selectors import build_screen as screen_of
from tournament.web.console_page import (
    console_page,
    form_response,
    lock_row_on_post,
    render_console_page,
    save_form,
)
from tournament.web.page_query import read_choice, read_number
from tournament.web.public_page import PageContext, public_page

MIN_SECONDS, DEFAULT_SECONDS, MAX_SECONDS = 3, 8, 120

THEMES = ("light", "dark")


@public_page("screen")
def screen_list(request: HttpRequest, event: Event, context: PageContext) -> HttpResponse:
    """Show the available views of a venue screen with their addresses."""
    return render(
        request, "tournament/screens/public_screens.html", {**context, "views": VIEW_LABELS.items()}
    )


def show_gone_page_on_404(
    template: str,
) -> Callable[[Callable[..., HttpResponse]], Callable[..., HttpResponse]]:
    """Show this page on a screen while the public sees no such event.

    It is for a screen that starts in this time. The page looks again.
    """

    def decorate(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
        @wraps(view)
        def page(request: HttpRequest, slug: str, **kwargs: Any) -> HttpResponse:
            try:
                return view(request, slug, **kwargs)
            except Http404:
                if public.get_public_event(slug) is not None:
                    raise
                return render(request, template, {"slug": slug}, status=404)

        return page

    return decorate


@show_gone_page_on_404("tournament/screens/gone.html")
@public_page("screen")
def screen_page(request: HttpRequest, event: Event, context: PageContext, views: str) -> HttpResponse:
    """Show the views named in the address in turn, such as “pairings,clock”.

    “hall” stands for the views that staff have chosen.
    """
    requested_views = list(event.screen) if views == STAFF_CHOICE else known_views(views.lower().split(","))
    if views != STAFF_CHOICE and not requested_views:
        raise Http404(say_reason(reason("screen_views", views=(*VIEW_LABELS, STAFF_CHOICE))))
    extra = {
        "screen": screen_of(event, requested_views),
        "seconds": read_number(request, "seconds", range(MIN_SECONDS, MAX_SECONDS + 1)) or DEFAULT_SECONDS,
        "theme": read_choice(request, "theme", THEMES),
    }
    with speak(event.language):
        return render(request, "tournament/screens/screen.html", {**context, **extra})


MAX_TABLE = 99_999
DEFAULT_ROWS, MAX_STREAM_ROWS = 8, 32


@show_gone_page_on_404("tournament/screens/stream_gone.html")
@public_page("screen")
def stream_page(request: HttpRequest, event: Event, context: PageContext, parts: str) -> HttpResponse:
    """Show the parts of a stream on a transparent background.

    The parts are round, clock, table, score and standings.
    """
    requested_parts = known_parts(parts.lower().split(","))
    if not requested_parts:
        raise Http404(say_reason(reason("stream_parts", parts=STREAM_PARTS)))
    table = read_number(request, "table", range(1, MAX_TABLE + 1))
    rows = read_number(request, "rows", range(1, MAX_STREAM_ROWS + 1)) or DEFAULT_ROWS
    extra = {
        "stream": build_stream(event, requested_parts, table, rows),
        "theme": read_choice(request, "theme", THEMES) or "dark",
    }
    with speak(event.language):
        return render(request, "tournament/screens/stream.html", {**context, **extra})


@console_page(Right.SEE)
@require_http_methods(["GET", "POST"])
@lock_row_on_post
def screen_settings(request: HttpRequest, event: Event) -> HttpResponse:
    """Return what the venue screen shows, and its addresses."""
    form = ScreenForm(request.POST or None, event=event)
    if request.method == "POST":
        permissions.require_right(request.user, event, Right.PAIR)
        if save_form(request, form):
            messages.success(request, gettext("Views saved."))
            return redirect("console_screen", event.slug)
    return form_response(
        form,
        render_console_page(request, event, "tournament/screens/console_screen.html", "screen", form=form),
    )
