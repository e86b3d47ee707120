"""The verdict on a list while it is typed, for players and staff alike."""

from __future__ import annotations

from collections.abc import Mapping

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render

from decks.checking.offers import offer_cards
from decks.checking.plans import SHOW_PLAN
from decks.checking.result import CheckedList
from tournament.decklists.forms import DeckListForm
from tournament.events.models.event import Event
from tournament.events.settings import get_format


def build_typed_context(
    form: DeckListForm, checked_list: CheckedList | None, answers_url: str
) -> dict[str, object]:
    """Return what the buttons at the lines, of the findings and of the plan need."""
    return {
        "form": form,
        "answers_url": answers_url,
        "answers_form": "list-form",
        "plan_values": form.plan_values(checked_list.planned_list)
        if checked_list and checked_list.planned_list
        else None,
    }


def render_typed_verdict(
    request: HttpRequest, checked_list: CheckedList | None, context: Mapping[str, object]
) -> HttpResponse:
    """Show the parts of the page that a verdict fills.

    These are all of them, or the plan alone if that is requested.
    """
    is_plan = request.POST.get("plan") == SHOW_PLAN
    template = "decks/checking/_plan.html" if is_plan else "tournament/decklists/_player_verdict.html"
    return render(request, template, {**context, "checked_list": checked_list, "is_partial": True})


def answer_offers(request: HttpRequest, event: Event) -> JsonResponse:
    """Return the cards offered for the text of a line, under the event's format."""
    cards = [card.to_record() for card in event.added_cards.all()]
    offered_cards = offer_cards(get_format(event), request.GET.get("q", ""), cards)
    return JsonResponse({"cards": [each.to_json() for each in offered_cards]})
