"""The first round: by lot, or by a seeding that is folded, slid or taken in neighbours."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Literal

from tournament.engine.chance import Chance
from tournament.engine.pairing.draft import Draft
from tournament.engine.pairing.field import Field, Rules
from tournament.engine.pairing.history import History
from tournament.engine.pairing.publishing import publish
from tournament.engine.pairing.records import NO_WISHES, Entrant, Pairing, PairingError, Wishes
from tournament.engine.pairing.search import Found
from tournament.engine.pairing.swiss import pair_round
from tournament.engine.records import PlayerId, Score

Method = Literal["random", "fold", "slide", "adjacent"]


def seeding_by(
    values: Mapping[PlayerId, Score], *, seed: int, higher_is_better: bool = True
) -> tuple[PlayerId, ...]:
    """Order players by a rating or by last season's place, best first; the lot decides between equals.

    >>> seeding_by({1: 1500, 2: 1800, 3: 1650}, seed=1)
    (2, 3, 1)
    """
    players = sorted(values)
    Chance(seed, "seeding").shuffle(players)
    return tuple(sorted(players, key=values.__getitem__, reverse=higher_is_better))


def first_round(
    entrants: Sequence[Entrant],
    *,
    seed: int,
    method: Method = "random",
    seeding: Sequence[PlayerId] = (),
    forbidden: Iterable[tuple[PlayerId, PlayerId]] = (),
    own_group_forbidden: bool = False,
    wishes: Wishes = NO_WISHES,
) -> Pairing:
    """Pair the first round. `seeding` names players best first; who is not named follows by lot.

    "random": every pairing as likely as the others. "fold": of eight, 1 meets 8, 2 meets 7, 3 meets 6, 4
    meets 5. "slide": 1 meets 5, 2 meets 6, 3 meets 7, 4 meets 8. "adjacent": 1 meets 2, 3 meets 4 and so
    on. In an odd field the last seed who has had none gets the bye. Where the schedule brings together two
    who should not meet, the lower of them changes places with his like at the nearest table that allows it.

    Raises PairingError as `pair_round` does, and for a method that is none of the four.
    """
    if method == "random":
        return pair_round(
            entrants,
            (),
            seed=seed,
            forbidden=forbidden,
            own_group_forbidden=own_group_forbidden,
            wishes=wishes,
        )
    if method not in ("fold", "slide", "adjacent"):
        raise PairingError(
            [f"There is no first round by {method!r}; choose random, fold, slide or adjacent."]
        )
    field = Field(entrants, History(), Rules(History(forbidden), own_group_forbidden, wishes))
    pairs = _by_seeding(field, _seeded(field, seeding, seed), method)
    _keep_apart(field, pairs)
    return publish(field, _found(field, pairs, seed), seed)


def _seeded(field: Field, seeding: Sequence[PlayerId], seed: int) -> list[int]:
    """The entrants' vertices, best seed first."""
    place = {player: at for at, player in enumerate(seeding)}
    vertices = list(range(len(field.entrants)))
    Chance(seed, "seeding").shuffle(vertices)
    return sorted(vertices, key=lambda v: place.get(field.entrants[v].id, len(place)))


def _by_seeding(field: Field, seeds: list[int], method: Method) -> list[list[int]]:
    rested = None
    if field.bye >= 0:
        rested = next((v for v in reversed(seeds) if not field.entrants[v].byes), seeds[-1])
        seeds = [v for v in seeds if v != rested]
    half = len(seeds) // 2
    if method == "adjacent":
        pairs = zip(seeds[::2], seeds[1::2], strict=True)
    elif method == "fold":
        pairs = zip(seeds[:half], reversed(seeds[half:]), strict=True)
    else:
        pairs = zip(seeds[:half], seeds[half:], strict=True)
    tables = [list(pair) for pair in pairs]
    return tables if rested is None else [*tables, [rested, field.bye]]


def _keep_apart(field: Field, tables: list[list[int]]) -> None:
    """Exchange lower seeds, from the top table down, while that lessens what is against the pairs."""
    penalty, playing = field.penalty, len(tables) - (field.bye >= 0)
    for at in range(playing):
        u, v = tables[at]
        if not penalty(u, v):
            continue
        for other in sorted(range(playing), key=lambda o: abs(o - at)):
            a, b = tables[other]
            if other != at and penalty(u, b) + penalty(a, v) < penalty(u, v) + penalty(a, b):
                tables[at][1], tables[other][1] = b, v
                break


def _found(field: Field, tables: Sequence[Sequence[int]], seed: int) -> Found:
    partner = [0] * len(field)
    for u, v in tables:
        partner[u], partner[v] = v, u
    order = [v for table in tables for v in table]
    draft = Draft(field, Chance(seed, "first round"), order, partner)
    return Found(draft, draft.total(), field.gap_bound(0, len(field.sizes) - 1), "table")
