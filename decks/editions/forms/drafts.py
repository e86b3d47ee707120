"""Forms for a whole draft: details, publishing, and reading a document."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext, gettext_lazy, ngettext

import rules
from decks.editions.models import ListEdition
from decks.editions.services import LARGEST_DOCUMENT
from decks.shared.edit_conflicts import ConcurrentEditForm
from decks.shared.form_fields import get_choice_field


class DayInput(forms.DateInput):
    input_type = "date"


class EditionDetailsForm(ConcurrentEditForm):
    """Name, source, versions and day of a draft.

    If two people change them, each keeps what they changed.
    """

    name = forms.CharField(label=gettext_lazy("Name"), max_length=120)
    document = forms.CharField(
        label=gettext_lazy("Document"),
        max_length=200,
        required=False,
        help_text=gettext_lazy("Document or announcement with this list"),
    )
    clause = forms.CharField(label=gettext_lazy("Clause or page"), max_length=120, required=False)
    in_force = forms.DateField(
        label=gettext_lazy("In force from"),
        required=False,
        widget=DayInput(format="%Y-%m-%d"),
        help_text=gettext_lazy("First day"),
    )
    versions = forms.MultipleChoiceField(
        label=gettext_lazy("Rules versions"),
        required=False,
        widget=forms.CheckboxSelectMultiple,
        help_text=gettext_lazy("Leave all empty for every rules version."),
    )
    note = forms.CharField(
        label=gettext_lazy("Public note"),
        max_length=1000,
        required=False,
        widget=forms.Textarea(attrs={"rows": 2}),
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
            sentence = ngettext(
                "1 week after the update is published, or later (%(source)s).",
                "%(weeks)d weeks after the update is published, or later (%(source)s).",
                terms.waiting_weeks,
            )
            values = {"weeks": terms.waiting_weeks, "source": terms.waiting_source}
            self.fields["in_force"].help_text = sentence % values


class PublishForm(forms.Form):
    """The last look before an edition is published for good."""

    accept_warnings = forms.BooleanField(label=gettext_lazy("I have read the warnings"), required=False)
    announced_before = forms.BooleanField(required=False)

    def __init__(self, draft: ListEdition, has_warnings: bool, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        terms = rules.get_game(draft.game).cards.lists
        if terms.waiting_weeks:
            label = ngettext(
                "The update was announced elsewhere 1 week before that day",
                "The update was announced elsewhere %(weeks)d weeks before that day",
                terms.waiting_weeks,
            )
            self.fields["announced_before"].label = label % {"weeks": terms.waiting_weeks}
        else:
            del self.fields["announced_before"]
        if not has_warnings:
            del self.fields["accept_warnings"]


class DocumentForm(forms.Form):
    """The text of a document of rules, pasted or as a file."""

    file = forms.FileField(label=gettext_lazy("Text file"), required=False)
    text = forms.CharField(
        label=gettext_lazy("Pasted text"),
        required=False,
        strip=False,
        max_length=LARGEST_DOCUMENT,
        widget=forms.Textarea(attrs={"rows": 10, "spellcheck": "false", "autocapitalize": "off"}),
        help_text=gettext_lazy("Include headings such as “501. Errata” or “Card Errata”."),
    )
    document = forms.CharField(
        label=gettext_lazy("Document name"),
        max_length=200,
        required=False,
        help_text=gettext_lazy("Only if the document does not include its name."),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["file"].widget.attrs["accept"] = ".txt,.md,text/plain"

    def clean(self) -> dict[str, object]:
        data = super().clean() or {}
        upload, text = data.get("file"), data.get("text", "")
        if upload and upload.size > LARGEST_DOCUMENT:
            sentence = gettext("A document has at most %(kilobytes)d kB of text.")
            self.add_error("file", sentence % {"kilobytes": LARGEST_DOCUMENT // 1024})
        elif not upload and not text.strip() and not self.errors:
            sentence = gettext("Paste the text of the document, or choose a file.")
            self.add_error("text", forms.ValidationError(sentence, code="no_document"))
        return data

    def source(self) -> str | bytes:
        """Return the document as it was sent; only for a valid form, and once."""
        upload = self.cleaned_data.get("file")
        return bytes(upload.read()) if upload else str(self.cleaned_data["text"])
