"""Public pages: player list, registration, and the QR codes that lead to them."""

from __future__ import annotations

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

from tournament.access import permissions
from tournament.access.permissions import Right
from tournament.access.player_details import attach_answers, public_fields
from tournament.accounts import services as account_services
from tournament.events import selectors as events_selectors
from tournament.events.models.event import Event
from tournament.events.models.player import Player
from tournament.events.selectors import get_public_event
from tournament.registration import selectors
from tournament.registration.forms import RegistrationForm
from tournament.registration.selectors import waiting_players
from tournament.registration.services import contact
from tournament.registration.services.contact import build_registration_url
from tournament.registration.services.validation import OPEN_PHASES
from tournament.shared.links import get_base_url, make_qr_png, make_scaled_qr_png
from tournament.shared.text import fold_name
from tournament.web.player_page import get_remembered_player, remember_player
from tournament.web.public_page import PageContext, public_page


@public_page("players")
def players(request: HttpRequest, event: Event, context: PageContext) -> HttpResponse:
    """Show the players of an event."""
    public_players = selectors.public_players(event)
    fields = public_fields(event.game)
    attach_answers(public_players, fields)
    extra = {
        "people": [p for p in public_players if p.status == p.Status.REGISTERED],
        "waiting": waiting_players(event),
        "shows_characters": events_selectors.are_characters_public(event)
        and any(p.character for p in public_players),
        "shows_check_in": event.phase == Event.Phase.CHECK_IN,
    }
    return render(request, "tournament/registration/public_players.html", {**context, **extra})


@public_page("register")
def register(request: HttpRequest, event: Event, context: PageContext) -> HttpResponse:
    """Register with two or three fields, then open the player's own page.

    A second press, or the same address again from this browser, leads to the page that is there already.
    Where links are sent by email, the page is found in the mailbox alone, and no answer tells whether an
    address was registered before.
    """
    form = RegistrationForm(request.POST or None, event=event)
    if request.method == "POST" and "send_link" in request.POST:
        return _resend_link(request, event)
    if request.method == "POST" and form.is_valid() and not is_rate_limited(request, form):
        if contact.can_email_links():
            return _register_by_email(request, form, context)
        player = form.save()
        if player is not None:
            remember_player(request, player)
            return redirect(f"{reverse('player', args=[player.token])}?new=1")
        me = context["me"]
        if me is not None and _is_own_registration(form, me):
            return redirect("player", me.token)
    return _registration_page(request, form, context)


def _register_by_email(request: HttpRequest, form: RegistrationForm, context: PageContext) -> HttpResponse:
    email = form.cleaned_data["email"].strip()
    if _is_email_limited(request, form, email) or not form.save_by_email():
        return _registration_page(request, form, context)
    messages.success(
        request, gettext("Check your email. We sent your private link to %(email)s.") % {"email": email}
    )
    return redirect("event", form.event.slug)


def _is_email_limited(request: HttpRequest, form: RegistrationForm, email: str) -> bool:
    """Return whether this mailbox was sent enough already; the form says so then."""
    try:
        account_services.count_attempt(request, "email_link", f"{form.event.pk} {email}")
    except account_services.RateLimitExceeded as refusal:
        form.add_error(None, refusal.message)
        return True
    return False


def _registration_page(request: HttpRequest, form: RegistrationForm, context: PageContext) -> HttpResponse:
    event = form.event
    is_known = form.has_error("email", "already_registered") or form.has_error("name", "same_name")
    extra = {
        "form": form,
        "is_open": event.phase in OPEN_PHASES,
        "is_full": event.capacity is not None
        and events_selectors.get_registered_count(event) >= event.capacity,
        "can_send": is_known and contact.can_email_links(),
        "sends_link": contact.can_email_links(),
    }
    return render(
        request,
        "tournament/registration/public_register.html",
        {**context, **extra},
        status=422 if form.errors else 200,
    )


@require_safe
@cache_control(public=True, max_age=3600)
def register_qr_code(request: HttpRequest, slug: str) -> HttpResponse:
    """Send the address where players register, as a code for the desk's screen."""
    address = build_registration_url(request, _public_event_or_404(slug))
    return HttpResponse(make_scaled_qr_png(address), content_type="image/png")


def _public_event_or_404(slug: str) -> Event:
    event = get_public_event(slug)
    if event is None:
        raise Http404(permissions.NO_EVENT)
    return event


def _is_own_registration(form: RegistrationForm, remembered_player: Player) -> bool:
    if not form.has_error("email", "already_registered"):
        return False
    name, email = (form.data.get(field, "").strip() for field in ("name", "email"))
    return (
        fold_name(remembered_player.name) == fold_name(name)
        and remembered_player.email.casefold() == email.casefold()
    )


@public_page("me")
def go_to_my_page(request: HttpRequest, event: Event, context: PageContext) -> HttpResponse:
    """Redirect from a public page to the player this browser registered.

    There is no private link on the public page. Everyone else can have the private link sent again.
    """
    if request.method == "POST":
        return _resend_link(request, event, "my_page")
    me = context["me"]
    if me is not None:
        return redirect("player", me.token)
    extra = {"is_open": event.phase in OPEN_PHASES, "can_send": contact.can_email_links()}
    return render(request, "tournament/registration/public_my_page.html", {**context, **extra})


def _resend_link(request: HttpRequest, event: Event, way_back: str = "register") -> HttpResponse:
    """Send the link to the player registered with the address.

    Answer, work and version do not reveal whether there is one.
    """
    email = request.POST.get("email", "").strip()[:254]
    try:
        account_services.count_attempt(request, "send_private_link", f"{event.pk} {email}")
    except account_services.RateLimitExceeded as refusal:
        messages.error(request, refusal.message)
        return redirect(way_back, event.slug)
    contact.request_private_link(event, email)
    messages.success(request, gettext("If this address is registered, we sent the private link to it."))
    return redirect(way_back, event.slug)


def is_rate_limited(request: HttpRequest, form: RegistrationForm) -> bool:
    """Return whether this network address sent more registrations than a venue does.

    The form says so then.
    """
    try:
        account_services.count_attempt(request, "register")
    except account_services.RateLimitExceeded as refusal:
        form.add_error(None, refusal.message)
        return True
    return False


def badge_path(event: Event, number: int) -> str:
    """Return the path that a player's code leads to.

    It is in capitals, which make small codes.
    """
    return reverse("badge", args=[event.slug.upper(), number])


@require_safe
def badge(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Redirect the code of a badge.

    Staff go to check-in or the console, the player to their own page, all others to the list.
    """
    event = permissions.get_visible_event(request.user, slug.lower())
    rights = permissions.get_rights(request.user, event)
    if Right.SEE in rights:
        get_object_or_404(event.players, number=number)
        can_check_in = Right.PLAYERS in rights and event.phase == Event.Phase.CHECK_IN
        return redirect("console_check_in_one" if can_check_in else "console_player", event.slug, number)
    remembered_player = get_remembered_player(request, event)
    if remembered_player is not None and remembered_player.number == number:
        return redirect("player", remembered_player.token)
    return redirect("players", event.slug)


@require_safe
@cache_control(public=True, max_age=3600)
def badge_qr_code(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Send the code itself, as a picture of one pixel a module."""
    address = f"{get_base_url(request)}{badge_path(_public_event_or_404(slug), number)}"
    return HttpResponse(make_qr_png(address), content_type="image/png")
