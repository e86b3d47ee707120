"""Forms that ask for one day or two."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy


class DayField(forms.DateField):
    """A day, chosen from the browser's calendar or written as 2026-12-01."""

    def __init__(self, **options: Any) -> None:
        widget = forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d")
        super().__init__(required=False, widget=widget, **options)


class DaysForm(forms.Form):
    """One day, or two to be compared with each other."""

    on = DayField(label=gettext_lazy("Date"), help_text=gettext_lazy("Leave empty for today."))
    beside = DayField(label=gettext_lazy("Compare with"), help_text=gettext_lazy("Leave empty for one day."))
