"""Pair Swiss rounds; the first at random or by seeding."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal

from rules.text import truncate
from tournament.engine.pairing.floats import FloatCost, square_difference
from tournament.engine.pairing.history import MeetingHistory
from tournament.engine.pairing.model import (
    NO_PREFERENCES,
    Certificate,
    Cost,
    Entrant,
    Pairing,
    PairingError,
    PairingPreferences,
    PairingTable,
)
from tournament.engine.pairing.publishing import publish
from tournament.engine.pairing.round_model import PairingConstraints, RoundModel
from tournament.engine.pairing.search import SearchResult, find_best_pairing
from tournament.engine.pairing.working_pairing import WorkingPairing
from tournament.engine.problems import problem
from tournament.engine.records import PlayerId
from tournament.engine.seeded_random import SeededRandom

__all__ = [
    "NO_PREFERENCES",
    "Certificate",
    "Cost",
    "Entrant",
    "Pairing",
    "PairingError",
    "PairingPreferences",
    "PairingTable",
    "pair_round",
]


def pair_round(
    entrants: Sequence[Entrant],
    met_pairs: MeetingHistory | Iterable[tuple[PlayerId, PlayerId]],
    *,
    seed: int,
    rounds_left: int | None = None,
    float_cost: FloatCost = square_difference,
    forbidden: Iterable[tuple[PlayerId, PlayerId]] = (),
    own_group_forbidden: bool = False,
    preferences: PairingPreferences = NO_PREFERENCES,
) -> Pairing:
    """Pair `entrants` for one round.

    `met_pairs` holds the pairs that have met, in any order, or a history of them. The aims, each before all
    later ones: fewest `forbidden` pairs (and, with `own_group_forbidden`, pairs of one group), fewest
    rematches (a further bye counts as one), the bye to the lowest score that can have it, the least sum of
    `float_cost` over the tables, fewest pairs against `preferences`. Ties are broken at random, from `seed`
    alone; the order of `entrants` and `met_pairs` plays no part. In small events the best round is one after
    which the `rounds_left` can be played well (0: this one is the last; None: not known, so that only a field
    of at most six looks ahead).

    Raises PairingError for an empty field, an entrant who is in it twice and scores that are not exact, and
    UnfitFloatCost for a float cost without the properties that it needs.
    """
    rules = PairingConstraints(
        MeetingHistory(forbidden) if forbidden else None, own_group_forbidden, preferences
    )
    field = RoundModel(entrants, MeetingHistory.of(met_pairs), rules, float_cost)
    rounds_ahead = field.count_rounds_ahead(rounds_left)
    if not rounds_ahead:
        return publish(field, find_best_pairing(field, SeededRandom(seed, "round")), seed)
    from tournament.engine.pairing.lookahead import pair_with_lookahead

    return publish(field, pair_with_lookahead(field, seed, rounds_ahead), seed)


FirstRoundMethod = Literal["random", "fold", "slide", "adjacent"]

_MOST_VERTICES = 128

_ANY_SEATS = ((1, 1), (1, 0), (0, 1), (0, 0))


def pair_first_round(
    entrants: Sequence[Entrant],
    *,
    seed: int,
    method: FirstRoundMethod = "random",
    seeding: Sequence[PlayerId] = (),
    forbidden: Iterable[tuple[PlayerId, PlayerId]] = (),
    own_group_forbidden: bool = False,
    preferences: PairingPreferences = NO_PREFERENCES,
) -> Pairing:
    """Pair the first round.

    `seeding` names players best first; all others follow at random. "random": every pairing as likely as the
    others. "fold": of eight, 1 meets 8, 2 meets 7, 3 meets 6, 4 meets 5. "slide": 1 meets 5, 2 meets 6, 3
    meets 7, 4 meets 8. "adjacent": 1 meets 2, 3 meets 4 and so on. In an odd field the last seed who has had
    none gets the bye. If the schedule brings together two who should not meet, the lower of them changes
    places with their like at the nearest table that allows it; where that does not part all of them, as few
    tables change as the least such pairs take.

    Raises PairingError as `pair_round` does, and for a method that is none of the four.
    """
    if method == "random":
        return pair_round(
            entrants,
            (),
            seed=seed,
            forbidden=forbidden,
            own_group_forbidden=own_group_forbidden,
            preferences=preferences,
        )
    if method not in ("fold", "slide", "adjacent"):
        raise PairingError([problem("first-round-unknown", method=truncate(method))])
    field = RoundModel(
        entrants,
        MeetingHistory(),
        PairingConstraints(MeetingHistory(forbidden), own_group_forbidden, preferences),
    )
    pairs = _by_seeding(field, _order_by_seed(field, seeding, seed), method)
    kept_apart = _keep_apart(field, pairs, SeededRandom(seed, "first round, apart"))
    return publish(field, _make_result(field, kept_apart, seed), seed)


def _order_by_seed(field: RoundModel, seeding: Sequence[PlayerId], seed: int) -> list[int]:
    """Return the entrants' vertices, best seed first."""
    place = {player: at for at, player in enumerate(seeding)}
    vertices = list(range(len(field.entrants)))
    SeededRandom(seed, "seeding").shuffle(vertices)
    return sorted(vertices, key=lambda v: place.get(field.entrants[v].id, len(place)))


def _by_seeding(field: RoundModel, seeds: list[int], method: FirstRoundMethod) -> list[list[int]]:
    bye_player = None
    if field.bye >= 0:
        bye_player = next((v for v in reversed(seeds) if not field.entrants[v].byes), seeds[-1])
        seeds = [v for v in seeds if v != bye_player]
    half = len(seeds) // 2
    if method == "adjacent":
        pairs = zip(seeds[::2], seeds[1::2], strict=True)
    elif method == "fold":
        pairs = zip(seeds[:half], reversed(seeds[half:]), strict=True)
    else:
        pairs = zip(seeds[:half], seeds[half:], strict=True)
    tables = [list(pair) for pair in pairs]
    return tables if bye_player is None else [*tables, [bye_player, field.bye]]


def _keep_apart(field: RoundModel, tables: list[list[int]], chance: SeededRandom) -> list[list[int]]:
    """Return the schedule with the fewest objections to its pairs.

    It changes as few other tables as that takes. Where exchanges of lower seeds do not heal it all, a field
    of at most `_MOST_VERTICES` is solved exactly, and in a larger one any two players change places while
    that betters a pair.
    """
    scheduled_tables = [table.copy() for table in tables]
    match_tables = tables[: len(tables) - (field.bye >= 0)]
    _exchange(field, match_tables, [(1, 1)])
    if _against(field, match_tables) <= field.penalty_floor:
        return tables
    if len(field) <= _MOST_VERTICES:
        return _solve_schedule(field, scheduled_tables, chance)
    while _exchange(field, match_tables, _ANY_SEATS) and _against(field, match_tables) > field.penalty_floor:
        pass
    return tables


def _against(field: RoundModel, tables: Sequence[Sequence[int]]) -> int:
    return sum(field.penalty(u, v) for u, v in tables)


def _exchange(field: RoundModel, tables: list[list[int]], places: Sequence[tuple[int, int]]) -> bool:
    """Exchange players in such seats, from the top table down.

    Returns whether that improved anything.
    """
    is_better = False
    for at, table in enumerate(tables):
        nearest_first = sorted(range(len(tables)), key=lambda other: abs(other - at))
        if field.penalty(*table) and any(
            _betters(field, table, tables[other], one, two)
            for other in nearest_first
            if other != at
            for one, two in places
        ):
            is_better = True
    return is_better


def _betters(field: RoundModel, table: list[int], other: list[int], one: int, two: int) -> bool:
    """Exchange these seats of two tables if that lessens what is against the pairs."""
    before = field.penalty(*table) + field.penalty(*other)
    table[one], other[two] = other[two], table[one]
    if field.penalty(*table) + field.penalty(*other) < before:
        return True
    table[one], other[two] = other[two], table[one]
    return False


def _solve_schedule(field: RoundModel, tables: list[list[int]], chance: SeededRandom) -> list[list[int]]:
    """Return the schedule with the fewest objections to its pairs.

    It keeps as many scheduled tables as possible. The bye stays.
    """
    # Few first rounds need it, and it loads slowly.
    from tournament.engine.pairing.nearest import find_nearest_among

    match_tables = tables[: len(tables) - (field.bye >= 0)]
    place = {v: at for at, table in enumerate(match_tables) for v in table}
    lower = {table[1] for table in match_tables}
    partner = find_nearest_among(field, [(u, v) for u, v in tables], list(place), chance).draft.partner
    pairs = {frozenset((v, partner[v])) for v in place}
    seated_pairs = [sorted(pair, key=lambda v: (v in lower, place[v])) for pair in pairs]
    return [*sorted(seated_pairs, key=lambda pair: min(place[v] for v in pair)), *tables[len(match_tables) :]]


def _make_result(field: RoundModel, tables: Sequence[Sequence[int]], seed: int) -> SearchResult:
    partner = [0] * len(field)
    for u, v in tables:
        partner[u], partner[v] = v, u
    order = [v for table in tables for v in table]
    draft = WorkingPairing(field, SeededRandom(seed, "first round"), order, partner)
    return SearchResult(draft, draft.total(), field.gap_bound(0, len(field.sizes) - 1), "table")
