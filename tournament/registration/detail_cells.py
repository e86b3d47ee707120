"""Answers to declared fields as cells of a table, and back."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from decks.shared.refusals import Refused
from decks.shared.stated_reasons import StatedReason, state_reason
from rules import RegistrationField
from rules.reason import Param, quote_value, reason
from tournament.access.player_details import DetailAnswer, read_answers
from tournament.registration.fields import value_refusal

YES_WORDS = frozenset({"yes", "y", "1", "true", "x", "ja", "oui", "si", "paid"})

Fields = Iterable[RegistrationField]
Details = Mapping[str, object]


def write_cells(details: Details, fields: Fields) -> list[str]:
    """Return the answers, each in one line."""
    return [_cell(answer) for answer in read_answers(details, fields)]


def _cell(answer: DetailAnswer) -> str:
    return " ".join(answer.cell.split())


def read_cells(texts: Mapping[str, str], fields: Fields) -> tuple[dict[str, object], list[Refused]]:
    """Return the values of cells, and what cannot be read.

    An empty cell says nothing.
    """
    details: dict[str, object] = {}
    problems = []
    for field in fields:
        if not (text := texts.get(field.key, "")):
            continue
        value = _parse_cell(field, text)
        if code := field.misfit(value):
            problems.append(value_refusal(field, code))
        else:
            details[field.key] = value
    return details, problems


def _parse_cell(field: RegistrationField, text: str) -> str | bool | int:
    if field.kind == "yes_no":
        return text.casefold() in YES_WORDS
    if field.kind == "whole" and text.isascii() and text.isdecimal() and len(text) < 10:
        return int(text)
    return text


def find_changed(stored_details: Details, stated_details: Details, fields: Fields) -> dict[str, object]:
    """Return the stated values that differ from the stored ones.

    A text of several lines equals the same text in one line.
    """
    stated_fields = [field for field in fields if field.key in stated_details]
    pairs = zip(
        read_answers(stored_details, stated_fields), read_answers(stated_details, stated_fields), strict=True
    )
    return {old.field.key: new.value for old, new in pairs if _cell(old) != _cell(new)}


def state_changes(before: Details, after: Details, fields: Fields) -> Iterator[StatedReason]:
    """Yield each changed answer for programs and people."""
    known_fields = list(fields)
    for old, new in zip(read_answers(before, known_fields), read_answers(after, known_fields), strict=True):
        if old.value != new.value:
            before_text, after_text = (" ".join(each.text.split()) or "–" for each in (old, new))
            yield state_value_change(
                old.field.key, old.label, (old.value, new.value), (before_text, after_text)
            )


def state_value_change(
    key: str, label: str, values: tuple[object, object], texts: tuple[str, str]
) -> StatedReason:
    """Return a changed value of a player.

    It has key and values for programs, and label and texts for people.
    """
    shown_reason = reason("value_changes", column=label, before=texts[0], after=texts[1])
    before, after = map(_to_param, values)
    return state_reason(shown_reason, reason("value_changes", column=key, before=before, after=after))


def _to_param(value: object) -> Param:
    return tuple(map(str, value)) if isinstance(value, list | tuple) else quote_value(value)
