"""Manage event staff: invitations, roles, transfer of ownership."""

from __future__ import annotations

from datetime import timedelta

from django.contrib.auth.models import User

from decks.shared.refusals import Conflict, Refused, refuse_all
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
    """Make a link by which people join the staff in one role. Raises Refused with every wrong value."""
    problems = []
    if kind not in (Kind.ORGANIZER, Kind.JUDGE, Kind.SCOREKEEPER):
        problems.append(Refused("role_unknown", f"Nobody can be invited as “{kind}”.", field="kind"))
    if not 1 <= uses <= MOST_USES:
        sentence = f"A link is for 1 to {MOST_USES} people."
        problems.append(Refused("uses_out_of_range", sentence, field="uses"))
    if not 1 <= days <= MOST_DAYS:
        sentence = f"A link holds for 1 to {MOST_DAYS} days."
        problems.append(Refused("days_out_of_range", sentence, field="days"))
    refuse_all(problems)
    with step(event, actor) as recorder:
        made = recorder.create(
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
        people = "one person" if uses == 1 else f"up to {uses} people"
        whom = f" ({made.note})" if made.note else ""
        role = made.get_kind_display().lower()
        recorder.say("staff_invited", f"{actor.label} made a link for {people} to join as {role}{whom}.")
    return made


def revoke_invitation(invitation: Invitation, actor: Actor) -> None:
    """Let an invitation lead nowhere from now on. A second press changes nothing."""
    with step(invitation.event, actor) as recorder:
        standing = Invitation.objects.get(pk=invitation.pk)
        if standing.revoked_at is None:
            recorder.update(standing, revoked_at=recorder.now)
            role = standing.get_kind_display().lower()
            recorder.say("invitation_revoked", f"{actor.label} revoked the link to join as {role}.")


def join_staff(invitation: Invitation, user: User) -> StaffRole:
    """Join the staff by an invitation; whoever is in already keeps his role and uses nothing up.

    Raises Refused when the link is used up, over or revoked.
    """
    actor = Actor.of_user(user)
    with step(invitation.event, actor) as recorder:
        existing = StaffRole.objects.filter(event=recorder.event, user=user).first()
        if existing is not None:
            return existing
        standing = Invitation.objects.filter(pk=invitation.pk).first()
        if standing is None or not standing.is_open(recorder.now):
            raise Refused(
                "invitation_over",
                "This invitation is used up, over or revoked.",
                fix="Ask whoever sent it for a new one.",
            )
        role = recorder.create(StaffRole(event=recorder.event, user=user, kind=standing.kind))
        recorder.update(standing, used=standing.used + 1)
        recorder.say("staff_joined", f"{actor.label} joined the staff as {_role_with_article(role)}.")
    return role


def change_role(role: StaffRole, actor: Actor, kind: str) -> None:
    """Give somebody another role. Raises Refused for the only owner, and for a role that there is not."""
    if kind not in Kind.values:
        raise Refused("role_unknown", f"There is no role “{kind}”.", field="kind")
    with step(role.event, actor) as recorder:
        standing = _get_current_role(role)
        if kind != Kind.OWNER:
            _require_another_owner(recorder, standing)
        if recorder.update(standing, kind=kind):
            recorder.say(
                "role_changed", f"{actor.label} made {_get_name(standing)} {_role_with_article(standing)}."
            )


def remove_from_staff(role: StaffRole, actor: Actor) -> None:
    """Take somebody off the staff, or leave it. Raises Refused for the only owner."""
    with step(role.event, actor) as recorder:
        standing = _get_current_role(role)
        _require_another_owner(recorder, standing)
        recorder.delete(standing)
        own = actor.user is not None and actor.user.pk == standing.user_id
        did = "left the staff" if own else f"took {_get_name(standing)} off the staff"
        recorder.say("staff_removed", f"{actor.label} {did}.")


def transfer_ownership(role: StaffRole, actor: Actor) -> None:
    """Make somebody of the staff the owner; the owners until now become co-organizers."""
    with step(role.event, actor) as recorder:
        heir = _get_current_role(role)
        owners = StaffRole.objects.select_related("user").filter(event=recorder.event, kind=Kind.OWNER)
        for former in owners.exclude(pk=heir.pk):
            recorder.update(former, kind=Kind.ORGANIZER)
        if recorder.update(heir, kind=Kind.OWNER):
            recorder.say("handed_over", f"{actor.label} handed the event over to {_get_name(heir)}.")
        elif recorder.changes:
            recorder.say("handed_over", f"{_get_name(heir)} is the only owner now.")


def _get_current_role(role: StaffRole) -> StaffRole:
    found = StaffRole.objects.select_related("user").filter(pk=role.pk).first()
    if found is None:
        raise Conflict("role_gone", "This person is no longer on the staff.", fix="Look again.")
    return found


def _require_another_owner(recorder: Recorder, role: StaffRole) -> None:
    others = StaffRole.objects.filter(event=recorder.event, kind=Kind.OWNER).exclude(pk=role.pk)
    if role.kind == Kind.OWNER and not others.exists():
        raise Refused(
            "owner_needed",
            "An event always has an owner, and this is the only one.",
            fix="Hand the event over first.",
        )


def _get_name(role: StaffRole) -> str:
    return role.user.get_full_name() or role.user.get_username()


def _role_with_article(role: StaffRole) -> str:
    label = role.get_kind_display().lower()
    return f"{'an' if label[0] in 'aeiou' else 'a'} {label}"
