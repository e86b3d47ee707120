"""Forms to check a list: text or file, format, days."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from datetime import date
from functools import cache
from pathlib import Path
from typing import Any

from django import forms
from django.utils.translation import get_language, gettext, gettext_lazy

import rules
from decks.checking.check import check_text
from decks.checking.deck_files import check_and_write_file
from decks.checking.declarations import character_options
from decks.checking.plans import APPLY_PLAN, PlannedList, find_change
from decks.checking.questions import answer_questions, read_answer
from decks.checking.result import CheckedList
from decks.importers.decoding import decode
from decks.importers.parsing import MAX_BYTES
from decks.shared.day_forms import DayField
from decks.shared.form_fields import get_choice_field, make_original_field, mark_as_asked, set_sent_value
from decks.shared.refusals import Refused
from rules.rendering import translate_text


def format_choices() -> list[tuple[str, list[tuple[str, str]]]]:
    """Return every format of every game.

    They are grouped by game, in the order of the games. The newest version of the rules comes first.
    """
    games = rules.games()
    return _choices(tuple((game.key, game.folder) for game in games), get_language())


@cache
def _choices(
    games: tuple[tuple[str, Path], ...], language: str | None
) -> list[tuple[str, list[tuple[str, str]]]]:
    return [
        (translate_text(game.name), list(_formats(game)))
        for game in (rules.get_game(key) for key, _ in games)
    ]


def _formats(game: rules.Game) -> Any:
    for key in game.formats:
        for version in reversed(game.versions):
            with suppress(rules.UnknownFormat):
                loaded_format = rules.load_format(game.key, key, rules=version.number)
                name = translate_text(loaded_format.name)
                if len(game.versions) > 1:
                    version_text = gettext("%(format)s, rules %(version)s")
                    name = version_text % {"format": name, "version": version.number}
                yield f"{game.key}/{key}/{version.number}", f"{name} · {translate_text(game.name)}"


class CheckForm(forms.Form):
    """A list to be checked.

    It takes text or a file, the format, what the player declared, and one day or two.
    """

    format = forms.ChoiceField(label=gettext_lazy("Game and format"))
    text = forms.CharField(
        label=gettext_lazy("Decklist"),
        required=False,
        strip=False,
        max_length=MAX_BYTES,
        widget=forms.Textarea(
            attrs={"rows": 18, "spellcheck": "false", "autocapitalize": "off", "autocomplete": "off"}
        ),
        help_text=gettext_lazy("One card per line, such as “4 Lost Memories”."),
    )
    file = forms.FileField(label=gettext_lazy("Deck file"), required=False)
    original = make_original_field(MAX_BYTES)
    character = forms.CharField(
        label=gettext_lazy("Declared character"),
        required=False,
        max_length=80,
        help_text=gettext_lazy("Only for events with a diversity cut"),
    )
    on = DayField(
        label=gettext_lazy("Date"),
        help_text=gettext_lazy("Ban, errata and identity lists in force on this day. Leave empty for today."),
    )
    beside = DayField(
        label=gettext_lazy("Compare with"), help_text=gettext_lazy("Shows the changes between two days.")
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        get_choice_field(self, "format").choices = format_choices()
        # One of the two is needed, so that neither is called optional.
        for name in ("text", "file"):
            mark_as_asked(self.fields[name])
        self.fields["file"].widget.attrs["accept"] = ".txt,.dek,.o8d,.cod,.csv,.json,text/plain"

    def clean_file(self) -> Any:
        upload = self.cleaned_data["file"]
        if upload is not None and upload.size > MAX_BYTES:
            raise forms.ValidationError(
                gettext("The file is larger than 1 MB. Choose a deck file, or paste the list."),
                code="file_too_large",
            )
        return upload

    def clean(self) -> dict[str, object]:
        """Let a pressed answer change the list, as it is in the form from now on."""
        super().clean()
        values = self.cleaned_data
        if self.data.get("answer") and values.get("format"):
            upload = values.get("file")
            text = decode(upload.read()).text if upload else values.get("text") or ""
            game = values["format"].partition("/")[0]
            try:
                text, _ = answer_questions(game, [read_answer(self.data["answer"])], text=text)
            except Refused as refusal:
                self.add_error("text", refusal.message)
            self._set_text(text)
        return values

    def _set_text(self, text: str) -> None:
        set_sent_value(self, "text", text)
        self.cleaned_data |= {"text": text, "file": None}

    def source(self) -> str | bytes:
        """Return what is to be checked: the file if one came along, else the text."""
        upload = self.cleaned_data.get("file")
        if upload is not None:
            return bytes(upload.read())
        return str(self.cleaned_data.get("text") or "")

    def check(self, source: str | bytes, on: date, *, with_plan: bool = False) -> CheckedList:
        """Return the verdict on a list under the form's format and declarations.

        It includes a plan if requested.
        """
        game, format_key, version = self.cleaned_data["format"].split("/")
        character = self.cleaned_data.get("character", "").strip()
        chosen_characters = dict.fromkeys(character_options(game), character)
        options = {"diversity": True, **chosen_characters} if character else {}
        return check_text(
            game,
            format_key,
            source,
            rules_version=version,
            on=on,
            options=options,
            with_plan=with_plan,
            with_changes=True,
            write_options=self.write_options,
            may_lag=True,
        )

    def apply_pressed(self, source: str | bytes, on: date) -> str | bytes:
        """Return the source with the pressed plan or change applied.

        The form holds this source from now on.
        """
        if self.data.get("plan") == APPLY_PLAN:
            return self._apply_plan(source, on)
        key = self.data.get("change", "")
        checked_list = self.check(source, on, with_plan=key.startswith("plan:")) if key else None
        change = find_change(checked_list, key) if checked_list else None
        if checked_list is None or change is None:
            return source
        text = checked_list.changes.apply(change, decode(source).text)
        self._write_list(checked_list, source, {"text": text, **change.values})
        return text

    def _write_list(self, checked_list: CheckedList, source: str | bytes, values: Mapping[str, str]) -> None:
        """Fill the form with a changed list; a file that it was made of stays beside it."""
        is_file = checked_list.changes.typed_text is not None
        self._set_values({**values, **({"original": decode(source).text} if is_file else {})})
        self.cleaned_data["file"] = None

    def _set_values(self, values: Mapping[str, str]) -> None:
        for name, value in values.items():
            set_sent_value(self, name, value)
            self.cleaned_data[name] = value

    def _apply_plan(self, source: str | bytes, on: date) -> str | bytes:
        checked_list = self.check(source, on, with_plan=True)
        planned_list = checked_list.planned_list
        values = self.plan_values(planned_list) if planned_list else None
        if planned_list is None or planned_list.text is None or values is None:
            return source
        self._write_list(checked_list, source, {"text": planned_list.text, **values})
        return planned_list.text

    def plan_values(self, planned_list: PlannedList) -> dict[str, str] | None:
        """Return what a plan writes into other fields.

        None if it declares something that has no field here.
        """
        return self.write_options(planned_list.options)

    def write_options(self, options: Mapping[str, object]) -> dict[str, str] | None:
        """Return the values of the fields that declare the options.

        None if an option has no field here.
        """
        if not options.keys() <= character_options(self.cleaned_data["format"].partition("/")[0]):
            return None
        names = [str(value) for value in options.values()]
        return {"character": names[0]} if names else {}

    def write_file(self, kind: str) -> str:
        """Return the list as a file of a type. Raises Refused as `check_and_write_file`."""
        game, format_key, _version = self.cleaned_data["format"].split("/")
        return check_and_write_file(game, format_key, self.source(), kind)
