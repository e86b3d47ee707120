"""API to read the log, undo steps and roll back an event."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from decks.shared.api_requests import StrictModelSerializer, read_body
from rules.reason import Reason, params_from_json, params_to_json
from tournament.access import permissions
from tournament.access.permissions import Right
from tournament.events.models.event import Event
from tournament.events.stated_reasons import load_player_numbers, number_players
from tournament.log import services
from tournament.log.models import LogEntry
from tournament.log.undo_plan import UndoPlan, plan_restore, plan_undo
from tournament.log.wording import find_actor_code, show_entries, show_entry
from tournament.web import api as web_api
from tournament.web.api import READ_REFUSALS, REFUSALS, EventView


class LogEntrySerializer(StrictModelSerializer):
    """A log entry: a code with parameters, and its text."""

    actor = serializers.CharField(source="actor_name", read_only=True)
    actor_code = serializers.SerializerMethodField(
        help_text="`visitor` or `deleted_account` where the actor has no name."
    )
    sentence = serializers.CharField(read_only=True)
    params = serializers.SerializerMethodField(help_text="The values in the sentence, players by number.")

    class Meta:
        model = LogEntry
        fields = [
            "id",
            "at",
            "actor",
            "actor_code",
            "action",
            "variant",
            "params",
            "sentence",
            "reason",
            "head",
            "undone_by",
        ]

    @extend_schema_field(serializers.DictField())
    def get_params(self, entry: LogEntry) -> dict[str, object]:
        """Return the parameters, with the numbers of players from the context."""
        numbers: Mapping[int, int] = self.context["numbers"]
        return params_to_json(number_players(_read_params(entry), numbers).params)

    def get_actor_code(self, entry: LogEntry) -> str:
        """Return the code of an actor without a name."""
        return find_actor_code(entry)


def _read_params(entry: LogEntry) -> Reason:
    return Reason(entry.action, params_from_json(entry.params))


def _describe_entries(entries: Sequence[LogEntry]) -> list[dict[str, object]]:
    """Return lines in words for programs; one query for the numbers of players."""
    numbers = load_player_numbers(map(_read_params, entries))
    return list(LogEntrySerializer(entries, many=True, context={"numbers": numbers}).data)


class _UndoView(EventView):
    """Asks for the rights that the steps need, and for a reason."""

    def allow(self, event: Event, plan: UndoPlan) -> None:
        """Raise PermissionDenied unless the person may undo all of the plan's steps."""
        rights = permissions.get_rights(self.request.user, event)
        show_entries([*plan.entries, plan.target], rights)
        permissions.deny_missing_rights(plan.describe_missing_rights(rights))

    def answer(self, event: Event, undo_entry: LogEntry) -> Response:
        """Answer with the step that was done, as far as the person asking may read it."""
        rights = permissions.get_rights(self.request.user, event)
        (line,) = _describe_entries([show_entry(undo_entry, rights)])
        return Response(line)

    @staticmethod
    def reason(request: Request) -> str:
        """Return why, as sent."""
        values = read_body(web_api.ReasonSerializer, request)
        return str(values["reason"])


class Undo(_UndoView):
    """An entry of the log."""

    @extend_schema(
        summary="Undo a step and all later steps that depend on it, or redo it",
        request=web_api.ReasonSerializer,
        responses={200: LogEntrySerializer, **REFUSALS},
    )
    def post(self, request: Request, slug: str, entry: int) -> Response:
        event = self.event(Right.UNDO)
        entries = LogEntry.objects.select_related("event", "head", "undone_by").filter(event=event)
        log_entry = get_object_or_404(entries, pk=min(entry, 2**63 - 1))
        plan = plan_undo(event, log_entry)
        self.allow(event, plan)
        undo_entry = services.undo_step(
            log_entry, self.actor, reason=self.reason(request), seen_mark=plan.mark
        )
        return self.answer(event, undo_entry)


class Restore(_UndoView):
    """The whole event."""

    @extend_schema(
        summary="Roll an event back to before a round (can be undone)",
        request=web_api.ReasonSerializer,
        responses={200: LogEntrySerializer, **REFUSALS},
    )
    def post(self, request: Request, slug: str, stage: int, number: int) -> Response:
        event = self.event(Right.UNDO)
        plan = plan_restore(event, stage, number)
        self.allow(event, plan)
        undo_entry = services.roll_back_event(
            event, self.actor, stage=stage, number=number, reason=self.reason(request), seen_mark=plan.mark
        )
        return self.answer(event, undo_entry)


class Log(EventView):
    """The log of an event, newest first."""

    @extend_schema(
        summary="List the last 200 log entries",
        responses={200: LogEntrySerializer(many=True), **READ_REFUSALS},
    )
    def get(self, request: Request, slug: str) -> Response:
        event = self.event(Right.SEE)
        entries = show_entries(event.log.all()[:200], permissions.get_rights(request.user, event))
        return Response(_describe_entries(entries))
