"""The arithmetic behind one value of a standing, opponent by opponent."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from tournament.engine.crosstable import build
from tournament.engine.problems import refusal
from tournament.engine.ranking import reckon
from tournament.engine.records import Event, PlayerId, Score
from tournament.engine.systems import System, Tiebreaker
from tournament.engine.tiebreakers.base import Tally, Term

POINTS = Tiebreaker("points", "Points", "points", {})


@dataclass(frozen=True, slots=True)
class Explanation:
    """How a value comes about: its terms round by round, how they combine, and what comes out.

    `combine` is "sum", "mean", "quotient" (the sum of the values over the sum of their `of`) or "given".
    """

    player: PlayerId
    tiebreaker: Tiebreaker
    formula: str
    combine: str
    terms: tuple[Term, ...]
    value: Score
    after_round: int

    @property
    def counted(self) -> tuple[Term, ...]:
        """The terms that make the value."""
        return tuple(term for term in self.terms if term.counted)

    @property
    def working(self) -> str:
        """The sum written out, such as "(2/3 + 1/2) / 2 = 7/12"."""
        return f"{_written(self.counted, self.combine)} = {self.value}"

    @property
    def combined(self) -> Score:
        """What the counted terms come to, before a floor under one's own value."""
        return _combined(self.counted, self.combine)


def explain(
    event: Event,
    system: System,
    player: PlayerId,
    tiebreaker: str,
    after_round: int | None = None,
    *,
    lots: Mapping[PlayerId, int] | None = None,
) -> Explanation:
    """How a player's value of one tiebreaker comes about, opponent by opponent.

    `tiebreaker` is a key of the system, or "points". Raises EngineError for an unknown player or key.
    """
    chosen = system.tiebreaker(tiebreaker) or (POINTS if tiebreaker == "points" else None)
    if chosen is None:
        known = ", ".join(t.key for t in (*system.tiebreakers, *system.shown))
        raise refusal(
            "tiebreaker-unknown", f'The system has no tiebreaker "{tiebreaker}"; it has points, {known}.'
        )
    table = build(system.read(event), system.points, after_round=after_round)
    if player not in table.index:
        raise refusal("player-unknown", f"Player {player} is not entered.")
    tally = _tally(Tally(table, lots), system, chosen)
    row = table.index[player]
    return Explanation(
        player=player,
        tiebreaker=chosen,
        formula=chosen.formula,
        combine=chosen.kind.combine,
        terms=tuple(chosen.kind.terms(tally, chosen.params, row)),
        value=chosen.kind.compute(tally, chosen.params).value(row),
        after_round=len(table.rounds),
    )


def _tally(tally: Tally, system: System, chosen: Tiebreaker) -> Tally:
    """The tally as the tiebreaker sees it: head to head needs to know who is level on everything before."""
    if chosen not in system.tiebreakers:
        return tally
    return reckon(tally, system).tallies[system.tiebreakers.index(chosen)]


def _combined(terms: Sequence[Term], combine: str) -> Score:
    total = sum((Fraction(term.value) for term in terms), Fraction(0))
    if combine == "mean":
        return total / len(terms) if terms else 0
    if combine == "quotient":
        below = sum((Fraction(term.of) for term in terms), Fraction(0))
        return total / below if below else 0
    return total


def _written(terms: Sequence[Term], combine: str) -> str:
    if not terms:
        return "nothing to count"
    top = " + ".join(str(term.value) for term in terms)
    if combine == "mean":
        return f"({top}) / {len(terms)}"
    if combine == "quotient":
        return f"({top}) / ({' + '.join(str(term.of) for term in terms)})"
    return top
