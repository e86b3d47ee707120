"""Draft pods: who sits where and passes to whom, and all players by name."""

from __future__ import annotations

from tournament.booster_drafts.selectors import get_draft_pods, list_pods, sort_seats
from tournament.printing.request import PrintRequest


def build_draft_pods(request: PrintRequest) -> dict[str, object]:
    """Return each pod with its seats in order, then everyone by name.

    Each player has pod and seat.
    """
    rules, pods = get_draft_pods(request.event), list_pods(request.event)
    packs = [(direction, rules.packs_to(direction)) for direction in rules.order] if rules else []
    return {"pods": pods, "seats": sort_seats(request.event, pods), "packs": packs}
