"""Console pages of staff and invitations, and the page behind an invitation."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django import forms
from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext, gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from decks.shared.form_fields import get_choice_field
from decks.shared.refusals import Refused
from tournament.access import permissions
from tournament.access.models import Invitation
from tournament.access.permissions import Actor, Right
from tournament.events.models.event import Event, StaffRole
from tournament.shared.links import get_base_url
from tournament.staff import services
from tournament.web.console_page import attempt_step, console_page, get_request_rights, render_console_page
from tournament.web.refusals import attempt_form_step, show_refusal

Kind = StaffRole.Kind


@console_page(Right.SEE)
@require_http_methods(["GET", "POST"])
def show_staff(request: HttpRequest, event: Event) -> HttpResponse:
    """Show staff and open invitations; create an invitation."""
    rights = get_request_rights(request, event)
    form = InvitationForm(request.POST or None, rights=rights)
    if request.method == "POST":
        permissions.require_right(request.user, event, Right.STAFF)
        actor = Actor.of_user(request.user)
        if form.is_valid() and attempt_form_step(form, lambda: form.save(event, actor)) is not None:
            messages.success(request, gettext("Invitation created. Send the link to the person."))
            return redirect("console_staff", event.slug)
    roles = event.staff.select_related("user").order_by("kind", "user__first_name", "user__username")
    links = event.invitations.select_related("created_by") if Right.STAFF in rights else []
    now = timezone.now()
    context = {
        "form": form,
        "roles": [(role, _get_role_choices(request, event, role)) for role in roles],
        "open": [(link, _get_join_link(request, link, rights)) for link in links if link.is_open(now)],
        "kinds": Kind.choices,
    }
    return render_console_page(request, event, "tournament/staff/staff.html", "staff", **context)


def _get_role_choices(request: HttpRequest, event: Event, role: StaffRole) -> list[tuple[str, str]]:
    """Return the roles that the user may give; empty if they may not change this one."""
    rights = get_request_rights(request, event)
    if not permissions.can_appoint(rights, role.kind):
        return []
    return [(kind, str(label)) for kind, label in Kind.choices if permissions.can_appoint(rights, kind)]


def _get_join_link(request: HttpRequest, link: Invitation, rights: frozenset[Right]) -> str:
    """Return the link, for those who may give its role themselves; else empty."""
    if not permissions.can_appoint(rights, link.kind):
        return ""
    return f"{get_base_url(request)}{reverse('join', args=[link.token])}"


@console_page(Right.SEE)
@require_POST
def change_staff_role(request: HttpRequest, event: Event, role: int, action: str) -> HttpResponse:
    """Change or remove a staff role, hand the event over, or leave."""
    staff_role = get_object_or_404(event.staff.select_related("user", "event"), pk=min(role, 2**63 - 1))
    if action not in ("role", "remove", "hand-over"):
        raise Http404
    actor, kind = Actor.of_user(request.user), request.POST.get("kind", "")
    _require_rights(request, event, staff_role, action, kind)
    actions: dict[str, Callable[[], None]] = {
        "role": lambda: services.change_role(staff_role, actor, kind),
        "remove": lambda: services.remove_from_staff(staff_role, actor),
        "hand-over": lambda: services.transfer_ownership(staff_role, actor),
    }
    attempt_step(request, actions[action], gettext("Changed."))
    still_in = permissions.has_right(request.user, event, Right.SEE)
    return redirect("console_staff", event.slug) if still_in else redirect("console")


def _require_rights(request: HttpRequest, event: Event, role: StaffRole, action: str, kind: str) -> None:
    rights = get_request_rights(request, event)
    if action == "remove" and role.user_id == request.user.pk:
        return
    new_kind = Kind.OWNER if action == "hand-over" else kind if action == "role" else role.kind
    if not (permissions.can_appoint(rights, role.kind) and permissions.can_appoint(rights, new_kind)):
        raise PermissionDenied(gettext("Only an owner of “%(event)s” can do this.") % {"event": event.name})


@console_page(Right.STAFF)
@require_POST
def revoke(request: HttpRequest, event: Event, invitation: int) -> HttpResponse:
    """Revoke an invitation."""
    link = get_object_or_404(event.invitations.select_related("event"), pk=min(invitation, 2**63 - 1))
    actor = Actor.of_user(request.user)
    attempt_step(
        request, lambda: services.revoke_invitation(link, actor), gettext("The invitation is revoked.")
    )
    return redirect("console_staff", event.slug)


@never_cache
@require_http_methods(["GET", "POST"])
def join(request: HttpRequest, token: str) -> HttpResponse:
    """Accept an invitation; a visitor signs in or creates an account first."""
    links = Invitation.objects.select_related("event", "created_by").filter(token=token.replace("\x00", ""))
    link = links.first()
    if link is not None and permissions.get_role(request.user, link.event) is not None:
        messages.info(request, gettext("You are on the staff of this event."))
        return redirect("console_event", link.event.slug)
    if link is None or not link.is_open(timezone.now()):
        return render(request, "tournament/staff/join_over.html", status=404)
    if request.method == "POST" and request.user.is_authenticated:
        try:
            role = services.join_staff(link, request.user)
        except Refused as refusal:
            show_refusal(request, refusal)
            return render(request, "tournament/staff/join_over.html", status=404)
        sentence = gettext("You joined the staff. Your role: %(role)s.") % {"role": role.get_kind_display()}
        messages.success(request, sentence)
        return redirect("console_event", link.event.slug)
    return render(request, "tournament/staff/join.html", {"link": link, "event": link.event})


VALIDITY_CHOICES = ((1, gettext_lazy("1 day")), (7, gettext_lazy("7 days")), (30, gettext_lazy("30 days")))


class InvitationForm(forms.Form):
    """Role, number of uses and expiry of an invitation."""

    kind = forms.ChoiceField(label=gettext_lazy("Role"))
    uses = forms.IntegerField(
        label=gettext_lazy("Number of people"), min_value=1, max_value=services.MOST_USES, initial=1
    )
    days = forms.TypedChoiceField(
        label=gettext_lazy("Valid for"), choices=VALIDITY_CHOICES, coerce=int, initial=7
    )
    note = forms.CharField(
        label=gettext_lazy("Note"),
        max_length=120,
        required=False,
        help_text=gettext_lazy("Name or note (visible to staff)"),
    )

    def __init__(self, *args: Any, rights: frozenset[Right], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        kinds = StaffRole.Kind
        offered_kinds = [kinds.JUDGE, kinds.SCOREKEEPER, *([kinds.ORGANIZER] if Right.OWN in rights else [])]
        get_choice_field(self, "kind").choices = [(kind.value, kind.label) for kind in offered_kinds]

    def save(self, event: Event, actor: Actor) -> Invitation:
        """Create the invitation."""
        return services.create_invitation(event, actor, **self.cleaned_data)
