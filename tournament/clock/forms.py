"""Forms of the clock: how rounds are timed, time for one table, time for all, what the hall screen shows."""

from __future__ import annotations

from typing import Any

from django import forms

from decks.shared.edit_conflicts import MeanwhileForm
from decks.shared.refusals import Refused
from tournament.access.actor import Actor
from tournament.clock import services as clock
from tournament.clock.options import LONGEST
from tournament.clock.selectors import rule_of
from tournament.events.models.event import Event
from tournament.events.models.round import Round
from tournament.web.form_refusals import attempt


def _minutes(label: str, help_text: str = "") -> forms.IntegerField:
    return forms.IntegerField(
        required=False, min_value=0, max_value=LONGEST, label=label, help_text=help_text
    )


class ClockForm(MeanwhileForm):
    """How an event's rounds are timed beyond their minutes."""

    warning = _minutes("Warning, minutes before the end")
    elimination = _minutes(
        "Minutes of a match in a bracket", "Empty: as in the other rounds. 0: played without a clock."
    )
    hidden_from = _minutes("Random end: not before minute")
    hidden_to = _minutes(
        "Random end: not after minute",
        "The end is drawn when the clock starts, and nobody sees it before it comes.",
    )

    def __init__(self, *args: Any, event: Event, **kwargs: Any) -> None:
        self.event = event
        kept = {name: event.clock_options.get(name) for name in self.base_fields}
        super().__init__(*args, initial=kept, **kwargs)
        self.watch()
        stated = rule_of(event).warning_minutes_left
        usual = (
            f"Empty: {stated}, as the rule has it." if stated else "Empty: none; the rule knows no warning."
        )
        self.fields["warning"].help_text = f"{usual} 0: no warning."

    def save(self, actor: Actor) -> bool:
        """Keep it; False when the services refused, with the reasons beside the fields."""
        chosen = {name: value for name, value in self.cleaned_data.items() if value is not None}
        attempt(self, lambda: clock.set_options(self.event, actor, chosen))
        return not self.errors


class TableTimeForm(forms.Form):
    """More time for one table, with the reason."""

    table = forms.IntegerField(min_value=1, max_value=99999, label="Table")
    minutes = forms.IntegerField(min_value=1, max_value=clock.MOST_MINUTES, label="Minutes more", initial=3)
    reason = forms.CharField(max_length=200, label="Why")

    def save(self, played: Round, actor: Actor) -> bool:
        """Give the time; False when the services refused."""
        attempt(self, lambda: self._give(played, actor))
        return not self.errors

    def _give(self, played: Round, actor: Actor) -> None:
        number = self.cleaned_data["table"]
        match = played.matches.filter(table=number).first()
        if match is None:
            raise Refused(
                "no_such_table", f"There is no table {number} in round {played.number}.", field="table"
            )
        values = {name: self.cleaned_data[name] for name in ("minutes", "reason")}
        clock.change_time(played, actor, match=match, **values)
