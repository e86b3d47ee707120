"""Pairings by table and name, seating and check-in lists, with their type sizes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext, gettext_lazy, pgettext, pgettext_lazy

from decks.checking.result import format_outcome
from tournament.events.models.event import Event
from tournament.events.models.match_result import format_score
from tournament.events.models.player import Player
from tournament.events.models.round import Round
from tournament.events.name_order import get_name_order, get_player_key, sort_players
from tournament.events.seats import prefetch_seats
from tournament.events.settings import get_stage_sides
from tournament.pairing.selectors.pairings import list_by_player
from tournament.pairing.selectors.pairings import list_pairings as list_round_tables
from tournament.printing.list_fit import FittedColumn, PrintedListKind, fit_list
from tournament.printing.request import FilledContext, PrintRequest
from tournament.shared.names import make_name_key
from tournament.standings.points import Scores
from tournament.standings.selectors.standings import points_before


@dataclass(frozen=True, slots=True)
class PrintedPairing:
    """One table as lists show it."""

    table: int | None
    p1: int
    p1_name: str
    p2: int | None
    p2_name: str
    outcome: str
    score: str


@dataclass(frozen=True, slots=True)
class Games:
    """The games of a match, as columns give them."""

    p1_games: int
    p2_games: int
    draws: int


PAIRING_FIELDS = (
    "table",
    "p1_id",
    "p1__name",
    "p2_id",
    "p2__name",
    "outcome",
    "p1_games",
    "p2_games",
    "draws",
)


def list_pairings(shown_round: Round) -> list[PrintedPairing]:
    """Return the tables of a round in order, byes last. One query, of values only."""
    if not get_stage_sides(shown_round.stage).is_duel:
        return _list_sides(shown_round)
    rows = shown_round.matches.order_by("table", "pk").values_list(*PAIRING_FIELDS)
    names = _name_teams(shown_round.stage.event)
    pairs = [
        PrintedPairing(
            table,
            p1,
            names.get(p1, p1_name),
            p2,
            names.get(p2 or 0, p2_name or ""),
            outcome,
            format_score(Games(*games)),
        )
        for table, p1, p1_name, p2, p2_name, outcome, *games in rows
    ]
    return sorted(pairs, key=lambda pair: (pair.table is None, pair.table or 0))


def _name_teams(event: Event) -> dict[int, str]:
    """Name teams with the names of their seats, where members play on boards.

    One query for these.
    """
    if not event.has_boards:
        return {}
    rows = event.players.values_list("pk", "name", "members")
    return {pk: f"{name} ({', '.join(members)})" if members else name for pk, name, members in rows}


def _list_sides(shown_round: Round) -> list[PrintedPairing]:
    """Return tables of more than two sides, byes last.

    The first side is named, and all others are under one name.
    """
    return [
        PrintedPairing(
            table.number,
            table.red.id,
            table.red.name,
            table.blue.id if table.blue else None,
            table.blue.name if table.blue else "",
            table.outcome,
            table.result_words if table.outcome else "",
        )
        for table in list_round_tables(shown_round)
    ]


def build_pairings_by_table(request: PrintRequest) -> FilledContext:
    """Print pairings in the order of the tables.

    Each has the points of both players and its result, if entered.
    """
    pairings, stage = list_pairings(request.shown_round), request.shown_round.stage
    if stage.is_elimination and stage.position == 1:
        return fit_list(BY_TABLE_WITHOUT_POINTS, [_table_row(pair) for pair in pairings], request.paper)
    points = points_before(request.shown_round)
    rows = [_add_points(_table_row(pair), pair, points) for pair in pairings]
    return fit_list(BY_TABLE, rows, request.paper)


def _table_row(pair: PrintedPairing) -> tuple[str, str, str, str]:
    if pair.p2 is None:
        without = gettext("has the bye") if pair.outcome == "bye" else gettext("has no opponent")
        return "–", pair.p1_name, without, ""
    return str(pair.table), pair.p1_name, pair.p2_name, pair.score if pair.outcome else ""


def _add_points(row: tuple[str, str, str, str], pair: PrintedPairing, points: Scores) -> tuple[str, ...]:
    table, one, two, score = row
    return table, one, str(points[pair.p1]), two, str(points[pair.p2]) if pair.p2 is not None else "", score


def build_pairings_by_name(request: PrintRequest) -> FilledContext:
    """Return every player with table and opponent, by name.

    The names run in alphabetical order down the page.
    """
    bye = pgettext("result", "Bye")
    rows: list[tuple[str, str, str]] = []
    if not get_stage_sides(request.shown_round.stage).is_duel:
        seatings = list_by_player(request.event, list_round_tables(request.shown_round))
        rows = [
            (seat.player.name, str(seat.table.number or bye), seat.opponent.name if seat.opponent else "")
            for seat in seatings
        ]
        return fit_list(BY_NAME, rows, request.paper)
    for pair in list_pairings(request.shown_round):
        place_text = str(pair.table) if pair.p2 is not None else bye if pair.outcome == "bye" else "–"
        rows.append((pair.p1_name, place_text, pair.p2_name))
        if pair.p2 is not None:
            rows.append((pair.p2_name, place_text, pair.p1_name))
    order = get_name_order(request.event)
    rows.sort(key=lambda row: make_name_key(row[0], order))
    return fit_list(BY_NAME, rows, request.paper)


def build_seating(request: PrintRequest) -> FilledContext:
    """Return everyone by name, two to a table from the event's first table.

    This is for the players' meeting.
    """
    free = _free_table_finder(request.event)
    people = sort_players(request.event, _list_seated_players(request.event))
    rows = [(player.name, str(free(index // 2))) for index, player in enumerate(people)]
    return fit_list(SEATING, rows, request.paper)


def _free_table_finder(event: Event) -> Any:
    reserved_numbers = {int(number) for number in event.reserved_tables}
    table_numbers = iter(range(event.first_table, event.first_table + 100_000))
    checked_numbers: list[int] = []

    def at(index: int) -> int:
        while len(checked_numbers) <= index:
            number = next(table_numbers)
            if number not in reserved_numbers:
                checked_numbers.append(number)
        return checked_numbers[index]

    return at


def _list_seated_players(event: Event) -> list[Player]:
    players = event.players.filter(status=Player.Status.REGISTERED, dropped_after__isnull=True)
    return list(players.select_related("deck_list__current"))


def build_check_in(request: PrintRequest) -> FilledContext:
    """Return the check-in list: registered players, then the waiting list.

    Registered players are by name. Each player has a box to tick and the state of their decklist.
    """
    players = request.event.players.exclude(status=Player.Status.WITHDRAWN).filter(dropped_after__isnull=True)
    if request.event.has_boards:
        players = players.prefetch_related(prefetch_seats())
    people = sorted(
        players.select_related("deck_list__current"),
        key=lambda p: (p.status != Player.Status.REGISTERED, get_player_key(request.event, p)),
    )
    rows = [_check_in_row(player, request.event) for player in people]
    return fit_list(CHECK_IN, rows, request.paper)


def _check_in_row(player: Player, event: Event) -> tuple[str, ...]:
    version = player.deck_list.current if player.deck_list else None
    if event.has_boards:
        values = {"number": player.submitted_seats, "total": event.board_count}
        has = gettext("%(number)s of %(total)s") % values
    elif version is not None:
        has = format_outcome(version.outcome)
    else:
        has = pgettext("decklist", "Missing") if event.decklists_required else "–"
    note = gettext("Waiting list") if player.status == Player.Status.WAITING else ""
    return "×" if player.checked_in_at else " ", str(player.number), player.name, has, note


POINTS_HEAD = gettext_lazy("Points")
BY_TABLE = PrintedListKind(
    "by-table",
    lambda points: (
        FittedColumn("l-table", gettext_lazy("Table")),
        FittedColumn("l-one", gettext_lazy("First player"), is_name=True),
        FittedColumn("l-one-points", POINTS_HEAD),
        FittedColumn("l-two", gettext_lazy("Second player"), is_name=True),
        FittedColumn("l-two-points", POINTS_HEAD),
        FittedColumn("l-result", gettext_lazy("Result")),
    ),
)

BY_TABLE_WITHOUT_POINTS = PrintedListKind(
    "by-table",
    lambda points: (
        FittedColumn("l-table", gettext_lazy("Table")),
        FittedColumn("l-one", gettext_lazy("First player"), is_name=True),
        FittedColumn("l-two", gettext_lazy("Second player"), is_name=True),
        FittedColumn("l-result", gettext_lazy("Result")),
    ),
)

BY_NAME = PrintedListKind(
    "by-name",
    lambda points: (
        FittedColumn("l-name", gettext_lazy("Player"), is_name=True),
        FittedColumn("l-at", gettext_lazy("Table")),
        FittedColumn("l-with", gettext_lazy("Opponent"), is_name=True),
    ),
    most_abreast=2,
)

SEATING = PrintedListKind(
    "by-name",
    lambda points: (
        FittedColumn("l-name", gettext_lazy("Player"), is_name=True),
        FittedColumn("l-at", gettext_lazy("Table")),
    ),
    most_abreast=2,
)

# Room for a remark by hand.
NOTE_MM = 40

CHECK_IN = PrintedListKind(
    "check-in",
    lambda points: (
        FittedColumn("l-tick", pgettext_lazy("heading of a column", "Here")),
        FittedColumn("l-number", pgettext_lazy("number", "No.")),
        FittedColumn("l-name", gettext_lazy("Player"), is_name=True),
        FittedColumn("l-status", gettext_lazy("Decklist")),
        FittedColumn("l-note", gettext_lazy("Note"), is_name=True, least_mm=NOTE_MM),
    ),
    has_boxes=True,
)
