"""Background jobs of registration: send emails to players."""

from __future__ import annotations

from typing import Any

from decks.jobs.handlers import JobFailed, Run, job
from tournament.events.models.player import Player
from tournament.registration.services import contact


@job(contact.PLACE_FREE_JOB)
def mail_moved_up(run: Run) -> dict[str, Any]:
    """Tell a player by email of a free place; sent twice, it says the same."""
    player = Player.objects.select_related("event").filter(pk=run.payload["player"]).first()
    if player is None or not player.email:
        raise JobFailed("player_gone", "The player or the address is gone.")
    if player.status != Player.Status.REGISTERED:
        return {"sent": 0}
    contact.build_place_free_email(player).send()
    return {"sent": 1}


@job(contact.PRIVATE_LINK_JOB)
def mail_private_link(run: Run) -> dict[str, Any]:
    """Send a player the private link; a lost worker may cause a second email, which does no harm."""
    player = Player.objects.select_related("event").filter(pk=run.payload["player"]).first()
    if player is None or not player.email:
        raise JobFailed("player_gone", "The player or the address is gone.")
    second_players = Player.objects.filter(pk=run.payload.get("second_player"), event=player.event_id)
    contact.build_private_link_email(player, second_players.first()).send()
    return {"sent": 1}
