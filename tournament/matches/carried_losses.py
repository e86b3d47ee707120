"""Losses that penalties carried into a match: where they decide it, the result enters itself.

That it does is ours, as all of the ladder: the games' documents say nothing of penalties.
"""

from __future__ import annotations

from tournament.events.models.round import Match, Round
from tournament.log.step import Recorder
from tournament.matches.result import build, heading, in_words
from tournament.penalties.models import Penalty
from tournament.penalties.selectors import counts_in, losers, losses_of

BY = "Ringside"


def enter_carried(recorder: Recorder, played: Round) -> bool:
    """Decide the open matches of a published round that a player has lost by then; say whether there was one.

    Two who have both lost it lose both; a match of a bracket between two such stays for the organizer.
    """
    waiting = Match.objects.filter(round=played, outcome="", p2__isnull=False)
    listed = list(waiting.select_related("round__stage", "p1", "p2").order_by("table", "pk"))
    losses = losses_of(recorder.event, listed)
    decided = [match for match in listed if _enter(recorder, match, losers(match, losses.get(match.pk, {})))]
    return bool(decided)


def _enter(recorder: Recorder, match: Match, lost: list[str]) -> bool:
    both = len(lost) == 2
    if not lost or (both and match.round.stage.is_elimination):
        return False
    result = build(recorder.event, ending=Match.Ending.PENALTY, loser="both" if both else lost[0])
    values = {"result_by": BY, "result_at": recorder.now, "revision": match.revision + 1}
    recorder.update(match, **result.values(), **values)
    who = "both players" if both else f"{getattr(match, lost[0])}"
    sentence = f"{heading(match)} is {in_words(match)}: the penalty of {who} counts here."
    recorder.say("result_by_penalty", sentence)
    return True


def decided_by(penalty: Penalty) -> Match | None:
    """The later match that this penalty, carried over, has decided by itself. Two queries at most."""
    place = counts_in(penalty) if penalty.is_next else None
    if place is None:
        return None
    matches = Match.objects.filter(seats__player=penalty.player_id, ending=Match.Ending.PENALTY, result_by=BY)
    found = matches.filter(round__stage__position=place[0], round__number=place[1])
    return found.select_related("round__stage__event", "p1", "p2").first()
