"""Print an elimination bracket."""

from __future__ import annotations

from argparse import Namespace
from dataclasses import asdict
from typing import TextIO

from tournament.engine.brackets.layout import Bracket, BracketMatch, build_bracket


def run(called: Namespace, stdin: TextIO) -> dict[str, object]:
    """A bracket for a number of entrants, or for those of the file on standard input."""
    if called.entrants is not None:
        return _say(build_bracket(called.kind, called.entrants, called.third_place))
    # A bracket for a number needs none of this.
    from tournament.engine.commands.cut import list_seeds, make_cut
    from tournament.engine.commands.given import read_data
    from tournament.engine.event_file import read_entrants
    from tournament.engine.event_json import read_json

    data = read_json(stdin.read())
    entrants = read_entrants(data)
    if entrants is not None:
        return _say(build_bracket(called.kind, entrants, called.third_place))
    event_input = read_data(called, data)
    if event_input.options.cut is not None:
        seeds = list_seeds(event_input, make_cut(event_input))
    else:
        rows = [row for row in event_input.standings() if row.dropped_after is None]
        seeds = [{"seed": seed, "player": event_input.ids[row.player]} for seed, row in enumerate(rows, 1)]
    bracket = build_bracket(called.kind, len(seeds), called.third_place)
    return event_input.answer(seeds=seeds, **_say(bracket))


def _say(bracket: Bracket) -> dict[str, object]:
    return {
        "kind": bracket.kind,
        "entrants": bracket.entrants,
        "matches": [_say_match(match) for match in bracket.matches],
    }


def _say_match(match: BracketMatch) -> dict[str, object]:
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
