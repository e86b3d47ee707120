"""The page on which a visitor chooses a language."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.http import require_http_methods

from tournament.languages.choice import find_language
from tournament.languages.selectors import list_languages
from tournament.languages.services import choose_language, remember_language


@require_http_methods(["GET", "HEAD", "POST"])
def language_page(request: HttpRequest) -> HttpResponse:
    """Choose a language, and go back to the page that was read before."""
    next_page = _read_next_page(request)
    language = find_language(request.POST.get("language", ""))
    if request.method != "POST" or language is None:
        context = {"languages": list_languages(), "next": next_page, "is_unknown": request.method == "POST"}
        status = 422 if context["is_unknown"] else 200
        return render(request, "tournament/languages/language.html", context, status=status)
    choose_language(request.user, language)
    response = HttpResponseRedirect(next_page)
    remember_language(response, language)
    return response


def _read_next_page(request: HttpRequest) -> str:
    next_url = request.POST.get("next") or request.GET.get("next", "")
    hosts = {request.get_host()}
    is_ours = url_has_allowed_host_and_scheme(next_url, hosts, require_https=request.is_secure())
    return next_url if is_ours else "/"
