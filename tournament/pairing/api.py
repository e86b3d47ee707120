"""Pairing API: rounds, drafts, manual changes, player facts and forbidden pairs."""

from __future__ import annotations

from typing import Any, TypedDict, cast

from django.db.models import Prefetch
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from decks.shared.api_requests import StrictModelSerializer, StrictSerializer, read_body, refuse_body
from decks.shared.api_responses import ProblemsSerializer
from decks.shared.dataclass_serializers import serializer_of
from decks.shared.refusals import Conflict, Refused
from rules.reason import reasons_from_json
from tournament.access.permissions import Right
from tournament.events.models.event import Event
from tournament.events.models.player import ForbiddenPair, Player
from tournament.events.models.round import Match, Round
from tournament.events.names import EventNames
from tournament.events.stated_reasons import state_reasons
from tournament.pairing.api_shapes import CostSerializer as CostSerializer
from tournament.pairing.api_shapes import WarningSerializer as WarningSerializer
from tournament.pairing.selectors.drafts import (
    DraftView,
    fingerprint_draft,
    load_draft_view,
)
from tournament.pairing.services import drafts, player_facts, rounds
from tournament.pairing.services.draft_repair import report_draft_changes
from tournament.pairing.services.warming import request_warm_round
from tournament.shared.links import get_base_url
from tournament.web.api import (
    READ_REFUSALS,
    REFUSALS,
    EventView,
    MatchSerializer,
    PublicMatchSerializer,
    add_draft_changes,
    conflict_response,
)


class PublicRoundSerializer(StrictModelSerializer):
    """One round with its tables, as anyone may see it."""

    stage = serializers.IntegerField(source="stage.position")
    matches = PublicMatchSerializer(many=True)
    pairing = serializers.SerializerMethodField(
        help_text="Cost and certificate of the pairing, its drawbacks and manual changes."
    )
    mark = serializers.SerializerMethodField(
        help_text="Mark of the tables of a draft. Send it as `seen` to publish exactly them."
    )

    class Meta:
        model = Round
        fields = [
            "stage", "number", "state", "seed", "pairing", "published_at", "amended_at", "finished_at",
            "mark", "matches",
        ]  # fmt: skip

    def get_pairing(self, round_: Round) -> dict[str, Any]:  # Any: makes its schema
        """Return what is kept with the round, with its remarks in words.

        It takes at most two queries.
        """
        pairing = dict(round_.pairing)
        if "remarks" in pairing:
            remarks = reasons_from_json(pairing["remarks"])
            stated_remarks = state_reasons(remarks, EventNames().collect(remarks))
            pairing["remarks"] = [each.to_json() for each in stated_remarks]
        if "by_hand" in pairing:
            pairing["by_hand"] = [
                {name: value for name, value in change.items() if name != "why"}
                for change in pairing["by_hand"]
            ]
        return pairing

    def get_mark(self, round_: Round) -> str | None:
        """Return what someone saw who looked at the tables of a draft."""
        return fingerprint_draft(round_) if round_.is_draft else None


class RoundSerializer(PublicRoundSerializer):
    """One round with its tables, as staff see it."""

    matches = MatchSerializer(many=True)


class PairSerializer(StrictSerializer):
    """The round to pair. The same request twice pairs it once."""

    number = serializers.IntegerField(required=False, min_value=1, max_value=99)


class PublishSerializer(StrictSerializer):
    """Send `confirm` to accept the warnings about manual changes."""

    confirm = serializers.BooleanField(default=False)
    seen = serializers.CharField(
        required=False,
        max_length=40,
        help_text="The draft's `mark`. Leave it out to publish the current tables.",
    )


class StaleRoundSerializer(ProblemsSerializer):
    """A refusal. `now` is the round as it is, or null if it no longer exists."""

    now = RoundSerializer(allow_null=True, required=False)


def _prefetch_matches(queryset: Any) -> Any:
    tables = Match.objects.select_related("p1", "p2").order_by("table", "pk")
    return queryset.select_related("stage__event").prefetch_related(Prefetch("matches", tables))


def serialize_round(round_: Round, shape: type[PublicRoundSerializer] = RoundSerializer) -> dict[str, object]:
    """Return a round with its tables as data."""
    return shape(_prefetch_matches(Round.objects.filter(pk=round_.pk)).get()).data


class RoundsView(EventView):
    """A view of rounds, which show staff more than the public."""

    def shape(self, event: Event) -> type[PublicRoundSerializer]:
        """Return what the person asking may see of a round."""
        return RoundSerializer if self.may(event, Right.SCORE) else PublicRoundSerializer


class Rounds(RoundsView):
    """The rounds of an event."""

    @extend_schema(
        summary="List the rounds with their tables (only staff see drafts)",
        responses={200: RoundSerializer(many=True), **READ_REFUSALS},
    )
    def get(self, request: Request, slug: str) -> Response:
        event = self.event()
        rounds_query = Round.objects.filter(stage__event=event)
        if not self.may(event, Right.SEE):
            rounds_query = rounds_query.exclude(state=Round.State.DRAFT)
        return Response(self.shape(event)(_prefetch_matches(rounds_query), many=True).data)

    @extend_schema(
        summary="Pair the next round as a draft",
        request=PairSerializer,
        responses={200: RoundSerializer, **REFUSALS},
    )
    def post(self, request: Request, slug: str) -> Response:
        event = self.event(Right.PAIR)
        values = read_body(PairSerializer, request)
        return Response(serialize_round(rounds.pair_next_round(event, self.actor, **values)))


class OneRound(RoundsView):
    """One round."""

    @extend_schema(summary="Show a round", responses={200: RoundSerializer, **READ_REFUSALS})
    def get(self, request: Request, slug: str, stage: int, number: int) -> Response:
        event = self.event()
        return Response(serialize_round(self.round(event), self.shape(event)))

    @extend_schema(summary="Discard a draft", responses={204: None, **REFUSALS})
    def delete(self, request: Request, slug: str, stage: int, number: int) -> HttpResponse:
        rounds.delete_draft(self.round(self.event(Right.PAIR)), self.actor)
        return Response(status=204)


ROUND_ACTIONS = ("again", "publish")


class RoundAction(EventView):
    """A step of a draft."""

    @extend_schema(
        operation_id="events_rounds_step",
        summary="Publish a draft, or pair it again",
        parameters=[OpenApiParameter("action", str, OpenApiParameter.PATH, enum=ROUND_ACTIONS)],
        request=PublishSerializer,
        responses={200: RoundSerializer, **REFUSALS, 409: StaleRoundSerializer},
    )
    def post(self, request: Request, slug: str, stage: int, number: int, action: str) -> Response:
        if action not in ROUND_ACTIONS:
            raise Http404
        draft = self.round(self.event(Right.PAIR))
        if action == "again":
            refuse_body(request)
            return Response(serialize_round(rounds.pair_round_again(draft, self.actor)))
        values = read_body(PublishSerializer, request)
        try:
            published_round = rounds.publish_round(
                draft,
                self.actor,
                is_confirmed=values["confirm"],
                seen_mark=values.get("seen"),
            )
        except Conflict as conflict:
            return conflict_response(conflict, self._to_json())
        request_warm_round(published_round, self.actor, get_base_url(request))
        return Response(serialize_round(published_round))

    def _to_json(self) -> dict[str, object] | None:
        """Return the round of the address in its current state, if there is one."""
        places = {"stage__position": self.kwargs["stage"], "number": self.kwargs["number"]}
        current_round = Round.objects.filter(stage__event__slug=self.kwargs["slug"], **places).first()
        return serialize_round(current_round) if current_round else None


MAX_NUMBER = 1_000_000


DraftSerializer = serializer_of(
    DraftView,
    "DraftSerializer",
    "Warnings about a draft. Those with `by_hand` must be confirmed to publish it.",
)


class ManualChangeValues(TypedDict, total=False):
    """The request for one change by hand."""

    swap: list[int]
    bye: int
    table: int
    player: int
    to: int


class ChangeSerializer(StrictSerializer):
    """One manual change to the pairings.

    It swaps two players, gives one the bye, or moves a match to another table. At tables of more than two
    sides, `player` and `to` move a player to another table.
    """

    swap = serializers.ListField(
        child=serializers.IntegerField(min_value=1, max_value=MAX_NUMBER),
        min_length=2,
        max_length=2,
        required=False,
    )
    bye = serializers.IntegerField(min_value=1, max_value=MAX_NUMBER, required=False)
    table = serializers.IntegerField(min_value=1, max_value=MAX_NUMBER, required=False)
    player = serializers.IntegerField(min_value=1, max_value=MAX_NUMBER, required=False)
    to = serializers.IntegerField(min_value=1, max_value=MAX_NUMBER, required=False)


class FactsSerializer(StrictModelSerializer):
    """The pairing preferences of a player."""

    class Meta:
        model = Player
        fields = list(player_facts.PAIRING_FACTS)


ChangedFactsSerializer = add_draft_changes(
    FactsSerializer, "ChangedFactsSerializer", "The changed pairing preferences of a player."
)


class ForbiddenPairSerializer(StrictModelSerializer):
    """A blocked pairing of two players, by number."""

    one = serializers.IntegerField(source="one.number", min_value=1, max_value=MAX_NUMBER)
    two = serializers.IntegerField(source="two.number", min_value=1, max_value=MAX_NUMBER)

    class Meta:
        model = ForbiddenPair
        fields = ["id", "one", "two", "reason"]


NewForbiddenPairSerializer = add_draft_changes(
    ForbiddenPairSerializer, "NewForbiddenPairSerializer", "A pairing to block."
)


class DraftChanges(EventView):
    """Manual changes of a draft."""

    @extend_schema(
        summary="Show the warnings about a draft and the cost of manual changes",
        responses={200: DraftSerializer, **REFUSALS},
    )
    def get(self, request: Request, slug: str, stage: int, number: int) -> Response:
        draft = self.round(self.event(Right.SEE))
        view = load_draft_view(draft) if draft.is_draft else DraftView((), (), ())
        return Response(DraftSerializer(view).data)

    @extend_schema(
        summary="Change a draft manually",
        request=ChangeSerializer,
        responses={200: RoundSerializer, **REFUSALS},
    )
    def post(self, request: Request, slug: str, stage: int, number: int) -> Response:
        draft = self.round(self.event(Right.PAIR))
        values = cast(ManualChangeValues, read_body(ChangeSerializer, request))
        return Response(serialize_round(self._change(draft, values)))

    def _change(self, draft: Round, values: ManualChangeValues) -> Round:
        if values.keys() == {"swap"}:
            return drafts.swap_players(draft, self.actor, *values["swap"])
        if values.keys() == {"bye"}:
            return drafts.give_bye(draft, self.actor, values["bye"])
        if values.keys() == {"table", "to"}:
            return drafts.move_to_table(draft, self.actor, values["table"], values["to"])
        if values.keys() == {"player", "to"}:
            return drafts.move_to_other_table(draft, self.actor, values["player"], values["to"])
        raise Refused("change_unclear")

    @extend_schema(
        operation_id="events_rounds_changes_take_back",
        summary="Undo the last manual change",
        responses={204: None, **REFUSALS},
    )
    def delete(self, request: Request, slug: str, stage: int, number: int) -> HttpResponse:
        drafts.undo_last_change(self.round(self.event(Right.PAIR)), self.actor)
        return Response(status=204)


class PlayerPairingFacts(EventView):
    """The pairing preferences of a player, for staff."""

    @extend_schema(
        summary="Show the club, seed, rating, fixed table and assigned byes of a player",
        responses={200: FactsSerializer, **READ_REFUSALS},
    )
    def get(self, request: Request, slug: str, number: int) -> Response:
        return Response(FactsSerializer(self.player(self.event(Right.SEE))).data)

    @extend_schema(
        summary="Change the pairing preferences of a player",
        request=FactsSerializer(partial=True),
        responses={200: ChangedFactsSerializer, **REFUSALS},
    )
    def patch(self, request: Request, slug: str, number: int) -> Response:
        event = self.event(Right.PLAYERS)
        player = self.player(event)
        values = read_body(FactsSerializer, request, instance=player, partial=True)
        _, changes = report_draft_changes(
            event, lambda: player_facts.change_player_facts(player, self.actor, **values)
        )
        return Response(ChangedFactsSerializer(player, context={"draft_changes": changes}).data)


class ForbiddenPairs(EventView):
    """Blocked pairings, for staff."""

    @extend_schema(
        summary="List the blocked pairings",
        responses={200: ForbiddenPairSerializer(many=True), **READ_REFUSALS},
    )
    def get(self, request: Request, slug: str) -> Response:
        pairs = self.event(Right.SEE).forbidden_pairs.select_related("one", "two")
        return Response(ForbiddenPairSerializer(pairs, many=True).data)

    @extend_schema(
        summary="Block a pairing",
        request=ForbiddenPairSerializer,
        responses={201: NewForbiddenPairSerializer, **REFUSALS},
    )
    def post(self, request: Request, slug: str) -> Response:
        event = self.event(Right.MANAGE)
        values = read_body(ForbiddenPairSerializer, request)
        one, two = values["one"]["number"], values["two"]["number"]
        pair, changes = report_draft_changes(
            event, lambda: player_facts.forbid_pair(event, self.actor, one, two, reason=values["reason"])
        )
        context = {"draft_changes": changes}
        return Response(NewForbiddenPairSerializer(pair, context=context).data, status=201)


class OneForbiddenPair(EventView):
    """A blocked pairing."""

    @extend_schema(summary="Allow a blocked pairing", responses={204: None, **REFUSALS})
    def delete(self, request: Request, slug: str, pair: int) -> HttpResponse:
        event = self.event(Right.MANAGE)
        forbidden_pair = get_object_or_404(event.forbidden_pairs.select_related("event"), pk=pair)
        player_facts.allow_pair(forbidden_pair, self.actor)
        return Response(status=204)
