"""Fields of the API.

They are parts of a result that are not plain numbers, and texts that can be codes.
"""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from tournament.engine.boards import BOARD_PARTS, SEAT_LETTERS
from tournament.shared.coded_texts import find_text_code, format_coded_text


@extend_schema_field(
    {
        "type": "object",
        "additionalProperties": {
            "oneOf": [
                {"type": "integer"},
                {"type": "boolean"},
                {
                    "type": "object",
                    "properties": {"p1": {"type": "integer"}, "p2": {"type": "integer"}},
                    "additionalProperties": False,
                },
            ]
        },
    }
)
class ResultDetailsField(serializers.DictField):
    """Further facts of a result. Each game has its own keys."""


class BoardsField(serializers.ListField):
    """The boards of a team match by seat (in a report, null for one still open)."""

    child = serializers.ListField(
        child=serializers.IntegerField(min_value=0, max_value=99),
        min_length=BOARD_PARTS,
        max_length=BOARD_PARTS,
        allow_null=True,
    )

    def __init__(self, **options: Any) -> None:
        super().__init__(**{"max_length": len(SEAT_LETTERS), **options})


class CodedTextField(serializers.CharField):
    """A text of people, or what the code of Ringside stands for, in words."""

    def to_representation(self, value: str) -> str:
        """Return the words."""
        return format_coded_text(value)


class TextCodeField(serializers.CharField):
    """The code of such a text; empty where people wrote it."""

    def __init__(self, **options: Any) -> None:
        super().__init__(read_only=True, **options)

    def to_representation(self, value: str) -> str:
        """Return the code."""
        return find_text_code(value)
