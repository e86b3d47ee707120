"""Rounds: pair, look, throw away, pair again, publish. The engine decides who meets; this writes it down."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from tournament.engine import pairing
from tournament.errors import Conflict, Refused
from tournament.models import Event, Match, Round, Seat, Stage
from tournament.selectors import field
from tournament.services.actor import Actor
from tournament.services.recorder import Recorder, step
from tournament.services.seeds import derive

Phase = Event.Phase
Table = Mapping[str, Any]


def pair_next_round(event: Event, actor: Actor, *, number: int | None = None) -> Round:
    """Pair the next Swiss round as a draft and return it.

    `number` is the round the caller means; when it already exists it is returned as it is, so that pressing
    twice, or two people pressing, pairs one round once. Raises Refused while a result is missing.
    """
    with step(event, actor) as recorder:
        stage = swiss_stage(recorder.event)
        existing = _existing(stage, number)
        if existing is not None:
            return existing
        following = stage.rounds.count() + 1
        _refuse_too_early(stage, following, number)
        paired = _pair(recorder, stage, following, attempt=1)
        recorder.say("round_paired", f"{actor.label} paired round {paired.number}.")
    return paired


def swiss_stage(event: Event) -> Stage:
    """The Swiss stage that is being played. Raises Refused when it is not."""
    if event.phase != Phase.SWISS:
        raise Refused("not_in_swiss", "The Swiss rounds are not being played.", fix="Start the event first.")
    return event.stages.get(kind=Stage.Kind.SWISS)


def _existing(stage: Stage, number: int | None) -> Round | None:
    draft = stage.rounds.filter(state=Round.State.DRAFT).first()
    if draft is not None:
        return draft
    return stage.rounds.filter(number=number).first() if number is not None else None


def _refuse_too_early(stage: Stage, following: int, number: int | None) -> None:
    if number is not None and number != following:
        raise Conflict("not_the_next_round", f"The next round is round {following}, not round {number}.")
    if stage.planned_rounds is not None and following > stage.planned_rounds:
        raise Refused(
            "all_rounds_played",
            f"All {stage.planned_rounds} Swiss rounds are played.",
            fix="Make the cut, finish the event, or plan another round.",
        )
    missing = (
        Match.objects.filter(round__stage=stage, outcome="").select_related("p1", "p2").order_by("table")
    )
    tables = [f"{match.table} ({match.p1.name} – {match.p2.name})" for match in missing[:6]]
    if tables:
        more = " …" if missing.count() > len(tables) else ""
        raise Refused(
            "results_missing",
            f"Still without a result: table {', '.join(tables)}{more}.",
            fix="Enter these results first.",
        )


def _pair(recorder: Recorder, stage: Stage, number: int, *, attempt: int) -> Round:
    entrants, met = field.entrants(recorder.event, stage, number)
    if len(entrants) < 2:
        raise Refused("too_few_players", "Fewer than two players are left.", fix="Finish the event.")
    seed = derive(recorder.event.seed, stage.position, number, attempt)
    left = None if stage.planned_rounds is None else stage.planned_rounds - number
    result = pairing.pair_round(entrants, met, seed=seed, rounds_left=left)
    made = recorder.create(
        Round(
            stage=stage,
            number=number,
            seed=seed,
            paired_at=recorder.now,
            pairing={"attempt": attempt, **field.pairing_report(result)},
        )
    )
    _seat(recorder, made, result)
    return made


def _seat(recorder: Recorder, made: Round, result: pairing.Pairing) -> None:
    matches: list[Table] = [
        {"table": table.number, "p1_id": table.p1, "p2_id": table.p2, "why": table.why[:300]}
        for table in result.tables
    ]
    if result.bye is not None:
        matches.append(bye(recorder, result.bye, result.explain(result.bye)))
    place(recorder, made, matches)


def bye(recorder: Recorder, player_id: int, why: str = "") -> Table:
    """A bye: a win by two games to nothing (ours; the document has no bye rule)."""
    return {
        "p1_id": player_id,
        "outcome": Match.Outcome.BYE.value,
        "p1_games": 2,
        "why": why[:300],
        "result_at": recorder.now,
        "result_by": "Ringside",
    }


def place(recorder: Recorder, made: Round, matches: Sequence[Table]) -> None:
    """Insert the matches of a round with their chairs."""
    ids = recorder.insert(Match, [{**match, "round_id": made.pk} for match in matches])
    seats = [
        {"round_id": made.pk, "match_id": match_id, "player_id": player_id}
        for match_id, match in zip(ids, matches, strict=True)
        for player_id in (match["p1_id"], match.get("p2_id"))
        if player_id is not None
    ]
    recorder.insert(Seat, seats)


def pair_again(draft: Round, actor: Actor) -> Round:
    """Throw the draft away and pair with the next seed."""
    with step(draft.stage.event, actor) as recorder:
        standing = _draft(draft)
        number, attempt = standing.number, standing.pairing.get("attempt", 1) + 1
        stage = standing.stage
        _delete(recorder, standing)
        paired = _pair(recorder, stage, number, attempt=attempt)
        recorder.say("round_paired_again", f"{actor.label} paired round {number} again.")
    return paired


def throw_away(draft: Round, actor: Actor) -> None:
    """Throw a draft away without pairing again."""
    with step(draft.stage.event, actor) as recorder:
        standing = _draft(draft)
        _delete(recorder, standing)
        recorder.say("draft_thrown_away", f"{actor.label} threw the draft of round {standing.number} away.")


def _draft(draft: Round) -> Round:
    standing = Round.objects.select_related("stage").filter(pk=draft.pk).first()
    if standing is None or not standing.is_draft:
        raise Conflict("no_draft", "This draft no longer exists; it was published or thrown away.")
    return standing


def discard_draft(recorder: Recorder, because: str) -> None:
    """A change of the field makes a draft stale: it goes, and the log says why."""
    for draft in Round.objects.filter(stage__event=recorder.event, state=Round.State.DRAFT):
        _delete(recorder, draft)
        recorder.say(
            "draft_discarded", f"The draft of round {draft.number} was discarded: {because}. Pair it again."
        )


def _delete(recorder: Recorder, draft: Round) -> None:
    for seat in Seat.objects.filter(round=draft):
        recorder.delete(seat)
    for match in draft.matches.all():
        recorder.delete(match)
    recorder.delete(draft)


def publish(draft: Round, actor: Actor) -> Round:
    """Show the round to the players. A second press changes nothing."""
    with step(draft.stage.event, actor) as recorder:
        standing = Round.objects.filter(pk=draft.pk).first()
        if standing is None:
            raise Conflict("no_draft", "This draft no longer exists; pair the round again.")
        if standing.is_draft:
            recorder.update(standing, state=Round.State.PUBLISHED, published_at=recorder.now)
            recorder.say("round_published", f"{actor.label} published round {standing.number}.")
            settle(recorder, standing)
    return standing


def settle(recorder: Recorder, played: Round) -> None:
    """Finish a published round when its last result is in, and reopen it when one is taken back."""
    if played.is_draft:
        return
    waiting = played.matches.filter(outcome="").exists()
    if waiting:
        recorder.update(played, state=Round.State.PUBLISHED, finished_at=None)
    elif played.state != Round.State.FINISHED:
        recorder.update(played, state=Round.State.FINISHED, finished_at=recorder.now)
        recorder.say("round_finished", f"Round {played.number} is finished.")
