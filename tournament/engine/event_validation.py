"""Validate an event and report all problems at once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping

from rules.text import truncate
from tournament.engine.problems import EngineProblem, raise_problems
from tournament.engine.records import Event, Match, PlayerId, Result

WITHOUT_OPPONENT = frozenset((Result.BYE, Result.LOSS_NO_OPPONENT))


def validate_event(event: Event) -> None:
    """Raise EngineError with every problem of an event: players, drops, rounds and matches."""
    raise_problems(find_event_problems(event))


def find_event_problems(event: Event, names: Mapping[PlayerId, str] | None = None) -> Iterator[EngineProblem]:
    """List all problems of an event; `names` replaces the numbers of players in the messages."""
    known = names or {}

    def called(player: PlayerId) -> str:
        return known.get(player) or truncate(player)

    counts = Counter(player.id for player in event.players)
    for player, times in counts.items():
        if times > 1:
            yield EngineProblem(
                "player-twice",
                f"Player {called(player)} is entered {times} times; ids must differ.",
                "players",
            )
    for player, last in event.drops.items():
        if player not in counts:
            yield EngineProblem(
                "drop-unknown", f"Player {called(player)} dropped but is not entered.", "drops"
            )
        if last < 0:
            yield EngineProblem(
                "drop-round",
                f"Player {called(player)} dropped after round {truncate(last)}; the least is 0.",
                "drops",
            )
    for number, matches in enumerate(event.rounds, 1):
        yield from _round(matches, number, frozenset(counts), called)


def _round(
    matches: tuple[Match, ...], number: int, entered: frozenset[PlayerId], called: Callable[[PlayerId], str]
) -> Iterator[EngineProblem]:
    seated: Counter[PlayerId] = Counter()
    for place, match in enumerate(matches, 1):
        where = f"round {number}, match {place}"
        pair = [player for player in (match.p1, match.p2) if player is not None]
        seated.update(set(pair))
        yield from (
            EngineProblem("player-unknown", f"Player {called(player)} is not entered.", where)
            for player in pair
            if player not in entered
        )
        yield from _match(match, where, called)
    for player, times in seated.items():
        if times > 1:
            yield EngineProblem(
                "seated-twice",
                f"Player {called(player)} sits in {times} matches.",
                f"round {number}",
            )


def _match(match: Match, where: str, called: Callable[[PlayerId], str]) -> Iterator[EngineProblem]:
    if match.p1 == match.p2:
        yield EngineProblem("plays-himself", f"Player {called(match.p1)} is paired with himself.", where)
    if match.result is not None and (match.p2 is None) != (match.result in WITHOUT_OPPONENT):
        need = "no second player" if match.p2 is not None else "a second player"
        yield EngineProblem("result-misfit", f'The result "{match.result}" needs {need}.', where)
    if min(match.p1_games, match.p2_games, match.draws) < 0:
        yield EngineProblem("games-negative", "A number of games is below zero.", where)
    if match.p2 is not None and (match.p1_score is None) != (match.p2_score is None):
        yield EngineProblem(
            "score-one-sided", "Points are written for one side only; write both or none.", where
        )
