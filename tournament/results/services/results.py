"""Enter, correct, report and clear results."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Unpack

from decks.shared.refusals import Conflict, Refused, refuse_all
from tournament.access.permissions import Actor
from tournament.events.models.player import Player
from tournament.events.models.round import Match, ResultReport, Round
from tournament.events.selectors import STANDINGS_KINDS
from tournament.events.settings import get_concession_rule
from tournament.log.step import Recorder, step
from tournament.matches import (
    EMPTY_RESULT,
    SIDES,
    ResultFacts,
    ResultValues,
    build_result,
    find_early_no_show,
    find_result_problems,
    format_match,
    format_result,
)
from tournament.results.services import drops, writing
from tournament.results.services.writing import (
    is_disputed,
    load_reports,
    refuse_other_result,
    refuse_stale_revision,
    reload_match,
    write_result,
)

__all__ = ["clear_result", "enter_result", "report_result"]

SLIP_DROP_REASON = "marked on the result slip"


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
    **facts: Unpack[ResultFacts],
) -> Match:
    """Enter or correct the result of a match; `facts` are those of `result_facts.Facts`.

    `seen_revision` is what the page showed: when somebody changed the match since, Conflict is raised and
    nothing is written; so is a different result without `overwrite`. The same result again changes nothing.
    `drop` names sides (“p1”, “p2”) that leave the event with it. `way` says what becomes of what was made
    from the old result (see `corrections`), `seen_plan` is the mark of what the page showed of it. Raises
    Refused with every problem at once.
    """
    with step(match.round.stage.event, actor) as recorder:
        standing = reload_match(match)
        result = build_result(recorder.event, **facts)
        if result != ResultValues.of(standing):
            _refuse_conflict(standing, result, seen_revision, overwrite)
            _refuse_invalid(recorder, standing, result, facts.get("loser", ""), reason)
            _write_change(recorder, standing, result, way=way, seen=seen_plan, reason=reason)
        _drop_players(recorder, standing, drop)
    return standing


def _refuse_invalid(recorder: Recorder, match: Match, result: ResultValues, loser: str, reason: str) -> None:
    event = recorder.event
    refuse_all(
        [
            *find_result_problems(event, match, result, loser=loser),
            *find_early_no_show(event, match, result, recorder.now, reason),
            *_missing_reason(match, reason),
        ]
    )


def _refuse_conflict(standing: Match, result: ResultValues, seen: int | None, overwrite: bool) -> None:
    refuse_stale_revision(standing, seen)
    if not overwrite:
        refuse_other_result(standing, result)


def _missing_reason(match: Match, reason: str) -> Iterator[Refused]:
    """Whoever decides between two players says why."""
    reports = [] if match.is_finished or match.is_bye else load_reports(match)
    if is_disputed(reports) and not reason.strip():
        said = " and ".join(f"{report.player} says {report.words}" for report in reports)
        yield Refused(
            "reason_needed",
            f"The players disagree about {format_match(match)} {said}.",
            fix="Say why you decide as you do.",
            field="reason",
        )


def _write_change(
    recorder: Recorder, standing: Match, result: ResultValues, *, way: str, seen: str | None, reason: str
) -> None:
    was = ResultValues.of(standing)
    write_result(recorder, standing, result, recorder.actor)
    recorder.say("result_entered", _log_sentence(standing, was, recorder.actor), reason=reason)
    writing.apply_consequences(recorder, standing, was, way=way, seen=seen)


def _log_sentence(match: Match, was: ResultValues, actor: Actor) -> str:
    how = format_result(match)
    verb = "is" if match.outcome == Match.Outcome.DOUBLE_LOSS else "ended"
    before = f", not {was.written}" if was.outcome and was.written != match.score else ""
    return f"{actor.label}: {format_match(match)} {verb} {how}{before}."


def _drop_players(recorder: Recorder, match: Match, sides: Iterable[str]) -> None:
    for side in dict.fromkeys(sides):
        if side not in SIDES[:2]:
            raise Refused("side_unknown", "Who drops is p1 or p2.", field="drop")
        player = match.p1 if side == "p1" else match.p2
        if player is not None:
            drops.drop_in_step(recorder, player, reason=SLIP_DROP_REASON)


def clear_result(
    match: Match, actor: Actor, *, seen_revision: int | None = None, way: str = "", reason: str = ""
) -> Match:
    """Take a result back; the match counts as still playing. A draft made from it goes.

    Raises Refused for a bye and when a later round is out: then the result can only be corrected.
    """
    with step(match.round.stage.event, actor) as recorder:
        standing = reload_match(match)
        if standing.is_bye:
            raise Refused("bye_stands", "A bye has no result to take back.")
        if not standing.is_finished:
            return standing
        refuse_stale_revision(standing, seen_revision)
        _refuse_later_round(standing)
        was = ResultValues.of(standing)
        write_result(recorder, standing, EMPTY_RESULT, actor)
        recorder.say(
            "result_cleared",
            f"{actor.label} took the result of {format_match(standing)} back.",
            reason=reason,
        )
        writing.apply_consequences(recorder, standing, was, way=way)
    return standing


def _refuse_later_round(match: Match) -> None:
    if match.round.stage.kind not in STANDINGS_KINDS:
        return
    later = Round.objects.filter(stage__event=match.round.stage.event_id, published_at__isnull=False)
    after = later.filter(stage=match.round.stage, number__gt=match.round.number)
    if after.exists() or later.filter(stage__position__gt=match.round.stage.position).exists():
        raise Conflict(
            "later_round_out",
            f"A round made from the result of {format_match(match)} is published; a result must stand there.",
            fix="Correct the result, or take the later round back in the log first.",
        )


Ending = Match.Ending

PLAYER_ENDINGS = frozenset({Ending.PLAYED, Ending.CONCESSION, Ending.AGREED_DRAW, Ending.HEAD_SHOT})


def report_result(
    match: Match, player: Player, *, p1_games: int = 0, p2_games: int = 0, draws: int = 0, ending: str = ""
) -> Match:
    """A player reports his match; when the opponent's report says the same, the result stands.

    With `ending` “concession” the loser by games gives up; where the game asks no consent and it is the
    reporter himself, that stands at once. Two reports that differ leave the match open for a judge. Raises
    Refused when the player is not in the match, the result already stands differently, or is impossible.
    """
    actor = Actor.of_player(player)
    with step(match.round.stage.event, actor) as recorder:
        standing = reload_match(match)
        result = _build_result(recorder, standing, player, (p1_games, p2_games, draws), ending)
        if _is_already_entered(standing, player, result):
            return standing
        refuse_all(
            list(find_result_problems(recorder.event, standing, result, loser=_conceding_side(result)))
        )
        _save_report(recorder, standing, player, result)
        alone = ending == Ending.CONCESSION and not get_concession_rule(recorder.event).consent_needed
        if _has_agreement(standing) or (alone and _conceding_side(result) == _side(standing, player)):
            who = actor if alone else _both_players(standing)
            write_result(recorder, standing, result, who)
            verb = "gave" if alone else "ended"
            recorder.say(
                "result_agreed", f"{who.label}: {format_match(standing)} {verb} {format_result(standing)}."
            )
            writing.apply_consequences(recorder, standing, EMPTY_RESULT)
    return standing


def _build_result(
    recorder: Recorder, match: Match, player: Player, games: tuple[int, int, int], ending: str
) -> ResultValues:
    """The result of a report. Who has fewer games concedes; the reporter, when they are level."""
    if ending not in PLAYER_ENDINGS:
        raise Refused("ending_not_yours", "Only staff can say that a match ended so.", field="ending")
    loser = ""
    if ending == Ending.CONCESSION:
        level = games[0] == games[1]
        loser = _side(match, player) if level else ("p1" if games[0] < games[1] else "p2")
    return build_result(
        recorder.event,
        p1_games=games[0],
        p2_games=games[1],
        draws=games[2],
        ending=ending,
        loser=loser,
        consent=ending == Ending.CONCESSION,
    )


def _conceding_side(result: ResultValues) -> str:
    if result.ending != Ending.CONCESSION:
        return ""
    return "p2" if result.outcome == Match.Outcome.P1 else "p1"


def _side(match: Match, player: Player) -> str:
    return "p1" if player.pk == match.p1_id else "p2"


def _is_already_entered(match: Match, player: Player, result: ResultValues) -> bool:
    if player.pk not in (match.p1_id, match.p2_id):
        raise Refused("not_your_match", "This is not your match.")
    if not match.is_finished:
        return False
    stands = ResultValues.of(match)
    if (stands.outcome, stands.written) == (result.outcome, result.written):
        return True
    raise Refused(
        "result_stands",
        f"The result of this match already stands: {format_result(match)}.",
        fix="Tell a judge if it is wrong.",
    )


def _save_report(recorder: Recorder, match: Match, player: Player, result: ResultValues) -> None:
    values = {name: getattr(result, name) for name in ("p1_games", "p2_games", "draws", "ending")}
    own = ResultReport.objects.filter(match=match, player=player).first()
    if own is None:
        own = recorder.create(ResultReport(match=match, player=player, reported_at=recorder.now, **values))
    elif all(getattr(own, name) == value for name, value in values.items()):
        return
    else:
        recorder.update(own, reported_at=recorder.now, **values)
    recorder.say("result_reported", f"{player.name} reported {format_match(match)} as {own.words}.")


def _has_agreement(match: Match) -> bool:
    reports = load_reports(match)
    return len(reports) == 2 and reports[0].says == reports[1].says


def _both_players(match: Match) -> Actor:
    return Actor(label=f"{match.p1.name} and {match.p2.name}")
