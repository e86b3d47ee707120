"""Records for the engine, read as values in a fixed number of queries."""

from __future__ import annotations

from typing import Any

from django.db import connection

from tournament.engine import records
from tournament.events.models.event import Event, Stage
from tournament.events.models.player import Player
from tournament.events.models.round import Match, Round
from tournament.events.selectors.stages import table_rounds
from tournament.shared.single_flight import Shelf

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
