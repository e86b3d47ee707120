"""Messages of form fields in plain words, in place of those of Django."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.core import validators
from django.forms import fields, models
from django.utils.translation import gettext_lazy, ngettext_lazy

if TYPE_CHECKING:
    from django.utils.functional import _StrOrPromise as StrOrPromise

UNKNOWN_VALUE = gettext_lazy("“%(value)s” is not one of the choices. Choose again.")
NOT_A_CHOICE = gettext_lazy("This is not one of the choices. Choose again.")
UNREADABLE_FILE = gettext_lazy("The file did not arrive. Choose it again.")
FIELD_MESSAGES: dict[type[fields.Field], dict[str, StrOrPromise]] = {
    fields.Field: {"required": gettext_lazy("Fill this in.")},
    fields.DateField: {"invalid": gettext_lazy("Enter a date, such as 2027-01-31.")},
    fields.DateTimeField: {"invalid": gettext_lazy("Enter a date and a time, such as 2027-01-31 18:30.")},
    fields.ChoiceField: {"invalid_choice": UNKNOWN_VALUE},
    fields.MultipleChoiceField: {"invalid_choice": UNKNOWN_VALUE, "invalid_list": NOT_A_CHOICE},
    models.ModelChoiceField: {"invalid_choice": NOT_A_CHOICE},
    fields.FileField: {
        "invalid": UNREADABLE_FILE,
        "missing": UNREADABLE_FILE,
        "empty": gettext_lazy("The file is empty. Choose another one."),
    },
}
VALIDATOR_MESSAGES: dict[
    type[validators.BaseValidator | validators.ProhibitNullCharactersValidator], StrOrPromise
] = {
    validators.MinValueValidator: gettext_lazy("Enter %(limit_value)s or more."),
    validators.MaxValueValidator: gettext_lazy("Enter %(limit_value)s or less."),
    validators.MaxLengthValidator: ngettext_lazy(
        "This has %(show_value)d characters. Use %(limit_value)d character at most.",
        "This has %(show_value)d characters. Use %(limit_value)d characters at most.",
        "limit_value",
    ),
    validators.ProhibitNullCharactersValidator: gettext_lazy(
        "This has a character that cannot be stored. Type the text again."
    ),
}


def use_own_messages() -> None:
    """Replace the messages of Django's fields and validators for the whole process."""
    for field, messages in FIELD_MESSAGES.items():
        field.default_error_messages = {**field.default_error_messages, **messages}
    for validator, message in VALIDATOR_MESSAGES.items():
        validator.message = message
