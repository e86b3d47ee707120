"""Form of one card that the organizer adds for an event."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django import forms
from django.utils.translation import gettext, gettext_lazy

import rules
from decks.catalogue.facts_table import format_cell
from decks.catalogue.importing.records import LONGEST_NAME, LONGEST_SHORT_TEXT
from decks.shared.refusals import Refused
from rules.cards import Fact
from rules.catalogue_files.table import get_cell_reader
from rules.rendering import translate_text
from tournament.access.permissions import Actor
from tournament.decklists.models import AddedCard
from tournament.decklists.services import added_cards
from tournament.events.models.event import Event
from tournament.web.refusals import add_form_errors, attempt_form_step

FACT_PREFIX = "fact:"
NONE = "-"


class AddedCardForm(forms.Form):
    """Name, set and number of a card, and the facts that the game declares."""

    name = forms.CharField(label=gettext_lazy("Card name"), max_length=LONGEST_NAME)
    set = forms.CharField(label=gettext_lazy("Set code"), required=False, max_length=LONGEST_SHORT_TEXT)
    number = forms.CharField(label=gettext_lazy("Number"), required=False, max_length=LONGEST_SHORT_TEXT)

    def __init__(self, *args: Any, event: Event, card: AddedCard | None = None, **kwargs: Any) -> None:
        self.event, self.card = event, card
        self.game = rules.get_game(event.game)
        kwargs["initial"] = {**kwargs.get("initial", {}), **_initial_values(card)}
        super().__init__(*args, **kwargs)
        for fact in self.game.cards.facts.values():
            self.fields[f"{FACT_PREFIX}{fact.key}"] = _make_fact_field(fact, self.game.cards.label(fact.key))

    @property
    def expected_fields(self) -> list[forms.BoundField]:
        """The fields of the facts that the game expects of every card, or of some types."""
        return list(self._fact_fields(is_expected=True))

    @property
    def other_fields(self) -> list[forms.BoundField]:
        """The fields of the facts that few cards have."""
        return list(self._fact_fields(is_expected=False))

    def _fact_fields(self, *, is_expected: bool) -> Iterable[forms.BoundField]:
        for fact in self.game.cards.facts.values():
            if fact.is_expected == is_expected:
                yield self[f"{FACT_PREFIX}{fact.key}"]

    def clean(self) -> dict[str, object]:
        """Read each fact as a cell of a catalogue file is read."""
        super().clean()
        values: dict[str, object] = self.cleaned_data
        for fact in self.game.cards.facts.values():
            field = f"{FACT_PREFIX}{fact.key}"
            try:
                values[field] = _read_fact(fact, str(values.get(field) or ""), self.fields[field].label)
            except Refused as refusal:
                add_form_errors(self, Refused.of(refusal.reason, field=field))
        return values

    def facts(self) -> dict[str, object]:
        """Return the card as a catalogue file tells it; without what was left empty."""
        values = {name.removeprefix(FACT_PREFIX): value for name, value in self.cleaned_data.items()}
        return {name: value for name, value in values.items() if value not in (None, "")}

    def save(self, actor: Actor) -> AddedCard | None:
        """Add the card, or change it. None if that is refused."""
        card = self.card
        if card is None:
            return attempt_form_step(self, lambda: added_cards.add_card(self.event, actor, self.facts()))
        return attempt_form_step(self, lambda: added_cards.change_card(card, actor, self.facts()))


def _initial_values(card: AddedCard | None) -> dict[str, object]:
    if card is None:
        return {}
    facts = {
        f"{FACT_PREFIX}{fact}": NONE if value == [] else format_cell(value)
        for fact, value in card.facts.items()
    }
    return {"name": card.name, "set": card.set_code, "number": card.number, **facts}


def _make_fact_field(fact: Fact, label: str) -> forms.CharField:
    words = translate_text(label)
    return forms.CharField(
        label=f"{words[:1].upper()}{words[1:]}",
        required=False,
        max_length=added_cards.LONGEST_FACT,
        help_text=_help(fact),
        widget=forms.TextInput(attrs={"inputmode": "numeric"} if fact.kind == "whole" else {}),
    )


def _help(fact: Fact) -> str:
    sentences = {
        "yes_no": gettext("Yes or no."),
        "words": gettext("Separate several with semicolons. Enter - for none."),
        "whole": gettext("A whole number."),
    }
    return sentences.get(fact.kind, "")


def _read_fact(fact: Fact, cell: str, label: object) -> object:
    """Return the value of a fact as typed; None for an empty one.

    Raises Refused for what is not a value of it.
    """
    text = " ".join(cell.split())
    if not text:
        return None
    if text == NONE and fact.kind == "words":
        return []
    reader = get_cell_reader(fact)
    value = text if reader is None else reader(text)
    if value is None:
        raise Refused("fact_unreadable", value=text[:40], fact=str(label), kind=fact.kind)
    return value
