"""Manage event staff: invitations, roles, transfer of ownership."""

from __future__ import annotations

from datetime import timedelta

from django.contrib.auth.models import User

from decks.shared.refusals import Conflict, Refused, refuse_all
from decks.shared.rows import find_row
from tournament.access.models import Invitation
from tournament.access.permissions import Actor
from tournament.events.models.event import Event, StaffRole
from tournament.log.step import Recorder, step

Kind = StaffRole.Kind
MOST_USES = 100
MOST_DAYS = 90


def create_invitation(
    event: Event, actor: Actor, *, kind: str, uses: int = 1, days: int = 7, note: str = ""
) -> Invitation:
    """Make a link by which people join the staff in one role.

    Raises Refused with every wrong value.
    """
    problems = []
    if kind not in (Kind.ORGANIZER, Kind.JUDGE, Kind.SCOREKEEPER):
        problems.append(Refused("role_unknown.invitation", field="kind", kind=kind))
    if not 1 <= uses <= MOST_USES:
        problems.append(Refused("uses_out_of_range", field="uses", most=MOST_USES))
    if not 1 <= days <= MOST_DAYS:
        problems.append(Refused("days_out_of_range", field="days", most=MOST_DAYS))
    refuse_all(problems)
    with step(event, actor) as recorder:
        invitation = recorder.create(
            Invitation(
                event=recorder.event,
                kind=kind,
                uses=uses,
                note=note.strip()[:120],
                expires_at=recorder.now + timedelta(days=days),
                created_at=recorder.now,
                created_by=actor.user,
            )
        )
        recorder.log("staff_invited", uses=uses, role=kind, note=invitation.note or None)
    return invitation


def revoke_invitation(invitation: Invitation, actor: Actor) -> None:
    """Revoke an invitation. A second press changes nothing."""
    with step(invitation.event, actor) as recorder:
        locked_invitation = Invitation.objects.get(pk=invitation.pk)
        if locked_invitation.revoked_at is None:
            recorder.update(locked_invitation, revoked_at=recorder.now)
            recorder.log("invitation_revoked", role=locked_invitation.kind)


def join_staff(invitation: Invitation, user: User) -> StaffRole:
    """Join the staff by an invitation; a member keeps their role and uses nothing up.

    Raises Refused when the link is used up, over or revoked.
    """
    actor = Actor.of_user(user)
    with step(invitation.event, actor) as recorder:
        existing_role = StaffRole.objects.filter(event=recorder.event, user=user).first()
        if existing_role is not None:
            return existing_role
        locked_invitation = find_row(Invitation.objects.filter(pk=invitation.pk))
        if locked_invitation is None or not locked_invitation.is_open(recorder.now):
            raise Refused("invitation_over")
        role = recorder.create(StaffRole(event=recorder.event, user=user, kind=locked_invitation.kind))
        recorder.update(locked_invitation, used=locked_invitation.used + 1)
        recorder.log("staff_joined", role=role.kind)
    return role


def change_role(role: StaffRole, actor: Actor, kind: str) -> None:
    """Change a staff role. Raises Refused for the only owner and an unknown role."""
    if kind not in Kind.values:
        raise Refused("role_unknown", field="kind", kind=kind)
    with step(role.event, actor) as recorder:
        locked_role = _get_current_role(role)
        if kind != Kind.OWNER:
            _require_another_owner(recorder, locked_role)
        if recorder.update(locked_role, kind=kind):
            recorder.log("role_changed", person=locked_role.user, role=kind)


def remove_from_staff(role: StaffRole, actor: Actor) -> None:
    """Remove a person from the staff. Raises Refused for the only owner."""
    with step(role.event, actor) as recorder:
        locked_role = _get_current_role(role)
        _require_another_owner(recorder, locked_role)
        recorder.delete(locked_role)
        is_own_role = actor.user is not None and actor.user.pk == locked_role.user_id
        recorder.log("staff_removed.left" if is_own_role else "staff_removed", person=locked_role.user)


def transfer_ownership(role: StaffRole, actor: Actor) -> None:
    """Make a staff member the owner; the former owners become co-organizers."""
    with step(role.event, actor) as recorder:
        new_owner = _get_current_role(role)
        owners = StaffRole.objects.select_related("user").filter(event=recorder.event, kind=Kind.OWNER)
        for former_owner in owners.exclude(pk=new_owner.pk):
            recorder.update(former_owner, kind=Kind.ORGANIZER)
        if recorder.update(new_owner, kind=Kind.OWNER):
            recorder.log("handed_over", person=new_owner.user)
        elif recorder.changes:
            recorder.log("handed_over.only_owner", person=new_owner.user)


def _get_current_role(role: StaffRole) -> StaffRole:
    current_role = find_row(StaffRole.objects.select_related("user").filter(pk=role.pk))
    if current_role is None:
        raise Conflict("role_gone")
    return current_role


def _require_another_owner(recorder: Recorder, role: StaffRole) -> None:
    other_owners = StaffRole.objects.filter(event=recorder.event, kind=Kind.OWNER).exclude(pk=role.pk)
    if role.kind == Kind.OWNER and not other_owners.exists():
        raise Refused("owner_needed")
