"""One player's standings line and the calculation of each tiebreaker."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from decks.shared.wording import say_reason
from tournament.engine.standings.explanation import Explanation, explain_values
from tournament.engine.standings.tiebreakers.base import Term
from tournament.events.models.event import Event
from tournament.events.models.player import Player
from tournament.standings.selectors.groups import load_player_engine_event, standings_by_group
from tournament.standings.selectors.standings import StandingsLine, format_tiebreaker, scoring_system_of
from tournament.standings.selectors.table import HIDDEN_KINDS


@dataclass(frozen=True, slots=True)
class CalculationStep:
    """One line of the arithmetic, with the opponent's name; bracketed where it does not count."""

    term: Term
    opponent: str

    @property
    def figure(self) -> str:
        """What the line adds; where a quotient is made, above and below the line."""
        return f"{self.term.value} / {self.term.of}" if self.term.of else str(self.term.value)


@dataclass(frozen=True, slots=True)
class TiebreakerCalculation:
    """One tiebreaker of one player, worked out opponent by opponent."""

    explanation: Explanation
    steps: list[CalculationStep]

    @property
    def name(self) -> str:
        """The tiebreaker's name."""
        return say_reason(self.explanation.tiebreaker.name)

    @property
    def shown(self) -> str:
        """The value as tables show it."""
        return format_tiebreaker(self.explanation.value, self.explanation.tiebreaker)


def calculate_tiebreakers(
    event: Event, player: Player, *, after_round: int | None = None
) -> list[TiebreakerCalculation]:
    """Points and each tiebreaker of a registered player, now or after a past round. Five queries."""
    engine_event, system = (
        load_player_engine_event(event, player, after_round=after_round),
        scoring_system_of(event),
    )
    names = {entrant.id: entrant.name for entrant in engine_event.players}
    if player.pk not in names or not engine_event.rounds:
        return []
    random_numbers = dict(event.players.values_list("pk", "lot"))
    keys = ["points", *(t.key for t in system.tiebreakers if t.kind_name not in HIDDEN_KINDS)]
    return [
        _build_calculation(each, names)
        for each in explain_values(engine_event, system, player.pk, keys, lots=random_numbers)
    ]


def _build_calculation(explanation: Explanation, names: Mapping[int, str]) -> TiebreakerCalculation:
    steps = [CalculationStep(term, names.get(term.opponent or 0, "")) for term in explanation.terms]
    return TiebreakerCalculation(explanation, steps)


def line_of_player(player: Player) -> StandingsLine | None:
    """Return the player's line of the current (group) standings; None before round 1."""
    if player.event.phase not in (Event.Phase.SWISS, Event.Phase.CUT, Event.Phase.FINISHED):
        return None
    groups = standings_by_group(player.event)
    return next((line for group in groups for line in group.lines if line.player.pk == player.pk), None)
