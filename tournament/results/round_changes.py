"""Tables of a round that, by the log, have changed since a page was loaded."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import chain

from tournament.events.models.event import Event
from tournament.events.models.round import Round
from tournament.log.models import LogEntry
from tournament.results.round_page import FILTERS, RoundPage

# Steps that change the tables of the players and the round which they name, and nothing else of the page.
TABLE_ACTIONS = frozenset(
    {
        "call_closed",
        "call_taken",
        "judge_called",
        "penalty_given",
        "penalty_taken_back",
        "player_dropped",
        "result_agreed",
        "result_by_penalty",
        "result_cleared",
        "result_entered",
        "result_reported",
        "ruled",
        "time_answered",
        "time_changed",
    }
)
UNDO = "undone"
# A page that is older than this gets all tables.
MOST_STEPS, MOST_PLAYERS = 60, 60


@dataclass(frozen=True, slots=True)
class StepFacts:
    """A line of the log without its words."""

    action: str
    about: str
    takes_back: list[int]
    head: int | None


def find_latest_step(event: Event) -> int:
    """Return the number of the last line in the log of an event; 0 without one."""
    return LogEntry.objects.filter(event=event).values_list("pk", flat=True).first() or 0


def find_changed_players(round_: Round, since: int) -> frozenset[int] | None:
    """Return the players whose tables changed after a step.

    It is None if more than tables has changed. One query, and another where steps were undone.
    """
    entries = LogEntry.objects.filter(event=round_.stage.event_id, pk__gt=since).order_by("pk")
    columns = ("action", "about", "takes_back", "head")
    steps = [StepFacts(*row) for row in entries.values_list(*columns)[: MOST_STEPS + 1]]
    if not since or len(steps) > MOST_STEPS or not _list_actions(steps) <= TABLE_ACTIONS:
        return None
    heads = [each.about.split() for each in steps if each.head is None]
    words = set(chain.from_iterable(heads))
    rounds = {word for word in words if word.startswith("r")}
    players = frozenset(int(word[1:]) for word in words - rounds)
    if not all(heads) or not rounds <= {f"r{round_.pk}"} or len(players) > MOST_PLAYERS:
        return None
    return players


def _list_actions(steps: Iterable[StepFacts]) -> set[str]:
    """List what was done, and what was undone in place of undo steps."""
    actions = {each.action for each in steps if each.action != UNDO}
    if taken_back := [pk for each in steps if each.action == UNDO for pk in each.takes_back]:
        actions.update(LogEntry.objects.filter(pk__in=taken_back).values_list("action", flat=True))
    return actions


def can_tell_by_rows(page: RoundPage, show: str) -> bool:
    """Return whether only rows and their counts changed on a shown page.

    The page must have exactly these rows.
    """
    if any(row.match.table is None for row in page.rows):
        return False
    open_rows = sum(not row.match.is_finished for row in page.rows)
    if not page.waiting_count or page.waiting_count == open_rows:
        # The round is finished, or may just have been.
        return False
    # A row that comes under a filter has its place among others.
    return not show or not any(map(FILTERS[show], page.rows))
