"""Deck checks: draw tables, start, tick rows, end, reopen, cancel."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from typing import Any

from django.db import transaction

from decks.shared.refusals import Conflict, Refused, refuse_all
from decks.shared.rows import find_row
from tournament.access.permissions import Actor
from tournament.engine.table_draws import DrawnTables, draw_tables
from tournament.events.models.event import Event
from tournament.events.models.player import Player
from tournament.events.models.round import Match, Round
from tournament.events.seats import map_seats
from tournament.judging.models import CheckDraw, DeckCheck
from tournament.judging.services.match_location import match_location, player_location
from tournament.log.step import Recorder, step
from tournament.shared.hashes import MAX_SEED, new_seed

Outcome = DeckCheck.Outcome
MAX_DRAWN_TABLES = 50
MAX_EXTENSION_MINUTES = 60


def draw_checks(event: Event, actor: Actor, *, count: int, seed: int | None = None) -> CheckDraw:
    """Draw tables of the current round and begin a check of each player there.

    Finished tables are left out; tables with a checked player are drawn only when no
    others are left. The seed is stored: the same seed draws the same tables. Raises Refused.
    """
    with step(event, actor) as recorder:
        refuse_all(list(_draw_problems(count, seed)))
        match_by_table = _tables_in_play(recorder.event)
        new_draw = _create_draw(recorder, match_by_table, count, new_seed() if seed is None else seed)
        for table in new_draw.tables:
            _start_drawn_checks(recorder, match_by_table[table], new_draw)
        tables = list(new_draw.tables)
        recorder.log("deck_checks_drawn", tables=tables, count=len(tables), seed=new_draw.seed)
    return new_draw


def _draw_problems(count: int, seed: int | None) -> Iterator[Refused]:
    if not 1 <= count <= MAX_DRAWN_TABLES:
        yield Refused("tables_impossible", field="count", count=count, most=MAX_DRAWN_TABLES)
    if seed is not None and not 0 <= seed <= MAX_SEED:
        yield Refused("seed_impossible", field="seed", max_seed=MAX_SEED)


def _tables_in_play(event: Event) -> dict[int, Match]:
    """Return the tables that are still playing, of the round that was published last."""
    rounds = Round.objects.filter(stage__event=event).exclude(state=Round.State.DRAFT)
    last = rounds.select_related("stage").last()
    matches = last.matches.filter(outcome="", table__isnull=False) if last else Match.objects.none()
    match_by_table = {m.table: m for m in matches.select_related("round__stage", "p1", "p2") if m.table}
    if not match_by_table:
        raise Refused("no_tables")
    return match_by_table


def _create_draw(recorder: Recorder, match_by_table: dict[int, Match], count: int, seed: int) -> CheckDraw:
    drawn_tables = _draw_from(recorder.event, match_by_table, count, seed)
    any_match = next(iter(match_by_table.values()))
    return recorder.create(
        CheckDraw(
            event=recorder.event,
            seed=seed,
            pool=list(drawn_tables.pool),
            passed_over=list(drawn_tables.passed_over),
            tables=list(drawn_tables.tables),
            drawn_at=recorder.now,
            drawn_by=recorder.actor.label[:120],
            **{**match_location(any_match), "table": None},
        )
    )


def _draw_from(event: Event, match_by_table: dict[int, Match], count: int, seed: int) -> DrawnTables:
    checks = event.deck_checks.values_list("player_id", "player__team_id")
    checked_ids = {team or player for player, team in checks}
    checked_tables = {
        table for table, match in match_by_table.items() if checked_ids & {match.p1_id, match.p2_id}
    }
    return draw_tables(match_by_table, checked_tables, count, seed)


def _start_drawn_checks(recorder: Recorder, match: Match, draw: CheckDraw) -> None:
    for owner in _list_owners_at(match, recorder.event):
        _start_check(recorder, owner, draw=draw, **match_location(match))


def _list_owners_at(match: Match, event: Event) -> list[Player]:
    """Return the owners of the decks at a table.

    They are both players, or the members of both teams.
    """
    players = [player for player in (match.p1, match.p2) if player is not None]
    if event.has_boards:
        return [owner for owners in map_seats(event, players).values() for owner in owners]
    rows = Player.objects.select_related("deck_list__current")
    return list(rows.filter(pk__in=[player.pk for player in players]))


def _start_check(recorder: Recorder, player: Player, **values: Any) -> DeckCheck:
    open_check = recorder.event.deck_checks.filter(player=player, outcome=Outcome.OPEN).first()
    if open_check is not None:
        return open_check
    return recorder.create(
        DeckCheck(
            event=recorder.event,
            player=player,
            version=player.deck_list.current if player.deck_list else None,
            started_at=recorder.now,
            started_by=recorder.actor.label[:120],
            **values,
        )
    )


def start_check(player: Player, actor: Actor) -> DeckCheck:
    """Start a check of a player's deck by hand.

    A check that is already open is returned as it is.
    """
    with step(player.event, actor) as recorder:
        locked_player = Player.objects.select_related("deck_list__current").get(pk=player.pk)
        new_check = _start_check(recorder, locked_player, **player_location(player))
        if recorder.changes:
            recorder.log("deck_check_begun", player=player)
    return new_check


def start_table_checks(match: Match, actor: Actor) -> None:
    """Check both decks of a table by hand."""
    with step(match.round.stage.event, actor) as recorder:
        for owner in _list_owners_at(match, recorder.event):
            _start_check(recorder, owner, **match_location(match))
        if recorder.changes:
            recorder.log("deck_check_begun.table", table=match.table)


def set_tick(check: DeckCheck, place: int, *, is_ticked: bool) -> list[int]:
    """Tick one row of the list, or take the tick off; returns all ticks.

    Raises Refused when it is closed. Ticks are scratch marks: they are kept, but no step of the event.
    """
    with transaction.atomic():
        locked_check = _locked_check(check)
        ticks = set(locked_check.ticks) | {place} if is_ticked else set(locked_check.ticks) - {place}
        return _store_ticks(locked_check, ticks)


def save_ticks(check: DeckCheck, ticks: Collection[int]) -> list[int]:
    """Keep exactly these ticks, as a form without JavaScript sends them.

    Raises Refused as `set_tick`.
    """
    with transaction.atomic():
        return _store_ticks(_locked_check(check), ticks)


def _locked_check(check: DeckCheck) -> DeckCheck:
    locked_check = find_row(DeckCheck.objects.select_for_update().select_related(None).filter(pk=check.pk))
    if locked_check is None or not locked_check.is_open:
        raise Conflict("check_closed.ticks")
    return locked_check


def _store_ticks(locked_check: DeckCheck, ticks: Iterable[int]) -> list[int]:
    rows = len(locked_check.version.entries) if locked_check.version else 0
    locked_check.ticks = sorted(place for place in set(ticks) if 0 <= place < rows)
    locked_check.save(update_fields=["ticks"])
    return list(locked_check.ticks)


def end_check(
    check: DeckCheck, actor: Actor, *, outcome: str, note: str = "", extension: int | None = None
) -> DeckCheck:
    """Put the outcome of a check on record: “ok”, or “problem” with a note.

    Raises Refused. `extension` are the minutes proposed for the table. The same outcome again changes
    nothing.
    """
    note = note.strip()
    with step(check.event, actor) as recorder:
        locked_check = _existing_check(recorder, check)
        if (locked_check.outcome, locked_check.note) == (outcome, note):
            return locked_check
        refuse_all(list(_end_problems(locked_check, outcome, note, extension)))
        recorder.update(
            locked_check,
            outcome=outcome,
            note=note,
            extension=extension,
            finished_at=recorder.now,
            finished_by=actor.label[:120],
        )
        recorder.log("deck_checked", reason=note, player=locked_check.player, outcome=outcome)
    return locked_check


def _existing_check(recorder: Recorder, check: DeckCheck) -> DeckCheck:
    locked_check = find_row(recorder.event.deck_checks.select_related("player").filter(pk=check.pk))
    if locked_check is None:
        raise Conflict("check_gone")
    return locked_check


def _end_problems(
    locked_check: DeckCheck, outcome: str, note: str, extension: int | None
) -> Iterator[Refused]:
    if not locked_check.is_open:
        yield Conflict(
            "check_closed.by",
            finished_by=locked_check.finished_by,
            outcome=locked_check.outcome,
        )
    if outcome not in (Outcome.OK, Outcome.PROBLEM):
        yield Refused("outcome_unknown.deck_check", field="outcome")
    if outcome == Outcome.PROBLEM and not note:
        yield Refused("note_missing", field="note")
    if len(note) > 400:
        yield Refused("note_too_long", field="note")
    if extension is not None and not 0 <= extension <= MAX_EXTENSION_MINUTES:
        yield Refused("extension_impossible", field="extension", most=MAX_EXTENSION_MINUTES)


def reopen_check(check: DeckCheck, actor: Actor) -> None:
    """Go on with a closed check; its note stays.

    Raises Refused when another is open for the player.
    """
    with step(check.event, actor) as recorder:
        locked_check = _existing_check(recorder, check)
        if locked_check.is_open:
            return
        if recorder.event.deck_checks.filter(player=locked_check.player, outcome=Outcome.OPEN).exists():
            raise Refused("check_open", player=locked_check.player.full_name)
        recorder.update(locked_check, outcome=Outcome.OPEN, finished_at=None, finished_by="", extension=None)
        recorder.log("deck_check_reopened", player=locked_check.player)


def cancel_check(check: DeckCheck, actor: Actor) -> None:
    """Cancel a check that does not take place; a second cancellation changes nothing."""
    with step(check.event, actor) as recorder:
        locked_check = find_row(recorder.event.deck_checks.select_related("player").filter(pk=check.pk))
        if locked_check is None:
            return
        if not locked_check.is_open:
            raise Conflict("check_closed")
        recorder.delete(locked_check)
        recorder.log("deck_check_called_off", player=locked_check.player)
