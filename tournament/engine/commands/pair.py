"""Pair the next Swiss round of an event, or repair its last one."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Sequence
from typing import TYPE_CHECKING, TextIO

from rules.reason import reason
from tournament.engine.commands.coming_round import ComingRound
from tournament.engine.commands.exits import say_exits
from tournament.engine.commands.given import Given, read_given
from tournament.engine.commands.numbers import to_json_number
from tournament.engine.pairing.model import Pairing, PairingTable
from tournament.engine.problems import make_error, problem, raise_problems
from tournament.engine.records import Match, PlayerId

if TYPE_CHECKING:
    from tournament.engine.pairing.inside_pods import JoinedRound


def run(arguments: Namespace, stdin: TextIO) -> dict[str, object]:
    """Return the next round of the event on standard input."""
    event_input = _read_seeded(arguments, stdin)
    with event_input.naming_players():
        return _pair(event_input)


def _pair(event_input: Given) -> dict[str, object]:
    if event_input.pods is not None and event_input.options.sides is not None:
        from tournament.engine.commands import pods

        return pods.pair(event_input, event_input.pods, event_input.options.sides)
    _refuse_running(event_input.event.rounds)
    coming_round = ComingRound(event_input, event_input.event, len(event_input.event.rounds) + 1)
    if event_input.options.draft_pods:
        return event_input.answer(**_pair_draft_pods(event_input, coming_round), **say_exits(event_input))
    pairing = coming_round.pair()
    answer = {**_say_tables(event_input, pairing), "seed": event_input.options.seed, "cost": _cost(pairing)}
    return event_input.answer(**answer, **say_exits(event_input))


def _pair_draft_pods(event_input: Given, coming_round: ComingRound) -> dict[str, object]:
    """Return a round inside draft pods.

    It has the tables by number, and the bye of each odd pod.
    """
    from tournament.engine.commands.draft_pods import pair_draft_pods

    joined_pairing = pair_draft_pods(coming_round, event_input.options.draft_pods)
    return {
        "pairings": _list_pairings(event_input, joined_pairing.tables),
        "byes": [event_input.ids[player] for player, _ in joined_pairing.byes],
        "seed": event_input.options.seed,
        "cost": _cost(joined_pairing),
    }


def run_repair(arguments: Namespace, stdin: TextIO) -> dict[str, object]:
    """Return the repaired last round of the event on standard input.

    The repair follows changes of scores or players.
    """
    event_input = _read_seeded(arguments, stdin)
    with event_input.naming_players():
        return _repair(event_input)


def _repair(event_input: Given) -> dict[str, object]:
    if event_input.pods is not None and event_input.options.sides is not None:
        from tournament.engine.commands import pods

        return pods.repair(event_input, event_input.pods, event_input.options.sides)
    if event_input.options.draft_pods:
        raise make_error("draft-pods-repair")
    rounds = event_input.event.rounds
    if not rounds:
        raise make_error("repair-nothing")
    _refuse_running(rounds[:-1])
    coming_round = ComingRound(event_input, event_input.event._replace(rounds=rounds[:-1]), len(rounds))
    tables, bye = _read_published(rounds[-1])
    finished_tables = [table.number for table, match in tables if match.result is not None]
    repaired_round = coming_round.repair([table for table, _ in tables], finished_tables, bye)
    return event_input.answer(
        nearest={
            **_say_tables(event_input, repaired_round.nearest_pairing),
            "touched": list(repaired_round.changed_tables),
        },
        fresh={
            **_say_tables(event_input, repaired_round.new_pairing),
            "touched": list(repaired_round.changed_tables_of_new),
        },
        bye_moved=repaired_round.bye_moved,
        fewest=repaired_round.is_fewest,
        seed=event_input.options.seed,
        cost=_cost(repaired_round.nearest_pairing),
    )


def _read_seeded(arguments: Namespace, stdin: TextIO) -> Given:
    event_input = read_given(arguments, stdin)
    if event_input.options.seed is None:
        raise make_error("seed-missing")
    return event_input


def _read_published(matches: Sequence[Match]) -> tuple[list[tuple[PairingTable, Match]], PlayerId | None]:
    """Return the tables of a round, and who has the bye.

    The tables are numbered by the file, or in its order.
    """
    pairs = [match for match in matches if match.p2 is not None]
    taken_tables = {match.table for match in pairs}
    free = iter(number for number in range(1, 2 * len(pairs) + 2) if number not in taken_tables)
    tables = [
        (PairingTable(next(free) if m.table is None else m.table, m.p1, m.p2), m)
        for m in pairs
        if m.p2 is not None
    ]
    return tables, next((match.p1 for match in matches if match.p2 is None), None)


def _refuse_running(rounds: Sequence[Sequence[Match]]) -> None:
    raise_problems(
        problem("match-running").at(reason("match", round=number, match=place))
        for number, matches in enumerate(rounds, 1)
        for place, match in enumerate(matches, 1)
        if match.result is None
    )


def _say_tables(event_input: Given, pairing: Pairing) -> dict[str, object]:
    bye = None if pairing.bye is None else event_input.ids[pairing.bye]
    return {"pairings": _list_pairings(event_input, pairing.tables), "bye": bye}


def _list_pairings(event_input: Given, tables: Sequence[PairingTable]) -> list[dict[str, object]]:
    ids = event_input.ids
    return [{"table": t.number, "p1": ids[t.p1], "p2": ids[t.p2]} for t in tables]


def _cost(pairing: Pairing | JoinedRound) -> dict[str, object]:
    cost, certificate = pairing.cost, pairing.certificate
    return {
        "forbidden": cost.forbidden_count,
        "rematches": cost.rematches,
        "third_meetings": cost.third_meetings,
        "immediate": cost.immediate_count,
        "bye_score": None if cost.bye_score is None else to_json_number(cost.bye_score),
        "floats": to_json_number(cost.floats),
        "unwished": cost.unwished_count,
        "proved": certificate.is_proved,
        "method": certificate.method,
    }
