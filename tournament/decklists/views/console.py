"""Console pages of the lists: all of them, one with its versions, rulings, exchanges at the table."""

from __future__ import annotations

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from decks.checking.files import FILE_TYPES
from decks.checking.result import WORDS
from decks.shared.refusals import Refused
from decks.submissions.exchanges import Exchange, allows_exchange
from tournament.access.actor import Actor
from tournament.access.rights import Right
from tournament.decklists.forms.answers import RulingForm
from tournament.decklists.forms.exchanges import ExchangeForm
from tournament.decklists.forms.lists import StaffListForm
from tournament.decklists.models.exchange import ExchangeCheck
from tournament.decklists.selectors import lists as selectors
from tournament.decklists.services import exchanges
from tournament.decklists.services import lists as decklists
from tournament.decklists.views.files import export_file
from tournament.events.game_terms import terms_of
from tournament.events.models.event import Event
from tournament.events.models.player import Player
from tournament.web.console_page import attempt, back, console_page, show
from tournament.web.form_refusals import attempt as attempt_in_form


@console_page(Right.LISTS)
@require_GET
def lists(request: HttpRequest, event: Event) -> HttpResponse:
    """Every player's list and verdict, worst first."""
    context = {
        "rows": selectors.list_rows(event),
        "audiences": Event.ListsOpen.choices,
        "closed": decklists.closed_because(event),
        "time_left": selectors.time_left(event),
    }
    return show(request, event, "tournament/decklists/lists.html", "lists", **context)


def _player(event: Event, number: int) -> Player:
    people = event.players.select_related("event", "deck_list__current__deck_list")
    return get_object_or_404(people, number=number)


@console_page(Right.LISTS)
@require_http_methods(["GET", "POST"])
def deck_list(request: HttpRequest, event: Event, number: int) -> HttpResponse:
    """One player's list with its verdict and history; staff can hand one in for him."""
    person = _player(event, number)
    current = person.deck_list.current if person.deck_list else None
    sent = (request.POST, request.FILES) if request.method == "POST" else (None, None)
    form = StaffListForm(*sent, event=event, version=current)
    if request.method == "POST" and form.is_valid():
        version = form.save(person, Actor.of_user(request.user))
        if version is not None:
            messages.success(request, f"Version {version.number} counts now.")
            return redirect("console_list", event.slug, person.number)
    context = {
        "player": person,
        "form": form,
        "page": selectors.version_page(person, current.number) if current else None,
        "versions": selectors.version_rows(person),
        "ruling_form": RulingForm(),
        "has_exchange": allows_exchange(terms_of(event)),
        "file_types": FILE_TYPES.values(),
    }
    answer = show(request, event, "tournament/decklists/list.html", "lists", **context)
    answer.status_code = 422 if form.errors else 200
    return answer


@console_page(Right.LISTS)
@require_GET
def version(request: HttpRequest, event: Event, number: int, version: int) -> HttpResponse:
    """One version of a player's list."""
    return _show_version(request, event, _player(event, number), version, RulingForm())


def _show_version(
    request: HttpRequest, event: Event, person: Player, number: int, ruling_form: RulingForm
) -> HttpResponse:
    page = selectors.version_page(person, number)
    if page is None:
        raise Http404("There is no such version.")
    context = {
        "player": person,
        "page": page,
        "ruling_form": ruling_form,
        "file_types": FILE_TYPES.values(),
    }
    return show(request, event, "tournament/decklists/list_version.html", "lists", **context)


@console_page(Right.LISTS)
@require_GET
def compare(request: HttpRequest, event: Event, number: int) -> HttpResponse:
    """What changed between two versions of a player's list."""
    person = _player(event, number)
    found = selectors.compared(person, request.GET.get("older", ""), request.GET.get("newer", ""))
    context = {"player": person, "change": found, "versions": selectors.version_rows(person)}
    return show(request, event, "tournament/decklists/list_compare.html", "lists", **context)


@console_page(Right.LISTS)
@require_GET
def export(request: HttpRequest, event: Event, number: int, version: int, kind: str) -> HttpResponse:
    """A version as a file."""
    back_to = reverse("console_list_version", args=[event.slug, number, version])
    return export_file(request, _player(event, number), version, kind, back_to)


@console_page(Right.MANAGE)
@require_POST
def overrule(request: HttpRequest, event: Event, number: int, version: int) -> HttpResponse:
    """Let the organizer's ruling stand over a verdict."""
    person = _player(event, number)
    form = RulingForm(request.POST)
    if form.is_valid() and form.save(person, Actor.of_user(request.user), version):
        messages.success(request, f"Your ruling stands; {person.name} sees it.")
        return redirect("console_list", event.slug, person.number)
    answer = _show_version(request, event, person, version, form)
    answer.status_code = 422
    return answer


@console_page(Right.MANAGE)
@require_POST
def open_lists(request: HttpRequest, event: Event) -> HttpResponse:
    """Say who may see the lists."""
    to = request.POST.get("to", "")
    attempt(request, lambda: decklists.open_lists(event, Actor.of_user(request.user), to), "Changed.")
    return back(request, "console_lists", event.slug)


@console_page(Right.LISTS)
@require_http_methods(["GET", "POST"])
def exchange(request: HttpRequest, event: Event, number: int) -> HttpResponse:
    """Hold what a player presents for a game against the registered list, and keep it if so wished."""
    person = _player(event, number)
    try:
        held = exchanges.registered_version(person)
    except Refused as refusal:
        messages.error(request, refusal.message)
        return redirect("console_list", event.slug, number)
    form = ExchangeForm(request.POST or None, version=held)
    judged = _judged(request, person, form) if request.method == "POST" and form.is_valid() else None
    if judged and request.POST.get("keep"):
        level = messages.SUCCESS if judged.verdict.outcome == "legal" else messages.WARNING
        messages.add_message(
            request, level, f"{WORDS[judged.verdict.outcome]}. The check is on record below."
        )
        return redirect("console_exchange", event.slug, number)
    context = {
        "player": person,
        "version": held,
        "form": form,
        "exchange": judged,
        "records": selectors.exchange_records(person),
    }
    answer = show(request, event, "tournament/decklists/exchange.html", "lists", **context)
    answer.status_code = 422 if form.errors else 200
    return answer


def _judged(request: HttpRequest, person: Player, form: ExchangeForm) -> Exchange | None:
    presented = form.presented()
    if presented is None:
        return None
    judged = attempt_in_form(form, lambda: exchanges.check_exchange(person, presented))
    if judged and request.POST.get("keep"):
        exchanges.record_exchange(person, Actor.of_user(request.user), presented)
    return judged


@console_page(Right.LISTS)
@require_POST
def exchange_back(request: HttpRequest, event: Event, number: int, check: int) -> HttpResponse:
    """Take the record of a checked exchange back."""
    person = _player(event, number)
    kept = get_object_or_404(ExchangeCheck.objects.select_related("player__event"), pk=check, player=person)
    actor = Actor.of_user(request.user)
    attempt(request, lambda: exchanges.take_back_check(kept, actor), "Taken back; the log keeps it.")
    return redirect("console_exchange", event.slug, number)
