"""Project the cut: clinched, possible or eliminated for each player.

In the last round, once it is paired, all results of all open matches are weighed: on points in a cut of any
size, and where few matches are open with the tiebreakers that follow from who won (`replay`). Players who may
be tied beyond that may fall either way. With more rounds to come, or in a large field with diversity, bounds
are used. "in" and "out" are certain in every case; "can" is called a bound where it may be too cautious, as
it may where only equals decide. No one is assumed to drop or decline before the cut who has not done so yet,
and no one to move up because an open match is lost by both.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from rules.cuts import normalize_character
from rules.reason import Reason, reason
from tournament.engine.cut import Short, select_cut
from tournament.engine.outlook.cut_state import CutState, Label, Pair
from tournament.engine.outlook.estimators import BoundsEstimator, CharacterEstimator, PlayerEstimator
from tournament.engine.outlook.meanings import ResultMeaning, judge_results
from tournament.engine.outlook.replay import ReplayResult, is_small, replay_last_round
from tournament.engine.problems import make_error
from tournament.engine.records import Event, PlayerId
from tournament.engine.standings.crosstable import CrossTable, build_cross_table
from tournament.engine.standings.standing import compute_standings
from tournament.engine.standings.systems import System

CutOutlook = Literal["in", "can", "out"]
Method = Literal["final", "exact", "bounds"]
Estimator = CharacterEstimator | PlayerEstimator | BoundsEstimator
Characters = Mapping[PlayerId, str | None]

LARGE_FIELD = 256


@dataclass(frozen=True, slots=True)
class Projection:
    """The certain facts about a player's place in the cut.

    `draw_is_safe` says whether a draw in the current match qualifies the player in any case; None
    without an open match. `method` is "final" (nothing is left to play), "exact" (the other outlooks are
    ruled out) or "bounds". `results` says what a win, a draw and a loss in that match mean.
    """

    player: PlayerId
    outlook: CutOutlook
    draw_is_safe: bool | None
    method: Method
    reason: Reason
    results: tuple[ResultMeaning, ...] = ()


def project_cut(
    event: Event,
    system: System,
    *,
    rounds_total: int,
    cut_size: int,
    diversity: bool = False,
    characters: Characters | None = None,
    short: Short = "shrink",
    decliners: Collection[PlayerId] = (),
    lots: Mapping[PlayerId, int] | None = None,
) -> tuple[Projection, ...]:
    """Return the outlook of every player, in the order of their ids.

    `event` holds the rounds paired so far, matches being played with no result; `rounds_total` are planned.
    Raises EngineError for a cut without places, fewer planned rounds than there are, an unsound event, and a
    system whose points do not come first or are not made by winning, drawing and losing alone.
    """
    if cut_size < 1 or rounds_total < len(event.rounds):
        raise make_error("projection-size", size=cut_size, rounds=rounds_total)
    _refuse_unfit(system)
    table = build_cross_table(system.read(event), system.points)
    labels = _labels(table, characters or {}, diversity)
    leaving_players, rounds_left = {*event.drops, *decliners}, rounds_total - len(table.rounds)
    open_pairs = _open(event, table)
    cut_state = _build_cut_state(table, labels, leaving_players, rounds_left, cut_size, open_pairs)
    if not cut_state.open_matches and not cut_state.unpaired_rounds:
        rows = compute_standings(event, system, lots=lots)
        result = select_cut(
            rows, cut_size, diversity=diversity, characters=characters, short=short, decliners=decliners
        )
        ends = {decision.player: (decision.is_in, decision.reason) for decision in result.decisions}
        return tuple(_final(player, *ends[player]) for player in table.ids)
    playing_labels = {labels[row] for row in cut_state.playing_rows}
    is_filled = diversity and short == "fill" and len(playing_labels) < cut_size
    projections = _on_points(_choose_estimator(cut_state, diversity), table.ids, is_filled)
    if not is_small(cut_state, len(event.rounds)):
        return projections
    replayed_round = replay_last_round(event, system, cut_state, table.ids, is_filled)
    return tuple(_sharpen(each, replayed_round.get(each.player)) for each in projections)


def _on_points(judge: Estimator, ids: Sequence[PlayerId], is_filled: bool) -> tuple[Projection, ...]:
    rows = dict(enumerate(ids))
    return tuple(
        replace(_outlook(judge, row, player, is_filled), results=judge_results(judge, row, rows, is_filled))
        for row, player in rows.items()
    )


def _refuse_unfit(system: System) -> None:
    kinds, worth = [tiebreaker.kind_name for tiebreaker in system.tiebreakers], system.points
    if "points" in kinds[1:] or worth.game_win or worth.game_draw:
        raise make_error("projection-system.points", system=system.title)
    if not worth.loss <= worth.draw <= worth.win or worth.bye > worth.win:
        raise make_error("projection-system.win", system=system.title)


def _labels(table: CrossTable, characters: Characters, diversity: bool) -> list[Label]:
    """Return characters in the form in which diversity compares them.

    A player without a character represents themselves.
    """
    characters_by_row = [characters.get(player) if diversity else None for player in table.ids]
    return [
        normalize_character(name) if name else ("player", row) for row, name in enumerate(characters_by_row)
    ]


def _open(event: Event, table: CrossTable) -> tuple[Pair, ...]:
    """Return the matches being played.

    Raises EngineError when one of them is not in the last round.
    """
    for number, matches in enumerate(event.rounds[:-1], 1):
        if any(match.result is None for match in matches):
            raise make_error("round-running", round=number)
    last = event.rounds[-1] if event.rounds else ()
    return tuple(
        (table.index[m.p1], table.index[m.p2]) for m in last if m.result is None and m.p2 is not None
    )


def _build_cut_state(
    table: CrossTable,
    labels: Sequence[Label],
    leaving_players: Collection[PlayerId],
    unpaired_count: int,
    size: int,
    running_pairs: tuple[Pair, ...],
) -> CutState:
    points = table.points
    return CutState(
        scores=table.scores,
        labels=labels,
        playing_rows=frozenset(row for row, player in enumerate(table.ids) if player not in leaving_players),
        open_matches=running_pairs,
        unpaired_rounds=unpaired_count,
        size=size,
        win=table.scale_score(points.win),
        draw=table.scale_score(points.draw),
        loss=table.scale_score(points.loss),
    )


def _choose_estimator(cut_state: CutState, diversity: bool) -> Estimator:
    """Choose exact estimators for the last round, and bounds otherwise.

    Bounds are used if exact ones take too long or pairings are unknown.
    """
    if cut_state.unpaired_rounds:
        return BoundsEstimator(cut_state)
    if not diversity:
        return PlayerEstimator(cut_state)
    return (
        CharacterEstimator(cut_state)
        if len(cut_state.playing_rows) <= LARGE_FIELD
        else BoundsEstimator(cut_state)
    )


def _outlook(judge: Estimator, row: int, player: PlayerId, is_filled: bool) -> Projection:
    """Return one player's outlook.

    If players left out fill places (`is_filled`), no one is called out early.
    """
    cut_state = judge.cut_state
    method: Method = "bounds" if isinstance(judge, BoundsEstimator) else "exact"
    if row not in cut_state.playing_rows:
        return Projection(player, "out", None, method, reason("not_in_cut"))
    in_match = row in cut_state.opponent
    safe = judge.secure(row, cut_state.draw) if in_match else None
    score_if_won, score_if_lost = (cut_state.win, cut_state.loss) if in_match else (None, None)
    if judge.secure(row, score_if_lost):
        return Projection(player, "in", safe, method, reason("surely_in.losing"))
    if not is_filled and judge.hopeless(row, score_if_won):
        return Projection(player, "out", safe, method, reason("surely_out.winning"))
    is_open = not is_filled and judge.can_be_in(row, score_if_won) and judge.can_be_out(row, score_if_lost)
    can_be_out = in_match and not is_filled and judge.can_be_out(row, cut_state.draw)
    return Projection(player, "can", safe, "exact" if is_open else "bounds", _hope(safe, can_be_out))


def _sharpen(each: Projection, ends: ReplayResult | None) -> Projection:
    """Return what the ends of the round say beyond points."""
    if ends is None:
        return each
    safe = None if each.draw_is_safe is None else ends.is_in_by_draw
    results = ends.explain() if each.results else ()
    if each.outlook != "can":
        return replace(each, draw_is_safe=safe, results=results)
    if ends.always:
        return Projection(each.player, "in", safe, "exact", reason("surely_in"), results)
    if not ends.ever:
        return Projection(each.player, "out", safe, "exact", reason("surely_out"), results)
    method: Method = "exact" if ends.is_open else "bounds"
    return Projection(each.player, "can", safe, method, _hope(safe) if safe else each.reason, results)


def _hope(safe: bool | None, can_be_out: bool = False) -> Reason:
    if safe:
        return reason("can_draw_in")
    if safe is None:
        return reason("can_qualify")
    return reason("can_qualify.unsafe" if can_be_out else "can_qualify.unsure")


def _final(player: PlayerId, is_in: bool, why: Reason) -> Projection:
    return Projection(player, "in" if is_in else "out", None, "final", why)
