"""What goes into a pairing and what comes out: entrants, tables, the cost and the proof."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

from tournament.engine.records import PlayerId, Score


class PairingError(ValueError):
    """A field that cannot be paired. `problems` holds one whole sentence for each thing that is wrong."""

    code = "cannot-be-paired"

    def __init__(self, problems: list[str]) -> None:
        super().__init__(" ".join(problems))
        self.problems = tuple(problems)


@dataclass(frozen=True, slots=True)
class Entrant:
    """One player (or team) who takes part in the round.

    `byes` counts the byes that should not be followed by another. `group` is a club, a team or a household.
    `fixed_table` is a seat that the entrant must not leave; `last_tables` are the numbers of the tables he
    has sat at.
    """

    id: PlayerId
    score: Score = 0
    byes: int = 0
    group: str = ""
    fixed_table: int | None = None
    last_tables: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Wishes:
    """What may be wished for among pairings that are equally good; it never costs a rematch or a float.

    `groups_apart`: entrants of one group should not meet in this round. `apart`: pairs that should not meet.
    `fresh_tables`: nobody should sit at a table again at which he has sat.
    """

    groups_apart: bool = False
    apart: frozenset[tuple[PlayerId, PlayerId]] = frozenset()
    fresh_tables: bool = False


NO_WISHES = Wishes()


@dataclass(frozen=True, slots=True, order=True)
class Cost:
    """What is bad about a pairing, the worst first; compares in that order.

    `forbidden` counts pairs that must not meet, `rematches` pairs that meet again (a bye too many counts as
    one), `bye_score` is the score of the player with the bye (None without one), `floats` the sum of the
    float costs, `unwished` the pairs against a wish.
    """

    forbidden: int
    rematches: int
    bye_rank: int
    floats: Score
    unwished: int = 0
    bye_score: Score | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class Certificate:
    """Why no pairing is better.

    `lower_bound` is what every pairing costs at least; `proved` is whether this one reaches it.

    `method` is "neighbours" (the order of scores alone proves it), "windows" (an exact matching of the
    score groups in `windows`, each named by its highest and lowest score, and the order of scores
    elsewhere), "exhaustive" (all pairings were compared), "look-ahead" (cheapest of those that leave the
    rest of the event playable), "table" (a schedule that is written down, not searched) or "lot".
    """

    lower_bound: Cost
    proved: bool
    method: str
    windows: tuple[tuple[Score, Score], ...] = ()


class Table(NamedTuple):
    """One match of the round.

    `p1` has the higher score; between equals the lot decides. A table that a repair keeps keeps its seats.
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
    def why(self) -> str:
        """In one sentence: why these two meet."""
        from tournament.engine.pairing.explain import why_table

        return why_table(self)


class Pairing:
    """A whole round: its tables by number, the player with the bye, the seed, its cost and its proof.

    `groups` lists the scores in the field, high to low, each with the number of entrants that have it. The
    tables (and `remarks` about seats) are written out by `write_tables` when they are first asked for.
    """

    def __init__(
        self,
        write_tables: Callable[[], tuple[tuple[Table, ...], tuple[str, ...]]],
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
    def _written(self) -> tuple[tuple[Table, ...], tuple[str, ...]]:
        return self._write_tables()

    @property
    def tables(self) -> tuple[Table, ...]:
        """The matches of the round, by table number."""
        return self._written[0]

    @property
    def remarks(self) -> tuple[str, ...]:
        """Whole sentences about what could not be done, as a fixed seat that two players have."""
        return self._written[1]

    def _facts(self) -> tuple[object, ...]:
        return (self.tables, self.bye, self.seed, self.cost, self.certificate, self.groups, self.remarks)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Pairing) and self._facts() == other._facts()

    def __hash__(self) -> int:
        return hash((self.tables, self.bye, self.seed))

    def __repr__(self) -> str:
        return f"Pairing(tables={self.tables!r}, bye={self.bye!r}, seed={self.seed!r}, cost={self.cost!r})"

    def explain(self, player: PlayerId) -> str:
        """Why `player` meets whom he meets, floats or has the bye.

        Raises KeyError for someone who is not in the round.
        """
        from tournament.engine.pairing.explain import explain_player

        return explain_player(self, player)

    def opponent(self, player: PlayerId) -> PlayerId | None:
        """Whom `player` meets, None for the bye. Raises KeyError for someone who is not in the round."""
        return self._opponents[player]

    @cached_property
    def _opponents(self) -> dict[PlayerId, PlayerId | None]:
        opponents: dict[PlayerId, PlayerId | None] = {}
        for table in self.tables:
            opponents[table.p1], opponents[table.p2] = table.p2, table.p1
        if self.bye is not None:
            opponents[self.bye] = None
        return opponents
