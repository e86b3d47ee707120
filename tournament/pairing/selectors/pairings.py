"""Pairings of a round: public list, console rows and one explained match."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any

from django.db.models import Count, Q, QuerySet, prefetch_related_objects
from django.utils.translation import gettext, gettext_lazy, pgettext, pgettext_lazy

from rules.rendering import get_messages
from rules.sides import DUEL, LAST_STANDING, Sides
from tournament.engine.boards import give_board_example
from tournament.events.models.event import Event
from tournament.events.models.match_result import MatchResult, format_score
from tournament.events.models.match_sides import Side
from tournament.events.models.player import Player
from tournament.events.models.round import LOADED_REPORTS, Match, ResultReport, Round, Seat
from tournament.events.name_order import get_name_order
from tournament.events.settings import get_game, get_games_to_win, get_stage_sides
from tournament.shared.names import make_name_key
from tournament.shared.text import holds_name
from tournament.standings.selectors.standings import points_before

_PAIRING_FIELDS = (
    "pk", "table", "outcome", "p1_games", "p2_games", "draws", "p1_id", "p1__name", "p2_id", "p2__name",
    "amended_at",
)  # fmt: skip


_PLAYED = (Match.Outcome.P1, Match.Outcome.P2, Match.Outcome.DRAW)
_SPECIAL_RESULTS = {
    Match.Outcome.BYE.value: pgettext_lazy("result", "Bye"),
    Match.Outcome.DOUBLE_LOSS.value: gettext_lazy("Both lost"),
    Match.Outcome.LOSS_NO_OPPONENT.value: pgettext_lazy("result", "Loss"),
}


@dataclass(frozen=True, slots=True)
class PairedPlayer:
    """One player of a table, with their points before the round."""

    id: int
    name: str
    points: int


@dataclass(frozen=True, slots=True)
class PairingRow:
    """One table of a round; without an opponent `blue` is None.

    Of more than two sides, `sides` are all and `blue` has the names of all but the first.
    """

    id: int
    number: int | None
    red: PairedPlayer
    blue: PairedPlayer | None
    result: MatchResult
    is_amended: bool = False
    sides: tuple[PairedPlayer, ...] = ()
    winner_ids: frozenset[int] = frozenset()

    @property
    def outcome(self) -> str:
        """The ending; empty while it is open."""
        return self.result.outcome

    @property
    def score(self) -> str:
        """The games where some were played; empty without."""
        return format_score(self.result) if self.outcome in _PLAYED else ""

    @property
    def is_open(self) -> bool:
        """Whether it is still playing."""
        return not self.outcome

    @property
    def screen_class(self) -> str:
        """Return the row's mark on a screen: finished, or changed since published."""
        if not self.is_open:
            return "is-done"
        return "is-changed" if self.is_amended else ""

    @property
    def result_words(self) -> str:
        """The result as the venue reads it."""
        if self.is_open:
            return pgettext("state", "Playing")
        if self.outcome == Match.Outcome.PLACES:
            return self._winner_words
        return str(_SPECIAL_RESULTS.get(self.outcome) or self.score)

    @property
    def _winner_words(self) -> str:
        """The winners at a table of more than two sides."""
        winners = [side.name for side in self.sides if side.id in self.winner_ids]
        if len(winners) == len(self.sides):
            return gettext("All tied")
        return gettext("Winner: %(players)s") % {"players": get_messages().join(winners)}


@dataclass(frozen=True, slots=True)
class PlayerPairing:
    """One player's place in a round; `won` is None if no one won."""

    player: PairedPlayer
    opponent: PairedPlayer | None
    table: PairingRow

    @property
    def score(self) -> str:
        """The result with this player's games first."""
        if self.table.outcome == Match.Outcome.PLACES:
            is_winner = self.player.id in self.table.winner_ids
            return pgettext("result", "Won") if is_winner else pgettext("result", "Lost")
        if self.table.outcome not in _PLAYED:
            return self.table.result_words
        result = self.table.result
        if self.player.id != self.table.red.id:
            result = replace(result, p1_games=result.p2_games, p2_games=result.p1_games)
        return format_score(result)


def list_pairings(round_: Round) -> list[PairingRow]:
    """Return the published tables with earlier points, byes last. Two queries."""
    points = points_before(round_)
    rows = Match.objects.filter(round=round_).values_list(*_PAIRING_FIELDS)
    pairing_rows = [_build_pairing_row(row, points) for row in rows]
    if not get_stage_sides(round_.stage).is_duel:
        pairing_rows = _add_sides(round_, pairing_rows, points)
    order = get_name_order(round_.stage.event)
    return sorted(
        pairing_rows,
        key=lambda table: (table.number is None, table.number or 0, make_name_key(table.red.name, order)),
    )


def _add_sides(round_: Round, rows: list[PairingRow], points: Any) -> list[PairingRow]:
    """Return tables with all their sides. One query."""
    seats = Seat.objects.filter(round=round_, side__gt=0).order_by("side")
    columns = seats.values_list("match_id", "player_id", "player__name", "place")
    by_match: defaultdict[int, list[tuple[PairedPlayer, int | None]]] = defaultdict(list)
    for match, pk, name, place in columns:
        by_match[match].append((PairedPlayer(pk, name, points[pk]), place))
    return [_with_sides(row, by_match[row.id]) if row.id in by_match else row for row in rows]


def _with_sides(row: PairingRow, placed_players: list[tuple[PairedPlayer, int | None]]) -> PairingRow:
    sides = tuple(player for player, _ in placed_players)
    return replace(
        row,
        sides=sides,
        blue=_name_together(sides, row.red),
        winner_ids=frozenset(player.id for player, place in placed_players if place == 1),
    )


def _name_together(sides: Iterable[PairedPlayer], viewer: PairedPlayer) -> PairedPlayer:
    """Return all others at a table as one, with the points of the best of them."""
    others = [side for side in sides if side.id != viewer.id]
    names = get_messages().join([side.name for side in others])
    return PairedPlayer(others[0].id, names, max(side.points for side in others))


def _build_pairing_row(row: tuple[Any, ...], points: Any) -> PairingRow:
    pk, number, outcome, p1_games, p2_games, draws, p1, p1_name, p2, p2_name, amended_at = row
    return PairingRow(
        id=pk,
        number=number,
        red=PairedPlayer(p1, p1_name, points[p1]),
        blue=None if p2 is None else PairedPlayer(p2, p2_name, points[p2]),
        result=MatchResult(outcome=outcome, p1_games=p1_games, p2_games=p2_games, draws=draws),
        is_amended=amended_at is not None,
    )


def list_by_player(event: Event, rows: Iterable[PairingRow]) -> list[PlayerPairing]:
    """Return every player of the tables, by name."""
    places = []
    for table in rows:
        if table.sides:
            places += [
                PlayerPairing(viewer, _name_together(table.sides, viewer), table) for viewer in table.sides
            ]
            continue
        places.append(PlayerPairing(table.red, table.blue, table))
        if table.blue is not None:
            places.append(PlayerPairing(table.blue, table.red, table))
    order = get_name_order(event)
    return sorted(places, key=lambda place: (make_name_key(place.player.name, order), place.player.id))


def search_pairings(rows: Iterable[PairingRow], query: str) -> list[PairingRow]:
    """Return tables with that number, or a player whose name holds the words."""
    words = query.strip()
    if not words:
        return list(rows)
    if words.isdecimal():
        return [table for table in rows if table.number == int(words)]
    return [
        table for table in rows if holds_name(words, *(side.name for side in (table.red, table.blue) if side))
    ]


METHOD_DESCRIPTIONS = {
    "neighbours": gettext_lazy("Each player meets the next player in the order of points."),
    "windows": gettext_lazy(
        "Some neighbors in the order of points could not meet. The best swaps between them were calculated."
    ),
    "exhaustive": gettext_lazy("All possible pairings were compared."),
    "search": gettext_lazy("Swaps of players at nearby tables were tried until none helped."),
    "look-ahead": gettext_lazy("It is the best of those that leave the rest of the event playable."),
    "table": gettext_lazy("It follows a fixed schedule."),
    "pods": gettext_lazy("Each draft pod was paired separately."),
}


@dataclass(frozen=True, slots=True)
class PairingExplanation:
    """A match with earlier points and meetings, and facts of its pairing."""

    match: Match
    p1_points: Any
    p2_points: Any
    sides: list[tuple[Side, Any]]
    earlier: list[Match]
    method: str
    is_proved: bool

    @property
    def earlier_words(self) -> str:
        """Where they had met before: “in round 1 and in the bracket”."""
        rounds = [each.round for each in self.earlier]
        places = [
            gettext("in the bracket")
            if each.stage.is_elimination
            else gettext("in round %(round)s") % {"round": each.number}
            for each in rounds
        ]
        return get_messages().join(places)

    @property
    def is_by_hand(self) -> bool:
        """Whether staff changed the pairing of the round by hand."""
        return bool(self.match.round.pairing.get("by_hand"))


def explain_pairing(event: Event, match_id: int) -> PairingExplanation | None:
    """Return one published table of the event; None if there is none. Three queries."""
    matches = Match.objects.select_related("p1", "p2", "round__stage__event")
    matches_with_id = matches.filter(pk=match_id, round__stage__event=event)
    match = matches_with_id.exclude(round__state=Round.State.DRAFT).first()
    if match is None:
        return None
    points = points_before(match.round)
    pairing = match.round.pairing
    return PairingExplanation(
        match=match,
        p1_points=points[match.p1_id],
        p2_points=points[match.p2_id] if match.p2_id else None,
        sides=[(side, points[side.player.pk]) for side in match.sides],
        earlier=_earlier_matches(match, match.p1, match.p2) if match.p2 and not match.is_pod else [],
        method=str(METHOD_DESCRIPTIONS.get(pairing.get("method", ""), "")),
        is_proved=bool(pairing.get("proved")),
    )


def _earlier_matches(match: Match, one: Player, two: Player) -> list[Match]:
    is_this_pair = Q(p1=one, p2=two) | Q(p1=two, p2=one)
    matches = Match.objects.filter(is_this_pair, round__stage__event_id=match.round.stage.event_id)
    matches = matches.exclude(round__state=Round.State.DRAFT).filter(pk__lt=match.pk)
    return list(matches.select_related("p1", "p2", "round__stage").order_by("pk"))


@dataclass(frozen=True, slots=True)
class RoundRow:
    """One match as the round's page shows it."""

    match: Match
    p1_points: int | Fraction
    p2_points: int | Fraction
    sides: list[tuple[Side, int | Fraction]] = field(default_factory=list)

    @property
    def reports(self) -> list[ResultReport]:
        """What its players reported."""
        return self.match.list_reports()

    @property
    def result_words(self) -> str:
        """The current result."""
        return gettext("both lost") if self.match.outcome == Match.Outcome.DOUBLE_LOSS else self.match.score


def list_score_options(round_: Round) -> list[tuple[int, int]]:
    """Return the scores that the buttons offer, from the event's match form.

    No draws in the cut or in a game without draws. Empty if a result is that of several boards.
    """
    if round_.stage.event.has_boards:
        return []
    games_to_win = get_games_to_win(round_.stage.event)
    wins = [(games_to_win, games) for games in range(games_to_win)]
    losses = [(games, games_to_win) for games in reversed(range(games_to_win))]
    short_scores = [(1, 0), (0, 1)] if games_to_win > 1 else []
    can_be_drawn = not round_.stage.needs_winner and get_game(round_.stage.event).knows_draws
    drawn_scores = [(n, n) for n in reversed(range(games_to_win))] if can_be_drawn else []
    return [*wins, *short_scores[:1], *drawn_scores, *short_scores[1:], *losses]


@dataclass(frozen=True, slots=True)
class RoundView:
    """One round with all its tables."""

    rows: list[RoundRow]
    total: int
    finished_count: int
    scores: list[str]
    games_to_win: int = 2
    sides: Sides = DUEL
    board_count: int = 0

    @property
    def example(self) -> str:
        """A line that enters a result."""
        if self.board_count:
            return f"12 {give_board_example(self.games_to_win, self.board_count)}"
        if self.sides.is_duel:
            return f"12 {self.games_to_win} {self.games_of_loser}"
        return "12 3" if self.sides.ends == LAST_STANDING else "12 3 1 2"

    @property
    def waiting_count(self) -> int:
        """Tables without a result."""
        return self.total - self.finished_count

    @property
    def games_of_loser(self) -> int:
        """Return the most games a loser can win; if both win that many, a draw."""
        return self.games_to_win - 1


def _count_matches(round_: Round, matches: Collection[Match] | None) -> dict[str, int]:
    """Count all and finished matches, given or, by one query, all of the round."""
    if matches is not None:
        return {"total": len(matches), "finished_count": sum(match.is_finished for match in matches)}
    return round_.matches.aggregate(total=Count("pk"), finished_count=Count("pk", filter=~Q(outcome="")))


def _load_reports(matches: Iterable[Match], tables: QuerySet[Match]) -> None:
    """Give matches their reports, as a prefetch of less effort does: by one query."""
    match_by_id = {match.pk: match for match in matches}
    reports: defaultdict[int, list[ResultReport]] = defaultdict(list)
    for report in ResultReport.objects.filter(match__in=tables).order_by("pk"):
        report.match = match_by_id[report.match_id]
        reports[report.match_id].append(report)
    for match in match_by_id.values():
        setattr(match, LOADED_REPORTS, reports.get(match.pk, []))


def load_round_view(round_: Round, players: Collection[int] | None = None) -> RoundView:
    """Return a round's tables with the points each player came with. Four queries.

    With `players` only their tables, and one query more, for the counts are of all.
    """
    is_wanted = Q() if players is None else Q(p1__in=players) | Q(p2__in=players)
    tables = round_.matches.filter(is_wanted)
    matches = list(tables.select_related("p1", "p2").order_by("table", "pk"))
    _load_reports(matches, tables)
    prefetch_related_objects([match for match in matches if match.is_pod], "seats__player")
    seated_players = (
        None if players is None else {pk for match in matches for pk in (match.p1_id, match.p2_id)}
    )
    points = points_before(round_, seated_players)
    sides = get_stage_sides(round_.stage)
    rows = [
        RoundRow(
            match=m,
            p1_points=points[m.p1_id],
            p2_points=points[m.p2_id] if m.p2_id else 0,
            sides=[] if sides.is_duel else [(side, points[side.player.pk]) for side in m.sides],
        )
        for m in matches
    ]
    rows.sort(key=lambda row: (row.match.table is None, row.match.table or 0))
    return RoundView(
        rows=rows,
        **_count_matches(round_, None if players is not None else matches),
        scores=[f"{first}-{second}" for first, second in list_score_options(round_)],
        games_to_win=get_games_to_win(round_.stage.event),
        sides=sides,
        board_count=round_.stage.event.board_count,
    )
