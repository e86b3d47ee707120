"""What the engine's reasons say, with ids for the names of players."""

from __future__ import annotations

from collections.abc import Iterable

from rules.reason import Reason
from tournament.engine.wording import format_sentence


def say(reasons: Reason | Iterable[Reason]) -> str:
    """Reasons in words."""
    if isinstance(reasons, Reason):
        reasons = (reasons,)
    return " ".join(format_sentence("reason", each) for each in reasons)


def codes(reasons: Iterable[Reason]) -> list[str]:
    """The codes of reasons."""
    return [each.code for each in reasons]
