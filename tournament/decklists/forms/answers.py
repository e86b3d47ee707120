"""The forms of what people say about a list: an organizer's ruling, a player's answer."""

from __future__ import annotations

from typing import Any

from django import forms

from tournament.access.actor import Actor
from tournament.decklists.services import lists as decklists
from tournament.events.models.player import Player
from tournament.web.form_refusals import attempt


class RulingForm(forms.Form):
    """An organizer's ruling over a verdict."""

    outcome = forms.ChoiceField(
        label="The list is",
        choices=[("legal", "Legal"), ("illegal", "Not legal"), ("unknown", "Cannot be checked")],
    )
    reason = forms.CharField(max_length=400, label="Reason", help_text="The player reads it.")

    def __init__(self, *args: Any, **options: Any) -> None:
        # It stands on one page with the form of a list, which asks for a reason too.
        super().__init__(*args, auto_id="ruling_%s", **options)

    def save(self, player: Player, actor: Actor, number: int) -> Any:
        """Rule; None when refused."""
        values = self.cleaned_data
        return attempt(self, lambda: decklists.overrule(player, actor, **values, number=number))


class AnswerForm(forms.Form):
    """What a player says to what staff did to his list."""

    number = forms.IntegerField(min_value=1, max_value=1_000_000, widget=forms.HiddenInput)
    words = forms.CharField(
        max_length=400, required=False, label="Your answer", widget=forms.Textarea(attrs={"rows": 2})
    )
    agrees = forms.ChoiceField(required=False, choices=[("", "seen"), ("yes", "yes"), ("no", "no")])

    def save(self, player: Player, actor: Actor) -> Any:
        """Keep the answer; None when refused."""
        agrees = {"yes": True, "no": False}.get(self.cleaned_data["agrees"])
        number, words = self.cleaned_data["number"], self.cleaned_data["words"]
        return attempt(
            self, lambda: decklists.answer(player, actor, number=number, agrees=agrees, words=words)
        )
