"""The rows of the page of a round as HTML: a result changes one of them, and the others are as they were."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from functools import partial
from typing import Final

from django.template.loader import get_template
from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import get_language

from decks.shared.cache import SingleFlightCache
from tournament.access.permissions import Right
from tournament.events.models.event import Event
from tournament.events.models.player import Player
from tournament.results.round_page import Mark, RoundPage, TableRow

# Four rounds of 500 tables, say, each for two languages.
CACHED_ROWS = 4000
# Stands in a row for what the reader's forms carry.
FORM_MARK: Final = "reader-s-form"

_patterns: SingleFlightCache[tuple[Hashable, ...], str] = SingleFlightCache(CACHED_ROWS)


def render_rows(
    page: RoundPage,
    event: Event,
    rights: frozenset[Right],
    *,
    show: str,
    token: str,
    is_partial: bool = False,
) -> SafeString:
    """Return the rows of a page, with this token in their forms. A row is rendered once for what it shows.

    `is_partial`: each takes the place of the row that a page has.
    """
    can_score = Right.SCORE in rights
    zone = timezone.get_current_timezone_name()
    shared = (event.slug, can_score, show, tuple(page.scores), get_language(), zone, is_partial)
    template = get_template("tournament/results/_round_row.html")
    context = {"event": event, "rights": rights, "show": show, "view": page, "csrf_token": FORM_MARK}
    context["is_partial"] = is_partial

    def render(row: TableRow) -> str:
        html = template.render({**context, "row": row, "match": row.match})
        return html.replace("{", "{{").replace("}", "}}").replace(FORM_MARK, "{token}")

    patterns = [
        _patterns.get_or_compute((*shared, *_list_facts(row)), partial(render, row)) for row in page.rows
    ]
    return format_html("".join(patterns), token=token)


def _list_facts(row: TableRow) -> tuple[Hashable, ...]:
    """List everything that the template of a row shows or asks for, see `_round_row.html`."""
    match = row.match
    return (
        match.pk,
        match.revision,
        match.table,
        match.outcome,
        match.winner_id,
        match.result_at,
        row.state,
        row.entered_by,
        row.row.result_words,
        row.reported_score,
        *row.claims,
        *_player_facts(match.p1, row.row.p1_points, row.p1_marks),
        *_player_facts(match.p2, row.row.p2_points, row.p2_marks),
        tuple(row.marks),
    )


def _player_facts(player: Player | None, points: Hashable, marks: Iterable[Mark]) -> tuple[Hashable, ...]:
    return (player and player.number, str(player), points, tuple(marks))
