"""Play every outcome of the last open matches and rank each result.

Points alone leave open what tiebreakers settle. Of these only the ones count here that follow from who won:
how many games a match will take, and whether it will be played at all, no one knows yet. From the first
tiebreaker on that depends on such things players who are level may fall either way.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby, product, takewhile

from tournament.engine.outlook.cut_state import CutState
from tournament.engine.outlook.meanings import OWN_RESULTS, OtherResult, OwnResult, ResultMeaning
from tournament.engine.records import Event, Match, PlayerId, Result
from tournament.engine.standings.standing import compute_standings
from tournament.engine.standings.systems import System

FOLLOW_FROM_RESULTS = frozenset(
    (
        *("points", "progressive", "wins", "matches", "initial_order", "lot"),
        *("match_win", "opponents_match_win", "opponents_opponents_match_win"),
        *("buchholz", "sosos", "sonneborn_berger", "koya"),
    )
)
OUTCOMES = (Result.P1, Result.DRAW, Result.P2, Result.DOUBLE_LOSS)
# The budget: ways to end the round, times seats; each calculation costs as much as so many of them.
MOST_WORK = 300_000
OVERHEAD = 300


@dataclass(slots=True)
class Ends:
    """The results for one player over some ends of the round.

    Players who are level may fall either way. `always` in however those fall, a match that both lose
    included; `ever` in if they fall well, without such a match. `is_open`: surely in at one end and surely
    out at another. `blocks` are the results of other matches that all ends have in common at which the player
    may be out.
    """

    always: bool = True
    ever: bool = False
    surely_in: bool = False
    surely_out: bool = False
    blocks: frozenset[Match] | None = None

    @property
    def is_open(self) -> bool:
        """Whether both can really happen, however players who are tied fall."""
        return self.surely_in and self.surely_out

    def add(self, worst: bool, best: bool, usual: bool, others: frozenset[Match]) -> None:
        """Take in one possible end of the round.

        It says whether they are in at worst and at best, and whether no match was lost by both sides.
        """
        self.always &= worst
        if not worst:
            self.blocks = others if self.blocks is None else self.blocks & others
        if usual:
            self.ever |= best
            self.surely_in |= worst
            self.surely_out |= not best


@dataclass(slots=True)
class ReplayResult(Ends):
    """The results for one player over all ends of the round.

    Also holds those over the ends with each result of the player's own match.
    """

    by_result: dict[OwnResult, Ends] = field(default_factory=dict)

    @property
    def is_in_by_draw(self) -> bool:
        """Whether the player is always in if their own match is drawn."""
        return "draw" not in self.by_result or self.by_result["draw"].always

    def explain(self) -> tuple[ResultMeaning, ...]:
        """Return what each result of their own match means."""
        return tuple(
            _explain(result, self.by_result[result]) for result in OWN_RESULTS if result in self.by_result
        )


def _explain(result: OwnResult, ends: Ends) -> ResultMeaning:
    if ends.always:
        return ResultMeaning(result, "in")
    if not ends.ever:
        return ResultMeaning(result, "out")
    block = min(ends.blocks or (), key=lambda match: (match.p1, match.result or ""), default=None)
    if block is not None and block.p2 is not None:
        winner = {Result.P1: block.p1, Result.P2: block.p2}.get(block.result or Result.DRAW)
        return ResultMeaning(result, "in", OtherResult(block.p1, block.p2, winner))
    return ResultMeaning(result, "open" if ends.is_open else "unsure")


def is_small(cut_state: CutState, rounds: int) -> bool:
    """Return whether the last round is being played and can be calculated.

    It has so few open matches that every end can be calculated.
    """
    ways = len(OUTCOMES) ** min(len(cut_state.open_matches), 20)
    return (
        bool(cut_state.open_matches)
        and not cut_state.unpaired_rounds
        and ways * (OVERHEAD + rounds * len(cut_state.labels)) <= MOST_WORK
    )


def replay_last_round(
    event: Event, system: System, cut_state: CutState, ids: Sequence[PlayerId], is_filled: bool
) -> Mapping[PlayerId, ReplayResult]:
    """Return what can become of everyone who may still be in the cut.

    This covers all ends of the round being played. `ids` are the players of the cut's rows; with `is_filled`,
    places that no character is left for go to the best players left out.
    """
    ranking_tiebreakers = tuple(
        takewhile(lambda each: each.kind_name in FOLLOW_FROM_RESULTS, system.tiebreakers)
    )
    known_system = replace(system, tiebreakers=ranking_tiebreakers, extra_tiebreakers=())
    label = {ids[row]: cut_state.labels[row] for row in cut_state.playing_rows}
    results = {player: ReplayResult() for player in label}
    for last in _ends(event.rounds[-1]):
        rows = compute_standings(event._replace(rounds=(*event.rounds[:-1], last)), known_system)
        new = [match for match in last if match not in event.rounds[-1]]
        usual = not any(match.result is Result.DOUBLE_LOSS for match in new)
        took = _own_results(new)
        new_matches = frozenset(match for match in new if match.result is not Result.DOUBLE_LOSS)
        ranks = [[r.player for r in same if r.player in label] for _, same in groupby(rows, lambda r: r.rank)]
        for player, worst, best in _cut_ranks(ranks, label, cut_state.size, is_filled):
            result = results[player]
            others = new_matches if worst else frozenset(m for m in new_matches if player not in (m.p1, m.p2))
            result.add(worst, best, usual, others)
            if player in took:
                result.by_result.setdefault(took[player], Ends()).add(worst, best, usual, others)
    return results


def _own_results(matches: Sequence[Match]) -> dict[PlayerId, OwnResult]:
    """Return what each player of these matches took from theirs.

    Both who lose together took none of the three.
    """
    took: dict[PlayerId, OwnResult] = {}
    for match in matches:
        if match.result is Result.DOUBLE_LOSS or match.p2 is None:
            continue
        sides: dict[Result | None, tuple[OwnResult, OwnResult]] = {
            Result.P1: ("win", "loss"),
            Result.P2: ("loss", "win"),
        }
        took[match.p1], took[match.p2] = sides.get(match.result, ("draw", "draw"))
    return took


def _ends(matches: Sequence[Match]) -> Iterator[tuple[Match, ...]]:
    ways = [
        [match] if match.result is not None else [match._replace(result=result) for result in OUTCOMES]
        for match in matches
    ]
    return product(*ways)


def _cut_ranks(
    ranks: Sequence[Sequence[PlayerId]], label: Mapping[PlayerId, object], size: int, is_filled: bool
) -> Iterator[tuple[PlayerId, bool, bool]]:
    """Yield every player with whether they are in at worst and at best.

    At worst their equals come before them, and at best after them.
    """
    places_over = size - len(set(label.values())) if is_filled else 0
    ahead: list[PlayerId] = []
    for equals in ranks:
        for player in equals:
            others = [other for other in equals if other != player]
            worst = _is_in(player, [*ahead, *others], label, size, places_over)
            yield player, worst, worst or _is_in(player, ahead, label, size, places_over)
        ahead += equals


def _is_in(
    player: PlayerId,
    ahead: Collection[PlayerId],
    label: Mapping[PlayerId, object],
    size: int,
    places_over: int,
) -> bool:
    taken_labels = {label[other] for other in ahead}
    if label[player] not in taken_labels:
        return len(taken_labels) < size
    return len(ahead) - len(taken_labels) < places_over
