"""Merge two registrations of one person."""

from __future__ import annotations

from typing import Any

from decks.shared.refusals import Refused
from rules.reason import reason
from tournament.access.permissions import SYSTEM_ACTOR, Actor
from tournament.events.models.event import Stage, StageEntrant
from tournament.events.models.player import ForbiddenPair, Player
from tournament.events.models.round import Round, Seat
from tournament.log.facts import reference
from tournament.log.step import Recorder, step
from tournament.pairing.services.draft_repair import keep_draft
from tournament.penalties.selectors import get_disqualified_ids
from tournament.registration.services import waiting_list
from tournament.registration.services.seats import merge_seats, write_seats

MERGED_FIELDS = ("email", "character", "club", "seed", "rating", "fixed_table", "checked_in_at", "members")


def merge_players(keep: Player, duplicate: Player, actor: Actor) -> Player:
    """Merge two registrations and return the one that remains.

    It is the one with matches, otherwise `keep`. Name and details are those of `keep`; what it lacks comes
    from the other: address, character, list, check-in, the better place, penalties and calls. Both private
    links lead to it from now on. Raises Refused when both have played, when one of them is gone or
    disqualified, and for one and the same registration.
    """
    with step(keep.event, actor) as recorder:
        one, two = _mergeable_pair(keep, duplicate)
        remaining_player, merged_player = _choose_survivor(one, two)
        values = {
            **_merged_details(one, two),
            **_identity_values(one),
            **_merged_deck_list(remaining_player, merged_player),
        }
        recorder.update(merged_player, **_merged_away_values(remaining_player, values))
        recorder.update(remaining_player, **values)
        write_seats(recorder, [remaining_player])
        merge_seats(recorder, remaining_player, merged_player)
        _move_forbidden_pairs(recorder, merged_player, remaining_player)
        for penalty in merged_player.penalties.all():
            recorder.update(penalty, player=remaining_player)
        for call in merged_player.judge_calls.all():
            # One player has one open call.
            closed_at, closed_by = call.closed_at or recorder.now, call.closed_by or SYSTEM_ACTOR.label
            recorder.update(call, player=remaining_player, closed_at=closed_at, closed_by=closed_by)
        recorder.log(
            "players_merged",
            player=remaining_player,
            number=remaining_player.number,
            merged=merged_player,
            merged_number=merged_player.number,
        )
        waiting_list.move_up(recorder)
        keep_draft(recorder, reason("registrations_merged", player=reference(remaining_player)))
    return remaining_player


def _mergeable_pair(keep: Player, duplicate: Player) -> tuple[Player, Player]:
    rows = Player.objects.select_related("deck_list").in_bulk([keep.pk, duplicate.pk])
    if len(rows) < 2:
        raise Refused("same_player.merge", field="double")
    one, two = rows[keep.pk], rows[duplicate.pk]
    if one.event_id != two.event_id:
        raise Refused("other_event", field="double")
    for each in (one, two):
        if each.status == Player.Status.WITHDRAWN:
            raise Refused("player_withdrawn", name=each.name, number=each.number)
        if each.pk in get_disqualified_ids(each.event):
            raise Refused("disqualified.merge", field="double", name=each.name, number=each.number)
    return one, two


def _choose_survivor(one: Player, two: Player) -> tuple[Player, Player]:
    """Return who stays and who goes.

    Matches, also those of a schedule, stay with their player's number.
    """
    seats = Seat.objects.filter(player__in=(one, two)).exclude(round__state=Round.State.DRAFT)
    entrants = StageEntrant.objects.filter(player__in=(one, two)).exclude(stage__kind=Stage.Kind.SWISS)
    ids_with_matches = {
        *seats.values_list("player_id", flat=True),
        *entrants.values_list("player_id", flat=True),
    }
    if len(ids_with_matches) == 2:
        raise Refused("both_played", field="double", number=one.number, other_number=two.number)
    return (two, one) if two.pk in ids_with_matches else (one, two)


def _merged_details(one: Player, two: Player) -> dict[str, object]:
    values: dict[str, object] = {name: getattr(one, name) or getattr(two, name) for name in MERGED_FIELDS}
    values["details"] = {**two.details, **one.details}
    values["first_byes"] = max(one.first_byes, two.first_byes)
    values["has_paid"] = one.has_paid or two.has_paid
    if Player.Status.REGISTERED in (one.status, two.status):
        return {**values, "status": Player.Status.REGISTERED, "waiting_since": None}
    since = [each.waiting_since for each in (one, two) if each.waiting_since]
    return {**values, "status": Player.Status.WAITING, "waiting_since": min(since, default=None)}


def _identity_values(one: Player) -> dict[str, object]:
    return {"name": one.name, "folded_name": one.folded_name, "namesake": one.namesake}


def _merged_deck_list(remaining_player: Player, merged_player: Player) -> dict[str, object]:
    """Keep the list that was submitted last."""
    own_time, other_time = (_submitted_at(each) for each in (remaining_player, merged_player))
    if other_time is None or (own_time is not None and own_time >= other_time):
        return {}
    return {"deck_list": merged_player.deck_list}


def _submitted_at(player: Player) -> Any:
    current = player.deck_list.current if player.deck_list else None
    return current.submitted_at if current else None


def _merged_away_values(remaining_player: Player, values: dict[str, object]) -> dict[str, object]:
    values_when_gone = {
        "status": Player.Status.WITHDRAWN,
        "merged_into": remaining_player,
        "checked_in_at": None,
        "waiting_since": None,
    }
    return {**values_when_gone, "deck_list": None} if "deck_list" in values else values_when_gone


def _move_forbidden_pairs(recorder: Recorder, merged_player: Player, remaining_player: Player) -> None:
    """Move the blocked pairings of one registration to the other."""
    existing_pairs = {frozenset((pair.one_id, pair.two_id)) for pair in recorder.event.forbidden_pairs.all()}
    for pair in list(recorder.event.forbidden_pairs.all()):
        if merged_player.pk not in (pair.one_id, pair.two_id):
            continue
        recorder.delete(pair)
        other = pair.two_id if pair.one_id == merged_player.pk else pair.one_id
        if other != remaining_player.pk and frozenset((other, remaining_player.pk)) not in existing_pairs:
            first, second = sorted((other, remaining_player.pk))
            recorder.create(
                ForbiddenPair(event=recorder.event, one_id=first, two_id=second, reason=pair.reason)
            )
