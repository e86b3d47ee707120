"""Forms to edit one entry of a list, one for each kind that every game has."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django import forms
from django.urls import reverse
from django.utils.translation import gettext, gettext_lazy

import rules
from decks.editions.domain.kinds import EntryData, ListKind
from decks.editions.forms.declared_fields import make_field, read_value, show_value, split_lines, split_words
from decks.editions.forms.typed_cards import CardNotFound, ChosenCard, card_input_text, choose_card
from decks.shared.form_fields import get_choice_field
from rules.rendering import say, translate_text

_SOURCE = ("clause", "document")
"""Where an entry is written."""


class EntryForm(forms.Form):
    """Fields that all entries have, and those that the game declares for its kind.

    `parts` are the keys that the form fills; an entry keeps its others.
    """

    parts: tuple[str, ...] = ("clause",)
    clause = forms.CharField(
        label=gettext_lazy("Clause"),
        max_length=80,
        required=False,
        help_text=gettext_lazy("Clause or line of the document"),
    )
    document = forms.CharField(
        label=gettext_lazy("Document"),
        max_length=200,
        required=False,
        help_text=gettext_lazy("Leave empty for the document of this version."),
    )

    def __init__(
        self, game: rules.Game, kind: ListKind, entry: EntryData | None, *args: Any, **kwargs: Any
    ) -> None:
        self.game, self.kind, self.entry = game, kind, dict(entry or {})
        self.suggestions: tuple[str, ...] = ()
        self.declared = tuple(field for field in kind.fields if field.label)
        own = {field.key: show_value(field, self.entry.get(field.key)) for field in self.declared}
        kwargs.setdefault("initial", {**self.initial_values(self.entry), **own})
        super().__init__(*args, **kwargs)
        self.fields |= {field.key: make_field(field) for field in self.declared}
        self.order_fields([name for name in self.fields if name not in _SOURCE])

    def initial_values(self, entry: EntryData) -> dict[str, object]:
        """Return the values of the fields for an entry."""
        return {part: entry.get(part, "") for part in _SOURCE}

    def to_entry(self) -> dict[str, object]:
        """Return the entry that the form says; only for a valid form."""
        known_keys = {*self.parts, *_SOURCE, *(field.key for field in self.declared)}
        other_values = {key: value for key, value in self.entry.items() if key not in known_keys}
        field_values = {field.key: read_value(field, self.cleaned_data[field.key]) for field in self.declared}
        source = {part: self.cleaned_data[part].strip() for part in _SOURCE}
        values = {**self.own_values(), **field_values, **source}
        given_values = {key: value for key, value in values.items() if value not in ("", None, [], {})}
        return {**given_values, **other_values}

    def own_values(self) -> dict[str, object]:
        """Return what the form's own fields give to an entry."""
        return {}


MAX_TEXT_LENGTH = 300
MOST_COPIES, MOST_POINTS = 99, 999
PRINTING_KEYS = ("set", "number", "id")


class IdentityForm(EntryForm):
    """Names that are one card, or one name that is several cards."""

    parts = ("same", "name", "distinct", "clause")
    what = forms.ChoiceField(
        label=gettext_lazy("Effect"),
        choices=[
            ("same", gettext_lazy("These names are one card")),
            ("distinct", gettext_lazy("This name is several cards")),
        ],
        widget=forms.RadioSelect,
    )
    names = forms.CharField(
        label=gettext_lazy("Names"),
        max_length=MAX_TEXT_LENGTH,
        widget=forms.Textarea(attrs={"rows": 3, "spellcheck": "false"}),
        help_text=gettext_lazy("One per line: all names of one card, or one name of several cards."),
    )
    places = forms.CharField(
        label=gettext_lazy("Printings (if several cards share the name)"),
        max_length=MAX_TEXT_LENGTH,
        required=False,
        widget=forms.Textarea(attrs={"rows": 3, "spellcheck": "false"}),
        help_text=gettext_lazy("One printing per card, one per line, such as “SF03 15”."),
    )

    def initial_values(self, entry: EntryData) -> dict[str, object]:
        same, distinct = entry.get("same"), entry.get("distinct")
        names = same if isinstance(same, list | tuple) else [entry.get("name", "")]
        places = distinct if isinstance(distinct, list | tuple) else []
        return {
            **super().initial_values(entry),
            "what": "distinct" if places else "same",
            "names": "\n".join(map(str, names)),
            "places": "\n".join(
                f"{p.get('set', '')} {p.get('number', '')}" for p in places if isinstance(p, Mapping)
            ),
        }

    def clean_names(self) -> list[str]:
        return split_lines(self.cleaned_data["names"])

    def clean_places(self) -> list[dict[str, object]]:
        places = []
        for line in split_lines(self.cleaned_data["places"]):
            code, _, number = line.rpartition(" ")
            digits = number.partition("/")[0]
            if not code or not digits.isdecimal() or len(digits) > 6:
                sentence = gettext("“%(line)s” is not a set and a number. Write it as “SF03 15”.")
                raise forms.ValidationError(sentence % {"line": line}, code="no_place")
            places.append({"set": code.strip().upper(), "number": int(digits)})
        return places

    def clean(self) -> dict[str, object]:
        data = super().clean() or {}
        names, places, what = data.get("names", []), data.get("places", []), data.get("what")
        if what == "same" and names and len({name.casefold() for name in names}) < 2:
            sentence = gettext("Enter at least two different names, one per line.")
            self.add_error("names", forms.ValidationError(sentence, code="names_needed"))
        if what == "distinct" and names and len(names) != 1:
            sentence = gettext("Enter the one name that the cards share.")
            self.add_error("names", forms.ValidationError(sentence, code="one_name"))
        if what == "distinct" and "places" in data and len(places) < 2:
            sentence = gettext("Enter the printings of at least two cards, one per line.")
            self.add_error("places", forms.ValidationError(sentence, code="places_needed"))
        return data

    def own_values(self) -> dict[str, object]:
        data = self.cleaned_data
        if data["what"] == "same":
            return {"same": data["names"]}
        return {"name": data["names"][0], "distinct": data["places"]}


class CardEntryForm(EntryForm):
    """An entry that is about one card."""

    card = forms.CharField(label=gettext_lazy("Card"), max_length=160)
    as_written = forms.BooleanField(
        label=gettext_lazy("Keep the card as written"),
        required=False,
        help_text=gettext_lazy("For a card that is not in the catalogue, or for every version of a name."),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        examples = tuple(
            gettext("“%(name)s”") % {"name": card} for card in self.game.cards.lists.example_cards
        )
        such_as = say("reason", "such_as", examples=examples)
        help_text = such_as if examples else gettext("Its name, or set and number.")
        self.fields["card"].help_text = help_text
        self.fields["card"].widget.attrs |= {
            "autocomplete": "off",
            "spellcheck": "false",
            "hx-get": reverse("list_cards", args=[self.game.key]),
            "hx-trigger": "input delay:150ms",
            "hx-target": "#suggestions",
            "hx-sync": "this:replace",
        }

    def initial_values(self, entry: EntryData) -> dict[str, object]:
        card, printing = entry.get("card"), entry.get("printed")
        facts = card if isinstance(card, Mapping) else {}
        place = printing if isinstance(printing, Mapping) else {}
        return {**super().initial_values(entry), "card": card_input_text(facts, place) if facts else ""}

    def clean(self) -> dict[str, object]:
        data = super().clean() or {}
        if data.get("card"):
            try:
                data["chosen"] = self._choose_card(data["card"], data.get("as_written", False))
            except CardNotFound as problem:
                self.suggestions = problem.suggestions
                self.add_error("card", forms.ValidationError(problem.message, code=problem.code))
        return data

    def _choose_card(self, typed_text: str, as_written: bool) -> ChosenCard:
        """Return the card as typed; one that was not touched is the one that it was."""
        if self.entry and typed_text == self.initial["card"]:
            card, printing = self._entry_part("card"), self._entry_part("printed")
            facts = {fact: card[fact] for fact in ("name", "dots") if fact in card}
            return ChosenCard(
                facts, {**printing, **{fact: card[fact] for fact in PRINTING_KEYS if fact in card}}
            )
        return choose_card(self.game.key, typed_text, as_written=as_written)

    def _entry_part(self, part: str) -> EntryData:
        """Return a part of the entry that is a record; empty if it has none."""
        value = self.entry.get(part)
        return value if isinstance(value, Mapping) else {}

    def card_facts(self) -> dict[str, object]:
        """Return the chosen card; the same card keeps what was stored beside its name."""
        chosen_card: ChosenCard = self.cleaned_data["chosen"]
        kept_facts = self._entry_part("card") if self._is_same_card(chosen_card) else {}
        return {**chosen_card.facts, **{k: v for k, v in kept_facts.items() if k not in ("name", "dots")}}

    def printed_facts(self) -> object:
        """Return where the card of the entry is printed, by default as the entry says it."""
        chosen_card: ChosenCard = self.cleaned_data["chosen"]
        printed_facts = {key: value for key, value in chosen_card.printing_facts.items() if key != "id"}
        return printed_facts or (self.entry.get("printed") if self._is_same_card(chosen_card) else None)

    def _is_same_card(self, chosen_card: ChosenCard) -> bool:
        return self._entry_part("card").get("name") == chosen_card.facts["name"]


class CardInFormatsForm(CardEntryForm):
    """A card that a list names, everywhere or in some formats."""

    formats = forms.MultipleChoiceField(
        label=gettext_lazy("Formats"),
        required=False,
        widget=forms.CheckboxSelectMultiple,
        help_text=gettext_lazy("Leave all unticked for every format."),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        get_choice_field(self, "formats").choices = [
            (key, translate_text(key.replace("_", " ").capitalize())) for key in self.game.formats
        ]

    def initial_values(self, entry: EntryData) -> dict[str, object]:
        return {**super().initial_values(entry), "formats": entry.get("formats", [])}


class LimitForm(CardInFormatsForm):
    """A card of which a deck may have only so many copies."""

    parts = ("card", "printed", "clause", "copies", "formats")
    copies = forms.IntegerField(
        label=gettext_lazy("Copies"),
        min_value=0,
        max_value=MOST_COPIES,
        help_text=gettext_lazy("The maximum number of copies in a deck. Enter 0 if the card is not allowed."),
    )

    def initial_values(self, entry: EntryData) -> dict[str, object]:
        return {**super().initial_values(entry), "copies": entry.get("copies", "")}

    def own_values(self) -> dict[str, object]:
        data = self.cleaned_data
        card = {"card": self.card_facts(), "printed": self.printed_facts()}
        return {**card, "copies": data["copies"], "formats": data["formats"]}


class PointsForm(CardInFormatsForm):
    """A card that costs points, of which a deck may have only so many."""

    parts = ("card", "printed", "clause", "points", "formats")
    points = forms.IntegerField(
        label=gettext_lazy("Points"),
        min_value=1,
        max_value=MOST_POINTS,
        help_text=gettext_lazy("For each copy in a deck"),
    )

    def initial_values(self, entry: EntryData) -> dict[str, object]:
        return {**super().initial_values(entry), "points": entry.get("points", "")}

    def own_values(self) -> dict[str, object]:
        data = self.cleaned_data
        card = {"card": self.card_facts(), "printed": self.printed_facts()}
        return {**card, "points": data["points"], "formats": data["formats"]}


class BanForm(CardInFormatsForm):
    """A banned card or printing, everywhere or in some formats."""

    parts = ("card", "printed", "clause", "formats")
    one_printing = forms.BooleanField(
        label=gettext_lazy("Ban only this printing"),
        required=False,
        help_text=gettext_lazy("Leave unticked to ban every printing."),
    )

    def initial_values(self, entry: EntryData) -> dict[str, object]:
        card = entry.get("card")
        is_one = isinstance(card, Mapping) and ("number" in card or "id" in card)
        return {**super().initial_values(entry), "one_printing": is_one}

    def clean(self) -> dict[str, object]:
        data = super().clean() or {}
        chosen_card = data.get("chosen")
        if (
            isinstance(chosen_card, ChosenCard)
            and data.get("one_printing")
            and not chosen_card.printing_facts
            and not self._was_one(chosen_card)
        ):
            sentence = gettext("Write set and number as well, such as “SF01 38”, to ban one printing.")
            self.add_error("card", forms.ValidationError(sentence, code="printing_needed"))
        return data

    def _was_one(self, chosen_card: ChosenCard) -> bool:
        return self._is_same_card(chosen_card) and bool({"number", "id"} & set(self._entry_part("card")))

    def own_values(self) -> dict[str, object]:
        facts, printed_facts = self.card_facts(), self.cleaned_data["chosen"].printing_facts
        card = {key: value for key, value in facts.items() if key not in ("set", "number", "id")}
        if self.cleaned_data["one_printing"]:
            exact = (
                {"id": printed_facts["id"]}
                if "id" in printed_facts
                else {k: printed_facts[k] for k in ("set", "number") if k in printed_facts}
            )
            card |= exact or {k: v for k, v in facts.items() if k in ("set", "number", "id")}
        return {"card": card, "printed": self.printed_facts(), "formats": self.cleaned_data["formats"]}


class ErratumForm(CardEntryForm):
    """A correction of a card."""

    parts = ("id", "card", "printed", "clause", "kinds", "plays_differently", "says")
    id = forms.CharField(label=gettext_lazy("Erratum name"), max_length=40)
    says = forms.CharField(
        label=gettext_lazy("Erratum"),
        max_length=4000,
        widget=forms.Textarea(attrs={"rows": 4}),
        help_text=gettext_lazy("In your own words"),
    )
    kinds = forms.CharField(
        label=gettext_lazy("Changed part"),
        max_length=120,
        required=False,
        help_text=gettext_lazy("Such as text, keyword or identity"),
    )
    plays_differently = forms.BooleanField(
        label=gettext_lazy("This card plays differently from its printed text"),
        required=False,
        help_text=gettext_lazy("Players see this note when they check a decklist with this card."),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        example = self.game.cards.lists.example_erratum
        self.fields["id"].help_text = (
            gettext("Such as %(example)s. Each has its own.") % {"example": example}
            if example
            else gettext("Each has its own.")
        )

    def initial_values(self, entry: EntryData) -> dict[str, object]:
        kinds = entry.get("kinds", ["text"])
        return {
            **super().initial_values(entry),
            "id": entry.get("id", ""),
            "says": entry.get("says", ""),
            "kinds": ", ".join(map(str, kinds)) if isinstance(kinds, list | tuple) else "",
            "plays_differently": entry.get("plays_differently", True),
        }

    def own_values(self) -> dict[str, object]:
        data = self.cleaned_data
        return {
            "id": data["id"].strip(),
            "card": self.card_facts(),
            "printed": self.printed_facts(),
            "kinds": split_words(data["kinds"]),
            "plays_differently": data["plays_differently"],
            "says": " ".join(data["says"].split()),
        }


FORMS: dict[str, type[EntryForm]] = {
    "bans": BanForm,
    "errata": ErratumForm,
    "identities": IdentityForm,
    "limits": LimitForm,
    "points": PointsForm,
}


def make_entry_form(
    game: rules.Game, kind: ListKind, entry: EntryData | None = None, data: Any = None
) -> EntryForm:
    """Return the form for a kind of list, filled with an entry or what was sent."""
    return FORMS.get(kind.key, EntryForm)(game, kind, entry, data)
