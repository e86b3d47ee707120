"""Is an event sound? Everything that is wrong with it, at once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping

from rules.quoting import in_short
from tournament.engine.problems import Problem, refuse
from tournament.engine.records import Event, Match, PlayerId, Result

WITHOUT_OPPONENT = frozenset((Result.BYE, Result.LOSS_NO_OPPONENT))


def check_event(event: Event) -> None:
    """Raise EngineError with every problem of an event: players, drops, rounds and matches."""
    refuse(event_problems(event))


def event_problems(event: Event, names: Mapping[PlayerId, str] | None = None) -> Iterator[Problem]:
    """Everything that is wrong with an event. `names` says what to call a player, otherwise his number is."""
    known = names or {}

    def called(player: PlayerId) -> str:
        return known.get(player) or in_short(player)

    counts = Counter(player.id for player in event.players)
    for player, times in counts.items():
        if times > 1:
            yield Problem(
                "player-twice",
                f"Player {called(player)} is entered {times} times; ids must differ.",
                "players",
            )
    for player, last in event.drops.items():
        if player not in counts:
            yield Problem("drop-unknown", f"Player {called(player)} dropped but is not entered.", "drops")
        if last < 0:
            yield Problem(
                "drop-round",
                f"Player {called(player)} dropped after round {in_short(last)}; the least is 0.",
                "drops",
            )
    for number, matches in enumerate(event.rounds, 1):
        yield from _round(matches, number, frozenset(counts), called)


def _round(
    matches: tuple[Match, ...], number: int, entered: frozenset[PlayerId], called: Callable[[PlayerId], str]
) -> Iterator[Problem]:
    seated: Counter[PlayerId] = Counter()
    for place, match in enumerate(matches, 1):
        where = f"round {number}, match {place}"
        pair = [player for player in (match.p1, match.p2) if player is not None]
        seated.update(set(pair))
        yield from (
            Problem("player-unknown", f"Player {called(player)} is not entered.", where)
            for player in pair
            if player not in entered
        )
        yield from _match(match, where, called)
    for player, times in seated.items():
        if times > 1:
            yield Problem(
                "seated-twice",
                f"Player {called(player)} sits in {times} matches.",
                f"round {number}",
            )


def _match(match: Match, where: str, called: Callable[[PlayerId], str]) -> Iterator[Problem]:
    if match.p1 == match.p2:
        yield Problem("plays-himself", f"Player {called(match.p1)} is paired with himself.", where)
    if match.result is not None and (match.p2 is None) != (match.result in WITHOUT_OPPONENT):
        need = "no second player" if match.p2 is not None else "a second player"
        yield Problem("result-misfit", f'The result "{match.result}" needs {need}.', where)
    if min(match.p1_games, match.p2_games, match.draws) < 0:
        yield Problem("games-negative", "A number of games is below zero.", where)
    if match.p2 is not None and (match.p1_score is None) != (match.p2_score is None):
        yield Problem("score-one-sided", "Points are written for one side only; write both or none.", where)
