"""The effect of a corrected character on the cut."""

from __future__ import annotations

from django.db import transaction

from decks.shared.refusals import Refused
from rules.reason import Reason, reason
from tournament.events.models.event import Event
from tournament.events.models.player import Player
from tournament.events.selectors import get_bracket_stage
from tournament.standings.selectors.qualifying import select_qualifiers


def describe_character_effect(player: Player, character: str) -> Reason:
    """Return who would qualify instead of whom with this character.

    This is as if the player had declared it. Nothing is written.
    """
    event = player.event
    if not event.needs_character:
        return reason("character_effect.none")
    if get_bracket_stage(event) is not None:
        return reason("character_effect.made")
    with transaction.atomic():
        try:
            before = _list_qualified(event)
            Player.objects.filter(pk=player.pk).update(character=character)
            after = _list_qualified(event)
        except Refused:
            return reason("character_effect.open")
        finally:
            transaction.set_rollback(True)
    enter = tuple(name for pk, name in after.items() if pk not in before)
    leave = tuple(name for pk, name in before.items() if pk not in after)
    if not enter and not leave:
        return reason("character_effect.same")
    return reason("character_effect", enter=enter, leave=leave)


def _list_qualified(event: Event) -> dict[int, str]:
    """Return who would qualify now, by id."""
    selection = select_qualifiers(event)
    names = {line.player.pk: line.player.name for line in selection.lines}
    return {place.player: names[place.player] for place in selection.places}
