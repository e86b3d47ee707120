"""Work out what each result of a player's open match means for the cut."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, Protocol

from tournament.engine.outlook.cut_state import CutState, Pair
from tournament.engine.records import PlayerId

OwnResult = Literal["win", "draw", "loss"]
# "open": others decide, and both can happen. "unsure": nothing is certain, not even that.
Meaning = Literal["in", "out", "open", "unsure"]
# The points that the first player of a match gets, in the order of `CutState.results`.
OWN_RESULTS: tuple[OwnResult, ...] = ("win", "draw", "loss")


@dataclass(frozen=True, slots=True)
class OtherResult:
    """A result of another open match; a draw has no winner."""

    p1: PlayerId
    p2: PlayerId
    winner: PlayerId | None


@dataclass(frozen=True, slots=True)
class ResultMeaning:
    """The certain facts for one result of a player's own match.

    `unless` is for "in": the player is in with every end of the round that does not have this result of
    another match, and may be in with it.
    """

    result: OwnResult
    outlook: Meaning
    unless: OtherResult | None = None


class Judge(Protocol):
    """What an estimator knows about a row that gets so many points from its match."""

    cut_state: CutState

    def secure(self, row: int, own_points: int | None) -> bool: ...
    def hopeless(self, row: int, own_points: int | None) -> bool: ...
    def can_be_in(self, row: int, own_points: int | None) -> bool: ...
    def can_be_out(self, row: int, own_points: int | None) -> bool: ...
    def find_block(self, row: int, own_points: int) -> tuple[Pair, int] | None: ...


def judge_results(
    judge: Judge, row: int, ids: Mapping[int, PlayerId], is_filled: bool
) -> tuple[ResultMeaning, ...]:
    """Return what a win, a draw and a loss mean for a row that is playing.

    Empty for all others.
    """
    cut_state = judge.cut_state
    if row not in cut_state.playing_rows or row not in cut_state.opponent:
        return ()
    taken_by_result = zip(OWN_RESULTS, (cut_state.win, cut_state.draw, cut_state.loss), strict=True)
    return tuple(
        _judge_result(judge, row, result, own_points, ids, is_filled)
        for result, own_points in taken_by_result
    )


def _judge_result(
    judge: Judge, row: int, result: OwnResult, own_points: int, ids: Mapping[int, PlayerId], is_filled: bool
) -> ResultMeaning:
    if judge.secure(row, own_points):
        return ResultMeaning(result, "in")
    if not is_filled and judge.hopeless(row, own_points):
        return ResultMeaning(result, "out")
    if block := judge.find_block(row, own_points):
        return ResultMeaning(result, "in", _name_result(*block, ids))
    is_open = not is_filled and judge.can_be_in(row, own_points) and judge.can_be_out(row, own_points)
    return ResultMeaning(result, "open" if is_open else "unsure")


def _name_result(pair: Pair, place: int, ids: Mapping[int, PlayerId]) -> OtherResult:
    first, second = (ids[row] for row in pair)
    return OtherResult(first, second, {"win": first, "draw": None, "loss": second}[OWN_RESULTS[place]])
