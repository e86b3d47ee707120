"""Forms of the card pages: search, and the day."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext, gettext_lazy

import rules
from decks.shared.day_forms import DayField
from decks.shared.form_fields import get_choice_field
from rules.rendering import translate_text


class CardDayForm(forms.Form):
    """The day for which a card is looked at."""

    on = DayField(label=gettext_lazy("Date"))


class CardSearchForm(forms.Form):
    """The search text, for one game or for all."""

    q = forms.CharField(label=gettext_lazy("Card"), required=False, max_length=100)
    game = forms.ChoiceField(label=gettext_lazy("Game"), required=False)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        get_choice_field(self, "game").choices = [
            ("", gettext("All games")),
            *((g.key, translate_text(g.name)) for g in rules.games()),
        ]
        self.fields["q"].widget.input_type = "search"
