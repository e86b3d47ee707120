"""Print the standings of an event."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Mapping
from dataclasses import asdict
from typing import TextIO

from rules.text import truncate
from tournament.engine.commands.given import Given, read_given
from tournament.engine.commands.numbers import to_decimal, to_json_number
from tournament.engine.event_ids import FileId
from tournament.engine.problems import make_error
from tournament.engine.records import PlayerId, Score
from tournament.engine.standings.standing import StandingRow
from tournament.engine.standings.systems import System
from tournament.engine.wording import format_words


def run(arguments: Namespace, stdin: TextIO) -> dict[str, object]:
    """Return the standing of the event on standard input."""
    event_input = read_given(arguments, stdin)
    rounds_played = event_input.rounds_played
    if arguments.after is not None and arguments.after > rounds_played:
        raise make_error("round-not-played", round=truncate(arguments.after), played=rounds_played)
    system = event_input.options.system
    return event_input.answer(
        system={
            "name": system.name,
            "tiebreakers": [
                {
                    "key": description.key,
                    "name": format_words("reason", description.name),
                    "formula": format_words("reason", description.formula),
                }
                for description in system.describe()
            ],
        },
        standings=[
            {**_row(row, system, event_input.ids), **_say_exit(event_input, row)}
            for row in event_input.standings(arguments.after)
        ],
    )


def _say_exit(event_input: Given, row: StandingRow) -> dict[str, object]:
    return {"exit": event_input.exits.find_exit(row)} if event_input.has_exits else {}


def _row(row: StandingRow, system: System, ids: Mapping[PlayerId, FileId]) -> dict[str, object]:
    values: dict[str, Score] = {"points": row.points}
    for tiebreaker, value in zip(
        (*system.tiebreakers, *system.extra_tiebreakers), (*row.values, *row.shown_scores), strict=True
    ):
        values |= dict.fromkeys((tiebreaker.key, *tiebreaker.aliases), value)
    return {
        "rank": row.rank,
        "player": ids[row.player],
        **{key: to_json_number(value) for key, value in values.items()},
        **{key: number for key, number in asdict(row.record).items() if key not in values},
        "shared": row.is_shared,
        "dropped_after": row.dropped_after,
        "decimals": {key: to_decimal(value) for key, value in values.items()},
    }
