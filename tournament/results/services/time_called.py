"""Save the answers at a match when time is called, and enter its result."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from decks.shared.refusals import Refused, refuse_all
from decks.shared.wording import say_reason
from rules.reason import reasons_to_json
from tournament.access.permissions import Actor
from tournament.clock.models import TimeSettlement
from tournament.engine.boards import SEAT_LETTERS
from tournament.events.models.round import Match
from tournament.events.names import names_of_match
from tournament.log.step import Recorder, step
from tournament.results.services import results
from tournament.results.services.writing import reload_match
from tournament.results.table_at_time import (
    NOBODY,
    TimeCalled,
    evaluate_time_called,
    list_settled_boards,
    load_time_called,
    read_board_number,
    settlement_of,
)

MAX_COUNT = 9999
INVALID_ANSWER = object()


def save_answers(match: Match, actor: Actor, answers: Mapping[str, object], *, seat: str = "") -> TimeCalled:
    """Store the answers at a table and return the state of the match.

    In a match with boards, the table is one of its seats. `answers` are values, or the words of a form (“2”,
    “yes”, “p1”, “no one”; empty: none), by the keys of the questions. Raises Refused, with every answer that
    is none, when a match has no opponent or the round is a draft, and for a seat that the match does not
    have.
    """
    with step(match.round.stage.event, actor) as recorder:
        locked_match = _reload_match(recorder, match)
        board = read_board_number(locked_match, seat)
        facts = _read_answers(locked_match, answers)
        time_called = evaluate_time_called(locked_match, facts)
        _save_settlement(recorder, locked_match, board, time_called)
    return time_called


def enter_settled_result(match: Match, actor: Actor, *, seen_revision: int | None = None) -> Match:
    """Enter the result that follows from the kept answers.

    If there are boards, it is the result of all of them. `seen_revision` is what the page showed, as for
    every result. Raises Refused while there is none.
    """
    if match.round.stage.event.has_boards:
        boards = list_settled_boards(match)
        return results.enter_result(
            match, actor, boards=boards, ending=Match.Ending.TIME, seen_revision=seen_revision
        )
    time_called = load_time_called(match)
    if time_called.games is None:
        raise Refused("not_settled_yet", why=time_called.sentence)
    return results.enter_result(
        match,
        actor,
        p1_games=time_called.games[0],
        p2_games=time_called.games[1],
        ending=Match.Ending.TIME,
        seen_revision=seen_revision,
        settlement=time_called,
    )


def _reload_match(recorder: Recorder, match: Match) -> Match:
    """Return the match under the lock. Raises when there is nothing to settle."""
    locked_match = reload_match(recorder, match)
    if locked_match.is_bye:
        raise Refused("bye_stands.time")
    if locked_match.round.is_draft:
        raise Refused("round_is_draft")
    return locked_match


def _read_answers(match: Match, answers: Mapping[str, object]) -> dict[str, object]:
    """Return the answers as facts.

    Each is read by the question that asks for it, in the order of the rule.
    """
    facts: dict[str, object] = {}
    while True:
        questions = evaluate_time_called(match, facts).questions
        new_questions = [one for one in questions if one.is_open and _is_given(answers.get(one.key))]
        if not new_questions:
            return facts
        problems, parsed_answers, names = [], {}, names_of_match(match)
        for one in new_questions:
            value = _parse_answer(one.question.kind, answers[one.key], dict(one.choices))
            if value is INVALID_ANSWER:
                problems.append(_invalid_answer(one.key, say_reason(one.reason, names), answers[one.key]))
            parsed_answers[one.key] = value
        refuse_all(problems)
        facts.update(parsed_answers)


def _is_given(value: Any) -> bool:
    return value is not None and not (isinstance(value, str) and not value.strip())


def _invalid_answer(key: str, sentence: str, value: Any) -> Refused:
    return Refused("no_answer", field=key, value=str(value)[:40], sentence_text=sentence)


def _parse_answer(kind: str, value: Any, choices: Mapping[str, str]) -> Any:
    """Return an answer as a fact, NONE_OF_THEM for none of its kind."""
    if kind == "count":
        return _parse_count(value)
    if kind == "yes_no" and isinstance(value, bool):
        return value
    word = value.strip().casefold() if isinstance(value, str) else ""
    if word not in choices:
        return INVALID_ANSWER
    return {"yes": True, "no": False, NOBODY: None}.get(word, word)


def _parse_count(value: Any) -> Any:
    text = str(value).strip() if isinstance(value, int | str) and not isinstance(value, bool) else ""
    if not (text.isascii() and text.isdecimal() and len(text) <= len(str(MAX_COUNT))):
        return INVALID_ANSWER
    return int(text)


def _save_settlement(recorder: Recorder, match: Match, board: int, time_called: TimeCalled) -> None:
    values = dict(_settlement_values(recorder, time_called))
    settlement = settlement_of(match, board)
    if settlement is not None and settlement.facts == time_called.facts:
        return
    if settlement is None:
        recorder.create(TimeSettlement(match=match, board=board, **values))
    else:
        recorder.update(settlement, **values)
    if board:
        seat = SEAT_LETTERS[board - 1]
        recorder.log("time_answered.board", match=match, seat=seat, outcome=time_called.reasons)
    else:
        recorder.log("time_answered", match=match, outcome=time_called.reasons)


def _settlement_values(recorder: Recorder, time_called: TimeCalled) -> Iterator[tuple[str, Any]]:
    outcome = time_called.outcome
    yield "facts", dict(time_called.facts)
    yield "result", outcome.result
    yield "decided_by", (outcome.decided_by or "")[:40]
    yield "clause", outcome.clause[:120]
    yield "document", f"{outcome.document} {outcome.version}"[:200]
    yield "reasons", reasons_to_json(time_called.reasons)
    yield "is_ours", outcome.is_ours
    yield "settled_by", recorder.actor.author[:120]
    yield "settled_at", recorder.now
