"""Foundation of the API: event views, common serializers, refusals as JSON."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from django.contrib.auth import get_user
from django.core.exceptions import PermissionDenied
from django.db import models
from django.http import Http404, HttpRequest, JsonResponse
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext
from django.views.decorators.csrf import csrf_exempt
from drf_spectacular.extensions import OpenApiSerializerFieldExtension
from drf_spectacular.openapi import AutoSchema
from drf_spectacular.utils import extend_schema_field
from rest_framework import exceptions, serializers
from rest_framework.permissions import AllowAny
from rest_framework.response import Response
from rest_framework.views import exception_handler

from decks.shared.api_requests import (
    READ_ONLY_FIELD,
    UNKNOWN_FIELD,
    RefusalCode,
    StrictModelSerializer,
    StrictSerializer,
    StrictView,
    optional_text,
)
from decks.shared.api_responses import REFUSED, StatedReasonSerializer
from decks.shared.refusals import Conflict, Refused
from rules import RegistrationField
from rules.reason import (
    reasons_from_json,
)
from rules.registration import MAX_WHOLE
from tournament.access import permissions
from tournament.access.permissions import Actor, Right
from tournament.access.player_details import list_fields, own_fields, read_answers, readable_fields
from tournament.events.models.event import Event
from tournament.events.models.match_result import iterate_columns, result_names
from tournament.events.models.player import Player
from tournament.events.models.round import Match, Round
from tournament.events.seats import find_owners
from tournament.events.selectors import get_player_by_token
from tournament.events.stated_reasons import state_match_reasons
from tournament.web.api_fields import BoardsField, CodedTextField, ResultDetailsField, TextCodeField
from tournament.web.refusals import list_problems

REFUSALS = dict.fromkeys((400, 403, 404, 409, 415), REFUSED)

READ_REFUSALS = dict.fromkeys((400, 403, 404), REFUSED)


class EventView(StrictView):
    """A view below `/api/events/<slug>/`. Each method asks for the right it needs."""

    permission_classes = [AllowAny]

    def event(self, right: Right | None = None) -> Event:
        """Return the event of the address.

        If no right is requested, it is an event that the public may see.
        """
        user, slug = self.request.user, self.kwargs["slug"]
        if right is None:
            return permissions.get_visible_event(user, slug)
        return permissions.get_event_with_rights(user, slug, right)[0]

    def may(self, event: Event, right: Right) -> bool:
        """Return whether the person asking may do something."""
        return permissions.has_right(self.request.user, event, right)

    @property
    def actor(self) -> Actor:
        """The signed-in person asking."""
        return Actor.of_user(self.request.user)

    def describe_player(self, player: Player) -> dict[str, object]:
        """Describe a player as the person asking may see them."""
        context = {"rights": permissions.get_rights(self.request.user, player.event)}
        return dict(PlayerSerializer(player, context=context).data)

    def player(self, event: Event) -> Player:
        """Return the player of the address."""
        return get_object_or_404(
            event.players.select_related("event", "deck_list"), number=self.kwargs["number"]
        )

    def list_owner(self, event: Event) -> Player:
        """Return the owner of the address's decklist; with boards, a member."""
        return get_object_or_404(find_owners(event), number=self.kwargs["number"])

    def round(self, event: Event) -> Round:
        """Return the round of the address; drafts exist for staff only."""
        round_ = get_object_or_404(
            Round.objects.select_related("stage__event"),
            stage__event=event,
            stage__position=self.kwargs["stage"],
            number=self.kwargs["number"],
        )
        if round_.is_draft and not self.may(event, Right.SEE):
            raise Http404
        return round_


class PrivateLinkView(StrictView):
    """Steps of a player by private link. The token in the address is the right."""

    authentication_classes: list[Any] = []
    permission_classes = [AllowAny]

    def me(self) -> Player:
        """Return the player of the token; for a member, the team."""
        return self.list_owner().entrant

    def list_owner(self) -> Player:
        """Return the player of the token, or the member whose decklist it is about."""
        player = get_player_by_token(self.kwargs["token"])
        if player is None:
            raise Http404("No player has this private link.")
        return player

    def actor(self, player: Player) -> Actor:
        """Return who acts; staff signed in in the same browser is logged as staff."""
        return Actor.of_private_link(get_user(self.request._request), player)


def handle_exception(error: Exception, context: dict[str, object]) -> Response | None:
    """Turn what services and the framework raise into problems."""
    if isinstance(error, Refused):
        return refusal_response(error)
    if isinstance(error, PermissionDenied) and str(error):
        error = exceptions.PermissionDenied(str(error))
    response = exception_handler(error, context)
    if response is not None:
        response.data = {"problems": list(_flatten(error, response.data))}
    return response


def refusal_response(refusal: Refused) -> Response:
    """Return a refusal's problems: status 409 if someone was faster, else 400."""
    return Response(
        {"problems": list_problems(refusal)}, status=409 if isinstance(refusal, Conflict) else 400
    )


@csrf_exempt
def not_found(request: HttpRequest) -> JsonResponse:
    """Refuse an address below `/api/` that does not exist like every other refusal."""
    sentence = gettext("There is nothing at %(address)s.") % {"address": request.path[:200]}
    problem = _problem("not_found", sentence, gettext("See /api/schema/."))
    return JsonResponse({"problems": [problem]}, status=404)


def _problem(code: str, sentence: str, fix: str = "", field: str | None = None) -> dict[str, object]:
    return {"code": code, "sentence": sentence, "fix": fix, "field": field}


def _flatten(error: Exception, data: Any) -> list[dict[str, object]]:
    is_validation = isinstance(error, exceptions.ValidationError)
    return [_detail_problem(detail, path if is_validation else ()) for path, detail in _leaves(data)]


def _detail_problem(detail: Any, path: tuple[str, ...]) -> dict[str, object]:
    """Return one error of the framework, or a refusal that it has collected."""
    code = getattr(detail, "code", "invalid" if path else "error")
    is_named_in_full = code in (UNKNOWN_FIELD, READ_ONLY_FIELD)
    field = (
        ".".join(path) if is_named_in_full else next((part for part in path if not part.isdecimal()), None)
    )
    if isinstance(code, RefusalCode):
        return {**code.refusal.to_json(), "field": field}
    return _problem(code, str(detail), field=field)


def _leaves(data: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Any]]:
    """Yield each error with the names and places of the fields that lead to it."""
    if isinstance(data, dict):
        parts: Iterable[tuple[Any, Any]] = data.items()
    elif isinstance(data, list):
        is_nested = any(isinstance(part, dict) for part in data)
        parts = enumerate(data) if is_nested else ((None, part) for part in data)
    else:
        yield path, data
        return
    for name, part in parts:
        yield from _leaves(part, path if name is None else (*path, str(name)))


def conflict_response(conflict: Conflict, now: Any) -> Response:
    """Answer with every problem, and the present state."""
    answer = refusal_response(conflict)
    answer.data["now"] = now
    return answer


class EventSerializer(StrictModelSerializer):
    """An event with its settings."""

    open_registration = serializers.BooleanField(write_only=True, required=False, default=False)

    class Meta:
        model = Event
        fields = [
            "slug", "name", "starts_at", "time_zone", "place", "notes", "game", "format", "rules_version",
            "capacity", "entry_fee", "team_size", "has_boards", "swiss_rounds", "match_form", "round_minutes",
            "place_points", "standings_system", "cut", "cut_size", "short_cut", "decklists_required",
            "decklists_due_at", "lists_open", "intentional_draws", "no_show_minutes", "plan",
            "pairing_options", "hall", "first_table", "table_count", "reserved_tables", "name_order",
            "phase", "archived_at", "version", "open_registration",
        ]  # fmt: skip
        read_only_fields = ["slug", "phase", "archived_at", "version"]


class DetailsField(serializers.Field):
    """Answers to declared fields by key; those that the person asking may read."""

    def to_representation(self, value: Player) -> dict[str, object]:
        """Return the answers that the rights let one read; all own if `is_own`."""
        game = value.event.game
        fields = readable_fields(game, self._rights)
        if self.context.get("is_own"):
            fields = own_fields(game)
        return {answer.field.key: answer.value for answer in read_answers(value.details, fields)}

    @property
    def _rights(self) -> frozenset[Right]:
        is_public = isinstance(self.parent, PublicPlayerSerializer)
        return frozenset() if is_public else self.context.get("rights", frozenset())

    def to_internal_value(self, data: Any) -> dict[str, object]:
        """Return the values as sent; the service knows the fields of the event."""
        if not isinstance(data, dict):
            raise serializers.ValidationError("Details are an object.", code="not_an_object")
        return data


class _DetailsSchema(OpenApiSerializerFieldExtension):
    """Describe the declared fields of every game."""

    target_class = DetailsField

    def map_serializer_field(self, auto_schema: AutoSchema, direction: str) -> dict[str, object]:
        """Return an object with the fields that there are."""
        shapes: dict[str, list[dict[str, object]]] = {}
        for field in list_fields():
            shapes.setdefault(field.key, []).append(_describe_field(field))
        properties = {key: each[0] if len(each) == 1 else {"anyOf": each} for key, each in shapes.items()}
        return {"type": "object", "properties": properties, "additionalProperties": False}


def _describe_field(field: RegistrationField) -> dict[str, object]:
    description = f"{field.label}. {field.help}".strip()
    if field.kind == "yes_no":
        return {"type": "boolean", "description": description}
    if field.kind == "whole":
        bounds = {"minimum": 0, "maximum": MAX_WHOLE}
        return {"type": "integer", "nullable": True, "description": description, **bounds}
    if field.kind == "choice":
        return {"type": "string", "enum": ["", *field.choices], "description": description}
    return {"type": "string", "maxLength": field.max_length, "description": description}


class PublicPlayerSerializer(StrictModelSerializer):
    """A player as everyone sees them."""

    details = DetailsField(source="*", read_only=True)

    class Meta:
        model = Player
        fields = ["number", "name", "members", "character", "details", "status", "dropped_after"]


class PlayerSerializer(StrictModelSerializer):
    """A player as staff see them. `email` is null without the right `players`."""

    email = serializers.SerializerMethodField(help_text="Null without the right to change players.")
    drop_reason = CodedTextField(read_only=True)
    drop_reason_code = TextCodeField(source="drop_reason", help_text="Empty for a text of people.")
    details = DetailsField(source="*", read_only=True)

    class Meta:
        model = Player
        fields = [
            "number", "name", "members", "email", "character", "details", "status",
            "registered_at", "checked_in_at", "waiting_since", "moved_up_at", "has_paid",
            "entered_round", "dropped_after", "drop_reason", "drop_reason_code", "declined_cut",
        ]  # fmt: skip
        read_only_fields = [
            "number", "status", "registered_at", "checked_in_at", "entered_round", "dropped_after",
            "waiting_since", "moved_up_at", "has_paid",
            "drop_reason", "declined_cut",
        ]  # fmt: skip

    def get_email(self, player: Player) -> str | None:
        """The address, unless `rights` in the context lack the right to it."""
        return player.email if Right.PLAYERS in self.context.get("rights", permissions.ALL_RIGHTS) else None


class DraftChangesField(serializers.ListSerializer):
    """A step's effects on an existing draft, from `draft_changes` of the context."""

    def __init__(self, **options: Any) -> None:
        words = "Effects on an existing draft of the next round, as the log says them."
        super().__init__(child=StatedReasonSerializer(), read_only=True, help_text=words, **options)

    def get_attribute(self, instance: Any) -> Any:
        """Return the effects, whatever the row is."""
        return self.context.get("draft_changes", [])


def add_draft_changes(
    base: type[StrictModelSerializer], name: str, description: str
) -> type[StrictModelSerializer]:
    """Make the serializer of a row after a step.

    It is the same row with the effects on an existing draft.
    """
    columns = {"fields": [*base.Meta.fields, "draft_changes"]}
    parts = {"Meta": type("Meta", (base.Meta,), columns), "draft_changes": DraftChangesField()}
    return type(name, (base,), {"__doc__": description, "__module__": base.__module__, **parts})


DETAILS_HELP = "Further facts of the game by key: a number, true, or numbers by p1 and p2."
ENDING_HELP = str(Match._meta.get_field("ending").help_text)


class SideSerializer(StrictSerializer):
    """One side of a match: its number there, the player, and the place once ended."""

    number = serializers.IntegerField()
    player = serializers.IntegerField(source="player.number")
    name = serializers.CharField(source="player.name")
    place = serializers.IntegerField(allow_null=True)


class PublicMatchSerializer(StrictModelSerializer):
    """One table as everyone sees it: player numbers, games, outcome, no penalties."""

    why = serializers.SerializerMethodField(help_text="Why these players meet, or why one has the bye.")
    p1 = serializers.IntegerField(source="p1.number")
    p1_name = serializers.CharField(source="p1.name")
    p2 = serializers.IntegerField(source="p2.number", allow_null=True, default=None)
    p2_name = serializers.CharField(source="p2.name", allow_null=True, default=None)
    ending = serializers.CharField(source="public_ending", read_only=True, help_text=ENDING_HELP)
    how_it_ended = serializers.CharField(source="how_it_publicly_ended", read_only=True)
    details = ResultDetailsField(read_only=True, help_text=DETAILS_HELP)
    boards = BoardsField(read_only=True, help_text=str(Match._meta.get_field("boards").help_text))
    sides = SideSerializer(
        many=True, read_only=True, help_text="All sides. `place` is null in a match of two."
    )

    class Meta:
        model = Match
        fields = [
            "id", "table", "bracket_match", "p1", "p1_name", "p2", "p2_name", "sides", *result_names(),
            "how_it_ended", "amended_at", "revision", "why",
        ]  # fmt: skip

    @extend_schema_field(StatedReasonSerializer(many=True))
    def get_why(self, match: Match) -> list[dict[str, object]]:
        """Each reason; other players than the two of the match cost two queries."""
        return [each.to_json() for each in state_match_reasons(reasons_from_json(match.why), match)]


class MatchSerializer(PublicMatchSerializer):
    """One table as staff see it."""

    ending = serializers.CharField(read_only=True, help_text=ENDING_HELP)
    how_it_ended = serializers.CharField(read_only=True)


def make_result_fields(use: str) -> dict[str, serializers.Field]:
    """Make the fields for sending a result, one per column in this use."""
    return {column.name: _make_result_field(column) for column in iterate_columns(use)}


def _make_result_field(column: models.Field) -> serializers.Field:
    help_text = str(column.help_text) or None
    if column.name == "boards":
        return BoardsField(default=list, help_text=help_text)
    if isinstance(column, models.JSONField):
        return ResultDetailsField(default=dict, help_text=DETAILS_HELP)
    if isinstance(column, models.BooleanField):
        return serializers.BooleanField(default=False, help_text=help_text)
    if isinstance(column, models.CharField):
        longest = column.max_length
        return serializers.CharField(max_length=longest, default="", allow_blank=True, help_text=help_text)
    return serializers.IntegerField(min_value=0, max_value=99, default=0, help_text=help_text)


class ReasonSerializer(StrictSerializer):
    """A step with a reason."""

    reason = optional_text(200)
