"""Form fields for what a format registers beside the cards: pool, gems, swaps."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, NotRequired, TypedDict

from django import forms
from django.utils.text import format_lazy
from django.utils.translation import gettext, gettext_lazy

if TYPE_CHECKING:
    from django.utils.functional import _StrOrPromise as StrOrPromise

from decks.submissions.services import LARGEST_LIST
from rules.game import GemRules
from rules.rendering import translate_text

MAX_TEXT_LENGTH = LARGEST_LIST - 4_000
MAX_SMALL_ROWS = 4
GEM = "gem_"


# Words of Python are among their keys, which a class cannot have.
Swap = TypedDict("Swap", {"for": str, "with": str, "crystal": NotRequired[str]})


class RestrictionRaise(TypedDict):
    """A card whose restriction number is higher."""

    card: str
    by: int


class DeclaredOptions(TypedDict, total=False):
    """The declarations that were kept, as far as there are fields for them."""

    gem_assignment: dict[str, int]
    sleeved: bool
    substitutions: list[Swap]
    restriction_raise: list[RestrictionRaise]
    bonus: dict[str, str]


def card_lines_widget(rows: int, **attrs: StrOrPromise) -> forms.Textarea:
    """A field for lines of cards."""
    attributes = {"spellcheck": "false", "autocapitalize": "off", "autocomplete": "off"}
    css_class = {"class": "deck"} if rows > MAX_SMALL_ROWS else {}
    return forms.Textarea(attrs={"rows": rows, **css_class, **attributes, **attrs})


def write_example(lines: str) -> StrOrPromise:
    """Lines of cards as an example: each {} is the name of a card."""
    names = (gettext_lazy("Name of a card"), gettext_lazy("Another one"), gettext_lazy("A third"))
    return format_lazy(lines, *names)


def build_declaration_fields(required: frozenset[str], gem_rules: GemRules | None) -> dict[str, forms.Field]:
    """The fields for what a format asks for, by name, in a settled order."""
    return {
        name: field
        for part in FIELD_FACTORIES
        if part in required
        for name, field in FIELD_FACTORIES[part](gem_rules).items()
    }


def read_declarations(values: Mapping[str, object]) -> dict[str, object]:
    """The declarations as filled in, in the form in which `decks.checking.declarations` reads them."""
    gems = {name[len(GEM) :]: number for name, number in values.items() if name.startswith(GEM)}
    bonus = {kind: values.get(f"bonus_{kind}") for kind in ("hilt", "plot")}
    return {
        "gem_assignment": {letter: number for letter, number in gems.items() if number is not None},
        "sleeved": {"yes": True, "no": False}.get(str(values.get("sleeved") or "")),
        "substitutions": [_parse_substitution(line) for line in _lines(values.get("substitutions"))],
        "restriction_raise": [
            _parse_restriction_raise(line) for line in _lines(values.get("restriction_raise"))
        ],
        "bonus": {kind: name for kind, name in bonus.items() if name},
    }


def initial_declarations(options: DeclaredOptions) -> dict[str, object]:
    """The other way round: what the fields hold for declarations that were kept."""
    swaps = (
        f"{swap['for']} = {swap['with']}" + (f" ({swap['crystal']})" if swap.get("crystal") else "")
        for swap in options.get("substitutions", ())
    )
    raised = (f"{row['card']} +{row['by']}" for row in options.get("restriction_raise", ()))
    return {
        **{f"{GEM}{letter}": number for letter, number in options.get("gem_assignment", {}).items()},
        "sleeved": {True: "yes", False: "no", None: ""}.get(options.get("sleeved"), ""),
        "substitutions": "\n".join(swaps),
        "restriction_raise": "\n".join(raised),
        **{f"bonus_{kind}": name for kind, name in options.get("bonus", {}).items()},
    }


def _lines(text: object) -> list[str]:
    return [line.strip() for line in str(text or "").splitlines() if line.strip()]


def _parse_substitution(line: str) -> Swap:
    """What is given away, what stands for it, by which Crystal: "Upper Left Attack = Back Away (Crystal)"."""
    slot, _, rest = line.partition("=")
    match = re.fullmatch(r"(?P<card>.*?)(?:\((?P<crystal>[^()]*)\))?", rest.strip())
    card = match["card"] if match else rest
    return {"for": slot.strip(), "with": card.strip(), "crystal": (match and match["crystal"]) or ""}


def _parse_restriction_raise(line: str) -> RestrictionRaise:
    """ "Slash +1": the card, and by how much its number rises (by one where nothing is said)."""
    match = re.fullmatch(r"(?P<card>.*?)\s*\+\s*(?P<by>\d{1,2})", line)
    return {"card": match["card"], "by": int(match["by"])} if match else {"card": line, "by": 1}


def _pool_fields(_: GemRules | None) -> dict[str, forms.Field]:
    pool = forms.CharField(
        required=False,
        label=gettext("Your pool"),
        strip=False,
        max_length=MAX_TEXT_LENGTH,
        help_text=gettext("All cards you opened or drafted, including your deck."),
        widget=card_lines_widget(14, placeholder=write_example("1 {}\n2 {}")),
    )
    return {"pool": pool}


def _gem_fields(gem_rules: GemRules | None) -> dict[str, forms.Field]:
    gems = gem_rules.gems if gem_rules else {}
    return {
        f"{GEM}{letter}": forms.IntegerField(
            required=False,
            min_value=0,
            max_value=99,
            label=translate_text(name),
            widget=forms.NumberInput(attrs={"inputmode": "numeric", "placeholder": gettext("as printed")}),
        )
        for letter, name in gems.items()
    }


def _sleeve_fields(_: GemRules | None) -> dict[str, forms.Field]:
    choices = [
        ("", gettext("not said")),
        ("yes", gettext("in sleeves")),
        ("no", gettext("not in sleeves")),
    ]
    return {"sleeved": forms.ChoiceField(required=False, label=gettext("Sleeves"), choices=choices)}


def _substitution_fields(_: GemRules | None) -> dict[str, forms.Field]:
    swaps = forms.CharField(
        required=False,
        max_length=4_000,
        label=gettext("Swapped basics"),
        help_text=gettext("One line for each Crystal, such as: Upper Left Attack = Back Away"),
        widget=card_lines_widget(2),
    )
    return {"substitutions": swaps}


def _raise_fields(_: GemRules | None) -> dict[str, forms.Field]:
    raised = forms.CharField(
        required=False,
        max_length=4_000,
        label=gettext("Raised restriction numbers"),
        help_text=gettext("Only with a pre-game Darius. One line: card name +1"),
        widget=card_lines_widget(2),
    )
    return {"restriction_raise": raised}


def _bonus_fields(_: GemRules | None) -> dict[str, forms.Field]:
    labels = {"hilt": gettext("Signed hilt"), "plot": gettext("Signed plot")}
    return {
        f"bonus_{kind}": forms.CharField(required=False, max_length=160, label=label)
        for kind, label in labels.items()
    }


FIELD_FACTORIES: Mapping[str, Callable[[GemRules | None], dict[str, forms.Field]]] = {
    "pool": _pool_fields,
    "gem_assignment": _gem_fields,
    "sleeved": _sleeve_fields,
    "substitutions": _substitution_fields,
    "restriction_raise": _raise_fields,
    "bonus": _bonus_fields,
}
