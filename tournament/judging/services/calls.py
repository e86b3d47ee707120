"""Judge calls: call, take, resolve; record rulings at tables."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from decks.shared.refusals import Conflict, Refused, refuse_all
from tournament.access.permissions import Actor
from tournament.decklists.services.exchanges import current_match
from tournament.events.models.event import Event
from tournament.events.models.player import Player
from tournament.events.models.round import Match
from tournament.judging.models import JudgeCall, TableRuling
from tournament.judging.services.match_location import link_log_to_match, match_location
from tournament.log.step import Recorder, step

MAX_CALL_LENGTH = 200


def call_judge(player: Player, actor: Actor, *, words: str = "") -> JudgeCall:
    """A player asks for a judge. A call that is open already is returned as it is. Raises Refused."""
    words = " ".join(words.split())
    with step(player.event, actor) as recorder:
        standing = recorder.event.judge_calls.filter(player=player, closed_at__isnull=True).first()
        if standing is not None:
            return standing
        refuse_all(list(_call_problems(recorder.event, words)))
        match = current_match(player)
        made = recorder.create(
            JudgeCall(
                event=recorder.event,
                player=player,
                words=words,
                called_at=recorder.now,
                **(match_location(match) if match else {}),
            )
        )
        link_log_to_match(recorder, match)
        where = f" to table {made.table}" if made.table else ""
        recorder.say("judge_called", f"{player.name} called a judge{where}.", reason=words)
    return made


def _call_problems(event: Event, words: str) -> Iterator[Refused]:
    if not event.is_playing:
        fix = "Speak to the organizer."
        yield Refused("nobody_plays", "Judges are called while rounds are played.", fix=fix)
    if len(words) > MAX_CALL_LENGTH:
        sentence = f"Say it in {MAX_CALL_LENGTH} characters; the judge hears the rest."
        yield Refused("words_too_long", sentence, field="words")


def take_call(call: JudgeCall, actor: Actor) -> JudgeCall:
    """A judge is on the way. Raises Conflict when another has taken it, or when it is closed."""
    with step(call.event, actor) as recorder:
        held = _open_call(recorder, call)
        if held.taken_by == actor.label[:120]:
            return held
        if held.taken_at is not None:
            raise Conflict("call_taken", f"{held.taken_by} is already on the way.")
        recorder.update(held, taken_at=recorder.now, taken_by=actor.label[:120])
        recorder.say("call_taken", f"{actor.label} goes to {held.player.name}{_at_table(held)}.")
    return held


def resolve_call(
    call: JudgeCall, actor: Actor, *, ruling: str = "", question: str = "", reason: str = ""
) -> JudgeCall:
    """The call is settled; what was ruled, if anything, is kept beside it. Raises Refused."""
    with step(call.event, actor) as recorder:
        held = _open_call(recorder, call)
        if ruling.strip():
            _create_ruling(
                recorder,
                _call_location(held),
                ruling,
                question or held.words,
                reason,
                player=held.player,
                call=held,
            )
        recorder.update(held, closed_at=recorder.now, closed_by=actor.label[:120])
        recorder.say("call_closed", f"{actor.label} settled the call of {held.player.name}{_at_table(held)}.")
    return held


def _open_call(recorder: Recorder, call: JudgeCall) -> JudgeCall:
    held = recorder.event.judge_calls.select_related("player").filter(pk=call.pk).first()
    if held is None or held.closed_at is not None:
        by = f" by {held.closed_by}" if held else ""
        raise Conflict("call_closed", f"This call was settled{by} meanwhile.")
    return held


def _at_table(call: JudgeCall) -> str:
    return f" at table {call.table}" if call.table else ""


def _call_location(call: JudgeCall) -> dict[str, Any]:
    return {"stage": call.stage, "round": call.round, "table": call.table}


def record_ruling(
    match: Match, actor: Actor, *, ruling: str, question: str = "", reason: str = ""
) -> TableRuling:
    """Keep what a judge ruled at a table, and why. Raises Refused when it says nothing or too much."""
    with step(match.round.stage.event, actor) as recorder:
        link_log_to_match(recorder, match)
        return _create_ruling(recorder, match_location(match), ruling, question, reason)


def _create_ruling(
    recorder: Recorder, where: dict[str, Any], ruling: str, question: str, reason: str, **links: Any
) -> TableRuling:
    texts = {"ruling": ruling.strip(), "question": question.strip(), "reason": reason.strip()}
    refuse_all(list(_ruling_problems(texts)))
    made = recorder.create(
        TableRuling(
            event=recorder.event,
            given_at=recorder.now,
            given_by=recorder.actor.label[:120],
            **where,
            **texts,
            **links,
        )
    )
    place = f" at table {made.table}" if made.table else ""
    recorder.say("ruled", f"{recorder.actor.label} ruled{place}: {made.ruling}", reason=made.reason)
    return made


def _ruling_problems(texts: dict[str, str]) -> Iterator[Refused]:
    if not texts["ruling"]:
        yield Refused("ruling_missing", "Say what you ruled.", field="ruling")
    if not texts["reason"]:
        yield Refused(
            "reason_missing",
            "A ruling goes on record with its reason.",
            fix="Name the clause, or what you went by.",
            field="reason",
        )
    for field, text in texts.items():
        if len(text) > 400:
            yield Refused("words_too_long", f"The {field} has at most 400 characters.", field=field)
