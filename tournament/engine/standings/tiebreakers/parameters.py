"""Parameters of each kind of tiebreaker, and their defaults."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from fractions import Fraction

Params = Mapping[str, Hashable]

_NONE: Params = {}
_MATCH: Params = {"byes": "counted", "floor": 0, "per": "points"}
_GAME: Params = {"byes": "counted", "floor": 0, "drawn_games": 1}
_BOARD: Params = {"byes": "counted", "floor": 0}
_SHARE: Params = {"floor": 0, "dropped_cap": 0}
_FIDE: Params = {"year": 2026, "cut_low": 0, "cut_high": 0}

# The kinds of each module, and the parameters that they take with what these are when left out. A command
# loads those modules alone whose values it computes.
MODULES: Mapping[str, Mapping[str, Params]] = {
    "own_results": {
        "points": _NONE,
        "progressive": {"cut_low": 0},
        "net_games": _NONE,
        "games_won": _NONE,
        "wins": _NONE,
        "wins_played": _NONE,
        "matches": _NONE,
        "initial_order": _NONE,
        "lot": _NONE,
    },
    "ratios": {
        "match_win": _MATCH,
        "opponents_match_win": _MATCH,
        "opponents_opponents_match_win": _MATCH,
        "game_win": _GAME,
        "opponents_game_win": _GAME,
    },
    "records": {
        "opponents_win_share": _SHARE,
        "opponents_opponents_win_share": _SHARE,
        "lost_rounds": _NONE,
        "cumulative": _NONE,
        "opponents_cumulative": _NONE,
        "loss_share": _NONE,
        "opponents_loss_share": _NONE,
    },
    "boards": {
        "board_points": _NONE,
        "board_win": _BOARD,
        "opponents_board_points": _NONE,
        "opponents_board_win": _BOARD,
    },
    "sums": {
        "buchholz": {"cut_low": 0, "cut_high": 0},
        "sosos": {"bye": "nothing"},
        "sonneborn_berger": _NONE,
        "koya": {"share": Fraction(1, 2)},
    },
    "fide": {"fide_buchholz": _FIDE, "fide_sonneborn_berger": _FIDE},
    "head_to_head": {"head_to_head": _NONE},
}

DEFAULT_PARAMETERS: Mapping[str, Params] = {
    kind: params for kinds in MODULES.values() for kind, params in kinds.items()
}
