"""A model of the event: players, waiting list, accepted results and their points.

It knows nothing of services, tables or locks, and calculates nothing in the way of Ringside.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

Games = tuple[int, int, int]
OPEN = ("registration", "check_in")
DOUBLE_LOSS: Games = (-1, -1, 0)
NAMES = ("Ann", "Bob", "Cid", "Dan", "Eve", "Fay", "Gus", "Hal", "Ida", "Jon", "ann", "BOB")
MEMBERS = ("Kim", "Lou", "Max", "Nik", "Oda", "Pia", "kim", "Ann")
SCORES: tuple[Games, ...] = (
    (2, 0, 0), (2, 1, 0), (0, 2, 0), (1, 2, 0), (1, 1, 0), (2, 0, 1), (1, 0, 0), DOUBLE_LOSS,
)  # fmt: skip
PAIRS: tuple[dict[str, Any], ...] = (
    {"game": "sf_miniatures", "format": "2v2", "rules_version": "1", "match_form": "one_round_25min"},
    {"game": "highlander", "format": "two_headed_giant", "rules_version": "1.7",
     "match_form": "one_game_30min"},
)  # fmt: skip
KINDS: tuple[dict[str, Any], ...] = (
    {"swiss_rounds": 3},
    {"swiss_rounds": 3, "team_size": 2, **PAIRS[0]},
    {"swiss_rounds": 2, "cut": "top", "cut_size": 2, "team_size": 2, **PAIRS[1]},
    {"swiss_rounds": 2, "cut": "top", "cut_size": 2},
    {"swiss_rounds": 2, "cut": "top", "cut_size": 4},
    {"swiss_rounds": 2, "cut": "diversity", "cut_size": 4},
    {"plan": [{"kind": "swiss", "rounds": 2}, {"kind": "double", "size": 4}]},
    {"plan": [{"kind": "robin", "groups": 2}, {"kind": "single", "size": 2}]},
    {"plan": [{"kind": "robin", "twice": True}]},
)


@dataclass
class Person:
    """One registration as its owner sees it; a team has its members."""

    name: str
    email: str
    members: tuple[str, ...] = ()
    status: str = "registered"
    is_here: bool = False
    has_dropped: bool = False
    since: int = 0

    @property
    def names(self) -> set[str]:
        """The key of a name, in any spelling."""
        return {name.casefold() for name in (self.name, *self.members)}


@dataclass(frozen=True)
class GivenPenalty:
    """A penalty, and where its player sat when it was given.

    The place is stage and round, with zeros before the first.
    """

    player: int
    degree: str
    is_next: bool
    place: tuple[int, int]

    def counts_in(self, places: list[tuple[int, int]]) -> tuple[int, int] | None:
        """Return in which of the player's matches against someone it counts.

        The matches are in the order of play.
        """
        if not self.is_next:
            return self.place
        return next((place for place in places if place > self.place), None)


@dataclass
class Visitor:
    """The model: people by id, results by match, reports by match and player."""

    capacity: int | None
    team_size: int | None = None
    phase: str = "registration"
    people: dict[int, Person] = field(default_factory=dict)
    results: dict[int, Games] = field(default_factory=dict)
    reports: dict[int, dict[int, Games]] = field(default_factory=dict)
    forfeits: dict[int, Games] = field(default_factory=dict)
    penalties: list[GivenPenalty] = field(default_factory=list)
    reopened: set[int] = field(default_factory=set)
    steps: int = 0

    @property
    def of_all_tables(self) -> dict[int, Games]:
        """Played results, and those decided without play."""
        return {**self.results, **self.forfeits}

    def is_disqualified(self, player: int) -> bool:
        """Return whether a judge has disqualified the player."""
        return any(g.player == player and g.degree == "disqualification" for g in self.penalties)

    def is_thrown_out(self, person: Person) -> None:
        """Disqualify a player.

        Before the start the place becomes free. After the end nothing changes.
        """
        if self.phase in OPEN:
            self.withdraws(person)
        elif self.phase != "finished" and self.is_in(person):
            person.has_dropped = True

    def is_in(self, person: Person) -> bool:
        """Registered players who have not left."""
        return person.status == "registered" and not person.has_dropped

    def free(self) -> int:
        """Return the number of free places."""
        taken_count = sum(self.is_in(person) for person in self.people.values())
        return 99 if self.capacity is None else max(self.capacity - taken_count, 0)

    def is_known(self, person: Person, besides: int | None = None) -> bool:
        """Return whether someone else has one of the names, or the address.

        Those who have withdrawn do not count.
        """
        others = [p for pk, p in self.people.items() if p.status != "withdrawn" and pk != besides]
        return any(
            p.names & person.names or (person.email and p.email.casefold() == person.email.casefold())
            for p in others
        )

    def is_a_team(self, members: tuple[str, ...]) -> bool:
        """Return whether these can register as one team here.

        Their number must be right, and no one may occur twice.
        """
        return len({member.casefold() for member in members}) == len(members) == (self.team_size or 0)

    def count_games(self, score: Games) -> Games:
        """Return a random score of a match here: teams play one game."""
        if self.team_size is None or score == DOUBLE_LOSS:
            return score
        return int(score[0] == 2), int(score[1] == 2), int(score[0] == score[1])

    @property
    def games_to_win(self) -> int:
        """Games that win a match."""
        return 2 if self.team_size is None else 1

    def line(self) -> list[Person]:
        """Return the waiting list, in order."""
        waiting_people = [person for person in self.people.values() if person.status == "waiting"]
        return sorted(waiting_people, key=lambda person: person.since)

    def seat(self, person: Person) -> None:
        """Register a player.

        The player gets a place if one is free and no one waits for it, otherwise the end of the waiting list.
        """
        self.steps += 1
        line = [p for p in self.line() if p.is_here or self.phase != "check_in"]
        person.status, person.since = "waiting", self.steps
        if self.capacity is None or (self.free() > 0 and not line):
            person.status = "registered"

    def move_up(self, *, only_here: bool = False) -> None:
        """Give free places to the players who wait longest."""
        line = [person for person in self.line() if person.is_here or not only_here]
        for person in line[: self.free()]:
            person.status = "registered"

    def withdraws(self, person: Person) -> None:
        """Withdraw a player before the start."""
        if person.status != "withdrawn":
            person.status, person.is_here = "withdrawn", False
            self.move_up()

    def arrives(self, person: Person) -> None:
        """Check in a player, who may be a dropped no-show."""
        if person.is_here:
            return
        if person.has_dropped:
            self.seat(person)
            person.has_dropped = False
        person.is_here = True
        self.move_up(only_here=True)

    def drop_missing(self) -> None:
        """Drop registered players who are not here, and admit waiting players who are."""
        for person in self.people.values():
            if self.is_in(person) and not person.is_here:
                person.has_dropped = True
        self.move_up(only_here=True)

    def add_report(self, match: int, player: int, games: Games) -> bool:
        """Store a report; return whether both players agree."""
        reports = self.reports.setdefault(match, {})
        reports[player] = games
        has_agreement = len(reports) == 2 and len(set(reports.values())) == 1
        if has_agreement:
            self.results[match] = games
        return has_agreement

    def credit(self, sides: dict[int, tuple[int, int]], byes: list[int]) -> Counter[int]:
        """Return the points: three for a win or a bye, one for a draw."""
        points = Counter({player: 0 for pair in sides.values() for player in pair})
        for player in byes:
            points[player] += 3
        for match, (one, two) in sides.items():
            for player, gain in self._gains(match, one, two):
                points[player] += gain
        return points

    def _gains(self, match: int, one: int, two: int) -> Iterator[tuple[int, int]]:
        games = self.of_all_tables.get(match)
        if games is None or games == DOUBLE_LOSS:
            return
        if games[0] == games[1]:
            yield from ((one, 1), (two, 1))
        else:
            yield (one if games[0] > games[1] else two), 3
