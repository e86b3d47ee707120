"""Forms for a whole draft: details, publishing, and reading a document."""

from __future__ import annotations

from typing import Any

from django import forms

import rules
from decks.editions.domain.kinds import waiting_words
from decks.editions.models import ListEdition
from decks.editions.services import LARGEST_DOCUMENT
from decks.shared.edit_conflicts import ConcurrentEditForm
from decks.shared.form_fields import get_choice_field


class DayInput(forms.DateInput):
    input_type = "date"


class DetailsForm(ConcurrentEditForm):
    """Name, source, versions and day of a draft; of two who change them each keeps what they changed."""

    name = forms.CharField(label="Name of the list", max_length=120)
    document = forms.CharField(
        label="Document",
        max_length=200,
        required=False,
        help_text="The document or announcement it is taken from.",
    )
    clause = forms.CharField(label="Where it stands there", max_length=120, required=False)
    in_force = forms.DateField(
        label="Holds from", required=False, widget=DayInput(format="%Y-%m-%d"), help_text="The first day."
    )
    versions = forms.MultipleChoiceField(
        label="Versions of the rules",
        required=False,
        widget=forms.CheckboxSelectMultiple,
        help_text="None ticked: all of them.",
    )
    note = forms.CharField(
        label="Note for everybody", max_length=1000, required=False, widget=forms.Textarea(attrs={"rows": 2})
    )

    def __init__(self, draft: ListEdition, *args: Any, **kwargs: Any) -> None:
        field_names = ("name", "document", "clause", "in_force", "versions", "note")
        kwargs.setdefault("initial", {part: getattr(draft, part) for part in field_names})
        super().__init__(*args, **kwargs)
        game = rules.get_game(draft.game)
        get_choice_field(self, "versions").choices = [
            (v.number, v.document or v.number) for v in game.versions
        ]
        self.carry_initial_values()
        terms = game.cards.lists
        if terms.waiting_weeks:
            waiting = waiting_words(terms).capitalize()
            sentence = f"{waiting} after the update is published, or later ({terms.waiting_source})."
            self.fields["in_force"].help_text = sentence


class PublishForm(forms.Form):
    """The last look before an edition is published for good."""

    accept_warnings = forms.BooleanField(label="I have read the warnings", required=False)
    announced_before = forms.BooleanField(required=False)

    def __init__(self, draft: ListEdition, has_warnings: bool, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        terms = rules.get_game(draft.game).cards.lists
        if terms.waiting_weeks:
            label = f"The update was announced elsewhere {waiting_words(terms)} before that day"
            self.fields["announced_before"].label = label
        else:
            del self.fields["announced_before"]
        if not has_warnings:
            del self.fields["accept_warnings"]


class DocumentForm(forms.Form):
    """The text of a document of rules, pasted or as a file."""

    file = forms.FileField(label="Text file", required=False)
    text = forms.CharField(
        label="Or paste the text",
        required=False,
        strip=False,
        max_length=LARGEST_DOCUMENT,
        widget=forms.Textarea(attrs={"rows": 10, "spellcheck": "false", "autocapitalize": "off"}),
        help_text="With its headings, such as “501. Errata” and “502. Banned list”, or “Card Errata”.",
    )
    document = forms.CharField(
        label="Name of the document",
        max_length=200,
        required=False,
        help_text="Where it does not say so itself.",
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["file"].widget.attrs["accept"] = ".txt,.md,text/plain"

    def clean(self) -> dict[str, object]:
        data = super().clean() or {}
        upload, text = data.get("file"), data.get("text", "")
        if upload and upload.size > LARGEST_DOCUMENT:
            self.add_error("file", f"A document has at most {LARGEST_DOCUMENT // 1024} kB of text.")
        elif not upload and not text.strip() and not self.errors:
            self.add_error("text", "Paste the text of the document, or choose a file.")
        return data

    def source(self) -> str | bytes:
        """The document as it was sent; only for a valid form, and once."""
        upload = self.cleaned_data.get("file")
        return bytes(upload.read()) if upload else str(self.cleaned_data["text"])
