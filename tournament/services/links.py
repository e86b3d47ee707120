"""Players' private links: make a new one, know an old one again, send it by e-mail."""

from __future__ import annotations

from django.conf import settings
from django.core.mail import EmailMessage
from django.http import HttpRequest
from django.template.loader import render_to_string
from django.urls import reverse

from decks.jobs import enqueue
from tournament.errors import Refused
from tournament.models import Player, RetiredLink
from tournament.models.registration import new_token
from tournament.models.staff import digest_of
from tournament.services.actor import Actor
from tournament.services.recorder import step

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


def public_base(request: HttpRequest) -> str:
    """The address of this installation as https://host: the one that is set, else that of the request."""
    return settings.BASE_URL or f"{request.scheme}://{request.get_host()}"


def is_retired(token: str) -> bool:
    """Whether this was once somebody's private link."""
    return RetiredLink.objects.filter(digest=digest_of(token)).exists()


def sends_mail() -> bool:
    """Whether mails leave this machine."""
    return settings.EMAIL_BACKEND.rsplit(".", 2)[-2] in ("smtp", "locmem")


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
        "emails/private_link.txt", {"player": player, "event": player.event, "link": link}
    )
    return EmailMessage(f"Your page for {player.event.name}".replace("\n", " "), body, to=[player.email])
