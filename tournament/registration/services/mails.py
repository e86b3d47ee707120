"""Mails to players about their registration, where this installation sends any; each is a job of its own."""

from __future__ import annotations

from django.conf import settings
from django.core.mail import EmailMessage
from django.template.loader import render_to_string
from django.urls import reverse

from decks.jobs.queue import enqueue
from tournament.events.models.player import Player
from tournament.registration.services import private_links as links
from tournament.shared import addresses
from tournament.templatetags.ringside import words_for

MOVED_UP = "mail_moved_up"


def can_reach(player: Player) -> bool:
    """Whether a mail with a link can be sent to the player."""
    return bool(player.email and settings.BASE_URL and addresses.sends_mail())


def welcome(player: Player) -> None:
    """Send the private link to somebody who has just registered."""
    if can_reach(player):
        enqueue(links.MAIL, {"player": player.pk})


def tell_of_place(player: Player) -> None:
    """Tell somebody who waited that he has a place now."""
    if can_reach(player):
        enqueue(MOVED_UP, {"player": player.pk})


def moved_up(player: Player) -> EmailMessage:
    """The mail that says so."""
    event = player.event
    context = {
        "player": player,
        "event": event,
        "starts": words_for(event.starts_local, "full"),
        "link": f"{settings.BASE_URL}{reverse('player', args=[player.token])}",
    }
    subject = f"You have a place in {event.name}".replace("\n", " ")
    return EmailMessage(
        subject, render_to_string("tournament/registration/mail_moved_up.txt", context), to=[player.email]
    )
