"""Correct player details: name, email, character, members, payment."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Unpack

from decks.shared.refusals import Refused, refuse_all
from tournament.access.permissions import Actor
from tournament.events.models.event import Event
from tournament.events.models.player import Player
from tournament.events.selectors import is_same_character
from tournament.log.step import step
from tournament.registration.character_effects import describe_character_effect
from tournament.registration.fields import detail_problems, merge_details, trim_details
from tournament.registration.services import validation
from tournament.registration.services.entry import EntryValues, RegistrationEntry
from tournament.registration.services.seats import write_seats
from tournament.registration.services.validation import (
    OPEN_PHASES,
    character_problems,
    cite_diversity_cut,
    fixed_character_refusal,
    reload_player,
)
from tournament.shared import text


def change_details(
    player: Player, actor: Actor, *, character_reason: str | None = None, **values: Unpack[EntryValues]
) -> None:
    """Correct a player's name, email, character, members or details.

    What is not given stays. The character is fixed once rounds are played. The organizer, who is the last
    judge, can correct one that was mistyped: `character_reason` says why. Without one, the refusal says what
    the correction does to the cut; None is from someone who may not decide it. Raises Refused with every
    problem at once.
    """
    stored_entry: EntryValues = {
        "name": player.name,
        "email": player.email,
        "character": player.character,
        "members": player.members,
    }
    entry = RegistrationEntry.of(**(stored_entry | values))
    with step(player.event, actor) as recorder:
        reload_player(player)
        problems = _detail_problems(recorder.event, player, entry)
        is_correction = _is_correction(recorder.event, player, entry.character)
        if is_correction and not (character_reason or "").strip():
            problems.append(
                _refuse_correction(player, entry.character, may_decide=character_reason is not None)
            )
        refuse_all(problems)
        before = player.character
        if recorder.update(player, **_detail_values(recorder.event, player, entry)):
            recorder.log("player_changed", player=player)
            write_seats(recorder, [player])
        if is_correction:
            facts = {"before": before, "after": entry.character}
            recorder.log("character_corrected", reason=character_reason or "", player=player, **facts)


def _detail_problems(event: Event, player: Player, entry: RegistrationEntry) -> list[Refused]:
    problems = [*validation.name_problems(entry.name), *character_problems(entry.character)]
    problems += detail_problems(event, entry.details, is_own=False)
    if player.status != Player.Status.WITHDRAWN:
        problems += validation.email_problems(event, entry.email, excluded_player=player)
    if entry.members != player.members:
        problems += validation.team_problems(event, entry.members)
    if not entry.is_namesake and _is_renamed(player, entry):
        problems += validation.namesake_problems(event, [entry.name, *entry.members], excluded_player=player)
    return problems


def _is_renamed(player: Player, entry: RegistrationEntry) -> bool:
    return text.fold_name(entry.name) != player.folded_name or entry.members != player.members


def _detail_values(event: Event, player: Player, entry: RegistrationEntry) -> dict[str, object]:
    values: dict[str, object] = {
        "name": entry.name,
        "email": entry.email,
        "character": entry.character,
        "members": entry.members,
        "details": merge_details(event, player.details, entry.details),
    }
    folded_name = text.fold_name(entry.name)
    if folded_name != player.folded_name:
        values |= {
            "folded_name": folded_name,
            "namesake": validation.next_namesake_number(event, folded_name, player),
        }
    return values


def _changes_declared(player: Player, character: str) -> bool:
    """Return whether a declared character would change.

    A character that was never declared can still be entered late.
    """
    return bool(player.character) and not is_same_character(character, player.character)


def _is_correction(event: Event, player: Player, character: str) -> bool:
    """Return whether another character would be declared after the start.

    Another spelling of the same character does not count.
    """
    return event.phase not in OPEN_PHASES and _changes_declared(player, character)


def _refuse_correction(player: Player, character: str, *, may_decide: bool) -> Refused:
    if not may_decide:
        return fixed_character_refusal(player.event)
    return Refused(
        "character_reason_missing",
        field="character",
        before=player.character,
        after=character or None,
        effect=describe_character_effect(player, character),
        clause=cite_diversity_cut(player.event),
    )


def declare_character(player: Player, actor: Actor, character: str) -> None:
    """Declare the player's character, which starts the first game of every round."""
    change_details(player, actor, name=player.name, character=character)


def answer_fields(player: Player, actor: Actor, details: Mapping[str, object]) -> None:
    """Change a player's answers at registration.

    Raises Refused with every problem at once.
    """
    trimmed_details = trim_details(details)
    with step(player.event, actor) as recorder:
        reload_player(player)
        refuse_all(list(detail_problems(recorder.event, trimmed_details, is_own=True)))
        if recorder.update(player, details=merge_details(recorder.event, player.details, trimmed_details)):
            recorder.log("player_changed", player=player)


def mark_paid(player: Player, actor: Actor, *, has_paid: bool = True) -> None:
    """Note that the entry fee is paid, or that it is not.

    A second press changes nothing.
    """
    with step(player.event, actor) as recorder:
        if recorder.update(player, has_paid=has_paid):
            recorder.log("fee_paid" if has_paid else "fee_not_paid", player=player)
