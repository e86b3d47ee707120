"""Play every outcome of the last open matches and rank each result.

Points alone leave open what tiebreakers settle. Of these only the ones count here that follow from who won:
how many games a match will take, and whether it will be played at all, no one knows yet. From the first
tiebreaker on that depends on such things players who are level may fall either way.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby, product, takewhile

from tournament.engine.outlook.cut_state import CutState
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
# What may be spent: ways to end the round, times seats; each reckoning costs as much as so many besides.
MOST_WORK = 300_000
OVERHEAD = 300


@dataclass(slots=True)
class ReplayResult:
    """What becomes of one player over all ends of the round; `level` players may fall either way.

    `always` in however those fall, a match that both lose included; `ever` in if they fall well, without
    such a match; `drawn` is `always` where their own match is drawn. `is_open`: surely in at one end and
    surely out at another.
    """

    always: bool = True
    ever: bool = False
    drawn: bool = True
    surely_in: bool = False
    surely_out: bool = False

    @property
    def is_open(self) -> bool:
        """Whether both can really happen, however players who are level fall."""
        return self.surely_in and self.surely_out

    def add(self, worst: bool, best: bool, drew: bool, usual: bool) -> None:
        """Take in one end: whether they are in at worst and at best, drew, and no one lost together."""
        self.always &= worst
        self.drawn &= worst or not drew
        if usual:
            self.ever |= best
            self.surely_in |= worst
            self.surely_out |= not best


def is_small(cut_state: CutState, rounds: int) -> bool:
    """Whether the last round is on and so little of it is open that every end can be reckoned up."""
    ways = len(OUTCOMES) ** min(len(cut_state.open), 20)
    return (
        bool(cut_state.open)
        and not cut_state.unpaired
        and ways * (OVERHEAD + rounds * len(cut_state.labels)) <= MOST_WORK
    )


def replay_last_round(
    event: Event, system: System, cut_state: CutState, ids: Sequence[PlayerId], filled: bool
) -> Mapping[PlayerId, ReplayResult]:
    """What can become of everyone who may still be in the cut, at all ends of the round being played.

    `ids` are the players of the cut's rows; with `filled`, places that no character is left for go to the
    best players left out.
    """
    ranked = tuple(takewhile(lambda each: each.kind_name in FOLLOW_FROM_RESULTS, system.tiebreakers))
    known = replace(system, tiebreakers=ranked, shown=())
    label = {ids[row]: cut_state.labels[row] for row in cut_state.playing}
    results = {player: ReplayResult() for player in label}
    for last in _ends(event.rounds[-1]):
        rows = compute_standings(replace(event, rounds=(*event.rounds[:-1], last)), known)
        usual = not any(m.result is Result.DOUBLE_LOSS and m not in event.rounds[-1] for m in last)
        drew = {
            p for m in last if m.result is Result.DRAW and m not in event.rounds[-1] for p in (m.p1, m.p2)
        }
        ranks = [[r.player for r in same if r.player in label] for _, same in groupby(rows, lambda r: r.rank)]
        for player, worst, best in _cut(ranks, label, cut_state.size, filled):
            results[player].add(worst, best, player in drew, usual)
    return results


def _ends(matches: Sequence[Match]) -> Iterator[tuple[Match, ...]]:
    ways = [
        [match] if match.result is not None else [replace(match, result=result) for result in OUTCOMES]
        for match in matches
    ]
    return product(*ways)


def _cut(
    ranks: Sequence[Sequence[PlayerId]], label: Mapping[PlayerId, object], size: int, filled: bool
) -> Iterator[tuple[PlayerId, bool, bool]]:
    """Every player with whether they are in when their equals come before them, and when they come after."""
    places_over = size - len(set(label.values())) if filled else 0
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
    taken = {label[other] for other in ahead}
    if label[player] not in taken:
        return len(taken) < size
    return len(ahead) - len(taken) < places_over
