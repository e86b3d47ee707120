"""Forms about players, for staff."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django import forms

from tournament.forms.refusals import attempt
from tournament.models import Event, Player


class PlayerForm(forms.Form):
    """A player's details; with a player given, a correction of them."""

    name = forms.CharField(max_length=80)
    email = forms.EmailField(required=False, label="E-mail")
    character = forms.CharField(max_length=80, required=False, label="Declared character")

    def __init__(self, *args: Any, event: Event, player: Player | None = None, **kwargs: Any) -> None:
        if player is not None:
            kwargs["initial"] = {"name": player.name, "email": player.email, "character": player.character}
        super().__init__(*args, **kwargs)
        if not event.needs_character and event.game != "ufs":
            del self.fields["character"]

    def save(self, act: Callable[[dict[str, Any]], Any]) -> Any:
        """Call the service; None when it refused, with the reasons beside the fields."""
        values = {"character": "", **self.cleaned_data}
        return attempt(self, lambda: act(values))
