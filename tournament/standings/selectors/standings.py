"""Standings as people read them: the engine's rows with players, cached until the event changes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from django.db import connection

from tournament.engine import records
from tournament.engine.problems import EngineError
from tournament.engine.records import Score
from tournament.engine.standings import standing as engine
from tournament.engine.standings.systems.own import OWN, own_system
from tournament.events.models.event import Event
from tournament.events.models.player import Player
from tournament.shared.single_flight import Shelf
from tournament.standings.selectors.records import engine_event, version_of

CACHED_TABLES = 64
DEFAULT = "ufs"
SHARES = frozenset(
    ("match_win", "opponents_match_win", "opponents_opponents_match_win", "game_win", "opponents_game_win")
)
DIGITS = 4


@dataclass(frozen=True, slots=True)
class Line:
    """One row of a standings table."""

    row: engine.Row
    player: Player
    cells: tuple[str, ...]
    tiebreakers: tuple[engine.Tiebreaker, ...]

    @property
    def named_cells(self) -> list[tuple[str, engine.Tiebreaker]]:
        """Each tiebreaker's value as shown, with the tiebreaker."""
        return list(zip(self.cells, self.tiebreakers, strict=True))

    @property
    def rank(self) -> int:
        """The place; shared places have one number."""
        return self.row.rank

    @property
    def is_dropped(self) -> bool:
        """Whether the player had dropped by the round of this table."""
        return self.row.dropped_after is not None

    @property
    def record(self) -> str:
        """Wins, losses and draws as people write them."""
        return f"{self.row.wins}-{self.row.losses}-{self.row.draws}"


def in_words(value: Score, tiebreaker: engine.Tiebreaker) -> str:
    """An exact value as a table shows it, rounded half up: shares as per cent with two decimals.

    Other fractions have up to four decimals.
    """
    if tiebreaker.kind_name in SHARES and tiebreaker.params.get("per") != "round":
        return f"{_rounded(value, 2, parts=100)} %"
    return str(value) if isinstance(value, int) else _rounded(value, DIGITS).rstrip("0").rstrip(".")


def _rounded(value: Score, digits: int, *, parts: int = 1) -> str:
    """So many parts of a whole, in integers: fractions take ten times as long for a table's hundreds."""
    scale = 10**digits
    above, below = abs(value.numerator) * parts, value.denominator
    whole, part = divmod((above * 2 * scale + below) // (2 * below), scale)
    return f"{'-' if value < 0 else ''}{whole}.{part:0{digits}d}"


# The version in the key makes a stale answer impossible.
_tables: Shelf[tuple[int, int, int | None], tuple[Line, ...]] = Shelf(CACHED_TABLES)


def system_of(event: Event) -> engine.System:
    """The system that makes the event's standings: a shipped one or the organizer's own."""
    try:
        if event.standings_system == OWN:
            return own_system(event.own_system)
        return engine.load_system(event.standings_system)
    except EngineError:
        # Services and archives refuse such data; written past them it must not hide the standings.
        return engine.load_system(DEFAULT)


def standings(event: Event, *, after_round: int | None = None) -> tuple[Line, ...]:
    """The table after the given round, or as it stands now; finished matches of a running round count."""
    # Inside a step the rows may already have changed while the version has not.
    if connection.in_atomic_block:
        return compute(event, after_round=after_round)
    key = (event.pk, version_of(event), after_round)
    return _tables.made(key, lambda: compute(event, after_round=after_round))


def compute(
    event: Event, *, after_round: int | None = None, system: engine.System | None = None
) -> tuple[Line, ...]:
    """The table read and computed anew, by the event's system or as another would have it."""
    system = system or system_of(event)
    players = {player.pk: player for player in event.players.filter(status=Player.Status.REGISTERED)}
    lots = {pk: player.lot for pk, player in players.items()}
    played = _as_it_was(engine_event(event, after_round=after_round), players, after_round)
    rows = engine.standings(played, system, lots=lots)
    return tuple(line_of(row, players[row.player], system.tiebreakers) for row in rows)


def _as_it_was(
    played: records.Event, players: Mapping[int, Player], after_round: int | None
) -> records.Event:
    """An event without those who entered after the round asked for, and what they were given since."""
    if after_round is None:
        return played
    late = {p.id for p in played.players if players[p.id].entered_round > after_round}
    there = tuple(p for p in played.players if p.id not in late)
    rounds = tuple(tuple(match for match in each if match.p1 not in late) for each in played.rounds)
    return replace(played, players=there, rounds=rounds)


def line_of(row: engine.Row, player: Player, tiebreakers: tuple[engine.Tiebreaker, ...]) -> Line:
    """A row of the engine with its player and its values in words."""
    cells = tuple(in_words(value, t) for value, t in zip(row.values, tiebreakers, strict=True))
    return Line(row=row, player=player, cells=cells, tiebreakers=tiebreakers)
