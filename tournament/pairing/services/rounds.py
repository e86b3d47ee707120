"""Pair, re-pair, delete and publish rounds: Swiss, round robin, groups of four."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from decks.shared.refusals import Conflict, Refused
from decks.shared.rows import find_row
from rules.reason import Reason, reason, reasons_to_json
from tournament.access.permissions import Actor
from tournament.engine.pairing.inside_pods import JoinedRound
from tournament.engine.pairing.model import PairingError
from tournament.events import selectors
from tournament.events.models.event import Event, Stage
from tournament.events.models.round import Match, Round, Seat
from tournament.events.names import format_problems
from tournament.events.scores import get_forfeit_games
from tournament.events.settings import get_sides
from tournament.log.step import Recorder, step
from tournament.matches import enter_penalty_results, name_match
from tournament.pairing.selectors import drafts
from tournament.pairing.selectors.pairing_context import (
    load_pairing_context,
    locate_tables,
    pairing_report,
    table_numbers,
)
from tournament.pairing.selectors.pods import load_pod_context, pod_report
from tournament.pairing.services import venues
from tournament.pairing.services.schedules import MatchValues, list_group_matches, list_robin_matches
from tournament.shared.hashes import derive_seed
from tournament.standings.selectors.exits import get_exit_rule, has_everyone_left

Phase = Event.Phase

GIVEN_BYE = reason("bye_given")
NO_SEAT = reason("bye_no_seat")


def pair_next_round(event: Event, actor: Actor, *, number: int | None = None) -> Round:
    """Pair the next round of a stage with standings as a draft and return it.

    `number` is the round the caller means; when it already exists it is returned as it is, so that pressing
    twice, or two people pressing, pairs one round once. Raises Refused while a result is missing.
    """
    with step(event, actor) as recorder:
        stage = require_table_stage(recorder.event)
        existing_round = _find_existing_round(recorder.event, number)
        if existing_round is not None:
            return existing_round
        next_number = selectors.get_standings_rounds(recorder.event).count() + 1
        _refuse_too_early(stage, next_number, number)
        draft = _create_draft(recorder, stage, next_number, attempt=1)
        recorder.log("round_paired", round=draft)
    return draft


def require_table_stage(event: Event) -> Stage:
    """Return the stage with standings that is being played.

    Raises Refused when there is none.
    """
    stage = selectors.get_standings_stage(event) if event.phase == Phase.SWISS else None
    if stage is None:
        raise Refused("not_in_swiss")
    return stage


def _find_existing_round(event: Event, number: int | None) -> Round | None:
    rounds = selectors.get_standings_rounds(event).select_related("stage")
    draft = rounds.filter(state=Round.State.DRAFT).first()
    if draft is not None:
        return draft
    return rounds.filter(number=number).first() if number is not None else None


def _refuse_too_early(stage: Stage, next_number: int, number: int | None) -> None:
    if number is not None and number != next_number:
        raise Conflict("not_the_next_round", next_number=next_number, number=number)
    open_matches = (
        Match.objects.filter(round__stage=stage, outcome="").select_related("p1", "p2").order_by("table")
    )
    tables = tuple(name_match(match) for match in open_matches[:6])
    if tables:
        raise Refused("results_missing", tables=tables, more=open_matches.count() > len(tables))
    if stage.planned_rounds is not None and stage.rounds.count() >= stage.planned_rounds:
        raise Refused("all_rounds_played", planned_rounds=stage.planned_rounds, kind=stage.kind)
    if has_everyone_left(stage):
        raise Refused("everyone_left")


def _create_draft(recorder: Recorder, stage: Stage, number: int, *, attempt: int) -> Round:
    seed = derive_seed(recorder.event.seed, stage.position, number, attempt)
    if stage.kind == Stage.Kind.ROBIN:
        local = number - selectors.count_rounds_before(stage)
        matches, report = list_robin_matches(recorder, stage, local)
    elif stage.kind == Stage.Kind.GROUPS:
        matches, report = list_group_matches(recorder, stage, number)
    elif get_sides(recorder.event).is_duel:
        matches, report = _pair_swiss(recorder, stage, number, seed)
    else:
        matches, report = _seat_pods(recorder, stage, number, seed)
    draft = recorder.create(
        Round(
            stage=stage,
            number=number,
            seed=seed,
            paired_at=recorder.now,
            pairing={"attempt": attempt, **report},
        )
    )
    insert_matches(recorder, draft, matches)
    return draft


def _pair_swiss(
    recorder: Recorder, stage: Stage, number: int, seed: int
) -> tuple[list[MatchValues], dict[str, object]]:
    context = load_pairing_context(recorder.event, stage, number)
    # With exits, the last player without an opponent has a bye.
    if len(context.swiss.entrants) < (1 if get_exit_rule(stage) else 2):
        raise Refused("too_few_players")
    try:
        result = context.pair_fields(seed)
    except PairingError as error:
        raise Refused("cannot_be_paired", why=format_problems(error, recorder.event)) from error
    report = pairing_report(result, table_numbers(recorder.event))
    return _swiss_matches(recorder, result, context.swiss.resting_players), report


def _seat_pods(
    recorder: Recorder, stage: Stage, number: int, seed: int
) -> tuple[list[MatchValues], dict[str, object]]:
    """Return tables of more than two sides."""
    context = load_pod_context(recorder.event, stage, number)
    try:
        result = context.seat(seed)
    except PairingError as error:
        raise Refused("cannot_be_paired", why=format_problems(error, recorder.event)) from error
    numbers = table_numbers(recorder.event)
    matches: list[MatchValues] = [
        {
            "table": numbers.table(pod.number),
            "p1_id": pod.players[0],
            "p2_id": pod.players[1],
            "side_count": len(pod.players),
            "sides": pod.players,
            "why": reasons_to_json(pod.why),
        }
        for pod in result.pods
    ]
    byes = [bye_values(recorder, pk, (NO_SEAT,)) for pk in result.resting_players]
    bye_rows = [bye_values(recorder, pk, (GIVEN_BYE,)) for pk in context.swiss.resting_players]
    return [*matches, *byes, *bye_rows], pod_report(result)


def _swiss_matches(recorder: Recorder, result: JoinedRound, resting_ids: Sequence[int]) -> list[MatchValues]:
    numbers = table_numbers(recorder.event)
    # Tables of the same scores have the same reasons: they are made once.
    alike = {(table.score1, table.score2, table.note): table for table in result.tables}
    reasons = {case: reasons_to_json(table.why) for case, table in alike.items()}
    matches: list[MatchValues] = [
        {
            "table": numbers.table(table.number),
            "p1_id": table.p1,
            "p2_id": table.p2,
            "why": reasons[table.score1, table.score2, table.note],
        }
        for table in result.tables
    ]
    for player_id, why in result.byes:
        matches.append(bye_values(recorder, player_id, locate_tables(why, numbers)))
    return matches + [bye_values(recorder, pk, (GIVEN_BYE,)) for pk in resting_ids]


def pair_values(recorder: Recorder, p1: int, p2: int | None, why: Iterable[Reason]) -> MatchValues:
    """Return a match of two players, or a bye if there is no second one."""
    if p2 is None:
        return bye_values(recorder, p1, why)
    return {"p1_id": p1, "p2_id": p2, "why": reasons_to_json(why)}


def bye_values(recorder: Recorder, player_id: int, why: Iterable[Reason] = ()) -> MatchValues:
    """Return a bye as a win by the games that win a match.

    This is a Ringside default. The document has no bye rule.
    """
    return {
        "p1_id": player_id,
        "outcome": Match.Outcome.BYE.value,
        "p1_games": get_forfeit_games(recorder.event),
        "why": reasons_to_json(why),
        "result_at": recorder.now,
        "result_by": "Ringside",
    }


def insert_matches(recorder: Recorder, draft: Round, matches: Sequence[MatchValues]) -> None:
    """Insert the matches of a round with their chairs.

    `sides` names the players of more than two.
    """
    rows = [{name: value for name, value in match.items() if name != "sides"} for match in matches]
    ids = recorder.insert(Match, [{**row, "round_id": draft.pk} for row in rows])
    seats = [
        {"round_id": draft.pk, "match_id": match_id, "player_id": player_id, "side": side}
        for match_id, match in zip(ids, matches, strict=True)
        for side, player_id in _list_sides(match)
    ]
    recorder.insert(Seat, seats)


def _list_sides(match: MatchValues) -> Iterator[tuple[int, object]]:
    """Yield the numbers and players of a match.

    In a match of two players, no one has a number.
    """
    sides = match.get("sides")
    if isinstance(sides, tuple):
        yield from enumerate(sides, 1)
        return
    yield from ((0, player) for player in (match["p1_id"], match.get("p2_id")) if player is not None)


def pair_round_again(draft: Round, actor: Actor) -> Round:
    """Delete the draft and pair with the next seed."""
    with step(draft.stage.event, actor) as recorder:
        locked_draft = lock_draft(draft)
        _refuse_schedule(locked_draft)
        number, attempt = locked_draft.number, locked_draft.pairing.get("attempt", 1) + 1
        stage = locked_draft.stage
        _remove_draft(recorder, locked_draft)
        new_draft = _create_draft(recorder, stage, number, attempt=attempt)
        recorder.log("round_paired_again", round=new_draft)
    return new_draft


def delete_draft(draft: Round, actor: Actor) -> None:
    """Delete a draft without pairing again."""
    with step(draft.stage.event, actor) as recorder:
        locked_draft = lock_draft(draft)
        _remove_draft(recorder, locked_draft)
        recorder.log("draft_thrown_away", round=locked_draft)


def _refuse_schedule(draft: Round) -> None:
    if draft.stage.has_schedule:
        raise Refused("schedule_fixed", kind=draft.stage.kind)


def lock_draft(draft: Round) -> Round:
    """Return the draft as it is under the lock.

    Raises Conflict when it is one no longer.
    """
    locked_draft = find_row(Round.objects.select_related("stage__event").filter(pk=draft.pk))
    if locked_draft is None or not locked_draft.is_draft:
        raise Conflict("no_draft")
    return locked_draft


def pair_draft_again(recorder: Recorder, why: Reason) -> None:
    """Pair a draft again that no longer follows from the results.

    Without a draft, nothing is done.
    """
    drafts_query = Round.objects.select_related("stage__event").filter(stage__event=recorder.event)
    for draft in drafts_query.filter(state=Round.State.DRAFT):
        number, stage, attempt = draft.number, draft.stage, draft.pairing.get("attempt", 1) + 1
        has_manual_changes = bool(drafts.list_manual_changes(draft))
        _remove_draft(recorder, draft)
        _create_draft(recorder, stage, number, attempt=attempt)
        recorder.log("draft_paired_again", round=draft, why=why, by_hand=has_manual_changes)


def discard_draft(recorder: Recorder, why: Reason) -> None:
    """Discard a draft that a change of the field has made stale; the log says why."""
    standing_drafts = Round.objects.filter(stage__event=recorder.event, state=Round.State.DRAFT)
    for draft in standing_drafts.select_related("stage"):
        _remove_draft(recorder, draft)
        recorder.log("draft_discarded", round=draft, why=why)


def _remove_draft(recorder: Recorder, draft: Round) -> None:
    recorder.remove(Seat.objects.filter(round=draft))
    recorder.remove(Match.objects.filter(round=draft))
    recorder.delete(draft)


def publish_round(
    draft: Round, actor: Actor, *, is_confirmed: bool = False, seen_mark: str | None = None
) -> Round:
    """Show the round to the players. A second press changes nothing.

    `seen_mark` is the fingerprint of the tables that the page showed. Raises Conflict if others are there
    now, Refused where a table is still played on by another event of the venue, or was made by hand with
    something against it, unless `is_confirmed`.
    """
    with step(draft.stage.event, actor) as recorder:
        locked_draft = find_row(Round.objects.select_related("stage__event").filter(pk=draft.pk))
        if locked_draft is None:
            raise Conflict("no_draft.publish")
        if locked_draft.is_draft:
            refuse_changed_draft(locked_draft, seen_mark)
            refuse_unconfirmed(locked_draft, is_confirmed=is_confirmed)
            venues.refuse_taken_tables(recorder, locked_draft)
            recorder.update(locked_draft, state=Round.State.PUBLISHED, published_at=recorder.now)
            recorder.log("round_published", round=locked_draft)
            enter_penalty_results(recorder, locked_draft)
            update_round_state(recorder, locked_draft)
    return locked_draft


def refuse_changed_draft(draft: Round, seen_mark: str | None) -> None:
    """Raise Conflict if a draft's tables differ from those its publisher saw."""
    if seen_mark is not None and seen_mark != drafts.fingerprint_draft(draft):
        raise Conflict("draft_changed_meanwhile")


def refuse_unconfirmed(draft: Round, *, is_confirmed: bool) -> None:
    """Raise Refused if an objection to a table made by hand is unconfirmed."""
    if is_confirmed or not drafts.list_manual_changes(draft):
        return
    doubts = drafts.load_draft_view(draft).to_confirm
    if doubts:
        warnings = " ".join(warning.sentence for warning in doubts[:6])
        raise Refused("hand_made_unconfirmed", field="confirm", warnings=warnings, more=len(doubts) - 6)


def update_round_state(recorder: Recorder, round_: Round) -> None:
    """Finish a published round when its last result is in.

    The round is reopened when a result is undone.
    """
    if round_.is_draft:
        return
    has_open_matches = round_.matches.filter(outcome="").exists()
    if has_open_matches:
        recorder.update(round_, state=Round.State.PUBLISHED, finished_at=None)
    elif round_.state != Round.State.FINISHED:
        recorder.update(round_, state=Round.State.FINISHED, finished_at=recorder.now)
        if round_.stage.is_elimination:
            recorder.log("round_finished.bracket", round=round_, has_cut=recorder.event.cut != Event.Cut.NONE)
        else:
            recorder.log("round_finished", round=round_)
