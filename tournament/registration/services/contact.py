"""Reach players: private links and the emails about their registration."""

from __future__ import annotations

from django.conf import settings
from django.core.mail import EmailMessage
from django.http import HttpRequest
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.translation import gettext

from decks.jobs.queue import enqueue
from decks.shared.refusals import Refused
from tournament.access.models import RetiredLink, hash_token
from tournament.access.permissions import VISITOR, Actor
from tournament.events.models.event import Event
from tournament.events.models.player import Player, new_token
from tournament.languages.choice import speak
from tournament.log.step import step
from tournament.shared import links
from tournament.shared.links import can_send_email
from tournament.shared.text import format_moment

PRIVATE_LINK_JOB = "mail_private_link"
REQUESTED_LINK_JOB = "mail_requested_link"


def renew_private_link(player: Player, actor: Actor) -> str:
    """Replace a player's private link and return the new token; the old one expires.

    The log cannot undo it: a link that another person had stays invalid.
    """
    with step(player.event, actor) as recorder:
        locked_player = Player.objects.get(pk=player.pk)
        RetiredLink.objects.create(
            event=recorder.event, digest=hash_token(locked_player.token), retired_at=recorder.now
        )
        recorder.update(locked_player, token=new_token())
        recorder.log("link_renewed", player=locked_player)
    player.token = locked_player.token
    return locked_player.token


def request_private_link(event: Event, email: str) -> None:
    """Queue the same job for every address that a stranger enters.

    It does not matter whether the address is known. A worker looks it up.
    """
    if can_email_links():
        enqueue(REQUESTED_LINK_JOB, {"event": event.pk, "email": email.replace("\0", "")})


def send_requested_link(event: Event, email: str) -> int:
    """Send the private link to the player registered with the address.

    Returns the number of emails. The log tells of it. The version of the event stays, because strangers see
    it too.
    """
    players = event.players.exclude(status=Player.Status.WITHDRAWN).select_related("event")
    player = players.filter(email__iexact=email).first() if email else None
    if player is None:
        return 0
    build_private_link_email(player).send()
    with step(event, VISITOR) as recorder:
        recorder.raises_version = False
        recorder.log("link_sent", player=player)
    return 1


def send_private_link(player: Player, actor: Actor) -> None:
    """Queue an email with a player's private link. Raises Refused if impossible."""
    if not player.email:
        raise Refused("no_address", player=player.name)
    if not can_send_email():
        raise Refused("no_mail_server")
    if not settings.BASE_URL:
        raise Refused("no_public_address")
    with step(player.event, actor) as recorder:
        recorder.log("link_sent", player=player)
        enqueue(PRIVATE_LINK_JOB, {"player": player.pk})


def build_private_link_email(player: Player, second_player: Player | None = None) -> EmailMessage:
    """Return the email with the private link.

    It also carries the link of a second registration with the same address.
    """
    context = {"player": player, "event": player.event, "link": _build_first_link(player)}
    if second_player is not None:
        context |= {"second_player": second_player, "second_link": _build_first_link(second_player)}
    with speak(player.event.language):
        subject = gettext("Your page for %(event)s") % {"event": player.event.name}
        body = render_to_string("tournament/registration/mail_private_link.txt", context)
    return EmailMessage(subject.replace("\n", " "), body, to=[player.email])


def _build_first_link(player: Player) -> str:
    return f"{settings.BASE_URL}{reverse('player', args=[player.token])}?new=1"


PLACE_FREE_JOB = "mail_moved_up"


def can_email_links() -> bool:
    """Return whether this installation sends private links by email.

    It needs a mail server and its own address.
    """
    return bool(settings.BASE_URL and links.can_send_email())


def can_email(player: Player) -> bool:
    """Return whether an email with a link can be sent to the player."""
    return bool(player.email) and can_email_links()


def queue_welcome_email(player: Player) -> None:
    """Send the private link to someone who has just registered."""
    if can_email(player):
        enqueue(PRIVATE_LINK_JOB, {"player": player.pk})


def queue_both_links_email(player: Player, second_player: Player) -> None:
    """Send a player both links after a second registration with their address.

    The email says that their address was used.
    """
    enqueue(PRIVATE_LINK_JOB, {"player": player.pk, "second_player": second_player.pk})


def queue_place_free_email(player: Player) -> None:
    """Queue an email to a waiting player who has a place now."""
    if can_email(player):
        enqueue(PLACE_FREE_JOB, {"player": player.pk})


def build_place_free_email(player: Player) -> EmailMessage:
    """Return the mail that says so."""
    event = player.event
    with speak(event.language):
        context = {
            "player": player,
            "event": event,
            "starts": format_moment(event.starts_local, "full"),
            "link": f"{settings.BASE_URL}{reverse('player', args=[player.token])}",
        }
        subject = gettext("You have a place in %(event)s") % {"event": event.name}
        body = render_to_string("tournament/registration/mail_moved_up.txt", context)
    return EmailMessage(subject.replace("\n", " "), body, to=[player.email])


def build_private_link(request: HttpRequest, player: Player) -> str:
    """Return the private link in full, as a code or a message carries it."""
    return f"{links.get_base_url(request)}{reverse('player', args=[player.token])}"


def build_registration_url(request: HttpRequest, event: Event) -> str:
    """Return where players register, in full, as phones in the venue reach it."""
    return f"{links.get_base_url(request)}{reverse('register', args=[event.slug])}"
