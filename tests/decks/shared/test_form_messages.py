"""Messages of form fields.

They use plain words, with the value that was sent or the limit.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from django import forms
from django.core.exceptions import ValidationError
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import get_resolver
from django.utils import translation

from tests.everyday import each_case

OF_DJANGO = re.compile("Ensure|valid choice|valid date|Null characters|encoding type|submitted file")
CHOICES = [("a", "A"), ("b", "B")]


@each_case(
    "field, value, fact",
    [
        (forms.IntegerField(min_value=2), 1, " 2 "),
        (forms.IntegerField(max_value=6), 7, " 6 "),
        (forms.CharField(max_length=3), "four", "4 characters. Use 3 characters "),
        (forms.CharField(max_length=1), "two", "3 characters. Use 1 character "),
        (forms.CharField(), "a\0b", "cannot be stored"),
        (forms.ChoiceField(choices=CHOICES), "c", "“c”"),
        (forms.MultipleChoiceField(choices=CHOICES), ["a", "c"], "“c”"),
        (forms.DateField(), "31st", "2027-01-31."),
        (forms.DateTimeField(), "noon", "2027-01-31 18:30."),
        (forms.FileField(), SimpleUploadedFile("deck.txt", b""), "file is empty"),
    ],
)
def test_message_names_the_limit_or_the_sent_value(field: forms.Field, value: Any, fact: str) -> None:
    (message,) = messages_for(field, value)
    assert fact in message
    assert OF_DJANGO.search(message) is None


def test_message_is_in_the_language_of_the_reader() -> None:
    with translation.override("de"):
        assert messages_for(forms.IntegerField(min_value=2), 1) == ["Gib mindestens 2 ein."]


def test_no_field_of_any_form_has_a_message_of_django_instead() -> None:
    assert get_resolver().url_patterns
    messages_by_field = {
        f"{form.__module__}.{form.__name__}.{name}": messages
        for form in forms_of(forms.BaseForm)
        if form.__module__.startswith(("decks", "tournament"))
        for name, field in getattr(form, "base_fields", {}).items()
        if (messages := [text for text in messages_of(field) if OF_DJANGO.search(text)])
    }
    assert messages_by_field == {}


def messages_for(field: forms.Field, value: Any) -> list[str]:
    """Return why the field refuses the value."""
    with pytest.raises(ValidationError) as error:
        field.clean(value)
    return list(error.value.messages)


def forms_of(base: type[forms.BaseForm]) -> Iterator[type[forms.BaseForm]]:
    """Return all classes of forms that are loaded."""
    for form in base.__subclasses__():
        yield form
        yield from forms_of(form)


def messages_of(field: forms.Field) -> Iterator[str]:
    """Return all messages that the field and its validators can show, unformatted."""
    yield from (str(text) for text in field.error_messages.values())
    for validator in field.validators:
        text = getattr(validator, "message", "")
        yield str(text % {"limit_value": 2} if hasattr(text, "_delegate_text") else text)
