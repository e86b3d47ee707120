"""Commands of the command line: read an event, return JSON data."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Mapping
from dataclasses import asdict
from typing import TextIO

from rules.reason import reason
from rules.text import truncate
from tournament.engine.brackets.layout import Bracket, BracketMatch, build_bracket
from tournament.engine.event_file import FileId, assign_numeric_ids, read_entrants, read_event, read_json
from tournament.engine.pairing.model import Entrant, Pairing
from tournament.engine.pairing.swiss import pair_round
from tournament.engine.problems import EngineError, EngineProblem, make_error, problem, raise_problems
from tournament.engine.records import Event, PlayerId, Score
from tournament.engine.seeded_random import SeededRandom, draw_random_numbers
from tournament.engine.standings.standing import StandingRow, System, compute_standings, load_system
from tournament.engine.wording import format_words

DIGITS = 12


def run_standings(options: Namespace, stdin: TextIO) -> dict[str, object]:
    """The standing of the event on standard input."""
    system, event, ids = _given(options, stdin)
    rows = compute_standings(event, system, after_round=options.after, lots=_lots(options, event))
    return {
        "system": {
            "name": system.name,
            "tiebreakers": [
                {
                    "key": described.key,
                    "name": format_words("reason", described.name),
                    "formula": format_words("reason", described.formula),
                }
                for described in system.describe()
            ],
        },
        "standings": [_row(row, system, ids) for row in rows],
    }


def _given(options: Namespace, stdin: TextIO) -> tuple[System, Event, Mapping[PlayerId, FileId]]:
    """The system asked for and the event read. Raises EngineError with what is wrong with either."""
    problems: list[EngineProblem] = []
    try:
        system = _system(options)
    except EngineError as fault:
        problems += fault.problems
    try:
        event, ids = _read(read_json(stdin.read()))
    except EngineError as fault:
        problems += fault.problems
    raise_problems(problems)
    return system, event, ids


def _read(data: Mapping[str, object]) -> tuple[Event, Mapping[PlayerId, FileId]]:
    """The event of a file, and what its players are called there."""
    numbered, ids = assign_numeric_ids(data)
    event = read_event(numbered, ids)
    return event, ids or {player.id: player.id for player in event.players}


def _lots(options: Namespace, event: Event) -> dict[PlayerId, int] | None:
    return None if options.seed is None else draw_random_numbers((p.id for p in event.players), options.seed)


def _system(options: Namespace) -> System:
    return load_system(
        options.system,
        floor=options.floor,
        own_floor=options.own_floor,
        drawn_games=options.drawn_games,
        year=options.year,
    )


def _row(row: StandingRow, system: System, ids: Mapping[PlayerId, FileId]) -> dict[str, object]:
    values: dict[str, Score] = {"points": row.points}
    for tiebreaker, value in zip(
        (*system.tiebreakers, *system.shown), (*row.values, *row.shown), strict=True
    ):
        values |= dict.fromkeys((tiebreaker.key, *tiebreaker.aliases), value)
    return {
        "rank": row.rank,
        "player": ids[row.player],
        **{key: to_json_number(value) for key, value in values.items()},
        **{key: number for key, number in asdict(row.record).items() if key not in values},
        "shared": row.shared,
        "dropped_after": row.dropped_after,
        "decimals": {key: to_decimal(value) for key, value in values.items()},
    }


def to_json_number(value: Score) -> int | str:
    """An exact value for JSON: a whole number as it is, a fraction as text."""
    return value if isinstance(value, int) else str(value)


def to_decimal(value: Score) -> str:
    """A value as a decimal of at most twelve places, halves rounded up, without trailing zeros."""
    if isinstance(value, int):
        return str(value)
    scale: int = 10**DIGITS
    top, bottom = abs(value.numerator) * scale, value.denominator
    whole, part = divmod((2 * top + bottom) // (2 * bottom), scale)
    return f"{'-' if value < 0 else ''}{whole}.{part:0{DIGITS}}".rstrip("0").rstrip(".")


def run_pair(options: Namespace, stdin: TextIO) -> dict[str, object]:
    """The next round of the event on standard input."""
    system, event, ids = _given(options, stdin)
    _refuse_running(event)
    played = len(event.rounds)
    _refuse_rounds(options.rounds, played)
    left = None if options.rounds is None else max(options.rounds - played - 1, 0)
    seed = _round_seed(options.seed, played + 1)
    pairing = pair_round(_entrants(event, system), _met(event), seed=seed, rounds_left=left)
    return {
        "pairings": [{"table": t.number, "p1": ids[t.p1], "p2": ids[t.p2]} for t in pairing.tables],
        "bye": None if pairing.bye is None else ids[pairing.bye],
        "seed": options.seed,
        "cost": _cost(pairing),
    }


def _round_seed(seed: int, number: int) -> int:
    """A seed of its own for every round, so that one seed for a whole event favours no one all along."""
    return SeededRandom(seed, f"seed of round {number}").below(1 << 62)


def _refuse_running(event: Event) -> None:
    raise_problems(
        problem("match-running").at(reason("match", round=number, match=place))
        for number, matches in enumerate(event.rounds, 1)
        for place, match in enumerate(matches, 1)
        if match.result is None
    )


def _refuse_rounds(planned: int | None, played: int) -> None:
    if planned is not None and planned <= played:
        raise make_error("rounds-played", planned=truncate(planned), played=played, least=played + 1)


def _entrants(event: Event, system: System) -> list[Entrant]:
    """Who plays on, with points and the byes that should not be repeated."""
    following = len(event.rounds) + 1
    return [
        Entrant(id=row.player, score=row.points, byes=row.ranking_data.byes[row.row])
        for row in compute_standings(event, system)
        if event.drops.get(row.player, following) >= following
    ]


def _met(event: Event) -> list[tuple[PlayerId, PlayerId]]:
    return [(m.p1, m.p2) for matches in event.rounds for m in matches if m.p2 is not None]


def _cost(pairing: Pairing) -> dict[str, object]:
    cost, certificate = pairing.cost, pairing.certificate
    return {
        "rematches": cost.rematches,
        "bye_score": None if cost.bye_score is None else to_json_number(cost.bye_score),
        "floats": to_json_number(cost.floats),
        "proved": certificate.proved,
        "method": certificate.method,
    }


def run_bracket(options: Namespace, stdin: TextIO) -> dict[str, object]:
    """A bracket for a number of entrants, or for those of the file on standard input."""
    if options.entrants is not None:
        return _bracket(build_bracket(options.kind, options.entrants, options.third_place))
    data = read_json(stdin.read())
    entrants = read_entrants(data)
    if entrants is not None:
        return _bracket(build_bracket(options.kind, entrants, options.third_place))
    event, ids = _read(data)
    table = compute_standings(event, _system(options), lots=_lots(options, event))
    rows = [row for row in table if row.dropped_after is None]
    answer = _bracket(build_bracket(options.kind, len(rows), options.third_place))
    return {
        "seeds": [{"seed": seed, "player": ids[row.player]} for seed, row in enumerate(rows, 1)],
        **answer,
    }


def _bracket(bracket: Bracket) -> dict[str, object]:
    return {
        "kind": bracket.kind,
        "entrants": bracket.entrants,
        "matches": [_match(m) for m in bracket.matches],
    }


def _match(match: BracketMatch) -> dict[str, object]:
    return {
        "id": match.id,
        "bracket": match.side,
        "round": match.round,
        "p1": match.p1,
        "p2": match.p2,
        "p1_from": match.p1_from and asdict(match.p1_from),
        "p2_from": match.p2_from and asdict(match.p2_from),
        "winner_to": match.winner_to,
        "loser_to": match.loser_to,
        "if_needed": match.if_needed,
    }
