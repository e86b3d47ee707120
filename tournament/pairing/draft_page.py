"""What the page of a draft shows besides its tables: warnings, costs, and the first of two choices."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from tournament.events.models.event import Stage
from tournament.events.models.player import Player
from tournament.events.models.round import Round
from tournament.pairing.selectors.drafts import fingerprint_draft, list_resting_players, load_draft_view
from tournament.pairing.selectors.pairings import load_round_view


@dataclass(frozen=True, slots=True)
class DraftSelection:
    """The first of two choices in a draft: a player to swap, or a match to move to another table."""

    player: Player | None = None
    table: int | None = None


def read_draft_selection(query: Mapping[str, str], draft: Round) -> DraftSelection:
    """Read the first choice from the address; empty if there is none."""
    number = parse_whole_number(query.get("pick", ""))
    table = parse_whole_number(query.get("table", ""))
    player = Player.objects.filter(seats__round=draft, number=number).first() if number else None
    is_there = table is not None and draft.matches.filter(table=table).exists()
    return DraftSelection(player, table if is_there else None)


def parse_whole_number(text: str) -> int | None:
    """A whole number of a page's field; None for anything else, also where no such number can be."""
    return int(text) if text.isdecimal() and len(text) < 10 else None


def load_draft_context(draft: Round, query: Mapping[str, str], *, may_pair: bool) -> dict[str, object]:
    """The context of the page of a draft."""
    view = load_draft_view(draft)
    round_view = load_round_view(draft)
    rows = round_view.rows
    return {
        "draft": view,
        "view": round_view,
        "draft_mark": fingerprint_draft(draft),
        "draft_rows": [(row, view.by_match.get(row.match.pk, [])) for row in rows],
        "picked": read_draft_selection(query, draft),
        "can_change": may_pair and draft.stage.kind != Stage.Kind.ROBIN,
        "resting": list_resting_players(draft),
    }
