"""The page of a draft besides its tables: warnings, costs, first of two choices."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from decks.shared.refusals import Refused
from tournament.events.models.player import Player
from tournament.events.models.round import Round
from tournament.events.settings import get_sides
from tournament.pairing.selectors.drafts import fingerprint_draft, list_resting_players, load_draft_view
from tournament.pairing.selectors.pairings import load_round_view
from tournament.pairing.services.sides import refuse_move


@dataclass(frozen=True, slots=True)
class DraftSelection:
    """The first of two choices in a draft.

    It is a player to swap, or a match to move to another table. `open_tables` are those of more than two
    sides that the player can move to.
    """

    player: Player | None = None
    table: int | None = None
    open_tables: tuple[int, ...] = ()


def read_draft_selection(query: Mapping[str, str], draft: Round) -> DraftSelection:
    """Read the first choice from the address; empty if there is none."""
    number = parse_whole_number(query.get("pick", ""))
    table = parse_whole_number(query.get("table", ""))
    player = Player.objects.filter(seats__round=draft, number=number).first() if number else None
    is_there = table is not None and draft.matches.filter(table=table).exists()
    return DraftSelection(player, table if is_there else None, tuple(_list_open_tables(draft, player)))


def _list_open_tables(draft: Round, player: Player | None) -> Iterator[int]:
    """Yield the tables of more than two sides that a player can move to."""
    sides = get_sides(draft.stage.event)
    if player is None or sides.is_duel:
        return
    seat = player.seats.select_related("match", "player").get(round=draft)
    for match in draft.matches.filter(side_count__gt=2, table__isnull=False):
        try:
            refuse_move(seat, match, sides)
        except Refused:
            continue
        yield match.table or 0


def parse_whole_number(text: str) -> int | None:
    """Return a whole number of a page's field.

    It is None for anything else, also for a number that is not possible.
    """
    return int(text) if text.isdecimal() and len(text) < 10 else None


def load_draft_context(draft: Round, query: Mapping[str, str], *, may_pair: bool) -> dict[str, object]:
    """Return the context of the page of a draft."""
    view = load_draft_view(draft)
    round_view = load_round_view(draft)
    rows = round_view.rows
    return {
        "draft": view,
        "view": round_view,
        "draft_mark": fingerprint_draft(draft),
        "draft_rows": [(row, view.by_match.get(row.match.pk, [])) for row in rows],
        "selection": read_draft_selection(query, draft),
        "can_change": may_pair and not draft.stage.has_schedule,
        "resting": list_resting_players(draft),
    }
