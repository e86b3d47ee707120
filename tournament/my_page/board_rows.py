"""The boards of a match as a member of a team sees them: their own seat first."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.http import HttpRequest

from decks.shared.wording import format_reason
from tournament.engine.boards import Board, swap_boards
from tournament.events.models.event import Event
from tournament.events.models.player import Player
from tournament.events.models.result_sentences import describe_winner
from tournament.events.models.round import ResultReport
from tournament.my_page.selectors import ScoreButton, list_score_buttons
from tournament.results.selectors import MyMatch
from tournament.web.board_fields import PREFIX, list_match_seats

SESSION_KEY = "seats"


@dataclass(frozen=True, slots=True)
class BoardRow:
    """One seat: who sits there, what both teams said of it, scores to choose from.

    Scores have the games of their own team first.
    """

    letter: str
    me: str
    opponent: str
    is_mine: bool
    my_board: Board | None
    their_board: Board | None
    scores: Sequence[ScoreButton]

    @property
    def field_name(self) -> str:
        """The name of the field that reports it."""
        return f"{PREFIX}.{self.letter}"

    @property
    def value(self) -> str:
        """The selected values: their own report, or that of the opponents."""
        board = self.my_board or self.their_board
        return "-".join(map(str, board if board[2] else board[:2])) if board else ""

    @property
    def is_other(self) -> bool:
        """Return whether something is chosen that is none of the usual scores."""
        return bool(self.value) and self.value not in {score.value for score in self.scores}

    @property
    def is_disputed(self) -> bool:
        """Return whether the teams report different results."""
        return None not in (self.my_board, self.their_board) and self.my_board != self.their_board

    @property
    def my_words(self) -> str:
        """The report of their own team, in words."""
        return self._describe(self.my_board)

    @property
    def their_words(self) -> str:
        """The report of the opponents, in words."""
        return self._describe(self.their_board)

    def _describe(self, board: Board | None) -> str:
        if board is None:
            return ""
        return format_reason(
            "reason", describe_winner((board[0], board[1], board[2]), (self.me, self.opponent))
        )


def list_board_rows(mine: MyMatch | None, seat: str = "") -> list[BoardRow]:
    """Return the boards of a match, the player's own seat first.

    There are none where teams play one match.
    """
    if mine is None or mine.opponent is None or not mine.me.event.has_boards:
        return []
    event = mine.me.event
    seats = list_match_seats(mine.me, mine.opponent, event.board_count)
    reports = [_read_own_first(report, mine, event) for report in (mine.my_report, mine.their_report)]
    rows = [
        BoardRow(
            letter=each.letter,
            me=each.first,
            opponent=each.second,
            is_mine=each.letter == seat,
            my_board=reports[0][place],
            their_board=reports[1][place],
            scores=list_score_buttons(event, (each.first, each.second), needs_winner=False),
        )
        for place, each in enumerate(seats)
    ]
    return sorted(rows, key=lambda row: not row.is_mine)


def _read_own_first(report: ResultReport | None, mine: MyMatch, event: Event) -> list[Board | None]:
    boards = list(report.boards) if report else []
    padded_boards = [*boards, *[None] * (event.board_count - len(boards))]
    return list(swap_boards(padded_boards)) if mine.is_second else padded_boards


def find_own_row(rows: Sequence[BoardRow]) -> BoardRow | None:
    """Return the row of the member who holds the phone, if they said who they are."""
    return next((row for row in rows if row.is_mine), None)


def remember_seat(request: HttpRequest, player: Player, letter: str) -> None:
    """Keep which member of a team this browser belongs to."""
    if letter in _list_letters(player):
        seats = request.session.get(SESSION_KEY, {})
        request.session[SESSION_KEY] = {**seats, str(player.pk): letter}


def get_seat(request: HttpRequest, player: Player) -> str:
    """Return the seat of the member who holds the phone; empty if no one said."""
    letter = request.session.get(SESSION_KEY, {}).get(str(player.pk), "") if player.event.has_boards else ""
    return letter if letter in _list_letters(player) else ""


def _list_letters(player: Player) -> list[str]:
    seats = list_match_seats(player, None, player.event.board_count)
    return [seat.letter for seat in seats]
