"""The page where players register themselves."""

from __future__ import annotations

from contextlib import suppress
from io import BytesIO
from typing import Any

import segno
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_safe

from decks.shared.refusals import Refused
from tournament.access.actor import Actor
from tournament.accounts.services import rate_limits as limits
from tournament.events.models.event import Event
from tournament.events.models.player import Player
from tournament.events.selectors.published import public_event
from tournament.registration.forms.public import RegistrationForm
from tournament.registration.services import private_links as links
from tournament.registration.services.locked_row import OPEN_PHASES
from tournament.shared import addresses
from tournament.shared.name_folding import fold
from tournament.web.event_page import event_page
from tournament.web.own_registration import remember


@event_page("register")
def register(request: HttpRequest, event: Event, context: dict[str, Any]) -> HttpResponse:
    """Registration: two or three fields, then the player's own page.

    A second press, or the same address again from this browser, leads to the page that is there already.
    """
    form = RegistrationForm(request.POST or None, event=event)
    if request.method == "POST" and "send_link" in request.POST:
        return _send_again(request, event)
    if request.method == "POST" and form.is_valid() and not too_often(request, form):
        player = form.save()
        if player is not None:
            remember(request, player)
            return redirect(f"{reverse('player', args=[player.token])}?new=1")
        if _is_mine(form, context["me"]):
            return redirect("player", context["me"].token)
    is_full = event.capacity is not None and event.registered >= event.capacity
    extra = {
        "form": form,
        "is_open": event.phase in OPEN_PHASES,
        "is_full": is_full,
        "can_send": form.has_error("email", "already_registered") and addresses.sends_mail(),
    }
    return render(
        request,
        "tournament/registration/public_register.html",
        {**context, **extra},
        status=422 if form.errors else 200,
    )


def register_address(request: HttpRequest, event: Event) -> str:
    """Where players register, in full, as phones in the hall reach it."""
    return f"{addresses.public_base(request)}{reverse('register', args=[event.slug])}"


@require_safe
def code(request: HttpRequest, slug: str) -> HttpResponse:
    """The address where players register, as a code for the desk's screen."""
    event = public_event(slug)
    if event is None:
        raise Http404("There is no public event at this address.")
    picture = BytesIO()
    drawn = segno.make_qr(register_address(request, event), error="m", boost_error=False)
    drawn.save(picture, kind="png", scale=6, border=2)
    answer = HttpResponse(picture.getvalue(), content_type="image/png")
    answer["Cache-Control"] = "public, max-age=3600"
    return answer


def _is_mine(form: RegistrationForm, me: Player | None) -> bool:
    if me is None or not form.has_error("email", "already_registered"):
        return False
    name, email = (form.data.get(field, "").strip() for field in ("name", "email"))
    return fold(me.name) == fold(name) and me.email.casefold() == email.casefold()


def _send_again(request: HttpRequest, event: Event) -> HttpResponse:
    """Send the link to whoever is registered with the address; the answer is the same if nobody is."""
    email = request.POST.get("email", "").strip()[:254]
    wanted = (
        (limits.RESET_MAILBOX, f"{event.pk} {email}"),
        (limits.RESET_ADDRESS, limits.client_address(request.META)),
    )
    try:
        limits.count(wanted)
    except limits.TooOften as refusal:
        messages.error(request, refusal.message)
        return redirect("register", event.slug)
    players = event.players.exclude(status=Player.Status.WITHDRAWN).select_related("event")
    player = players.filter(email__iexact=email).first() if email and "\0" not in email else None
    if player is not None:
        with suppress(Refused):
            links.send(player, Actor(label="A visitor"))
    messages.success(request, "If this address is registered, its private link is on its way there.")
    return redirect("register", event.slug)


def too_often(request: HttpRequest, form: RegistrationForm) -> bool:
    """Whether this network address has sent more registrations than a hall does; the form says so then."""
    try:
        limits.count([(limits.REGISTER_ADDRESS, limits.client_address(request.META))])
    except limits.TooOften as refusal:
        form.add_error(None, refusal.message)
        return True
    return False
