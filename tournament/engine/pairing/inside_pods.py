"""Joins the rounds of pods that were paired separately.

The result is one round with tables of its own.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest

from rules.reason import Reason
from tournament.engine.pairing.model import (
    BYE_REMARKS,
    Certificate,
    Cost,
    Entrant,
    Pairing,
    PairingTable,
)
from tournament.engine.pairing.seating import assign_tables
from tournament.engine.records import PlayerId

INSIDE_PODS = "pods"
NO_COST = Cost(0, 0, 0, 0)


@dataclass(frozen=True, slots=True)
class JoinedRound:
    """A round of several fields.

    Holds its tables by number, each bye with its reasons, its cost and its proof.
    """

    tables: tuple[PairingTable, ...]
    byes: tuple[tuple[PlayerId, tuple[Reason, ...]], ...]
    cost: Cost
    certificate: Certificate
    remarks: tuple[Reason, ...]


def join_pairings(
    pairings: Sequence[Pairing], entrants: Mapping[PlayerId, Entrant], *, fresh_tables: bool = False
) -> JoinedRound:
    """Join pairings of fields that have no player in common.

    The first field has the first tables. Fixed seats and fresh tables are those of the whole round. The costs
    are added up: the round is proved to be best where each of its fields is.
    """
    in_order = [table for pairing in pairings for table in pairing.tables]
    tables, lost_seats = assign_tables(in_order, entrants, fresh_tables)
    bye_remarks = [r for pairing in pairings for r in pairing.remarks if r.code in BYE_REMARKS]
    return JoinedRound(
        tables,
        tuple(_list_byes(pairings)),
        add_costs(pairing.cost for pairing in pairings),
        _join_certificates([pairing.certificate for pairing in pairings]),
        (*bye_remarks, *lost_seats),
    )


def join_one(pairing: Pairing) -> JoinedRound:
    """Return a round that is one field, as it was paired."""
    return JoinedRound(
        pairing.tables, tuple(_list_byes([pairing])), pairing.cost, pairing.certificate, pairing.remarks
    )


def _list_byes(pairings: Iterable[Pairing]) -> Iterator[tuple[PlayerId, tuple[Reason, ...]]]:
    for pairing in pairings:
        if pairing.bye is not None:
            yield pairing.bye, pairing.explain(pairing.bye)


def add_costs(costs: Iterable[Cost]) -> Cost:
    """Return the total cost of several fields.

    The points of their byes are added up.
    """
    total = NO_COST
    for cost in costs:
        scores = [score for score in (total.bye_score, cost.bye_score) if score is not None]
        total = total._replace(
            forbidden_count=total.forbidden_count + cost.forbidden_count,
            rematches=total.rematches + cost.rematches,
            bye_rank=total.bye_rank + cost.bye_rank,
            floats=total.floats + cost.floats,
            unwished_count=total.unwished_count + cost.unwished_count,
            bye_score=sum(scores) if scores else None,
            repeat_counts=tuple(
                a + b for a, b in zip_longest(total.repeat_counts, cost.repeat_counts, fillvalue=0)
            ),
            immediate_count=total.immediate_count + cost.immediate_count,
        )
    return total


def _join_certificates(certificates: Sequence[Certificate]) -> Certificate:
    return Certificate(
        lower_bound=add_costs(each.lower_bound for each in certificates),
        is_proved=all(each.is_proved for each in certificates),
        method=INSIDE_PODS,
    )
