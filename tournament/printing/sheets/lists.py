"""Pairings by table and by name, seating and check-in lists, with their type sizes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.utils.translation import gettext, gettext_lazy, pgettext, pgettext_lazy

from tournament.events.models.event import Event
from tournament.events.models.player import Player
from tournament.events.models.round import Round
from tournament.printing.columns import ListColumn, ListLayout, ListPage, paginate
from tournament.printing.request import FilledContext, PrintRequest
from tournament.standings.selectors.standings import points_before

DECKLIST_STATES = {
    "legal": pgettext_lazy("decklist", "legal"),
    "illegal": pgettext_lazy("decklist", "not legal"),
    "unknown": pgettext_lazy("decklist", "not checked"),
}


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


def list_pairings(shown: Round) -> list[PrintedPairing]:
    """The tables of a round in order, byes last. One query, of values only."""
    rows = shown.matches.order_by("table", "pk").values_list(*PAIRING_FIELDS)
    pairs = [
        PrintedPairing(table, p1, p1_name, p2, p2_name or "", outcome, _score(games))
        for table, p1, p1_name, p2, p2_name, outcome, *games in rows
    ]
    return sorted(pairs, key=lambda pair: (pair.table is None, pair.table or 0))


def _score(games: Sequence[int]) -> str:
    """Games won on both sides, and drawn ones where there are any."""
    return "-".join(map(str, games if games[2] else games[:2]))


def build_pairings_by_table(request: PrintRequest) -> FilledContext:
    """Pairings in the order of the tables, with the points that both bring, and results that stand."""
    shown = request.shown
    points = points_before(shown)
    rows = [_table_row(pair, points) for pair in list_pairings(shown)]
    return BY_TABLE_SIZES.fit(rows, request.paper)


def _table_row(pair: PrintedPairing, points: Any) -> tuple[str, ...]:
    if pair.p2 is None:
        without = gettext("has the bye") if pair.outcome == "bye" else gettext("has no opponent")
        return "–", pair.p1_name, str(points[pair.p1]), without, "", ""
    score = pair.score if pair.outcome else ""
    return str(pair.table), pair.p1_name, str(points[pair.p1]), pair.p2_name, str(points[pair.p2]), score


def build_pairings_by_name(request: PrintRequest) -> FilledContext:
    """Every player with table and opponent, by name, so that the alphabet runs down the page."""
    bye = pgettext("in the place of a table", "bye")
    rows: list[tuple[str, str, str]] = []
    for pair in list_pairings(request.shown):
        at = str(pair.table) if pair.p2 is not None else bye if pair.outcome == "bye" else "–"
        rows.append((pair.p1_name, at, pair.p2_name))
        if pair.p2 is not None:
            rows.append((pair.p2_name, at, pair.p1_name))
    rows.sort(key=lambda row: row[0].casefold())
    return BY_NAME_SIZES.fit(rows, request.paper)


def build_seating(request: PrintRequest) -> FilledContext:
    """Everyone by name, two to a table from the event's first: for the players' meeting."""
    free = _free_table_finder(request.event)
    people = sorted(_list_seated_players(request.event), key=lambda player: player.name.casefold())
    rows = [(player.name, str(free(at // 2))) for at, player in enumerate(people)]
    return SEATING_SIZES.fit(rows, request.paper)


def _free_table_finder(event: Event) -> Any:
    reserved = {int(number) for number in event.reserved_tables}
    wanted = iter(range(event.first_table, event.first_table + 100_000))
    known: list[int] = []

    def at(index: int) -> int:
        while len(known) <= index:
            number = next(wanted)
            if number not in reserved:
                known.append(number)
        return known[index]

    return at


def _list_seated_players(event: Event) -> list[Player]:
    players = event.players.filter(status=Player.Status.REGISTERED, dropped_after__isnull=True)
    return list(players.select_related("deck_list__current"))


def build_check_in(request: PrintRequest) -> FilledContext:
    """Everyone who is registered by name, then the waiting list, with a box to tick and the list's state."""
    players = request.event.players.exclude(status=Player.Status.WITHDRAWN).filter(dropped_after__isnull=True)
    people = sorted(
        players.select_related("deck_list__current"),
        key=lambda p: (p.status != Player.Status.REGISTERED, p.name.casefold()),
    )
    rows = [_check_in_row(player, request.event) for player in people]
    return {"layout": CHECK_IN_LAYOUT, "pages": paginate(CHECK_IN_LAYOUT, rows, request.paper)}


def _check_in_row(player: Player, event: Event) -> tuple[str, ...]:
    version = player.deck_list.current if player.deck_list else None
    if version is not None:
        has = str(DECKLIST_STATES.get(version.outcome, pgettext("decklist", "in")))
    else:
        has = pgettext("decklist", "missing") if event.decklists_required else "–"
    note = gettext("waiting list") if player.status == Player.Status.WAITING else ""
    return "×" if player.checked_in_at else " ", str(player.number), player.name, has, note


BY_TABLE_LAYOUT = ListLayout(
    "by-table",
    (
        ListColumn("l-table", gettext_lazy("Table"), head_mm=14),
        ListColumn("l-one", gettext_lazy("First player"), 60),
        ListColumn("l-one-points", pgettext_lazy("heading of a column", "Pts"), head_mm=9),
        ListColumn("l-two", gettext_lazy("Second player"), 60),
        ListColumn("l-two-points", pgettext_lazy("heading of a column", "Pts"), head_mm=9),
        ListColumn("l-result", gettext_lazy("Result"), head_mm=14),
    ),
    10.5,
    {"A4": 45, "Letter": 41},
)

BY_NAME_LAYOUT = ListLayout(
    "by-name",
    (
        ListColumn("l-name", gettext_lazy("Player"), 40),
        ListColumn("l-at", gettext_lazy("Table"), 10, is_cut=True),
        ListColumn("l-with", gettext_lazy("Opponent"), 35, is_cut=True),
    ),
    9.5,
    {"A4": 53, "Letter": 50},
    abreast=2,
)

SEATING_LAYOUT = ListLayout(
    "by-name is-seating",
    (
        ListColumn("l-name", gettext_lazy("Player"), 70),
        ListColumn("l-at", gettext_lazy("Table"), 10, is_cut=True),
    ),
    9.5,
    {"A4": 53, "Letter": 50},
    abreast=2,
)

CHECK_IN_LAYOUT = ListLayout(
    "check-in",
    (
        ListColumn("l-tick", pgettext_lazy("heading of a column", "Here"), head_mm=13),
        ListColumn("l-number", pgettext_lazy("number", "No."), head_mm=7),
        ListColumn("l-name", gettext_lazy("Player"), 74),
        ListColumn("l-status", gettext_lazy("Decklist"), 26),
        ListColumn("l-note", gettext_lazy("Note"), 50),
    ),
    10.5,
    {"A4": 45, "Letter": 41},
)

# Longer lists are not made denser: a page of many would be saved, and no one who reads gains by it.
DENSE_UP_TO = 4


@dataclass(frozen=True, slots=True)
class ListSizes:
    """A list in three sizes: `large` for so few that one page holds them, `dense` where that saves a page."""

    large: ListLayout
    usual: ListLayout
    dense: ListLayout

    def fit(self, rows: Sequence[Sequence[str]], paper: str) -> FilledContext:
        """The rows on pages of the size that fits them, as the template wants both."""
        layout, pages = min(self._tried(rows, paper), key=lambda tried: len(tried[1]))
        return {"layout": layout, "pages": pages}

    def _tried(
        self, rows: Sequence[Sequence[str]], paper: str
    ) -> Iterator[tuple[ListLayout, list[ListPage]]]:
        """The sizes that come into question, the most readable first."""
        if len(rows) <= self.large.rows[paper]:
            yield self.large, paginate(self.large, rows, paper)
        usual = paginate(self.usual, rows, paper)
        yield self.usual, usual
        if 1 < len(usual) <= DENSE_UP_TO:
            yield self.dense, paginate(self.dense, rows, paper)


def _build_sizes(
    usual: ListLayout, large: tuple[ListColumn, ...], dense: float, dense_rows: dict[str, int]
) -> ListSizes:
    return ListSizes(
        ListLayout(f"{usual.css} is-large", large, 13, {"A4": 34, "Letter": 32}, head_points=10),
        usual,
        replace(usual, css=f"{usual.css} is-dense", points=dense, rows=dense_rows),
    )


BY_TABLE_SIZES = _build_sizes(BY_TABLE_LAYOUT, BY_TABLE_LAYOUT.columns, 9.5, {"A4": 56, "Letter": 52})

BY_NAME_SIZES = _build_sizes(
    BY_NAME_LAYOUT,
    (
        ListColumn("l-name", gettext_lazy("Player"), 84),
        ListColumn("l-at", gettext_lazy("Table"), 18, is_cut=True),
        ListColumn("l-with", gettext_lazy("Opponent"), 70),
    ),
    9,
    {"A4": 60, "Letter": 56},
)

SEATING_SIZES = _build_sizes(
    SEATING_LAYOUT,
    (
        ListColumn("l-name", gettext_lazy("Player"), 140),
        ListColumn("l-at", gettext_lazy("Table"), 18, is_cut=True),
    ),
    9,
    {"A4": 60, "Letter": 56},
)
