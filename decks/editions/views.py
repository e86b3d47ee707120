"""Pages of dated lists: public pages, drafts, and reading documents."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django import forms
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext, ngettext, pgettext
from django.views.decorators.http import require_http_methods, require_POST, require_safe

import rules
from decks.access import is_list_editor, list_editor_required
from decks.editions import services
from decks.editions.domain.content import format_entry, name_source
from decks.editions.domain.kinds import find_kind, format_kind
from decks.editions.forms.drafts import DocumentForm, EditionDetailsForm, PublishForm
from decks.editions.forms.entries import make_entry_form
from decks.editions.forms.typed_cards import suggest_cards
from decks.editions.models import ListEdition
from decks.editions.selectors.pages import find_game, get_draft_page, get_edition_page, list_pages
from decks.editions.services import (
    ParsedDocument,
    create_drafts_from_document,
    read_document,
    readable_games,
)
from decks.importers.decoding import decode
from decks.shared.json_shapes import to_json
from decks.shared.refusals import Refused


@require_safe
def show_games(request: HttpRequest) -> HttpResponse:
    """Show the lists of all games that are in force today."""
    today = timezone.localdate()
    lists_by_game = [(game, list_pages(game, today)) for game in rules.games()]
    games = [(game, lists, any(each.editions for each in lists)) for game, lists in lists_by_game]
    context = {"games": games, "day": today, "may_edit": is_list_editor(request.user)}
    return render(request, "decks/editions/games.html", context)


@require_safe
def show_game(request: HttpRequest, game: str) -> HttpResponse:
    """Show all editions of a game's lists; editors can start the next one."""
    known_game = find_game(game)
    if known_game is None:
        raise Http404(gettext("There is no such game."))
    today = timezone.localdate()
    context = {
        "game": known_game,
        "lists": list_pages(known_game, today),
        "day": today,
        "may_edit": is_list_editor(request.user),
        "is_readable": known_game in readable_games(),
    }
    return render(request, "decks/editions/game.html", context)


@require_safe
def show_edition(request: HttpRequest, game: str, kind: str, number: int) -> HttpResponse:
    """Show an edition and its difference to the previous one."""
    page = get_edition_page(game, kind, number, timezone.localdate())
    if page is None:
        raise Http404(pgettext("ban list", "There is no such version."))
    context = {"page": page, "may_edit": is_list_editor(request.user)}
    return render(request, "decks/editions/edition.html", context)


LARGEST_INTEGER = 2**31 - 1


def _get_draft(draft_id: int) -> ListEdition:
    """Return a draft, or an edition that was published from one. Raises Http404."""
    return get_object_or_404(ListEdition, pk=draft_id)


def user_name(request: HttpRequest) -> str:
    person: Any = request.user
    return str(person.get_full_name() or person.get_username())


def _revision(request: HttpRequest) -> int:
    """Return the submitted revision of the draft; -1 if it is not a number."""
    sent_revision = request.POST.get("revision", "")
    return (
        int(sent_revision)
        if sent_revision.isascii() and sent_revision.isdigit() and int(sent_revision) <= LARGEST_INTEGER
        else -1
    )


def _attempt(request: HttpRequest, step: Callable[[], Any]) -> bool:
    """Do a step; the next page shows a refusal."""
    try:
        step()
    except Refused as refusal:
        for problem in refusal.problems:
            messages.error(request, problem.message)
        return False
    return True


def _apply_to_form(form: forms.Form, step: Callable[[], Any]) -> bool:
    """Do a step for a form; a refusal is shown at the field it names."""
    try:
        step()
    except Refused as refusal:
        for problem in refusal.problems:
            field = problem.field if problem.field in form.fields else None
            form.add_error(field, forms.ValidationError(problem.message, code=problem.code))
        return False
    return True


@list_editor_required
@require_POST
def start_draft(request: HttpRequest, game: str, kind: str) -> HttpResponse:
    """Draft the next edition of a list, from the last one or from the one chosen."""
    base = request.POST.get("based_on", "")
    based_on = int(base) if base.isascii() and base.isdigit() and int(base) <= LARGEST_INTEGER else None
    try:
        draft = services.create_draft(game, kind, actor=user_name(request), based_on=based_on)
    except Refused as refusal:
        if refusal.code == "unknown_list":
            raise Http404(refusal.message) from refusal
        messages.error(request, refusal.message)
        return redirect("lists_game", game)
    return redirect("list_draft", draft.pk)


@list_editor_required
@require_http_methods(["GET", "HEAD", "POST"])
def edit_draft(request: HttpRequest, draft_id: int) -> HttpResponse:
    """Show a draft: details, entries, problems, and changes since the last edition."""
    row = _get_draft(draft_id)
    if not row.is_draft:
        return redirect("list_edition", row.game, row.kind, row.number)
    form = EditionDetailsForm(row, request.POST or None)
    if request.method == "POST" and form.is_valid():
        data = form.cleaned_data
        # Values that the page carried are compared field by field; a page without them names its revision.
        seen_revision = row.revision if "initial-name" in request.POST else _revision(request)
        if _apply_to_form(form, lambda: services.change_details(row, revision=seen_revision, **data)):
            messages.success(request, gettext("Saved."))
            return redirect("list_draft", row.pk)
    return _render_draft(request, row, details=form)


def _render_draft(
    request: HttpRequest, row: ListEdition, *, status: int = 200, **extra_context: Any
) -> HttpResponse:
    page = get_draft_page(ListEdition.objects.get(pk=row.pk), timezone.localdate())
    context = {
        "page": page,
        "details": EditionDetailsForm(page.draft),
        "publishing": PublishForm(page.draft, bool(page.warnings)),
        **extra_context,
    }
    is_wrong = any(form.errors for form in extra_context.values())
    return render(request, "decks/editions/draft.html", context, status=422 if is_wrong else status)


@list_editor_required
@require_http_methods(["GET", "HEAD", "POST"])
def edit_entry(request: HttpRequest, draft_id: int, place: int | None = None) -> HttpResponse:
    """Add an entry, or change the entry at an index (from 0)."""
    row = _get_draft(draft_id)
    game, kind = find_game(row.game), find_kind(row.game, row.kind)
    if not row.is_draft or game is None or kind is None:
        return redirect("list_draft", row.pk)
    if place is not None:
        place = services.find_entry(row, request.POST.get("was", ""), place)
        if place >= len(row.entries):
            raise Http404(gettext("The draft has no such entry."))
    stored_entry = row.entries[place] if place is not None else None
    form = make_entry_form(game, kind, stored_entry, _submitted_data(request))
    is_sent = request.method == "POST" and "pick" not in request.POST and form.is_valid()
    if is_sent and _apply_to_form(form, lambda: _save_entry(request, row, place, form.to_entry())):
        messages.success(request, gettext("Saved."))
        return redirect("list_draft", row.pk)
    context = {"draft": row, "kind": kind, "game": game, "form": form, "place": place}
    context["mark"] = services.entry_fingerprint(stored_entry) if stored_entry else ""
    is_wrong = request.method == "POST" and bool(form.errors)
    return render(request, "decks/editions/entry.html", context, status=422 if is_wrong else 200)


def _save_entry(request: HttpRequest, row: ListEdition, place: int | None, entry: dict[str, object]) -> None:
    """Write an entry into the current draft.

    A page without a fingerprint names its revision.
    """
    seen_revision = row.revision if "was" in request.POST else _revision(request)
    if place is not None:
        services.change_entry(row, place, entry, revision=seen_revision, was=request.POST.get("was"))
    elif "was" not in request.POST or entry not in row.entries:  # else it is a second press
        services.add_entry(row, entry, revision=seen_revision)


def _submitted_data(request: HttpRequest) -> Any:
    """Return the submitted data; a chosen suggestion replaces the typed card."""
    if request.method != "POST":
        return None
    sent_data = request.POST.copy()
    if "pick" in sent_data:
        sent_data["card"] = str(sent_data["pick"])
    return sent_data


@list_editor_required
@require_safe
def card_suggestions(request: HttpRequest, game: str) -> HttpResponse:
    """Show cards for what is being typed into the form of an entry."""
    if find_game(game) is None:
        raise Http404(gettext("There is no such game."))
    suggestions = suggest_cards(game, request.GET.get("card", "")[:100])
    return render(request, "decks/editions/_suggestions.html", {"suggestions": suggestions})


@list_editor_required
@require_POST
def remove_entry(request: HttpRequest, draft_id: int, place: int) -> HttpResponse:
    """Remove an entry."""
    row = _get_draft(draft_id)
    if _attempt(request, lambda: services.remove_entry(row, place, revision=_revision(request))):
        messages.success(request, gettext("Entry removed."))
    return redirect("list_draft", row.pk)


@list_editor_required
@require_POST
def restore_entry(request: HttpRequest, draft_id: int, place: int) -> HttpResponse:
    """Restore an entry of the previous edition; `place` is its index there."""
    row = _get_draft(draft_id)
    if not row.is_draft:
        return redirect("list_draft", row.pk)
    page = get_draft_page(row, timezone.localdate())
    changes = (*page.comparison.difference.gone, *page.comparison.difference.changed)
    change = next((each for each in changes if each.place_before == place), None)
    if change is None or change.before is None:
        messages.error(request, gettext("The entry is already restored."))
        return redirect("list_draft", row.pk)
    earlier = page.comparison.before
    before = to_json(name_source(change.before, earlier) if earlier else change.before)
    if change.place_after is None:
        is_restored = _attempt(
            request, lambda: services.add_entry(row, before, revision=_revision(request), place=place)
        )
    else:
        there = change.place_after
        is_restored = _attempt(
            request, lambda: services.change_entry(row, there, before, revision=_revision(request))
        )
    if is_restored:
        messages.success(request, gettext("Entry restored."))
    return redirect("list_draft", row.pk)


@list_editor_required
@require_POST
def resolve_paragraph(request: HttpRequest, draft_id: int, place: int) -> HttpResponse:
    """Mark an unread paragraph as resolved."""
    row = _get_draft(draft_id)
    _attempt(request, lambda: services.resolve_paragraph(row, place, revision=_revision(request)))
    return redirect("list_draft", row.pk)


@list_editor_required
@require_POST
def publish_draft(request: HttpRequest, draft_id: int) -> HttpResponse:
    """Publish a draft."""
    row = _get_draft(draft_id)
    if not row.is_draft:
        messages.info(request, gettext("This version is published."))
        return redirect("list_edition", row.game, row.kind, row.number)
    form = PublishForm(row, True, request.POST)
    form.full_clean()
    options = {name: form.cleaned_data.get(name, False) for name in ("accept_warnings", "announced_before")}

    def step() -> object:
        return services.publish_draft(row, revision=_revision(request), actor=user_name(request), **options)

    if not _apply_to_form(form, step):
        return _render_draft(request, row, publishing=form)
    day = date_format(row.in_force, "DATE_FORMAT") if row.in_force else ""
    sentence = gettext("%(edition)s %(number)d is published. In force from %(date)s.")
    messages.success(request, sentence % {"edition": row.name, "number": row.number, "date": day})
    return redirect("list_edition", row.game, row.kind, row.number)


@list_editor_required
@require_POST
def discard_draft(request: HttpRequest, draft_id: int) -> HttpResponse:
    """Discard a draft."""
    row = _get_draft(draft_id)
    if not _attempt(request, lambda: services.discard_draft(row, revision=_revision(request))):
        return redirect("list_draft", row.pk)
    messages.success(request, gettext("Draft discarded: %(edition)s.") % {"edition": row.name})
    return redirect("lists_game", row.game)


@list_editor_required
@require_http_methods(["GET", "HEAD", "POST"])
def import_document(request: HttpRequest, game: str) -> HttpResponse:
    """Read a document and show its lists; create drafts of the selected ones."""
    known_game = next((each for each in readable_games() if each.key == game), None)
    if known_game is None:
        raise Http404(gettext("Documents of this game cannot be imported."))
    is_sent = request.method == "POST"
    form = DocumentForm(request.POST, request.FILES) if is_sent else DocumentForm()
    context: dict[str, object] = {"game": known_game, "form": form}
    if is_sent and form.is_valid():
        source = form.source()
        try:
            if "kinds" in request.POST:
                return _create_drafts(request, game, form, source)
            parsed_document = read_document(game, source)
            context |= {
                "parsed_document": parsed_document,
                "source": decode(source).text,
                "lists": _shown_lists(parsed_document),
            }
        except Refused as refusal:
            for problem in refusal.problems:
                form.add_error(None, forms.ValidationError(problem.message, code=problem.code))
    return render(request, "decks/editions/document.html", context, status=422 if form.errors else 200)


def _create_drafts(request: HttpRequest, game: str, form: DocumentForm, source: str | bytes) -> HttpResponse:
    drafts = create_drafts_from_document(
        game,
        source,
        actor=user_name(request),
        kinds=request.POST.getlist("kinds"),
        document=form.cleaned_data["document"],
    )
    sentence = ngettext("Draft created.", "%(count)d drafts created.", len(drafts))
    messages.success(request, sentence % {"count": len(drafts)})
    return redirect("list_draft", drafts[0].pk) if len(drafts) == 1 else redirect("lists_game", game)


def _shown_lists(parsed_document: ParsedDocument) -> list[dict[str, object]]:
    """Return the lists of a document, with their entries as text.

    The certainty of the entries is included.
    """
    return [
        {
            "parsed_list": each,
            "name": format_kind(each.kind),
            "entries": [(entry, format_entry(each.kind, entry.entry)) for entry in each.entries],
        }
        for each in parsed_document.lists.values()
        if each.entries or each.unread
    ]
