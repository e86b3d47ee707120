"""All kinds of tiebreaker by name. Systems are lists of them with parameters."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib import import_module

from tournament.engine.standings.tiebreakers.base import TiebreakerKind

# The kinds of each module: a command loads those alone that its system has.
MODULES = {
    "own_results": (
        "points", "progressive", "net_games", "games_won", "wins", "wins_played", "matches", "initial_order",
        "lot",
    ),
    "ratios": (
        "match_win", "opponents_match_win", "opponents_opponents_match_win", "game_win", "opponents_game_win",
    ),
    "records": (
        "opponents_win_share", "opponents_opponents_win_share", "lost_rounds", "cumulative",
        "opponents_cumulative", "loss_share", "opponents_loss_share",
    ),
    "boards": ("board_points", "board_win", "opponents_board_points", "opponents_board_win"),
    "sums": ("buchholz", "sosos", "sonneborn_berger", "koya"),
    "fide": ("fide_buchholz", "fide_sonneborn_berger"),
    "head_to_head": ("head_to_head",),
}  # fmt: skip


class _Kinds(Mapping[str, TiebreakerKind]):
    """The kinds by name, each out of its module when it is asked for."""

    def __init__(self) -> None:
        self._module_of = {kind: module for module, kinds in MODULES.items() for kind in kinds}
        self._loaded: dict[str, TiebreakerKind] = {}

    def __getitem__(self, name: str) -> TiebreakerKind:
        if name not in self._loaded:
            self._loaded.update(import_module(f"{__name__}.{self._module_of[name]}").KINDS)
        return self._loaded[name]

    def __contains__(self, name: object) -> bool:
        return name in self._module_of

    def __iter__(self) -> Iterator[str]:
        return iter(self._module_of)

    def __len__(self) -> int:
        return len(self._module_of)


KINDS: Mapping[str, TiebreakerKind] = _Kinds()

__all__ = ["KINDS"]
