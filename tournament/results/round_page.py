"""The page of a published round.

It has tables with their marks, what comes next, and the last entries.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction

from django.db.models import Q, Sum
from django.utils.translation import gettext, ngettext, pgettext

from rules.reason import Reason, Reference, params_from_json
from rules.sides import Sides
from tournament.access.permissions import Right
from tournament.clock.models import ClockEntry
from tournament.events.models.match_result import Ending
from tournament.events.models.match_sides import Side
from tournament.events.models.player import Player
from tournament.events.models.result_sentences import shorten_names
from tournament.events.models.round import Match, ResultReport, Round
from tournament.events.selectors import get_rounds
from tournament.log.models import LogEntry
from tournament.pairing.selectors.pairings import RoundRow, RoundView, load_round_view
from tournament.penalties.models import Penalty
from tournament.results.next_step import NextStep, find_next_step
from tournament.shared.coded_texts import BY_BOTH_PLAYERS, format_coded_text

MOST_ENTRIES = 4
# More scores than these need a wider column.
FEW_SCORES, SOME_SCORES = 5, 8
ENTRY_ACTIONS = ("result_entered", "result_agreed", "result_cleared")


@dataclass(frozen=True, slots=True)
class Mark:
    """A word beside a player or a table; `kind` is its color, `title` says more."""

    kind: str
    label: str
    title: str = ""
    icon: str = ""


@dataclass(frozen=True, slots=True)
class TableRow:
    """One table of the round with everything that marks it."""

    row: RoundRow
    p1_marks: list[Mark]
    p2_marks: list[Mark]
    marks: list[Mark]
    has_extension: bool

    @property
    def match(self) -> Match:
        """Its match."""
        return self.row.match

    @property
    def sides(self) -> list[tuple[Side, int | Fraction]]:
        """The sides of a table with more than two, each with the points before the round."""
        return self.row.sides

    @property
    def state(self) -> str:
        """The class of its row: finished, to decide or still playing."""
        if self.match.is_finished:
            return "is-done"
        return "is-open is-disputed" if self.row.match.is_disputed else "is-open"

    @property
    def claims(self) -> list[str]:
        """The reports of both players, each on their own side, if they disagree."""
        score_by_player = {report.player_id: report.score for report in self.row.reports}
        return [score_by_player.get(self.match.p1_id, ""), score_by_player.get(self.match.p2_id or 0, "")]

    @property
    def reported_score(self) -> str:
        """The report of one phone for a table that is still playing."""
        reports = self.row.reports
        return reports[0].score if reports and not self.match.is_finished else ""

    @property
    def entered_by(self) -> str:
        """The person who entered the result, in few words."""
        author = self.match.result_by
        return gettext("phones") if author == BY_BOTH_PLAYERS else format_coded_text(author)


@dataclass(frozen=True, slots=True)
class RowShape:
    """Values that rows share if they differ only in names and numbers."""

    state: str
    progress: str
    outcome: str
    winner: int
    has_author: bool
    marks: tuple[Mark, ...]
    p1_marks: tuple[Mark, ...]
    p2_marks: tuple[Mark, ...]


def get_shape(row: TableRow) -> RowShape:
    """Return the shape of a row of a duel, or of a bye."""
    match = row.match
    if match.is_bye:
        progress = "bye"
    elif match.is_finished:
        progress = "finished"
    elif row.match.is_disputed:
        progress = "disputed"
    else:
        progress = "reported" if row.reported_score else "playing"
    return RowShape(
        state=row.state,
        progress=progress,
        outcome=match.outcome if match.is_bye else "",
        winner=0 if match.winner_id is None else 1 if match.winner_id == match.p1_id else 2,
        has_author=bool(row.entered_by),
        marks=tuple(row.marks),
        p1_marks=tuple(row.p1_marks),
        p2_marks=tuple(row.p2_marks),
    )


FILTERS: Mapping[str, Callable[[TableRow], bool]] = {
    "": lambda row: True,
    "playing": lambda row: not row.match.is_finished,
    "decide": lambda row: row.match.is_disputed,
    "extensions": lambda row: row.has_extension,
}


@dataclass(frozen=True, slots=True)
class Filter:
    """A choice of the tables that are shown: how many there are, and its words."""

    key: str
    label: str
    is_alarm: bool = False


@dataclass(frozen=True, slots=True)
class LastEntry:
    """A result that was entered or removed, for the list under the entry line."""

    log_entry: LogEntry
    match: Match
    can_undo: bool

    @property
    def sentence(self) -> str:
        """The result in words."""
        return self.match.result_sentence or gettext("Result cleared")


@dataclass(frozen=True, slots=True)
class RoundPage:
    """Data of the page of a published round."""

    rows: list[TableRow]
    filters: list[Filter]
    step: NextStep | None
    entries: list[LastEntry]
    view: RoundView

    @property
    def total(self) -> int:
        """All tables of the round."""
        return self.view.total

    @property
    def finished_count(self) -> int:
        """Tables with a result."""
        return self.view.finished_count

    @property
    def scores(self) -> list[str]:
        """The scores that the buttons offer."""
        return self.view.scores

    @property
    def sides(self) -> Sides:
        """The number of sides of a table, and its ending."""
        return self.view.sides

    @property
    def waiting_count(self) -> int:
        """Tables without a result."""
        return self.total - self.finished_count

    @property
    def waiting_words(self) -> str:
        """How many results are missing."""
        words = ngettext("%(count)d result missing", "%(count)d results missing", self.waiting_count)
        return words % {"count": self.waiting_count}

    @property
    def score_width(self) -> str:
        """The class of the column of score buttons."""
        count = len(self.scores)
        return "few" if count <= FEW_SCORES else "some" if count <= SOME_SCORES else "many"


def load_round_page(round_: Round, rights: frozenset[Right], show: str = "") -> RoundPage:
    """Return the page of a published round, narrowed to some of its tables.

    A fixed number of queries.
    """
    view = load_round_view(round_)
    rows = _load_rows(round_, view, rights)
    count = {key: sum(map(shows, rows)) for key, shows in FILTERS.items()}
    return RoundPage(
        rows=[row for row in rows if FILTERS[show](row)],
        filters=list(_build_filters(count, show)),
        step=_find_step(round_),
        entries=_list_last_entries(round_, rights),
        view=view,
    )


def load_changed_tables(
    round_: Round, rights: frozenset[Right], players: Collection[int], show: str = ""
) -> RoundPage:
    """Return the same page with only the rows of these players.

    Everything else counts all tables.
    """
    view = load_round_view(round_, players)
    return RoundPage(
        rows=_load_rows(round_, view, rights),
        filters=list(_build_filters(_count_tables(round_, view), show)),
        step=_find_step(round_),
        entries=_list_last_entries(round_, rights),
        view=view,
    )


def _load_rows(round_: Round, view: RoundView, rights: frozenset[Right]) -> list[TableRow]:
    for row in view.rows:
        row.match.round = round_
    return list(_mark_rows(round_, view.rows, rights))


def _count_tables(round_: Round, view: RoundView) -> Mapping[str, int]:
    """Count the tables that each filter shows. Two queries."""
    open_tables = round_.matches.filter(outcome="", reports__isnull=False).distinct()
    return {
        "": view.total,
        "playing": view.waiting_count,
        "decide": sum(match.is_disputed for match in open_tables.prefetch_related("reports")),
        "extensions": sum(seconds > 0 for seconds in _load_extensions(round_).values()),
    }


def _build_filters(count: Mapping[str, int], show: str) -> Iterator[Filter]:
    """Yield the choices that would show a table, and the one that is chosen."""
    labels = {
        "": gettext("All %(count)d"),
        "playing": gettext("Playing %(count)d"),
        "decide": gettext("To decide %(count)d"),
        "extensions": gettext("Extensions %(count)d"),
    }
    for key, label in labels.items():
        if count[key] or key in ("", "playing", show):
            yield Filter(key, label % {"count": count[key]}, is_alarm=key == "decide" and count[key] > 0)


def _find_step(round_: Round) -> NextStep | None:
    """Return what comes after the latest round of the event.

    It is None for an earlier round.
    """
    event = round_.stage.event
    rounds = get_rounds(event)
    if not event.is_playing or not rounds or rounds[-1].pk != round_.pk:
        return None
    # Named also while results are missing: the page says how many.
    return find_next_step(event, rounds, [])


def _mark_rows(round_: Round, rows: Iterable[RoundRow], rights: frozenset[Right]) -> Iterator[TableRow]:
    penalties = _load_penalties(round_) if Right.JUDGE in rights else {}
    extensions = _load_extensions(round_)
    for row in rows:
        match, seconds = row.match, extensions.get(row.match.pk, 0)
        first, second = (list(_player_marks(match, player, penalties)) for player in (match.p1, match.p2))
        yield TableRow(row, first, second, list(_table_marks(row, seconds)), has_extension=seconds > 0)


def _load_penalties(round_: Round) -> Mapping[int, list[Penalty]]:
    """Return the penalties given in this round, by player. One query."""
    event = round_.stage.event
    round_penalties = event.penalties.filter(stage=round_.stage.position, round=round_.number).order_by("pk")
    penalties: dict[int, list[Penalty]] = defaultdict(list)
    for penalty in round_penalties:
        penalties[penalty.player_id].append(penalty)
    return penalties


def _load_extensions(round_: Round) -> dict[int, int]:
    """Return the seconds of extension of each match. One query."""
    entries = ClockEntry.objects.filter(round=round_, match__isnull=False)
    return dict(entries.values_list("match_id").annotate(Sum("seconds")).order_by())


def _player_marks(
    match: Match, player: Player | None, penalties: Mapping[int, list[Penalty]]
) -> Iterator[Mark]:
    if player is None:
        return
    is_loser = match.winner_id != player.pk
    if match.ending == Ending.NO_SHOW and is_loser:
        yield Mark("out", gettext("No-show"))
    elif match.ending == Ending.CONCESSION and is_loser:
        yield Mark("out", pgettext("result", "Conceded"))
    if player.is_dropped:
        yield Mark("out", gettext("Dropped"), format_coded_text(player.drop_reason))
    for penalty in penalties.get(player.pk, ()):
        yield Mark("amber", penalty.get_degree_display(), penalty.summary)


def _table_marks(row: RoundRow, seconds: int) -> Iterator[Mark]:
    match = row.match
    if row.match.is_disputed:
        reports = " · ".join(report.sentence for report in row.reports)
        yield Mark("red", pgettext("state", "Disputed"), reports, "alert")
    elif row.reports and not match.is_finished:
        report = row.reports[0]
        label = gettext("Reported by %(player)s") % {"player": _reporter_name(match, report)}
        yield Mark("blue", label, report.sentence)
    if seconds and not match.is_finished:
        label = gettext("+%(minutes)d min") % {"minutes": round(seconds / 60)}
        yield Mark("blue", label, gettext("Time extension"), "clock")
    players = [player for player in (match.p1, match.p2) if player is not None]
    if match.table and any(player.fixed_table == match.table for player in players):
        yield Mark("pin", gettext("Fixed table"), icon="pin")
    if match.amended_at:
        yield Mark("amber", pgettext("state", "Amended"))
    if match.is_finished and match.how_it_ended:
        yield Mark("plain", match.how_it_ended, match.result_sentence)


def _reporter_name(match: Match, report: ResultReport) -> str:
    """Return what to call the reporter in a few letters."""
    if match.is_pod:
        return next(side.player.name for side in match.sides if side.player.pk == report.player_id)
    if match.p2 is None:
        return match.p1.name
    return shorten_names(match.p1, match.p2)[report.player_id != match.p1_id]


def _list_last_entries(round_: Round, rights: frozenset[Right]) -> list[LastEntry]:
    """Return the matches with the latest entries that are in effect, newest first.

    Two queries.
    """
    is_entry = Q(action__in=ENTRY_ACTIONS)
    steps = LogEntry.objects.filter(is_entry, event=round_.stage.event_id, head=None, undone_by=None)
    steps = steps.filter(about__contains=f" r{round_.pk} ").defer("changes")[: 2 * MOST_ENTRIES]
    first_players = {step.pk: _first_player_of(step.params) for step in steps}
    matches = round_.matches.filter(p1__in=set(first_players.values())).select_related("p1", "p2")
    by_first_player = {match.p1_id: match for match in matches}
    entries: dict[int, LastEntry] = {}
    for step in steps:
        match = by_first_player.get(first_players[step.pk])
        if match is not None and match.pk not in entries:
            match.round = round_
            entries[match.pk] = LastEntry(step, match, Right.UNDO in rights)
    return list(entries.values())[:MOST_ENTRIES]


def _first_player_of(params: Mapping[str, object]) -> int:
    """Return the id of the first player of the match that a log line names.

    It is 0 if the line names no match.
    """
    match = params_from_json(params).get("match")
    first = match.params.get("p1") if isinstance(match, Reason) else None
    players = match.params.get("players") if isinstance(match, Reason) else None
    if isinstance(players, tuple) and players:
        first = players[0]
    return int(str(first.key)) if isinstance(first, Reference) else 0
