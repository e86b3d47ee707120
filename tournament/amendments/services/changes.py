"""Change a published round by hand: swap, move, replace, add, cancel."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum

from decks.shared.fingerprints import make_fingerprint
from decks.shared.refusals import Conflict, Refused
from decks.shared.rows import find_row
from rules.reason import Reason, reason, reasons_to_json
from tournament.access.permissions import Actor
from tournament.amendments import selectors
from tournament.amendments.services.pods import cancel_table, move_player
from tournament.amendments.services.seats import (
    RESULTS,
    UNPAIRED,
    ResultPolicy,
    Seating,
    UnpairedPolicy,
    find_match_at,
    find_seat,
    leave_without_opponent,
    load_free_player,
    refuse_table,
    release_player,
    reopen_match,
    reseat,
)
from tournament.events.models.event import Stage
from tournament.events.models.round import Match, Round, Seat
from tournament.events.settings import get_stage_sides
from tournament.log.models import LogEntry
from tournament.log.step import Recorder, step
from tournament.matches import enter_penalty_results
from tournament.pairing.selectors.drafts import PAIR_BY_HAND
from tournament.pairing.selectors.repairs import open_round_after
from tournament.pairing.services import rounds, venues
from tournament.pairing.services.drafts import move_match
from tournament.results.services import drops, writing
from tournament.results.services.writing import RepairLimits, RepairStrategy

MOST_PLACES = 60
WAYS = (RepairStrategy.LEAVE, RepairStrategy.SWAP, RepairStrategy.ALL)


class ChangeKind(StrEnum):
    """The changes that a published round allows."""

    SWAP = "swap"
    MOVE = "move"
    REPLACE = "replace"
    ADD = "add"
    CANCEL = "cancel"
    SEAT = "seat"


# The changes at tables of two sides, and at tables of more than two.
DUEL_KINDS = tuple(kind for kind in ChangeKind if kind != ChangeKind.SEAT)
SIDES_KINDS = tuple(kind for kind in ChangeKind if kind != ChangeKind.ADD)

NEEDED_FIELDS: Mapping[str, tuple[str, ...]] = {
    ChangeKind.SWAP: ("one", "two"),
    ChangeKind.MOVE: ("table", "to"),
    ChangeKind.REPLACE: ("one", "two"),
    ChangeKind.ADD: ("one", "two"),
    ChangeKind.CANCEL: ("table",),
    ChangeKind.SEAT: ("one", "to"),
}


@dataclass(frozen=True, slots=True)
class RoundChange:
    """One change by hand.

    `one` and `two` are numbers of players: those who swap, who leaves and who comes, or who form a new pair.
    `table` is the match that moves or is canceled, `to` the table for it, for a new pair, or for `one`.
    `results` says what becomes of results that are there, `unpaired` of players who lose their match.
    """

    kind: str
    one: int | None = None
    two: int | None = None
    table: int | None = None
    to: int | None = None
    results: str = ResultPolicy.KEEP
    unpaired: str = UnpairedPolicy.LOSS

    def number(self, name: str) -> int:
        """Return a number that this kind of change needs. Raises Refused without."""
        value = getattr(self, name)
        if value is None:
            raise Refused("change_incomplete", field=name, name=name)
        return int(value)


@dataclass(frozen=True, slots=True)
class AppliedChange:
    """A change that was made.

    Holds its step in the log, and the mark by which a page is known to be old.
    """

    round: Round
    entry: LogEntry | None
    mark: str


def change_round(
    round_: Round,
    actor: Actor,
    change: RoundChange,
    *,
    way: str = RepairStrategy.LEAVE,
    seen_mark: str | None = None,
    reason: str = "",
) -> AppliedChange:
    """Change a published round, in one step that can be undone.

    `way` says what becomes of the open tables of the round, or of the later one that is played: they stay, as
    few as possible change, or all are paired again. `seen_mark` is the mark of the preview: where
    something came between that the change touches, Conflict is raised and nothing is written. Raises Refused
    for a change that cannot be made.
    """
    with step(round_.stage.event, actor) as recorder:
        locked_round = _lock_round(round_)
        _refuse_unknown(locked_round, change, way)
        _refuse_sides(locked_round, change, way)
        seating = Seating(recorder, locked_round, change.results, change.unpaired)
        watched_rounds = [each for each in (locked_round, open_round_after(locked_round)) if each]
        before = [selectors.load_places(each) for each in watched_rounds]
        basis = _make_basis(locked_round, change)
        seen_basis, _, seen_plan = (seen_mark or "").partition("-")
        if seen_basis and seen_basis != basis:
            raise Conflict("round_changed_meanwhile", round=locked_round.number)
        limits = _APPLY[change.kind](seating, change, way, reason)
        writing.mark_amended(recorder, locked_round)
        mark = _follow(recorder, locked_round, change, way, seen_plan or None, limits)
        enter_penalty_results(recorder, locked_round)
        rounds.update_round_state(recorder, locked_round)
        _log_places(recorder, watched_rounds, before)
    return AppliedChange(locked_round, recorder.entry, f"{basis}-{mark}" if mark else basis)


def _lock_round(round_: Round) -> Round:
    locked_round = find_row(Round.objects.select_related("stage__event").filter(pk=round_.pk))
    if locked_round is None or locked_round.is_draft:
        raise Conflict("round_not_published")
    return locked_round


def list_kinds(round_: Round) -> tuple[ChangeKind, ...]:
    """Return what can be done to the tables of a round."""
    if round_.stage.kind != Stage.Kind.SWISS:
        return (ChangeKind.MOVE,)
    return DUEL_KINDS if get_stage_sides(round_.stage).is_duel else SIDES_KINDS


def _refuse_sides(round_: Round, change: RoundChange, way: str) -> None:
    """Refuse changes that tables of a given number of sides do not have.

    These are late pairs, and other tables that change as well.
    """
    kinds = list_kinds(round_)
    if change.kind not in kinds:
        choices = tuple(map(str, kinds))
        raise Refused("change_choice_unknown", field="kind", name="kind", value=change.kind, choices=choices)
    if way != RepairStrategy.LEAVE and not get_stage_sides(round_.stage).is_duel:
        raise Refused("sides_not_changed", field="way")


def _refuse_unknown(round_: Round, change: RoundChange, way: str) -> None:
    for name, value, choices in (
        ("kind", change.kind, tuple(ChangeKind)),
        ("results", change.results, RESULTS),
        ("unpaired", change.unpaired, UNPAIRED),
        ("way", way, WAYS),
    ):
        if value not in choices:
            raise Refused("change_choice_unknown", field=name, name=name, value=value[:20], choices=choices)
    for name in NEEDED_FIELDS[change.kind]:
        change.number(name)
    if change.kind != ChangeKind.MOVE and round_.stage.kind != Stage.Kind.SWISS:
        raise Refused("only_swiss_changes", kind=round_.stage.kind)


def _make_basis(round_: Round, change: RoundChange) -> str:
    """Name what the change would touch, in its current state.

    The rounds made from it are also named.
    """
    players = [number for number in (change.one, change.two) if number is not None]
    tables = [number for number in (change.table, change.to) if number is not None]
    matches = Match.objects.filter(round=round_)
    touched_tables = (
        matches.filter(seats__player__number__in=players) | matches.filter(table__in=tables)
    ).distinct()
    rows = touched_tables.order_by("pk").values_list("pk", "revision", "table", "p1_id", "p2_id", "outcome")
    seats = Seat.objects.filter(match__in=touched_tables).order_by("match_id", "side", "pk")
    in_event = round_.stage.event.players.filter(number__in=players).order_by("pk")
    later_rounds = Round.objects.filter(stage__event=round_.stage.event_id, pk__gt=round_.pk).order_by("pk")
    return make_fingerprint(
        (
            list(rows),
            list(seats.values_list("match_id", "side", "player_id", "place")),
            list(in_event.values_list("pk", "status", "dropped_after")),
            list(later_rounds.values_list("pk", "state")),
        )
    )


def _swap(seating: Seating, change: RoundChange, way: str, why: str) -> RepairLimits:
    first, second = (find_seat(seating.round, change.number(name)) for name in ("one", "two"))
    if first.match_id == second.match_id:
        raise Refused("already_together", player=first.player.name, other_player=second.player.name)
    one, two = first.player, second.player
    kept_matches = [
        reseat(seating, match, {out.pk: come.pk})
        for match, out, come in ((first.match, one, two), (second.match, two, one))
    ]
    first_match_id, second_match_id = first.match_id, second.match_id
    new_places = [
        {"match_id": seat.match_id, "side": seat.side, "place": seat.place if is_kept else None}
        for seat, is_kept in ((second, kept_matches[1]), (first, kept_matches[0]))
    ]
    for seat, place in zip((first, second), new_places, strict=True):
        seat.refresh_from_db(fields=["place"])
        seating.recorder.update(seat, **place)
    seating.recorder.log(
        "round_players_swapped", reason=why, round=seating.round, one=one, two=two, results=any(kept_matches)
    )
    return RepairLimits(settled_matches=(first_match_id, second_match_id))


def _move(seating: Seating, change: RoundChange, way: str, why: str) -> RepairLimits:
    recorder, table, to = seating.recorder, change.number("table"), change.number("to")
    refuse_table(seating, to)
    matches = list(seating.round.matches.filter(table__in=(table, to)))
    move_match(recorder, seating.round, table, to)
    for match in matches:
        recorder.update(match, amended_at=recorder.now)
    recorder.log(
        "round_table_moved",
        reason=why,
        round=seating.round,
        table=table,
        new_table=to,
        is_exchange=len(matches) == 2,
    )
    return RepairLimits(settled_matches=tuple(match.pk for match in matches))


def _replace(seating: Seating, change: RoundChange, way: str, why: str) -> RepairLimits:
    recorder, seat = seating.recorder, find_seat(seating.round, change.number("one"))
    player, match = seat.player, seat.match
    new_player = load_free_player(seating, change.number("two"), besides=player)
    release_player(seating, new_player)
    reseat(seating, match, {player.pk: new_player.pk})
    recorder.update(seat, player_id=new_player.pk)
    recorder.log(
        "round_player_replaced",
        reason=why,
        round=seating.round,
        player=player,
        new_player=new_player,
        unpaired=change.unpaired,
    )
    settled_matches = [match.pk]
    if change.unpaired == UnpairedPolicy.DROP:
        drops.drop_in_step(recorder, player, reason=why)
    else:
        settled_matches += leave_without_opponent(seating, player)
    return RepairLimits(settled_matches=tuple(settled_matches))


def _add(seating: Seating, change: RoundChange, way: str, why: str) -> RepairLimits:
    recorder = seating.recorder
    one = load_free_player(seating, change.number("one"))
    two = load_free_player(seating, change.number("two"), besides=one)
    for player in (one, two):
        release_player(seating, player)
    if change.to is not None:
        refuse_table(seating, change.to, must_be_free=True)
    table = change.to if change.to is not None else venues.find_free_table(recorder, seating.round)
    match = {"p1_id": one.pk, "p2_id": two.pk, "table": table, "amended_at": recorder.now}
    rounds.insert_matches(recorder, seating.round, [{**match, "why": reasons_to_json([PAIR_BY_HAND])}])
    recorder.log("round_pair_added", reason=why, round=seating.round, one=one, two=two, table=table)
    added_ids = seating.round.matches.filter(table=table).values_list("pk", flat=True)
    return RepairLimits(settled_matches=tuple(added_ids))


def _cancel(seating: Seating, change: RoundChange, way: str, why: str) -> RepairLimits:
    recorder, match = seating.recorder, find_match_at(seating.round, change.number("table"))
    if match.p2 is None:
        raise Refused("no_such_table.no_match", table=match.table, round=seating.round.number)
    one, two = match.p1, match.p2
    if change.unpaired == UnpairedPolicy.DROP:
        raise Refused("cancel_drops_nobody", field="unpaired")
    if match.is_pod:
        return RepairLimits(settled_matches=tuple(cancel_table(seating, match, why)))
    is_paired_again = _pairs_again(seating.round, way)
    recorder.log(
        "round_match_cancelled",
        reason=why,
        round=seating.round,
        one=one,
        two=two,
        table=match.table,
        unpaired="again" if is_paired_again else change.unpaired,
    )
    if is_paired_again:
        reopen_match(seating, match)
        return RepairLimits(separate_pairs=((one.pk, two.pk),))
    recorder.delete(match)
    settled_matches = [pk for player in (one, two) for pk in leave_without_opponent(seating, player)]
    return RepairLimits(settled_matches=tuple(settled_matches))


def _seat(seating: Seating, change: RoundChange, way: str, why: str) -> RepairLimits:
    move_player(seating, change.number("one"), change.number("to"), why)
    return RepairLimits()


_APPLY: Mapping[str, Callable[[Seating, RoundChange, str, str], RepairLimits]] = {
    ChangeKind.SWAP: _swap,
    ChangeKind.MOVE: _move,
    ChangeKind.REPLACE: _replace,
    ChangeKind.ADD: _add,
    ChangeKind.CANCEL: _cancel,
    ChangeKind.SEAT: _seat,
}


def _pairs_again(round_: Round, way: str) -> bool:
    """Return whether open tables of this very round are paired again."""
    return way in (RepairStrategy.SWAP, RepairStrategy.ALL) and open_round_after(round_) is None


def _follow(
    recorder: Recorder,
    round_: Round,
    change: RoundChange,
    way: str,
    seen_mark: str | None,
    limits: RepairLimits,
) -> str:
    """Update what was made from the round before the change.

    Return the mark of the tables that change.
    """
    later_round = open_round_after(round_)
    if change.kind != ChangeKind.MOVE:
        writing.renew_draft(recorder, round_.stage, _say_why(round_))
    if way == RepairStrategy.LEAVE:
        return ""
    target, target_limits = (later_round, writing.NO_LIMITS) if later_round else (round_, limits)
    return writing.amend_round(recorder, target, way, seen_mark=seen_mark, limits=target_limits).mark


def _say_why(round_: Round) -> Reason:
    return reason("round_was_changed", round=round_.number)


def _log_places(recorder: Recorder, watched_rounds: list[Round], before: list[selectors.Places]) -> None:
    """Note who sits elsewhere now, for those who go and tell them."""
    changes = [
        change
        for each, places in zip(watched_rounds, before, strict=True)
        for change in selectors.compare_places(places, selectors.load_places(each))
    ]
    if changes:
        shown_changes = tuple(change.as_reason() for change in changes[:MOST_PLACES])
        recorder.log(selectors.PLACES_ACTION, places=shown_changes, more=len(changes) - len(shown_changes))
