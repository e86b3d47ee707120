"""Individual records of the members of teams, from the boards of their matches."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction

from decks.shared.json_shapes import Published
from tournament.engine.boards import SEAT_LETTERS, Board, swap_boards
from tournament.events.models.event import Event
from tournament.events.models.match_result import Ending
from tournament.events.models.player import Player
from tournament.events.models.round import Match, Round

# With these, boards are given and not played.
GIVEN = (
    Ending.CONCESSION, Ending.NO_SHOW, Ending.LEFT, Ending.PENALTY, Ending.DISQUALIFIED, Ending.AGREED_DRAW,
)  # fmt: skip
HALF = Fraction(1, 2)


@dataclass(frozen=True, slots=True)
class BoardTally:
    """Boards and games of one member."""

    boards_won: int = 0
    boards_lost: int = 0
    boards_drawn: int = 0
    games_won: int = 0
    games_lost: int = 0
    games_drawn: int = 0

    @property
    def points(self) -> Fraction:
        """Boards won, a drawn one as half."""
        return self.boards_won + HALF * self.boards_drawn

    @property
    def boards_played(self) -> int:
        """All boards."""
        return self.boards_won + self.boards_lost + self.boards_drawn

    @property
    def share(self) -> Fraction:
        """The share of boards won; 0 without one."""
        return self.points / self.boards_played if self.boards_played else Fraction(0)

    def add(self, board: Board) -> BoardTally:
        """Return the tally with one more board, their own games first."""
        mine, theirs, draws = board
        return BoardTally(
            self.boards_won + (mine > theirs),
            self.boards_lost + (mine < theirs),
            self.boards_drawn + (mine == theirs),
            self.games_won + mine,
            self.games_lost + theirs,
            self.games_drawn + draws,
        )


@dataclass(frozen=True, slots=True)
class SeatRecord(Published):
    """The boards of one member of a team. Those with the same rank are level."""

    PUBLISHED = {
        "rank": "rank",
        "seat": "seat",
        "name": "name",
        "player": "team.number",
        "team": "team.name",
        "won": "tally.boards_won",
        "lost": "tally.boards_lost",
        "drawn": "tally.boards_drawn",
        "games_won": "tally.games_won",
        "games_lost": "tally.games_lost",
        "games_drawn": "tally.games_drawn",
    }

    rank: int
    seat: str
    name: str
    team: Player
    tally: BoardTally = field(default_factory=BoardTally)

    @property
    def record(self) -> str:
        """Boards won, lost and drawn."""
        return f"{self.tally.boards_won}-{self.tally.boards_lost}-{self.tally.boards_drawn}"

    @property
    def games(self) -> str:
        """Games won, lost and drawn."""
        return f"{self.tally.games_won}-{self.tally.games_lost}-{self.tally.games_drawn}"


def list_seat_records(event: Event) -> list[SeatRecord]:
    """Return everyone by boards won, then by the share of boards won. Two queries.

    The order is a Ringside default. Boards that were given without play are left out.
    """
    tallies = _tally_boards(event)
    lines = [
        (tallies[team.pk, place], SEAT_LETTERS[place], name, team)
        for team in event.players.filter(status=Player.Status.REGISTERED).order_by("number")
        for place, name in enumerate(_name_seats(team, event.board_count))
    ]
    keys = [_rank_key(tally) for tally, *_ in lines]
    ordered_rows = sorted(
        zip(keys, lines, strict=True), key=lambda row: (row[0], row[1][3].number, row[1][1])
    )
    ranked_keys = [key for key, _ in ordered_rows]
    return [
        SeatRecord(ranked_keys.index(key) + 1, seat, name, team, tally)
        for key, (tally, seat, name, team) in ordered_rows
    ]


def _name_seats(team: Player, count: int) -> list[str]:
    names = list(team.members)[:count]
    return [*names, *[team.name] * (count - len(names))]


def _rank_key(tally: BoardTally) -> tuple[Fraction, Fraction]:
    return -tally.points, -tally.share


def _tally_boards(event: Event) -> dict[tuple[int, int], BoardTally]:
    tallies: defaultdict[tuple[int, int], BoardTally] = defaultdict(BoardTally)
    for team, place, board in _iterate_boards(event):
        tallies[team, place] = tallies[team, place].add(board)
    return tallies


def _iterate_boards(event: Event) -> Iterator[tuple[int, int, Board]]:
    matches = Match.objects.filter(round__stage__event=event).exclude(round__state=Round.State.DRAFT)
    rows = matches.exclude(outcome="").exclude(ending__in=GIVEN).values_list("p1", "p2", "boards")
    for p1, p2, boards in rows.order_by("pk"):
        for team, own_first in ((p1, boards), (p2, swap_boards(boards))):
            yield from ((team, place, board) for place, board in enumerate(own_first) if board is not None)
