"""Form of the prizes of an event, one prize a line."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy

from decks.shared.edit_conflicts import ConcurrentEditForm
from tournament.access.permissions import Actor
from tournament.closing.services import set_prizes
from tournament.events.models.event import Event
from tournament.shared.awards import format_prizes, load_prizes, parse_prizes
from tournament.web.refusals import attempt_form_step

MAX_LENGTH = 20_000


class PrizesForm(ConcurrentEditForm):
    """Prizes as people write them."""

    prizes = forms.CharField(
        required=False,
        max_length=MAX_LENGTH,
        label=gettext_lazy("Prizes"),
        help_text=gettext_lazy(
            "One per line: “1: 50 € and the trophy”, “3-4: a booster each”, “best Ken: a playmat”."
        ),
        widget=forms.Textarea(attrs={"rows": 10}),
    )

    def __init__(self, *args: Any, event: Event, **kwargs: Any) -> None:
        self.event = event
        kwargs["initial"] = {"prizes": format_prizes(load_prizes(event.prizes))}
        super().__init__(*args, **kwargs)
        self.carry_initial_values()

    def save(self, actor: Actor) -> bool:
        """Announce the prizes.

        Return False when they were refused, with the reasons on the form.
        """
        text = self.cleaned_data["prizes"]
        return attempt_form_step(self, lambda: set_prizes(self.event, actor, parse_prizes(text))) is not None
