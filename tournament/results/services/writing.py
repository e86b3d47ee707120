"""Writing the result of one match, whoever gave it, and what follows in its own round."""

from __future__ import annotations

from django.db.models import F

from tournament.access.actor import Actor
from tournament.brackets.services import bracket as brackets
from tournament.events.models.round import Match, ResultReport
from tournament.log.step import Recorder
from tournament.matches.result import Result, heading, in_words
from tournament.pairing.services import rounds
from tournament.shared.refusals import Conflict


def fresh(match: Match) -> Match:
    """The match as it stands under the event's lock. Raises Conflict when it is gone."""
    standing = Match.objects.select_related("round__stage", "p1", "p2").filter(pk=match.pk).first()
    if standing is None:
        raise Conflict(
            "match_gone",
            "This match no longer exists; its round was paired again.",
            fix="Look at the round again.",
        )
    return standing


def refuse_stale(match: Match, seen: int | None) -> None:
    """Raise Conflict when the match was changed since the page that showed revision `seen`."""
    if seen is not None and seen != match.revision:
        says = f"{in_words(match)} by {match.result_by}" if match.is_finished else "no result"
        raise Conflict(
            "result_changed_meanwhile",
            f"{heading(match)} was changed meanwhile and now has {says}.",
            fix="Look again and enter the result once more if it is still wrong.",
        )


def refuse_other(match: Match, wanted: Result) -> None:
    """Raise Conflict where another result stands: two slips of one table that do not say the same."""
    if match.is_finished and not match.is_bye:
        raise Conflict(
            "another_result_stands",
            f"{heading(match)} has {in_words(match)} already, entered by {match.result_by}; "
            f"now it is said to be {wanted.written}.",
            fix="Look at both slips, and correct the table if this one is right.",
        )


def write(recorder: Recorder, match: Match, result: Result, actor: Actor) -> None:
    """Write the result. Raises Conflict when somebody else wrote since the match was read."""
    claimed = Match.objects.filter(pk=match.pk, revision=match.revision).update(revision=F("revision") + 1)
    if not claimed:
        refuse_stale(fresh(match), match.revision)
    match.revision += 1
    finished = result.outcome != Match.Outcome.PLAYING
    recorder.update(
        match,
        **result.values(),
        result_by=actor.label[:120] if finished else "",
        result_at=recorder.now if finished else None,
    )


def follow(recorder: Recorder, match: Match) -> None:
    """Let the bracket go on and the round finish or reopen."""
    if match.round.stage.is_elimination:
        brackets.advance(recorder, match.round.stage)
    if Match.objects.filter(pk=match.pk).exists():
        rounds.settle(recorder, match.round)
    if match.round.stage.is_elimination:
        brackets.crown(recorder, match.round.stage)


def reports_of(match: Match) -> list[ResultReport]:
    """What the two players say, the first report first."""
    return list(ResultReport.objects.filter(match=match).select_related("player").order_by("reported_at"))


def is_disputed(reports: list[ResultReport]) -> bool:
    """Whether both have reported, and not the same."""
    return len(reports) == 2 and reports[0].says != reports[1].says
