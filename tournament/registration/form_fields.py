"""Form fields of declared fields of registration.

They are for the forms of this package and of the player's own page.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypedDict

from django import forms
from django.utils.translation import gettext

from decks.shared.form_fields import mark_as_asked
from rules import RegistrationField
from rules.registration import MAX_WHOLE
from tournament.access.player_details import COLUMN_KEYS, translate_declared
from tournament.events.models.player import Player


class FieldTexts(TypedDict):
    """Arguments of all kinds of form fields."""

    required: bool
    label: str
    help_text: str


def add_declared_fields(form: forms.Form, fields: Sequence[RegistrationField], *, is_own: bool) -> None:
    """Add the declared fields.

    Only the players themselves must fill in the required ones.
    """
    for field in fields:
        is_needed = is_own and field.required
        form.fields[field.key] = _declared_form_field(field)
        mark_as_asked(form.fields[field.key], is_needed)
        if is_needed:
            form.fields[field.key].widget.attrs["required"] = True


def _declared_form_field(field: RegistrationField) -> forms.Field:
    help_texts = [translate_declared(field.help)]
    if field.may_read == "public":
        help_texts.append(gettext("Everyone can read it."))
    texts: FieldTexts = {
        "required": False,
        "label": translate_declared(field.label),
        "help_text": " ".join(filter(None, help_texts)),
    }
    if field.kind == "yes_no":
        return forms.BooleanField(**texts)
    if field.kind == "whole":
        return forms.IntegerField(min_value=0, max_value=MAX_WHOLE, **texts)
    if field.kind == "choice":
        return forms.ChoiceField(
            choices=[("", "–"), *((choice, translate_declared(choice)) for choice in field.choices)], **texts
        )
    attrs: dict[str, object] = {"maxlength": field.max_length, "autocomplete": "off"}
    if field.kind == "long_text":
        return forms.CharField(widget=forms.Textarea(attrs={**attrs, "rows": 3}), **texts)
    return forms.CharField(widget=forms.TextInput(attrs=attrs), **texts)


def stored_values(player: Player, fields: Sequence[RegistrationField]) -> dict[str, object]:
    """Return what a form about a player begins with."""
    return {
        field.key: getattr(player, field.key) if field.key in COLUMN_KEYS else field.read(player.details)
        for field in fields
    }
