"""What an organizer makes a system of his own from: kinds under the names people know them by."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from tournament.engine.standings.tiebreakers import KINDS


@dataclass(frozen=True, slots=True)
class Choice:
    """One entry of the list: a short key for column heads, a name, the kind and what it starts from."""

    key: str
    name: str
    kind: str
    preset: Mapping[str, int | str] = field(default_factory=dict)

    def entry(self) -> dict[str, int | str]:
        """The tiebreaker as data, before anything is changed."""
        params = {
            key: value if isinstance(value, int) else str(value)
            for key, value in KINDS[self.kind].params.items()
        }
        return {"kind": self.kind, "key": self.key, "name": self.name, **params, **self.preset}


PALETTE = (
    Choice("pts", "Points", "points"),
    Choice("bh", "Buchholz", "buchholz"),
    Choice("bh-c1", "Buchholz cut 1", "buchholz", {"cut_low": 1}),
    Choice("bh-c2", "Buchholz cut 2", "buchholz", {"cut_low": 2}),
    Choice("mbh", "Median Buchholz", "buchholz", {"cut_low": 1, "cut_high": 1}),
    Choice("sb", "Sonneborn-Berger", "sonneborn_berger"),
    Choice("koya", "Koya", "koya"),
    Choice("sos", "SOS, sum of opponents' scores", "buchholz"),
    Choice("sosos", "SOSOS, sum of opponents' SOS", "sosos"),
    Choice("msos", "Strength of schedule, a mean", "opponents_match_win", {"per": "round"}),
    Choice("esos", "Extended strength of schedule", "opponents_opponents_match_win", {"per": "round"}),
    Choice("ps", "Progressive score", "progressive"),
    Choice("h2h", "Head to head", "head_to_head"),
    Choice("net", "Net score", "net_games"),
    Choice("wins", "Wins", "wins"),
    Choice("played", "Wins over the board", "wins_played"),
    Choice("games", "Games won", "games_won"),
    Choice("met", "Matches played", "matches"),
    Choice("mw", "Match-win percentage", "match_win"),
    Choice("omw", "Opponents' match-win percentage", "opponents_match_win", {"floor": "1/3"}),
    Choice("gw", "Game-win percentage", "game_win"),
    Choice("ogw", "Opponents' game-win percentage", "opponents_game_win"),
    Choice("fbh", "Buchholz by FIDE", "fide_buchholz"),
    Choice("fsb", "Sonneborn-Berger by FIDE", "fide_sonneborn_berger"),
    Choice("order", "Initial order", "initial_order"),
    Choice("lot", "Lot", "lot"),
)
BY_KEY = {choice.key: choice for choice in PALETTE}

PARAMETERS = {
    "cut_low": "Lowest left out",
    "cut_high": "Highest left out",
    "floor": "Never below",
    "share": "Least share of the points",
    "byes": "Byes are",
    "per": "Measured by",
    "bye": "A bye counts as",
    "drawn_games": "Game points of a drawn game",
    "year": "Regulations of",
}
OPTIONS: Mapping[str, tuple[tuple[str, str], ...]] = {
    "byes": (("counted", "counted"), ("ignored", "left out")),
    "per": (("points", "the most possible points"), ("round", "rounds")),
    "bye": (("nothing", "nothing"), ("player", "a player on 0 points")),
    "drawn_games": (("1", "1"), ("0", "0")),
    "year": (("2026", "2026"), ("2024", "2024")),
}
