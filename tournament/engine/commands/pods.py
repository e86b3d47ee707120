"""Seat the next round of an event with pods, or the open tables of its last one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

from rules.reason import reason
from rules.text import truncate
from tournament.engine.commands.exits import say_exits
from tournament.engine.commands.given import Given, refuse_two_seats
from tournament.engine.commands.numbers import to_json_number
from tournament.engine.pairing.model import Entrant
from tournament.engine.pods.event_file import PodFile
from tournament.engine.pods.model import PodHistory, PodRound
from tournament.engine.pods.results import PodMatch
from tournament.engine.pods.seating import seat_round
from tournament.engine.pods.sides import PodSides
from tournament.engine.pods.standings import compute_pod_standings
from tournament.engine.problems import make_error, problem, raise_problems, refer_to_player
from tournament.engine.records import PlayerId
from tournament.engine.seeded_random import derive_round_seed

Tables = list[tuple[int, tuple[PlayerId, ...]]]


def pair(event_input: Given, file: PodFile, sides: PodSides) -> dict[str, object]:
    """Return the next round; tables that the options fix come first."""
    rounds = file.pods.rounds
    _refuse_running(rounds)
    coming_round = _ComingPodRound(event_input, file, sides, len(rounds) + 1)
    seated_tables = list(enumerate(coming_round.check_fixed(event_input.options.fixed_tables), 1))
    return event_input.answer(**coming_round.seat(seated_tables), **say_exits(event_input))


def repair(event_input: Given, file: PodFile, sides: PodSides) -> dict[str, object]:
    """Return the last round with all tables without a result seated again.

    Tables with a result stay.
    """
    rounds = file.pods.rounds
    if not rounds:
        raise make_error("repair-nothing")
    _refuse_running(rounds[:-1])
    earlier = replace(file, pods=replace(file.pods, rounds=rounds[:-1]), tables=file.tables[:-1])
    used_tables = {table for table in file.tables[-1] if table is not None}
    free = (number for number in range(1, 2 * len(rounds[-1]) + 2) if number not in used_tables)
    numbered_pods = [
        (next(free) if table is None else table, match)
        for match, table in zip(rounds[-1], file.tables[-1], strict=True)
        if not match.is_bye
    ]
    finished_tables = [(number, match.players) for number, match in numbered_pods if match.places]
    coming_round = _ComingPodRound(event_input, earlier, sides, len(rounds))
    return event_input.answer(
        **coming_round.seat(finished_tables), kept=[number for number, _ in finished_tables]
    )


class _ComingPodRound:
    """A round about to be seated, after the rounds of a file."""

    def __init__(self, event_input: Given, file: PodFile, sides: PodSides, number: int) -> None:
        self._event_input, self._sides, self._number = event_input, sides, number
        planned_round_count = event_input.options.rounds
        if planned_round_count is not None and planned_round_count < number:
            raise make_error(
                "rounds-played", planned=truncate(planned_round_count), played=number - 1, least=number
            )
        self._past_pods = _PastPods.of_rounds(file.pods.rounds)
        self.entrants = list(self._list_entrants(file))
        if event_input.has_exits and not self.entrants:
            raise make_error("exits-done")

    def _list_entrants(self, file: PodFile) -> Iterator[Entrant]:
        groups = {player.id: player.group.strip().casefold() for player in file.event.players}
        for row in compute_pod_standings(file.pods, self._sides.place_points):
            has_dropped = file.pods.drops.get(row.player, self._number) < self._number
            if not has_dropped and not self._event_input.exits.find_exit(row):
                byes = self._past_pods.byes[row.player]
                yield Entrant(row.player, row.points, byes=byes, group=groups[row.player])

    def check_fixed(self, tables: Sequence[tuple[PlayerId, ...]]) -> Sequence[tuple[PlayerId, ...]]:
        """Return the fixed tables. Raises EngineError if they cannot be seated."""
        playing_ids, seated_groups = (
            {entrant.id for entrant in self.entrants},
            Counter(p for each in tables for p in each),
        )
        raise_problems(
            [
                *(
                    problem("fixed-absent", player=refer_to_player(p))
                    for p in seated_groups
                    if p not in playing_ids
                ),
                *(
                    problem("pod-size", count=len(each), least=self._sides.least, most=self._sides.most)
                    for each in tables
                    if not self._sides.least <= len(each) <= self._sides.most
                ),
            ]
        )
        refuse_two_seats(seated_groups.elements())
        return tables

    def seat(self, fixed_tables: Tables) -> dict[str, object]:
        """Return the whole round.

        Settled tables stay as they are, and all other players are seated at tables of their own.
        """
        seated_players = {player for _, players in fixed_tables for player in players}
        others = [entrant for entrant in self.entrants if entrant.id not in seated_players]
        seed = self._event_input.options.seed or 0
        if 0 < len(others) < self._sides.least and fixed_tables:
            return self._say(fixed_tables, [], [entrant.id for entrant in others], None)
        if fixed_tables and not others:
            return self._say(fixed_tables, [], [], None)
        options, sides = self._event_input.options, self._sides
        here = not options.apart_rounds or self._number in options.apart_rounds
        round_ = seat_round(
            others,
            self._past_pods.history,
            seed=derive_round_seed(seed, self._number),
            least=sides.least,
            most=sides.most,
            usual=sides.usual,
            forbidden=[*options.forbidden, *(self._own_group_pairs(others) if here else ())],
            groups_apart=here and options.clubs_apart == "wish",
            small_seats=self._past_pods.small_seats,
        )
        settled_tables = {number for number, _ in fixed_tables}
        free = (
            number
            for number in range(1, len(settled_tables) + len(round_.pods) + 1)
            if number not in settled_tables
        )
        fresh = [(next(free), pod.players) for pod in round_.pods]
        return self._say(fixed_tables, fresh, list(round_.resting_players), round_)

    def _own_group_pairs(self, entrants: Sequence[Entrant]) -> Iterator[tuple[PlayerId, PlayerId]]:
        if self._event_input.options.clubs_apart == "never":
            for one, two in combinations(entrants, 2):
                if one.group and one.group == two.group:
                    yield one.id, two.id

    def _say(
        self, settled_tables: Tables, fresh: Tables, resting: Collection[PlayerId], round_: PodRound | None
    ) -> dict[str, object]:
        ids = self._event_input.ids
        return {
            "pods": [
                {"table": number, "players": [ids[player] for player in players]}
                for number, players in sorted([*settled_tables, *fresh])
            ],
            "byes": [ids[player] for player in resting],
            "seed": self._event_input.options.seed,
            "cost": None if round_ is None else _say_cost(round_),
        }


@dataclass(frozen=True, slots=True)
class _PastPods:
    """Past tables and rests.

    Also holds how often each player sat at a smaller table of a round.
    """

    history: PodHistory
    byes: Counter[PlayerId]
    small_seats: Counter[PlayerId]

    @classmethod
    def of_rounds(cls, rounds: Sequence[Sequence[PodMatch]]) -> _PastPods:
        past = cls(PodHistory(), Counter(), Counter())
        for matches in rounds:
            tables = [match.players for match in matches if not match.is_bye]
            past.history.add_round(tables)
            past.byes.update(match.players[0] for match in matches if match.is_bye)
            largest = max(map(len, tables), default=0)
            past.small_seats.update(p for table in tables if len(table) < largest for p in table)
        return past


def _refuse_running(rounds: Sequence[Sequence[PodMatch]]) -> None:
    raise_problems(
        problem("match-running").at(reason("match", round=number, match=place))
        for number, matches in enumerate(rounds, 1)
        for place, match in enumerate(matches, 1)
        if not match.places
    )


def _say_cost(round_: PodRound) -> dict[str, object]:
    cost, certificate = round_.cost, round_.certificate
    return {
        "forbidden": cost.forbidden_count,
        "rematches": cost.repeats,
        "third_meetings": cost.third_meetings,
        "immediate": cost.immediate_count,
        "bye_scores": to_json_number(cost.bye_scores),
        "gaps": to_json_number(cost.gaps),
        "least_gaps": to_json_number(certificate.lower_bound.gaps),
        "unwished": cost.unwished_count,
        "small_again": cost.small_again,
        "proved": certificate.is_proved,
        "method": certificate.method,
    }
