"""Forms of players: registration, character, details, quick entry at check-in."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

from django import forms
from django.core.exceptions import NON_FIELD_ERRORS
from django.utils.translation import gettext, gettext_lazy

from decks.shared.edit_conflicts import ConcurrentEditForm
from decks.shared.form_fields import mark_as_asked
from decks.shared.refusals import Refused, refuse_all
from rules import RegistrationField
from tournament.access.permissions import ALL_RIGHTS, Right, format_roles_with
from tournament.access.player_details import COLUMN_KEYS
from tournament.engine.boards import SEAT_LETTERS
from tournament.events.models.event import Event
from tournament.events.models.player import Player
from tournament.registration import services as registration
from tournament.registration.fields import asked_fields
from tournament.registration.form_fields import add_declared_fields, stored_values
from tournament.registration.selectors import count_published_rounds
from tournament.registration.services.entry import MISSED_AS_LOSS, MISSED_ROUND_CHOICES, EntryValues
from tournament.web.refusals import Outcome, attempt_form_step

QUICK_ENTRY_SEPARATORS = re.compile(r"[;\t|]")


def parse_quick_entry(line: str) -> EntryValues:
    """Read name, email, character and members of a line.

    An example of a line is “Ann Lee; ann@example.org; Ken”. The address is known by its @ and members by the
    plus between them, wherever they are; the first of the rest is the name. Commas part only where there is
    nothing else that does.

    >>> parse_quick_entry("Ann Lee, ann@example.org")
    {'name': 'Ann Lee', 'email': 'ann@example.org', 'character': '', 'members': []}
    """
    parts = [part.strip() for part in QUICK_ENTRY_SEPARATORS.split(line)]
    if len(parts) == 1:
        parts = [part.strip() for part in line.split(",")]
    email = next((part for part in parts if "@" in part), "")
    members = next((part for part in parts[1:] if "+" in part and part != email), "")
    plain_parts = [part for part in parts if part not in ("", email, members)]
    return {
        "name": plain_parts[0] if plain_parts else "",
        "email": email,
        "character": "; ".join(plain_parts[1:]),
        "members": [member.strip() for member in members.split("+") if member.strip()],
    }


NAMESAKE_LABEL = gettext_lazy("This is another player with the same name")


def add_member_fields(form: forms.Form, event: Event, names: Sequence[str] = ()) -> None:
    """Add a field for each member of a team, where the event is for teams."""
    for place in range(1, (event.team_size or 0) + 1):
        form.fields[f"member_{place}"] = forms.CharField(
            required=False,
            label=_name_place(event, place),
            initial=names[place - 1] if place <= len(names) else "",
            widget=forms.TextInput(attrs={"maxlength": 80, "autocomplete": "off"}),
        )
        mark_as_asked(form.fields[f"member_{place}"])


def _name_place(event: Event, place: int) -> str:
    """Return the label of a member whose name is not known yet.

    It is the seat, where seats matter.
    """
    if event.has_boards:
        return gettext("Seat %(seat)s") % {"seat": SEAT_LETTERS[place - 1]}
    return gettext("Member %(number)s") % {"number": place}


def read_entry(form: forms.Form, form_fields: Sequence[RegistrationField]) -> EntryValues:
    """Return the values of such a form as the services take them.

    A value without a column is one of its `details`.
    """
    cleaned_data = form.cleaned_data
    values: EntryValues = {
        "name": cleaned_data["name"],
        "email": cleaned_data["email"],
        "is_namesake": cleaned_data.get("is_namesake", False),
        "details": {
            field.key: cleaned_data[field.key] for field in form_fields if field.key not in COLUMN_KEYS
        },
    }
    if "character" in cleaned_data:
        values["character"] = cleaned_data["character"]
    if members := [value for name, value in cleaned_data.items() if name.startswith("member_")]:
        values["members"] = members
    return values


def add_namesake_field_if_asked(form: forms.Form) -> None:
    """Keep the answer to the question of a known name, where it was asked."""
    if form.data.get("is_namesake"):
        _add_namesake_field(form)


def attempt_entry(form: forms.Form, run: Callable[[], Outcome]) -> Outcome | None:
    """Run one step for the form.

    If the name is known already, a question is asked beside what was refused. Returns None if refused.
    """
    has_run = attempt_form_step(form, run)
    if form.has_error("name", "same_name") or form.has_error(NON_FIELD_ERRORS, "same_name"):
        _add_namesake_field(form)
    if form.has_error("character", "character_reason_missing"):
        _add_reason_field(form)
    return has_run


def _add_reason_field(form: forms.Form) -> None:
    form.fields["character_reason"] = forms.CharField(
        required=False,
        max_length=400,
        label=gettext_lazy("Reason for the corrected character"),
        help_text=gettext_lazy("Shown in the log"),
    )


def _add_namesake_field(form: forms.Form) -> None:
    form.fields["is_namesake"] = forms.BooleanField(required=False, label=NAMESAKE_LABEL)


def missed_rounds_field(event: Event) -> forms.ChoiceField | None:
    """Return the field for what a late player gets for each missed round.

    It is None if no round was missed.
    """
    if event.phase != Event.Phase.SWISS or not count_published_rounds(event):
        return None
    return forms.ChoiceField(
        choices=MISSED_ROUND_CHOICES,
        initial=MISSED_AS_LOSS,
        required=False,
        label=gettext("Missed rounds"),
    )


def read_missed_rounds(form: forms.Form) -> str:
    """Return what a late player gets for earlier rounds.

    It is read from the form.
    """
    return form.cleaned_data.get("missed") or MISSED_AS_LOSS


class RegistrationForm(forms.Form):
    """Name, address, members of a team, and what the declared fields ask."""

    name = forms.CharField(
        required=False,
        label=gettext_lazy("Your name"),
        help_text=gettext_lazy("Shown in the pairings"),
        widget=forms.TextInput(attrs={"autocomplete": "name", "required": True, "maxlength": 80}),
    )
    email = forms.CharField(
        required=False,
        label=gettext_lazy("Email address"),
        help_text=gettext_lazy("Only the organizer can see it."),
        widget=forms.EmailInput(attrs={"autocomplete": "email", "required": True, "maxlength": 254}),
    )

    def __init__(self, *args: Any, event: Event, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.event = event
        for name in ("name", "email"):
            mark_as_asked(self.fields[name])
        if event.team_size:
            self.fields["name"].label = gettext("Team name")
        add_member_fields(self, event)
        self.declared = asked_fields(event, "player")
        add_declared_fields(self, self.declared, is_own=True)
        add_namesake_field_if_asked(self)

    def save(self) -> Player | None:
        """Register; None when refused, with every reason beside its field."""
        values = read_entry(self, self.declared)
        return attempt_entry(self, lambda: registration.register(self.event, **values))

    def save_by_email(self) -> bool:
        """Register and send the link by email.

        Returns False if refused, with every reason on the form.
        """
        values = read_entry(self, self.declared)
        attempt_entry(self, lambda: registration.register_by_email(self.event, **values))
        return not self.errors


SaveEntry = Callable[[EntryValues], Player]


class PlayerForm(ConcurrentEditForm):
    """A player's details; with a player given, a correction of them."""

    name = forms.CharField(required=False, max_length=80, label=gettext_lazy("Name"))
    email = forms.CharField(
        required=False, max_length=254, label=gettext_lazy("Email"), widget=forms.EmailInput
    )

    def __init__(
        self,
        *args: Any,
        event: Event,
        player: Player | None = None,
        rights: frozenset[Right] = ALL_RIGHTS,
        **kwargs: Any,
    ) -> None:
        self.declared = form_fields = asked_fields(event, "staff")
        if player is not None:
            stored_details = stored_values(player, form_fields)
            kwargs["initial"] = {"name": player.name, "email": player.email, **stored_details}
        super().__init__(*args, **kwargs)
        mark_as_asked(self.fields["name"])
        if event.team_size:
            self.fields["name"].label = gettext("Team name")
        add_member_fields(self, event, player.members if player else ())
        add_declared_fields(self, form_fields, is_own=False)
        missed_field = missed_rounds_field(event) if player is None else None
        if missed_field is not None:
            self.fields["missed"] = missed_field
        if player is not None:
            self.carry_initial_values()
        if player is not None and Right.LINKS not in rights:
            # The private link is sent there.
            self.fields["email"].disabled = True
            self.fields["email"].help_text = gettext("Only %(roles)s can change it.") % {
                "roles": format_roles_with(Right.LINKS)
            }
        add_namesake_field_if_asked(self)
        if self.data.get("character_reason"):
            _add_reason_field(self)

    def save(self, act: SaveEntry) -> Player | None:
        """Call the service; None when it refused, with the reasons beside the fields."""
        return attempt_entry(self, lambda: act(read_entry(self, self.declared)))


class QuickEntryForm(forms.Form):
    """Someone at the desk in one line: name; email; character.

    Only the name is needed.
    """

    line = forms.CharField(
        required=False,
        max_length=600,
        label=gettext_lazy("New player"),
        widget=forms.TextInput(
            attrs={
                "autofocus": True,
                "autocomplete": "off",
                "placeholder": gettext_lazy("Ann Lee; ann@example.org; Ken"),
            }
        ),
    )

    def __init__(self, *args: Any, event: Event, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        mark_as_asked(self.fields["line"])
        self.fields["line"].help_text = _quick_entry_help(event)
        missed_field = missed_rounds_field(event)
        if missed_field is not None:
            self.fields["missed"] = missed_field
        add_namesake_field_if_asked(self)

    def entry(self) -> EntryValues:
        """Return the values of the line.

        Raises Refused with every problem of the line itself.
        """
        refuse_all(
            [
                Refused(error.code or "invalid", field=name, told=str(message))
                for name, errors in self.errors.as_data().items()
                for error in errors
                for message in error.messages
            ]
        )
        entry = parse_quick_entry(self.cleaned_data["line"])
        entry["is_namesake"] = self.cleaned_data.get("is_namesake", False)
        return entry

    def save(self, act: SaveEntry) -> Player | None:
        """Call the service; None when it refused, with the reasons above the line."""
        return attempt_entry(self, lambda: act(self.entry()))


def _quick_entry_help(event: Event) -> str:
    if event.team_size:
        return gettext("Team; email; members joined by +, such as: The Dojo; ann@example.org; Ann + Bob")
    return gettext("Name; email; character. Only the name is required.")
