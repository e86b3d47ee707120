"""Checks of columns that pages read without validation.

An archive may contain anything there.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Mapping
from typing import Annotated, Any, Literal, NotRequired

from annotated_types import Ge, Len, MinLen
from django.core.exceptions import ValidationError
from django.db import models
from django.utils.translation import gettext
from pydantic import ConfigDict, JsonValue, StringConstraints, TypeAdapter, with_config
from typing_extensions import TypedDict

import rules
from decks.checking.declarations import known_declarations, read_declarations
from decks.checking.records import verdict_from_json
from decks.editions.domain.content import UsedList
from decks.matching.reading import CheckedLine, LineSuggestion
from decks.matching.reading import reasons_from_json as stored_reasons
from decks.shared.refusals import refuse_all
from decks.submissions.exchanges import MovedCard
from rules.endings import ENDINGS
from rules.overlay import Overlay
from rules.reason import TOLD, Reason, Reference, iter_references, params_from_json, reasons_from_json
from tournament.clock.options import parse_clock_options
from tournament.engine.boards import BOARD_PARTS
from tournament.events.settings import parse_plan
from tournament.pairing.options import parse_pairing_options
from tournament.setup.services.settings import reserved_table_problems
from tournament.shared.awards import validate_prizes
from tournament.standings.pods import parse_place_points

STRICT = ConfigDict(strict=True, extra="forbid")
# Errors that values of a wrong type, size or nesting raise when they are read.
UNREADABLE = (LookupError, TypeError, AttributeError, ValueError, OverflowError, RecursionError)

Reader = Callable[[Any], object]


@with_config(STRICT)
class _Entry(TypedDict):
    zone: str
    card: str | None
    printing: str | None
    name: str
    qty: int | None
    line: int


@with_config(STRICT)
class _Reason(TypedDict):
    code: str
    params: dict[str, JsonValue]


@with_config(STRICT)
class _Change(TypedDict):
    action: Literal["add", "remove", "set"]
    zone: str
    qty: int
    card: str | None
    wanted: dict[str, JsonValue] | None


@with_config(STRICT)
class _Fix(TypedDict):
    changes: list[_Change]
    reasons: NotRequired[list[_Reason]]
    sentence: NotRequired[str]


@with_config(STRICT)
class _Fact(TypedDict):
    fact: str
    card: str | None
    name: str | None
    detail: NotRequired[str | int | None]


@with_config(STRICT)
class _Finding(TypedDict):
    """A finding; rows older than its reasons have sentences in place of them."""

    rule: str
    clause: str
    document: str
    version: str
    code: str
    severity: Literal["error", "unknown", "warning", "note"]
    reasons: NotRequired[list[_Reason]]
    message: NotRequired[str]
    cards: list[str]
    lines: list[int]
    limit: JsonValue
    found: JsonValue
    fix: _Fix | None
    follows_from: str | None
    facts: list[_Fact]
    overlay: NotRequired[str | None]


@with_config(STRICT)
class _Verdict(TypedDict):
    verdict: Literal["legal", "illegal", "unknown"]
    game: str
    format: str
    rules: str
    document: str
    editions: list[str | _Reason]
    overlay: str | None
    unknowns: list[_Fact]
    findings: list[_Finding]


@with_config(STRICT)
class _Line(TypedDict):
    """A line of a list; rows older than its reasons have sentences in place of them."""

    number: int
    text: str
    kind: str
    is_resolved: bool
    status: str
    qty: int | None
    name: str
    zone: str
    card_key: str | None
    printing_key: str | None
    place: str
    found_by: NotRequired[str]
    how: NotRequired[str]
    is_certain: bool
    reasons: NotRequired[list[_Reason]]
    notes: NotRequired[list[str]]
    suggestions: list[LineSuggestion]
    may_be: NotRequired[list[str]]
    other_qty: NotRequired[int | None]


@with_config(STRICT)
class _AddedCard(TypedDict):
    key: str
    name: str
    facts: dict[str, JsonValue]


@with_config(STRICT)
class _StoredJudgedUnder(TypedDict):
    format: str
    format_name: str
    rules: str
    document: str
    editions: list[str | _Reason]
    lists: NotRequired[list[UsedList]]
    on: NotRequired[str | None]
    overlay: dict[str, JsonValue] | None
    cards: NotRequired[list[_AddedCard]]
    local_rules: list[str | _Reason]
    problems: NotRequired[list[str | _Reason]]
    notices: NotRequired[list[str | _Reason]]


# Some of their keys are words of Python, which a class cannot have.
_ManualChange = TypedDict(
    "_ManualChange",
    {
        "move": str, "one": NotRequired[int], "two": NotRequired[int], "from": NotRequired[int | None],
        "to": NotRequired[int], "side": NotRequired[int], "why": NotRequired[dict[str, JsonValue]],
    },
)  # fmt: skip

_Decision = TypedDict(
    "_Decision",
    {"player": int, "rank": int, "in": bool, "reason": JsonValue, "clause": str},
)
for _shape in (_ManualChange, _Decision):
    with_config(STRICT)(_shape)


@with_config(STRICT)
class _Pairing(TypedDict, total=False):
    attempt: int
    forbidden: int
    rematches: int
    third_meetings: int
    immediate: int
    bye_score: str | None
    floats: str
    unwished: int
    small_again: int
    lower_bound: str
    sizes: list[int]
    proved: bool
    method: str
    remarks: JsonValue
    by_hand: list[_ManualChange]
    resting: list[int]


_Board = Annotated[list[Annotated[int, Ge(0)]], Len(BOARD_PARTS, BOARD_PARTS)]
_Details = dict[str, bool | int | dict[Literal["p1", "p2"], int]]


def _make_reader(shape: Any) -> Reader:
    """Return a reader that accepts only JSON values of one type.

    It does not convert one type into another.
    """
    adapter = TypeAdapter(shape)
    return lambda value: adapter.validate_json(json.dumps(value), strict=True)


def _one_of(words: Collection[str]) -> Reader:
    return _make_reader(Literal[tuple(words)])


def _read_lines(value: Any) -> object:
    _typed_lines(value)
    return [CheckedLine.from_json(each) for each in value]


def _read_verdict(value: Any) -> object:
    _typed_verdict(value)
    return verdict_from_json(value)


def _read_judged_under(value: Any) -> object:
    _typed_judged_under(value)
    parts = ("editions", "local_rules", "problems", "notices")
    return [stored_reasons(value.get(part, ())) for part in parts], _read_overlay(value["overlay"])


def _read_selection(value: Any) -> object:
    _typed_selection(value)
    return [Reason.from_json(row["reason"]) for row in value]


def _read_pairing(value: Any) -> object:
    _typed_pairing(value)
    changes = value.get("by_hand", [])
    reasons = [reasons_from_json(each) for change in changes for each in change.get("why", {}).values()]
    return [*reasons, reasons_from_json(value.get("remarks", []))]


def _read_plan(value: Any) -> object:
    return parse_plan(value), [stage["kind"] for stage in value]


def _read_place_points(value: Any) -> object:
    if parse_place_points(_typed_place_points(value)) != value:
        raise ValueError("these are no points by place")
    return value


def _read_overlay(value: Any) -> object:
    if value is not None and not isinstance(value, dict):
        raise TypeError("is not an object")
    return Overlay.from_mapping(value or {})


def _read_options(value: Any) -> object:
    if not isinstance(value, dict):
        raise TypeError("is not an object")
    declarations = known_declarations()
    declared_columns = {name: each for name, each in value.items() if name in declarations}
    _typed_options({name: each for name, each in value.items() if name not in declarations})
    return read_declarations(declared_columns, frozenset(declarations))


# References that a log line may have: to rows by their position, and to things with a number.
LOG_REFERENCES = frozenset({"player", "entry", "round", "place", "table", "stage", "card"})
# More than the references to all players of the largest event.
MAX_PARAMS = 500_000


def _read_log_params(value: Any) -> object:
    params = params_from_json(value)
    if len(json.dumps(value)) > MAX_PARAMS:
        raise ValueError("the facts are too long")
    if not _is_told(params.get(TOLD, "")):
        raise TypeError("what was told is no text")
    for each in iter_references(tuple(params.values())):
        has_number = type(each.key) is int
        if each.kind not in LOG_REFERENCES or (each.kind in ("player", "entry") and not has_number):
            raise ValueError("a reference leads out of the event")
    return params


def _is_told(words: object) -> bool:
    """Return whether a value is a sentence, or its parts.

    The parts are texts, and the players between them.
    """
    if not isinstance(words, tuple):
        return isinstance(words, str)
    return all(
        isinstance(each, str) or (isinstance(each, Reference) and each.kind == "player") for each in words
    )


_typed_lines = _make_reader(list[_Line])
_typed_verdict = _make_reader(_Verdict)
_typed_selection = _make_reader(list[_Decision])
_typed_pairing = _make_reader(_Pairing)
_typed_judged_under = _make_reader(_StoredJudgedUnder)
_typed_place_points = _make_reader(list[str])
_typed_options = _make_reader(dict[str, bool | int | str | None])
_typed_ending = _make_reader(
    Literal[("", *ENDINGS, *(ending.key for game in rules.games() for ending in game.endings))]
)

READERS: Mapping[tuple[str, str], Reader] = {
    ("logentry", "params"): _read_log_params,
    ("event", "slug"): _make_reader(Annotated[str, MinLen(1)]),
    ("decklist", "game"): _make_reader(Literal[tuple(game.key for game in rules.games())]),
    ("decklist", "format_key"): _make_reader(
        Literal[tuple({key for game in rules.games() for key in game.formats})]
    ),
    ("event", "overlay"): _read_overlay,
    ("event", "plan"): _read_plan,
    ("event", "pairing_options"): parse_pairing_options,
    ("event", "reserved_tables"): lambda value: refuse_all(list(reserved_table_problems(value))),
    ("event", "prizes"): validate_prizes,
    ("event", "clock_options"): parse_clock_options,
    ("event", "screen"): _make_reader(list[str]),
    ("event", "place_points"): _read_place_points,
    ("stage", "selection"): _read_selection,
    ("round", "pairing"): _read_pairing,
    ("match", "why"): reasons_from_json,
    ("match", "ending"): _typed_ending,
    ("resultreport", "ending"): _typed_ending,
    ("match", "details"): _make_reader(_Details),
    ("match", "boards"): _make_reader(list[_Board]),
    ("resultreport", "boards"): _make_reader(list[_Board | None]),
    ("resultreport", "details"): _make_reader(_Details),
    ("resultreport", "places"): _make_reader(list[Annotated[int, Ge(1)]]),
    ("timesettlement", "reasons"): reasons_from_json,
    ("player", "members"): _make_reader(list[str]),
    # The game decides which of them are declared: the row itself is checked when it is restored.
    ("player", "details"): _make_reader(dict[str, bool | int | str]),
    # A part of addresses that no one can guess.
    ("player", "token"): _make_reader(Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9_-]{20,32}$")]),
    ("timesettlement", "facts"): _make_reader(dict[str, bool | int | str | None]),
    ("exchangecheck", "taken_out"): _make_reader(list[MovedCard]),
    ("exchangecheck", "brought_in"): _make_reader(list[MovedCard]),
    ("exchangecheck", "verdict"): _read_verdict,
    ("checkdraw", "pool"): _make_reader(list[int]),
    ("checkdraw", "passed_over"): _make_reader(list[int]),
    ("checkdraw", "tables"): _make_reader(list[int]),
    ("deckcheck", "ticks"): _make_reader(list[int]),
    ("deckversion", "lines"): _read_lines,
    ("deckversion", "entries"): _make_reader(list[_Entry]),
    ("deckversion", "verdict"): _read_verdict,
    ("deckversion", "judged_under"): _read_judged_under,
    ("deckversion", "options"): _read_options,
    ("addedcard", "facts"): _make_reader(dict[str, JsonValue]),
    ("rechecked", "causes"): reasons_from_json,
    ("rechecked", "verdict"): _read_verdict,
    ("rechecked", "judged_under"): _read_judged_under,
}


def refuse_unreadable(field: models.Field[Any, Any], value: Any) -> None:
    """Raise for a JSON value that the pages of an event could not read.

    Refused with what is wrong, where the column has rules of its own, else ValidationError.
    """
    reader = READERS.get((str(field.model._meta.model_name), field.name))
    if reader is None:
        return
    try:
        reader(value)
    except UNREADABLE as error:
        raise ValidationError(gettext("does not fit this column"), code="json_unreadable") from error
