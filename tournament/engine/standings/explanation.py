"""Explain one value of a standing, opponent by opponent."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from rules.reason import Reason
from tournament.engine.problems import EngineProblem, problem, raise_problems, refer_to_player
from tournament.engine.records import Event, PlayerId, Score
from tournament.engine.standings.crosstable import CrossTable, build_cross_table
from tournament.engine.standings.ranking import RankingData, compute_ranking
from tournament.engine.standings.systems import System, Tiebreaker
from tournament.engine.standings.tiebreakers.base import Combination, Term, TiebreakerContext

POINTS = Tiebreaker("points", "points", {}, label="pts")


@dataclass(frozen=True, slots=True)
class Explanation:
    """The calculation of a value: terms by round, how they combine, and the result.

    `combine` is "sum", "mean", "quotient" (the sum of the values over the sum of their `of`) or "given".
    """

    player: PlayerId
    tiebreaker: Tiebreaker
    formula: Reason
    combine: Combination
    terms: tuple[Term, ...]
    value: Score
    after_round: int

    @property
    def counted_terms(self) -> tuple[Term, ...]:
        """The terms that make the value."""
        return tuple(term for term in self.terms if term.is_counted)

    @property
    def written_sum(self) -> str:
        """Return the sum written out, such as "(2/3 + 1/2) / 2 = 7/12".

        It is the value alone if nothing counts.
        """
        return (
            f"{_write_sum(self.counted_terms, self.combine)} = {self.value}"
            if self.counted_terms
            else str(self.value)
        )

    @property
    def combined_value(self) -> Score:
        """Return what the counted terms come to, before a floor under one's own value."""
        return _combine(self.counted_terms, self.combine)


def explain_values(
    event: Event,
    system: System,
    player: PlayerId,
    tiebreakers: Sequence[str] | None = None,
    after_round: int | None = None,
    *,
    lots: Mapping[PlayerId, int] | None = None,
) -> list[Explanation]:
    """Return how values of a player come about, opponent by opponent.

    There is one explanation for each key, in the order of the keys. A key is one of the system, or "points".
    Without keys, the answer is of points and of all that rank. Raises EngineError for an unknown player and
    for every unknown key.
    """
    keys = ("points", *(t.key for t in system.tiebreakers)) if tiebreakers is None else tiebreakers
    chosen_tiebreakers = [
        (key, system.tiebreaker(key) or (POINTS if key == "points" else None)) for key in keys
    ]
    table = build_cross_table(system.read(event), system.points, after_round=after_round)
    raise_problems(
        _report_unknown(
            system, [key for key, tiebreaker in chosen_tiebreakers if tiebreaker is None], player, table
        )
    )
    ranking_data = compute_ranking(TiebreakerContext(table, lots), system)
    return [
        _explain(ranking_data, system, tiebreaker, player)
        for _, tiebreaker in chosen_tiebreakers
        if tiebreaker is not None
    ]


def _report_unknown(
    system: System, keys: Sequence[str], player: PlayerId, table: CrossTable
) -> Iterator[EngineProblem]:
    known_keys = ("points", *(t.key for t in (*system.tiebreakers, *system.extra_tiebreakers)))
    for key in keys:
        yield problem("tiebreaker-unknown", key=key, known=known_keys)
    if player not in table.index:
        yield problem("player-unknown", player=refer_to_player(player))


def _explain(
    ranking_data: RankingData, system: System, tiebreaker: Tiebreaker, player: PlayerId
) -> Explanation:
    ranking = tiebreaker in system.tiebreakers
    # Head to head needs to know who is tied on everything before.
    tally = ranking_data.tallies[system.tiebreakers.index(tiebreaker)] if ranking else ranking_data.tally
    row = ranking_data.table.index[player]
    return Explanation(
        player=player,
        tiebreaker=tiebreaker,
        formula=tiebreaker.formula,
        combine=tiebreaker.kind.combine,
        terms=tuple(tiebreaker.kind.terms(tally, tiebreaker.params, row)),
        value=tiebreaker.kind.compute(tally, tiebreaker.params).value(row),
        after_round=len(ranking_data.table.rounds),
    )


def _combine(terms: Sequence[Term], combine: Combination) -> Score:
    total = sum((Fraction(term.value) for term in terms), Fraction(0))
    if combine == "mean":
        return total / len(terms) if terms else 0
    if combine == "quotient":
        below = sum((Fraction(term.of) for term in terms), Fraction(0))
        return total / below if below else 0
    return total


def _write_sum(terms: Sequence[Term], combine: Combination) -> str:
    top = " + ".join(str(term.value) for term in terms)
    if combine == "mean":
        return f"({top}) / {len(terms)}"
    if combine == "quotient":
        return f"({top}) / ({' + '.join(str(term.of) for term in terms)})"
    return top
