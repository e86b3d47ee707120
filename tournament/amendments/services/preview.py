"""Preview of a change of a published round.

The change is made in each way, measured, and rolled back.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from django.db import transaction

from decks.shared.json_shapes import Published
from decks.shared.refusals import Refused
from decks.shared.stated_reasons import StatedReason
from tournament.access.permissions import Actor
from tournament.amendments import selectors
from tournament.amendments.selectors import Notice
from tournament.amendments.services.changes import WAYS, RoundChange, change_round
from tournament.events.models.event import Event
from tournament.events.models.round import Round
from tournament.events.settings import get_sides
from tournament.pairing.selectors.drafts import CostLine, DraftWarning, compare_with_best
from tournament.pairing.selectors.table_changes import TableChange
from tournament.results.services import dry_run, writing
from tournament.results.services.dry_run import StandingsChange
from tournament.results.services.writing import RepairStrategy

MAX_SHOWN_NOTICES = 30


@dataclass(frozen=True, slots=True)
class ChangeColumn(Published):
    """One way to make the change.

    Holds the tables it changes, its cost compared with the best, and the players to notify. `refusal` says
    why this way is not possible; then the rest is empty. `is_same` is true if it does the same as to keep the
    other tables.
    """

    PUBLISHED = {
        "way": "way", "plan": "mark", "refusal": "refusal_record", "is_same": "is_same", "tables": "tables",
        "costs": "costs", "doubts": "doubts", "tell": "notices",
    }  # fmt: skip

    way: str
    mark: str = ""
    refusal: Refused | None = None
    is_same: bool = False
    tables: tuple[TableChange, ...] = ()
    costs: tuple[CostLine, ...] = ()
    doubts: tuple[DraftWarning, ...] = ()
    notices: tuple[Notice, ...] = ()

    @property
    def refusal_record(self) -> dict[str, object] | None:
        """Why this way is not possible, in the form of refusals."""
        return self.refusal.to_json() if self.refusal else None

    @property
    def extra_costs(self) -> list[CostLine]:
        """Where it is worse than the best pairing."""
        return [line for line in self.costs if line.is_worse]

    @property
    def changes(self) -> tuple[TableChange, ...]:
        """The tables as a page lists them."""
        return self.tables

    @property
    def names_to_tell(self) -> list[str]:
        """The players to notify, as many as a page names."""
        return [notice.name for notice in self.shown_notices]

    @property
    def shown_notices(self) -> tuple[Notice, ...]:
        """As many as a page shows."""
        return self.notices[:MAX_SHOWN_NOTICES]

    @property
    def hidden_notices(self) -> int:
        """The number of further players to notify."""
        return len(self.notices) - len(self.shown_notices)


@dataclass(frozen=True, slots=True)
class ChangePreview(Published):
    """The effects of a change.

    `round` is the round whose open tables the ways are about, if there is one. `removed_results` are results
    that no longer count. `draft` is the number of a draft that is paired again, `lost_changes` how many
    manual changes it loses. `stage_made`: a later stage was made from the old standings, and stays.
    """

    PUBLISHED = {
        "round": "open_number", "ways": "columns", "standings": "standings_changes",
        "removed": "removed_results", "draft": "draft", "lost_changes": "lost_changes",
        "stage_made": "stage_made",
    }  # fmt: skip

    open_number: int | None
    columns: tuple[ChangeColumn, ...]
    standings_changes: tuple[StandingsChange, ...]
    removed_results: tuple[StatedReason, ...]
    draft: int | None
    lost_changes: int
    stage_made: bool

    @property
    def removed_words(self) -> list[str]:
        """The results that no longer count, in words."""
        return [each.sentence for each in self.removed_results]

    @property
    def keep(self) -> ChangeColumn:
        """The way that leaves all other tables."""
        return self.columns[0]


def preview_change(round_: Round, actor: Actor, change: RoundChange) -> ChangePreview:
    """Return what a change would do in each way; nothing is written.

    Raises Refused if the change itself cannot be made.
    """
    with transaction.atomic():
        try:
            Event.objects.select_for_update().get(pk=round_.stage.event_id)
            return _Preview(round_, actor, change).make()
        finally:
            transaction.set_rollback(True)


@dataclass(frozen=True, slots=True)
class _Trial:
    """The effects of one way to make the change."""

    column: ChangeColumn
    seats: frozenset[object]


class _Preview:
    """The change, tried out in one way after the other."""

    def __init__(self, round_: Round, actor: Actor, change: RoundChange) -> None:
        self.round, self.actor, self.change = round_, actor, change
        self.event = round_.stage.event
        self.target = selectors.get_open_round(round_)
        is_other = self.target and self.target.pk != round_.pk
        self.watched_rounds = [round_, self.target] if self.target and is_other else [round_]
        self.finished_matches = self._list_finished()
        self.tables = [selectors.load_tables(each) for each in self.watched_rounds]
        self.places = [selectors.load_places(each) for each in self.watched_rounds]
        self.is_swiss = round_.stage.kind == "swiss"

    def make(self) -> ChangePreview:
        """Try each way; the first one says what all of them do."""
        standings = dry_run.rank_players(self.event) if self.is_swiss else {}
        manual_changes = dry_run.count_manual_changes(self.event)
        with _rolled_back():
            keep = self._try_way(RepairStrategy.LEAVE)
            moved_ranks = tuple(dry_run.compare_standings(self.event, standings)) if self.is_swiss else ()
            draft = dry_run.find_draft_number(self.event)
            lost_changes = manual_changes - dry_run.count_manual_changes(self.event)
            counting_ids = self._list_finished()
        columns = [keep.column]
        if self.target is not None and self.is_swiss and get_sides(self.event).is_duel:
            columns += [self._try_or_refuse(way, keep) for way in WAYS[1:]]
        return ChangePreview(
            open_number=self.target.number if self.target else None,
            columns=tuple(columns),
            standings_changes=moved_ranks,
            removed_results=selectors.state_results(self.finished_matches - counting_ids),
            draft=draft,
            lost_changes=lost_changes,
            stage_made=writing.find_next_stage(self.round.stage) is not None,
        )

    def _try_or_refuse(self, way: str, keep: _Trial) -> ChangeColumn:
        with _rolled_back():
            try:
                trial = self._try_way(way)
            except Refused as refusal:
                return ChangeColumn(way, refusal=refusal)
        if trial.seats == keep.seats:
            return ChangeColumn(way, is_same=True)
        return trial.column

    def _try_way(self, way: str) -> _Trial:
        outcome = change_round(self.round, self.actor, self.change, way=way)
        after = [selectors.load_places(each) for each in self.watched_rounds]
        moves = [
            move
            for old, new in zip(self.places, after, strict=True)
            for move in selectors.compare_places(old, new)
        ]
        shown_round = self.target or self.round
        column = ChangeColumn(
            way=way,
            mark=outcome.mark,
            tables=tuple(self._compare_tables()),
            costs=compare_with_best(shown_round) if self.is_swiss else (),
            doubts=tuple(dry_run.list_doubts(shown_round)) if self.is_swiss else (),
            notices=tuple(selectors.list_notices(moves)),
        )
        return _Trial(column, frozenset((pk, place.seat) for places in after for pk, place in places.items()))

    def _compare_tables(self) -> Iterator[TableChange]:
        for each, before in zip(self.watched_rounds, self.tables, strict=True):
            yield from selectors.compare_tables(before, selectors.load_tables(each))

    def _list_finished(self) -> frozenset[int]:
        return selectors.list_finished(self.watched_rounds)


@contextmanager
def _rolled_back() -> Iterator[None]:
    savepoint = transaction.savepoint()
    try:
        yield
    finally:
        transaction.savepoint_rollback(savepoint)
