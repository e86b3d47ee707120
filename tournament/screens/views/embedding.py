"""Pages of an event within other sites, and the picture that links to it carry."""

from __future__ import annotations

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext
from django.views.decorators.http import require_http_methods, require_safe

from decks.shared.cache import SingleFlightCache
from tournament.access import permissions
from tournament.access.permissions import Right
from tournament.events import selectors as events_selectors
from tournament.events.models.event import Event
from tournament.languages.choice import speak
from tournament.screens.forms import EmbeddingForm
from tournament.screens.pictures import draw_picture
from tournament.screens.selectors import (
    EMBED_VIEWS,
    VIEW_LABELS,
    build_link_picture,
    build_screen,
    get_embedding_origins,
)
from tournament.shared.links import get_base_url
from tournament.web.console_page import (
    console_page,
    form_response,
    lock_row_on_post,
    render_console_page,
    save_form,
)
from tournament.web.public_page import PageContext, public_page, send_if_changed

MAX_CACHED_PICTURES = 32
pictures: SingleFlightCache[tuple[int, int], bytes] = SingleFlightCache(MAX_CACHED_PICTURES)


@public_page("embed")
def _embedded_page(request: HttpRequest, event: Event, context: PageContext, view: str) -> HttpResponse:
    extra = {"screen": build_screen(event, [view]), "view": view}
    return render(request, "tournament/screens/embed.html", {**context, **extra})


@require_safe
def embed_page(request: HttpRequest, slug: str, view: str) -> HttpResponse:
    """Show pairings, standings or bracket embedded in other sites.

    These are only the sites that the organizer named.
    """
    origins = get_embedding_origins(slug)
    if view not in EMBED_VIEWS or not origins:
        raise Http404(gettext("The organizer has not allowed any site to embed this page."))
    answer = _embedded_page(request, slug, view=view)
    # The two marks are what the middleware of the policy and of frames look for.
    vars(answer).update(_csp_replace={"frame-ancestors": origins}, xframe_options_exempt=True)
    return answer


@console_page(Right.MANAGE)
@require_http_methods(["GET", "POST"])
@lock_row_on_post
def embedding_settings(request: HttpRequest, event: Event) -> HttpResponse:
    """Choose the sites that may embed pages, and copy what they insert."""
    form = EmbeddingForm(request.POST or None, event=event)
    if save_form(request, form):
        messages.success(request, gettext("Sites saved."))
        return redirect("console_embedding", event.slug)
    base_url = get_base_url(request)
    codes = [
        (VIEW_LABELS[view], _frame_code(f"{base_url}{reverse('embed', args=[event.slug, view])}"))
        for view in EMBED_VIEWS
        if view != "bracket" or event.has_bracket
    ]
    template = "tournament/screens/console_embedding.html"
    page = render_console_page(request, event, template, "screen", form=form, codes=codes)
    return form_response(form, page)


def _frame_code(address: str) -> str:
    return f'<iframe src="{address}" width="100%" height="600" loading="lazy"></iframe>'


@require_safe
def event_picture(request: HttpRequest, slug: str) -> HttpResponse:
    """Send the picture of a link to an event: its name, round, leaders or champion."""
    event = events_selectors.get_public_event(slug)
    if event is None:
        raise Http404(permissions.NO_EVENT)
    with speak(event.language):
        png = pictures.get_or_compute(
            (event.pk, event.version), lambda: draw_picture(build_link_picture(event))
        )
    return send_if_changed(request, HttpResponse(png, content_type="image/png"), str(event.version))
