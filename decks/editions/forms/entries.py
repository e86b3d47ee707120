"""The form of a single entry: one for each kind of list, made from an entry and giving one back."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django import forms

import rules
from decks.editions.domain.kinds import Kind
from decks.editions.forms.card_entries import BanForm, ErratumForm, HighlanderErratumForm
from decks.editions.forms.entry_base import LONG, Entry, EntryForm, lines_of


class IdentityForm(EntryForm):
    """Names that are one card, or one name that is several cards."""

    parts = ("same", "name", "distinct", "clause")
    what = forms.ChoiceField(
        label="What the list says",
        choices=[("same", "These names are one card"), ("distinct", "This name is several cards")],
        widget=forms.RadioSelect,
    )
    names = forms.CharField(
        label="Names",
        max_length=LONG,
        widget=forms.Textarea(attrs={"rows": 3, "spellcheck": "false"}),
        help_text="One a line: all the names of the one card, or the single name of several.",
    )
    places = forms.CharField(
        label="Printings of a name that is several cards",
        max_length=LONG,
        required=False,
        widget=forms.Textarea(attrs={"rows": 3, "spellcheck": "false"}),
        help_text="One a line, such as “SF03 15”: the printing that tells each card from the others.",
    )

    def told_by(self, entry: Entry) -> dict[str, Any]:
        same, distinct = entry.get("same"), entry.get("distinct")
        names = same if isinstance(same, list | tuple) else [entry.get("name", "")]
        places = distinct if isinstance(distinct, list | tuple) else []
        return {
            **super().told_by(entry),
            "what": "distinct" if places else "same",
            "names": "\n".join(map(str, names)),
            "places": "\n".join(
                f"{p.get('set', '')} {p.get('number', '')}" for p in places if isinstance(p, Mapping)
            ),
        }

    def clean_names(self) -> list[str]:
        return lines_of(self.cleaned_data["names"])

    def clean_places(self) -> list[dict[str, Any]]:
        places = []
        for line in lines_of(self.cleaned_data["places"]):
            code, _, number = line.rpartition(" ")
            digits = number.partition("/")[0]
            if not code or not digits.isdecimal() or len(digits) > 6:
                sentence = f"“{line}” is no set and number. Write it as “SF03 15”."
                raise forms.ValidationError(sentence, code="no_place")
            places.append({"set": code.strip().upper(), "number": int(digits)})
        return places

    def clean(self) -> dict[str, Any]:
        told = super().clean() or {}
        names, places, what = told.get("names", []), told.get("places", []), told.get("what")
        if what == "same" and names and len({name.casefold() for name in names}) < 2:
            self.add_error("names", "Give at least two different names, one a line.")
        if what == "distinct" and names and len(names) != 1:
            self.add_error("names", "Give the one name that the cards share.")
        if what == "distinct" and "places" in told and len(places) < 2:
            self.add_error("places", "Give the printing of at least two cards, one a line.")
        return told

    def filled(self) -> dict[str, Any]:
        told = self.cleaned_data
        if told["what"] == "same":
            return {"same": told["names"]}
        return {"name": told["names"][0], "distinct": told["places"]}


class PlainForm(EntryForm):
    """A record of words, as in the lists of a game's own: its parts are those that the shipped list has."""

    def __init__(self, game: rules.Game, kind: Kind, *args: Any, **kwargs: Any) -> None:
        self.own = tuple(part for part in kind.parts if part != "clause")
        self.many = kind.many
        self.parts = ("clause", *self.own)
        super().__init__(game, kind, *args, **kwargs)
        for number, part in enumerate(self.own):
            self.fields[part] = forms.CharField(
                label=part.replace("_", " ").capitalize(),
                max_length=LONG,
                required=number == 0,
                widget=forms.Textarea(attrs={"rows": 4}) if part in self.many else forms.TextInput(),
                help_text="One a line." if part in self.many else "",
            )
        self.order_fields([*self.own, "clause"])

    def told_by(self, entry: Entry) -> dict[str, Any]:
        told = {part: entry.get(part, "") for part in self.own}
        lines = {part: "\n".join(map(str, v)) for part, v in told.items() if isinstance(v, list | tuple)}
        return {**super().told_by(entry), **told, **lines}

    def filled(self) -> dict[str, Any]:
        told = self.cleaned_data
        return {part: lines_of(told[part]) if part in self.many else told[part].strip() for part in self.own}


FORMS: dict[str | tuple[str, str], type[EntryForm]] = {
    "bans": BanForm,
    "errata": ErratumForm,
    "identities": IdentityForm,
    ("highlander", "errata"): HighlanderErratumForm,
}


def form_for(game: rules.Game, kind: Kind, entry: Entry | None = None, data: Any = None) -> EntryForm:
    """The form that suits a kind of list, filled with an entry or with what was sent."""
    made = FORMS.get((game.key, kind.key)) or FORMS.get(kind.key, PlainForm)
    return made(game, kind, entry, data)
