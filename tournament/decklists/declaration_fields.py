"""Form fields for what a format registers beside the cards.

That is the pool, and what its game declares.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from string import Formatter
from typing import TYPE_CHECKING, Any

from django import forms
from django.utils.text import format_lazy
from django.utils.translation import gettext, gettext_lazy

if TYPE_CHECKING:
    from django.utils.functional import _StrOrPromise as StrOrPromise

from decks.checking.declarations import LARGEST_NUMBER, LONGEST_NAME
from decks.submissions.services import LARGEST_LIST
from rules.cards import Declaration, DeclaredPart
from rules.rendering import translate_text

MAX_TEXT_LENGTH = LARGEST_LIST - 4_000
MAX_RECORDS_LENGTH = 4_000
MAX_SMALL_ROWS = 4
PREFIX = "declared"
YES_NO_WORDS = {"yes": True, "no": False}


def card_lines_widget(rows: int, **attrs: StrOrPromise) -> forms.Textarea:
    """Return a field for lines of cards."""
    attributes = {"spellcheck": "false", "autocapitalize": "off", "autocomplete": "off"}
    css_class = {"class": "deck"} if rows > MAX_SMALL_ROWS else {}
    return forms.Textarea(attrs={"rows": rows, **css_class, **attributes, **attrs})


def write_example(lines: str) -> StrOrPromise:
    """Return lines of cards as an example: each {} is the name of a card."""
    names = (gettext_lazy("Name of a card"), gettext_lazy("Another one"), gettext_lazy("A third"))
    return format_lazy(lines, *names)


def make_pool_field() -> forms.CharField:
    """Return the field for the cards that a limited deck is built from."""
    return forms.CharField(
        required=False,
        label=gettext("Your pool"),
        strip=False,
        max_length=MAX_TEXT_LENGTH,
        help_text=gettext("All cards you opened or drafted, including your deck."),
        widget=card_lines_widget(14, placeholder=write_example("1 {}\n2 {}")),
    )


@dataclass(frozen=True, slots=True)
class DeclarationGroup:
    """The fields of one declaration on a page; several are below its label."""

    declaration: Declaration
    fields: Sequence[forms.BoundField]

    @property
    def label(self) -> str:
        """Return what is declared."""
        return translate_text(self.declaration.label)

    @property
    def help(self) -> str:
        """Return what a player has to know of it."""
        return translate_text(self.declaration.help)

    @property
    def is_single(self) -> bool:
        """Whether its field has label and help of its own."""
        return self.declaration.kind in SINGLE_FIELDS

    @property
    def has_numbers(self) -> bool:
        """Whether its fields are short."""
        return self.declaration.kind == "numbers"


def group_fields(form: forms.Form, declarations: Iterable[Declaration]) -> Iterator[DeclarationGroup]:
    """Yield the fields of a form, by declaration."""
    for each in declarations:
        yield DeclarationGroup(each, [form[name] for name in field_names(each)])


def field_names(declaration: Declaration) -> list[str]:
    """Return the fields of a declaration: one, or one for each of its choices."""
    if declaration.kind in SINGLE_FIELDS:
        return [f"{PREFIX}.{declaration.key}"]
    return [f"{PREFIX}.{declaration.key}.{code}" for code, _ in declaration.choices]


def build_declaration_fields(declarations: Iterable[Declaration]) -> dict[str, forms.Field]:
    """Return the fields of declarations by name, in their order."""
    return {name: field for each in declarations for name, field in _build_fields(each)}


def _build_fields(declaration: Declaration) -> Iterator[tuple[str, forms.Field]]:
    names = field_names(declaration)
    if declaration.kind in SINGLE_FIELDS:
        field = SINGLE_FIELDS[declaration.kind](declaration)
        field.label, field.help_text = translate_text(declaration.label), translate_text(declaration.help)
        yield names[0], field
        return
    for name, (_, words) in zip(names, declaration.choices, strict=True):
        yield name, CHOICE_FIELDS[declaration.kind](declaration, translate_text(words))


def _make_yes_no_field(declaration: Declaration) -> forms.Field:
    words = ((value, translate_text(word)) for value, word in declaration.choices)
    return forms.ChoiceField(required=False, choices=[("", gettext("not stated")), *words])


def _make_records_field(_: Declaration) -> forms.Field:
    return forms.CharField(required=False, max_length=MAX_RECORDS_LENGTH, widget=card_lines_widget(2))


def _make_number_field(declaration: Declaration, label: str) -> forms.Field:
    empty = {"placeholder": translate_text(declaration.empty)} if declaration.empty else {}
    widget = forms.NumberInput(attrs={"inputmode": "numeric", **empty})
    return forms.IntegerField(
        required=False, min_value=0, max_value=LARGEST_NUMBER, label=label, widget=widget
    )


def _make_name_field(_: Declaration, label: str) -> forms.Field:
    return forms.CharField(required=False, max_length=LONGEST_NAME, label=label)


SINGLE_FIELDS: Mapping[str, Callable[[Declaration], forms.Field]] = {
    "yes_no": _make_yes_no_field,
    "records": _make_records_field,
}
CHOICE_FIELDS: Mapping[str, Callable[[Declaration, str], forms.Field]] = {
    "numbers": _make_number_field,
    "cards": _make_name_field,
}


def read_declarations(declarations: Iterable[Declaration], values: Mapping[str, object]) -> dict[str, object]:
    """Return the declarations as filled in.

    They have the form in which `decks.checking.declarations` reads them.
    """
    return {each.key: _read(each, [values.get(name) for name in field_names(each)]) for each in declarations}


def _read(declaration: Declaration, inputs: Sequence[object]) -> object:
    if declaration.kind == "yes_no":
        return YES_NO_WORDS.get(str(inputs[0] or ""))
    if declaration.kind == "records":
        lines = (line.strip() for line in str(inputs[0] or "").splitlines())
        return [parse_record(declaration, line) for line in lines if line]
    answers = zip(declaration.choices, inputs, strict=True)
    return {code: value for (code, _), value in answers if value not in (None, "")}


def initial_declarations(
    declarations: Iterable[Declaration],
    options: Mapping[str, Any],  # Any: each kind of declaration keeps values of its own
) -> dict[str, object]:
    """Return the other way round: what the fields hold for the options of a deck."""
    return {
        name: value
        for each in declarations
        for name, value in zip(field_names(each), _write(each, options.get(each.key)), strict=True)
    }


def _write(declaration: Declaration, stored_value: Any) -> list[object]:
    if declaration.kind == "yes_no":
        return [{value: word for word, value in YES_NO_WORDS.items()}.get(stored_value, "")]
    if declaration.kind == "records":
        return ["\n".join(format_record(declaration, row) for row in stored_value or ())]
    return [(stored_value or {}).get(code) for code, _ in declaration.choices]


def _split_line(declaration: Declaration) -> Iterator[tuple[str, DeclaredPart, str]]:
    """Yield the parts of a typed line with the signs around each.

    Between two parts, a space separates the signs of one from those of the other.
    """
    parts = {part.key: part for part in declaration.parts}
    places = [(signs, name) for signs, name, _, _ in Formatter().parse(declaration.written_line)]
    ends = [*(_split_signs(signs, is_last=name is None) for signs, name in places), ("", "")]
    for place, (_, name) in enumerate(places):
        if name is not None:
            yield ends[place][1], parts[name], ends[place + 1][0]


def _split_signs(signs: str, *, is_last: bool) -> tuple[str, str]:
    """Return what belongs to the part before the signs, and to the one behind them."""
    end, space, start = signs.partition(" ")
    return (signs, "") if is_last else (end, space + start) if space else ("", signs)


def parse_record(declaration: Declaration, line: str) -> dict[str, object]:
    """Return the parts of a typed line.

    A line in another format has only its first part.
    """
    match = re.fullmatch("".join(_part_patterns(declaration)), line)
    if match is None:
        return {declaration.parts[0].key: line}
    kinds = {part.key: part.kind for part in declaration.parts}
    values_by_key = ((key, text.strip()) for key, text in match.groupdict(default="").items())
    return {key: int(text) if kinds[key] == "whole" else text for key, text in values_by_key if text}


def _part_patterns(declaration: Declaration) -> Iterator[str]:
    for before, part, after in _split_line(declaration):
        signs = re.escape("".join(f"{before}{after}".split()))
        text = ".*?" if part.is_required or not signs else f"[^{signs}]*?"
        value = r"\d{1,2}" if part.kind == "whole" else text
        pattern = f"{_allow_spaces(before)}(?P<{part.key}>{value}){_allow_spaces(after)}"
        yield pattern if part.is_required else f"(?:{pattern})?"


def _allow_spaces(signs: str) -> str:
    """Match signs with or without room around them."""
    return rf"\s*{re.escape(signs.strip())}\s*" if signs else ""


def format_record(declaration: Declaration, row: Mapping[str, object]) -> str:
    """Return a record as its line is typed, without the parts that it lacks."""
    written_parts = (
        f"{before}{row[part.key]}{after}"
        for before, part, after in _split_line(declaration)
        if row.get(part.key) not in (None, "")
    )
    return "".join(written_parts).strip()
