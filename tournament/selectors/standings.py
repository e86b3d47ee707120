"""Standings as people read them: the engine's rows with players, cached until the event changes."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass
from threading import Lock

from tournament.engine import standings as engine
from tournament.models import Event, Player
from tournament.selectors.field import engine_event

CACHED_TABLES = 64


@dataclass(frozen=True, slots=True)
class Line:
    """One row of a standings table."""

    row: engine.Row
    player: Player

    @property
    def rank(self) -> int:
        """The place; shared places have one number."""
        return self.row.rank


class _Tables:
    """Tables by event, version and round. The version makes a stale answer impossible."""

    def __init__(self) -> None:
        self._tables: OrderedDict[tuple[int, int, int | None], tuple[Line, ...]] = OrderedDict()
        self._lock = Lock()

    def get(self, event: Event, after_round: int | None) -> tuple[Line, ...]:
        version = Event.objects.values_list("version", flat=True).get(pk=event.pk)
        key = (event.pk, version, after_round)
        with self._lock:
            if key in self._tables:
                self._tables.move_to_end(key)
                return self._tables[key]
        table = compute(event, after_round=after_round)
        with self._lock:
            self._tables[key] = table
            while len(self._tables) > CACHED_TABLES:
                self._tables.popitem(last=False)
        return table


_tables = _Tables()


def system_of(event: Event) -> engine.System:
    """The event's standings system."""
    return engine.load_system(event.standings_system)


def standings(event: Event, *, after_round: int | None = None) -> tuple[Line, ...]:
    """The table after the given round, or as it stands now; finished matches of a running round count."""
    return _tables.get(event, after_round)


def compute(event: Event, *, after_round: int | None = None) -> tuple[Line, ...]:
    """The table read and computed anew."""
    players = {player.pk: player for player in event.players.filter(status=Player.Status.REGISTERED)}
    lots = {pk: player.lot for pk, player in players.items()}
    rows = engine.standings(
        engine_event(event, after_round=after_round), system_of(event), after_round=after_round, lots=lots
    )
    return tuple(Line(row=row, player=players[row.player]) for row in rows)
