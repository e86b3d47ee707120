"""Print an elimination bracket."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Mapping
from typing import TextIO

from tournament.engine.brackets.layout import Bracket, BracketMatch, Feed, build_bracket
from tournament.engine.problems import make_error

Answer = dict[str, object]


def run(arguments: Namespace, stdin: TextIO) -> Answer:
    """Return a bracket for a number of entrants.

    Alternatively, the entrants are those of the file on standard input.
    """
    if arguments.entrants is not None:
        return _draw(arguments, arguments.entrants)
    # A bracket for a number needs none of this.
    from tournament.engine.commands.cut import list_seeds, make_cut
    from tournament.engine.commands.given import read_data
    from tournament.engine.event_file import read_entrants
    from tournament.engine.event_json import read_json

    data = read_json(stdin.read())
    entrants = read_entrants(data)
    if entrants is not None:
        return _draw(arguments, entrants)
    event_input = read_data(arguments, data)
    if event_input.options.cut is not None:
        seeds = list_seeds(event_input, make_cut(event_input))
    else:
        rows = [row for row in event_input.standings() if row.dropped_after is None]
        if event_input.exits.wins:
            rows = [row for row in rows if event_input.exits.find_exit(row) == "qualified"]
        seeds = [{"seed": seed, "player": event_input.ids[row.player]} for seed, row in enumerate(rows, 1)]
    return event_input.answer(seeds=seeds, **_draw(arguments, len(seeds)))


def _draw(arguments: Namespace, entrants: int) -> Answer:
    if not arguments.reset and arguments.kind != "double":
        raise make_error("bracket-reset")
    if arguments.kind == "groups":
        return _draw_groups(arguments, entrants)
    bracket = build_bracket(
        arguments.kind,
        entrants,
        arguments.third_place,
        consolation=arguments.consolation,
        reset=arguments.reset,
    )
    return {"kind": bracket.kind, "entrants": bracket.entrants, "matches": _say_matches(bracket)}


def _draw_groups(arguments: Namespace, entrants: int) -> Answer:
    from tournament.engine.brackets.groups_of_four import QUALIFIERS, build_elimination_groups

    if arguments.third_place:
        raise make_error("bracket-third")
    if arguments.consolation:
        raise make_error("bracket-consolation")
    groups, matches = build_elimination_groups(entrants), list[Answer]()
    for group in groups:
        seeds = dict(enumerate(group.seeds, 1))
        matches += _say_matches(group.bracket, seeds, len(matches), group=group.number)
    return {
        "kind": arguments.kind,
        "entrants": entrants,
        "groups": [
            {"group": group.number, "seeds": list(group.seeds), "qualify": QUALIFIERS} for group in groups
        ],
        "matches": matches,
    }


def _say_matches(
    bracket: Bracket, seeds: Mapping[int, int] | None = None, before: int = 0, **more: object
) -> list[Answer]:
    """Return the matches with seeds of the whole field.

    The ids continue after those of earlier groups.
    """
    return [{**more, **_say_match(match, seeds or {}, before)} for match in bracket.matches]


def _say_match(match: BracketMatch, seeds: Mapping[int, int], before: int) -> Answer:
    def shift(number: int | None) -> int | None:
        return None if number is None else number + before

    def name(seed: int | None) -> int | None:
        return None if seed is None else seeds.get(seed, seed)

    def say(feed: Feed | None) -> Answer | None:
        return None if feed is None else {"outcome": feed.outcome, "match": shift(feed.match)}

    return {
        "id": shift(match.id),
        "bracket": match.side,
        "round": match.round,
        "p1": name(match.p1),
        "p2": name(match.p2),
        "p1_from": say(match.p1_from),
        "p2_from": say(match.p2_from),
        "winner_to": shift(match.winner_to),
        "loser_to": shift(match.loser_to),
        "if_needed": match.if_needed,
    }
