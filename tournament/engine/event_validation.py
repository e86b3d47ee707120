"""Validate an event and report all problems at once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import compress

from rules.reason import reason
from rules.text import truncate
from tournament.engine.problems import EngineProblem, problem, raise_problems, refer_to_player
from tournament.engine.records import Event, Match, PlayerId, Result
from tournament.engine.standings.match_columns import MatchColumns

IN_DROPS = reason("path", path="drops")
WITHOUT_OPPONENT = frozenset((Result.BYE, Result.LOSS_NO_OPPONENT))


def validate_event(event: Event) -> None:
    """Raise EngineError with every problem of an event.

    Problems are found in players, drops, rounds and matches.
    """
    raise_problems(find_event_problems(event))


def find_event_problems(event: Event) -> Iterator[EngineProblem]:
    """List all problems of an event."""
    counts = Counter(player.id for player in event.players)
    for player, times in counts.items():
        if times > 1:
            yield problem("player-twice", player=refer_to_player(player), times=times).at(
                reason("path", path="players")
            )
    for player, last in event.drops.items():
        if player not in counts:
            yield problem("drop-unknown", player=refer_to_player(player)).at(IN_DROPS)
        if last < 0:
            yield problem("drop-round", player=refer_to_player(player), round=truncate(last)).at(IN_DROPS)
    for number, matches in enumerate(event.rounds, 1):
        yield from _round(matches, number, frozenset(counts))


def _round(
    matches: tuple[Match, ...], number: int, entrant_ids: frozenset[PlayerId]
) -> Iterator[EngineProblem]:
    if _is_sound_round(matches, entrant_ids):
        return
    seat_counts: Counter[PlayerId] = Counter()
    for place, match in enumerate(matches, 1):
        pair = [player for player in (match.p1, match.p2) if player is not None]
        seat_counts.update(set(pair))
        problems = [
            *(
                problem("player-unknown", player=refer_to_player(each))
                for each in pair
                if each not in entrant_ids
            ),
            *_match(match),
        ]
        if problems:
            where = reason("match", round=number, match=place)
            yield from (each.at(where) for each in problems)
    for player, times in seat_counts.items():
        if times > 1:
            yield problem("seated-twice", player=refer_to_player(player), times=times).at(
                reason("round", round=number)
            )


def _is_sound_round(matches: tuple[Match, ...], entrant_ids: frozenset[PlayerId]) -> bool:
    """Return whether nothing is wrong with a round.

    This makes reading large events faster.
    """
    columns = MatchColumns(matches)
    rare = columns.find_rare()
    is_plain = bytearray(b"\1") * len(matches)
    for at in rare:
        is_plain[at] = 0
    seats = [*compress(columns.ones, is_plain), *compress(columns.twos, is_plain)]
    for match in (matches[at] for at in rare):
        if any(_match(match)):
            return False
        seats += [player for player in (match.p1, match.p2) if player is not None]
    if len(set(seats)) < len(seats) or not entrant_ids.issuperset(seats):
        return False
    return all(min(games, default=0) >= 0 for games in columns.games)


def _match(match: Match) -> Iterator[EngineProblem]:
    if match.p1 == match.p2:
        yield problem("player-on-both-sides", player=refer_to_player(match.p1))
    if match.result is not None and (match.p2 is None) != (match.result in WITHOUT_OPPONENT):
        code = "result-misfit.bye" if match.p2 is not None else "result-misfit.pair"
        yield problem(code, result=match.result.value)
    if min(match.p1_games, match.p2_games, match.draws) < 0:
        yield problem("games-negative")
    if match.p2 is not None and (match.p1_score is None) != (match.p2_score is None):
        yield problem("score-one-sided")
