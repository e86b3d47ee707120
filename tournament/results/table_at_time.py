"""One table when time is called.

It has the questions of the game's rule, and what follows from the answers.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from django.utils.translation import gettext

from decks.shared.json_shapes import Published
from decks.shared.refusals import Refused
from decks.shared.stated_reasons import StatedReason
from rules import timed
from rules.reason import Param, Reason, Reference
from rules.rendering import translate_text
from rules.timed import BadFact, Question, TimedOutcome
from tournament.clock.models import TimeSettlement
from tournament.clock.selectors import get_stage_word
from tournament.engine.boards import SEAT_LETTERS, Board, Boards, format_board
from tournament.events.models.event import Event
from tournament.events.models.round import Match
from tournament.events.names import format_reasons, names_of_match
from tournament.events.settings import get_games_to_win
from tournament.events.stated_reasons import state_match_reasons
from tournament.web.board_fields import MatchSeat, list_boards

TimeFacts = Mapping[str, object]

NOBODY = "nobody"


@dataclass(frozen=True, slots=True)
class TableQuestion(Published):
    """A question about a table in the players' names, with its answer as in a form."""

    PUBLISHED = {
        "key": "key",
        "reason": "stated_reason",
        "kind": "question.kind",
        "clause": "question.clause",
        "answer": "answer",
    }
    match: Match
    question: Question
    reason: Reason
    choices: tuple[tuple[str, str], ...]
    answer: str
    is_open: bool

    @property
    def key(self) -> str:
        """The name of its field and of its answer among the facts."""
        return self.question.key

    @property
    def stated_reason(self) -> StatedReason:
        """The question."""
        (stated_text,) = state_match_reasons([self.reason], self.match)
        return stated_text

    @property
    def is_count(self) -> bool:
        """Whether a number is requested."""
        return self.question.kind == "count"


@dataclass(frozen=True, slots=True)
class TimeCalled(Published):
    """One table at time: all questions in order, the outcome and the result.

    The result is the one it leads to, if there is one. `games` are those of both players for the result form,
    None while the match is not settled.
    """

    PUBLISHED = {
        "questions": "questions",
        "result": "outcome.result",
        "decided_by": "outcome.decided_by",
        "clause": "outcome.clause",
        "reasons": "stated_reasons",
        "is_ours": "outcome.is_ours",
        "score": "score",
    }
    match: Match
    questions: tuple[TableQuestion, ...]
    outcome: TimedOutcome
    reasons: tuple[Reason, ...]
    games: tuple[int, int] | None
    facts: TimeFacts

    @property
    def stated_reasons(self) -> list[StatedReason]:
        """The state of the match."""
        return state_match_reasons(self.reasons, self.match)

    @property
    def sentence(self) -> str:
        """The state of the match, in words."""
        return format_reasons(self.reasons, names_of_match(self.match))

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
        """Whether the document leaves the decision to the organizer."""
        return self.outcome.result == "ask_organizer"


def settlement_of(match: Match, board: int = 0) -> TimeSettlement | None:
    """Return what was answered at the table or at one of its boards, None before.

    One query.
    """
    return TimeSettlement.objects.filter(match=match, board=board).first()


def load_time_called(match: Match, board: int = 0) -> TimeCalled:
    """Return the table, or one of its boards, with the answers that were saved.

    One query.
    """
    settlement = settlement_of(match, board)
    return evaluate_time_called(match, settlement.facts if settlement else {})


def list_settled_boards(match: Match) -> Boards:
    """Return the boards of a match as they are settled; None for one that is not.

    One query.
    """
    answers = {each.board: each.facts for each in match.settlements.all()}
    boards: list[Board | None] = []
    for board in range(1, match.round.stage.event.board_count + 1):
        games = evaluate_time_called(match, answers.get(board, {})).games
        boards.append([*games, 0] if games else None)
    return boards


def list_seats_at_time(match: Match) -> list[MatchSeat]:
    """Return the seats of a match with their results.

    While it is played, they have what is settled. It takes one query.
    """
    seats = list_boards(match)
    if match.is_finished or not seats:
        return seats
    settled_boards = list_settled_boards(match)
    return [
        replace(seat, score=format_board(board)) for seat, board in zip(seats, settled_boards, strict=True)
    ]


def read_board_number(match: Match, seat: str) -> int:
    """Return the number of a seat by its letter.

    It is 0 for no seat where teams have no boards. Raises Refused.
    """
    count = match.round.stage.event.board_count
    board = SEAT_LETTERS.find(seat.strip().upper()) + 1 if seat.strip() else 0
    if (board == 0) != (count == 0) or board > count or len(seat.strip()) > 1:
        raise Refused("no_such_seat", field="seat", seat=seat.strip()[:4], count=count)
    return board


def evaluate_time_called(match: Match, facts: TimeFacts) -> TimeCalled:
    """Return the table with these answers.

    Answers that no question asks for any more are left out. Asks the database nothing: `match` comes with
    round, stage, event and players.
    """
    event = match.round.stage.event
    rule_context = (event.game, event.rules_version, get_stage_word(match.round.stage), event.match_form)
    questions, used_facts = _collect_questions(rule_context, facts)
    outcome = timed.outcome(*rule_context, used_facts)
    table_questions = tuple(_build_question(question, used_facts, match) for question in questions)
    return TimeCalled(
        match=match,
        questions=table_questions,
        outcome=outcome,
        reasons=tuple(_seat_players(reason, match) for reason in outcome.reasons),
        games=_games_to_enter(event, outcome),
        facts=used_facts,
    )


def _collect_questions(
    rule_context: tuple[str, str, str, str], facts: TimeFacts
) -> tuple[list[Question], dict[str, object]]:
    """Ask as the rule does, each question after the answers before it."""
    asked_questions: list[Question] = []
    used_facts: dict[str, object] = {}
    while True:
        try:
            next_questions = timed.questions(*rule_context, used_facts)
        except BadFact:
            return asked_questions, used_facts
        used_questions = [question for question in asked_questions if question.key in used_facts]
        asked_questions = [*used_questions, *next_questions]
        answered_questions = [question for question in next_questions if question.key in facts]
        if not answered_questions:
            return _drop_needless_questions(rule_context, asked_questions, used_facts)
        used_facts.update({question.key: facts[question.key] for question in answered_questions})


def _drop_needless_questions(
    rule_context: tuple[str, str, str, str], asked_questions: list[Question], used_facts: dict[str, object]
) -> tuple[list[Question], dict[str, object]]:
    """Leave out questions that a No elsewhere makes needless.

    They are left out even if they were asked at the same time.
    """
    needless_keys = {
        question.key for question in asked_questions if used_facts.get(question.unless_no) is False
    }
    kept_facts = {key: value for key, value in used_facts.items() if key not in needless_keys}
    return [question for question in asked_questions if question.key not in needless_keys], kept_facts


def _build_question(question: Question, used_facts: TimeFacts, match: Match) -> TableQuestion:
    return TableQuestion(
        match=match,
        question=question,
        reason=_seat_players(question.reason, match),
        choices=_answer_choices(question, match),
        answer=_format_answer(used_facts[question.key]) if question.key in used_facts else "",
        is_open=question.key not in used_facts,
    )


def _answer_choices(question: Question, match: Match) -> tuple[tuple[str, str], ...]:
    players = (("p1", match.p1.name), ("p2", match.p2.name if match.p2 else ""))
    return {
        "yes_no": (("yes", gettext("Yes")), ("no", gettext("No"))),
        "player": players,
        "player_or_none": (*players, (NOBODY, gettext("No one"))),
        "choice": tuple((choice, translate_text(choice.replace("_", " "))) for choice in question.choices),
        "count": (),
    }[question.kind]


def _format_answer(value: Any) -> str:
    if value is None:
        return NOBODY
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)


def _seat_players(reason: Reason, match: Match) -> Reason:
    """Return a reason of the rules with the actual players.

    They take the places of the first and the second player.
    """
    players: dict[Param, int | None] = {"p1": match.p1_id, "p2": match.p2_id}

    def seat(value: Param) -> Param:
        player = players.get(value) if isinstance(value, str) else None
        return value if player is None else Reference("player", player)

    return Reason(reason.code, {name: seat(value) for name, value in reason.params.items()})


def _games_to_enter(event: Event, outcome: TimedOutcome) -> tuple[int, int] | None:
    """Return the games to enter.

    A winner who is named without leading has won the games that it takes. This is a Ringside default.
    """
    if outcome.result == "draw":
        return outcome.score or (0, 0)
    if outcome.result not in ("p1", "p2"):
        return None
    first, second = outcome.score or (0, 0)
    winner_games, loser_games = (first, second) if outcome.result == "p1" else (second, first)
    if winner_games <= loser_games:
        winner_games = get_games_to_win(event)
    return (winner_games, loser_games) if outcome.result == "p1" else (loser_games, winner_games)
