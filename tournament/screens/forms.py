"""Form that chooses the views of the venue screen."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy

from decks.shared.edit_conflicts import ConcurrentEditForm
from tournament.access.permissions import Actor
from tournament.events.models.event import Event
from tournament.screens import services as screen
from tournament.screens.selectors import VIEW_LABELS
from tournament.web.refusals import attempt_form_step


class ScreenForm(ConcurrentEditForm):
    """The views that the venue screen shows in turn."""

    views = forms.MultipleChoiceField(
        choices=list(VIEW_LABELS.items()),
        widget=forms.CheckboxSelectMultiple,
        required=False,
        label=gettext_lazy("Views"),
        help_text=gettext_lazy("Leave all unticked to follow the event."),
    )

    def __init__(self, *args: Any, event: Event, **kwargs: Any) -> None:
        self.event = event
        kwargs["initial"] = {"views": event.screen}
        super().__init__(*args, **kwargs)
        self.carry_initial_values()

    def save(self, actor: Actor) -> bool:
        """Keep it; False when it was refused."""
        attempt_form_step(self, lambda: screen.choose_views(self.event, actor, self.cleaned_data["views"]))
        return not self.errors


class EmbeddingForm(ConcurrentEditForm):
    """The sites that may embed pages of the event, one per line."""

    sites = forms.CharField(
        required=False,
        max_length=4000,
        widget=forms.Textarea(attrs={"rows": 3, "translate": "no"}),
        label=gettext_lazy("Sites that may embed"),
        help_text=gettext_lazy("Addresses such as https://club.example, one per line."),
    )

    def __init__(self, *args: Any, event: Event, **kwargs: Any) -> None:
        self.event = event
        origins = event.embedding_sites.values_list("origin", flat=True)
        kwargs["initial"] = {"sites": "\n".join(origins)}
        super().__init__(*args, **kwargs)
        self.carry_initial_values()

    def save(self, actor: Actor) -> bool:
        """Keep them; False when one was refused."""
        sites = self.cleaned_data["sites"].splitlines()
        attempt_form_step(self, lambda: screen.allow_embedding(self.event, actor, sites))
        return not self.errors
