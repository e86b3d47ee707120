"""Forms of draft pods: seat all players, and change single seats."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext, gettext_lazy

from decks.shared.form_fields import get_choice_field
from rules.limited import FEWEST_IN_POD, MOST_IN_POD
from tournament.access.permissions import Actor
from tournament.booster_drafts import services
from tournament.booster_drafts.selectors import PodView, list_unseated_players, sort_seats
from tournament.events.models.event import Event
from tournament.events.models.player import Player
from tournament.web.refusals import attempt_form_step

NAMES = {"translate": "no"}


class SeatPodsForm(forms.Form):
    """The number of players per pod."""

    size = forms.IntegerField(
        min_value=FEWEST_IN_POD,
        max_value=MOST_IN_POD,
        label=gettext_lazy("Players per pod"),
        help_text=gettext_lazy("Pod sizes are as even as possible."),
    )

    def save(self, event: Event, actor: Actor) -> bool:
        """Seat the pods; False if refused, with the reasons as errors."""
        attempt_form_step(self, lambda: services.seat_pods(event, actor, size=self.cleaned_data["size"]))
        return not self.errors


class PodChangeForm(forms.Form):
    """One change of seats by hand.

    `kind` is swap, add or remove; each reads the fields that it needs.
    """

    one = forms.TypedChoiceField(
        coerce=int, label=gettext_lazy("Player"), widget=forms.Select(attrs=NAMES), required=False
    )
    two = forms.TypedChoiceField(
        coerce=int, label=gettext_lazy("Swap with"), widget=forms.Select(attrs=NAMES), required=False
    )
    pod = forms.TypedChoiceField(coerce=int, label=gettext_lazy("Pod"), required=False)

    def __init__(self, *args: Any, event: Event, kind: str, pods: list[PodView], **kwargs: Any) -> None:
        self.event, self.kind = event, kind
        super().__init__(*args, **{**kwargs, "auto_id": f"{kind}-%s"})
        seated_players = [seat.player for seat in sort_seats(event, pods)]
        players = list_unseated_players(event) if kind == "add" else seated_players
        get_choice_field(self, "one").choices = _list_choices(players)
        get_choice_field(self, "two").choices = _list_choices(seated_players)
        new_pod = len(pods) + 1
        labels = [(pod.number, gettext("Pod %(pod)d") % {"pod": pod.number}) for pod in pods]
        new = (new_pod, gettext("New pod %(pod)d") % {"pod": new_pod})
        get_choice_field(self, "pod").choices = [*labels, new]
        if len(seated_players) > 1:
            self.fields["two"].initial = seated_players[1].number
        for name in {"swap": ("pod",), "add": ("two",), "remove": ("two", "pod")}[kind]:
            del self.fields[name]
        for field in self.fields.values():
            field.required = True

    def save(self, actor: Actor) -> bool:
        """Make the change; False if refused, with the reasons as errors."""
        values = self.cleaned_data
        run = {
            "swap": lambda: services.swap_seats(self.event, actor, values["one"], values["two"]),
            "add": lambda: services.add_to_pod(self.event, actor, values["one"], values["pod"]),
            "remove": lambda: services.remove_from_pod(self.event, actor, values["one"]),
        }[self.kind]
        attempt_form_step(self, run)
        return not self.errors


def _list_choices(players: list[Player]) -> list[tuple[int, str]]:
    return [(player.number, f"{player.name} ({player.number})") for player in players]
