"""Elimination brackets: layout, play, diagram and seeding from groups."""

from __future__ import annotations

from tournament.engine.brackets.layout import Bracket, BracketMatch, Feed, build_bracket, seed_order
from tournament.engine.brackets.playing import (
    BracketState,
    FinalPlace,
    ResultCorrection,
    SeatedMatch,
    correct_result,
    get_seated_matches,
    play_bracket,
)

__all__ = [
    "Bracket",
    "BracketMatch",
    "BracketState",
    "Feed",
    "FinalPlace",
    "ResultCorrection",
    "SeatedMatch",
    "build_bracket",
    "correct_result",
    "get_seated_matches",
    "play_bracket",
    "seed_order",
]
