"""From tournament.forms.pairing."""

from __future__ import annotations

from typing import Any

from django import forms

from decks.shared.edit_conflicts import MeanwhileForm
from decks.shared.refusals import Refused
from tournament.access.actor import Actor
from tournament.events.models.event import Event
from tournament.events.table_numbers import LAST_TABLE
from tournament.pairing.forms import HALL
from tournament.pairing.options import APART, FIRST_ROUNDS, SEEDINGS, read_options, read_rounds, write_rounds
from tournament.setup.services import events
from tournament.web.form_refusals import attempt


def _choices(table: dict[str, tuple[str, str]]) -> list[tuple[str, str]]:
    return [(key, f"{name}: {words}") for key, (name, words) in table.items()]


class TablesField(forms.CharField):
    """Table numbers as people write them: “5, 7”."""

    def to_python(self, value: Any) -> Any:
        """The numbers in the text."""
        parts = super().to_python(value).replace(",", " ").replace(";", " ").split()
        if not all(part.isdecimal() and 0 < len(part) < 5 for part in parts):
            raise forms.ValidationError("Write table numbers such as 5, 7.", code="reserved_tables_wrong")
        return sorted({int(part) for part in parts})

    def prepare_value(self, value: Any) -> Any:
        """Numbers as they are written."""
        return ", ".join(map(str, value)) if isinstance(value, list) else value


class RoundsField(forms.CharField):
    """Rounds as people write them: “1-3, 5”."""

    def to_python(self, value: Any) -> Any:
        """The rounds in the text."""
        try:
            return list(read_rounds(super().to_python(value)))
        except Refused as refusal:
            raise forms.ValidationError(refusal.message, code=refusal.code) from refusal

    def prepare_value(self, value: Any) -> Any:
        """Rounds as they are written."""
        return value if value is None or isinstance(value, str) else write_rounds(tuple(value))


class PairingForm(MeanwhileForm):
    """How an event's rounds are paired, and where in the hall it plays."""

    first_round = forms.ChoiceField(choices=_choices(FIRST_ROUNDS), label="First round")
    seeded_by = forms.ChoiceField(
        choices=_choices(SEEDINGS),
        label="Seeding",
        help_text="For a seeded first round, accelerated rounds, groups and brackets from the start.",
    )
    accelerated = forms.BooleanField(
        required=False,
        label="Accelerated first rounds",
        help_text="For large fields: the upper half is paired in the first half of the rounds as if it had "
        "points already, so that the best meet sooner. The points never count in the standings.",
    )
    apart = forms.ChoiceField(choices=_choices(APART), label="Players of one club, team or household")
    apart_rounds = RoundsField(
        required=False,
        max_length=60,
        label="In the rounds",
        help_text="Such as 1-3, 5. Empty: every round.",
    )
    fresh_tables = forms.BooleanField(
        required=False, label="Nobody at the same table twice, where that can be"
    )
    hall = forms.CharField(
        required=False,
        max_length=120,
        help_text="Events of one day that name the same hall never use one table at once.",
    )
    first_table = forms.IntegerField(min_value=1, max_value=LAST_TABLE, label="First table")
    table_count = forms.IntegerField(
        required=False,
        min_value=1,
        max_value=LAST_TABLE,
        label="Number of tables",
        help_text="Empty: one for every two players.",
    )
    reserved_tables = TablesField(
        required=False,
        max_length=400,
        label="Tables left free",
        help_text="Such as 5, 7: for judges, sales or another event.",
    )

    def __init__(self, *args: Any, event: Event, **kwargs: Any) -> None:
        self.event = event
        options = read_options(event.pairing_options)
        kwargs["initial"] = {
            **options.as_data(),
            "apart_rounds": options.apart_rounds,
            **{name: getattr(event, name) for name in HALL},
        }
        super().__init__(*args, **kwargs)
        self.watch()

    def save(self, actor: Actor) -> Event | None:
        """Change the event; None when the services refused, with the reasons beside the fields."""
        values = dict(self.cleaned_data)
        hall = {name: values.pop(name) for name in HALL}
        hall["hall"] = hall["hall"].strip()
        return attempt(
            self, lambda: events.update_event(self.event, actor, {"pairing_options": values, **hall})
        )
