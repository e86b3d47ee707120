"""Records for the engine, read as values in a fixed number of queries."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any

from django.db import connection
from django.db.models import QuerySet

from tournament.engine import records
from tournament.engine.pairing.swiss import Entrant
from tournament.engine.records import Score
from tournament.engine.standings.scoring import Points
from tournament.models import Event, Match, Player, Round, Stage
from tournament.selectors.ledger import WORTH, Ledger
from tournament.selectors.stages import table_rounds
from tournament.shelves import Shelf
from tournament.table_numbers import TableNumbers

MATCH_FIELDS = ("round_id", "table", "p1_id", "p2_id", "outcome", "p1_games", "p2_games", "draws", "forfeit")
Outcome = Match.Outcome
CACHED_EVENTS = 16
_RESULTS: dict[str, records.Result | None] = {"": None, **{each.value: each for each in records.Result}}


# Standings, outlooks and the arithmetic of every player are made of the same matches.
_events: Shelf[tuple[int, int, int | None, int | None], records.Event] = Shelf(CACHED_EVENTS)


def version_of(event: Event) -> int:
    """The version that an event has now, whenever it was read. One query."""
    return Event.objects.values_list("version", flat=True).get(pk=event.pk)


def engine_event(
    event: Event, *, after_round: int | None = None, stage: Stage | None = None
) -> records.Event:
    """One stage of an event as the engine reads it: drafts and brackets stay out. Four queries at most.

    Without a `stage` it is the one that round `after_round` belongs to, otherwise the last that has a
    published round. Who left after that round has not left yet.
    """
    # Inside a step the rows may already have changed while the version has not.
    if connection.in_atomic_block:
        return _engine_event(event, after_round, stage)
    key = (event.pk, version_of(event), after_round, stage and stage.pk)
    return _events.made(key, lambda: _engine_event(event, after_round, stage))


def _engine_event(event: Event, after_round: int | None, stage: Stage | None) -> records.Event:
    every = table_rounds(event).exclude(state=Round.State.DRAFT).order_by("stage__position", "number")
    published = list(every.values_list("pk", "number", "stage_id", "stage__position", "stage__kind"))
    if after_round is not None:
        published = [row for row in published if row[1] <= after_round]
    shown = (stage.pk, stage.position, stage.kind) if stage else published[-1][2:] if published else None
    before = sum(shown is not None and row[3] < shown[1] for row in published)
    players = _players(event, shown)
    return records.Event(
        players=tuple(records.Player(id=pk, name=name, order=seed) for pk, name, seed, _ in players),
        rounds=_rounds([row[0] for row in published if shown is not None and row[2] == shown[0]]),
        drops={
            pk: max(dropped - before, 0)
            for pk, _, _, dropped in players
            if dropped is not None and (after_round is None or dropped <= after_round)
        },
    )


def _players(
    event: Event, shown: tuple[int, int, str] | None
) -> list[tuple[int, str, int | None, int | None]]:
    """Everybody of a stage (key, position, kind): its entrants, in a first Swiss stage all registered."""
    entered = event.players.filter(status=Player.Status.REGISTERED)
    if shown is not None and (shown[1] > 1 or shown[2] != Stage.Kind.SWISS):
        entered = entered.filter(stage_places__stage_id=shown[0])
    return list(entered.order_by("number").values_list("pk", "name", "seed", "dropped_after"))


def _rounds(order: list[int]) -> tuple[tuple[records.Match, ...], ...]:
    by_round: dict[int, list[records.Match]] = {pk: [] for pk in order}
    for row in Match.objects.filter(round_id__in=order).order_by("pk").values_list(*MATCH_FIELDS):
        by_round[row[0]].append(_match(row))
    return tuple(tuple(by_round[pk]) for pk in order)


def _match(row: tuple[Any, ...]) -> records.Match:
    _, table, p1, p2, outcome, p1_games, p2_games, draws, forfeit = row
    return records.Match(
        p1=p1,
        p2=p2,
        result=_RESULTS[outcome],
        p1_games=p1_games,
        p2_games=p2_games,
        draws=draws,
        table=table,
        forfeit=forfeit,
    )


@dataclass(frozen=True, slots=True)
class SwissField:
    """Who is paired in a round and who has met; `resting` have a bye that was given them beforehand."""

    entrants: list[Entrant]
    met: list[tuple[int, int]]
    resting: list[int]

    @property
    def scores(self) -> dict[int, Score]:
        """Points of everybody who is paired, without what acceleration adds."""
        return {entrant.id: entrant.score for entrant in self.entrants}


def swiss_field(
    stage: Stage, number: int, points: Points, numbers: TableNumbers, *, before: int
) -> SwissField:
    """The field of round `number`; `before` rounds were played in earlier stages. Two queries.

    A draft of that very round plays no part in it. Tables are counted as the engine does.
    """
    ledger = Ledger(points)
    byes: Counter[int] = Counter()
    sat: dict[int, list[int]] = {}
    met: list[tuple[int, int]] = []
    past = Match.objects.filter(round__stage=stage).exclude(round__number__gte=number)
    for p1, p2, table, *outcome in past.values_list("p1_id", "p2_id", "table", *WORTH):
        if p2 is None:
            byes[p1] += outcome[0] == Outcome.BYE
        else:
            met.append((p1, p2))
            if table is not None:
                sat.setdefault(p1, []).append(numbers.place(table))
                sat.setdefault(p2, []).append(numbers.place(table))
        ledger.credit(p1, p2, tuple(outcome))
    entrants, resting = [], []
    for pk, club, fixed, first_byes in _still_in(stage, number):
        if number - before <= first_byes:
            resting.append(pk)
            continue
        seat = None if fixed is None else numbers.place(fixed)
        club = club.strip().casefold()
        entrants.append(Entrant(pk, ledger.scores[pk], byes[pk], club, seat, tuple(sat.get(pk, ()))))
    return SwissField(entrants, met, resting)


def _still_in(stage: Stage, number: int) -> QuerySet[Player, tuple[Any, ...]]:
    playing = Player.objects.filter(
        event_id=stage.event_id, status=Player.Status.REGISTERED, dropped_after__isnull=True
    )
    if stage.position > 1:
        playing = playing.filter(stage_places__stage=stage)
    playing = playing.filter(entered_round__lte=number)
    return playing.order_by("number").values_list("pk", "club", "fixed_table", "first_byes")
