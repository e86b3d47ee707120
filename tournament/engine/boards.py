"""Boards of a match between two teams: seat A plays seat A, seat B plays seat B."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TypeGuard

# Games of the first team, of the second team, and drawn ones; None if nothing was reported yet.
Board = Sequence[int]
Boards = Sequence[Board | None]

BOARD_PARTS = 3
SEAT_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


def count_boards(boards: Boards) -> tuple[int, int, int]:
    """Return boards won by the first team, by the second, and drawn.

    >>> count_boards([[2, 1, 0], [0, 2, 0], [2, 0, 0]]), count_boards([[1, 1, 1], None])
    ((2, 1, 0), (0, 0, 1))
    """
    played_boards = [board for board in boards if board is not None]
    wins = sum(board[0] > board[1] for board in played_boards)
    losses = sum(board[0] < board[1] for board in played_boards)
    return wins, losses, len(played_boards) - wins - losses


def list_seats(boards: Boards) -> Iterator[tuple[str, str]]:
    """Yield the letter of each seat with a result, and its score."""
    for letter, board in zip(SEAT_LETTERS, boards, strict=False):
        if board is not None:
            yield letter, format_board(board)


def format_board(board: Board | None) -> str:
    """Return the games of a board as people write them: 2-1.

    With a drawn game it is 1-1-1.
    """
    if board is None:
        return ""
    first, second, draws = board
    return f"{first}-{second}-{draws}" if draws else f"{first}-{second}"


def format_boards(boards: Boards) -> str:
    """Return all boards in one line: “A 2-1, B 0-2”."""
    return ", ".join(f"{letter} {score}" for letter, score in list_seats(boards))


def swap_boards(boards: Boards) -> list[list[int] | None]:
    """Return the boards with the second team first."""
    return [board if board is None else [board[1], board[0], board[2]] for board in boards]


def has_contradiction(boards: Boards, others: Boards) -> bool:
    """Return whether a seat has two different results."""
    pairs = zip(boards, others, strict=False)
    return any(one is not None and other is not None and list(one) != list(other) for one, other in pairs)


def merge_boards(boards: Boards, older: Boards) -> list[Board | None]:
    """Return the boards, and older ones where a seat has none."""
    padded_boards = [*older, *[None] * (len(boards) - len(older))]
    return [board if board is not None else old for board, old in zip(boards, padded_boards, strict=False)]


def are_boards(value: object) -> TypeGuard[list[list[int]]]:
    """Return whether data have the shape of boards: three whole numbers each."""
    return isinstance(value, list) and all(map(_is_board, value))


def _is_board(board: object) -> bool:
    if not isinstance(board, list) or len(board) != BOARD_PARTS:
        return False
    return all(type(games) is int and games >= 0 for games in board)


def repeat_board(board: Iterable[int], count: int) -> list[list[int]]:
    """Return the same result at each seat."""
    return [list(board) for _ in range(count)]


def give_board_example(games_to_win: int, board_count: int) -> str:
    """Return boards of a match that the first team wins, as they are typed.

    >>> give_board_example(2, 3), give_board_example(1, 2)
    ('2-1 1-2 2-1', '1-0 1-0')
    """
    wins, losses = f"{games_to_win}-{games_to_win - 1}", f"{games_to_win - 1}-{games_to_win}"
    return " ".join(losses if number == 1 and board_count > 2 else wins for number in range(board_count))


def has_more_boards(boards: Boards, others: Boards) -> bool:
    """Return whether a seat has a result here that has none among the others."""
    padded_boards = [*others, *[None] * (len(boards) - len(others))]
    return any(
        board is not None and other is None for board, other in zip(boards, padded_boards, strict=False)
    )
