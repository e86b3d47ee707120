"""API of changes of published rounds: preview and change."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from decks.shared.api_requests import StrictSerializer, read_body
from decks.shared.api_responses import ProblemSerializer, ProblemsSerializer, StatedReasonSerializer
from decks.shared.dataclass_serializers import serializer_of
from decks.shared.refusals import Conflict, Refused
from tournament.access import permissions
from tournament.access.permissions import Right
from tournament.amendments.selectors import Notice, state_moves_to_tell
from tournament.amendments.services.changes import WAYS, ChangeKind, RoundChange, change_round
from tournament.amendments.services.preview import ChangeColumn, ChangePreview, preview_change
from tournament.amendments.services.seats import RESULTS, UNPAIRED, ResultPolicy, UnpairedPolicy
from tournament.events.models.round import Round
from tournament.pairing.api_shapes import CostSerializer as CostSerializer
from tournament.pairing.api_shapes import WarningSerializer as WarningSerializer
from tournament.results.api_shapes import MoveSerializer as MoveSerializer
from tournament.results.api_shapes import TableChangeSerializer as TableChangeSerializer
from tournament.results.services.writing import RepairStrategy
from tournament.web.api import REFUSALS, EventView, conflict_response

MAX_NUMBER = 1_000_000


def _number(help_text: str) -> serializers.IntegerField:
    return serializers.IntegerField(
        required=False, allow_null=True, default=None, min_value=1, max_value=MAX_NUMBER, help_text=help_text
    )


class RoundChangeSerializer(StrictSerializer):
    """A change of a published round.

    It is `swap`, `move`, `replace`, `add`, `cancel` or `seat`. `seat` moves player `one` to table `to` of
    more than two sides. There is no `add` at such tables.
    """

    kind = serializers.ChoiceField(choices=list(ChangeKind))
    one = _number("Number of the first player: who swaps, leaves the match, or plays in the new pair.")
    two = _number("Number of the second player: who swaps, comes into the match, or plays in the new pair.")
    table = _number("Table of the match to move or cancel.")
    to = _number("New table of the match, or of a new pair. Leave it out for a new pair to use a free one.")
    results = serializers.ChoiceField(
        choices=RESULTS,
        default=ResultPolicy.KEEP.value,
        help_text="Results of tables that get another player: `keep` if they were played so, else `clear`.",
    )
    unpaired = serializers.ChoiceField(
        choices=UNPAIRED,
        default=UnpairedPolicy.LOSS.value,
        help_text="What a player who loses their match has of the round.",
    )


class ConfirmedChangeSerializer(RoundChangeSerializer):
    """The same with the choice for the open tables.

    `plan` is the mark of the previewed choice.
    """

    way = serializers.ChoiceField(choices=WAYS, default=RepairStrategy.LEAVE.value)
    plan = serializers.CharField(required=False, max_length=40)
    reason = serializers.CharField(required=False, allow_blank=True, max_length=400, default="")


NoticeSerializer = serializer_of(Notice, "NoticeSerializer", "A player who must be told of a new place.")
ColumnSerializer = serializer_of(
    ChangeColumn,
    "ColumnSerializer",
    "A choice: tables that change, cost beside the best, and players to tell. Send its `plan` to choose it.",
    fields={
        "refusal": ProblemSerializer(
            source="refusal_record", allow_null=True, help_text="Why this choice is not possible."
        )
    },
)
ChangePreviewSerializer = serializer_of(
    ChangePreview,
    "ChangePreviewSerializer",
    "The effects of a change of a published round. Nothing is saved.",
)


class StaleChangeSerializer(ProblemsSerializer):
    """A refusal.

    `now` is the preview as it is, or null if the change is no longer possible.
    """

    now = ChangePreviewSerializer(allow_null=True, required=False)


class ChangedRoundSerializer(StrictSerializer):
    """The step in the log, and the players to tell.

    The step is the one by which the change can be undone.
    """

    step = serializers.IntegerField(allow_null=True)
    tell = StatedReasonSerializer(many=True)


class RoundChangeView(EventView):
    """A view of changes of one round."""

    def read(
        self, shape: type[RoundChangeSerializer]
    ) -> tuple[Round, dict[str, Any]]:  # Any: of a serializer
        """Read the round and what was sent."""
        event = self.event(Right.PAIR)
        values = read_body(shape, self.request)
        if values["unpaired"] == UnpairedPolicy.DROP:
            permissions.require_right(self.request.user, event, Right.PLAYERS)
        return self.round(event), values


class AmendmentPreview(RoundChangeView):
    """The preview of a change."""

    @extend_schema(
        summary="Preview a change of a published round in each choice",
        request=RoundChangeSerializer,
        responses={200: ChangePreviewSerializer, **REFUSALS},
    )
    def post(self, request: Request, slug: str, stage: int, number: int) -> Response:
        round_, values = self.read(RoundChangeSerializer)
        preview = preview_change(round_, self.actor, RoundChange(**values))
        return Response(ChangePreviewSerializer(preview).data)


class Amendment(RoundChangeView):
    """A change of a published round."""

    @extend_schema(
        summary="Change a published round: swap, move, replace, add, cancel or seat",
        request=ConfirmedChangeSerializer,
        responses={200: ChangedRoundSerializer, **REFUSALS, 409: StaleChangeSerializer},
    )
    def post(self, request: Request, slug: str, stage: int, number: int) -> Response:
        round_, values = self.read(ConfirmedChangeSerializer)
        way, seen_plan, reason = values.pop("way"), values.pop("plan", None), values.pop("reason")
        change = RoundChange(**values)
        try:
            outcome = change_round(round_, self.actor, change, way=way, seen_mark=seen_plan, reason=reason)
        except Conflict as conflict:
            return conflict_response(conflict, self._preview_again(round_, change))
        moves = state_moves_to_tell(outcome.entry) if outcome.entry else []
        step = outcome.entry.pk if outcome.entry else None
        return Response(ChangedRoundSerializer({"step": step, "tell": moves}).data)

    def _preview_again(self, round_: Round, change: RoundChange) -> object:
        try:
            return ChangePreviewSerializer(preview_change(round_, self.actor, change)).data
        except Refused:
            return None
