"""Pages of the guide."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext
from django.views.decorators.http import require_safe

from tournament.guide import selectors

LONGEST_QUERY = 100


@require_safe
def index(request: HttpRequest) -> HttpResponse:
    """List all pages, or those that have the words of `q`."""
    query = request.GET.get("q", "").strip()[:LONGEST_QUERY]
    context = {
        "page": selectors.find_page(selectors.INDEX),
        "query": query,
        "hits": selectors.search_pages(query),
    }
    return render(request, "tournament/guide/index.html", context)


@require_safe
def guide_page(request: HttpRequest, page: str) -> HttpResponse:
    """Show one page."""
    guide_text = selectors.find_page(page)
    if guide_text is None or page == selectors.INDEX:
        raise Http404(gettext("The guide has no such page."))
    return render(request, "tournament/guide/page.html", {"page": guide_text})
