"""Read results: a player's matches, and open tables."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from copy import copy
from dataclasses import dataclass, replace
from datetime import datetime

from django.db import connection
from django.db.models import Q, QuerySet, Sum, prefetch_related_objects
from django.utils.translation import gettext, pgettext

from decks.shared.cache import SingleFlightCache
from decks.shared.json_shapes import Published
from decks.shared.wording import format_reason
from rules.reason import reason
from tournament.clock.models import ClockEntry
from tournament.engine.boards import has_more_boards
from tournament.events.models.event import Event
from tournament.events.models.match_sides import DUEL_SIDES, name_others
from tournament.events.models.player import Player
from tournament.events.models.result_sentences import (
    Games,
    Names,
    format_games,
    shorten_names,
    swap_sides,
)
from tournament.events.models.round import Match, ResultReport, Round, Seat
from tournament.events.selectors import get_open_matches, get_published_rounds

CACHED_EVENTS = 16


@dataclass(frozen=True, slots=True)
class MyMatch:
    """A match as one of its players sees it: the opponent, and what both reported."""

    match: Match
    me: Player
    opponent: Player | None
    my_report: ResultReport | None = None
    their_report: ResultReport | None = None

    @property
    def round(self) -> Round:
        """The round it belongs to."""
        return self.match.round

    @property
    def is_elimination(self) -> bool:
        """Whether it belongs to the cut."""
        return self.match.round.stage.is_elimination

    @property
    def needs_winner(self) -> bool:
        """Whether it cannot be drawn: in the cut, and in groups of four."""
        return self.match.round.stage.needs_winner

    @property
    def score(self) -> str:
        """The current result, my games first; of a table of more than two sides my place."""
        if self.match.is_pod:
            return self.place_words
        return format_games(self.games_of(self.match)) if self.match.is_finished else ""

    @property
    def place_words(self) -> str:
        """My place at a table of more than two sides: “place 2 of 4”."""
        mine = next(side for side in self.match.sides if side.player.pk == self.me.pk)
        if mine.place is None:
            return ""
        return gettext("place %(place)s of %(count)s") % {"place": mine.place, "count": self.match.side_count}

    @property
    def reporter(self) -> str:
        """Who of the others reported; empty without a report."""
        if self.their_report is None:
            return ""
        players = {side.player.pk: side.player.name for side in self.match.sides}
        return players.get(self.their_report.player_id, "")

    @property
    def is_second(self) -> bool:
        """Whether I am the second player of the match."""
        return self.match.p2_id == self.me.pk

    @property
    def outcome(self) -> str:
        """won, lost, drawn, bye, absent, both_lost, or empty while it is played."""
        outcome_names = {
            "draw": "drawn",
            "bye": "bye",
            "loss_no_opponent": "absent",
            "double_loss": "both_lost",
            "": "",
        }
        if self.match.outcome in outcome_names:
            return outcome_names[self.match.outcome]
        if self.match.is_pod and any(side.player.pk == self.me.pk for side in self.match.winners):
            return "won" if len(self.match.winners) == 1 else "drawn"
        return "won" if self.match.winner_id == self.me.pk else "lost"

    @property
    def result_words(self) -> str:
        """Won, Lost or Draw, for a match that was played."""
        words = {"won": pgettext("result", "Won"), "drawn": pgettext("result", "Draw")}
        return words.get(self.outcome, pgettext("result", "Lost"))

    @property
    def how_it_ended(self) -> str:
        """Return in words how the match ended beyond the games.

        My own penalties are shown, the opponent's are not.
        """
        is_my_loss = self.match.winner_id is not None and self.match.winner_id != self.me.pk
        return self.match.how_it_ended if is_my_loss else self.match.how_it_publicly_ended

    def games_of(self, row: Match | ResultReport) -> Games:
        """Return the games of the match or of a report, mine first."""
        return swap_sides((row.p1_games, row.p2_games, row.draws), self.is_second)

    @property
    def short_names(self) -> Names:
        """Return names of a few letters for me and the opponent.

        The opponent's name is empty if there is no opponent.
        """
        return shorten_names(self.me, self.opponent) if self.opponent else (self.me.name, "")

    @property
    def can_confirm(self) -> bool:
        """Return whether the opponent reported something that I have not."""
        if self.their_report is None:
            return False
        mine = self.my_report.boards if self.my_report else ()
        return not self.their_report.boards or has_more_boards(self.their_report.boards, mine)

    @property
    def has_reported(self) -> bool:
        """Return whether I reported all there is."""
        return self.my_report is not None and self.my_report.is_whole

    @property
    def my_words(self) -> str:
        """Return what I reported, as a sentence with names; empty when I did not."""
        return self._words(self.my_report)

    @property
    def their_words(self) -> str:
        """Return what the opponent reported, as a sentence with names.

        It is empty without a report.
        """
        return self._words(self.their_report)

    @property
    def their_value(self) -> str:
        """Return the games that the opponent reported, mine first.

        They are as a form sends them. For a table of more than two sides, they are the places.
        """
        if self.their_report and self.match.is_pod:
            return "-".join(map(str, self.their_report.places))
        return "-".join(map(str, self.games_of(self.their_report))) if self.their_report else ""

    def _words(self, report: ResultReport | None) -> str:
        if report is None:
            return ""
        mine, theirs = self.short_names
        return format_reason("reason", report.describe((theirs, mine) if self.is_second else (mine, theirs)))


def list_my_matches(player: Player, published_rounds: Sequence[Round] | None = None) -> list[MyMatch]:
    """Return the player's published matches, the latest first.

    Each comes with the reports on it. `published_rounds` are those that players may see, where they were read
    before. Two queries, one more to read the rounds, and two more where tables have more than two sides.
    """
    rounds = get_published_rounds(player.event) if published_rounds is None else published_rounds
    rows = Match.objects.filter(is_at_table(player)).select_related("p1", "p2")
    return build_my_matches(player, load_matches_with_reports(rows, rounds))


def load_matches_with_reports(rows: QuerySet[Match], rounds: Sequence[Round]) -> list[Match]:
    """Return the matches of these rounds, the latest first.

    Each comes with what was reported.
    """
    by_id = {each.pk: each for each in rounds}
    matches = list(rows.filter(round__in=by_id).prefetch_related("reports").order_by())
    for match in matches:
        match.round = by_id[match.round_id]
    prefetch_related_objects([match for match in matches if match.is_pod], "seats__player")
    return sorted(matches, key=lambda match: (match.round.stage.position, match.round.number), reverse=True)


def build_my_matches(player: Player, matches: Iterable[Match]) -> list[MyMatch]:
    """Return these matches as this player sees them."""
    return [_build_my_match(match, player) for match in matches]


def is_at_table(player: Player) -> Q:
    """Choose the matches of a player, at tables of more than two sides too."""
    seats = Seat.objects.filter(player=player).values("match_id")
    return Q(p1=player) | Q(p2=player) | Q(side_count__gt=DUEL_SIDES, pk__in=seats)


def find_opponent(match: Match, player: Player) -> Player | None:
    """Return the opponent of a player.

    At a table of more than two sides, all others are under one name.
    """
    if not match.is_pod:
        return match.p1 if match.p2_id == player.pk else match.p2
    others = copy(next(side.player for side in match.sides if side.player.pk != player.pk))
    others.name = name_others(match.sides, player.pk)
    return others


def _build_pod_match(match: Match, player: Player) -> MyMatch:
    """Return a table of more than two sides for a player.

    Of the others' reports, it has the one that differs, else the first.
    """
    mine = next((report for report in match.reports.all() if report.player_id == player.pk), None)
    others = [report for report in list_reports(match) if report.player_id != player.pk]
    for report in filter(None, [mine, *others]):
        report.match = match
    differing = [report for report in others if mine is None or report.places != mine.places]
    theirs = next(iter([*differing, *others]), None)
    return MyMatch(match, player, find_opponent(match, player), mine, theirs)


def _build_my_match(match: Match, player: Player) -> MyMatch:
    match.round.stage.event = player.event
    if match.is_pod:
        return _build_pod_match(match, player)
    reports = {report.player_id: report for report in match.reports.all()}
    opponent = match.p1 if match.p2_id == player.pk else match.p2
    if opponent is None:
        return MyMatch(match, player, None)
    opponent.event = player.event
    return MyMatch(match, player, opponent, reports.get(player.pk), reports.get(opponent.pk))


@dataclass(frozen=True, slots=True)
class OpenTable(Published):
    """One match without a result.

    It has what was reported, minutes of extension, and whole minutes since it began.
    """

    PUBLISHED = {
        "match": "match",
        "round": "match.round.number",
        "minutes": "minutes",
        "extension": "extension",
        "is_disputed": "match.is_disputed",
        "reports": "reports",
    }

    match: Match
    reports: Sequence[ResultReport]
    extension: int
    minutes: int = 0

    @property
    def reports_words(self) -> str:
        """Who says what: “Ada says: 2-1; Bob says: 1-2”."""
        reports = tuple(report.as_reason() for report in self.reports)
        return format_reason("reason", reason("open_reports", reports=reports))


_open_tables_cache: SingleFlightCache[tuple[int, int], tuple[OpenTable, ...]] = SingleFlightCache(
    CACHED_EVENTS
)


def list_open_tables(event: Event, now: datetime) -> list[OpenTable]:
    """Return every published table without a result, disputed ones first.

    Read once for each version.
    """
    # Inside a step the rows may already have changed while the version has not.
    if connection.in_atomic_block:
        tables = _read_open_tables(event)
    else:
        tables = _open_tables_cache.get_or_compute(
            (event.pk, event.version), lambda: _read_open_tables(event)
        )
    return [replace(table, minutes=_count_minutes(table.match, now)) for table in tables]


def _read_open_tables(event: Event) -> tuple[OpenTable, ...]:
    """Return the open tables without their minutes. Four queries, six with pods."""
    matches = get_open_matches(event)
    entries = ClockEntry.objects.filter(match__in=[match.pk for match in matches])
    seconds = dict(entries.values_list("match_id").annotate(Sum("seconds")).order_by())
    tables = [_build_open_table(match, seconds.get(match.pk) or 0) for match in matches]
    return tuple(sorted(tables, key=lambda table: not table.match.is_disputed))


def _build_open_table(match: Match, seconds: int) -> OpenTable:
    reports = sorted(match.list_reports(), key=lambda report: report.player_id != match.p1_id)
    players = {side.player.pk: side.player for side in match.sides}
    for report in reports:
        report.player = players[report.player_id]
    return OpenTable(match, reports, round(seconds / 60))


def _count_minutes(match: Match, now: datetime) -> int:
    """Count whole minutes since the match was published, or paired again."""
    began = match.amended_at or match.round.published_at or now
    return max(int((now - began).total_seconds() // 60), 0)


def list_reports(match: Match) -> list[ResultReport]:
    """Return what the players reported, the first report first. Two queries at most."""
    return sorted(match.reports.all(), key=lambda report: (report.reported_at, report.pk))
