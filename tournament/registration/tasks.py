"""Background jobs of registration: send emails to players, import long tables."""

from __future__ import annotations

from typing import Any, cast

from django.contrib.auth import get_user_model
from django.db import transaction

from decks.jobs.handlers import JobFailed, LeaseLost, Run, job
from decks.jobs.models import Job
from decks.shared.refusals import Refused
from rules.reason import reason
from tournament.access import permissions
from tournament.access.permissions import Actor, Right
from tournament.events.models.event import Event
from tournament.events.models.player import Player
from tournament.registration.import_choices import ChoicesData, ImportChoices
from tournament.registration.player_csv import read_player_csv
from tournament.registration.services import contact, player_import


@job(contact.PLACE_FREE_JOB)
def mail_moved_up(run: Run) -> dict[str, object]:
    """Tell a player by email of a free place; sent twice, it says the same."""
    player = Player.objects.select_related("event").filter(pk=run.read_number("player")).first()
    if player is None or not player.email:
        raise JobFailed("player_gone.or_address")
    if player.status != Player.Status.REGISTERED:
        return {"sent": 0}
    contact.build_place_free_email(player).send()
    return {"sent": 1}


@job(contact.PRIVATE_LINK_JOB)
def mail_private_link(run: Run) -> dict[str, object]:
    """Send a player the private link.

    A lost worker may cause a second email, which does no harm.
    """
    player = Player.objects.select_related("event").filter(pk=run.read_number("player")).first()
    if player is None or not player.email:
        raise JobFailed("player_gone.or_address")
    second_players = Player.objects.filter(pk=run.read_number("second_player", 0), event=player.event_id)
    contact.build_private_link_email(player, second_players.first()).send()
    return {"sent": 1}


@job(contact.REQUESTED_LINK_JOB)
def mail_requested_link(run: Run) -> dict[str, object]:
    """Send the private link for an address that a stranger entered.

    It is sent if anyone is registered with the address.
    """
    event = Event.objects.filter(pk=run.read_number("event")).first()
    return {"sent": contact.send_requested_link(event, run.read_text("email")) if event else 0}


@job(player_import.IMPORT_JOB_KIND)
def import_players(run: Run) -> dict[str, int]:
    """Import a table as one step.

    The counts are kept with it, so that a second attempt only reads them.
    """
    counts: dict[str, int] | None = Job.objects.values_list("result", flat=True).get(pk=run.job_id)
    if counts is not None:
        return counts
    event = Event.objects.filter(pk=run.read_number("event")).first()
    user = get_user_model().objects.filter(pk=run.read_number("user", 0), is_active=True).first()
    if event is None or user is None:
        raise JobFailed("event_gone.or_account")
    try:
        return _import_table(run, event, user)
    except Refused as refusal:
        raise JobFailed.of(refusal) from refusal


def _import_table(run: Run, event: Event, user: Any) -> dict[str, int]:
    rights = permissions.get_rights(user, event)
    if Right.PLAYERS not in rights:
        raise JobFailed("right_gone")
    run.progress(0, 2, reason("reading_table"))
    choices_data = cast("ChoicesData | None", run.payload.get("choices"))
    choices = ImportChoices.from_json(choices_data) if choices_data else ImportChoices()
    table = read_player_csv(run.read_text("text"), event, choices.columns)
    run.progress(1, 2, reason("writing_lines", count=len(table.lines)))
    with transaction.atomic():
        plan = player_import.run_player_import(
            event, Actor.of_user(user), table, rights, choices=choices, seen_mark=run.read_text("mark")
        )
        counts = plan.counts
        # The table itself, with everyone's address, is needed no longer.
        if not run.renew_lease(result=counts, payload={"event": event.pk}):
            raise LeaseLost
    return counts
