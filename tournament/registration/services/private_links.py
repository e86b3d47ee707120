"""Players' private links: make a new one, know an old one again, send it by e-mail."""

from __future__ import annotations

from django.conf import settings
from django.core.mail import EmailMessage
from django.template.loader import render_to_string
from django.urls import reverse

from decks.jobs.queue import enqueue
from decks.shared.refusals import Refused
from tournament.access.actor import Actor
from tournament.access.models import RetiredLink, digest_of
from tournament.events.models.player import Player, new_token
from tournament.log.step import step
from tournament.shared.addresses import sends_mail

MAIL = "mail_private_link"


def renew(player: Player, actor: Actor) -> str:
    """Give a player a new private link; the old one leads nowhere from now on. Returns the new token.

    It cannot be taken back from the log: a link that somebody else had stays dead.
    """
    with step(player.event, actor) as recorder:
        standing = Player.objects.get(pk=player.pk)
        recorder.about.add(f"p{standing.pk}")
        RetiredLink.objects.create(
            event=recorder.event, digest=digest_of(standing.token), retired_at=recorder.now
        )
        recorder.update(standing, token=new_token())
        recorder.say("link_renewed", f"{actor.label} made a new private link for {standing.name}.")
    player.token = standing.token
    return standing.token


def send(player: Player, actor: Actor) -> None:
    """Send a player his private link by e-mail, as a job. Raises Refused where that cannot be done."""
    if not player.email:
        raise Refused("no_address", f"{player.name} has no e-mail address.", fix="Enter one first.")
    if not sends_mail():
        raise Refused(
            "no_mail_server",
            "This Ringside sends no e-mails.",
            fix="Show the player the code at the desk, or set EMAIL_URL.",
        )
    if not settings.BASE_URL:
        raise Refused(
            "no_public_address", "This Ringside does not know its own address.", fix="Set RINGSIDE_BASE_URL."
        )
    with step(player.event, actor) as recorder:
        recorder.about.add(f"p{player.pk}")
        recorder.say("link_sent", f"{actor.label} had the private link sent to {player.name}.")
        enqueue(MAIL, {"player": player.pk})


def message(player: Player) -> EmailMessage:
    """The mail that carries the link."""
    link = f"{settings.BASE_URL}{reverse('player', args=[player.token])}"
    body = render_to_string(
        "tournament/registration/mail_private_link.txt",
        {"player": player, "event": player.event, "link": link},
    )
    return EmailMessage(f"Your page for {player.event.name}".replace("\n", " "), body, to=[player.email])
