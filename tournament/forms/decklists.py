"""The form of a player's decklist."""

from __future__ import annotations

from django import forms

from decks.errors import Refused as ListRefused
from decks.models import DeckVersion
from tournament.forms.refusals import attempt
from tournament.models import Player
from tournament.services import decklists
from tournament.services.actor import Actor

PLACEHOLDER = "Main deck\n4 Name of a card\n3 Another one\n\nSideboard\n2 A third"


class DeckListForm(forms.Form):
    """A list as text, in whatever way players write one."""

    text = forms.CharField(
        required=False,
        label="Your list",
        strip=False,
        max_length=60_000,
        help_text="One card a line with its number. Lists of the usual programs are read as they are.",
        widget=forms.Textarea(
            attrs={
                "class": "deck",
                "rows": 20,
                "spellcheck": "false",
                "autocapitalize": "off",
                "placeholder": PLACEHOLDER,
            }
        ),
    )

    def __init__(self, *args: object, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)
        self.fields["text"].is_asked = True

    def save(self, player: Player) -> DeckVersion | None:
        """Submit it; None when refused, with the reason beside the field."""
        try:
            return attempt(
                self, lambda: decklists.submit(player, Actor.of_player(player), self.cleaned_data["text"])
            )
        except ListRefused as refusal:
            words = f"{refusal.sentence} {refusal.fix}".strip()
            self.add_error("text", forms.ValidationError(words, code=refusal.code))
            return None
