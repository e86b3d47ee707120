"""From tournament.views.public."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import nullcontext
from functools import wraps
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_safe

from tournament.access import rights as permissions
from tournament.access.rights import Right
from tournament.events.models.event import Event
from tournament.events.models.round import Round
from tournament.events.selectors import published
from tournament.web.own_registration import remembered
from tournament.web.page_cache import from_shelf, kept, turn

Phase = Event.Phase


View = Callable[..., HttpResponse]


# Made for each visitor: nobody waits for another's.
OWN = frozenset(("me", "register"))


def event_page(section: str) -> Callable[[View], View]:
    """A page of one public event; the view gets the event and adds to the context that all of them share."""

    def decorate(view: View) -> View:
        @wraps(view)
        def page(request: HttpRequest, slug: str, **kwargs: Any) -> HttpResponse:
            answer = from_shelf(request, slug)
            if answer is not None:
                return answer
            with nullcontext() if section in OWN else turn(request, slug) as made_by_another:
                return made_by_another or rendered(request, slug, **kwargs)

        def rendered(request: HttpRequest, slug: str, **kwargs: Any) -> HttpResponse:
            shown = published.public_event(slug) or _preview(request, slug)
            if shown is None:
                raise Http404("There is no public event at this address.")
            with timezone.override(shown.zone):
                return kept(
                    request, shown, lambda: view(request, shown, _frame(request, shown, section), **kwargs)
                )

        return (
            require_safe(page)
            if section != "register"
            else require_http_methods(["GET", "HEAD", "POST"])(page)
        )

    return decorate


def _frame(request: HttpRequest, event: Event, section: str) -> dict[str, Any]:
    rounds = published.published_rounds(event)
    return {"event": event, "section": section, "rounds": rounds, "me": remembered(request, event)}


def _preview(request: HttpRequest, slug: str) -> Event | None:
    """An event in preparation, for its staff alone."""
    if not request.user.is_authenticated:
        return None
    prepared = published.counted_events().filter(slug=slug).first()
    return prepared if prepared and permissions.can(request.user, prepared, Right.SEE) else None


def _chosen(swiss: list[Round], number: int | None) -> Round | None:
    """The round with that number, the latest without one; 404 for a round that nobody may see yet."""
    if number is None:
        return swiss[-1] if swiss else None
    chosen = next((each for each in swiss if each.number == number), None)
    if chosen is None:
        raise Http404("This round is not published.")
    return chosen
