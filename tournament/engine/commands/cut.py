"""Make the cut of an event, or say who is certain of it."""

from __future__ import annotations

from argparse import Namespace
from typing import TextIO

from tournament.engine.commands.given import Given, read_given
from tournament.engine.cut import CutResult, select_cut
from tournament.engine.outlook.projections import project_cut
from tournament.engine.problems import make_error
from tournament.engine.seeded_random import draw_random_numbers
from tournament.engine.wording import format_words


def run(called: Namespace, stdin: TextIO) -> dict[str, object]:
    """The cut of the event on standard input: seeds, alternates and a reason for each player."""
    given = read_given(called, stdin)
    cut = make_cut(given)
    ids = given.ids
    return given.answer(
        size=cut.size,
        seeds=list_seeds(given, cut),
        alternates=[ids[player] for player in cut.reserves],
        decisions=[
            {
                "player": ids[decision.player],
                "rank": decision.rank,
                "in": decision.is_in,
                "code": decision.code,
                "reason": format_words("cut", decision.reason),
            }
            for decision in cut.decisions
        ],
        notes=[format_words("cut", note) for note in cut.notes],
    )


def make_cut(given: Given) -> CutResult:
    """The cut that the options ask for."""
    options = given.options
    if options.cut is None:
        raise make_error("cut-size-missing")
    return select_cut(
        given.standings(),
        options.cut,
        diversity=options.diversity,
        characters=given.characters,
        short=options.short,
        declined=options.declined,
        disqualified=options.disqualified,
        reserves=options.reserves,
    )


def list_seeds(given: Given, cut: CutResult) -> list[dict[str, object]]:
    """The seeds of a cut, as a bracket says them."""
    return [{"seed": place.seed, "player": given.ids[place.player]} for place in cut.places]


def run_outlook(called: Namespace, stdin: TextIO) -> dict[str, object]:
    """Who is certain of the cut, can make it, or cannot."""
    given = read_given(called, stdin)
    if given.pods is not None:
        raise make_error("outlook-pods")
    if given.exits:
        raise make_error("outlook-exits")
    options, event = given.options, given.event
    if options.cut is None:
        raise make_error("cut-size-missing")
    projections = project_cut(
        event,
        options.system,
        rounds_total=len(event.rounds) if options.rounds is None else options.rounds,
        cut_size=options.cut,
        diversity=options.diversity,
        characters=given.characters,
        short=options.short,
        declined=options.declined | options.disqualified,
        lots=None
        if options.seed is None
        else draw_random_numbers((player.id for player in event.players), options.seed),
    )
    return given.answer(
        outlook=[
            {
                "player": given.ids[each.player],
                "outlook": each.outlook,
                "draw_is_safe": each.draw_is_safe,
                "method": each.method,
                "reason": format_words("cut", each.reason),
            }
            for each in projections
        ]
    )
