"""Building blocks of tiebreakers: columns, terms, parameters."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from math import lcm
from typing import Any, Literal, TypeVar

from rules.reason import Reason
from tournament.engine.records import PlayerId, Score
from tournament.engine.standings.crosstable import CrossTable
from tournament.engine.standings.scoring import MET, RoundStatus
from tournament.engine.standings.tiebreakers.parameters import Params

Known = TypeVar("Known")
Combination = Literal["sum", "mean", "quotient", "given"]


def exact_ratio(numerator: int, denominator: int) -> Score:
    """Return a quotient as int where it is whole, as Fraction otherwise."""
    return numerator // denominator if numerator % denominator == 0 else Fraction(numerator, denominator)


@dataclass(frozen=True, slots=True)
class Column:
    """One value per player, as integers over one denominator.

    Their order is that of the exact values.
    """

    numerators: Sequence[int]
    denominator: int = 1
    lower_is_better: bool = False

    def value(self, row: int) -> Score:
        """Return the exact value of one player."""
        return exact_ratio(self.numerators[row], self.denominator)

    def keys(self) -> Sequence[int]:
        """Return integers that are greater for the better player."""
        return [-number for number in self.numerators] if self.lower_is_better else self.numerators


@dataclass(frozen=True, slots=True)
class Term:
    """One line of the arithmetic: a round, its opponent and what it adds.

    It also says what is special about it. `of` is what the round adds below the line where the tiebreaker is
    a quotient. Terms that are shown but left out (a bye without weight, a cut value) have `is_counted` false.
    """

    round: int | None
    opponent: PlayerId | None
    value: Score
    note: Reason | None = None
    is_counted: bool = True
    of: Score = 0


@dataclass(frozen=True)
class TiebreakerContext:
    """A cross table being calculated.

    Columns are computed once and shared between tiebreakers. `groups` holds the rows that are tied on
    everything before; only head to head looks at them.
    """

    table: CrossTable
    lots: Mapping[PlayerId, int] | None = None
    groups: Sequence[Sequence[int]] = ()
    _values: dict[Hashable, Any] = field(default_factory=dict)

    def once(self, key: Hashable, compute: Callable[[], Known]) -> Known:
        """Return what is known under `key`, computed on first use."""
        if key not in self._values:
            self._values[key] = compute()
        known_value: Known = self._values[key]
        return known_value

    @cached_property
    def meetings(self) -> list[int]:
        """How many matches against an opponent each player has behind them."""
        return self.count(MET)

    def count(self, sides: frozenset[RoundStatus]) -> list[int]:
        """Return how many rounds each player spent in one of the given ways."""
        return self.once(("count", sides), lambda: self.table.count(sides))

    def mean_of_opponents(self, column: Column) -> Column:
        """Return the mean of a column over each player's opponents.

        Each match is one entry. 0 without opponents.
        """
        meetings = self.meetings
        common = lcm(*set(meetings) - {0})
        factor = [common // n if n else 0 for n in range(max(meetings, default=0) + 1)]
        sums = self.table.gather(column.numerators)
        means = [total * factor[n] for total, n in zip(sums, meetings, strict=True)]
        return Column(means, column.denominator * common)

    def among(self, groups: Sequence[Sequence[int]]) -> TiebreakerContext:
        """Return the same tally, knowing who is tied on everything before."""
        return TiebreakerContext(self.table, self.lots, groups, self._values)

    def opponents(self, row: int) -> list[tuple[int, int]]:
        """Return round number and row of everyone a player has met."""
        nobody = len(self.table.ids)
        turns = ((number, turn.opponent[row]) for number, turn in enumerate(self.table.rounds, 1))
        return [(number, other) for number, other in turns if other != nobody]


@dataclass(frozen=True, slots=True)
class TiebreakerKind:
    """A kind of tiebreaker: its computation, explanation and words.

    `combine` says how the counted terms make the value: their "sum", their "mean", the "quotient" of their
    sums, or "given" where a single term is the value.
    """

    compute: Callable[[TiebreakerContext, Params], Column]
    terms: Callable[[TiebreakerContext, Params, int], list[Term]]
    formula: Callable[[Params], Reason]
    combine: Combination = "sum"


def name_formula(code: str) -> Callable[[Params], Reason]:
    """Return a formula whose words name the parameters of the tiebreaker."""

    def formula(params: Params) -> Reason:
        return Reason(
            code,
            {
                key: value if isinstance(value, Fraction | int) else str(value)
                for key, value in params.items()
            },
        )

    return formula


def get_numeric_param(params: Params, name: str, default: Score = 0) -> Score:
    """Return a numeric parameter; the readers of systems have checked it."""
    value = params.get(name, default)
    return value if isinstance(value, int | Fraction) else default


def get_int_param(params: Params, name: str, default: int = 0) -> int:
    """Return a parameter that counts something."""
    return int(get_numeric_param(params, name, default))
