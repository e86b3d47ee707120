"""Whether a round can end in a draw, told by the stage it belongs to."""

from __future__ import annotations

from ..quoting import in_short
from .facts import BadFact

WITH_DRAWS = frozenset({"swiss", "round_robin", "league"})
WITHOUT_DRAWS = frozenset(
    {
        "single_elimination",
        "double_elimination",
        "elimination",
        "top_cut",
        "cut",
        "playoff",
        "final",
        "knockout",
    }
)


def draws_possible(stage: str) -> bool:
    """Swiss rounds and round robins can be drawn, elimination matches cannot. Raises `BadFact`."""
    plain = stage.strip().casefold().replace(" ", "_").replace("-", "_")
    if plain in WITHOUT_DRAWS or plain.endswith("_elimination") or plain.startswith("elimination_"):
        return False
    if plain in WITH_DRAWS or plain.startswith("swiss_"):
        return True
    known = ", ".join(sorted(WITH_DRAWS | WITHOUT_DRAWS))
    raise BadFact(f"{in_short(repr(stage))} is no stage that is known; there are: {known}.")
