"""A form over what stands changes only what its reader changed: others may have changed the rest."""

from __future__ import annotations

from typing import Any

from django import forms

SENTENCE = "Somebody changed this since you opened the page, to “{}”. Send it again to have yours."


class MeanwhileForm(forms.Form):
    """Its page carries, beside each field, what it showed; without that all is taken as it was sent."""

    def watch(self) -> None:
        """Let the page carry what it shows of each field that has a value to begin with."""
        for name, field in self.fields.items():
            field.show_hidden_initial = name in self.initial or field.initial is not None

    def clean(self) -> dict[str, Any]:
        """Take what the reader left alone as it stands now, and ask about what others changed as well."""
        values = super().clean() or {}
        for name, field in self.fields.items():
            carried = self.add_initial_prefix(name)
            if not field.show_hidden_initial or carried not in self.data:
                continue
            stands = self._written(name, self.get_initial_for_field(field, name))
            if name not in self.changed_data:
                values[name] = self._cleaned(name, stands)
            elif stands not in (self.data[carried], self._written(name, values.get(name))):
                self._ask(name, carried, stands)
        return values

    def _written(self, name: str, value: Any) -> str:
        """A value as the page carries it."""
        field = self.fields[name]
        text = field.hidden_widget().format_value(field.prepare_value(value))
        return "" if text is None else str(text)

    def _cleaned(self, name: str, stands: str) -> Any:
        return self.fields[name].to_python(stands)

    def _ask(self, name: str, carried: str, stands: str) -> None:
        self.data = self.data.copy()
        self.data[carried] = stands
        self.add_error(name, SENTENCE.format(stands or "empty"))
