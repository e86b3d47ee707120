"""Make the cut of an event, or say who is certain of it."""

from __future__ import annotations

from argparse import Namespace
from typing import TextIO

from tournament.engine.commands.given import Given, read_given
from tournament.engine.cut import CutResult, select_cut
from tournament.engine.outlook.projections import project_cut
from tournament.engine.problems import make_error
from tournament.engine.seeded_random import draw_random_numbers


def run(arguments: Namespace, stdin: TextIO) -> dict[str, object]:
    """Return the cut of the event on standard input.

    It has the seeds, the alternates and a reason for each player.
    """
    event_input = read_given(arguments, stdin)
    cut = make_cut(event_input)
    ids = event_input.ids
    return event_input.answer(
        size=cut.size,
        seeds=list_seeds(event_input, cut),
        alternates=[ids[player] for player in cut.reserves],
        decisions=[
            {
                "player": ids[decision.player],
                "rank": decision.rank,
                "in": decision.is_in,
                "code": decision.code,
                "reason": event_input.format_sentence("cut", decision.reason),
            }
            for decision in cut.decisions
        ],
        notes=[event_input.format_sentence("cut", note) for note in cut.notes],
    )


def make_cut(event_input: Given) -> CutResult:
    """Return the cut that the options ask for."""
    options = event_input.options
    if options.cut is None:
        raise make_error("cut-size-missing")
    with event_input.naming_players():
        return select_cut(
            event_input.standings(),
            options.cut,
            diversity=options.diversity,
            characters=event_input.characters,
            short=options.short,
            decliners=options.declined,
            disqualified_players=options.disqualified,
            reserves=options.reserves,
        )


def list_seeds(event_input: Given, cut: CutResult) -> list[dict[str, object]]:
    """Return the seeds of a cut, as a bracket says them."""
    return [{"seed": place.seed, "player": event_input.ids[place.player]} for place in cut.places]


def run_outlook(arguments: Namespace, stdin: TextIO) -> dict[str, object]:
    """Return who is certain of the cut, can make it, or cannot."""
    event_input = read_given(arguments, stdin)
    if event_input.pods is not None:
        raise make_error("outlook-pods")
    if event_input.has_exits:
        raise make_error("outlook-exits")
    options, event = event_input.options, event_input.event
    if options.cut is None:
        raise make_error("cut-size-missing")
    with event_input.naming_players():
        projections = project_cut(
            event,
            options.system,
            rounds_total=len(event.rounds) if options.rounds is None else options.rounds,
            cut_size=options.cut,
            diversity=options.diversity,
            characters=event_input.characters,
            short=options.short,
            decliners=options.declined | options.disqualified,
            lots=None
            if options.seed is None
            else draw_random_numbers((player.id for player in event.players), options.seed),
        )
    return event_input.answer(
        outlook=[
            {
                "player": event_input.ids[each.player],
                "outlook": each.outlook,
                "draw_is_safe": each.draw_is_safe,
                "method": each.method,
                "reason": event_input.format_sentence("cut", each.reason),
            }
            for each in projections
        ]
    )
