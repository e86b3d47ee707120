"""Shapes of the API of player tables.

They are what is submitted, and what a preview or an import answers.
"""

from __future__ import annotations

from rest_framework import serializers

from decks.shared.api_requests import StrictSerializer, optional_text
from decks.shared.api_responses import ProblemSerializer, StatedReasonSerializer
from decks.shared.dataclass_serializers import serializer_of
from tournament.registration import player_csv
from tournament.registration.services import import_plan
from tournament.web.api import DraftChangesField


class TableSerializer(StrictSerializer):
    """Players as CSV."""

    csv = serializers.CharField()


class ChosenColumnSerializer(StrictSerializer):
    """The value that a column is read as."""

    column = serializers.IntegerField(min_value=1, help_text="Place of the column, from 1.")
    read_as = optional_text(80, help_text="Name of a column of a player table. Empty ignores the column.")


class ChosenPersonSerializer(StrictSerializer):
    """The player of a line with a known name."""

    line = serializers.IntegerField(min_value=1, help_text="Line of the table, as in the preview.")
    player = serializers.IntegerField(
        min_value=1, allow_null=True, help_text="Number of the player, or null for someone else."
    )


class NewTableSerializer(StrictSerializer):
    """A table to import. Without `mark`, it is only previewed.

    Send the same `has_header`, `columns` and `persons` with the mark as in the preview.
    """

    csv = serializers.CharField(max_length=player_csv.MAX_BYTES, trim_whitespace=False)
    mark = optional_text(64, help_text="Mark of the preview to apply.")
    has_header = serializers.BooleanField(
        required=False,
        allow_null=True,
        default=None,
        help_text="Whether the first line has headings. Null leaves it to the table.",
    )
    columns = ChosenColumnSerializer(many=True, required=False, default=list)
    persons = ChosenPersonSerializer(many=True, required=False, default=list)


TableColumnSerializer = serializer_of(
    player_csv.CsvColumn,
    "TableColumnSerializer",
    "A column of the table.",
    help_texts={
        "column": "Place of the column, from 1.",
        "samples": "The first values.",
        "read_as": "Empty if the column is not read.",
        "is_known": "Whether the column is read by its heading.",
    },
)

PlannedSerializer = serializer_of(
    import_plan.PlannedLine,
    "PlannedSerializer",
    "The effect of a line.",
    help_texts={
        "player": "Number of the player whom the line changes.",
        "is_someone_else": "Whether `persons` makes the line a new player of a known name.",
        "namesakes": "Numbers of the players of this name, if only the name shows who it is.",
    },
    fields={
        "problems": ProblemSerializer(
            source="problem_records", many=True, read_only=True, help_text="The reasons for the refusal."
        )
    },
)


class PlanSerializer(StrictSerializer):
    """The effects of a table, line by line.

    If no column has names, a preview has the columns, no lines and no mark, and a problem.
    """

    written = serializers.BooleanField()
    mark = serializers.CharField(allow_blank=True)
    notes = StatedReasonSerializer(many=True, help_text="Parts that were not read, or not as expected.")
    has_header = serializers.BooleanField(help_text="Whether the first line was read as headings.")
    columns = TableColumnSerializer(many=True)
    lines = PlannedSerializer(many=True)
    problems = ProblemSerializer(many=True)
    draft_changes = DraftChangesField()
