"""A document of rules read in: first what was understood of it, then drafts of the lists chosen."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from decks.access.rights import keepers_only
from decks.editions.domain.words import entry_in_words
from decks.editions.forms.drafts import DocumentForm, readable_games
from decks.editions.services.reading import ReadDocument, draft_document, read_document
from decks.editions.views.drafts import name_of
from decks.importers.decoding import decode
from decks.shared.refusals import Refused


@keepers_only
@require_http_methods(["GET", "HEAD", "POST"])
def document(request: HttpRequest, game: str) -> HttpResponse:
    """Read a document; with lists ticked, draft them. Nothing is written before."""
    found = next((each for each in readable_games() if each.key == game), None)
    if found is None:
        raise Http404("Documents of this game cannot be read in.")
    is_sent = request.method == "POST"
    form = DocumentForm(request.POST, request.FILES) if is_sent else DocumentForm()
    context: dict[str, Any] = {"game": found, "form": form}
    if is_sent and form.is_valid():
        source = form.source()
        try:
            if "kinds" in request.POST:
                return _draft(request, game, form, source)
            read = read_document(game, source)
            context |= {"read": read, "source": decode(source).text, "lists": _shown(read)}
        except Refused as refusal:
            for problem in refusal.problems:
                form.add_error(None, forms.ValidationError(problem.message, code=problem.code))
    return render(request, "decks/editions/document.html", context, status=422 if form.errors else 200)


def _draft(request: HttpRequest, game: str, form: DocumentForm, source: str | bytes) -> HttpResponse:
    made = draft_document(
        game,
        source,
        actor=name_of(request),
        kinds=request.POST.getlist("kinds"),
        document=form.cleaned_data["document"],
    )
    messages.success(request, f"{len(made)} draft{'s' if len(made) > 1 else ''} made. Look them over.")
    return redirect("list_draft", made[0].pk) if len(made) == 1 else redirect("lists_game", game)


def _shown(read: ReadDocument) -> list[dict[str, Any]]:
    """Each list with its entries in words, and how sure each is."""
    return [
        {
            "read": each,
            "entries": [(entry, entry_in_words(each.kind, entry.entry)) for entry in each.entries],
        }
        for each in read.lists.values()
        if each.entries or each.unread
    ]
