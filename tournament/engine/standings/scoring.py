"""Points of a match for each side and how each spent the round."""

from __future__ import annotations

from enum import IntEnum
from typing import NamedTuple

from tournament.engine.records import Match, Result, Score


class RoundStatus(IntEnum):
    """The role of a player in a round."""

    ABSENT = 0
    RUNNING = 1
    PLAYED = 2
    FORFEIT_WIN = 3
    FORFEIT_LOSS = 4
    BYE = 5
    REQUESTED_BYE = 6
    UNOPPOSED_LOSS = 7
    UNOPPOSED_FORFEIT = 8


MET = frozenset((RoundStatus.PLAYED, RoundStatus.FORFEIT_WIN, RoundStatus.FORFEIT_LOSS))
BYES = frozenset((RoundStatus.BYE, RoundStatus.REQUESTED_BYE))
ALONE = frozenset((RoundStatus.UNOPPOSED_LOSS, RoundStatus.UNOPPOSED_FORFEIT))
COUNTED = MET | BYES | ALONE
VOLUNTARY = ALONE | {RoundStatus.ABSENT, RoundStatus.FORFEIT_LOSS, RoundStatus.REQUESTED_BYE}

ALLOCATED_BYES = frozenset(("u", "p", "pab", "bye", "allocated", "pairing-allocated", "pairing"))
FULL_BYES = frozenset(("f", "fpb", "full", "full-point", "+", "forfeit-win", "win"))
HALF_BYES = frozenset(("h", "hpb", "half", "half-point", "="))
ZERO_BYES = frozenset(
    ("z", "zpb", "zero", "zero-point", "0", "none", "absent", "absence", "missing", "missed", "unpaired")
) | frozenset(("not-paired", "did-not-play", "withdrawn", "late", "late-entry", "excused", "clubcommitment"))
FORFEITS = frozenset(("-", "forfeit", "forfeit-loss", "no-show"))
KINDS = {
    "allocated": ALLOCATED_BYES,
    "full": FULL_BYES,
    "half": HALF_BYES,
    "zero": ZERO_BYES,
    "forfeit": FORFEITS,
}


class Points(NamedTuple):
    """Tournament points of one match by its result.

    `unopposed` is a round lost without an opponent. If a game is worth points of its own, they make those of
    a match of games, whatever its result.
    """

    win: Score = 3
    draw: Score = 1
    loss: Score = 0
    bye: Score = 3
    double_loss: Score = 0
    unopposed: Score = 0
    game_win: Score = 0
    game_draw: Score = 0

    def all(self) -> tuple[Score, ...]:
        """Return the values in the order of the fields."""
        return tuple(self)


class SideResult(NamedTuple):
    """The points that one side gets from a match."""

    side: RoundStatus
    points: Score


NOTHING = SideResult(RoundStatus.ABSENT, 0)


def score_match(match: Match, points: Points) -> tuple[SideResult, SideResult]:
    """Return what both sides take from a match.

    A score written on the match goes before the system's points.
    """
    if match.result is None:
        return SideResult(RoundStatus.RUNNING, 0), SideResult(RoundStatus.RUNNING, 0)
    if match.p2 is None:
        return _score_without_opponent(match, points), NOTHING
    first, second = _by_games(match, points) or _by_result(match.result, points)
    sides = _get_forfeit_statuses(match.result) if match.forfeit else (RoundStatus.PLAYED, RoundStatus.PLAYED)
    return (
        SideResult(sides[0], first if match.p1_score is None else match.p1_score),
        SideResult(sides[1], second if match.p2_score is None else match.p2_score),
    )


def _by_games(match: Match, points: Points) -> tuple[Score, Score] | None:
    """Return the points of a match of games.

    None if games are worth nothing, or none was played.
    """
    if not (points.game_win or points.game_draw) or not match.p1_games + match.p2_games + match.draws:
        return None
    draw_points = match.draws * points.game_draw
    return match.p1_games * points.game_win + draw_points, match.p2_games * points.game_win + draw_points


def _by_result(result: Result, points: Points) -> tuple[Score, Score]:
    return {
        Result.P1: (points.win, points.loss),
        Result.P2: (points.loss, points.win),
        Result.DRAW: (points.draw, points.draw),
        Result.DOUBLE_LOSS: (points.double_loss, points.double_loss),
    }[result]


def _get_forfeit_statuses(result: Result) -> tuple[RoundStatus, RoundStatus]:
    first = RoundStatus.FORFEIT_WIN if result is Result.P1 else RoundStatus.FORFEIT_LOSS
    second = RoundStatus.FORFEIT_WIN if result is Result.P2 else RoundStatus.FORFEIT_LOSS
    return first, second


def _score_without_opponent(match: Match, points: Points) -> SideResult:
    """Return a round without an opponent.

    The points written on it decide, then its kind, then the system.
    """
    kind = parse_bye_kind(match.bye_type)
    written_score = match.p1_score if match.p1_score is not None else match.bye_points
    if match.result is Result.LOSS_NO_OPPONENT:
        side = RoundStatus.UNOPPOSED_FORFEIT if kind == "forfeit" else RoundStatus.UNOPPOSED_LOSS
        return SideResult(side, points.unopposed if written_score is None else written_score)
    worth = {"full": points.win, "half": points.draw, "zero": 0}.get(kind, points.bye)
    value = worth if written_score is None else written_score
    is_requested = kind in ("half", "zero") or (kind not in ("allocated", "full") and value < points.win)
    return SideResult(RoundStatus.REQUESTED_BYE if is_requested else RoundStatus.BYE, value)


def parse_bye_kind(text: str | None) -> str:
    """Return the kind of a bye in one word.

    It is allocated, full, half, zero, forfeit, or other for what is not known here.
    """
    word = (text or "").strip().casefold().replace("_", "-").replace(" ", "-").removesuffix("-bye")
    return next((kind for kind, words in KINDS.items() if word in words), "other")
