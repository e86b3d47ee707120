"""The boards of a team match as form fields and address values.

There is one score for each seat.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from django import forms
from django.utils.translation import gettext

from decks.shared.form_fields import mark_as_asked
from decks.shared.refusals import Refused
from tournament.engine.boards import SEAT_LETTERS, Board, Boards, format_board
from tournament.events.models.player import Player
from tournament.events.models.round import Match

PREFIX = "boards"
SCORE = re.compile(r"^\s*(\d{1,2})\s*[-:/ ]\s*(\d{1,2})(?:\s*[-:/ ]\s*(\d{1,2}))?\s*$")
LONGEST_SCORE = 12


@dataclass(frozen=True, slots=True)
class MatchSeat:
    """One seat of a match of two teams: its letter, and who sits there."""

    letter: str
    first: str
    second: str
    score: str = ""

    @property
    def field_name(self) -> str:
        """The name of its form field."""
        return f"{PREFIX}.{self.letter}"


def list_match_seats(p1: Player, p2: Player | None, count: int) -> list[MatchSeat]:
    """Return the seats of a match.

    A member without a name is called by the team and the seat.
    """
    pairs = zip(_name_members(p1, count), _name_members(p2, count), strict=True)
    return [MatchSeat(letter, *names) for letter, names in zip(SEAT_LETTERS, pairs, strict=False)]


def list_boards(match: Match) -> list[MatchSeat]:
    """Return the seats of a match with their results.

    There are none where teams play one match.
    """
    count = match.round.stage.event.board_count
    boards = [*match.boards, *[None] * (count - len(match.boards))]
    seats = list_match_seats(match.p1, match.p2, count) if match.p2 else []
    return [replace(seat, score=format_board(board)) for seat, board in zip(seats, boards, strict=False)]


def _name_members(player: Player | None, count: int) -> list[str]:
    names = list(player.members if player else [])[:count]
    return [*names, *[player.name if player else ""] * (count - len(names))]


def name_seat(seat: MatchSeat) -> str:
    """Name a board, as in “Seat A: Ann vs. Dan”."""
    values = {"seat": seat.letter, "p1": seat.first, "p2": seat.second}
    return gettext("Seat %(seat)s: %(p1)s vs. %(p2)s") % values


def make_board_fields(seats: Iterable[MatchSeat]) -> dict[str, forms.Field]:
    """Return a field for each seat, named `boards.A`."""
    return {seat.field_name: _make_field(seat) for seat in seats}


def _make_field(seat: MatchSeat) -> forms.Field:
    attributes = {"dir": "ltr", "inputmode": "text", "autocomplete": "off", "placeholder": "2-1"}
    field = forms.CharField(
        required=False,
        max_length=LONGEST_SCORE,
        label=name_seat(seat),
        widget=forms.TextInput(attrs=attributes),
    )
    mark_as_asked(field)
    return field


def read_board(text: str) -> list[int] | None:
    """Return a board as written, such as 2-1 or 1-1-1; None for an empty one.

    Raises Refused.
    """
    if not text.strip():
        return None
    match = SCORE.match(text)
    if match is None:
        raise Refused("board_unreadable", field=PREFIX, written=text.strip()[:LONGEST_SCORE])
    return [int(games or 0) for games in match.groups()]


def read_boards(texts: Sequence[str]) -> list[list[int] | None]:
    """Return all boards as written; none at all where every one is empty.

    Raises Refused.
    """
    boards = [read_board(text) for text in texts]
    return boards if any(boards) else []


def flatten_boards(boards: object) -> Iterator[tuple[str, str]]:
    """Yield boards by the names of their form fields."""
    rows: Sequence[object] = boards if isinstance(boards, list | tuple) else ()
    for letter, board in zip(SEAT_LETTERS, rows, strict=False):
        if isinstance(board, list | tuple):
            yield f"{PREFIX}.{letter}", format_board(board)


def read_sent_boards(values: Mapping[str, object], count: int) -> Boards:
    """Return the boards among the values of a form. Raises Refused."""
    names = [f"{PREFIX}.{letter}" for letter in SEAT_LETTERS[:count]]
    boards: list[Board | None] = list(read_boards([str(values.get(name) or "") for name in names]))
    return boards
