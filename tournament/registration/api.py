"""Player API: registration, check-in, details, CSV, duplicates, private links."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.http import Http404
from drf_spectacular.utils import OpenApiParameter, PolymorphicProxySerializer, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from decks.shared.api_requests import StrictSerializer, optional_text, read_body
from decks.shared.refusals import Refused
from decks.shared.stated_reasons import StatedReason, state_reason
from tournament.access import permissions
from tournament.access.permissions import Right
from tournament.accounts import services as account_services
from tournament.events.models.event import Event
from tournament.events.models.player import Player
from tournament.pairing.services.draft_repair import report_draft_changes
from tournament.registration import import_body, player_csv
from tournament.registration import services as registration
from tournament.registration.api_shapes import NewTableSerializer, PlanSerializer, TableSerializer
from tournament.registration.import_choices import ImportChoices
from tournament.registration.player_csv import PlayerCsv, export_player_csv
from tournament.registration.selectors import not_checked_in_players
from tournament.registration.services import contact, import_plan, player_import
from tournament.registration.services.entry import MISSED_AS_LOSS, MISSED_ROUND_CHOICES
from tournament.registration.services.player_actions import PLAYER_ACTIONS
from tournament.web import api as web_api
from tournament.web.api import (
    READ_REFUSALS,
    REFUSALS,
    EventView,
    PublicPlayerSerializer,
    add_draft_changes,
)


class NewPlayerSerializer(StrictSerializer):
    """A player to register or add."""

    name = serializers.CharField(max_length=80)
    email = serializers.EmailField(required=False, allow_blank=True, default="")
    character = optional_text(80)
    members = serializers.ListField(child=serializers.CharField(max_length=80), required=False, max_length=6)
    details = web_api.DetailsField(required=False, default=dict)
    is_namesake = serializers.BooleanField(
        required=False, default=False, help_text="Confirms that this is another person with the same name."
    )


class ChangedDetailsSerializer(NewPlayerSerializer):
    """The details of a player."""

    character_reason = serializers.CharField(
        required=False,
        allow_blank=True,
        max_length=400,
        default="",
        help_text="Why an organizer corrects a declared character after the start.",
    )


class LatePlayerSerializer(NewPlayerSerializer):
    """A player whom staff adds, before or during the rounds."""

    missed = serializers.ChoiceField(
        choices=MISSED_ROUND_CHOICES,
        required=False,
        default=MISSED_AS_LOSS,
        help_text="Result of each missed round.",
    )


class MergeSerializer(StrictSerializer):
    """The other registration of the same person."""

    double = serializers.IntegerField(min_value=1, help_text="Number of the other registration.")


class RegisteredSerializer(PublicPlayerSerializer):
    """A new registration.

    The token is the private link, or null for staff without the right `links`.
    """

    token = serializers.SerializerMethodField(help_text="Shown only here.")

    def get_token(self, player: Player) -> str | None:
        """The token, unless `rights` in the context lack the right to it."""
        return player.token if Right.LINKS in self.context.get("rights", permissions.ALL_RIGHTS) else None

    class Meta(PublicPlayerSerializer.Meta):
        fields = [*PublicPlayerSerializer.Meta.fields, "token"]


AddedPlayerSerializer = add_draft_changes(
    RegisteredSerializer,
    "AddedPlayerSerializer",
    "An added player, and the effects on an existing draft.",
)
ChangedPlayerSerializer = add_draft_changes(
    web_api.PlayerSerializer,
    "ChangedPlayerSerializer",
    "A player after a step, and the effects on an existing draft.",
)


class LinkSentSerializer(StrictSerializer):
    """The private link is sent by email.

    The answer does not show whether the email was registered before.
    """

    sent_to = serializers.EmailField()


ANY_PLAYER = PolymorphicProxySerializer(
    component_name="AnyPlayer",
    serializers=[web_api.PlayerSerializer, PublicPlayerSerializer],
    resource_type_field_name=None,
    many=True,
)


class Players(EventView):
    """The players of an event."""

    @extend_schema(
        summary="List the players (only staff who may change players see email addresses)",
        responses={200: ANY_PLAYER, **READ_REFUSALS},
    )
    def get(self, request: Request, slug: str) -> Response:
        event = self.event()
        rights = permissions.get_rights(request.user, event)
        staff = Right.SEE in rights
        players = event.players.all() if staff else event.players.exclude(status=Player.Status.WITHDRAWN)
        shape = web_api.PlayerSerializer if staff else web_api.PublicPlayerSerializer
        return Response(shape(players, many=True, context={"rights": rights}).data)

    @extend_schema(
        summary="Add a player",
        request=LatePlayerSerializer,
        responses={201: AddedPlayerSerializer, **REFUSALS},
    )
    def post(self, request: Request, slug: str) -> Response:
        event = self.event(Right.PLAYERS)
        values = read_body(LatePlayerSerializer, request)
        handling = values.pop("missed")
        player, changes = report_draft_changes(
            event, lambda: registration.add_player(event, self.actor, missed_handling=handling, **values)
        )
        context = {"rights": permissions.get_rights(request.user, event), "draft_changes": changes}
        return Response(AddedPlayerSerializer(player, context=context).data, status=201)


class Registration(EventView):
    """Registration by players, while registration is open."""

    authentication_classes: list[Any] = []

    @extend_schema(
        summary="Register yourself and get your private link",
        request=NewPlayerSerializer,
        responses={201: RegisteredSerializer, 202: LinkSentSerializer, **REFUSALS},
    )
    def post(self, request: Request, slug: str) -> Response:
        event = self.event()
        account_services.count_attempt(request, "register")
        values = read_body(NewPlayerSerializer, request)
        if contact.can_email_links():
            account_services.count_attempt(request, "email_link", f"{event.pk} {values['email']}")
            registration.register_by_email(event, **values)
            return Response(LinkSentSerializer({"sent_to": values["email"]}).data, status=202)
        player = registration.register(event, **values)
        return Response(RegisteredSerializer(player).data, status=201)


class OnePlayer(EventView):
    """One player, for staff."""

    @extend_schema(summary="Show a player", responses={200: web_api.PlayerSerializer, **READ_REFUSALS})
    def get(self, request: Request, slug: str, number: int) -> Response:
        return Response(self.describe_player(self.player(self.event(Right.SEE))))

    @extend_schema(
        summary="Change the details of a player",
        request=ChangedDetailsSerializer,
        responses={200: web_api.PlayerSerializer, **REFUSALS},
    )
    def put(self, request: Request, slug: str, number: int) -> Response:
        player = self.player(self.event(Right.PLAYERS))
        values = read_body(ChangedDetailsSerializer, request)
        if not self.may(player.event, Right.MANAGE):
            values["character_reason"] = None
        if values["email"] != player.email:
            permissions.require_right(request.user, player.event, Right.LINKS)
        registration.change_details(player, self.actor, **values)
        return Response(self.describe_player(Player.objects.get(pk=player.pk)))


ACTION_NAME = OpenApiParameter("action", str, OpenApiParameter.PATH, enum=sorted(PLAYER_ACTIONS))


class PlayerAction(EventView):
    """A step of a player by staff."""

    @extend_schema(
        operation_id="events_players_step",
        summary="Check in, mark as paid, withdraw, drop, decline the cut, or undo these",
        parameters=[ACTION_NAME],
        request=web_api.ReasonSerializer,
        responses={200: ChangedPlayerSerializer, **REFUSALS},
    )
    def post(self, request: Request, slug: str, number: int, action: str) -> Response:
        if action not in PLAYER_ACTIONS:
            raise Http404
        event = self.event(Right.PLAYERS)
        player, reason = self.player(event), read_body(web_api.ReasonSerializer, request)["reason"]
        _, changes = report_draft_changes(event, lambda: PLAYER_ACTIONS[action](player, self.actor, reason))
        return _changed_player_response(self, player, changes)


def _changed_player_response(
    view: EventView, player: Player, draft_changes: Sequence[StatedReason]
) -> Response:
    rights = permissions.get_rights(view.request.user, player.event)
    context = {"draft_changes": draft_changes, "rights": rights}
    return Response(ChangedPlayerSerializer(Player.objects.get(pk=player.pk), context=context).data)


class DroppedSerializer(StrictSerializer):
    """The number of dropped no-shows."""

    dropped = serializers.IntegerField()


class NotCheckedInPlayers(EventView):
    """Players with a place who are not checked in."""

    @extend_schema(
        summary="List the players who are not checked in",
        responses={200: web_api.PlayerSerializer(many=True), **READ_REFUSALS},
    )
    def get(self, request: Request, slug: str) -> Response:
        event = self.event(Right.PLAYERS)
        context = {"rights": permissions.get_rights(request.user, event)}
        players = not_checked_in_players(event)
        return Response(web_api.PlayerSerializer(players, many=True, context=context).data)

    @extend_schema(
        summary="Drop all players who are not checked in and move up the waiting list",
        request=None,
        responses={200: DroppedSerializer, **REFUSALS},
    )
    def post(self, request: Request, slug: str) -> Response:
        return Response({"dropped": registration.drop_no_shows(self.event(Right.PLAYERS), self.actor)})


class PlayerTable(EventView):
    """The players as a table."""

    @extend_schema(summary="Export the players as CSV", responses={200: TableSerializer, **READ_REFUSALS})
    def get(self, request: Request, slug: str) -> Response:
        return Response({"csv": export_player_csv(self.event(Right.PLAYERS))})

    @extend_schema(
        summary="Preview an import of players, or apply it with the mark of the preview",
        request=NewTableSerializer,
        responses={200: PlanSerializer, **REFUSALS},
    )
    def post(self, request: Request, slug: str) -> Response:
        event = self.event(Right.PLAYERS)
        values = read_body(NewTableSerializer, request)
        columns = import_body.read_chosen_columns(values, event)
        try:
            table = player_csv.read_player_csv(values["csv"], event, columns)
        except Refused as refusal:
            if values["mark"] or refusal.code != "no_name_column":
                raise
            return self._columns_response(player_csv.read_columns(values["csv"], event, columns), refusal)
        choices = ImportChoices(columns, import_body.read_chosen_persons(values["persons"], event, table))
        return self._run_or_plan(event, table, choices, values["mark"])

    def _columns_response(self, table: PlayerCsv, refusal: Refused) -> Response:
        """Return the preview of a table without names.

        It has the columns, from which those of names can be chosen.
        """
        plan = import_plan.PlayerImportPlan(())
        return self._plan_response(table, plan, {"mark": "", "problems": [refusal.to_json()]})

    def _run_or_plan(self, event: Event, table: PlayerCsv, choices: ImportChoices, mark: str) -> Response:
        rights = permissions.get_rights(self.request.user, event)
        if not mark:
            plan = player_import.plan_player_import(event, table, rights, choices)
            return self._plan_response(table, plan, {"mark": plan.fingerprint})
        plan, changes = report_draft_changes(
            event,
            lambda: player_import.run_player_import(
                event, self.actor, table, rights, choices=choices, seen_mark=mark
            ),
        )
        return self._plan_response(table, plan, {"mark": mark, "written": True}, changes)

    def _plan_response(
        self,
        table: PlayerCsv,
        plan: import_plan.PlayerImportPlan,
        values: dict[str, object],
        draft_changes: Sequence[StatedReason] = (),
    ) -> Response:
        answer = {
            "written": False,
            "notes": [state_reason(note) for note in table.notes],
            "has_header": table.has_header,
            "problems": [],
        }
        answer |= {"columns": table.columns, "lines": plan.lines, **values}
        return Response(PlanSerializer(answer, context={"draft_changes": list(draft_changes)}).data)


class PlayerMerge(EventView):
    """Two registrations of one person."""

    @extend_schema(
        summary="Merge another registration into this one",
        request=MergeSerializer,
        responses={200: ChangedPlayerSerializer, **REFUSALS},
    )
    def post(self, request: Request, slug: str, number: int) -> Response:
        event = self.event(Right.LINKS)
        player_to_keep = self.player(event)
        double = event.players.filter(number=read_body(MergeSerializer, request)["double"]).first()
        if double is None:
            raise Http404("There is no player with this number.")
        remaining_player, changes = report_draft_changes(
            event, lambda: registration.merge_players(player_to_keep, double, self.actor)
        )
        return _changed_player_response(self, remaining_player, changes)


class PrivateLinkSerializer(StrictSerializer):
    """A player's new private link."""

    link = serializers.CharField()


class PrivateLink(EventView):
    """A player's private link."""

    @extend_schema(
        summary="Create a new private link for a player (replaces the old one)",
        request=None,
        responses={200: PrivateLinkSerializer, **REFUSALS},
    )
    def post(self, request: Request, slug: str, number: int) -> Response:
        player = self.player(self.event(Right.LINKS))
        contact.renew_private_link(player, self.actor)
        return Response({"link": contact.build_private_link(request, player)})
