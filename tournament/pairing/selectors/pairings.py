"""Pairings of a round: public list, console rows and one explained match."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from django.db.models import Q
from django.utils.translation import gettext, gettext_lazy, pgettext

from rules.rendering import get_messages
from tournament.events.models.event import Event
from tournament.events.models.match_result import MatchResult, format_score
from tournament.events.models.player import Player
from tournament.events.models.round import Match, ResultReport, Round
from tournament.events.settings import get_game, get_games_to_win
from tournament.standings.selectors.standings import points_before

_PAIRING_FIELDS = (
    "pk", "table", "outcome", "p1_games", "p2_games", "draws", "p1_id", "p1__name", "p2_id", "p2__name",
    "amended_at",
)  # fmt: skip


_PLAYED = (Match.Outcome.P1, Match.Outcome.P2, Match.Outcome.DRAW)


@dataclass(frozen=True, slots=True)
class PairedPlayer:
    """One player of a table, with their points before the round."""

    id: int
    name: str
    points: int


@dataclass(frozen=True, slots=True)
class PairingRow:
    """One table of a round. Without an opponent `blue` is None."""

    id: int
    number: int | None
    red: PairedPlayer
    blue: PairedPlayer | None
    result: MatchResult
    is_amended: bool = False

    @property
    def outcome(self) -> str:
        """How it ended; empty while it is open."""
        return self.result.outcome

    @property
    def score(self) -> str:
        """The games where some were played; empty without."""
        return format_score(self.result) if self.outcome in _PLAYED else ""

    @property
    def is_open(self) -> bool:
        """Whether it still plays."""
        return not self.outcome

    @property
    def result_words(self) -> str:
        """The result as the hall reads it."""
        special_results: dict[str, str] = {
            Match.Outcome.BYE: pgettext("result", "Bye"),
            Match.Outcome.DOUBLE_LOSS: gettext("Both lost"),
            Match.Outcome.LOSS_NO_OPPONENT: pgettext("result", "Loss"),
        }
        return special_results.get(self.outcome, self.score) if self.outcome else pgettext("state", "playing")


@dataclass(frozen=True, slots=True)
class PlayerPairing:
    """One player's place in a round, for the list by name. `won` is None where nobody won."""

    player: PairedPlayer
    opponent: PairedPlayer | None
    table: PairingRow

    @property
    def score(self) -> str:
        """The result with this player's games first."""
        if self.table.outcome not in _PLAYED:
            return self.table.result_words
        result = self.table.result
        if self.player.id != self.table.red.id:
            result = replace(result, p1_games=result.p2_games, p2_games=result.p1_games)
        return format_score(result)


def list_pairings(round_: Round) -> list[PairingRow]:
    """The tables of a published round, byes last, with the points the players came with. Two queries."""
    points = points_before(round_)
    rows = Match.objects.filter(round=round_).values_list(*_PAIRING_FIELDS)
    pairing_rows = [_build_pairing_row(row, points) for row in rows]
    return sorted(pairing_rows, key=lambda table: (table.number is None, table.number or 0, table.red.name))


def _build_pairing_row(row: tuple[Any, ...], points: Any) -> PairingRow:
    pk, number, outcome, p1_games, p2_games, draws, p1, p1_name, p2, p2_name, amended = row
    return PairingRow(
        id=pk,
        number=number,
        red=PairedPlayer(p1, p1_name, points[p1]),
        blue=None if p2 is None else PairedPlayer(p2, p2_name, points[p2]),
        result=MatchResult(outcome=outcome, p1_games=p1_games, p2_games=p2_games, draws=draws),
        is_amended=amended is not None,
    )


def list_by_player(rows: Iterable[PairingRow]) -> list[PlayerPairing]:
    """Every player of the tables, by name."""
    places = []
    for table in rows:
        places.append(PlayerPairing(table.red, table.blue, table))
        if table.blue is not None:
            places.append(PlayerPairing(table.blue, table.red, table))
    return sorted(places, key=lambda place: (place.player.name.casefold(), place.player.id))


def search_pairings(rows: Iterable[PairingRow], query: str) -> list[PairingRow]:
    """The tables with that number, or with a player of whose name the words are a part, however written."""
    folded_query = query.strip().casefold()
    if not folded_query:
        return list(rows)
    if folded_query.isdecimal():
        return [table for table in rows if table.number == int(folded_query)]
    return [
        table
        for table in rows
        if any(folded_query in side.name.casefold() for side in (table.red, table.blue) if side)
    ]


METHOD_DESCRIPTIONS = {
    "neighbours": gettext_lazy("Ordered by points, neighbours meet; that alone proves it."),
    "windows": gettext_lazy("Where neighbours could not meet, an exact matching of their scores was solved."),
    "exhaustive": gettext_lazy("All pairings of the field were compared."),
    "look-ahead": gettext_lazy("It is the best of those that leave the rest of the event playable."),
    "table": gettext_lazy("It follows a schedule that is written down."),
}


@dataclass(frozen=True, slots=True)
class PairingExplanation:
    """A match with the points both came with, their earlier meetings, and facts of the round's pairing."""

    match: Match
    p1_points: Any
    p2_points: Any
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
        """Whether somebody changed the round's pairing by hand."""
        return bool(self.match.round.pairing.get("by_hand"))


def explain_pairing(event: Event, match_id: int) -> PairingExplanation | None:
    """One published table of the event; None where there is none. Three queries."""
    matches = Match.objects.select_related("p1", "p2", "round__stage__event", "settlement")
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
        earlier=_earlier_matches(match, match.p1, match.p2) if match.p2 else [],
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
    reports: list[ResultReport]

    @property
    def result_words(self) -> str:
        """The result that stands."""
        return gettext("both lost") if self.match.outcome == Match.Outcome.DOUBLE_LOSS else self.match.score


def list_score_options(round_: Round) -> list[tuple[int, int]]:
    """The games that the buttons offer, from the event's match form; no draws in the cut, nor in a game
    that knows none."""
    games_to_win = get_games_to_win(round_.stage.event)
    wins = [(games_to_win, lost) for lost in range(games_to_win)]
    losses = [(lost, games_to_win) for lost in reversed(range(games_to_win))]
    short_scores = [(1, 0), (0, 1)] if games_to_win > 1 else []
    can_be_drawn = not round_.stage.is_elimination and get_game(round_.stage.event).knows_draws
    drawn_scores = [(n, n) for n in reversed(range(games_to_win))] if can_be_drawn else []
    return [*wins, *short_scores[:1], *drawn_scores, *short_scores[1:], *losses]


@dataclass(frozen=True, slots=True)
class RoundView:
    """One round with all its tables."""

    rows: list[RoundRow]
    total: int
    finished: int
    scores: list[str]

    @property
    def waiting(self) -> int:
        """Tables without a result."""
        return self.total - self.finished


def load_round_view(round_: Round, *, only_open: bool = False) -> RoundView:
    """A round's tables with the points each player came with. Four queries."""
    matches = list(
        round_.matches.select_related("p1", "p2").prefetch_related("reports").order_by("table", "pk")
    )
    points = points_before(round_)
    rows = [
        RoundRow(
            match=m,
            p1_points=points[m.p1_id],
            p2_points=points[m.p2_id] if m.p2_id else 0,
            reports=list(m.reports.all()),
        )
        for m in matches
        if not (only_open and m.is_finished)
    ]
    rows.sort(key=lambda row: (row.match.table is None, row.match.table or 0))
    finished = sum(m.is_finished for m in matches)
    return RoundView(
        rows=rows,
        total=len(matches),
        finished=finished,
        scores=[f"{first}-{second}" for first, second in list_score_options(round_)],
    )
