"""What the forms of all entries share."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django import forms

import rules
from decks.editions.domain.kinds import Kind

Entry = Mapping[str, Any]
LONG = 300


def lines_of(text: str) -> list[str]:
    """What was listed line by line."""
    return [line.strip() for line in text.splitlines() if line.strip()]


def words_of(text: str) -> list[str]:
    """What was listed with commas or line by line."""
    return [part.strip() for line in lines_of(text) for part in line.split(",") if part.strip()]


class EntryForm(forms.Form):
    """What all entries have. `parts` are the keys that the form fills; an entry keeps its others."""

    parts: tuple[str, ...] = ("clause",)
    clause = forms.CharField(
        label="Where it stands", max_length=80, required=False, help_text="Clause or line of the document."
    )

    def __init__(self, game: rules.Game, kind: Kind, entry: Entry | None, *args: Any, **kwargs: Any) -> None:
        self.game, self.kind, self.entry = game, kind, dict(entry or {})
        self.suggestions: tuple[str, ...] = ()
        kwargs.setdefault("initial", self.told_by(self.entry))
        super().__init__(*args, **kwargs)
        self.order_fields([name for name in self.fields if name != "clause"])

    def told_by(self, entry: Entry) -> dict[str, Any]:
        """The values of the fields for an entry."""
        return {"clause": entry.get("clause", "")}

    def made(self) -> dict[str, Any]:
        """The entry that the form says; only for a valid form."""
        kept = {key: value for key, value in self.entry.items() if key not in self.parts}
        told = {**self.filled(), "clause": self.cleaned_data["clause"].strip()}
        return {**{key: value for key, value in told.items() if value not in ("", None, [], {})}, **kept}

    def filled(self) -> dict[str, Any]:
        """What the form's own fields give to an entry."""
        return {}
