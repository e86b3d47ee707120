"""Forms about players, for staff."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django import forms

from decks.shared.edit_conflicts import MeanwhileForm
from tournament.events.game_terms import game_of
from tournament.events.models.event import Event
from tournament.events.models.player import Player
from tournament.registration.forms.shared import (
    add_members,
    attempt_entry,
    entry_of,
    missed_field,
    offer_namesake,
)
from tournament.registration.quick_entry import read_line

Act = Callable[[dict[str, Any]], Any]


class PlayerForm(MeanwhileForm):
    """A player's details; with a player given, a correction of them."""

    name = forms.CharField(required=False, max_length=80)
    email = forms.CharField(required=False, max_length=254, label="E-mail", widget=forms.EmailInput)
    character = forms.CharField(max_length=80, required=False, label="Declared character")

    def __init__(self, *args: Any, event: Event, player: Player | None = None, **kwargs: Any) -> None:
        if player is not None:
            kwargs["initial"] = {"name": player.name, "email": player.email, "character": player.character}
        super().__init__(*args, **kwargs)
        self.fields["name"].is_asked = True
        if event.team_size:
            self.fields["name"].label = "Name of the team"
        if not event.needs_character and not game_of(event).declares_character:
            del self.fields["character"]
        add_members(self, event, player.members if player else ())
        missed = missed_field(event) if player is None else None
        if missed is not None:
            self.fields["missed"] = missed
        if player is not None:
            self.watch()
        offer_namesake(self)

    def save(self, act: Act) -> Any:
        """Call the service; None when it refused, with the reasons beside the fields."""
        values = {"character": "", **entry_of(self)}
        if not values.get("missed", True):
            del values["missed"]
        return attempt_entry(self, lambda: act(values))


class QuickForm(forms.Form):
    """Somebody at the desk in one line: name; e-mail; character. Only the name is needed."""

    line = forms.CharField(
        required=False,
        max_length=600,
        label="Add somebody",
        widget=forms.TextInput(
            attrs={"autofocus": True, "autocomplete": "off", "placeholder": "Ann Lee; ann@example.org; Ken"}
        ),
    )

    def __init__(self, *args: Any, event: Event, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["line"].is_asked = True
        self.fields["line"].help_text = _help(event)
        missed = missed_field(event)
        if missed is not None:
            self.fields["missed"] = missed
        offer_namesake(self)

    def save(self, act: Act) -> Any:
        """Call the service; None when it refused, with the reasons above the line."""
        values = dict(self.cleaned_data)
        entry = read_line(values.pop("line"))
        asked = {name: value for name, value in values.items() if value}
        return attempt_entry(self, lambda: act({**entry, **asked}))


def _help(event: Event) -> str:
    if event.team_size:
        return "Team; e-mail; its members with a plus between them: The Dojo; ann@example.org; Ann + Bob"
    return "Name; e-mail; character. Only the name is needed."
