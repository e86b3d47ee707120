"""The form that copies an event: name, start and what goes with it."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy

from tournament.access.permissions import Actor
from tournament.events.models.event import Event
from tournament.setup.forms.event import make_datetime_field
from tournament.setup.services import copies
from tournament.web.refusals import attempt_form_step


class CopyForm(forms.Form):
    """Name and start of the next event, filled with the next number and next week."""

    name = forms.CharField(max_length=120, label=gettext_lazy("Event name"))
    starts_at = make_datetime_field(True, gettext_lazy("Starts"), gettext_lazy("Local time at the venue"))
    with_staff = forms.BooleanField(required=False, initial=True, label=gettext_lazy("Copy the staff"))
    open_registration = forms.BooleanField(
        required=False, initial=True, label=gettext_lazy("Open registration now")
    )

    def __init__(self, *args: Any, event: Event, **kwargs: Any) -> None:
        self.event = event
        local_start = copies.suggest_start(event).replace(tzinfo=None)
        kwargs["initial"] = {"name": copies.suggest_name(event), "starts_at": local_start}
        super().__init__(*args, **kwargs)
        if event.staff.count() < 2:
            del self.fields["with_staff"]

    def save(self, actor: Actor) -> Event | None:
        """Copy the event; None when refused, with the reasons beside the fields."""
        starts_at = self.cleaned_data["starts_at"].replace(tzinfo=self.event.zone)
        values = {**self.cleaned_data, "starts_at": starts_at}
        return attempt_form_step(self, lambda: copies.copy_event(self.event, actor, **values))
