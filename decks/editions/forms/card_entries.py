"""The forms of entries that speak of one card: bans and errata."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django import forms
from django.urls import reverse

from decks.editions.forms.cards import CardNotFound, Chosen, choose, typed_form
from decks.editions.forms.entry_base import LONG, Entry, EntryForm, words_of

PLACE = ("set", "number", "id")
EXAMPLES = {"ufs": "“Ken ●●”, “SF01 38” or “Kubi Ori”", "highlander": "“Golden Turkey” or “HTGQ-036”"}


class CardEntryForm(EntryForm):
    """An entry that speaks of one card."""

    card = forms.CharField(label="Card", max_length=160)
    as_written = forms.BooleanField(
        label="Keep the card as written",
        required=False,
        help_text="For a card that the catalogue does not have, or a name of which every version is meant.",
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        example = EXAMPLES.get(self.game.key, "")
        self.fields["card"].help_text = f"Such as {example}." if example else "Its name, or set and number."
        self.fields["card"].widget.attrs |= {
            "autocomplete": "off",
            "spellcheck": "false",
            "hx-get": reverse("list_cards", args=[self.game.key]),
            "hx-trigger": "input delay:150ms",
            "hx-target": "#suggestions",
            "hx-sync": "this:replace",
        }

    def told_by(self, entry: Entry) -> dict[str, Any]:
        card, printed = entry.get("card"), entry.get("printed")
        facts = card if isinstance(card, Mapping) else {}
        place = printed if isinstance(printed, Mapping) else {}
        return {**super().told_by(entry), "card": typed_form(facts, place) if facts else ""}

    def clean(self) -> dict[str, Any]:
        told = super().clean() or {}
        if told.get("card"):
            try:
                told["chosen"] = self._chosen(told["card"], told.get("as_written", False))
            except CardNotFound as problem:
                self.suggestions = problem.suggestions
                self.add_error("card", forms.ValidationError(problem.message, code=problem.code))
        return told

    def _chosen(self, typed: str, as_written: bool) -> Chosen:
        """The card as typed; one that was not touched is the one that it was."""
        if self.entry and typed == self.initial["card"]:
            card, printed = dict(self.entry["card"]), self.entry.get("printed") or {}
            facts = {fact: card[fact] for fact in ("name", "dots") if fact in card}
            return Chosen(facts, {**printed, **{fact: card[fact] for fact in PLACE if fact in card}})
        return choose(self.game.key, typed, as_written=as_written)

    def of_card(self) -> dict[str, Any]:
        """Card and printing of the entry; what an entry knew of the same card beside these is kept."""
        chosen, before = self.cleaned_data["chosen"], self.entry.get("card")
        printed = {key: value for key, value in chosen.printed.items() if key != "id"}
        same = isinstance(before, Mapping) and before.get("name") == chosen.facts["name"]
        rest = {k: v for k, v in before.items() if k not in ("name", "dots")} if same else {}
        return {
            "card": {**chosen.facts, **rest},
            "printed": printed or (self.entry.get("printed") if same else None),
        }


class BanForm(CardEntryForm):
    """A banned card, everywhere or in some formats, as a name or as a single printing."""

    parts = ("card", "printed", "clause", "formats")
    one_printing = forms.BooleanField(
        label="Only this printing is banned",
        required=False,
        help_text="Otherwise the card is banned in whatever set it is printed.",
    )
    formats = forms.MultipleChoiceField(
        label="Only in these formats",
        required=False,
        widget=forms.CheckboxSelectMultiple,
        help_text="None ticked: in every format.",
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["formats"].choices = [
            (key, key.replace("_", " ").capitalize()) for key in self.game.formats
        ]

    def told_by(self, entry: Entry) -> dict[str, Any]:
        card = entry.get("card")
        is_one = isinstance(card, Mapping) and ("number" in card or "id" in card)
        return {**super().told_by(entry), "one_printing": is_one, "formats": entry.get("formats", [])}

    def clean(self) -> dict[str, Any]:
        told = super().clean() or {}
        chosen = told.get("chosen")
        if (
            chosen
            and told.get("one_printing")
            and not chosen.printed
            and not self._was_one(chosen.facts["name"])
        ):
            sentence = "Write set and number as well, such as “SF01 38”, to ban one printing."
            self.add_error("card", forms.ValidationError(sentence, code="printing_needed"))
        return told

    def _was_one(self, name: str) -> bool:
        card = self.entry.get("card")
        return isinstance(card, Mapping) and card.get("name") == name and bool({"number", "id"} & set(card))

    def filled(self) -> dict[str, Any]:
        told, printed = self.of_card(), self.cleaned_data["chosen"].printed
        card = {key: value for key, value in told["card"].items() if key not in ("set", "number", "id")}
        if self.cleaned_data["one_printing"]:
            exact = (
                {"id": printed["id"]}
                if "id" in printed
                else {k: printed[k] for k in ("set", "number") if k in printed}
            )
            card |= exact or {k: v for k, v in told["card"].items() if k in ("set", "number", "id")}
        return {**told, "card": card, "formats": self.cleaned_data["formats"]}


class ErratumForm(CardEntryForm):
    """A correction of a card."""

    parts = ("id", "card", "printed", "clause", "kinds", "plays_differently", "says")
    id = forms.CharField(
        label="Name of the erratum", max_length=40, help_text="Such as UFS-501.24; each has its own."
    )
    says = forms.CharField(
        label="What it says",
        max_length=4000,
        widget=forms.Textarea(attrs={"rows": 4}),
        help_text="In your own words.",
    )
    kinds = forms.CharField(
        label="What it touches", max_length=120, required=False, help_text="Such as text, keyword, identity."
    )
    plays_differently = forms.BooleanField(
        label="It plays otherwise than it is printed",
        required=False,
        help_text="Players who hold the card are told so with every check of their list.",
    )

    def told_by(self, entry: Entry) -> dict[str, Any]:
        kinds = entry.get("kinds", ["text"])
        return {
            **super().told_by(entry),
            "id": entry.get("id", ""),
            "says": entry.get("says", ""),
            "kinds": ", ".join(map(str, kinds)) if isinstance(kinds, list | tuple) else "",
            "plays_differently": entry.get("plays_differently", True),
        }

    def filled(self) -> dict[str, Any]:
        told = self.cleaned_data
        return {
            "id": told["id"].strip(),
            **self.of_card(),
            "kinds": words_of(told["kinds"]),
            "plays_differently": told["plays_differently"],
            "says": " ".join(told["says"].split()),
        }


class HighlanderErratumForm(ErratumForm):
    """A correction in Highlander: several cards share a title, so it says by what it knows its own."""

    parts = (*ErratumForm.parts, "ids", "owner", "owner_kind", "mark", "restriction", "variant")
    ids = forms.CharField(
        label="Card numbers",
        max_length=LONG,
        required=False,
        help_text="Such as HSFV-059; with commas between.",
    )
    owner = forms.CharField(label="Belongs to", max_length=80, required=False)
    owner_kind = forms.ChoiceField(
        label="Kind of owner",
        required=False,
        choices=[
            (kind, kind.capitalize() or "Not said")
            for kind in ("", "generic", "persona", "weapon", "faction")
        ],
    )
    mark = forms.ChoiceField(
        label="Mark",
        required=False,
        choices=[("", "None"), ("R", "Reserved"), ("S", "Signature"), ("signed", "Signed")],
    )
    restriction = forms.IntegerField(label="Restriction number", min_value=0, max_value=99, required=False)
    variant = forms.CharField(label="Only this variant", max_length=40, required=False)

    def told_by(self, entry: Entry) -> dict[str, Any]:
        ids = entry.get("ids", [])
        own = {
            part: entry.get(part, "") for part in ("owner", "owner_kind", "mark", "restriction", "variant")
        }
        return {
            **super().told_by(entry),
            **own,
            "ids": ", ".join(map(str, ids)) if isinstance(ids, list) else "",
        }

    def filled(self) -> dict[str, Any]:
        told = self.cleaned_data
        own = {part: told[part] for part in ("owner", "owner_kind", "mark", "restriction", "variant")}
        return {**super().filled(), "ids": words_of(told["ids"]), **own}
