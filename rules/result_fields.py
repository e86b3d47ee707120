"""Fields that a game adds to a result besides the games won.

They are the `[[result_fields]]` of its `game.toml`, in code. A value is a whole number, true, or for
`whole_each` the numbers of both players: `{"p1": 3, "p2": 0}`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from string import Formatter

from rules.endings import ENDINGS, MARKS_TAKEN
from rules.rendering import say, translate_text
from rules.tables import pick_fields

WHOLE, WHOLE_EACH, YES_NO = "whole", "whole_each", "yes_no"
KINDS = (WHOLE, WHOLE_EACH, YES_NO)
PLACES = ("p1", "p2")
# The players that words may name.
ROLES = ("winner", "loser", *PLACES)
MOST = 99
LINE_LENGTH = 72

Details = Mapping[str, object]


@dataclass(frozen=True, slots=True)
class ResultField:
    """One thing to ask.

    `ending` narrows it to results that ended so; `most` bounds its numbers. `mark` is what is before its
    number on a typed line, `slip` how a slip asks for it. `says` puts it into words, with the fields of the
    game and `winner`, `loser`, `p1`, `p2` in braces; `says_one` where its number is one. The words of a field
    that `replaces` another are said in place of the other's.
    """

    key: str
    kind: str
    label: str
    ending: str = ""
    help: str = ""
    most: int = MOST
    mark: str = ""
    slip: str = ""
    says: str = ""
    says_one: str = ""
    replaces: str = ""

    @property
    def inputs(self) -> tuple[tuple[str, ...], ...]:
        """Return the values of the field, each by the way to it.

        This is its key, and for both players also their place.
        """
        return tuple((self.key, place) for place in PLACES) if self.kind == WHOLE_EACH else ((self.key,),)

    @property
    def slip_text(self) -> str:
        """How a slip asks for it."""
        if self.slip:
            return translate_text(self.slip)
        return say("timed", "slip-field", label=translate_text(self.label), kind=self.kind)

    def clean(self, value: object) -> object:
        """Return the value as it is kept; None for nothing.

        Raises ValueError for one that cannot be.
        """
        if value is None or value is False:
            return None
        if self.kind == YES_NO:
            if value is not True:
                raise ValueError(value)
            return True
        if self.kind == WHOLE:
            return self._clean_number(value)
        if not isinstance(value, Mapping) or not set(value) <= set(PLACES):
            raise ValueError(value)
        numbers = {place: value.get(place) for place in PLACES}
        if set(numbers.values()) == {None}:
            return None
        return {place: self._clean_number(number or 0) for place, number in numbers.items()}

    def _clean_number(self, value: object) -> int:
        if type(value) is not int or not 0 <= value <= self.most:
            raise ValueError(value)
        return value


def describe_details(fields: Sequence[ResultField], details: Details, names: Mapping[str, str]) -> list[str]:
    """Return the details of a result in words, one text per field.

    `names` are those of `ROLES`.
    """
    known_values = {key: value for key, value in _known_values(fields, details) if value}
    replaced_keys = {field.replaces for field in fields if known_values.get(field.key)}
    shown_fields = (field for field in fields if field.key in known_values and field.key not in replaced_keys)
    texts = (_describe(field, known_values, names) for field in shown_fields)
    return [text for text in texts if text]


def _known_values(fields: Sequence[ResultField], details: Details) -> Iterator[tuple[str, object]]:
    for field in fields:
        try:
            yield field.key, field.clean(details.get(field.key))
        except ValueError:
            continue


def _describe(field: ResultField, known_values: Details, names: Mapping[str, str]) -> str:
    """Return the words of one field; empty if they name a field without a value."""
    value = known_values[field.key]
    if not field.says:
        each = isinstance(value, Mapping) and [f"{names[place]} {value[place]}" for place in PLACES]
        label = translate_text(field.label)
        return label if value is True else f"{label}: {', '.join(each) if each else value}"
    texts = {**names, **_flat(known_values)}
    numbers = [value for key, value in texts.items() if key in find_names(field.says) and type(value) is int]
    words = field.says_one if field.says_one and numbers == [1] else field.says
    return translate_text(words).format(**texts) if find_names(words) <= set(texts) else ""


def _flat(known_values: Details) -> dict[str, object]:
    """Return values by the names that `says` uses: `hp`, or `hp_p1` and `hp_p2`."""
    flat: dict[str, object] = {}
    for key, value in known_values.items():
        if isinstance(value, Mapping):
            flat.update({f"{key}_{place}": number for place, number in value.items()})
        else:
            flat[key] = value
    return flat


def find_names(words: str) -> set[str]:
    """Return the names in braces. Raises ValueError for braces that do not close."""
    return {name for _, name, _, _ in Formatter().parse(words) if name is not None}


def fill_slip_lines(lines: Sequence[str], fields: Sequence[ResultField]) -> tuple[str, ...]:
    """Return the lines of a slip with what the fields ask.

    This is placed after the last line while there is room.
    """
    filled_lines = list(lines)
    for field in fields:
        if filled_lines and len(filled_lines[-1]) + len(field.slip_text) + 2 <= LINE_LENGTH:
            filled_lines[-1] += f"  {field.slip_text}"
        else:
            filled_lines.append(field.slip_text)
    return tuple(filled_lines)


def read_result_field(table: Mapping[str, object]) -> ResultField:
    """Return a field from its table.

    What is missing or of another kind is left to lint. Raises ValueError.
    """
    missing_parts = [part for part in ("key", "kind", "label") if not table.get(part)]
    if missing_parts:
        raise ValueError(f"[[result_fields]] lacks {', '.join(missing_parts)}.")
    if table["kind"] not in KINDS:
        raise ValueError(f"[[result_fields]] {table['kind']} is none of {', '.join(KINDS)}.")
    known_parts = pick_fields(ResultField, table)
    most = known_parts.pop("most", MOST)
    return ResultField(
        **{name: str(value) for name, value in known_parts.items()}, most=most if type(most) is int else MOST
    )


def find_field_misfits(fields: Sequence[ResultField], endings: Sequence[str] = ()) -> Iterator[str]:
    """Yield each fault in the result fields of a game as a sentence.

    The game has these endings.
    """
    known_endings = (*ENDINGS, *endings)
    keys = [field.key for field in fields]
    for place, field in enumerate(fields):
        owner = f"[[result_fields]] {field.key}"
        if field.key in keys[:place]:
            yield say("lint", "field-twice", owner=owner)
        if not re.fullmatch(r"[a-z][a-z0-9_]{0,39}", field.key):
            yield say("lint", "field-key", owner=owner)
        if field.ending not in ("", *known_endings):
            yield say("lint", "result-ending", owner=owner, ending=field.ending, endings=known_endings)
        if field.most < 1:
            yield say("lint", "result-most", owner=owner)
        if field.mark and (not re.fullmatch(r"[a-z]{1,3}", field.mark) or field.mark in MARKS_TAKEN):
            yield say("lint", "result-mark", owner=owner, mark=field.mark, taken=MARKS_TAKEN)
        if field.mark and field.mark in [other.mark for other in fields[:place]]:
            yield say("lint", "result-mark-twice", owner=owner, mark=field.mark)
        if field.replaces and field.replaces not in keys:
            yield say("lint", "result-replaces", owner=owner, replaced=field.replaces, keys=tuple(keys))
        yield from _word_misfits(owner, field, fields)


def _word_misfits(owner: str, field: ResultField, fields: Sequence[ResultField]) -> Iterator[str]:
    known_names = {*ROLES, *("_".join(way) for each in fields for way in each.inputs)}
    for words in (field.says, field.says_one):
        try:
            strange = sorted(find_names(words) - known_names)
        except ValueError as problem:
            yield say("lint", "result-words", owner=owner, problem=str(problem))
            continue
        for name in strange:
            yield say("lint", "result-name", owner=owner, name=name, known=tuple(sorted(known_names)))
