"""Advance the bracket: seat players, give forfeit wins, end the event."""

from __future__ import annotations

from rules.reason import reasons_to_json
from tournament.brackets.selectors import bracket as bracket_selectors
from tournament.engine.brackets.playing import BracketState, SeatedMatch
from tournament.events.models.event import Event, Stage
from tournament.events.models.player import Player
from tournament.events.models.round import Match, Round, Seat
from tournament.events.selectors import get_bracket_stage
from tournament.log.step import Recorder
from tournament.matches import REOPENED, enter_penalty_results
from tournament.pairing.services import rounds, venues
from tournament.pairing.services.schedules import forfeit_win
from tournament.penalties.selectors import LOSS_LEVELS
from tournament.shared.hashes import derive_seed

Phase = Event.Phase


def advance_bracket(recorder: Recorder, stage: Stage) -> None:
    """Bring the bracket in line with the results: seat players, remove stale matches.

    Removing a match removes its result, which can remove later matches, and a forfeit win seats
    a player in the next match: repeat until nothing changes.
    """
    while (
        _advance_once(recorder, stage)
        or _give_forfeit_win(recorder, stage)
        or _apply_penalties(recorder, stage)
    ):
        pass


def _advance_once(recorder: Recorder, stage: Stage) -> bool:
    """Empty all wrong seats before filling any, so no player has two in a round."""
    players = dict(stage.entrants.values_list("seed", "player_id"))
    seated_by_id = {ready.id: ready for ready in bracket_selectors.list_seated_matches(stage)}
    pairs = {
        ready.id: (players[ready.p1], players[ready.p2])
        for ready in seated_by_id.values()
        if ready.p1 is not None and ready.p2 is not None
    }
    matches = list(Match.objects.filter(round__stage=stage).select_related("round", "p1", "p2"))
    stale = [match for match in matches if pairs.get(match.bracket_match or 0) != (match.p1_id, match.p2_id)]
    for match in stale:
        remove_match(recorder, match)
    kept_numbers = {match.bracket_match for match in matches} - {match.bracket_match for match in stale}
    stale_numbers = {match.bracket_match for match in stale}
    for number, ready in seated_by_id.items():
        if number not in kept_numbers:
            _seat(recorder, stage, ready, pairs[number], is_amended=number in stale_numbers)
    return bool(stale)


def _seat(
    recorder: Recorder, stage: Stage, ready: SeatedMatch, pair: tuple[int, int], *, is_amended: bool
) -> None:
    bracket_round = Round.objects.filter(stage=stage, number=ready.round).first() or recorder.create(
        Round(
            stage=stage,
            number=ready.round,
            state=Round.State.PUBLISHED,
            seed=derive_seed(recorder.event.seed, stage.position, ready.round),
            paired_at=recorder.now,
            published_at=recorder.now,
        )
    )
    if bracket_round.state == Round.State.FINISHED:
        recorder.update(bracket_round, state=Round.State.PUBLISHED, finished_at=None)
    table = venues.find_free_table(recorder, bracket_round)
    match = {
        "table": table,
        "bracket_match": ready.id,
        "p1_id": pair[0],
        "p2_id": pair[1],
        "why": reasons_to_json([ready.why]),
    }
    if is_amended:
        match["amended_at"] = recorder.now
        recorder.update(bracket_round, amended_at=recorder.now)
    rounds.insert_matches(recorder, bracket_round, [match])


def _give_forfeit_win(recorder: Recorder, stage: Stage) -> bool:
    """Give the opponent of a dropped player a forfeit win; return whether one did.

    If both have dropped, the better seed advances in name, so that the next opponent need not wait; only a
    last match between two who have left stays open for the organizer.
    """
    open_matches = Match.objects.filter(round__stage=stage, outcome="").select_related("round", "p1", "p2")
    state = bracket_selectors.load_bracket_state(stage)
    for match in open_matches:
        dropped_sides = match.p1.is_dropped, match.p2 is not None and match.p2.is_dropped
        if not any(dropped_sides) or (all(dropped_sides) and _is_last(state, match)):
            continue
        seats = state.match(match.bracket_match or 0)
        first_wins = (seats.p1 or 0) < (seats.p2 or 0) if all(dropped_sides) else dropped_sides[1]
        recorder.update(match, revision=match.revision + 1, **forfeit_win(recorder, first_wins=first_wins))
        winner = match.p1 if first_wins else match.p2
        recorder.log("walkover", player=winner)
        rounds.update_round_state(recorder, match.round)
        return True
    return False


def is_last_match(match: Match) -> bool:
    """Return whether a match decides who is champion. No bracket match follows it."""
    stage = match.round.stage
    return stage.is_elimination and _is_last(bracket_selectors.load_bracket_state(stage), match)


def _is_last(state: BracketState, match: Match) -> bool:
    layout = state.bracket.match(match.bracket_match or 0)
    return layout.winner_to is None and layout.side not in ("3P", "C")


def _apply_penalties(recorder: Recorder, stage: Stage) -> bool:
    """Advance opponents of players who lost by a penalty; return whether any did."""
    if not recorder.event.penalties.filter(degree__in=LOSS_LEVELS, is_next=True).exists():
        return False
    running_rounds = Round.objects.filter(stage=stage, state=Round.State.PUBLISHED).order_by("number")
    decided_rounds = [round_ for round_ in running_rounds if enter_penalty_results(recorder, round_)]
    for round_ in decided_rounds:
        rounds.update_round_state(recorder, round_)
    return bool(decided_rounds)


def continue_bracket(recorder: Recorder) -> None:
    """Advance the running bracket after a drop or its undo."""
    stage = get_bracket_stage(recorder.event) if recorder.event.phase == Phase.CUT else None
    if stage is not None:
        advance_bracket(recorder, stage)
        finish_or_reopen_event(recorder, stage)


def reopen_forfeits(recorder: Recorder, player: Player) -> None:
    """Reopen the forfeits of a player whose drop is undone."""
    stage = get_bracket_stage(recorder.event) if recorder.event.phase == Phase.CUT else None
    if stage is None:
        return
    for match in Match.objects.filter(round__stage=stage, forfeit=True).select_related("round"):
        if player.pk in (match.p1_id, match.p2_id) and match.winner_id != player.pk:
            recorder.update(match, **REOPENED, revision=match.revision + 1)
            rounds.update_round_state(recorder, match.round)
    advance_bracket(recorder, stage)


def remove_match(recorder: Recorder, match: Match) -> None:
    """Remove a match from the bracket, with its result.

    A round without matches is removed too.
    """
    round_ = match.round
    if match.is_finished:
        recorder.log("bracket_match_fell", p1=match.p1, p2=match.p2, score=match.score)
    for report in match.reports.all():
        recorder.delete(report)
    for seat in Seat.objects.filter(match=match):
        recorder.delete(seat)
    recorder.delete(match)
    if not round_.matches.exists():
        recorder.delete(round_)
    else:
        rounds.update_round_state(recorder, round_)


def finish_or_reopen_event(recorder: Recorder, stage: Stage) -> None:
    """Finish the event when its bracket is complete; reopen it when it is not."""
    champion = bracket_selectors.champion_of_stage(stage)
    is_over = champion is not None and not Match.objects.filter(round__stage=stage, outcome="").exists()
    if is_over and recorder.event.phase != Phase.FINISHED:
        recorder.update(recorder.event, phase=Phase.FINISHED)
        recorder.log("champion", player=champion)
    elif not is_over and recorder.event.phase == Phase.FINISHED:
        recorder.update(recorder.event, phase=Phase.CUT)
