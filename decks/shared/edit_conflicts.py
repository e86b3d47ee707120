"""Forms that merge concurrent edits: stored, shown and submitted values."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from django import forms
from django.utils.datastructures import MultiValueDict
from django.utils.translation import gettext

from decks.shared.form_fields import set_sent_value

LONGEST_SHOWN = 400


class HiddenListInput(forms.HiddenInput):
    """Several values in one hidden field, so that none at all is carried too."""

    def format_value(self, value: Iterable[Any] | None) -> str:
        """Return the values in one line; their order says nothing."""
        return ",".join(sorted(str(each) for each in value or ()))

    def value_from_datadict(self, data: Mapping[str, object], files: object, name: str) -> list[str]:
        """Return the values of the line."""
        text = str(data.get(name) or "")
        return text.split(",") if text else []


class ConcurrentEditForm(forms.Form):
    """A form whose page carries, beside each field, the value that it showed.

    Without that, all is taken as it was sent.
    """

    def carry_initial_values(self) -> None:
        """Let the page carry what it shows of each field that has a value to begin with."""
        for name, field in self.fields.items():
            field.show_hidden_initial = name in self.initial or field.initial is not None
            if isinstance(field, forms.MultipleChoiceField):
                field.hidden_widget = HiddenListInput

    # Any: each value has the type of the field that cleaned it.
    def clean(self) -> dict[str, Any]:
        """Keep fields left unchanged as they are now, and ask about conflicts.

        A conflict is a field that others changed as well.
        """
        values = super().clean() or {}
        for name, field in self.fields.items():
            initial_name = self.add_initial_prefix(name)
            if not field.show_hidden_initial or initial_name not in self.data:
                continue
            stored_value = self._write_value(name, self.get_initial_for_field(field, name))
            if name not in self.changed_data:
                values[name] = self._clean_value(name, stored_value)
            elif stored_value not in (
                _normalize_lines(self.data[initial_name]),
                self._write_value(name, values.get(name)),
            ):
                self._ask(name, initial_name, stored_value)
        return values

    def _write_value(self, name: str, value: Any) -> str:
        """Return a value as the page carries it."""
        field = self.fields[name]
        text = field.hidden_widget().format_value(field.prepare_value(value))
        return "" if text is None else _normalize_lines(str(text))

    def _clean_value(self, name: str, stored_value: str) -> Any:
        field = self.fields[name]
        field_data = MultiValueDict({name: [stored_value]})
        return field.to_python(field.hidden_widget().value_from_datadict(field_data, MultiValueDict(), name))

    def _ask(self, name: str, field_name: str, stored_value: str) -> None:
        set_sent_value(self, field_name, stored_value)
        shown_value = (
            stored_value if len(stored_value) <= LONGEST_SHOWN else f"{stored_value[:LONGEST_SHOWN]}…"
        )
        self.add_error(name, _format_conflict(shown_value))


def _format_conflict(value: str) -> str:
    if not value:
        return gettext("Someone emptied this after you opened the page. Send yours again to replace it.")
    sentence = gettext(
        "Someone changed this after you opened the page. It is now “%(value)s”. "
        "Send yours again to replace it."
    )
    return sentence % {"value": value}


def _normalize_lines(text: str) -> str:
    """Remove the carriage returns that browsers send with every line.

    They send them whatever the page had.
    """
    return text.replace("\r\n", "\n")
