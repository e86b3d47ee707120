"""Forms for pairing: a player's pairing facts and forbidden pairs."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy

from decks.shared.edit_conflicts import ConcurrentEditForm
from tournament.access.permissions import Actor
from tournament.events.models.player import Player
from tournament.events.settings import LAST_TABLE
from tournament.pairing.services import player_facts
from tournament.web.refusals import attempt_form_step


class PlayerPairingForm(ConcurrentEditForm):
    """The pairing preferences of one player."""

    club = forms.CharField(
        required=False,
        max_length=80,
        label=gettext_lazy("Club, team or household"),
        help_text=gettext_lazy("Pairings can keep its players apart."),
    )
    seed = forms.IntegerField(
        required=False,
        min_value=1,
        max_value=100_000,
        label=gettext_lazy("Seed"),
        help_text=gettext_lazy("1 is the best seed."),
    )
    rating = forms.IntegerField(
        required=False, min_value=0, max_value=1_000_000, label=gettext_lazy("Rating")
    )
    fixed_table = forms.IntegerField(
        required=False,
        min_value=1,
        max_value=LAST_TABLE,
        label=gettext_lazy("Fixed table"),
        help_text=gettext_lazy("For a player who needs the same table all day."),
    )
    first_byes = forms.IntegerField(
        required=False,
        min_value=0,
        max_value=9,
        label=gettext_lazy("Byes in the first rounds"),
        help_text=gettext_lazy("1 means a bye in round 1."),
    )

    def __init__(self, *args: Any, player: Player, **kwargs: Any) -> None:
        self.player = player
        kwargs["initial"] = {name: getattr(player, name) for name in player_facts.PAIRING_FACTS}
        super().__init__(*args, **kwargs)
        self.carry_initial_values()

    def save(self, actor: Actor) -> bool | None:
        """Write the facts.

        Returns None if the service refused, with the reasons beside the fields.
        """
        values = {**self.cleaned_data, "first_byes": self.cleaned_data["first_byes"] or 0}
        return attempt_form_step(self, lambda: player_facts.change_player_facts(self.player, actor, **values))
