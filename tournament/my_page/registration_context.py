"""The registration part of a player's home page."""

from __future__ import annotations

from django.http import HttpRequest

from decks.submissions.selectors import current_verdict
from tournament.access.player_details import own_fields, read_answers
from tournament.brackets.services import cut as cuts
from tournament.decklists import selectors as decklists_selectors
from tournament.decklists.selectors import unanswered_changes
from tournament.events.models.event import Event
from tournament.events.models.player import Player
from tournament.events.seats import list_owners_of
from tournament.my_page.forms import CharacterForm
from tournament.registration.services import contact as links
from tournament.web.player_page import get_actor

Phase = Event.Phase

BEFORE_START = (Phase.PREPARING, Phase.REGISTRATION, Phase.CHECK_IN)


def registration_context(request: HttpRequest, player: Player) -> dict[str, object]:
    """Return the registration, the decklist that counts, and the actions still open.

    These are the actions that the player may still take.
    """
    version = decklists_selectors.current_version(player)
    owners = list_owners_of(player)
    changes = [unanswered_changes(owner) for owner in owners]
    return {
        "seats": [(owner, decklists_selectors.current_version(owner)) for owner in owners if owner.seat],
        "character_form": CharacterForm(event=player.event, initial={"character": player.character}),
        "answers": read_answers(player.details, own_fields(player.event.game)),
        "version": version,
        "standing": current_verdict(version) if version else None,
        "list_news": next(filter(None, changes), None),
        "link": links.build_private_link(request, player),
        "can_withdraw": can_withdraw(player),
        "can_drop": player.event.is_playing and player.is_in,
        "may_decline": cuts.can_decline_cut(player),
        "is_own": get_actor(request, player).user is None,
    }


def can_withdraw(player: Player) -> bool:
    """Return whether the event has not started and the player is still registered."""
    return player.event.phase in BEFORE_START and player.status != Player.Status.WITHDRAWN
