"""Possible scores of a match and of its boards.

The module also says what a win without play gives.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from decks.shared.refusals import Refused
from tournament.engine.boards import (
    SEAT_LETTERS,
    Board,
    Boards,
    count_boards,
    format_board,
    repeat_board,
)
from tournament.events.models.event import Event
from tournament.events.models.match_result import Ending, MatchResult, Outcome
from tournament.events.settings import get_games_to_win

MOST_DRAWS = 9


def get_forfeit_games(event: Event) -> int:
    """Return the games of a win without play, including a bye.

    These are all boards, or the games that win a match.
    """
    return event.board_count or get_games_to_win(event)


def give_boards(event: Event, result: MatchResult, loser: str) -> MatchResult:
    """Give all boards to the opponent of a side that loses in any case.

    In a draw by agreement, all boards are drawn.
    """
    if loser in ("p1", "p2"):
        games = get_games_to_win(event)
        board = (games, 0, 0) if loser == "p2" else (0, games, 0)
        return replace(result, boards=repeat_board(board, event.board_count))
    if result.ending == Ending.AGREED_DRAW:
        return replace(result, boards=repeat_board((0, 0, 0), event.board_count))
    return result


def count_result(result: MatchResult) -> MatchResult:
    """Return the result with the games that follow from its boards."""
    wins, losses, draws = count_boards(result.boards)
    return replace(result, p1_games=wins, p2_games=losses, draws=draws)


def count_games(result: MatchResult) -> tuple[int, int]:
    """Return the games of both sides, on all boards together."""
    if not result.boards:
        return result.p1_games, result.p2_games
    boards = [board for board in result.boards if board is not None]
    return sum(board[0] for board in boards), sum(board[1] for board in boards)


def find_board_problems(event: Event, boards: Boards, *, can_be_open: bool = False) -> Iterator[Refused]:
    """Yield what is wrong with the boards of a match.

    Checks how many there are, and each score.
    """
    if boards and not event.has_boards:
        yield Refused("boards_without_seats", field="boards")
        return
    if len(boards) != event.board_count or (None in boards and not can_be_open):
        yield Refused("boards_missing", field="boards", count=event.board_count)
    for letter, board in zip(SEAT_LETTERS, boards, strict=False):
        if board is not None and not _is_possible(event, board):
            games = get_games_to_win(event)
            score = format_board(board)
            yield Refused("board_impossible", field="boards", seat=letter, written=score, games_to_win=games)


def _is_possible(event: Event, board: Board) -> bool:
    p1_games, p2_games, draws = board
    problems = _game_problems(event, MatchResult(p1_games=p1_games, p2_games=p2_games, draws=draws))
    return next(problems, None) is None


def find_score_problems(event: Event, result: MatchResult) -> Iterator[Refused]:
    """Require a score for each board of a match of two teams.

    If both teams lose, no board needs to have been played.
    """
    if event.has_boards and result.outcome == Outcome.DOUBLE_LOSS and not result.boards:
        return
    if event.has_boards or result.boards:
        yield from find_board_problems(event, result.boards)
    else:
        yield from _game_problems(event, result)


def _game_problems(event: Event, result: MatchResult) -> Iterator[Refused]:
    games_to_win = get_games_to_win(event)
    games = (result.p1_games, result.p2_games)
    if min(*games, result.draws) < 0:
        yield Refused("score_negative", field="score", written=result.score)
    elif max(games) > games_to_win or min(games) == games_to_win:
        yield Refused(
            "score_impossible",
            field="score",
            written=result.score,
            games_to_win=games_to_win,
            games_of_loser=games_to_win - 1,
        )
    elif result.draws > MOST_DRAWS:
        yield Refused("draws_impossible", field="draws", draws=result.draws)
