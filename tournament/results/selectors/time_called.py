"""A table when time is called: what was answered, what is still asked, what the rule makes of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from rules import timed
from rules.timed import BadFact, Outcome, Question
from tournament.clock.models import TimeSettlement
from tournament.clock.selectors import stage_word
from tournament.events.game_terms import games_to_win
from tournament.events.models.event import Event
from tournament.events.models.round import Match

Facts = Mapping[str, Any]
NOBODY = "nobody"


@dataclass(frozen=True, slots=True)
class Asked:
    """A question about a table in the players' names, with its answer as a form holds it."""

    question: Question
    sentence: str
    choices: tuple[tuple[str, str], ...]
    answer: str
    is_open: bool

    @property
    def key(self) -> str:
        """The name of its field and of its answer among the facts."""
        return self.question.key

    @property
    def is_count(self) -> bool:
        """Whether a number is asked for."""
        return self.question.kind == "count"


@dataclass(frozen=True, slots=True)
class TimeCalled:
    """One table at time: all questions in order, the outcome, and the result it leads to, where there is one.

    `games` are those of both players for the result form, None while the match is not settled.
    """

    match: Match
    asked: tuple[Asked, ...]
    outcome: Outcome
    sentence: str
    games: tuple[int, int] | None
    facts: Facts

    @property
    def is_settled(self) -> bool:
        """Whether a result follows."""
        return self.games is not None

    @property
    def score(self) -> str:
        """The result as people write it."""
        return f"{self.games[0]}-{self.games[1]}" if self.games else ""

    @property
    def goes_to_organizer(self) -> bool:
        """Whether the document leaves it to the organizer."""
        return self.outcome.result == "ask_organizer"


def settlement_of(match: Match) -> TimeSettlement | None:
    """What was answered at the table, None before. One query."""
    return TimeSettlement.objects.filter(match=match).first()


def time_called(match: Match, facts: Facts) -> TimeCalled:
    """The table with these answers; answers that no question asks for any more are left out.

    Asks the database nothing: `match` comes with round, stage, event and players.
    """
    event = match.round.stage.event
    where = (event.game, event.rules_version, stage_word(match.round.stage), event.match_form)
    questions, used = _walk(where, facts)
    outcome = timed.outcome(*where, used)
    asked = tuple(_asked(question, used, match) for question in questions)
    return TimeCalled(
        match=match,
        asked=asked,
        outcome=outcome,
        sentence=named(outcome.sentence, match),
        games=_games(event, outcome),
        facts=used,
    )


def _walk(where: tuple[str, str, str, str], facts: Facts) -> tuple[list[Question], dict[str, Any]]:
    """Ask as the rule does, each question after the answers before it."""
    asked: list[Question] = []
    used: dict[str, Any] = {}
    while True:
        try:
            following = timed.questions(*where, used)
        except BadFact:
            return asked, used
        known = [question for question in asked if question.key in used]
        asked = [*known, *following]
        answered = [question for question in following if question.key in facts]
        if not answered:
            return _without_needless(where, asked, used)
        used.update({question.key: facts[question.key] for question in answered})


def _without_needless(
    where: tuple[str, str, str, str], asked: list[Question], used: dict[str, Any]
) -> tuple[list[Question], dict[str, Any]]:
    """Leave out what a No elsewhere makes needless, though it was asked in the same breath."""
    needless = {question.key for question in asked if used.get(question.unless_no) is False}
    kept = {key: value for key, value in used.items() if key not in needless}
    return [question for question in asked if question.key not in needless], kept


def _asked(question: Question, used: Facts, match: Match) -> Asked:
    return Asked(
        question=question,
        sentence=named(question.sentence, match),
        choices=_choices(question, match),
        answer=_as_text(used[question.key]) if question.key in used else "",
        is_open=question.key not in used,
    )


def _choices(question: Question, match: Match) -> tuple[tuple[str, str], ...]:
    players = (("p1", match.p1.name), ("p2", match.p2.name if match.p2 else ""))
    return {
        "yes_no": (("yes", "Yes"), ("no", "No")),
        "player": players,
        "player_or_none": (*players, (NOBODY, "Nobody")),
        "choice": tuple((choice, choice.replace("_", " ")) for choice in question.choices),
        "count": (),
    }[question.kind]


def _as_text(value: Any) -> str:
    if value is None:
        return NOBODY
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)


def named(sentence: str, match: Match) -> str:
    """A sentence of the rules with the players' names."""
    other = match.p2.name if match.p2 else "nobody"
    for place, name in (("first", match.p1.name), ("second", other)):
        sentence = sentence.replace(f"The {place} player", name).replace(f"the {place} player", name)
    return sentence


def _games(event: Event, outcome: Outcome) -> tuple[int, int] | None:
    """The games to enter; who is named as the winner without leading has won those that it takes (ours)."""
    if outcome.result == "draw":
        return outcome.score or (0, 0)
    if outcome.result not in ("p1", "p2"):
        return None
    first, second = outcome.score or (0, 0)
    won, lost = (first, second) if outcome.result == "p1" else (second, first)
    if won <= lost:
        won = games_to_win(event)
    return (won, lost) if outcome.result == "p1" else (lost, won)
