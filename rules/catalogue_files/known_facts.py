"""Card facts that a catalogue file can have.

Holds the kind of each fact, and the game of each OCTGN set.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from rules.cards import Fact
from rules.game import Game

# Facts of every game.
COMMON_FACTS: Mapping[str, str] = {
    **dict.fromkeys(
        (
            "name", "title", "printed_name", "key", "id", "text", "rules", "set", "set_name", "note",
            "number", "number_as_printed", "variant", "type", "illustrator",
        ),
        "text",
    ),
    "set_size": "whole",
    "is_deck_card": "yes_no",
    "aliases": "words",
    "external_ids": "term",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class KnownFacts:
    """The facts of the games that a file may be of, by name.

    Also holds the games by their OCTGN identifier.
    """

    facts: Mapping[str, Fact]
    octgn_games: Mapping[str, Game] = field(default_factory=dict)

    @classmethod
    def of(cls, games: Iterable[Game], game: str | None = None) -> KnownFacts:
        """Return the facts of a file of one of the games.

        If two declare a fact, that of the key `game` is followed, else the one that comes first.
        """
        every = sorted(games, key=lambda each: (each.key != game, each.order))
        facts: dict[str, Fact] = {}
        for each in every:
            facts = {**each.cards.facts, **facts}
        common = {name: Fact(name, kind) for name, kind in COMMON_FACTS.items()}
        octgn_games = {each.cards.octgn_game: each for each in every if each.cards.octgn_game}
        return cls({**facts, **common}, octgn_games)
