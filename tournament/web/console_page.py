"""Decorators and helpers of console pages: rights, row locks, messages."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, Protocol

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db import models, transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone

from decks.shared.refusals import Refused
from tournament.access import permissions
from tournament.access.permissions import Actor, Right
from tournament.accounts import services
from tournament.events import selectors as events_selectors
from tournament.events.models.event import Event
from tournament.web.refusals import show_refusal

View = Callable[..., HttpResponse]
# In the environment of a request: the id of its event, and what its sender may do there.
RIGHTS_IN_EVENT = "ringside.rights_in_event"


def console_page(right: Right) -> Callable[[View], View]:
    """Return a page of one event for staff with the given right.

    The view gets the event in place of the slug.
    """

    def decorate(view: View) -> View:
        @wraps(view)
        def page(request: HttpRequest, slug: str, **kwargs: Any) -> HttpResponse:
            event, rights = permissions.get_event_with_rights(request.user, slug, right)
            request.META[RIGHTS_IN_EVENT] = event.pk, rights
            services.update_last_seen(request)
            with timezone.override(event.zone):
                return view(request, event, **kwargs)

        return login_required(page)

    return decorate


def attempt_step(request: HttpRequest, run: Callable[[], Any], success_message: str = "") -> bool:
    """Run one step; say what was done, or why it was refused."""
    try:
        run()
    except Refused as refusal:
        show_refusal(request, refusal)
        return False
    if success_message:
        messages.success(request, success_message)
    return True


class ActorForm(Protocol):
    """A form that is saved in the name of someone.

    `save` returns nothing if it found problems.
    """

    def is_valid(self) -> bool: ...

    def save(self, actor: Actor) -> object: ...


def save_form(request: HttpRequest, form: ActorForm) -> bool:
    """Save a form that was sent; return whether its values are stored."""
    return request.method == "POST" and form.is_valid() and bool(form.save(Actor.of_user(request.user)))


def render_console_page(
    request: HttpRequest, event: Event, template: str, section: str, **context: Any
) -> HttpResponse:
    """Render a console page with what its navigation needs."""
    rights = get_request_rights(request, event)
    extra = {
        "event": event,
        "section": section,
        "rights": {right.value for right in rights},
        "latest_round": events_selectors.get_latest_round(event),
        "limited": events_selectors.get_limited_play(event),
    }
    return render(request, template, {**extra, **context})


def get_request_rights(request: HttpRequest, event: Event) -> frozenset[Right]:
    """Return everything that the sender of a request may do in an event.

    For the event of the page, the decorator has asked.
    """
    pk, rights = request.META.get(RIGHTS_IN_EVENT, (None, frozenset()))
    return rights if pk == event.pk else permissions.get_rights(request.user, event)


def redirect_back(request: HttpRequest, fallback: str, *args: Any) -> HttpResponse:
    """Return to the page the button was on, or to the fallback."""
    target = request.POST.get("next", "")
    if target.startswith("/") and not target.startswith("//"):
        return redirect(target)
    return redirect(fallback, *args)


def lock_row_on_post(view: View) -> View:
    """Return a page of an event or a league that locks its row when a form is sent.

    The form compares what its sender saw with the current values. What is sent is compared and written under
    the lock of the row, which the view gets as it is there; a form that was only compared before the step
    would write over what came between. Reading locks nothing.
    """

    @wraps(view)
    def page(request: HttpRequest, row: models.Model, **kwargs: Any) -> HttpResponse:
        if request.method != "POST":
            return view(request, row, **kwargs)
        with transaction.atomic():
            locked_row = get_object_or_404(type(row)._default_manager.select_for_update(), pk=row.pk)
            return view(request, locked_row, **kwargs)

    return page


CAMERA_POLICY = "camera=(self), microphone=(), geolocation=()"


def allow_camera(response: HttpResponse) -> HttpResponse:
    """Return the same answer, whose page may ask for the camera."""
    response["Permissions-Policy"] = CAMERA_POLICY
    return response


def form_response(form: forms.Form, response: HttpResponse) -> HttpResponse:
    """Return the page of a form, marked when the form was refused."""
    response.status_code = 422 if form.errors else 200
    return response
