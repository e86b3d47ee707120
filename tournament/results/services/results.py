"""Enter, correct, report and clear results."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Unpack

from decks.shared.refusals import Conflict, Refused, refuse_all
from tournament.access.permissions import Actor
from tournament.engine.boards import Boards, has_contradiction, merge_boards
from tournament.events.models.event import Event
from tournament.events.models.match_result import EMPTY_RESULT, REPORTED, MatchResult
from tournament.events.models.player import Player
from tournament.events.models.round import Match, ResultReport, Round
from tournament.events.selectors import STANDINGS_KINDS
from tournament.events.settings import get_concession_rule, get_own_ending
from tournament.log.step import Recorder, step
from tournament.matches import (
    SIDES,
    EnteredFields,
    EnteredResult,
    build_result,
    describe_result,
    find_early_no_show,
    find_report_problems,
    find_result_problems,
    name_match,
)
from tournament.results.selectors import list_reports
from tournament.results.services import drops, writing
from tournament.results.services.writing import (
    refuse_other_result,
    refuse_stale_revision,
    reload_match,
    write_result,
)
from tournament.results.table_at_time import TimeCalled
from tournament.shared.coded_texts import BY_BOTH_PLAYERS, ON_SLIP

__all__ = ["clear_result", "enter_result", "report_result"]


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
    settlement: TimeCalled | None = None,
    **entered_fields: Unpack[EnteredResult],
) -> Match:
    """Enter or correct the result of a match.

    `seen_revision` is what the page showed: when someone changed the match since, Conflict is raised and
    nothing is written; so is a different result without `overwrite`. The same result again changes nothing.
    `entered_fields` are the arguments of `build_result`. `drop` names sides (“p1”, “p2”) that leave the event
    with it. `way` says what becomes of what was made from the old result (see `RepairStrategy`), `seen_plan`
    is the fingerprint of what the page showed of it. `settlement` is what says the result where time was
    called. Raises Refused with every problem at once; a result that cannot be is refused before anything is
    asked about it.
    """
    with step(match.round.stage.event, actor) as recorder:
        locked_match = reload_match(recorder, match)
        _refuse_games_of_pod(locked_match)
        result = build_result(recorder.event, **entered_fields)
        if result != MatchResult.of(locked_match):
            loser = entered_fields.get("loser", "")
            impossible = list(find_result_problems(recorder.event, locked_match, result, loser=loser))
            if not impossible:
                _refuse_conflict(locked_match, result, seen_revision, overwrite)
            unexplained_change = _find_unexplained(recorder, locked_match, result, reason, settlement)
            refuse_all([*impossible, *unexplained_change])
            old_values = MatchResult.of(locked_match)
            write_result(recorder, locked_match, result, actor.author)
            _log_change(recorder, locked_match, old_values, reason, settlement)
            writing.apply_consequences(recorder, locked_match, old_values, way=way, seen_mark=seen_plan)
        _drop_players(recorder, locked_match, drop)
    return locked_match


def _refuse_games_of_pod(match: Match) -> None:
    """Refuse games at a table of more than two sides: it has places."""
    if match.is_pod:
        raise Refused("sides_have_places", field="score")


def _find_unexplained(
    recorder: Recorder, match: Match, result: MatchResult, reason: str, settlement: TimeCalled | None
) -> Iterator[Refused]:
    """Yield what needs a reason that is missing."""
    yield from find_early_no_show(recorder.event, match, result, recorder.now, reason)
    if settlement is None:
        yield from _missing_reason(match, reason)


def _refuse_conflict(
    locked_match: Match, result: MatchResult, seen_revision: int | None, overwrite: bool
) -> None:
    refuse_stale_revision(locked_match, seen_revision)
    if not overwrite:
        refuse_other_result(locked_match, result)


def _missing_reason(match: Match, reason: str) -> Iterator[Refused]:
    """Refuse a choice between two players without a reason."""
    if match.is_disputed and not reason.strip():
        reports = tuple(report.as_reason() for report in list_reports(match))
        yield Refused("reason_needed.dispute", field="reason", match=name_match(match), reports=reports)


def _log_change(
    recorder: Recorder,
    locked_match: Match,
    old_values: MatchResult,
    reason: str,
    settlement: TimeCalled | None,
) -> None:
    is_other = old_values.outcome and old_values.score != locked_match.score
    recorder.log(
        "result_entered",
        reason=reason,
        match=locked_match,
        result=describe_result(locked_match),
        both_lose=locked_match.outcome == Match.Outcome.DOUBLE_LOSS,
        before=old_values.score if is_other else None,
        settled=settlement.reasons if settlement else None,
        clause=settlement.outcome.clause if settlement else None,
    )


def _drop_players(recorder: Recorder, match: Match, sides: Iterable[str]) -> None:
    for side in dict.fromkeys(sides):
        if side not in SIDES[:2]:
            raise Refused("side_unknown", field="drop")
        player = match.p1 if side == "p1" else match.p2
        if player is not None:
            drops.drop_in_step(recorder, player, cause=ON_SLIP)


def clear_result(
    match: Match, actor: Actor, *, seen_revision: int | None = None, way: str = "", reason: str = ""
) -> Match:
    """Take a result back; the match counts as still playing.

    A draft made from it goes. Raises Refused for a bye and when a later round is out: then the result can
    only be corrected.
    """
    with step(match.round.stage.event, actor) as recorder:
        locked_match = reload_match(recorder, match)
        if locked_match.is_bye:
            raise Refused("bye_stands.clear")
        if not locked_match.is_finished:
            return locked_match
        refuse_stale_revision(locked_match, seen_revision)
        _refuse_later_round(locked_match)
        old_values = MatchResult.of(locked_match)
        write_result(recorder, locked_match, EMPTY_RESULT, actor.author)
        recorder.log("result_cleared", reason=reason, match=locked_match)
        writing.apply_consequences(recorder, locked_match, old_values, way=way)
    return locked_match


def _refuse_later_round(match: Match) -> None:
    if match.round.stage.kind not in STANDINGS_KINDS:
        return
    later_rounds = Round.objects.filter(stage__event=match.round.stage.event_id, published_at__isnull=False)
    after = later_rounds.filter(stage=match.round.stage, number__gt=match.round.number)
    if after.exists() or later_rounds.filter(stage__position__gt=match.round.stage.position).exists():
        raise Conflict("later_round_out", match=name_match(match))


Ending = Match.Ending

PLAYER_ENDINGS = frozenset({Ending.PLAYED, Ending.CONCESSION, Ending.AGREED_DRAW})


def report_result(
    match: Match,
    player: Player,
    actor: Actor | None = None,
    **entered_fields: Unpack[EnteredFields],
) -> Match:
    """Report a match as a player.

    When the opponent reports the same, it is the result. `entered_fields` are those that players
    report. A board that is None says nothing: what the team reported of it before stays. With `ending`
    “concession” the loser by games gives up; where the game asks no consent and it is the reporter, that is
    at once. Two reports that differ leave the match open for a judge. Raises Refused when the player is not
    in the match, another result is already entered, or is impossible.
    """
    actor = actor or Actor.of_player(player)
    with step(match.round.stage.event, actor) as recorder:
        locked_match = reload_match(recorder, match)
        _refuse_games_of_pod(locked_match)
        result = _build_result(recorder, locked_match, player, MatchResult(**entered_fields))
        if _is_already_entered(locked_match, player, result):
            return locked_match
        loser = _conceding_side(result)
        refuse_all(list(find_report_problems(recorder.event, locked_match, result, loser=loser)))
        _save_report(recorder, locked_match, player, result)
        alone = result.ending == Ending.CONCESSION and not get_concession_rule(recorder.event).consent_needed
        if _has_agreement(locked_match) or (alone and _conceding_side(result) == _side(locked_match, player)):
            write_result(recorder, locked_match, result, actor.author if alone else BY_BOTH_PLAYERS)
            recorder.log(
                "result_agreed.alone" if alone else "result_agreed",
                players=[locked_match.p1, locked_match.p2],
                match=locked_match,
                result=describe_result(locked_match),
            )
            writing.apply_consequences(recorder, locked_match, EMPTY_RESULT)
    return locked_match


def _build_result(
    recorder: Recorder, match: Match, player: Player, reported_result: MatchResult
) -> MatchResult:
    """Return the result of a report.

    The side with fewer games concedes, the reporter if they are level.
    """
    _refuse_staff_ending(recorder.event, reported_result.ending)
    loser, is_concession = "", reported_result.ending == Ending.CONCESSION
    if is_concession:
        level = reported_result.p1_games == reported_result.p2_games
        loser = (
            _side(match, player)
            if level
            else ("p1" if reported_result.p1_games < reported_result.p2_games else "p2")
        )
    reported_values = {
        name: value for name, value in reported_result.values(REPORTED).items() if name != "consent"
    }
    if recorder.event.has_boards and not reported_result.ending:
        reported_values["boards"] = _add_earlier_boards(match, player, reported_result.boards)
    return build_result(recorder.event, loser=loser, consent=is_concession, **reported_values)


def _add_earlier_boards(match: Match, player: Player, boards: Boards) -> Boards:
    """Return the boards of a report, with those that the team has reported before."""
    earlier = ResultReport.objects.filter(match=match, player=player, ending="").first()
    return merge_boards(boards, earlier.boards if earlier else ())


def _refuse_staff_ending(event: Event, ending: str) -> None:
    own = get_own_ending(event, ending)
    is_for_players = own.reported_by_players if own else ending in PLAYER_ENDINGS
    if not is_for_players and (own or ending in Ending.values):
        raise Refused("ending_not_yours", field="ending")


def _conceding_side(result: MatchResult) -> str:
    if result.ending != Ending.CONCESSION:
        return ""
    return "p2" if result.outcome == Match.Outcome.P1 else "p1"


def _side(match: Match, player: Player) -> str:
    return "p1" if player.pk == match.p1_id else "p2"


def _is_already_entered(match: Match, player: Player, result: MatchResult) -> bool:
    if player.pk not in (match.p1_id, match.p2_id):
        raise Refused("not_your_match")
    if not match.is_finished:
        return False
    current_values = MatchResult.of(match)
    if _is_same_result(current_values, result):
        return True
    raise Refused("result_stands", result=match.describe_result())


def _is_same_result(one: MatchResult, other: MatchResult) -> bool:
    """Return whether both say the same; of boards, those that both have."""
    if one.boards and other.boards:
        return not has_contradiction(one.boards, other.boards)
    return (one.outcome, one.score) == (other.outcome, other.score)


def _save_report(recorder: Recorder, match: Match, player: Player, result: MatchResult) -> None:
    values = result.values(REPORTED)
    report = ResultReport.objects.filter(match=match, player=player).first()
    if report is None:
        report = recorder.create(ResultReport(match=match, player=player, reported_at=recorder.now, **values))
    elif report.reported_values == {**values, "places": report.places}:
        return
    else:
        recorder.update(report, reported_at=recorder.now, **values)
    recorder.log(
        "result_reported", player=player, match=match, score=report.score, ending=result.ending or None
    )


def _has_agreement(match: Match) -> bool:
    reports = list_reports(match)
    is_same = len(reports) == 2 and reports[0].reported_values == reports[1].reported_values
    return is_same and reports[0].is_whole
