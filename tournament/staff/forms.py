"""The form of an invitation to the staff."""

from __future__ import annotations

from django import forms

from tournament.access.actor import Actor
from tournament.access.models import Invitation
from tournament.access.rights import Right
from tournament.events.models.event import Event, StaffRole
from tournament.staff import services as staff

DAYS = ((1, "one day"), (7, "a week"), (30, "a month"))


class InvitationForm(forms.Form):
    """Which role, for how many people, for how long."""

    kind = forms.ChoiceField(label="Role")
    uses = forms.IntegerField(label="For how many people", min_value=1, max_value=staff.MOST_USES, initial=1)
    days = forms.TypedChoiceField(label="Good for", choices=DAYS, coerce=int, initial=7)
    note = forms.CharField(
        label="Note", max_length=120, required=False, help_text="Whom it is for; staff sees it."
    )

    def __init__(self, *args: object, rights: frozenset[Right], **kwargs: object) -> None:
        super().__init__(*args, **kwargs)
        kinds = StaffRole.Kind
        offered = [kinds.JUDGE, kinds.SCOREKEEPER, *([kinds.ORGANIZER] if Right.OWN in rights else [])]
        self.fields["kind"].choices = [(kind.value, kind.label) for kind in offered]

    def save(self, event: Event, actor: Actor) -> Invitation:
        """Make the link."""
        return staff.invite(event, actor, **self.cleaned_data)
