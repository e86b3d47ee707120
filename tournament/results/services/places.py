"""Enter and report results of tables with more than two sides."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from decks.shared.refusals import Conflict, Refused, refuse_all
from rules.reason import Reference, reason
from tournament.access.permissions import Actor
from tournament.events.models.event import Event, Stage
from tournament.events.models.match_result import MatchResult
from tournament.events.models.match_sides import describe_places, give_places
from tournament.events.models.player import Player
from tournament.events.models.round import Match, ResultReport, Seat
from tournament.events.settings import get_sides
from tournament.log.facts import reference
from tournament.log.step import Recorder, step
from tournament.matches import describe_result, name_match, name_result
from tournament.results.places import find_places_problems
from tournament.results.selectors import list_reports
from tournament.results.services import drops, writing
from tournament.results.services.writing import refuse_stale_revision, reload_match, write_result
from tournament.shared.coded_texts import BY_BOTH_PLAYERS, ON_SLIP, format_coded_text

PLACES = MatchResult(outcome=Match.Outcome.PLACES.value)
# So many equal reports make a result if no other says otherwise.
ENOUGH_REPORTS = 2


def enter_places(
    match: Match,
    actor: Actor,
    places: Sequence[int],
    *,
    drop: Iterable[int] = (),
    seen_revision: int | None = None,
    overwrite: bool = True,
    reason: str = "",
) -> Match:
    """Enter or correct the places of all sides, in the order of the sides.

    Guards and refusals are those of `enter_result`. `drop` are the numbers of sides that leave the event.
    Rounds that are published later stay; a draft is seated again.
    """
    with step(match.round.stage.event, actor) as recorder:
        locked_match = reload_match(recorder, match)
        if tuple(places) != get_places(locked_match):
            impossible = list(find_problems(recorder.event, locked_match, places))
            if not impossible:
                _refuse_conflict(locked_match, places, seen_revision, overwrite)
            refuse_all([*impossible, *_find_unexplained(locked_match, reason)])
            _enter(recorder, locked_match, places, actor, reason)
        sides = {side.number: side.player for side in locked_match.sides}
        for number in dict.fromkeys(drop):
            drops.drop_in_step(recorder, sides[number], cause=ON_SLIP)
    return locked_match


def get_places(match: Match) -> tuple[int, ...]:
    """Return the places of all sides in their order; empty while it is played."""
    places = tuple(side.place for side in match.sides if side.place is not None)
    return places if match.is_finished else ()


def find_problems(event: Event, match: Match, places: Sequence[int]) -> Iterator[Refused]:
    """Yield all objections to giving the table these places."""
    if not match.is_pod:
        yield Refused("places_need_sides", field="places")
        return
    if match.round.is_draft:
        yield Refused("round_is_draft")
    yield from find_places_problems(places, match.side_count, get_sides(event))


def _refuse_conflict(match: Match, places: Sequence[int], seen_revision: int | None, overwrite: bool) -> None:
    refuse_stale_revision(match, seen_revision)
    if overwrite or not match.is_finished:
        return
    raise Conflict(
        "another_result_stands",
        heading=name_match(match, "named_match.heading"),
        result=name_result(match),
        result_by=format_coded_text(match.result_by),
        written=describe_places(give_places(match.sides, places)),
    )


def _find_unexplained(match: Match, why: str) -> Iterator[Refused]:
    if match.is_disputed and not why.strip():
        reports = tuple(report.as_reason() for report in list_reports(match))
        yield Refused("reason_needed.dispute", field="reason", match=name_match(match), reports=reports)


def _enter(recorder: Recorder, match: Match, places: Sequence[int], actor: Actor, why: str) -> None:
    old_result = describe_result(match) if match.is_finished else None
    write_places(recorder, match, places, actor.author)
    recorder.log(
        "result_entered.places",
        reason=why,
        match=match,
        result=describe_result(match),
        before=old_result,
    )
    _follow(recorder, match, is_new=old_result is None)


def write_places(recorder: Recorder, match: Match, places: Sequence[int], author: str) -> None:
    """Write the places at the seats, and that the table has ended."""
    seats = list(Seat.objects.filter(match=match).order_by("side"))
    # Read before the seats change, written after them.
    for seat, place in zip(seats, places, strict=True):
        recorder.update(seat, place=place)
    write_result(recorder, match, PLACES, author)
    writing.forget_sides(match)


def _follow(recorder: Recorder, match: Match, *, is_new: bool) -> None:
    """Finish the round if this result ended it, and renew a draft.

    The draft is seated again if it was made from another result.
    """
    writing.update_round_and_bracket(recorder, match)
    if match.round.stage.kind == Stage.Kind.SWISS and not is_new:
        why = reason(
            "result_changed",
            p1=Reference("player", match.p1_id),
            p2=Reference("player", match.p2_id) if match.p2_id else None,
            round=match.round.number,
        )
        writing.renew_draft(recorder, match.round.stage, why)


def report_places(match: Match, player: Player, places: Sequence[int], actor: Actor | None = None) -> Match:
    """Report a table as one of its players.

    Two equal reports make the result while no other differs. Raises Refused when the player is not at the
    table, another result is entered, or the places are impossible.
    """
    actor = actor or Actor.of_player(player)
    with step(match.round.stage.event, actor) as recorder:
        locked_match = reload_match(recorder, match)
        if player.pk not in {side.player.pk for side in locked_match.sides}:
            raise Refused("not_your_match")
        if locked_match.is_finished:
            if get_places(locked_match) == tuple(places):
                return locked_match
            raise Refused("result_stands", result=locked_match.describe_result())
        refuse_all(list(find_problems(recorder.event, locked_match, places)))
        _save_report(recorder, locked_match, player, list(places))
        if _has_agreement(locked_match):
            write_places(recorder, locked_match, places, BY_BOTH_PLAYERS)
            recorder.log(
                "result_agreed.places",
                players=[report.player for report in _load_reports(locked_match)],
                match=locked_match,
                result=describe_result(locked_match),
            )
            _follow(recorder, locked_match, is_new=True)
    return locked_match


def _save_report(recorder: Recorder, match: Match, player: Player, places: list[int]) -> None:
    report = ResultReport.objects.filter(match=match, player=player).first()
    if report is None:
        recorder.create(ResultReport(match=match, player=player, reported_at=recorder.now, places=places))
    elif report.places == places:
        return
    else:
        recorder.update(report, reported_at=recorder.now, places=places)
    described_places = describe_places(give_places(match.sides, places), reference)
    recorder.log("result_reported.places", player=player, match=match, score=described_places)


def _has_agreement(match: Match) -> bool:
    reported_places = [tuple(report.places) for report in _load_reports(match)]
    return len(reported_places) >= ENOUGH_REPORTS and len(set(reported_places)) == 1


def _load_reports(match: Match) -> list[ResultReport]:
    return list(
        ResultReport.objects.filter(match=match).select_related("player").order_by("reported_at", "pk")
    )
