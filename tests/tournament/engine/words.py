"""The engine's reasons in words, with ids for the names of players."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from rules.reason import Reason
from tournament.engine.records import Event, PlayerId
from tournament.engine.standings.explanation import Explanation, explain_values
from tournament.engine.standings.systems.system import System
from tournament.engine.wording import format_sentence


def say(reasons: Reason | Iterable[Reason]) -> str:
    """Return reasons in words."""
    if isinstance(reasons, Reason):
        reasons = (reasons,)
    return " ".join(format_sentence("reason", each) for each in reasons)


def codes(reasons: Iterable[Reason]) -> list[str]:
    """Return the codes of reasons."""
    return [each.code for each in reasons]


def explain_value(
    event: Event,
    system: System,
    player: PlayerId,
    tiebreaker: str,
    after_round: int | None = None,
    *,
    lots: Mapping[PlayerId, int] | None = None,
) -> Explanation:
    """Explain one value of a player."""
    return explain_values(event, system, player, (tiebreaker,), after_round, lots=lots)[0]
