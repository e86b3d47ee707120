"""Pair one Swiss round: the best pairing there is, drawn at random among equals, with its proof."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from tournament.engine.pairing.field import Field, Rules
from tournament.engine.pairing.floats import FloatCost, squared
from tournament.engine.pairing.history import History
from tournament.engine.pairing.lookahead import far_sighted_pairing
from tournament.engine.pairing.publishing import publish
from tournament.engine.pairing.records import (
    NO_WISHES,
    Certificate,
    Cost,
    Entrant,
    Pairing,
    PairingError,
    Table,
    Wishes,
)
from tournament.engine.records import PlayerId

__all__ = [
    "NO_WISHES",
    "Certificate",
    "Cost",
    "Entrant",
    "Pairing",
    "PairingError",
    "Table",
    "Wishes",
    "pair_round",
]


def pair_round(
    entrants: Sequence[Entrant],
    met: History | Iterable[tuple[PlayerId, PlayerId]],
    *,
    seed: int,
    rounds_left: int | None = None,
    float_cost: FloatCost = squared,
    forbidden: Iterable[tuple[PlayerId, PlayerId]] = (),
    own_group_forbidden: bool = False,
    wishes: Wishes = NO_WISHES,
) -> Pairing:
    """Pair `entrants` for one round.

    `met` holds the pairs that have met, in any order, or a History of them. The aims, each before all later
    ones: fewest `forbidden` pairs (and, with `own_group_forbidden`, pairs of one group), fewest rematches
    (a further bye counts as one), the bye to the lowest score that can have it, the least sum of
    `float_cost` over the tables, fewest pairs against `wishes`. Among equals the lot decides, from `seed`
    alone; the order of `entrants` and `met` plays no part.

    Raises PairingError for an empty field, an entrant who stands in it twice and scores that are not exact,
    and UnfitFloatCost for a float cost without the properties that it needs.
    """
    rules = Rules(History(forbidden) if forbidden else None, own_group_forbidden, wishes)
    field = Field(entrants, History.of(met), rules, float_cost)
    return publish(field, far_sighted_pairing(field, seed, rounds_left or 0), seed)
