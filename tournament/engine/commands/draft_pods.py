"""Pair a Swiss round inside the pods of a booster draft."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from tournament.engine.commands.coming_round import ComingRound
from tournament.engine.pairing.inside_pods import JoinedRound, join_pairings
from tournament.engine.problems import EngineProblem, problem, raise_problems, refer_to_player
from tournament.engine.records import PlayerId


def pair_draft_pods(coming_round: ComingRound, pods: Sequence[Sequence[PlayerId]]) -> JoinedRound:
    """Pair each pod alone, and join the pods to one round with tables of its own.

    Raises EngineError if a player sits in no pod, or a fixed pair in two.
    """
    pod_of = {player: number for number, pod in enumerate(pods, 1) for player in pod}
    coming_round.refuse_wrong_fixed()
    raise_problems(_find_problems(coming_round, pod_of))
    fields = [coming_round.narrow(number, frozenset(pod)) for number, pod in enumerate(pods, 1)]
    pairings = [each.pair() for each in fields if each.field]
    entrants = {entrant.id: entrant for entrant in coming_round.field}
    return join_pairings(pairings, entrants, fresh_tables=coming_round.has_fresh_tables)


def _find_problems(coming_round: ComingRound, pod_of: Mapping[PlayerId, int]) -> Iterator[EngineProblem]:
    for entrant in coming_round.field:
        if entrant.id not in pod_of:
            yield problem("draft-pod-missing", player=refer_to_player(entrant.id))
    for one, two in coming_round.fixed:
        if pod_of.get(one) != pod_of.get(two):
            yield problem("draft-pods-fixed", one=refer_to_player(one), two=refer_to_player(two))
