"""What all forms about somebody who comes share: members of a team, and the question of a known name."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django import forms
from django.core.exceptions import NON_FIELD_ERRORS

from tournament.events.models.event import Event
from tournament.registration.services.late_entry import CHOICES, LOSS
from tournament.registration.services.locked_row import rounds_out
from tournament.web.form_refusals import attempt

SOMEBODY_ELSE = "This is somebody else with the same name"


def add_members(form: forms.Form, event: Event, named: Sequence[str] = ()) -> None:
    """A field for each member of a team, where the event is for teams."""
    for place in range(1, (event.team_size or 0) + 1):
        form.fields[f"member_{place}"] = forms.CharField(
            required=False,
            label=f"Member {place}",
            initial=named[place - 1] if place <= len(named) else "",
            widget=forms.TextInput(attrs={"maxlength": 80, "autocomplete": "off"}),
        )
        form.fields[f"member_{place}"].is_asked = True


def entry_of(form: forms.Form) -> dict[str, Any]:
    """The values of such a form as the services take them."""
    values = {name: value for name, value in form.cleaned_data.items() if not name.startswith("member_")}
    members = [value for name, value in form.cleaned_data.items() if name.startswith("member_")]
    return {**values, "members": members} if members else values


def offer_namesake(form: forms.Form) -> None:
    """Keep the answer to the question of a known name, where it was asked."""
    if form.data.get("is_namesake"):
        _ask(form)


def attempt_entry(form: forms.Form, act: Any) -> Any:
    """Run one step for the form; where the name is known, ask beside what was refused. None when refused."""
    done = attempt(form, act)
    if form.has_error("name", "same_name") or form.has_error(NON_FIELD_ERRORS, "same_name"):
        _ask(form)
    return done


def _ask(form: forms.Form) -> None:
    form.fields["is_namesake"] = forms.BooleanField(required=False, label=SOMEBODY_ELSE)


def missed_field(event: Event) -> forms.ChoiceField | None:
    """What a player who comes late gets for each round he missed; None where none was missed."""
    if event.phase != Event.Phase.SWISS or not rounds_out(event):
        return None
    return forms.ChoiceField(choices=CHOICES, initial=LOSS, required=False, label="Rounds already played")
