"""Losses that penalties carried into a match: where they decide it, the result enters itself.

That it does is ours, as all of the ladder: the games' documents say nothing of penalties.
"""

from __future__ import annotations

from collections.abc import Mapping

from tournament.engine.penalties import is_lost
from tournament.models import Match, Penalty, Round
from tournament.rulebook import games_to_win
from tournament.selectors.penalties import NOTHING, Losses, counts_in, losses_of
from tournament.services.recorder import Recorder
from tournament.services.result_facts import build, heading, in_words

BY = "Ringside"


def enter_carried(recorder: Recorder, played: Round) -> bool:
    """Decide the open matches of a published round that a player has lost by then; say whether there was one.

    Two who have both lost it lose both; a match of a bracket between two such stays for the organizer.
    """
    waiting = Match.objects.filter(round=played, outcome="", p2__isnull=False)
    listed = list(waiting.select_related("round__stage", "p1", "p2").order_by("table", "pk"))
    losses, needed = losses_of(recorder.event, listed), games_to_win(recorder.event)
    losers = [(match, _losers(match, losses.get(match.pk, {}), needed)) for match in listed]
    decided = [match for match, sides in losers if _enter(recorder, match, sides)]
    return bool(decided)


def _losers(match: Match, losses: Mapping[int, Losses], needed: int) -> list[str]:
    """Which sides have lost a match by their penalties."""
    sides = {"p1": losses.get(match.p1_id, NOTHING), "p2": losses.get(match.p2_id or 0, NOTHING)}
    return [side for side, lost in sides.items() if lost.match or is_lost(lost.games, needed)]


def _enter(recorder: Recorder, match: Match, losers: list[str]) -> bool:
    both = len(losers) == 2
    if not losers or (both and match.round.stage.is_elimination):
        return False
    result = build(recorder.event, ending=Match.Ending.PENALTY, loser="both" if both else losers[0])
    values = {"result_by": BY, "result_at": recorder.now, "revision": match.revision + 1}
    recorder.update(match, **result.values(), **values)
    who = "both players" if both else f"{getattr(match, losers[0])}"
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
