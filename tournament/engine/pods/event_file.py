"""Read an event of tables with more than two sides.

If its file has problems, every one is reported instead.

A match has `players`, and its result is `places` in their order, or `last_standing`, the one who is left. One
player alone rests. Matches of two, with `p1` and `p2`, cannot be mixed with them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from rules.reason import Reason, reason
from rules.text import truncate
from tournament.engine.event_file import (
    EVENT_KEYS,
    ProblemCollector,
    is_id,
    raise_with_file_ids,
    read_drops,
    read_players,
    shorten_value,
)
from tournament.engine.event_validation import find_event_problems
from tournament.engine.garbage import paused_collector
from tournament.engine.pods.results import PodEvent, PodMatch, are_places
from tournament.engine.pods.sides import PodSides
from tournament.engine.problems import EngineProblem, problem, refer_to_player
from tournament.engine.records import Event, PlayerId

POD_KEYS = frozenset(("players", "places", "last_standing", "table"))
SECOND = 2


@dataclass(frozen=True, slots=True)
class PodFile:
    """An event of pods as its file states it.

    It includes the table numbers of each round, where they are given.
    """

    event: Event
    pods: PodEvent
    tables: tuple[tuple[int | None, ...], ...]

    def event_after(self, after_round: int | None) -> PodEvent:
        """Return the event after one of its rounds, or as it is."""
        if after_round is None:
            return self.pods
        drops = {player: last for player, last in self.pods.drops.items() if last <= after_round}
        return replace(self.pods, rounds=self.pods.rounds[:after_round], drops=drops)

    def find_problems(self, sides: PodSides) -> list[EngineProblem]:
        """Return tables and results that the options of the event do not allow."""
        size_problems = list(find_size_problems(self.pods.rounds, sides.least, sides.most))
        only_winner = sides.ends == "last_standing"
        return [*size_problems, *(find_place_problems(self.pods.rounds) if only_winner else ())]


def read_pod_event(
    data: Mapping[str, object],
    ids: Mapping[PlayerId, int | str] | None = None,
    trouble: ProblemCollector | None = None,
) -> PodFile:
    """Return the event in a file with pods.

    Raises EngineError with every problem at once.
    """
    trouble = trouble or ProblemCollector()
    trouble.check_keys(data, EVENT_KEYS, None)
    with paused_collector():
        players = read_players(data.get("players"), trouble)
        rounds, tables = _read_rounds(data.get("rounds", []), trouble)
        drops = read_drops(data.get("drops"), lambda player: _find_last_seat(player, rounds), trouble)
    event = Event(tuple(players), (), drops)
    event_problems = [*find_event_problems(event), *_find_problems(rounds, {player.id for player in players})]
    raise_with_file_ids([*trouble.problems, *event_problems], ids or {})
    return PodFile(event, PodEvent(tuple(player.id for player in players), rounds, drops), tables)


Rounds = tuple[tuple[PodMatch, ...], ...]


def _read_rounds(
    data: object, trouble: ProblemCollector
) -> tuple[Rounds, tuple[tuple[int | None, ...], ...]]:
    if not isinstance(data, list):
        trouble.add(problem("rounds-shape"))
        return (), ()
    rounds, tables = [], []
    for number, entries in enumerate(data, 1):
        if not isinstance(entries, list):
            trouble.add(problem("round-shape"), reason("round", round=number))
            entries = []
        pod_rounds = [
            _read_match(entry, reason("match", round=number, match=place), trouble)
            for place, entry in enumerate(entries, 1)
        ]
        rounds.append(tuple(match for match, _ in pod_rounds if match.players))
        tables.append(tuple(table for match, table in pod_rounds if match.players))
    return tuple(rounds), tuple(tables)


NO_MATCH = PodMatch(())


def _read_match(entry: object, where: Reason, trouble: ProblemCollector) -> tuple[PodMatch, int | None]:
    if not isinstance(entry, dict):
        trouble.add(problem("match-shape"), where)
        return NO_MATCH, None
    if "p1" in entry or "p2" in entry:
        trouble.add(problem("pod-mixed"), where)
        return NO_MATCH, None
    trouble.check_keys(entry, POD_KEYS, where)
    players, table = entry.get("players"), entry.get("table")
    if not isinstance(players, list) or not players or not all(map(is_id, players)):
        trouble.add(problem("pod-players", value=shorten_value(players)), where)
        return NO_MATCH, None
    if table is not None and not is_id(table):
        trouble.add(problem("games-number", key="table", value=shorten_value(table)), where)
        table = None
    return PodMatch(tuple(players), _read_places(entry, players, where, trouble)), table


def _read_places(
    entry: Mapping[str, object], players: Sequence[PlayerId], where: Reason, trouble: ProblemCollector
) -> tuple[int, ...]:
    places, winner = entry.get("places"), entry.get("last_standing")
    if places is not None and winner is not None:
        trouble.add(problem("pod-result-twice"), where)
    elif winner is not None:
        if winner in players and is_id(winner):
            return tuple(1 if player == winner else SECOND for player in players)
        trouble.add(problem("pod-winner", player=shorten_value(winner)), where)
    elif places is not None:
        numbers = places if isinstance(places, list) and all(map(is_id, places)) else []
        if len(numbers) == len(players) and are_places(numbers):
            return tuple(numbers)
        trouble.add(problem("pod-places", value=shorten_value(places), count=len(players)), where)
    return (1,) if len(players) == 1 else ()


def _find_problems(rounds: Rounds, entrant_ids: set[PlayerId]) -> Iterator[EngineProblem]:
    for number, matches in enumerate(rounds, 1):
        seat_counts = Counter(player for match in matches for player in match.players)
        for player, times in seat_counts.items():
            where = reason("round", round=number)
            if player not in entrant_ids:
                yield problem("player-unknown", player=refer_to_player(player)).at(where)
            if times > 1:
                yield problem("seated-twice", player=refer_to_player(player), times=times).at(where)


def find_size_problems(rounds: Rounds, least: int, most: int) -> Iterator[EngineProblem]:
    """Yield the tables that have fewer or more players than the event allows.

    A player alone rests.
    """
    for number, matches in enumerate(rounds, 1):
        for place, match in enumerate(matches, 1):
            if not match.is_bye and not least <= len(match.players) <= most:
                pod_problem = problem(
                    "pod-size", count=len(match.players), least=truncate(least), most=truncate(most)
                )
                yield pod_problem.at(reason("match", round=number, match=place))


def find_place_problems(rounds: Rounds) -> Iterator[EngineProblem]:
    """Yield results that order more than a winner and the others.

    This is wrong where the last player standing wins.
    """
    for number, matches in enumerate(rounds, 1):
        for place, match in enumerate(matches, 1):
            if len(set(match.places)) > SECOND:
                yield problem("pod-only-winner").at(reason("match", round=number, match=place))


def _find_last_seat(player: PlayerId, rounds: Rounds) -> int:
    seats = (
        number
        for number, matches in enumerate(rounds, 1)
        if any(player in match.players for match in matches)
    )
    return max(seats, default=0)
