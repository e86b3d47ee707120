"""API for staff roles and invitations."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from decks.shared.api_requests import StrictModelSerializer, StrictSerializer, read_body
from tournament.access import permissions
from tournament.access.models import Invitation
from tournament.access.permissions import Right
from tournament.events.models.event import StaffRole
from tournament.shared.links import get_base_url
from tournament.staff import services
from tournament.web.api import READ_REFUSALS, REFUSALS, EventView

LARGEST_ID = 2**63 - 1


Kind = StaffRole.Kind


class _PersonName(serializers.CharField):
    def get_attribute(self, instance: StaffRole) -> str:
        return instance.user.get_full_name() or instance.user.get_username()


class StaffSerializer(StrictSerializer):
    """A staff member."""

    id = serializers.IntegerField(read_only=True)
    name = _PersonName(read_only=True)
    kind = serializers.ChoiceField(choices=Kind.choices)


class InvitationSerializer(StrictModelSerializer):
    """An invitation to the staff. `link` is null if you cannot give its role."""

    link = serializers.SerializerMethodField()
    uses = serializers.IntegerField(min_value=1, max_value=services.MOST_USES, default=1)
    days = serializers.IntegerField(
        min_value=1,
        max_value=services.MOST_DAYS,
        default=7,
        write_only=True,
        help_text="Number of days the invitation is valid.",
    )
    note = serializers.CharField(max_length=120, allow_blank=True, default="")

    class Meta:
        model = Invitation
        fields = ["id", "kind", "uses", "used", "days", "note", "expires_at", "link"]
        read_only_fields = ["used", "expires_at"]

    def get_link(self, invitation: Invitation) -> str | None:
        """The link."""
        user = self.context["request"].user
        if not permissions.can_appoint(permissions.get_rights(user, invitation.event), invitation.kind):
            return None
        return f"{get_base_url(self.context['request'])}{reverse('join', args=[invitation.token])}"


class Staff(EventView):
    """The staff of an event."""

    @extend_schema(summary="List the staff", responses={200: StaffSerializer(many=True), **READ_REFUSALS})
    def get(self, request: Request, slug: str) -> Response:
        roles = self.event(Right.SEE).staff.select_related("user").order_by("kind", "pk")
        return Response(StaffSerializer(roles, many=True).data)


class OneRole(EventView):
    """The role of a staff member."""

    def role(self, *, is_own_allowed: bool = False) -> StaffRole:
        """Return the role of the address, if this person may manage it.

        Everyone may leave their own role.
        """
        event = self.event(Right.SEE)
        roles = event.staff.select_related("user", "event")
        staff_role = get_object_or_404(roles, pk=min(self.kwargs["role"], LARGEST_ID))
        if not (is_own_allowed and staff_role.user_id == self.request.user.pk):
            permissions.require_right_to_appoint(self.request.user, event, staff_role.kind)
        return staff_role

    @extend_schema(
        summary="Change a role (a new owner does not replace the others)",
        request=StaffSerializer,
        responses={200: StaffSerializer, **REFUSALS},
    )
    def patch(self, request: Request, slug: str, role: int) -> Response:
        staff_role = self.role()
        values = read_body(StaffSerializer, request)
        new_kind = values["kind"]
        permissions.require_right_to_appoint(request.user, staff_role.event, new_kind)
        services.change_role(staff_role, self.actor, new_kind)
        changed_role = StaffRole.objects.select_related("user").get(pk=staff_role.pk)
        return Response(StaffSerializer(changed_role).data)

    @extend_schema(
        operation_id="events_staff_remove",
        summary="Remove a staff member, or leave the staff",
        responses={204: None, **REFUSALS},
    )
    def delete(self, request: Request, slug: str, role: int) -> HttpResponse:
        services.remove_from_staff(self.role(is_own_allowed=True), self.actor)
        return Response(status=204)


class Invitations(EventView):
    """The open invitations of an event."""

    @extend_schema(
        summary="List the open invitations", responses={200: InvitationSerializer(many=True), **READ_REFUSALS}
    )
    def get(self, request: Request, slug: str) -> Response:
        now = timezone.now()
        open_invitations = [link for link in self.event(Right.STAFF).invitations.all() if link.is_open(now)]
        return Response(InvitationSerializer(open_invitations, many=True, context={"request": request}).data)

    @extend_schema(
        summary="Create an invitation to the staff",
        request=InvitationSerializer,
        responses={201: InvitationSerializer, **REFUSALS},
    )
    def post(self, request: Request, slug: str) -> Response:
        event = self.event(Right.STAFF)
        values = read_body(InvitationSerializer, request)
        permissions.require_right_to_appoint(request.user, event, values["kind"])
        invitation = services.create_invitation(event, self.actor, **values)
        return Response(InvitationSerializer(invitation, context={"request": request}).data, status=201)


class OneInvitation(EventView):
    """One invitation."""

    @extend_schema(
        operation_id="events_invitations_revoke",
        summary="Revoke an invitation",
        responses={204: None, **REFUSALS},
    )
    def delete(self, request: Request, slug: str, invitation: int) -> HttpResponse:
        event = self.event(Right.STAFF)
        open_invitation = get_object_or_404(
            event.invitations.select_related("event"), pk=min(invitation, LARGEST_ID)
        )
        services.revoke_invitation(open_invitation, self.actor)
        return Response(status=204)
