"""Standings by group, and one order over all groups.

The groups are those of a round robin or groups of four.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from django.db.models import QuerySet
from django.utils.translation import gettext, pgettext

from decks.shared.json_shapes import Published
from tournament.engine import records
from tournament.engine.brackets.groups_of_four import GroupState
from tournament.engine.standings import standing as engine_standing
from tournament.events.models.event import Event, Stage
from tournament.events.models.player import Player
from tournament.events.models.round import Match, Round
from tournament.events.selectors import get_standings_rounds, get_standings_stage
from tournament.standings.selectors.elimination_groups import load_elimination_groups, order_group
from tournament.standings.selectors.exits import load_event_exits
from tournament.standings.selectors.standings import (
    StandingsLine,
    build_line,
    load_engine_event,
    scoring_system_of,
    standings,
)


@dataclass(frozen=True, slots=True)
class StandingsEntry(Published):
    """A line with its group number, and how the player left the stage.

    None stands for neither.
    """

    PUBLISHED = {
        "group": "group",
        "rank": "line.row.rank",
        "player": "line.player.number",
        "name": "line.player.name",
        "points": "line.exact_points",
        "wins": "line.row.wins",
        "losses": "line.row.losses",
        "draws": "line.row.draws",
        "dropped_after": "line.dropped_after",
        "left": "departure",
        "tiebreakers": "line.tiebreaker_values",
    }
    group: int | None
    line: StandingsLine
    departure: str | None = None


@dataclass(frozen=True)
class GroupTable(Published):
    """One group: its standings and its cross table.

    The cross table has the result of each player (row) against each other (column).
    """

    PUBLISHED = {"stage": "stage.position", "group": "number", "name": "name", "rows": "entries"}
    stage: Stage
    number: int
    lines: tuple[StandingsLine, ...]
    results: Mapping[tuple[int, int], tuple[str, ...]]

    @property
    def letters(self) -> str:
        """A, B, C … after 26 of them AA."""
        return name_letters(self.number)

    @property
    def name(self) -> str:
        """Group A, Group B and so on."""
        return format_group(self.letters)

    @property
    def entries(self) -> list[StandingsEntry]:
        """The lines with the number of the group."""
        return [StandingsEntry(self.number, line) for line in self.lines]

    @cached_property
    def cross_table(self) -> list[tuple[StandingsLine, list[str | None]]]:
        """Return each line with its results against everyone.

        They are in the order of the table. It is None against oneself.
        """
        return [
            (line, [self._cell(line.player, other.player) for other in self.lines]) for line in self.lines
        ]

    def _cell(self, one: Player, two: Player) -> str | None:
        return None if one.pk == two.pk else " ".join(self.results.get((one.pk, two.pk), ()))


@dataclass(frozen=True, slots=True)
class StandingsPart:
    """Those who are ranked against each other.

    They are a group by its letters and number, or all ("", None).
    """

    letters: str
    group: int | None
    lines: tuple[StandingsLine, ...]

    @property
    def name(self) -> str:
        """Group A, Group B …; empty for all."""
        return format_group(self.letters) if self.letters else ""


def name_letters(number: int) -> str:
    """Return the letters of a group by its number, from 1."""
    letters = ""
    while number:
        number, place = divmod(number - 1, 26)
        letters = chr(ord("A") + place) + letters
    return letters


def format_group(letters: str) -> str:
    """Return a group by its letters: Group A."""
    return gettext("Group %(letter)s") % {"letter": letters}


def standings_by_group(event: Event, *, after_round: int | None = None) -> list[StandingsPart]:
    """Return the standings in parts, as they are read.

    A stage in groups has one part per group, any other has a single one.
    """
    stage = _latest_stage(event, after_round) if event.has_groups else None
    if stage is None or not stage.has_groups:
        return [StandingsPart("", None, standings(event, after_round=after_round))]
    stage.event = event
    tables = group_tables(stage, after_round=after_round)
    return [StandingsPart(table.letters, table.number, table.lines) for table in tables]


def list_entries(event: Event, *, after_round: int | None = None) -> list[StandingsEntry]:
    """Return the lines of all parts.

    In Swiss rounds with exits, each line says how its player has left.
    """
    exits = load_event_exits(event, after_round=after_round)
    return [
        StandingsEntry(part.group, line, exits.get(line.player.pk))
        for part in standings_by_group(event, after_round=after_round)
        for line in part.lines
    ]


def _latest_stage(event: Event, after_round: int | None) -> Stage | None:
    """Return the stage of the last published round with standings, up to a round.

    One query.
    """
    published_rounds = get_standings_rounds(event).exclude(state=Round.State.DRAFT).select_related("stage")
    if after_round is not None:
        published_rounds = published_rounds.filter(number__lte=after_round)
    last = published_rounds.order_by("stage__position", "number").last()
    return last.stage if last else None


def load_player_engine_event(
    event: Event, player: Player, *, after_round: int | None = None
) -> records.Event:
    """Load the engine event of a player's standing: their group, or the whole stage."""
    stage = _latest_stage(event, after_round) if event.has_groups else None
    engine_event = load_engine_event(event, after_round=after_round)
    if stage is None or not stage.has_groups:
        return engine_event
    group_of = dict(stage.entrants.values_list("player_id", "group"))
    return (
        _restrict_to_group(engine_event, group_of, group_of[player.pk])
        if player.pk in group_of
        else engine_event
    )


def list_stages_in_groups(event: Event) -> QuerySet[Stage]:
    """Return the stages of an event that have tables of groups."""
    return event.stages.filter(kind__in=(Stage.Kind.ROBIN, Stage.Kind.GROUPS)).select_related("event")


def group_tables(stage: Stage, *, after_round: int | None = None) -> list[GroupTable]:
    """Return the tables of a stage, group by group.

    Six queries, ten for groups of four.
    """
    event, system = stage.event, scoring_system_of(stage.event)
    results = _load_results(stage, after_round)
    group_of = dict(stage.entrants.values_list("player_id", "group"))
    players = {player.pk: player for player in event.players.filter(stage_places__stage=stage)}
    random_numbers = {pk: player.lot for pk, player in players.items()}
    engine_event = load_engine_event(event, after_round=after_round, stage=stage)
    played_groups = _load_played_groups(stage, after_round)
    tables = []
    for number in sorted(set(group_of.values())):
        rows = engine_standing.compute_standings(
            _restrict_to_group(engine_event, group_of, number), system, lots=random_numbers
        )
        lines = tuple(build_line(row, players[row.player], system.tiebreakers) for row in rows)
        lines = order_group(played_groups[number], lines) if number in played_groups else lines
        tables.append(GroupTable(stage, number, lines, results))
    return tables


def _load_played_groups(stage: Stage, after_round: int | None) -> dict[int, GroupState]:
    """Return the groups of four by number; none of a round robin."""
    if stage.kind != Stage.Kind.GROUPS:
        return {}
    return load_elimination_groups(stage, before_round=after_round and after_round + 1)


def _restrict_to_group(engine_event: records.Event, group_of: Mapping[int, int], group: int) -> records.Event:
    """Return the players of one group and what they played."""
    return records.Event(
        players=tuple(player for player in engine_event.players if group_of[player.id] == group),
        rounds=tuple(
            tuple(match for match in matches if group_of[match.p1] == group)
            for matches in engine_event.rounds
        ),
        drops={pk: last for pk, last in engine_event.drops.items() if group_of[pk] == group},
    )


def _load_results(stage: Stage, after_round: int | None) -> dict[tuple[int, int], tuple[str, ...]]:
    """Return every result from the side of each of the two players."""
    matches = Match.objects.filter(round__stage=stage, p2__isnull=False).exclude(outcome="")
    matches = matches.exclude(round__state=Round.State.DRAFT)
    if after_round is not None:
        matches = matches.filter(round__number__lte=after_round)
    results: dict[tuple[int, int], tuple[str, ...]] = {}
    for match in matches.order_by("round__number", "pk"):
        for pair, words in _format_both_sides(match):
            results[pair] = (*results.get(pair, ()), words)
    return results


def _format_both_sides(match: Match) -> list[tuple[tuple[int, int], str]]:
    p1, p2 = match.p1_id, match.p2_id or 0
    if match.outcome == Match.Outcome.DOUBLE_LOSS:
        loss_text = pgettext("result", "lost")
        return [((p1, p2), loss_text), ((p2, p1), loss_text)]
    draws = f"-{match.draws}" if match.draws else ""
    scores = {
        (p1, p2): f"{match.p1_games}-{match.p2_games}{draws}",
        (p2, p1): f"{match.p2_games}-{match.p1_games}{draws}",
    }
    if not match.forfeit:
        return list(scores.items())
    return [(pair, gettext("%(score)s forfeit") % {"score": score}) for pair, score in scores.items()]


def overall_standings(event: Event, stage: Stage | None = None) -> tuple[StandingsLine, ...]:
    """Return the order in which players advance.

    With groups, all winners come first, then all seconds, and so on. Within one place of several groups the
    standings over all of them decide; that is a Ringside default. Groups of three and four play different
    numbers of matches, so there the seeds decide. `stage` is a stage that is over; without it, the one that
    is played.
    """
    last = None if stage is None else stage.rounds.order_by("number").values_list("number", flat=True).last()
    lines = standings(event, after_round=last)
    if not event.has_groups:
        return lines
    stage = stage or get_standings_stage(event)
    if stage is None or not stage.has_groups:
        return lines
    stage.event = event
    tables = group_tables(stage, after_round=last)
    place = {line.player.pk: at for table in tables for at, line in enumerate(table.lines, 1)}
    if stage.kind == Stage.Kind.GROUPS:
        seeds = dict(stage.entrants.values_list("player_id", "seed"))
        lines = tuple(sorted(lines, key=lambda line: seeds.get(line.player.pk, 0)))
    return _renumber_ranks(sorted(lines, key=lambda line: place.get(line.player.pk, 0)))


def _renumber_ranks(lines: Sequence[StandingsLine]) -> tuple[StandingsLine, ...]:
    return tuple(
        StandingsLine(line.row._replace(rank=rank, is_shared=False), line.player, line.tiebreakers)
        for rank, line in enumerate(lines, 1)
    )
