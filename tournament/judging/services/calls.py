"""Judge calls: call, take, resolve; record rulings at tables."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from decks.shared.refusals import Conflict, Refused, refuse_all
from decks.shared.rows import find_row
from rules.reason import Reason
from tournament.access.permissions import SYSTEM_ACTOR, Actor
from tournament.decklists.services.exchanges import current_match
from tournament.events.models.event import Event
from tournament.events.models.player import Player
from tournament.events.models.round import Match
from tournament.judging.models import JudgeCall, TableRuling
from tournament.judging.selectors import is_call_live
from tournament.judging.services.match_location import link_log_to_match, match_location
from tournament.log.step import Recorder, step
from tournament.shared.coded_texts import format_coded_text

MAX_CALL_LENGTH = 200


def call_judge(player: Player, actor: Actor, *, topic: str = "", words: str = "") -> JudgeCall:
    """Call a judge for a player.

    A call that is open already is returned as it is. Raises Refused. A call that outlived its match is
    closed.
    """
    words = " ".join(words.split())
    with step(player.event, actor) as recorder:
        open_call = recorder.event.judge_calls.filter(player=player, closed_at__isnull=True).first()
        if open_call is not None and is_call_live(open_call):
            return open_call
        refuse_all(list(_call_problems(recorder.event, topic, words)))
        if open_call is not None:
            recorder.update(open_call, closed_at=recorder.now, closed_by=SYSTEM_ACTOR.label)
        match = current_match(player)
        new_call = recorder.create(
            JudgeCall(
                event=recorder.event,
                player=player,
                topic=topic,
                words=words,
                called_at=recorder.now,
                **(match_location(match) if match else {}),
            )
        )
        link_log_to_match(recorder, match)
        recorder.log(
            "judge_called.about" if topic else "judge_called",
            reason=words,
            player=player,
            table=new_call.table,
            topic=Reason(f"call_topic.{topic}") if topic else None,
        )
    return new_call


def _call_problems(event: Event, topic: str, words: str) -> Iterator[Refused]:
    if not event.is_playing:
        yield Refused("nobody_plays")
    if topic and topic not in JudgeCall.Topic:
        yield Refused("call_topic_unknown", field="topic")
    if len(words) > MAX_CALL_LENGTH:
        yield Refused("words_too_long.call", field="words", most=MAX_CALL_LENGTH)


def take_call(call: JudgeCall, actor: Actor) -> JudgeCall:
    """Take a call: a judge is on the way.

    Raises Conflict when another has taken it, or when it is closed.
    """
    with step(call.event, actor) as recorder:
        locked_call = _open_call(recorder, call)
        if locked_call.taken_by == actor.label[:120]:
            return locked_call
        if not is_call_live(locked_call):
            raise Conflict("call_over", player=locked_call.player.name)
        if locked_call.taken_at is not None:
            raise Conflict("call_taken", taken_by=locked_call.taken_by)
        recorder.update(locked_call, taken_at=recorder.now, taken_by=actor.label[:120])
        recorder.log("call_taken", player=locked_call.player, table=locked_call.table)
    return locked_call


def resolve_call(
    call: JudgeCall, actor: Actor, *, ruling: str = "", question: str = "", reason: str = ""
) -> JudgeCall:
    """Close a call, with what was ruled, if anything. Raises Refused."""
    with step(call.event, actor) as recorder:
        locked_call = _open_call(recorder, call)
        if ruling.strip():
            _create_ruling(
                recorder,
                _call_location(locked_call),
                ruling,
                question or locked_call.words,
                reason,
                player=locked_call.player,
                call=locked_call,
            )
        recorder.update(locked_call, closed_at=recorder.now, closed_by=actor.author[:120])
        recorder.log("call_closed", player=locked_call.player, table=locked_call.table)
    return locked_call


def _open_call(recorder: Recorder, call: JudgeCall) -> JudgeCall:
    locked_call = find_row(recorder.event.judge_calls.select_related("player").filter(pk=call.pk))
    if locked_call is None or locked_call.closed_at is not None:
        closer = format_coded_text(locked_call.closed_by) if locked_call else None
        raise Conflict("call_closed", closer=closer)
    return locked_call


def _call_location(call: JudgeCall) -> dict[str, object]:
    return {"stage": call.stage, "round": call.round, "table": call.table}


def record_table_ruling(
    match: Match, actor: Actor, *, ruling: str, question: str = "", reason: str = ""
) -> TableRuling:
    """Keep what a judge ruled at a table, and why.

    Raises Refused when it says nothing or too much.
    """
    with step(match.round.stage.event, actor) as recorder:
        link_log_to_match(recorder, match)
        return _create_ruling(recorder, match_location(match), ruling, question, reason)


def _create_ruling(
    recorder: Recorder, location: dict[str, object], ruling: str, question: str, reason: str, **links: Any
) -> TableRuling:
    texts = {"ruling": ruling.strip(), "question": question.strip(), "reason": reason.strip()}
    refuse_all(list(_ruling_problems(texts)))
    new_ruling = recorder.create(
        TableRuling(
            event=recorder.event,
            given_at=recorder.now,
            given_by=recorder.actor.label[:120],
            **location,
            **texts,
            **links,
        )
    )
    recorder.log("ruled", reason=new_ruling.reason, table=new_ruling.table, ruling=new_ruling.ruling)
    return new_ruling


def _ruling_problems(texts: dict[str, str]) -> Iterator[Refused]:
    if not texts["ruling"]:
        yield Refused("ruling_missing", field="ruling")
    if not texts["reason"]:
        yield Refused("reason_missing.ruling", field="reason")
    for field, text in texts.items():
        if len(text) > 400:
            yield Refused("words_too_long", field=field, label=field)
