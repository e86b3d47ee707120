"""Read an event file into records, or report every problem in it.

Numbers are read exactly: 0.5 is one half. In a match, `p2` null is a bye unless the result says otherwise; a
draw against no one is a half-point bye. A `bye_type` beside two players says that the match was decided
without being played. Half a game each is a drawn game. A key that is not a part of an event file is refused
where it looks like one that is, and otherwise given back as a notice: it was not read.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any, TypeGuard

from rules.reason import Reason, Reference, reason, replace_references
from rules.text import truncate
from tournament.engine.boards import SEAT_LETTERS, are_boards, count_boards
from tournament.engine.event_ids import IdNumbers
from tournament.engine.event_json import NumberText, parse_number
from tournament.engine.event_validation import IN_DROPS, find_event_problems
from tournament.engine.garbage import paused_collector
from tournament.engine.plain_matches import GAMES_KEYS, PLAIN_KEYS, RESULT_OF, SIDE_OF, read_plain_match
from tournament.engine.problems import EngineProblem, problem, raise_problems
from tournament.engine.records import Event, Match, Player, PlayerId, Result, Score
from tournament.engine.standings.systems.loading import exact_number

RESULTS = tuple(result.value for result in Result)

ALONE = {
    None: Result.BYE,
    "p1": Result.BYE,
    "draw": Result.BYE,
    "p2": Result.LOSS_NO_OPPONENT,
    "double_loss": Result.LOSS_NO_OPPONENT,
}

# The content of an event file. What only describes an event is accepted and not read.
DESCRIPTIONS = frozenset(("source", "name", "date", "convention", "note", "type", "standings", "elimination"))
EVENT_KEYS = frozenset(("players", "rounds", "drops", "options")) | DESCRIPTIONS
PLAYER_KEYS = frozenset(("id", "name", "order", "group", "character", "fixed_table"))
MATCH_KEYS = PLAIN_KEYS | {"bye_type", "bye_points", "boards"}

HALF = Fraction(1, 2)

MAX_DIGITS = 20


class ProblemCollector:
    """Collects problems while a file is read.

    Reading can thus continue after each.
    """

    def __init__(self) -> None:
        self.problems: list[EngineProblem] = []
        self.notices: list[EngineProblem] = []

    def add(self, problem: EngineProblem, where: Reason | None = None) -> None:
        """Remember a problem, and where it is."""
        self.problems.append(problem.at(where))

    def check_keys(
        self, entry: Mapping[str, object], known_keys: frozenset[str], where: Reason | None
    ) -> None:
        """Refuse keys that look like known ones, and note others that are not read."""
        for key in entry:
            if key in known_keys:
                continue
            from difflib import get_close_matches

            near = get_close_matches(key, known_keys, n=1, cutoff=0.75)
            if near:
                self.add(problem("key-unknown", key=truncate(key), known=near[0]), where)
            else:
                self.notices.append(problem("key-not-read", key=truncate(key)).at(where))


def say_once(problems: Iterable[EngineProblem]) -> Iterable[EngineProblem]:
    """Return problems without those that are the same at the same place."""
    return {repr(each): each for each in problems}.values()


def _exact_value(entry: Mapping[str, object], key: str) -> Any:
    """Return the value of a key.

    A float that another JSON reader made is returned as it was written.
    """
    value = entry.get(key)
    return parse_number(repr(value)) if isinstance(value, float) else value


def read_event(
    data: Mapping[str, object],
    names: IdNumbers | None = None,
    trouble: ProblemCollector | None = None,
) -> Event:
    """Return the event in an object of the contract's shape.

    Raises EngineError with every problem at once. `names` are the numbers of players whom the file calls by
    texts. `trouble` collects notices.
    """
    trouble = trouble or ProblemCollector()
    trouble.check_keys(data, EVENT_KEYS, None)
    with paused_collector():
        players = read_players(data.get("players"), trouble)
        rounds = _rounds(data.get("rounds", []), names, trouble)
        drops = read_drops(data.get("drops"), lambda player: _last_seat(player, rounds), trouble)
        event = Event(tuple(players), tuple(rounds), drops)
    raise_with_file_ids([*trouble.problems, *find_event_problems(event)], names.ids if names else {})
    return event


def raise_with_file_ids(problems: Iterable[EngineProblem], ids: Mapping[PlayerId, int | str]) -> None:
    """Raise EngineError if there are problems.

    Each problem is named once, with the ids of the file.
    """
    raise_problems(say_once([EngineProblem(use_file_ids(each.reason, ids), each.where) for each in problems]))


def use_file_ids(engine_reason: Reason, ids: Mapping[PlayerId, int | str]) -> Reason:
    """Return the reason with the ids of the file for the numbers of players."""

    def name(reference: Reference) -> Reference:
        if reference.kind != "player" or not isinstance(reference.key, int) or reference.key not in ids:
            return reference
        return Reference(reference.kind, shorten_value(ids[reference.key]))

    return replace_references(engine_reason, name)


def read_players(data: object, trouble: ProblemCollector) -> list[Player]:
    """Return the players of a file; each problem goes to `trouble`."""
    if not isinstance(data, list):
        trouble.add(problem("players-missing"))
        return []
    players = [_player(entry, place, trouble) for place, entry in enumerate(data, 1)]
    return [player for player in players if player is not None]


def _player(entry: object, place: int, trouble: ProblemCollector) -> Player | None:
    where = None if _is_plain(entry, PLAYER_KEYS) else reason("player", player=place)
    if not isinstance(entry, dict):
        trouble.add(problem("player-shape"), where)
        return None
    if where:
        trouble.check_keys(entry, PLAYER_KEYS, where)
    number, order = entry.get("id"), entry.get("order")
    if not is_id(number):
        trouble.add(problem("player-id", id=shorten_value(number)), reason("player", player=place))
        return None
    if order is not None and not is_id(order):
        trouble.add(problem("player-order", order=shorten_value(order)), reason("player", player=place))
        order = None
    return Player(number, str(entry.get("name") or ""), order, str(entry.get("group") or ""))


def _is_plain(entry: object, keys: frozenset[str]) -> TypeGuard[dict[str, object]]:
    """Return whether an entry is an object without other keys."""
    return type(entry) is dict and entry.keys() <= keys


def _rounds(data: object, names: IdNumbers | None, trouble: ProblemCollector) -> list[tuple[Match, ...]]:
    if not isinstance(data, list):
        trouble.add(problem("rounds-shape"))
        return []
    rounds, numbers = [], names.by_text if names else None
    for number, entries in enumerate(data, 1):
        if not isinstance(entries, list):
            trouble.add(problem("round-shape"), reason("round", round=number))
            continue
        entries_read = [
            read_plain_match(entry, numbers)
            or _match(
                names.rename_match(entry) if names else entry,
                reason("match", round=number, match=n),
                trouble,
            )
            for n, entry in enumerate(entries, 1)
        ]
        rounds.append(tuple(match for match in entries_read if match is not None))
    return rounds


def _match(entry: object, where: Reason, trouble: ProblemCollector) -> Match | None:
    if not isinstance(entry, dict):
        trouble.add(problem("match-shape"), where)
        return None
    trouble.check_keys(entry, MATCH_KEYS, where)
    p1, p2 = entry.get("p1"), entry.get("p2")
    if not is_id(p1) or not (p2 is None or is_id(p2)):
        wrong = p1 if not is_id(p1) else p2
        trouble.add(problem("match-player", id=shorten_value(wrong)), where)
        return None
    kind = entry.get("bye_type")
    if p2 is None and kind is None and entry.get("result") == Result.DRAW:
        kind = "half"
    boards = _boards(entry, where, trouble)
    games = count_boards(boards) if boards else _all_games(entry, where, trouble)
    result = _result(entry.get("result"), p2, where, trouble)
    match = Match(
        p1=p1,
        p2=p2,
        result=_sum_up(games) if boards and result is None else result,
        p1_games=games[0],
        p2_games=games[1],
        draws=games[2],
        p1_score=_score(entry, "p1_score", where, trouble),
        p2_score=_score(entry, "p2_score", where, trouble),
        bye_type=_text(entry, "bye_type", where, trouble) or kind,
        bye_points=_score(entry, "bye_points", where, trouble),
        table=_table(entry, where, trouble),
        forfeit=_switch(entry, "forfeit", where, trouble) or (p2 is not None and kind is not None),
    )
    _check_result(match, where, trouble)
    if boards:
        _check_boards(match, entry, where, trouble)
    return match


def _boards(entry: Mapping[str, object], where: Reason, trouble: ProblemCollector) -> list[list[int]]:
    """Return the boards of a match of two teams, each with its games.

    The games are those won by the first, those won by the second, and those drawn.
    """
    boards = entry.get("boards")
    if boards is None:
        return []
    if not are_boards(boards) or len(boards) > len(SEAT_LETTERS):
        trouble.add(problem("boards-shape", value=shorten_value(boards)), where)
        return []
    return boards


def _sum_up(games: tuple[int, int, int]) -> Result:
    """Return the result of a match by its boards."""
    wins, losses, _ = games
    return Result.P1 if wins > losses else Result.P2 if losses > wins else Result.DRAW


def _check_boards(
    match: Match, entry: Mapping[str, object], where: Reason, trouble: ProblemCollector
) -> None:
    """Refuse games or a result that the boards speak against."""
    if match.p2 is None:
        trouble.add(problem("boards-alone"), where)
        return
    board_counts = (match.p1_games, match.p2_games, match.draws)
    named_games = tuple(entry.get(key, games) for key, games in zip(GAMES_KEYS, board_counts, strict=True))
    is_other = match.result in SIDE_OF and match.result != _sum_up(board_counts)
    if named_games != board_counts or is_other:
        wins, losses, draws = board_counts
        trouble.add(problem("boards-against", won=wins, lost=losses, drawn=draws), where)


def _check_result(match: Match, where: Reason, trouble: ProblemCollector) -> None:
    """Refuse a result that the games or the points of the match speak against."""
    side = SIDE_OF.get(match.result) if match.result and match.p2 is not None else None
    if side is None:
        return
    pairs = ((match.p1_games, match.p2_games), (match.p1_score or 0, match.p2_score or 0))
    for code, (first, second) in zip(("result-against.games", "result-against.points"), pairs, strict=True):
        if (first or second) and side != (first > second) - (first < second):
            trouble.add(problem(code, result=str(match.result), first=first, second=second), where)


def _text(entry: Mapping[str, object], key: str, where: Reason, trouble: ProblemCollector) -> str | None:
    value = entry.get(key)
    if value is None or isinstance(value, str):
        return value
    trouble.add(problem("text-wanted", key=key, value=shorten_value(value)), where)
    return None


def _table(entry: Mapping[str, object], where: Reason, trouble: ProblemCollector) -> int | None:
    table = entry.get("table")
    if table is None or is_id(table):
        return table
    trouble.add(problem("games-number", key="table", value=shorten_value(table)), where)
    return None


def _switch(entry: Mapping[str, object], key: str, where: Reason, trouble: ProblemCollector) -> bool:
    value = entry.get(key)
    if value is not None and not isinstance(value, bool):
        trouble.add(problem("switch-wanted", key=key, value=shorten_value(value)), where)
    return value is True


def _result(value: object, p2: PlayerId | None, where: Reason, trouble: ProblemCollector) -> Result | None:
    if p2 is None and (value is None or isinstance(value, str)) and value in ALONE:
        return ALONE[value]
    if value is None:
        return None
    if not isinstance(value, str) or value not in RESULT_OF:
        trouble.add(problem("result-unknown", result=shorten_value(value), known=RESULTS), where)
        return None
    return RESULT_OF[value]


def _all_games(entry: Mapping[str, object], where: Reason, trouble: ProblemCollector) -> tuple[int, int, int]:
    """Return games won by either side and drawn."""
    mine, theirs = (exact_number(_exact_value(entry, key)) for key in ("p1_games", "p2_games"))
    draws = _games(entry, "draws", where, trouble)
    if mine is not None and theirs is not None and mine % 1 == theirs % 1 == HALF:
        return int(mine - HALF), int(theirs - HALF), draws + (not draws)
    return (
        _games(entry, "p1_games", where, trouble),
        _games(entry, "p2_games", where, trouble),
        draws,
    )


def _games(entry: Mapping[str, object], key: str, where: Reason, trouble: ProblemCollector) -> int:
    value = _exact_value(entry, key)
    if value is None:
        return 0
    if not is_id(value):
        trouble.add(problem("games-number", key=key, value=shorten_value(value)), where)
        return 0
    return value


def _score(entry: Mapping[str, object], key: str, where: Reason, trouble: ProblemCollector) -> Score | None:
    value = _exact_value(entry, key)
    if value is None:
        return None
    number = exact_number(value)
    if number is None or number < 0:
        trouble.add(problem("score-number", key=key, value=shorten_value(value)), where)
        return None
    return number


def read_drops(
    data: object, find_last_seat: Callable[[PlayerId], int], trouble: ProblemCollector
) -> dict[PlayerId, int]:
    """Read last rounds by player.

    If none is given, it is the last one in which they sat.
    """
    if isinstance(data, list):
        data = {str(player): None for player in data}
    if data is None:
        return {}
    if not isinstance(data, dict):
        trouble.add(problem("drops-shape"))
        return {}
    drops = {}
    for player, value in data.items():
        last = int(value) if isinstance(value, str) and _is_number(value) else value
        if not _is_number(player.removeprefix("-")) or not (last is None or is_id(last)):
            wrong = problem("drop-shape", player=shorten_value(player), round=shorten_value(last))
            trouble.add(wrong, IN_DROPS)
        else:
            drops[int(player)] = find_last_seat(int(player)) if last is None else last
    return drops


def _is_number(text: str) -> bool:
    return text.isdecimal() and len(text) < MAX_DIGITS


def _last_seat(player: PlayerId, rounds: Sequence[Sequence[Match]]) -> int:
    numbers = (
        number for number, matches in enumerate(rounds, 1) if any(player in (m.p1, m.p2) for m in matches)
    )
    return max(numbers, default=0)


def is_id(value: object) -> TypeGuard[int]:
    """Return whether this is a whole number."""
    return isinstance(value, int) and not isinstance(value, bool)


def shorten_value(value: object) -> str:
    """Return a wrong value for use in a sentence.

    It is as written in the file and short enough to read.
    """
    if isinstance(value, NumberText | Fraction):
        return truncate(str(value))
    return truncate(json.dumps(value, default=str, ensure_ascii=False))


def read_entrants(data: Mapping[str, object]) -> int | None:
    """Return how many entrants a bracket file names; None if it is an event file."""
    entrants = data.get("entrants")
    if isinstance(entrants, list):
        return len(entrants)
    return entrants if is_id(entrants) else None
