"""One player's standings line and the calculation of each tiebreaker."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from decks.shared.json_shapes import Published
from decks.shared.stated_reasons import StatedReason, state_reason
from decks.shared.wording import format_reason, say_reason
from tournament.engine.standings.explanation import Explanation, explain_values
from tournament.engine.standings.tiebreakers.base import Term
from tournament.events.models.event import Event
from tournament.events.models.player import Player
from tournament.events.models.round import Round
from tournament.events.settings import get_sides
from tournament.standings.selectors.groups import load_player_engine_event, standings_by_group
from tournament.standings.selectors.standings import StandingsLine, format_tiebreakers, scoring_system_of
from tournament.standings.selectors.table import HIDDEN_KINDS


@dataclass(frozen=True, slots=True)
class CalculationStep(Published):
    """One line of the arithmetic, with the opponent's name.

    It is bracketed where it does not count.
    """

    PUBLISHED = {
        "round": "term.round",
        "opponent": "opponent_number",
        "value": "exact_value",
        "of": "exact_divisor",
        "note": "stated_note",
        "counted": "term.is_counted",
    }
    term: Term
    opponent: str
    opponent_number: int | None

    @property
    def exact_value(self) -> str:
        """Return what the line adds: a whole number or a fraction."""
        return str(self.term.value)

    @property
    def exact_divisor(self) -> str:
        """Return what the line adds to the divisor of a quotient."""
        return str(self.term.of)

    @property
    def note(self) -> str:
        """Return what is special about the line, in words."""
        return format_reason("reason", self.term.note) if self.term.note else ""

    @property
    def stated_note(self) -> StatedReason | None:
        """The note for programs and people."""
        return state_reason(self.term.note) if self.term.note else None

    @property
    def figure(self) -> str:
        """Return what the line adds; where a quotient is made, above and below the line."""
        return f"{self.term.value} / {self.term.of}" if self.term.of else str(self.term.value)


@dataclass(frozen=True, slots=True)
class TiebreakerCalculation(Published):
    """One tiebreaker of one player, worked out opponent by opponent."""

    PUBLISHED = {
        "key": "explanation.tiebreaker.key",
        "name": "name",
        "formula": "formula",
        "combine": "explanation.combine",
        "exact": "exact_value",
        "shown": "shown_value",
        "working": "explanation.written_sum",
        "terms": "steps",
    }
    explanation: Explanation
    steps: list[CalculationStep]

    @property
    def name(self) -> str:
        """The tiebreaker's name."""
        return say_reason(self.explanation.tiebreaker.name)

    @property
    def formula(self) -> str:
        """The calculation, in words."""
        return format_reason("reason", self.explanation.formula)

    @property
    def exact_value(self) -> str:
        """A whole number or a fraction."""
        return str(self.explanation.value)

    @property
    def shown_value(self) -> str:
        """The value as tables show it."""
        return format_tiebreakers([self.explanation.value], [self.explanation.tiebreaker])[0]


def calculate_tiebreakers(
    event: Event, player: Player, *, after_round: int | None = None
) -> list[TiebreakerCalculation]:
    """Return points and each tiebreaker of a registered player.

    They are current, or those after a past round. It takes five queries. Tables of more than two sides are
    not worked out opponent by opponent.
    """
    if not get_sides(event).is_duel:
        return []
    engine_event, system = (
        load_player_engine_event(event, player, after_round=after_round),
        scoring_system_of(event),
    )
    names = {entrant.id: entrant.name for entrant in engine_event.players}
    if player.pk not in names or not engine_event.rounds:
        return []
    rows = list(event.players.values_list("pk", "number", "lot"))
    random_numbers = {pk: lot for pk, _, lot in rows}
    numbers = {pk: number for pk, number, _ in rows}
    keys = ["points", *(t.key for t in system.tiebreakers if t.kind_name not in HIDDEN_KINDS)]
    return [
        _build_calculation(each, names, numbers)
        for each in explain_values(engine_event, system, player.pk, keys, lots=random_numbers)
    ]


def _build_calculation(
    explanation: Explanation, names: Mapping[int, str], numbers: Mapping[int, int]
) -> TiebreakerCalculation:
    steps = [
        CalculationStep(term, names.get(term.opponent or 0, ""), numbers.get(term.opponent or 0))
        for term in explanation.terms
    ]
    return TiebreakerCalculation(explanation, steps)


@dataclass(frozen=True, slots=True)
class SettledRanks:
    """The rank of each player after the last complete round.

    `after` is that round. It is None while no later one is played.
    """

    ranks: Mapping[int, int]
    after: int | None = None


def settled_ranks(event: Event, rounds: Sequence[Round]) -> SettledRanks:
    """Return ranks that no result of the running round changes.

    `rounds` are the published ones in order.
    """
    if event.phase not in (Event.Phase.SWISS, Event.Phase.CUT, Event.Phase.FINISHED) or not rounds:
        return SettledRanks({})
    after = None
    if rounds[-1].state == Round.State.PUBLISHED and not rounds[-1].stage.is_elimination:
        complete = [each.number for each in rounds if each.state == Round.State.FINISHED]
        if not complete:
            return SettledRanks({})
        after = complete[-1]
    groups = standings_by_group(event, after_round=after)
    return SettledRanks({line.player.pk: line.rank for group in groups for line in group.lines}, after)


def map_lines_by_player(event: Event) -> Mapping[int, StandingsLine]:
    """Return the line of each player in the current (group) standings.

    There are none before round 1.
    """
    if event.phase not in (Event.Phase.SWISS, Event.Phase.CUT, Event.Phase.FINISHED):
        return {}
    return {line.player.pk: line for group in standings_by_group(event) for line in group.lines}


def line_of_player(player: Player) -> StandingsLine | None:
    """Return the player's line of the current (group) standings; None before round 1."""
    return map_lines_by_player(player.event).get(player.pk)
