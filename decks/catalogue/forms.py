"""Form to send a catalogue file."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext, gettext_lazy

import rules
from decks.catalogue.importing.files import MAX_BYTES
from decks.shared.form_fields import get_choice_field
from rules.rendering import translate_text


class FactsTableForm(forms.Form):
    """The facts of a set's cards as a table."""

    table = forms.CharField(
        label=gettext_lazy("Card facts"),
        strip=False,
        max_length=MAX_BYTES,
        widget=forms.Textarea(
            attrs={"rows": 20, "wrap": "off", "spellcheck": "false", "autocapitalize": "off", "class": "mono"}
        ),
        help_text=gettext_lazy(
            "Copy it into a spreadsheet, fill in the empty cells, and paste it back here."
        ),
    )


class CatalogueFileForm(forms.Form):
    """A catalogue file, uploaded or pasted."""

    file = forms.FileField(
        label=gettext_lazy("Catalogue file"),
        required=False,
    )
    text = forms.CharField(
        label=gettext_lazy("Pasted text"),
        required=False,
        strip=False,
        widget=forms.Textarea(attrs={"rows": 6, "spellcheck": "false", "autocapitalize": "off"}),
    )
    game = forms.ChoiceField(
        label=gettext_lazy("Game"),
        required=False,
        help_text=gettext_lazy("Only for files without a game name, such as tables."),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        file_types = gettext(
            "JSON, CSV, an OCTGN set.xml or game package (.nupkg, .o8g), LackeyCCG card data or plugin, "
            "or a Tabletop Simulator object. Up to %(megabytes)d MB."
        )
        self.fields["file"].help_text = file_types % {"megabytes": MAX_BYTES // 2**20}
        games = rules.games()
        get_choice_field(self, "game").choices = [
            ("", gettext("As the file says")),
            *((game.key, translate_text(game.name)) for game in games),
        ]

    def clean(self) -> dict[str, object]:
        data = super().clean() or {}
        has_text = bool(data.get("text", "").strip())
        if not self.errors and bool(data.get("file")) == has_text:
            sentence = (
                gettext("Choose a file or paste its text, not both.")
                if has_text
                else gettext("Choose a file or paste its text.")
            )
            raise forms.ValidationError(sentence, code="one_source")
        return data

    def content(self) -> bytes:
        """Return the bytes that were sent; reading stops behind the limit."""
        upload = self.cleaned_data.get("file")
        if upload is not None:
            return bytes(upload.read(MAX_BYTES + 1))
        return str(self.cleaned_data["text"]).encode("utf-8", "replace")

    def file_name(self) -> str:
        """Return what the file was called; empty for pasted text."""
        upload = self.cleaned_data.get("file")
        return upload.name if upload is not None else ""
