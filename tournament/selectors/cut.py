"""The cut and the bracket, read: who qualifies and why, who meets whom, who is champion."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from tournament.engine import cut as engine
from tournament.engine.brackets import layout as bracket_layout
from tournament.engine.brackets import playing as bracket_play
from tournament.engine.problems import EngineError
from tournament.errors import Refused
from tournament.marks import mark_of
from tournament.models import Event, Match, Player, Stage
from tournament.plan import StagePlan, plan_of
from tournament.selectors.characters import spellings
from tournament.selectors.groups import overall
from tournament.selectors.penalties import disqualified
from tournament.selectors.stages import BRACKETS, current
from tournament.selectors.standings import Line

FEWEST_FOR_THIRD = 4
WON = (Match.Outcome.P1, Match.Outcome.P2)


@dataclass(frozen=True, slots=True)
class Selection:
    """Who is in, by seed, and a reason for every player; `lines` are the standings it was made of."""

    result: engine.CutResult
    lines: tuple[Line, ...]

    @property
    def places(self) -> tuple[engine.Place, ...]:
        """The qualified players with their seeds."""
        return self.result.places

    def as_data(self) -> list[dict[str, Any]]:
        """The decisions as they are kept with the stage."""
        return [
            {
                "player": d.player,
                "rank": d.rank,
                "in": d.is_in,
                "code": d.code,
                "reason": d.reason,
                "clause": d.clause,
            }
            for d in self.result.decisions
        ]


def select(event: Event, planned: StagePlan | None = None) -> Selection:
    """Who would come into the next stage of the plan by the standings as they are now.

    `planned` is that stage where it is known. Raises Refused when a character is missing.
    """
    entry = planned or _next_planned(event)
    lines = overall(event)
    spelled = spellings(event, (line.player.character for line in lines))
    try:
        result = engine.select_cut(
            [line.row for line in lines],
            entry.size or 0,
            diversity=entry.by == Event.Cut.DIVERSITY,
            characters={line.player.pk: spelled.get(line.player.character, "") for line in lines},
            declined={line.player.pk for line in lines if line.player.declined_cut},
            short=entry.short,
        )
    except EngineError as error:
        raise _refusal(error, lines) from error
    return Selection(result, lines)


def _next_planned(event: Event) -> StagePlan:
    plan = plan_of(event)
    if len(plan) < 3:
        return plan[-1]
    now = current(event)
    return plan[min(now.position if now else 1, len(plan) - 1)]


def _refusal(error: EngineError, lines: tuple[Line, ...]) -> Refused:
    """The engine's refusal with names in place of ids."""
    undeclared = [line.player.name for line in lines if line.player.is_in and not line.player.character]
    if error.problems[0].code != "character-undeclared" or not undeclared:
        return Refused(error.problems[0].code.replace("-", "_"), error.problems[0].sentence)
    return Refused(
        "character_missing",
        f"A diversity cut needs each character (UFS 100.5.1); none is declared for {', '.join(undeclared)}.",
        fix="Enter it on the player's page.",
    )


def decisions(event: Event, stage: Stage | None) -> list[dict[str, Any]]:
    """Why each player is in or out: as kept when the cut was made, or as it would be now."""
    if stage is not None:
        data = stage.selection
        players = Player.objects.in_bulk([row["player"] for row in data])
    else:
        chosen = select(event)
        data = chosen.as_data()
        players = {line.player.pk: line.player for line in chosen.lines}
    return [{**row, "player": players[row["player"]]} for row in data]


def mark(listed: Iterable[Mapping[str, Any]]) -> str:
    """What somebody saw who looked at these decisions: who comes in, and everybody's order."""
    told = [(row["player"].pk, row["in"]) for row in listed]
    return mark_of(told)


def stage_of(event: Event) -> Stage | None:
    """The bracket, once it is made."""
    return event.stages.filter(kind__in=BRACKETS).order_by("position").last()


def bracket_state(stage: Stage) -> bracket_play.State:
    """The bracket with the results so far. Two queries."""
    seeds = dict(stage.entrants.values_list("player_id", "seed"))
    matches = Match.objects.filter(round__stage=stage, outcome__in=WON)
    winners = {
        number: seeds[p1 if outcome == Match.Outcome.P1 else p2]
        for number, p1, p2, outcome in matches.values_list("bracket_match", "p1_id", "p2_id", "outcome")
    }
    third_place = stage.third_place and len(seeds) >= FEWEST_FOR_THIRD
    return bracket_play.play(bracket_layout.bracket(stage.kind, len(seeds), third_place), winners)


def seated(stage: Stage) -> tuple[bracket_play.Seated, ...]:
    """Every match of the bracket whose two players are known."""
    return bracket_play.seated(bracket_state(stage))


def champion(stage: Stage) -> Player | None:
    """The winner of the bracket, once there is one."""
    seed = bracket_state(stage).champion
    return None if seed is None else stage.entrants.select_related("player").get(seed=seed).player


def champion_of(event: Event) -> Player | None:
    """The champion of a finished event: of the bracket, or whoever stands first alone.

    Nobody who is disqualified, whenever that was: a bracket that he won has no champion (ours).
    """
    if event.phase != Event.Phase.FINISHED:
        return None
    stage, out = stage_of(event), disqualified(event)
    if stage is not None:
        winner = champion(stage)
        return winner if winner is None or winner.pk not in out else None
    lines = [line for line in overall(event) if not _left_early(event, line) and line.player.pk not in out]
    return lines[0].player if lines and not lines[0].row.shared else None


def _left_early(event: Event, line: Line) -> bool:
    """Whether the player dropped before the last round: then he is not crowned (ours)."""
    return line.is_dropped and (line.player.dropped_after or 0) < (event.swiss_rounds or 0)
