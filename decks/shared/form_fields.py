"""Typed access to features of Django's forms and fields.

Their types do not declare these features.
"""

from __future__ import annotations

from copy import copy

from django import forms
from django.utils.translation import gettext_lazy


def get_choice_field(form: forms.BaseForm, name: str) -> forms.ChoiceField:
    """Return the field of that name. Raises TypeError if it has no choices."""
    field = form.fields[name]
    if not isinstance(field, forms.ChoiceField):
        raise TypeError(f"{name} has no choices.")
    return field


def mark_as_asked(field: forms.Field, is_marked: bool = True) -> None:
    """Omit “optional” from the label, although the browser may send the field empty."""
    vars(field)["is_asked"] = is_marked


def is_asked(field: forms.Field) -> bool:
    """Return whether `mark_as_asked` marked the field."""
    return bool(vars(field).get("is_asked"))


def set_sent_value(form: forms.BaseForm, name: str, value: str) -> None:
    """Let the form show another value than the browser sent.

    Raises TypeError for data that cannot change.
    """
    data = copy(form.data)
    if not isinstance(data, dict):
        raise TypeError("The data of this form cannot change.")
    data[name] = value
    form.data = data


def make_original_field(longest: int) -> forms.CharField:
    """Return the field for the file of which a list is the typed copy.

    The file stays as it was received, and only the page fills the field.
    """
    label = gettext_lazy("Original file")
    attributes = {"rows": 6, "readonly": True, "spellcheck": "false", "aria-label": label}
    widget = forms.Textarea(attrs=attributes)
    return forms.CharField(label=label, required=False, strip=False, max_length=longest, widget=widget)
