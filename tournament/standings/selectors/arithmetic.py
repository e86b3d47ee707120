"""One player's record as everybody may see it: round by round, and the arithmetic behind his place."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from tournament.engine.standings.explanation import Explanation, explain_all
from tournament.engine.standings.tiebreakers.base import Term
from tournament.events.models.event import Event
from tournament.events.models.player import Player
from tournament.standings.selectors.groups import played_among
from tournament.standings.selectors.standings import in_words, system_of
from tournament.standings.selectors.table import HIDDEN_KINDS


@dataclass(frozen=True, slots=True)
class Step:
    """One line of the arithmetic, with the opponent's name; bracketed where it does not count."""

    term: Term
    opponent: str

    @property
    def figure(self) -> str:
        """What the line adds; where a quotient is made, above and below the line."""
        return f"{self.term.value} / {self.term.of}" if self.term.of else str(self.term.value)


@dataclass(frozen=True, slots=True)
class Worked:
    """One tiebreaker of one player, worked out opponent by opponent."""

    explanation: Explanation
    steps: list[Step]

    @property
    def name(self) -> str:
        """The tiebreaker's name."""
        return self.explanation.tiebreaker.name

    @property
    def shown(self) -> str:
        """The value as tables show it."""
        return in_words(self.explanation.value, self.explanation.tiebreaker)


def worked_out(event: Event, player: Player, *, after_round: int | None = None) -> list[Worked]:
    """Points and each tiebreaker of a registered player, now or after a past round. Five queries."""
    played, system = played_among(event, player, after_round=after_round), system_of(event)
    names = {person.id: person.name for person in played.players}
    if player.pk not in names or not played.rounds:
        return []
    lots = dict(event.players.values_list("pk", "lot"))
    keys = ["points", *(t.key for t in system.tiebreakers if t.kind_name not in HIDDEN_KINDS)]
    return [_worked(each, names) for each in explain_all(played, system, player.pk, keys, lots=lots)]


def _worked(explanation: Explanation, names: Mapping[int, str]) -> Worked:
    steps = [Step(term, names.get(term.opponent or 0, "")) for term in explanation.terms]
    return Worked(explanation, steps)
