"""What is known of a player is corrected: name, address, character, members, and whether he has paid."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from decks.shared.refusals import Refused, refuse_all
from tournament.access.actor import Actor
from tournament.events.models.event import Event
from tournament.events.models.player import Player
from tournament.events.selectors.characters import same_character
from tournament.log.step import step
from tournament.registration.services import identity as persons
from tournament.registration.services import teams
from tournament.registration.services.entry import Entry, character_problems
from tournament.registration.services.locked_row import OPEN_PHASES, lock
from tournament.shared import name_folding


def change_details(
    player: Player,
    actor: Actor,
    *,
    name: str,
    email: str,
    character: str,
    members: Iterable[str] | None = None,
    is_namesake: bool = False,
) -> None:
    """Correct a player's name, e-mail, character or members; the character is fixed once rounds are played.

    Raises Refused with every problem at once.
    """
    entry = Entry.of(name, email, character, player.members if members is None else members, is_namesake)
    with step(player.event, actor) as recorder:
        lock(player)
        refuse_all(_problems(recorder.event, player, entry))
        if recorder.update(player, **_values(recorder.event, player, entry)):
            recorder.say("player_changed", f"{actor.label} changed the details of {player.name}.")


def _problems(event: Event, player: Player, entry: Entry) -> list[Refused]:
    found = [*persons.name_problems(entry.name), *character_problems(entry.character)]
    if player.status != Player.Status.WITHDRAWN:
        found += persons.email_problems(event, entry.email, besides=player)
    if entry.members != player.members:
        found += teams.problems(event, entry.members)
    if not entry.is_namesake and _is_renamed(player, entry):
        found += persons.namesake_problems(event, [entry.name, *entry.members], besides=player)
    if _changes_declared(player, entry.character) and event.phase not in OPEN_PHASES:
        found.append(character_fixed())
    return found


def _is_renamed(player: Player, entry: Entry) -> bool:
    return name_folding.fold(entry.name) != player.folded_name or entry.members != player.members


def _values(event: Event, player: Player, entry: Entry) -> dict[str, Any]:
    values = {
        "name": entry.name,
        "email": entry.email,
        "character": entry.character,
        "members": entry.members,
    }
    folded = name_folding.fold(entry.name)
    if folded != player.folded_name:
        values |= {"folded_name": folded, "namesake": persons.namesake_number(event, folded, player)}
    return values


def _changes_declared(player: Player, character: str) -> bool:
    """A character that was never declared can still be entered late; a declared one is not exchanged."""
    return bool(player.character) and not same_character(character, player.character)


def character_fixed() -> Refused:
    """A declared character stays (UFS 100.5.1)."""
    return Refused(
        "character_fixed",
        "The declared character holds for the whole event (UFS 100.5.1).",
        field="character",
    )


def declare_character(player: Player, actor: Actor, character: str) -> None:
    """The player's declared character, which starts the first game of every round (UFS 100.5.1)."""
    change_details(player, actor, name=player.name, email=player.email, character=character)


def mark_paid(player: Player, actor: Actor, *, paid: bool = True) -> None:
    """Note that the entry fee is paid, or that it is not. A second press changes nothing."""
    with step(player.event, actor) as recorder:
        if recorder.update(player, has_paid=paid):
            words = "has paid the entry fee" if paid else "has not paid the entry fee after all"
            recorder.say("fee_paid" if paid else "fee_not_paid", f"{player.name} {words}.")
