"""The form of an event's prizes: a line for each."""

from __future__ import annotations

from typing import Any

from django import forms

from decks.shared.edit_conflicts import MeanwhileForm
from tournament.access.actor import Actor
from tournament.closing.services import set_prizes
from tournament.events.models.event import Event
from tournament.shared.place_lines import as_lines, prizes_of, read_prizes
from tournament.web.form_refusals import attempt

LONGEST = 20_000


class PrizesForm(MeanwhileForm):
    """Prizes as people write them."""

    prizes = forms.CharField(
        required=False,
        max_length=LONGEST,
        label="Prizes",
        help_text="One a line: “1: 50 € and the trophy”, “3-4: a booster each”, “best Ken: a playmat”.",
        widget=forms.Textarea(attrs={"rows": 10}),
    )

    def __init__(self, *args: Any, event: Event, **kwargs: Any) -> None:
        self.event = event
        kwargs["initial"] = {"prizes": as_lines(prizes_of(event.prizes))}
        super().__init__(*args, **kwargs)
        self.watch()

    def save(self, actor: Actor) -> bool:
        """Announce them; False when they were refused, with the reasons on the form."""
        text = self.cleaned_data["prizes"]
        return attempt(self, lambda: set_prizes(self.event, actor, read_prizes(text))) is not None
