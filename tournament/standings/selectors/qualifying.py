"""The players who qualify for the cut by the current standings, with reasons."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TypedDict

from decks.shared.fingerprints import make_fingerprint
from decks.shared.json_shapes import Published
from decks.shared.refusals import Refused
from decks.shared.stated_reasons import StatedReason, state_reason
from rules.reason import Reason
from tournament.engine import cut as engine_cut
from tournament.engine.problems import EngineError
from tournament.events.models.event import Event, Stage
from tournament.events.models.player import Player
from tournament.events.names import format_problems
from tournament.events.selectors import get_current_stage, map_character_spellings
from tournament.events.settings import StagePlan, get_game, get_plan
from tournament.standings.selectors.exits import find_exit_stage, order_by_exit
from tournament.standings.selectors.groups import overall_standings
from tournament.standings.selectors.standings import StandingsLine

# One decision as a stage keeps it; the player by id.
CutDecisionData = TypedDict(
    "CutDecisionData",
    {"player": int, "rank": int | None, "in": bool, "reason": dict[str, object], "clause": str},
)


@dataclass(frozen=True, slots=True)
class PlayerDecision(Published):
    """Why a player is in the cut or out of it."""

    PUBLISHED = {
        "player": "player.number",
        "name": "player.name",
        "rank": "rank",
        "is_in": "is_in",
        "reason": "stated_reason",
    }
    player: Player
    rank: int | None
    is_in: bool
    reason: Reason
    clause: str

    @property
    def stated_reason(self) -> StatedReason:
        """Why, with a sentence."""
        return state_reason(self.reason)


@dataclass(frozen=True, slots=True)
class CutSelection:
    """The qualified players by seed, and a reason for every player.

    `lines` are the standings behind them. `clause` is where the game's documents describe such a cut; empty
    if none does.
    """

    result: engine_cut.CutResult
    lines: tuple[StandingsLine, ...]
    clause: str = ""

    @property
    def places(self) -> tuple[engine_cut.CutPlace, ...]:
        """The qualified players with their seeds."""
        return self.result.places

    def as_data(self) -> list[CutDecisionData]:
        """Return the decisions as they are kept with the stage."""
        return [
            {
                "player": d.player,
                "rank": d.rank,
                "in": d.is_in,
                "reason": d.reason.to_json(),
                "clause": self.clause,
            }
            for d in self.result.decisions
        ]


def select_qualifiers(event: Event, planned_stage: StagePlan | None = None) -> CutSelection:
    """Return who would enter the next stage of the plan by the current standings.

    `planned_stage` is that stage where it is known. Raises Refused when a character is missing.
    """
    entry = planned_stage or _next_planned(event)
    lines, size = overall_standings(event), entry.size or 0
    stage = find_exit_stage(event)
    if stage is not None:
        lines, qualified_count = order_by_exit(stage, lines)
        size = min(size, qualified_count or size)
    spellings = map_character_spellings(event, (line.player.character for line in lines))
    try:
        result = engine_cut.select_cut(
            [line.row for line in lines],
            size,
            diversity=entry.by == Event.Cut.DIVERSITY,
            characters={line.player.pk: spellings.get(line.player.character, "") for line in lines},
            decliners={line.player.pk for line in lines if line.player.declined_cut},
            short="fill" if entry.short == Event.ShortCut.FILL else "shrink",
        )
    except EngineError as error:
        raise _to_refusal(error, event, lines) from error
    return CutSelection(result, lines, get_game(event).cite(f"{entry.by}_cut"))


def _next_planned(event: Event) -> StagePlan:
    plan = get_plan(event)
    if len(plan) < 3:
        return plan[-1]
    now = get_current_stage(event)
    return plan[min(now.position if now else 1, len(plan) - 1)]


def _to_refusal(error: EngineError, event: Event, lines: tuple[StandingsLine, ...]) -> Refused:
    """Return the engine's refusal with names in place of ids."""
    undeclared_names = [line.player.name for line in lines if line.player.is_in and not line.player.character]
    if error.problems[0].code != "character-undeclared" or not undeclared_names:
        return Refused(error.problems[0].code.replace("-", "_"), told=format_problems(error, event))
    clause = get_game(event).cite("diversity_cut") or None
    return Refused("character_missing.cut", undeclared=tuple(undeclared_names), clause=clause)


def list_cut_decisions(event: Event, stage: Stage | None) -> list[PlayerDecision]:
    """Return why each player is in or out of the cut.

    It is as kept when the cut was made, or as it would be now.
    """
    if stage is not None:
        data: list[CutDecisionData] = stage.selection
        players = Player.objects.in_bulk([row["player"] for row in data])
    else:
        selection = select_qualifiers(event)
        data = selection.as_data()
        players = {line.player.pk: line.player for line in selection.lines}
    names = [players[row["player"]].name for row in data]
    return [
        PlayerDecision(
            players[row["player"]],
            row["rank"],
            row["in"],
            _name_player_ahead(Reason.from_json(row["reason"]), names),
            row["clause"],
        )
        for row in data
    ]


def _name_player_ahead(why: Reason, names: Sequence[str]) -> Reason:
    """Return the same reason with the name of the player it is about.

    It is about this player's place. `names` are in the order in which they finished.
    """
    place = why.params.get("rank")
    if why.code != "same_character" or not isinstance(place, int) or not 0 < place <= len(names):
        return why
    return Reason("same_character.named", {**why.params, "player": names[place - 1]})


def fingerprint_decisions(decisions: Iterable[PlayerDecision]) -> str:
    """Return a fingerprint of these decisions, as someone saw them.

    It covers who comes in, and everyone's order.
    """
    return make_fingerprint([(each.player.pk, each.is_in) for each in decisions])
