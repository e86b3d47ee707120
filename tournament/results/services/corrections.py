"""What a changed result means for what was made from the old one, and the ways out that people choose.

A draft is simply paired again. Of a later round that players have seen, three things can become: its pairings
are left (`leave`), as few tables as possible change (`swap`), or all that have not finished are paired anew
(`anew`). A cut of which no match is finished can be made anew (`cut`). Finished matches are never touched.
In a bracket, what was won on the way of the old winner falls (`fall`), once somebody has seen that.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum

from decks.shared.refusals import Refused
from tournament.brackets.services import cut_again
from tournament.events.models.event import Event, Stage
from tournament.events.models.round import Match, Round
from tournament.log.step import Recorder
from tournament.matches.carried_losses import enter_carried
from tournament.matches.result import Result, in_words
from tournament.pairing.selectors.repairs import Proposal, Repairs, open_round_after, repairs
from tournament.pairing.services import rounds
from tournament.results.services.writing import follow as follow_in_its_round
from tournament.shared.chance import derive
from tournament.shared.refusals import Conflict


class Way(StrEnum):
    """What becomes of what was made from the old result."""

    LEAVE = "leave"
    SWAP = "swap"
    ANEW = "anew"
    FALL = "fall"
    CUT = "cut"


def follow(recorder: Recorder, match: Match, was: Result, *, way: str = "", seen: str | None = None) -> None:
    """Bring everything in line with a result that was just written over the result `was`.

    Raises Refused where somebody has to choose a way first and `way` is empty, and Conflict where the
    proposal of that way is another by now than the one with the mark `seen`.
    """
    _refuse_unknown(way)
    if match.round.stage.is_elimination:
        _follow_in_bracket(recorder, match, way)
        return
    follow_in_its_round(recorder, match)
    if was.outcome != match.outcome:
        _follow_in_later_rounds(recorder, match, way, seen, is_new=not was.outcome)


def _refuse_unknown(way: str) -> None:
    if way and way not in set(Way):
        raise Refused(
            "way_unknown", f"There is no way “{way[:20]}”.", fix=f"Say {', '.join(Way)}.", field="way"
        )


def _follow_in_bracket(recorder: Recorder, match: Match, way: str) -> None:
    stood = results_of(match.round.stage)
    follow_in_its_round(recorder, match)
    still = results_of(match.round.stage)
    fallen = [words for pk, words in stood.items() if pk not in still and pk != match.pk]
    if fallen and way != Way.FALL:
        raise Refused(
            "way_needed",
            f"What follows in the bracket would no longer count: {'; '.join(fallen)}.",
            fix="Look at what falls, and say that it shall.",
            field="way",
        )


def results_of(stage: Stage) -> Mapping[int, str]:
    """The results of a bracket in words, by match."""
    played = Match.objects.filter(round__stage=stage).exclude(outcome="").select_related("p1", "p2")
    return {match.pk: f"{match.p1} against {match.p2}, {in_words(match)}" for match in played.order_by("pk")}


def _follow_in_later_rounds(
    recorder: Recorder, match: Match, way: str, seen: str | None, *, is_new: bool
) -> None:
    """`is_new`: the match had no result, so no draft was made from it; a later round may still be out."""
    if match.round.stage.kind == Stage.Kind.SWISS and not is_new:
        _pair_draft_again(recorder, match)
    later = open_round_after(match.round)
    stage = next_stage_of(match.round.stage)
    if later is None and stage is None:
        return
    if not way:
        raise _way_needed(match, later, is_new=is_new)
    if later is not None and way in (Way.SWAP, Way.ANEW):
        amend(recorder, later, way, seen=seen)
    elif stage is not None and stage.is_elimination and way == Way.CUT:
        cut_again.remake(recorder, seen=seen)
    elif way != Way.LEAVE:
        raise Refused(
            "way_impossible", "No tables can change here.", fix="Leave what was made as it is.", field="way"
        )


def next_stage_of(stage: Stage) -> Stage | None:
    """The stage that was made from this one, if it has begun."""
    return (
        Stage.objects.filter(event=stage.event_id, position__gt=stage.position).order_by("position").first()
    )


def _way_needed(match: Match, later: Round | None, *, is_new: bool) -> Refused:
    what = f"Round {later.number} is out and was paired" if later else "The next stage has begun and was made"
    ways = (
        "leave the pairings, change few tables, or pair anew" if later else "leave it, or make the cut anew"
    )
    old = "without a result" if is_new else "with the old result"
    return Refused(
        "way_needed",
        f"{what} {old} of {match.p1} against {match.p2}.",
        fix=f"Look at what is affected, and choose: {ways}.",
        field="way",
    )


def _pair_draft_again(recorder: Recorder, match: Match) -> None:
    because = f"the result of {match.p1} against {match.p2} in round {match.round.number} changed"
    if Match.objects.filter(round__stage=match.round.stage, round__state="published", outcome="").exists():
        rounds.discard_draft(recorder, because)
    else:
        rounds.pair_draft_again(recorder, because)


def plan_of(later: Round) -> Repairs:
    """Both ways to change a published round; the same whenever it is asked for in the same state."""
    attempt = later.pairing.get("amended", 0)
    seed = derive(later.stage.event.seed, later.stage.position, later.number, "repair", attempt)
    return repairs(later, seed)


def amend(recorder: Recorder, later: Round, way: str, *, seen: str | None = None) -> None:
    """Change the tables of a published round that have not finished, and mark what was changed."""
    later = Round.objects.select_related("stage__event").get(pk=later.pk)
    if later.stage.kind != Stage.Kind.SWISS:
        raise Refused("schedule_fixed", "Only Swiss rounds can be paired again.", field="way")
    proposal = plan_of(later).of(way)
    if seen is not None and seen != proposal.mark:
        raise Conflict(
            "plan_changed_meanwhile",
            f"Something happened in round {later.number} since you looked; other tables would change now.",
            fix="Look at the tables again, and choose once more.",
        )
    _apply(recorder, later, proposal)


def _apply(recorder: Recorder, later: Round, proposal: Proposal) -> None:
    if not proposal.goes and not proposal.comes:
        recorder.say("round_kept", f"The pairings of round {later.number} are still the best; all stay.")
        return
    for match in proposal.goes:
        recorder.delete(match)
    rounds.place(
        recorder,
        later,
        [
            {
                **_table(recorder, later.stage.event, each.p1, each.p2, each.why),
                "table": each.table,
                "amended_at": recorder.now,
            }
            for each in proposal.comes
        ],
    )
    kept = {
        name: value for name, value in later.pairing.items() if name not in ("proved", "method", "by_hand")
    }
    amended = {**kept, "amended": later.pairing.get("amended", 0) + 1}
    recorder.update(later, amended_at=recorder.now, pairing=amended)
    recorder.say("round_amended", f"Round {later.number} is amended. {proposal.sentence}")
    enter_carried(recorder, later)
    rounds.settle(recorder, later)


def _table(recorder: Recorder, event: Event, p1: int, p2: int | None, why: str) -> dict[str, object]:
    words = rounds.named(event, why)
    if p2 is None:
        return dict(rounds.bye(recorder, p1, words))
    return {"p1_id": p1, "p2_id": p2, "why": words[:300]}
