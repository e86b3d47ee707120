"""Declare the fields of registration beside name and email address.

A field added here is on the forms, on the pages of the player, in the table of players, the API, the archive
and the log. Games add theirs as `[[registration_fields]]` of their `game.toml`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from django.utils.translation import gettext_noop

from decks.shared.api_requests import UNKNOWN_FIELD, unknown_name
from decks.shared.refusals import Refused
from rules import RegistrationField
from rules.reason import Param
from rules.registration import MAX_WHOLE
from tournament.access.player_details import list_fields, translate_declared
from tournament.events.models.event import Event
from tournament.events.settings import get_game

FIELDS: tuple[RegistrationField, ...] = (
    RegistrationField(
        "organizer_note",
        gettext_noop("Note to the organizer"),
        kind="long_text",
        help=gettext_noop(
            "For example, an accessible seat or a late arrival. Only organizers and scorekeepers can see it."
        ),
        max_length=300,
    ),
)

# Asked where a diversity cut needs it and the game itself asks for none.
CHARACTER = RegistrationField(
    "character",
    gettext_noop("Character"),
    help=gettext_noop("The cut takes the best player of each character."),
)

Details = dict[str, object]


def character_field(event: Event) -> RegistrationField | None:
    """Return how an event asks for a character; None if it does not."""
    declared_fields = next((f for f in get_game(event).registration_fields if f.key == CHARACTER.key), None)
    field = declared_fields or (CHARACTER if event.needs_character else None)
    return replace(field, required=event.needs_character) if field else None


def asked_fields(event: Event, asker: str) -> list[RegistrationField]:
    """Return the fields on the form of a player or of staff, in their order."""
    character = character_field(event)
    declared_fields = [*([character] if character else []), *list_fields(event.game)]
    return [field for field in declared_fields if field.is_asked_of(asker)]


def trim_details(details: Mapping[str, object]) -> Details:
    """Return the same values without the text around texts."""
    return {
        key: value.replace("\r\n", "\n").strip() if isinstance(value, str) else value
        for key, value in details.items()
    }


def merge_details(
    event: Event, stored_details: Mapping[str, object], changed_details: Mapping[str, object]
) -> Details:
    """Return the stored values with the changed ones; empty values are not stored."""
    empty = {field.key: field.empty for field in list_fields(event.game)}
    merged_details = {**stored_details, **changed_details}
    return {key: value for key, value in merged_details.items() if key not in empty or value != empty[key]}


def detail_problems(
    event: Event, details: Mapping[str, object], *, is_own: bool, is_whole: bool = False
) -> Iterator[Refused]:
    """Yield what is wrong with values: unknown, of a wrong kind, or missing.

    `is_own` is whether players say it of themselves; `is_whole` whether what they leave out is missing.
    """
    fields = {f.key: f for f in list_fields(event.game) if not is_own or f.is_asked_of("player")}
    for key, value in details.items():
        if key not in fields:
            yield unknown_name(UNKNOWN_FIELD, key, list(fields))
        elif value != fields[key].empty and (code := fields[key].misfit(value)):
            yield value_refusal(fields[key], code)
    if is_own:
        required_fields = (f for f in fields.values() if f.required and (is_whole or f.key in details))
        yield from (_missing_value(f) for f in required_fields if details.get(f.key, f.empty) == f.empty)


def value_refusal(field: RegistrationField, code: str) -> Refused:
    """Return why a value of the field is refused; `code` is what `misfit` says of it."""
    facts: dict[str, dict[str, Param]] = {
        "value_wrong_kind": {"kind": field.kind},
        "value_too_long": {"max_length": field.max_length},
        "number_out_of_range": {"max": MAX_WHOLE},
        "choice_unknown": {"choices": tuple(map(translate_declared, field.choices))},
    }
    return Refused(code, field=field.key, label=translate_declared(field.label), **facts.get(code, {}))


def _missing_value(field: RegistrationField) -> Refused:
    return Refused("value_missing", field=field.key, label=translate_declared(field.label))
