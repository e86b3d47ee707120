"""Groups of three or four by double elimination.

Two of each group qualify, after two wins or one defeat.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from rules.reason import Reason
from rules.text import truncate
from tournament.engine.brackets.layout import MOST_ENTRANTS, Bracket, MatchId, Seed, build_bracket
from tournament.engine.brackets.playing import BracketState, name_round, play_bracket
from tournament.engine.exits import ELIMINATED, QUALIFIED
from tournament.engine.problems import make_error
from tournament.engine.records import PlayerId

GROUP_SIZE = 4
QUALIFIERS = 2
ROUNDS = 3

# A round, counted within the stage, and the two who meet in it.
Meeting = tuple[int, frozenset[PlayerId]]


@dataclass(frozen=True, slots=True)
class EliminationGroup:
    """One group.

    Its bracket counts by places in the group. `seeds` are those of the whole field.
    """

    number: int
    seeds: tuple[Seed, ...]
    bracket: Bracket


@dataclass(frozen=True, slots=True)
class GroupMatch:
    """Two players of a group who meet, and which of its matches that is."""

    players: tuple[PlayerId, PlayerId]
    why: Reason


@dataclass(frozen=True, slots=True)
class GroupState:
    """A group with its results so far.

    Holds its players, best seed first, and its bracket by their places.
    """

    players: tuple[PlayerId, ...]
    state: BracketState

    def list_matches(self, round_number: int) -> list[GroupMatch]:
        """Return the matches of a round, as far as their players are known."""
        names = {match.id: name_round(self.state.bracket, match) for match in self.state.bracket.matches}
        return [
            GroupMatch((self._player(match.p1), self._player(match.p2)), names[match.id])
            for match in self.state.matches
            if match.round == round_number and match.p1 is not None and match.p2 is not None
        ]

    def list_waiting(self, round_number: int) -> list[PlayerId]:
        """Return the players who meet no one in a round and have not left the group."""
        seated_players = {player for match in self.list_matches(round_number) for player in match.players}
        return [
            player for player in self.players if player not in seated_players and player not in self.exits
        ]

    @property
    def exits(self) -> dict[PlayerId, str]:
        """The players who play no more in the group: qualified or eliminated."""
        return {
            self._player(place.seed): QUALIFIED if place.place <= QUALIFIERS else ELIMINATED
            for place in self.state.places
        }

    def get_record(self, player: PlayerId) -> tuple[int, int]:
        """Return a player's losses and wins, the wins as a number below zero.

        Fewer losses and more wins are better.
        """
        seed = self.players.index(player) + 1
        losses = sum(match.loser == seed for match in self.state.matches)
        return losses, -sum(match.winner == seed for match in self.state.matches)

    def _player(self, seed: Seed | None) -> PlayerId:
        return self.players[(seed or 1) - 1]


def build_elimination_groups(entrants: int) -> tuple[EliminationGroup, ...]:
    """Return groups for a number of entrants.

    The best seeds are in different groups. The next best follow in reverse order. Raises EngineError for a
    number that fills no groups of three or four, and for more than 4,096.

    >>> [group.seeds for group in build_elimination_groups(8)]
    [(1, 4, 5, 8), (2, 3, 6, 7)]
    """
    count = count_groups(entrants)
    if entrants > MOST_ENTRANTS:
        raise make_error("bracket-size", most=MOST_ENTRANTS, entrants=truncate(entrants))
    if not can_fill_groups(entrants):
        raise make_error("bracket-groups", entrants=truncate(entrants))
    members: list[list[Seed]] = [[] for _ in range(count)]
    for at in range(entrants):
        row, place = divmod(at, count)
        members[place if row % 2 == 0 else count - 1 - place].append(at + 1)
    return tuple(
        EliminationGroup(number, tuple(seeds), build_bracket("group", len(seeds)))
        for number, seeds in enumerate(members, 1)
    )


def count_groups(entrants: int) -> int:
    """Return how many groups so many players make."""
    return -(-entrants // GROUP_SIZE)


def can_fill_groups(entrants: int) -> bool:
    """Return whether so many players make groups of three or four."""
    return entrants >= 3 and entrants >= 3 * count_groups(entrants)


def play_group(
    players: Sequence[PlayerId], results: Mapping[Meeting, PlayerId | None], rounds: int
) -> GroupState:
    """Return a group, best seed first, after `rounds` rounds.

    `results` name the winner, or None for an open match. If two met on paper in one of these rounds but not
    at a table, the better seed advances.
    """
    bracket, winners = build_bracket("group", len(players)), dict[MatchId, Seed]()
    for match in bracket.matches:
        one, two = play_bracket(bracket, winners).matches[match.id - 1].pair
        if one is None or two is None or match.wave > rounds:
            continue
        ids = {players[seed - 1]: seed for seed in (one, two)}
        better = players[min(one, two) - 1]
        winner = results.get((match.wave, frozenset(ids)), better)
        if winner is not None:
            winners[match.id] = ids[winner]
    return GroupState(tuple(players), play_bracket(bracket, winners))
