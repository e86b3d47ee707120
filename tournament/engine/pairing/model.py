"""Pairing input and output: entrants, tables, cost, proof and explanation."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cached_property
from typing import NamedTuple

from rules.reason import Reason, Reference, reason
from tournament.engine.problems import EngineError, refer_to_player
from tournament.engine.records import PlayerId, Score


class PairingError(EngineError):
    """A field that cannot be paired."""


class Entrant(NamedTuple):
    """One player (or team) who takes part in the round.

    `byes` counts the byes that should not be followed by another, and the latest of them was
    `rounds_since_bye` rounds ago (1: in the round before, 0: not known). `group` is a club, a team or a
    household. `fixed_table` is a seat that the entrant must not leave; `last_tables` are the numbers of the
    tables that they have sat at. `unplayed_rounds` counts rounds without a match that was played, where the
    system gives the bye to those with the fewest.
    """

    id: PlayerId
    score: Score = 0
    byes: int = 0
    group: str = ""
    fixed_table: int | None = None
    last_tables: tuple[int, ...] = ()
    rounds_since_bye: int = 0
    unplayed_rounds: int = 0


class PairingPreferences(NamedTuple):
    """Preferences among equally good pairings; they never cost a rematch or a float.

    `groups_apart`: entrants of one group should not meet in this round. `separate_pairs`: pairs that should
    not meet. `fresh_tables`: no one should sit at a table again at which they have sat.
    """

    groups_apart: bool = False
    separate_pairs: frozenset[tuple[PlayerId, PlayerId]] = frozenset()
    fresh_tables: bool = False


NO_PREFERENCES = PairingPreferences()


class Cost(NamedTuple):
    """The cost of a pairing.

    `forbidden_count` counts blocked pairings, `rematches` pairs that meet again (a bye too many counts as
    one). Of these, `repeat_counts` counts those that meet for the second time, the third time and so on, and
    `immediate_count` those that repeat the round before. `bye_score` is the score of the player with the bye
    (None without one), `floats` the sum of the float costs, `unwished_count` the pairings against a
    preference, and the unplayed rounds of the player with the bye where the system counts them.
    """

    forbidden_count: int
    rematches: int
    bye_rank: int
    floats: Score
    unwished_count: int = 0
    bye_score: Score | None = None
    repeat_counts: tuple[int, ...] = ()
    immediate_count: int = 0

    @property
    def third_meetings(self) -> int:
        """How many pairs meet for the third time or more often."""
        return sum(self.repeat_counts[1:])


class Certificate(NamedTuple):
    """Why no pairing is better.

    `lower_bound` is what every pairing costs at least; `is_proved` is whether this one reaches it.

    `method` is "neighbours" (the order of scores alone proves it), "windows" (an exact matching of the
    score groups in `windows`, each named by its highest and lowest score, and the order of scores
    elsewhere), "exhaustive" (all pairings were compared), "look-ahead" (cheapest of those that leave the
    rest of the event playable), "table" (a schedule that is written down, not searched) or "lot".
    """

    lower_bound: Cost
    is_proved: bool
    method: str
    windows: tuple[tuple[Score, Score], ...] = ()


# A named tuple: making and numbering the tables of 5,000 players takes 5 ms, with frozen dataclasses 20 ms.
class PairingTable(NamedTuple):
    """One match of the round.

    `p1` has the higher score; ties are broken at random. A table that a repair keeps keeps its seats.
    `note` says what is special.
    """

    number: int
    p1: PlayerId
    p2: PlayerId
    score1: Score = 0
    score2: Score = 0
    note: str = ""

    @property
    def gap(self) -> Score:
        """By how much the two scores differ."""
        return self.higher - self.lower

    @property
    def higher(self) -> Score:
        """The higher score of the two."""
        return max(self.score1, self.score2)

    @property
    def lower(self) -> Score:
        """The lower score of the two."""
        return min(self.score1, self.score2)

    @property
    def players(self) -> tuple[PlayerId, PlayerId]:
        """Both players, `p1` first."""
        return (self.p1, self.p2)

    @property
    def why(self) -> tuple[Reason, ...]:
        """Why these two meet."""
        return tuple(explain_table(self))


class Pairing:
    """A whole round.

    Holds its tables by number, the player with the bye, the seed, its cost and its proof. `groups` lists the
    scores in the field, high to low, each with the number of entrants that have it. The tables (and `remarks`
    about seats) are written out by `write_tables` when they are first requested.
    """

    def __init__(
        self,
        write_tables: Callable[[], tuple[tuple[PairingTable, ...], tuple[Reason, ...]]],
        bye: PlayerId | None,
        seed: int,
        cost: Cost,
        certificate: Certificate,
        groups: tuple[tuple[Score, int], ...] = (),
    ) -> None:
        self._write_tables = write_tables
        self.bye, self.seed, self.cost, self.certificate = bye, seed, cost, certificate
        self.groups = groups

    @cached_property
    def _written_tables(self) -> tuple[tuple[PairingTable, ...], tuple[Reason, ...]]:
        return self._write_tables()

    @property
    def tables(self) -> tuple[PairingTable, ...]:
        """The matches of the round, by table number."""
        return self._written_tables[0]

    @property
    def remarks(self) -> tuple[Reason, ...]:
        """Return what could not be done, as a fixed seat that two players have."""
        return self._written_tables[1]

    def _facts(self) -> tuple[object, ...]:
        return (self.tables, self.bye, self.seed, self.cost, self.certificate, self.groups, self.remarks)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Pairing) and self._facts() == other._facts()

    def __hash__(self) -> int:
        return hash((self.tables, self.bye, self.seed))

    def __repr__(self) -> str:
        return f"Pairing(tables={self.tables!r}, bye={self.bye!r}, seed={self.seed!r}, cost={self.cost!r})"

    def explain(self, player: PlayerId) -> tuple[Reason, ...]:
        """Return why `player` meets this opponent, floats or has the bye.

        Raises KeyError for someone who is not in the round.
        """
        return tuple(explain_player(self, player))

    def opponent(self, player: PlayerId) -> PlayerId | None:
        """Return whom `player` meets, None for the bye.

        Raises KeyError for someone who is not in the round.
        """
        return self._opponents[player]

    @cached_property
    def _opponents(self) -> dict[PlayerId, PlayerId | None]:
        opponents: dict[PlayerId, PlayerId | None] = {}
        for table in self.tables:
            opponents[table.p1], opponents[table.p2] = table.p2, table.p1
        if self.bye is not None:
            opponents[self.bye] = None
        return opponents


REMATCH, FORBIDDEN, UNPREFERRED, SCHEDULED = "rematch", "forbidden", "unwished", "listed"

SOLVED, AHEAD, ALONE, TWO = "solved", "ahead", "alone", "two"

UPPER_MET, LOWER_MET, BETWEEN = "upper-met", "lower-met", "between"

DRAWBACKS = (FORBIDDEN, REMATCH, UNPREFERRED)

DRAWBACK_CODES = {
    FORBIDDEN: "drawback_forbidden",
    REMATCH: "drawback_rematch",
    UNPREFERRED: "drawback_unwished",
}
SCHEDULED_DRAWBACK_CODES = {
    FORBIDDEN: "drawback_forbidden.scheduled",
    REMATCH: "drawback_rematch.scheduled",
    UNPREFERRED: "drawback_unwished.scheduled",
}

# Remarks that say something of the bye.
BYE_REMARKS = frozenset({"second_bye", "second_bye.scheduled", "two_byes"})


def explain_table(table: PairingTable) -> Iterator[Reason]:
    """Yield why the two players of `table` meet."""
    notes = table.note.split()
    is_scheduled = SCHEDULED in notes
    yield reason("scheduled") if is_scheduled else _explain_scores(table, notes)
    codes = SCHEDULED_DRAWBACK_CODES if is_scheduled else DRAWBACK_CODES
    yield from (reason(codes[drawback]) for drawback in DRAWBACKS if drawback in notes)


def _explain_scores(table: PairingTable, notes: list[str]) -> Reason:
    if table.gap:
        return _explain_float(table, notes)
    if REMATCH in notes:
        return reason("same_points", points=table.score1)
    if TWO in notes:
        return reason("same_points.alone", points=table.score1)
    return reason("same_points.drawn", points=table.score1)


def _explain_float(table: PairingTable, notes: list[str]) -> Reason:
    scores = {"higher": table.higher, "lower": table.lower}
    if ALONE in notes:
        return reason("float.alone", **scores)
    if UPPER_MET in notes or LOWER_MET in notes:
        points = table.higher if UPPER_MET in notes else table.lower
        return reason("float.met", **scores, points=points, between=BETWEEN in notes)
    if AHEAD in notes:
        return reason("float.look_ahead", **scores)
    return reason("float.solved" if SOLVED in notes else "float.odd", **scores)


def explain_player(pairing: Pairing, player: PlayerId) -> Iterator[Reason]:
    """Yield why `player` meets this opponent.

    Raises KeyError for someone who is not in the round.
    """
    if pairing.opponent(player) is None:
        yield from _explain_bye(pairing, player)
    else:
        table = next(t for t in pairing.tables if player in t.players)
        opponent = table.p2 if player == table.p1 else table.p1
        yield reason(
            "meets",
            player=refer_to_player(player),
            opponent=refer_to_player(opponent),
            table=Reference("table", table.number),
        )
        yield from table.why
        if table.gap and not table.note:
            yield _explain_opponent(pairing, table)
    yield from _explain_proof(pairing)


def _explain_opponent(pairing: Pairing, table: PairingTable) -> Reason:
    count = sum(size for score, size in pairing.groups if score >= table.higher)
    if count == 1:
        return reason("opponent_drawn", lower=table.lower)
    return reason("opponent_drawn.odd", count=count, higher=table.higher, lower=table.lower)


def _explain_bye(pairing: Pairing, player: PlayerId) -> Iterator[Reason]:
    count = sum(size for _, size in pairing.groups)
    yield reason("has_bye" if count > 1 else "has_bye.alone", player=refer_to_player(player), count=count)
    if pairing.cost.bye_score is not None:
        yield _explain_bye_score(pairing, pairing.cost.bye_score)
    yield from (remark for remark in pairing.remarks if remark.code in BYE_REMARKS)


def _explain_bye_score(pairing: Pairing, score: Score) -> Reason:
    lowest, sharing = pairing.groups[-1] if pairing.groups else (score, 1)
    if score == lowest:
        return reason("bye_score.lowest" if sharing > 1 else "bye_score.lowest_alone", points=score)
    is_ahead = pairing.certificate.method == "look-ahead"
    return reason("bye_score.look_ahead" if is_ahead else "bye_score.least", points=score)


def _explain_proof(pairing: Pairing) -> Iterator[Reason]:
    certificate = pairing.certificate
    if certificate.method in ("lot", "table"):
        return
    if certificate.is_proved and certificate.method == "look-ahead":
        yield reason("best_pairing.look_ahead")
    else:
        yield reason("best_pairing" if certificate.is_proved else "best_pairing.unproved")
