"""Fields of a form for what a game declares of the entries of a list."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from django import forms

from rules.cards import Field
from rules.rendering import translate_text


def make_field(field: Field) -> forms.Field:
    """Return the form field for a declared one."""
    form_field = _FIELDS.get(field.kind, _text)(field)
    form_field.label, form_field.help_text = translate_text(field.label), translate_text(field.help)
    form_field.required = field.is_required
    return form_field


def show_value(field: Field, value: Any) -> Any:
    """Return a value of an entry as the form field shows it."""
    if field.kind in _JOINTS:
        return _JOINTS[field.kind].join(map(str, value)) if isinstance(value, list | tuple) else value or ""
    return "" if value is None else value


def read_value(field: Field, value: Any) -> Any:
    """Return the value of the form field in the format of the entry.

    Empty values are left out of it.
    """
    if field.kind in _READERS:
        return _READERS[field.kind](value)
    return value.strip() if isinstance(value, str) else value


def split_lines(text: str) -> list[str]:
    """Return the entries of a text, one per line."""
    return [line.strip() for line in text.splitlines() if line.strip()]


def split_words(text: str) -> list[str]:
    """Return the entries of a text, parted by commas or lines."""
    return [part.strip() for line in split_lines(text) for part in line.split(",") if part.strip()]


def _text(field: Field) -> forms.Field:
    return forms.CharField(max_length=field.longest)


def _lines(field: Field) -> forms.Field:
    return forms.CharField(max_length=field.longest, widget=forms.Textarea(attrs={"rows": 4}))


def _whole_field(field: Field) -> forms.Field:
    return forms.IntegerField(min_value=0, max_value=field.largest)


def _yes_no(_field: Field) -> forms.Field:
    return forms.BooleanField()


def _choice(field: Field) -> forms.Field:
    return forms.ChoiceField(choices=[(value, translate_text(words)) for value, words in field.choices])


_FIELDS: Mapping[str, Callable[[Field], forms.Field]] = {
    "lines": _lines,
    "whole": _whole_field,
    "yes_no": _yes_no,
    "choice": _choice,
}
_JOINTS: Mapping[str, str] = {"words": ", ", "lines": "\n"}
_READERS: Mapping[str, Callable[[Any], Any]] = {
    "words": split_words,
    "lines": split_lines,
    "yes_no": lambda is_ticked: is_ticked or None,
}
