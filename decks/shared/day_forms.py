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

    on = DayField(label="On this day", help_text="Today if empty.")
    beside = DayField(label="And beside it on", help_text="Empty for one day alone.")
