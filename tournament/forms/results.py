"""Results as people type them."""

from __future__ import annotations

import re
from typing import Any

from tournament.errors import Refused

LINE = re.compile(
    r"^\s*(?P<table>\d{1,5})[\s:.,]+(?:(?P<p1>\d{1,2})[\s:/-]*(?P<p2>\d{1,2})(?:[\s:/-]+(?P<draws>\d{1,2}))?"
    r"|(?P<both>dl|double\s*loss))\s*$",
    re.IGNORECASE,
)


def read_result(line: str) -> tuple[int, dict[str, Any]]:
    """Read “12 2 1”, “12 2-1”, “12 21”, “12 1-1-1” or “12 dl” (double loss).

    Returns the table and the arguments for `enter_result`. Raises Refused with the ways to write it.
    """
    match = LINE.match(line)
    if match is None or (match["both"] is None and _glued(match)):
        raise Refused(
            "line_not_understood",
            f"“{line.strip()[:40]}” is not a result.",
            fix="Type table, games, games: 12 2 1 for 2-1 at table 12, or 12 dl when both lose.",
        )
    if match["both"]:
        return int(match["table"]), {"p1_games": 0, "p2_games": 0, "double_loss": True}
    games = {"p1_games": int(match["p1"]), "p2_games": int(match["p2"]), "draws": int(match["draws"] or 0)}
    return int(match["table"]), games


def _glued(match: re.Match[str]) -> bool:
    """Digits run together are only clear when there are exactly two."""
    between = match.string[match.end("p1") : match.start("p2")]
    return between == "" and (len(match["p1"]) > 1 or len(match["p2"]) > 1)
