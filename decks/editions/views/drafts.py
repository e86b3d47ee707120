"""The console of list keepers: draft an edition, change its entries, look it over, publish it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django import forms
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from decks.access.rights import keepers_only
from decks.editions.domain.content import plain
from decks.editions.domain.kinds import kind_of
from decks.editions.forms.cards import suggestions
from decks.editions.forms.drafts import DetailsForm, PublishForm
from decks.editions.forms.entries import form_for
from decks.editions.models import ListEdition
from decks.editions.selectors.pages import draft_page, game_of
from decks.editions.services import editions
from decks.shared.refusals import Refused

LARGEST = 2**31 - 1


def _draft(draft_id: int) -> ListEdition:
    """The draft of an address; one that was thrown away is not found, one that was published has its page."""
    return get_object_or_404(ListEdition, pk=draft_id)


def name_of(request: HttpRequest) -> str:
    person: Any = request.user
    return str(person.get_full_name() or person.get_username())


def _revision(request: HttpRequest) -> int:
    """The revision that the sender saw; what is no number fits none."""
    sent = request.POST.get("revision", "")
    return int(sent) if sent.isascii() and sent.isdigit() and int(sent) <= LARGEST else -1


def _attempt(request: HttpRequest, step: Callable[[], Any]) -> bool:
    """Do a step; what is refused is told on the next page."""
    try:
        step()
    except Refused as refusal:
        for problem in refusal.problems:
            messages.error(request, problem.message)
        return False
    return True


def _said_by(form: forms.Form, step: Callable[[], Any]) -> bool:
    """Do a step for a form; what is refused stands beside the field it names."""
    try:
        step()
    except Refused as refusal:
        for problem in refusal.problems:
            field = problem.field if problem.field in form.fields else None
            form.add_error(field, forms.ValidationError(problem.message, code=problem.code))
        return False
    return True


@keepers_only
@require_POST
def start(request: HttpRequest, game: str, kind: str) -> HttpResponse:
    """Draft the next edition of a list, from the last one or from the one chosen."""
    base = request.POST.get("based_on", "")
    based_on = int(base) if base.isascii() and base.isdigit() and int(base) <= LARGEST else None
    try:
        made = editions.draft(game, kind, actor=name_of(request), based_on=based_on)
    except Refused as refusal:
        if refusal.code == "unknown_list":
            raise Http404(refusal.message) from refusal
        messages.error(request, refusal.message)
        return redirect("lists_game", game)
    return redirect("list_draft", made.pk)


@keepers_only
@require_http_methods(["GET", "HEAD", "POST"])
def draft(request: HttpRequest, draft_id: int) -> HttpResponse:
    """A draft: what it says of itself, its entries, its problems, its difference to the edition before."""
    row = _draft(draft_id)
    if not row.is_draft:
        return redirect("list_edition", row.game, row.kind, row.number)
    form = DetailsForm(row, request.POST or None)
    if request.method == "POST" and form.is_valid():
        told = form.cleaned_data
        # What the page carried is compared field by field; whoever carries nothing names the revision he saw.
        seen = row.revision if "initial-name" in request.POST else _revision(request)
        if _said_by(form, lambda: editions.change_details(row, revision=seen, **told)):
            messages.success(request, "Saved.")
            return redirect("list_draft", row.pk)
    return _show(request, row, details=form)


def _show(request: HttpRequest, row: ListEdition, *, status: int = 200, **shown: Any) -> HttpResponse:
    page = draft_page(ListEdition.objects.get(pk=row.pk), timezone.localdate())
    context = {
        "page": page,
        "details": DetailsForm(page.draft),
        "publishing": PublishForm(page.draft, bool(page.warnings)),
        **shown,
    }
    is_wrong = any(form.errors for form in shown.values())
    return render(request, "decks/editions/draft.html", context, status=422 if is_wrong else status)


@keepers_only
@require_http_methods(["GET", "HEAD", "POST"])
def entry(request: HttpRequest, draft_id: int, place: int | None = None) -> HttpResponse:
    """Add an entry, or change the one of a place (counted from 0), in the form that suits the list."""
    row = _draft(draft_id)
    game, kind = game_of(row.game), kind_of(row.game, row.kind)
    if not row.is_draft or game is None or kind is None:
        return redirect("list_draft", row.pk)
    if place is not None:
        place = editions.place_of(row, request.POST.get("was", ""), place)
        if place >= len(row.entries):
            raise Http404("The draft has no such entry.")
    held = row.entries[place] if place is not None else None
    form = form_for(game, kind, held, _sent(request))
    is_sent = request.method == "POST" and "pick" not in request.POST and form.is_valid()
    if is_sent and _said_by(form, lambda: _keep_entry(request, row, place, form.made())):
        messages.success(request, "Saved.")
        return redirect("list_draft", row.pk)
    context = {"draft": row, "kind": kind, "game": game, "form": form, "place": place}
    context["mark"] = editions.mark_of(held) if held else ""
    is_wrong = request.method == "POST" and bool(form.errors)
    return render(request, "decks/editions/entry.html", context, status=422 if is_wrong else 200)


def _keep_entry(request: HttpRequest, row: ListEdition, place: int | None, made: dict[str, Any]) -> None:
    """Write an entry into the draft as it stands; whoever carries no mark names the revision that he saw."""
    seen = row.revision if "was" in request.POST else _revision(request)
    if place is not None:
        editions.change_entry(row, place, made, revision=seen, was=request.POST.get("was"))
    elif "was" not in request.POST or made not in row.entries:  # else it is a second press
        editions.add_entry(row, made, revision=seen)


def _sent(request: HttpRequest) -> Any:
    """What was sent; a suggestion that was picked takes the place of the card as typed."""
    if request.method != "POST":
        return None
    sent = request.POST.copy()
    if "pick" in sent:
        sent["card"] = sent["pick"]
    return sent


@keepers_only
@require_safe
def cards(request: HttpRequest, game: str) -> HttpResponse:
    """Cards for what is being typed into the form of an entry."""
    if game_of(game) is None:
        raise Http404("There is no such game.")
    found = suggestions(game, request.GET.get("card", "")[:100])
    return render(request, "decks/editions/_suggestions.html", {"suggestions": found})


@keepers_only
@require_POST
def remove(request: HttpRequest, draft_id: int, place: int) -> HttpResponse:
    """Take an entry out; the difference below offers to put back what the edition before has."""
    row = _draft(draft_id)
    if _attempt(request, lambda: editions.remove_entry(row, place, revision=_revision(request))):
        messages.success(request, "Taken out.")
    return redirect("list_draft", row.pk)


@keepers_only
@require_POST
def put_back(request: HttpRequest, draft_id: int, place: int) -> HttpResponse:
    """Let an entry of the edition before stand again as it was there; `place` counts in that edition."""
    row = _draft(draft_id)
    if not row.is_draft:
        return redirect("list_draft", row.pk)
    page = draft_page(row, timezone.localdate())
    changes = (*page.compared.difference.gone, *page.compared.difference.changed)
    change = next((each for each in changes if each.place_before == place), None)
    if change is None or change.before is None:
        messages.error(request, "That entry stands as it was.")
        return redirect("list_draft", row.pk)
    before = plain(change.before)
    if change.place_after is None:
        done = _attempt(
            request, lambda: editions.add_entry(row, before, revision=_revision(request), place=place)
        )
    else:
        there = change.place_after
        done = _attempt(
            request, lambda: editions.change_entry(row, there, before, revision=_revision(request))
        )
    if done:
        messages.success(request, "It stands as before.")
    return redirect("list_draft", row.pk)


@keepers_only
@require_POST
def settle(request: HttpRequest, draft_id: int, place: int) -> HttpResponse:
    """Strike a paragraph off those that could not be read."""
    row = _draft(draft_id)
    _attempt(request, lambda: editions.settle(row, place, revision=_revision(request)))
    return redirect("list_draft", row.pk)


@keepers_only
@require_POST
def publish(request: HttpRequest, draft_id: int) -> HttpResponse:
    """Publish the draft for good."""
    row = _draft(draft_id)
    if not row.is_draft:
        messages.info(request, "This edition is published.")
        return redirect("list_edition", row.game, row.kind, row.number)
    form = PublishForm(row, True, request.POST)
    form.full_clean()
    told = {name: form.cleaned_data.get(name, False) for name in ("accept_warnings", "announced_before")}

    def step() -> object:
        return editions.publish(row, revision=_revision(request), actor=name_of(request), **told)

    if not _said_by(form, step):
        return _show(request, row, publishing=form)
    messages.success(request, f"{row.name} {row.number} is published and holds from {row.in_force:%d %B %Y}.")
    return redirect("list_edition", row.game, row.kind, row.number)


@keepers_only
@require_POST
def discard(request: HttpRequest, draft_id: int) -> HttpResponse:
    """Throw the draft away."""
    row = _draft(draft_id)
    if not _attempt(request, lambda: editions.discard(row, revision=_revision(request))):
        return redirect("list_draft", row.pk)
    messages.success(request, f"The draft of {row.name} is thrown away.")
    return redirect("lists_game", row.game)
