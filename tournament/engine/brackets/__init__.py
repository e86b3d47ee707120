"""Elimination brackets: laid out by `bracket`, played by `play`, corrected by `change`."""

from __future__ import annotations

from tournament.engine.brackets.layout import Bracket, BracketMatch, Feed, bracket, seeding
from tournament.engine.brackets.playing import Change, Final, Seated, State, change, play, seated

__all__ = [
    "Bracket",
    "BracketMatch",
    "Change",
    "Feed",
    "Final",
    "Seated",
    "State",
    "bracket",
    "change",
    "play",
    "seated",
    "seeding",
]
