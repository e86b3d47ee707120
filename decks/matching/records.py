"""Lines and entries of lists as they are stored."""

from __future__ import annotations

from typing import Literal, NotRequired, TypedDict

LineKind = Literal["card", "section", "comment", "blank", "problem"]


class EntryRecord(TypedDict):
    """A number of copies of a card in a part of a list.

    `card` is None for one that no catalogue holds.
    """

    zone: str
    card: str | None
    printing: str | None
    name: str
    qty: int | None
    line: int | None


class SuggestionRecord(TypedDict):
    """A card that a line may mean."""

    label: str
    card_key: NotRequired[str]
    printing_key: NotRequired[str | None]


class LineRecord(TypedDict):
    """A line of a list.

    One from before there were codes has sentences as `notes` and words as `how`.
    """

    number: int
    text: str
    kind: LineKind
    is_resolved: NotRequired[bool]
    status: NotRequired[str]
    qty: NotRequired[int | None]
    name: NotRequired[str]
    zone: NotRequired[str]
    card_key: NotRequired[str | None]
    printing_key: NotRequired[str | None]
    place: NotRequired[str]
    found_by: NotRequired[str]
    how: NotRequired[str]
    is_certain: NotRequired[bool]
    reasons: NotRequired[list[object]]
    notes: NotRequired[list[str]]
    suggestions: list[SuggestionRecord]
    may_be: NotRequired[list[str]]
    other_qty: NotRequired[int | None]
