"""Read an event file into records, or report every problem in it.

Numbers are read exactly: 0.5 is one half. In a match, `p2` null is a bye unless the result says otherwise; a
draw against no one is a half-point bye. A `bye_type` beside two players says that the match was decided
without being played. Half a game each is a drawn game.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any, TypeGuard

from rules.reason import Reason, Reference, reason, replace_references
from rules.text import truncate
from tournament.engine.event_validation import IN_DROPS, find_event_problems
from tournament.engine.problems import EngineProblem, make_error, problem, raise_problems
from tournament.engine.records import Event, Match, Player, PlayerId, Result, Score
from tournament.engine.standings.systems import exact_number

RESULTS = tuple(result.value for result in Result)

ALONE = {
    None: Result.BYE,
    "p1": Result.BYE,
    "draw": Result.BYE,
    "p2": Result.LOSS_NO_OPPONENT,
    "double_loss": Result.LOSS_NO_OPPONENT,
}

HALF = Fraction(1, 2)

MAX_DIGITS = 20


class ProblemCollector:
    """Collects problems while a file is read, so that reading can go on after each."""

    def __init__(self) -> None:
        self.problems: list[EngineProblem] = []

    def add(self, found: EngineProblem, where: Reason | None = None) -> None:
        """Remember a problem, and where it is."""
        self.problems.append(found.at(where))


def read_json(text: str) -> Mapping[str, object]:
    """The JSON object in a text, its numbers exact. Raises EngineError for anything else."""
    text = text.removeprefix("\ufeff")
    if not text.strip():
        raise make_error("input-empty")
    try:
        data = json.loads(text, parse_float=_exact, parse_constant=str)
    except RecursionError:
        raise make_error("input-deep") from None
    except ValueError as fault:
        raise make_error("input-not-json", error=str(fault)) from None
    if not isinstance(data, dict):
        raise make_error("input-not-object")
    return data


def _exact(text: str) -> Score | str:
    number = exact_number(text)
    return text if number is None else number


def _exact_value(entry: Mapping[str, object], key: str) -> Any:
    """What is under a key; a float, where another reader of JSON made one, as it was written."""
    value = entry.get(key)
    return _exact(repr(value)) if isinstance(value, float) else value


def read_event(data: Mapping[str, object], ids: Mapping[PlayerId, int | str] | None = None) -> Event:
    """The event in an object of the contract's shape. Raises EngineError with every problem at once.

    `ids` says what problems call a player, where it is not their number.
    """
    trouble = ProblemCollector()
    players = _players(data.get("players"), trouble)
    rounds = _rounds(data.get("rounds", []), trouble)
    drops = _drops(data.get("drops"), rounds, trouble)
    event = Event(tuple(players), tuple(rounds), drops)
    names = {player: _shown(file_id) for player, file_id in (ids or {}).items()}
    found = [_with_file_ids(each, names) for each in find_event_problems(event)]
    raise_problems([*trouble.problems, *found])
    return event


def _with_file_ids(found: EngineProblem, names: Mapping[PlayerId, str]) -> EngineProblem:
    """The problem with the ids of the file for the numbers of players."""

    def name(reference: Reference) -> Reference:
        known = names.get(reference.key) if isinstance(reference.key, int) else None
        return Reference(reference.kind, known or reference.key)

    return EngineProblem(replace_references(found.reason, name), found.where)


def _players(data: object, trouble: ProblemCollector) -> list[Player]:
    if not isinstance(data, list):
        trouble.add(problem("players-missing"))
        return []
    return [
        p
        for place, entry in enumerate(data, 1)
        if (p := _player(entry, reason("player", player=place), trouble))
    ]


def _player(entry: object, where: Reason, trouble: ProblemCollector) -> Player | None:
    if not isinstance(entry, dict):
        trouble.add(problem("player-shape"), where)
        return None
    number = entry.get("id")
    if not _is_id(number):
        trouble.add(problem("player-id", id=_shown(number)), where)
        return None
    order = entry.get("order")
    if order is not None and not _is_id(order):
        trouble.add(problem("player-order", order=_shown(order)), where)
        order = None
    return Player(number, str(entry.get("name") or ""), order, str(entry.get("group") or ""))


def _rounds(data: object, trouble: ProblemCollector) -> list[tuple[Match, ...]]:
    if not isinstance(data, list):
        trouble.add(problem("rounds-shape"))
        return []
    rounds = []
    for number, entries in enumerate(data, 1):
        if not isinstance(entries, list):
            trouble.add(problem("round-shape"), reason("round", round=number))
            continue
        entries_read = (
            _match(entry, reason("match", round=number, match=n), trouble)
            for n, entry in enumerate(entries, 1)
        )
        rounds.append(tuple(match for match in entries_read if match is not None))
    return rounds


def _match(entry: object, where: Reason, trouble: ProblemCollector) -> Match | None:
    if not isinstance(entry, dict):
        trouble.add(problem("match-shape"), where)
        return None
    p1, p2 = entry.get("p1"), entry.get("p2")
    if not _is_id(p1) or not (p2 is None or _is_id(p2)):
        wrong = p1 if not _is_id(p1) else p2
        trouble.add(problem("match-player", id=_shown(wrong)), where)
        return None
    kind = entry.get("bye_type")
    if p2 is None and kind is None and entry.get("result") == Result.DRAW:
        kind = "half"
    games = _all_games(entry, where, trouble)
    return Match(
        p1=p1,
        p2=p2,
        result=_result(entry.get("result"), p2, where, trouble),
        p1_games=games[0],
        p2_games=games[1],
        draws=games[2],
        p1_score=_score(entry, "p1_score", where, trouble),
        p2_score=_score(entry, "p2_score", where, trouble),
        bye_type=None if kind is None else str(kind),
        bye_points=_score(entry, "bye_points", where, trouble),
        table=entry["table"] if _is_id(entry.get("table")) else None,
        forfeit=bool(entry.get("forfeit")) or (p2 is not None and kind is not None),
    )


def _result(value: object, p2: PlayerId | None, where: Reason, trouble: ProblemCollector) -> Result | None:
    if p2 is None and (value is None or isinstance(value, str)) and value in ALONE:
        return ALONE[value]
    if value is None:
        return None
    if not isinstance(value, str) or value not in list(Result):
        trouble.add(problem("result-unknown", result=_shown(value), known=RESULTS), where)
        return None
    return Result(value)


def _all_games(entry: Mapping[str, object], where: Reason, trouble: ProblemCollector) -> tuple[int, int, int]:
    """Games won by either side and drawn."""
    mine, theirs = (exact_number(_exact_value(entry, key)) for key in ("p1_games", "p2_games"))
    drawn = _games(entry, "draws", where, trouble)
    if mine is not None and theirs is not None and mine % 1 == theirs % 1 == HALF:
        return int(mine - HALF), int(theirs - HALF), drawn + (not drawn)
    return (
        _games(entry, "p1_games", where, trouble),
        _games(entry, "p2_games", where, trouble),
        drawn,
    )


def _games(entry: Mapping[str, object], key: str, where: Reason, trouble: ProblemCollector) -> int:
    value = _exact_value(entry, key)
    if value is None:
        return 0
    if not _is_id(value):
        trouble.add(problem("games-number", key=key, value=_shown(value)), where)
        return 0
    return value


def _score(entry: Mapping[str, object], key: str, where: Reason, trouble: ProblemCollector) -> Score | None:
    value = _exact_value(entry, key)
    if value is None:
        return None
    number = exact_number(value)
    if number is None or number < 0:
        trouble.add(problem("score-number", key=key, value=_shown(value)), where)
        return None
    return number


def _drops(data: object, rounds: Sequence[Sequence[Match]], trouble: ProblemCollector) -> dict[PlayerId, int]:
    """Last rounds by player. Where none is given, it is the last one in which they sat."""
    if isinstance(data, list):
        data = {str(player): None for player in data}
    if data is None:
        return {}
    if not isinstance(data, dict):
        trouble.add(problem("drops-shape"))
        return {}
    drops = {}
    for player, given in data.items():
        last = int(given) if isinstance(given, str) and _is_number(given) else given
        if not _is_number(player.removeprefix("-")) or not (last is None or _is_id(last)):
            trouble.add(problem("drop-shape", player=_shown(player), round=_shown(last)), IN_DROPS)
        else:
            drops[int(player)] = _last_seat(int(player), rounds) if last is None else last
    return drops


def _is_number(text: str) -> bool:
    return text.isdecimal() and len(text) < MAX_DIGITS


def _last_seat(player: PlayerId, rounds: Sequence[Sequence[Match]]) -> int:
    numbers = (
        number for number, matches in enumerate(rounds, 1) if any(player in (m.p1, m.p2) for m in matches)
    )
    return max(numbers, default=0)


def _is_id(value: object) -> TypeGuard[int]:
    return isinstance(value, int) and not isinstance(value, bool)


def _shown(value: object) -> str:
    """A wrong value for a sentence, short enough to be read."""
    return truncate(value if isinstance(value, Fraction) else json.dumps(value, default=str))


def read_entrants(data: Mapping[str, object]) -> int | None:
    """How many entrants a bracket file names; None where it is an event file."""
    entrants = data.get("entrants")
    if isinstance(entrants, list):
        return len(entrants)
    return entrants if _is_id(entrants) else None


FileId = int | str


def assign_numeric_ids(data: Mapping[str, object]) -> tuple[Mapping[str, object], dict[PlayerId, FileId]]:
    """The same event with numbers for ids, in the order of its players, and each number's id in the file.

    A file whose players go by whole numbers all through comes back as it is, with nothing to translate.
    Whoever is named in matches or drops alone gets a number behind all players, for the reader to refuse.

    >>> with_numbers({"players": [{"id": "ann"}, {"id": "bob"}], "drops": {"bob": 1, "7": 2}})[1]
    {1: 'ann', 2: 'bob', 3: '7'}
    """
    players = data.get("players")
    if not isinstance(players, list) or not any(isinstance(_id(entry), str) for entry in players):
        return data, {}
    names = _IdNumbers()
    changed = {
        "players": [_renamed(entry, ("id",), names) for entry in players],
        "rounds": _numbered_rounds(data.get("rounds", []), names),
        "drops": _numbered_drops(data.get("drops"), names),
    }
    return {**data, **changed}, names.ids


class _IdNumbers:
    """The numbers given so far. What is spelled alike is one player, be it a number or a text."""

    def __init__(self) -> None:
        self._numbers: dict[str, PlayerId] = {}
        self.ids: dict[PlayerId, FileId] = {}

    def number(self, file_id: FileId) -> PlayerId:
        number = self._numbers.setdefault(str(file_id), len(self._numbers) + 1)
        self.ids.setdefault(number, file_id)
        return number


def _id(entry: object) -> object:
    return entry.get("id") if isinstance(entry, dict) else None


def _numbered_rounds(rounds: object, names: _IdNumbers) -> object:
    if not isinstance(rounds, list):
        return rounds
    return [
        [_renamed(match, ("p1", "p2"), names) for match in matches] if isinstance(matches, list) else matches
        for matches in rounds
    ]


def _numbered_drops(drops: object, names: _IdNumbers) -> object:
    if isinstance(drops, dict):
        return {str(names.number(player)): last for player, last in drops.items()}
    if isinstance(drops, list):
        return [names.number(player) if _is_name(player) else player for player in drops]
    return drops


def _renamed(entry: object, keys: tuple[str, ...], names: _IdNumbers) -> object:
    if not isinstance(entry, dict):
        return entry
    return {**entry, **{key: names.number(entry[key]) for key in keys if _is_name(entry.get(key))}}


def _is_name(value: object) -> bool:
    return isinstance(value, str | int) and not isinstance(value, bool)
