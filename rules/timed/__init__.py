"""The procedure when time is called.

It has questions to ask, and an outcome with its clause.

    from rules import timed

    timed.questions("ufs", "1.9", "swiss", "best_of_3_50min", {})     # what to ask next
    timed.outcome("ufs", "1.9", "swiss", "best_of_3_50min", facts)    # the result, once all is answered
    timed.clock("ufs", "1.9", "best_of_3_50min").minutes              # 50
    timed.end_steps("ufs", "1.9", "swiss")                            # what the venue does, step by step

`facts` are the answers by the questions' keys. Two players are "p1" and "p2" throughout. Without a version
(None) the highest one counts. Unknown games and versions raise `rules.UnknownFormat`, unknown match forms
`BadFact`.
"""

from __future__ import annotations

from collections.abc import Mapping

from rules.timed.facts import BadFact, Facts
from rules.timed.model import ClockRules, Concession, EndStep, FirstTurn, Player, Question, TimedOutcome
from rules.timed.procedure import get_procedure

__all__ = [
    "BadFact",
    "ClockRules",
    "Concession",
    "EndStep",
    "FirstTurn",
    "Question",
    "TimedOutcome",
    "answer",
    "clock",
    "concession",
    "end_steps",
    "first_turn",
    "outcome",
    "questions",
]


def questions(
    game: str, version: str | None, stage: str, match_form: str, facts: Mapping[str, object]
) -> tuple[Question, ...]:
    """Return what must be asked next, given the answers so far.

    Empty once the match can be settled. Raises `BadFact` for an answer of the wrong kind, an unknown stage or
    match form.
    """
    return get_procedure(game, version).questions(stage, match_form, Facts(facts))


def outcome(
    game: str, version: str | None, stage: str, match_form: str, facts: Mapping[str, object]
) -> TimedOutcome:
    """Return the state of the match.

    Open questions and answers that cannot be true give "facts_needed".
    """
    procedure = get_procedure(game, version)
    known_facts = Facts(facts)
    try:
        still_open = tuple(q for q in procedure.questions(stage, match_form, known_facts) if not q.later)
        return (
            procedure.still_open(still_open)
            if still_open
            else procedure.outcome(stage, match_form, known_facts)
        )
    except BadFact as problem:
        return procedure.misread(problem)


def clock(game: str, version: str | None, match_form: str) -> ClockRules:
    """Return the clock of a round in that match form."""
    return get_procedure(game, version).clock(match_form)


def end_steps(game: str, version: str | None, stage: str) -> tuple[EndStep, ...]:
    """Return what happens when time is called in such a stage, in order.

    Raises `BadFact` for an unknown stage.
    """
    return get_procedure(game, version).end_steps(stage)


def first_turn(
    game: str, version: str | None, *, game_in_match: int = 1, previous_loser: Player | None = None
) -> FirstTurn:
    """Return who settles the first turn of a game (counted from 1).

    `previous_loser` is "p1", "p2" or None.
    """
    return get_procedure(game, version).first_turn(game_in_match, previous_loser)


def concession(game: str, version: str | None) -> Concession:
    """Return what giving up means in this game."""
    return get_procedure(game, version).concession()


def answer(case: Mapping[str, object]) -> Mapping[str, object]:
    """Return the answer to one worked example (see `rules.timed.cases`).

    The example has `game`, `kind`, `input`, ….
    """
    from rules.timed.cases import answer_case as answered

    return answered(case)
