"""The forms players meet when they come: registering, and declaring a character."""

from __future__ import annotations

from typing import Any

from django import forms

from tournament.access.actor import Actor
from tournament.events.game_terms import game_of
from tournament.events.models.event import Event
from tournament.events.models.player import Player
from tournament.registration import services as registration
from tournament.registration.forms.shared import add_members, attempt_entry, entry_of, offer_namesake
from tournament.web.form_refusals import attempt

CHARACTER_HELP = "You start the first game of every round with it. By name; the version does not matter."


class RegistrationForm(forms.Form):
    """Name, address, and a character where the game has them."""

    name = forms.CharField(
        required=False,
        label="Your name",
        help_text="As the pairings show it.",
        widget=forms.TextInput(attrs={"autocomplete": "name", "required": True, "maxlength": 80}),
    )
    email = forms.CharField(
        required=False,
        label="E-mail address",
        help_text="For the organizer only; it is never shown.",
        widget=forms.EmailInput(attrs={"autocomplete": "email", "required": True, "maxlength": 254}),
    )
    character = forms.CharField(
        required=False,
        label="Your character",
        help_text=CHARACTER_HELP,
        widget=forms.TextInput(attrs={"maxlength": 80}),
    )

    def __init__(self, *args: Any, event: Event, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.event = event
        for name in ("name", "email"):
            self.fields[name].is_asked = True
        self._offer_character(event)
        if event.team_size:
            self.fields["name"].label = "Name of your team"
        add_members(self, event)
        offer_namesake(self)

    def _offer_character(self, event: Event) -> None:
        if not (event.needs_character or game_of(event).declares_character):
            del self.fields["character"]
        elif event.needs_character:
            self.fields["character"].is_asked = True
            self.fields["character"].widget.attrs["required"] = True

    def save(self) -> Player | None:
        """Register; None when refused, with every reason beside its field."""
        return attempt_entry(self, lambda: registration.register(self.event, **entry_of(self)))


class CharacterForm(forms.Form):
    """The character a player declares."""

    character = forms.CharField(
        label="Your character",
        max_length=80,
        help_text=CHARACTER_HELP,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )

    def save(self, player: Player) -> bool:
        """Declare it; False when refused, with the reason beside the field."""
        character = self.cleaned_data["character"]
        attempt(self, lambda: registration.declare_character(player, Actor.of_player(player), character))
        return self.is_valid()
