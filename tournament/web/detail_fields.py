"""The result fields of a game, as fields of forms and as values of addresses."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from django import forms
from django.utils.translation import gettext_lazy

if TYPE_CHECKING:
    from django.utils.functional import _StrOrPromise as StrOrPromise

from rules.rendering import translate_text
from rules.result_fields import WHOLE_EACH, YES_NO, ResultField

PREFIX = "details"

PLACE_LABELS = {"p1": gettext_lazy("%(field)s, first player"), "p2": gettext_lazy("%(field)s, second player")}


def make_detail_fields(fields: Iterable[ResultField]) -> dict[str, forms.Field]:
    """Return the form fields for what a game asks.

    They are named `details.<key>`, and for each player `details.<key>.p1`.
    """
    return {
        ".".join((PREFIX, *way)): _make_field(field, *way[1:]) for field in fields for way in field.inputs
    }


def _make_field(field: ResultField, place: str = "") -> forms.Field:
    label, help_text = translate_text(field.label), translate_text(field.help)
    if place:
        label = PLACE_LABELS[place] % {"field": label}
    if field.kind == YES_NO:
        return forms.BooleanField(required=False, label=label, help_text=help_text)
    return make_count_field(label, field.most, help_text=help_text)


def make_count_field(
    label: StrOrPromise, maximum: int, *, help_text: StrOrPromise = ""
) -> forms.IntegerField:
    """Return a field for a whole number that may be left empty."""
    widget = forms.NumberInput(attrs={"inputmode": "numeric", "min": 0, "max": maximum})
    return forms.IntegerField(
        min_value=0, max_value=maximum, required=False, label=label, widget=widget, help_text=help_text
    )


def read_details(fields: Iterable[ResultField], values: Mapping[str, object]) -> dict[str, object]:
    """Return the details in the values of a form."""
    details: dict[str, object] = {}
    for field in fields:
        inputs = [values.get(".".join((PREFIX, *way))) for way in field.inputs]
        details[field.key] = (
            dict(zip(PLACE_LABELS, inputs, strict=True)) if field.kind == WHOLE_EACH else inputs[0]
        )
    return details


def flatten_details(details: Mapping[str, object]) -> dict[str, object]:
    """Return details by the names of their form fields."""
    flat: dict[str, object] = {}
    for key, value in details.items():
        inner = value if isinstance(value, Mapping) else {"": value}
        flat.update(
            {f"{PREFIX}.{key}" + (f".{place}" if place else ""): each for place, each in inner.items()}
        )
    return flat
