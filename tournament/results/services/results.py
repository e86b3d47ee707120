"""Results as staff gives them: entered, corrected, decided between two reports, taken back."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Unpack

from decks.shared.refusals import Refused, refuse_all
from tournament.access.actor import Actor
from tournament.events.models.round import Match, Round
from tournament.events.selectors.stages import TABLES
from tournament.log.step import Recorder, step
from tournament.matches.result import (
    NOTHING,
    SIDES,
    Facts,
    Result,
    build,
    in_words,
    label,
    problems,
    too_early_for_no_show,
)
from tournament.results.services import corrections, drops
from tournament.results.services.reports import report_result
from tournament.results.services.writing import (
    fresh,
    is_disputed,
    refuse_other,
    refuse_stale,
    reports_of,
    write,
)
from tournament.shared.refusals import Conflict

__all__ = ["clear_result", "enter_result", "report_result"]

MARKED = "marked on the result slip"


def enter_result(
    match: Match,
    actor: Actor,
    *,
    drop: Iterable[str] = (),
    seen_revision: int | None = None,
    overwrite: bool = True,
    way: str = "",
    seen_plan: str | None = None,
    reason: str = "",
    **facts: Unpack[Facts],
) -> Match:
    """Enter or correct the result of a match; `facts` are those of `result_facts.Facts`.

    `seen_revision` is what the page showed: when somebody changed the match since, Conflict is raised and
    nothing is written; so is a different result without `overwrite`. The same result again changes nothing.
    `drop` names sides (“p1”, “p2”) that leave the event with it. `way` says what becomes of what was made
    from the old result (see `corrections`), `seen_plan` is the mark of what the page showed of it. Raises
    Refused with every problem at once.
    """
    with step(match.round.stage.event, actor) as recorder:
        standing = fresh(match)
        result = build(recorder.event, **facts)
        if result != Result.of(standing):
            _refuse_meanwhile(standing, result, seen_revision, overwrite)
            _refuse_wrong(recorder, standing, result, facts.get("loser", ""), reason)
            _change(recorder, standing, result, way=way, seen=seen_plan, reason=reason)
        _drop(recorder, standing, drop)
    return standing


def _refuse_wrong(recorder: Recorder, match: Match, result: Result, loser: str, reason: str) -> None:
    event = recorder.event
    refuse_all(
        [
            *problems(event, match, result, loser=loser),
            *too_early_for_no_show(event, match, result, recorder.now, reason),
            *_unsaid(match, reason),
        ]
    )


def _refuse_meanwhile(standing: Match, result: Result, seen: int | None, overwrite: bool) -> None:
    refuse_stale(standing, seen)
    if not overwrite:
        refuse_other(standing, result)


def _unsaid(match: Match, reason: str) -> Iterator[Refused]:
    """Whoever decides between two players says why."""
    reports = [] if match.is_finished or match.is_bye else reports_of(match)
    if is_disputed(reports) and not reason.strip():
        said = " and ".join(f"{report.player} says {report.words}" for report in reports)
        yield Refused(
            "reason_needed",
            f"The players disagree about {label(match)} {said}.",
            fix="Say why you decide as you do.",
            field="reason",
        )


def _change(
    recorder: Recorder, standing: Match, result: Result, *, way: str, seen: str | None, reason: str
) -> None:
    was = Result.of(standing)
    write(recorder, standing, result, recorder.actor)
    recorder.say("result_entered", _sentence(standing, was, recorder.actor), reason=reason)
    corrections.follow(recorder, standing, was, way=way, seen=seen)


def _sentence(match: Match, was: Result, actor: Actor) -> str:
    how = in_words(match)
    verb = "is" if match.outcome == Match.Outcome.DOUBLE_LOSS else "ended"
    before = f", not {was.written}" if was.outcome and was.written != match.score else ""
    return f"{actor.label}: {label(match)} {verb} {how}{before}."


def _drop(recorder: Recorder, match: Match, sides: Iterable[str]) -> None:
    for side in dict.fromkeys(sides):
        if side not in SIDES[:2]:
            raise Refused("side_unknown", "Who drops is p1 or p2.", field="drop")
        player = match.p1 if side == "p1" else match.p2
        if player is not None:
            drops.leave(recorder, player, reason=MARKED)


def clear_result(
    match: Match, actor: Actor, *, seen_revision: int | None = None, way: str = "", reason: str = ""
) -> Match:
    """Take a result back; the match counts as still playing. A draft made from it goes.

    Raises Refused for a bye and when a later round is out: then the result can only be corrected.
    """
    with step(match.round.stage.event, actor) as recorder:
        standing = fresh(match)
        if standing.is_bye:
            raise Refused("bye_stands", "A bye has no result to take back.")
        if not standing.is_finished:
            return standing
        refuse_stale(standing, seen_revision)
        _refuse_later_round(standing)
        was = Result.of(standing)
        write(recorder, standing, NOTHING, actor)
        recorder.say(
            "result_cleared", f"{actor.label} took the result of {label(standing)} back.", reason=reason
        )
        corrections.follow(recorder, standing, was, way=way)
    return standing


def _refuse_later_round(match: Match) -> None:
    if match.round.stage.kind not in TABLES:
        return
    later = Round.objects.filter(stage__event=match.round.stage.event_id, published_at__isnull=False)
    after = later.filter(stage=match.round.stage, number__gt=match.round.number)
    if after.exists() or later.filter(stage__position__gt=match.round.stage.position).exists():
        raise Conflict(
            "later_round_out",
            f"A round made from the result of {label(match)} is published; a result must stand there.",
            fix="Correct the result, or take the later round back in the log first.",
        )
