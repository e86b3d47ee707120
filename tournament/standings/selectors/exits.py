"""Players who have left a stage early.

They left by the wins or losses of Swiss rounds, or by the matches of a group.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import QuerySet

from decks.shared.json_shapes import Published
from rules.reason import Reason, reason
from tournament.engine.brackets.groups_of_four import QUALIFIERS
from tournament.engine.exits import ELIMINATED, QUALIFIED, ExitRule
from tournament.events.models.event import Event, Stage
from tournament.events.models.player import Player
from tournament.events.models.round import Match, Round
from tournament.events.selectors import get_standings_rounds, get_standings_stage
from tournament.events.settings import get_plan
from tournament.standings.selectors.elimination_groups import load_elimination_groups
from tournament.standings.selectors.standings import StandingsLine

Outcome = Match.Outcome

BOTH_LOST = (Outcome.DOUBLE_LOSS, Outcome.LOSS_NO_OPPONENT)


@dataclass(frozen=True, slots=True)
class WinsAndLosses:
    """Numbers of matches of a stage that a player has won and lost."""

    player: int
    wins: int
    losses: int


@dataclass(frozen=True, slots=True)
class ExitCounts(Published):
    """How many players of a stage have qualified, are eliminated and play on."""

    PUBLISHED = {"qualified": "qualified_count", "eliminated": "eliminated_count", "playing": "playing_count"}
    qualified_count: int
    eliminated_count: int
    playing_count: int

    @property
    def is_everyone_out(self) -> bool:
        """Whether no player of the stage plays on."""
        return not self.playing_count

    @property
    def words(self) -> Reason:
        """The three numbers, as pages, screens and printouts say them."""
        return reason(
            "exit_counts",
            qualified=self.qualified_count,
            eliminated=self.eliminated_count,
            playing=self.playing_count,
        )


def get_exit_rule(stage: Stage) -> ExitRule:
    """Return the numbers of wins and losses that end a stage for a player."""
    return ExitRule(stage.wins_in, stage.losses_out)


def has_exits(stage: Stage) -> bool:
    """Return whether players leave a stage before its last round."""
    return stage.kind == Stage.Kind.GROUPS or bool(get_exit_rule(stage))


def load_exits(stage: Stage, *, before_round: int | None = None) -> dict[int, str]:
    """Return the players who have left the stage, and how.

    The results before a round count, or all results. It takes one query. Groups of four need four.
    """
    if stage.kind == Stage.Kind.GROUPS:
        groups = load_elimination_groups(stage, before_round=before_round).values()
        return {player: left for group in groups for player, left in group.exits.items()}
    rule = get_exit_rule(stage)
    if not rule:
        return {}
    published_matches = Match.objects.filter(round__stage=stage).exclude(round__state=Round.State.DRAFT)
    matches = published_matches.exclude(outcome="")
    if before_round is not None:
        matches = matches.filter(round__number__lt=before_round)
    wins, losses = Counter[int](), Counter[int]()
    for p1, p2, outcome in matches.values_list("p1_id", "p2_id", "outcome"):
        sides = [player for player in (p1, p2) if player is not None]
        if outcome in BOTH_LOST:
            losses.update(sides)
        elif outcome in (Outcome.P1, Outcome.BYE):
            wins[p1] += 1
            losses.update(sides[1:])
        elif outcome == Outcome.P2:
            wins[p2] += 1
            losses[p1] += 1
    rows = [WinsAndLosses(player, wins[player], losses[player]) for player in wins.keys() | losses.keys()]
    return {row.player: left for row in rows if (left := rule.find_exit(row)) is not None}


def load_event_exits(event: Event, *, after_round: int | None = None) -> dict[int, str]:
    """Return the players who have left the stage of a round, or the one begun last.

    No query without exits.
    """
    stage = find_exit_stage(event, after_round=after_round)
    return {} if stage is None else load_exits(stage, before_round=after_round and after_round + 1)


def count_event_exits(event: Event, *, after_round: int | None = None) -> ExitCounts | None:
    """Count who has left, and how; None without exits.

    Dropped players do not play on.
    """
    stage = find_exit_stage(event, after_round=after_round)
    return None if stage is None else count_exits(stage, after_round=after_round)


def count_exits(stage: Stage, *, after_round: int | None = None) -> ExitCounts | None:
    """Count who has left a stage, and how; None without exits. Two queries."""
    if not has_exits(stage):
        return None
    exits = load_exits(stage, before_round=after_round and after_round + 1)
    active_ids = set(list_active_players(stage).values_list("pk", flat=True))
    return ExitCounts(
        qualified_count=sum(left == QUALIFIED and player in active_ids for player, left in exits.items()),
        eliminated_count=sum(left == ELIMINATED for left in exits.values()),
        playing_count=len(active_ids - exits.keys()),
    )


def find_exit_stage(event: Event, *, after_round: int | None = None) -> Stage | None:
    """Return the stage of a round, or of standings begun last, if it has exits.

    No query without a plan of exits.
    """
    if not any(planned_stage.lets_players_leave for planned_stage in get_plan(event)):
        return None
    if after_round is None:
        stage = get_standings_stage(event)
    else:
        round_ = get_standings_rounds(event).filter(number=after_round).select_related("stage").first()
        stage = None if round_ is None else round_.stage
    return stage if stage is not None and has_exits(stage) else None


def list_active_players(stage: Stage) -> QuerySet[Player]:
    """Return the players of a stage who have not dropped."""
    active = Player.objects.filter(
        event_id=stage.event_id, status=Player.Status.REGISTERED, dropped_after__isnull=True
    )
    return active.filter(stage_places__stage=stage) if stage.position > 1 else active


def has_everyone_left(stage: Stage) -> bool:
    """Return whether every player has qualified or is out.

    Two queries; none without exits.
    """
    if not has_exits(stage):
        return False
    return not list_active_players(stage).exclude(pk__in=load_exits(stage)).exists()


def order_by_exit(
    stage: Stage, lines: Sequence[StandingsLine]
) -> tuple[tuple[StandingsLine, ...], int | None]:
    """Return the standings with those who qualified by wins first.

    Also return how many they are. The number is None if wins do not decide: while players play on, and where
    no one has enough wins. Groups of four are in order already, and two of each qualify.
    """
    if stage.kind == Stage.Kind.GROUPS:
        return tuple(lines), QUALIFIERS * stage.entrants.values("group").distinct().count()
    is_over = stage.rounds.count() >= (stage.planned_rounds or 0) or has_everyone_left(stage)
    if not stage.wins_in or not is_over:
        return tuple(lines), None
    exits = load_exits(stage)
    ordered_lines = sorted(lines, key=lambda line: exits.get(line.player.pk) != QUALIFIED)
    return tuple(ordered_lines), sum(left == QUALIFIED for left in exits.values()) or None
