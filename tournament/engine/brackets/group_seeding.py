"""Seed qualifiers of groups into a bracket, group-mates far apart.

The documents say nothing of groups; this seeding is a Ringside default.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tournament.engine.assignment import cheapest_assignment
from tournament.engine.brackets.layout import Seed, seed_order
from tournament.engine.pairing.model import PairingError
from tournament.engine.problems import problem, refer_to_player, refer_to_players
from tournament.engine.records import PlayerId

GroupId = int


def seed_from_groups(order: Sequence[PlayerId], group_of: Mapping[PlayerId, GroupId]) -> tuple[PlayerId, ...]:
    """Return who takes seed 1, 2, 3 … of a bracket.

    The seeds are the qualifiers of several groups. `order` names the qualifiers, best first; of one group the
    better placed comes before. All first of their groups are seeded before all second, and so on. The first
    keep their order; of each later place the seeds are exchanged so that group-mates meet as late as the
    bracket allows if favorites win, with as little change of the order as that takes. Raises PairingError for
    a player without a group and one who is named twice.

    >>> seed_from_groups([1, 2, 11, 12], {1: 1, 11: 1, 2: 2, 12: 2})
    (1, 2, 11, 12)
    >>> seed_from_groups([1, 2, 12, 11], {1: 1, 11: 1, 2: 2, 12: 2})
    (1, 2, 11, 12)
    """
    _refuse_bad_order(order, group_of)
    place_of = {seed: at for at, seed in enumerate(seed_order(_size(len(order))))}
    seeded_players: list[PlayerId] = []
    for tier in _tiers(order, group_of):
        seeds = range(len(seeded_players) + 1, len(seeded_players) + len(tier) + 1)
        mates = _places_by_group(seeded_players, group_of, place_of)
        seeded_players += _spread(tier, seeds, [mates.get(group_of[player], []) for player in tier], place_of)
    return tuple(seeded_players)


def _size(entrants: int) -> int:
    return 1 << max(entrants - 1, 0).bit_length()


def _tiers(order: Sequence[PlayerId], group_of: Mapping[PlayerId, GroupId]) -> list[list[PlayerId]]:
    """Return the first of all groups, the second of all groups, and so on.

    Each tier is in the given order.
    """
    tiers: list[list[PlayerId]] = []
    seen_counts: dict[GroupId, int] = {}
    for player in order:
        place = seen_counts.get(group_of[player], 0)
        seen_counts[group_of[player]] = place + 1
        if place == len(tiers):
            tiers.append([])
        tiers[place].append(player)
    return tiers


def _places_by_group(
    seeded_players: Sequence[PlayerId], group_of: Mapping[PlayerId, GroupId], place_of: Mapping[Seed, int]
) -> dict[GroupId, list[int]]:
    """Return the bracket places of each group's players who are already seeded."""
    places: dict[GroupId, list[int]] = {}
    for seed, player in enumerate(seeded_players, 1):
        places.setdefault(group_of[player], []).append(place_of[seed])
    return places


def _spread(
    tier: Sequence[PlayerId],
    seeds: Sequence[Seed],
    mates: Sequence[Sequence[int]],
    place_of: Mapping[Seed, int],
) -> list[PlayerId]:
    """Return the players of a tier in the order of its seeds.

    Early meetings cost most, then moves in the order.
    """
    if not any(mates):
        return list(tier)
    size, base = len(tier), 1 + sum(map(len, mates))
    depth, outweigh = len(place_of).bit_length(), size**3 + 1
    costs = [[0] * size for _ in tier]
    for at, places in enumerate(mates):
        for to, seed in enumerate(seeds):
            early = sum(base ** (depth - (place ^ place_of[seed]).bit_length()) for place in places)
            costs[at][to] = early * outweigh + (at - to) ** 2
    seeded_players = [0] * size
    for at, to in enumerate(cheapest_assignment(costs)):
        seeded_players[to] = tier[at]
    return seeded_players


def _refuse_bad_order(order: Sequence[PlayerId], group_of: Mapping[PlayerId, GroupId]) -> None:
    problems = [
        problem("group-unknown", player=refer_to_player(player)) for player in order if player not in group_of
    ]
    twice = sorted({player for player in order if order.count(player) > 1})
    if twice:
        problems.append(problem("listed-twice", players=refer_to_players(twice)))
    if problems:
        raise PairingError(problems)
