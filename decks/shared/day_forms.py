"""Forms that ask for one day or two."""

from __future__ import annotations

from typing import Any

from django import forms


class DayField(forms.DateField):
    """A day, chosen from the browser's calendar or written as 2026-12-01."""

    def __init__(self, **options: Any) -> None:
        widget = forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d")
        super().__init__(required=False, widget=widget, **options)


class DaysForm(forms.Form):
    """One day, or two to be held against each other."""

    on = DayField(label="Date", help_text="Leave empty for today.")
    beside = DayField(label="Compare with", help_text="Leave empty for one day.")
