"""Forms of the plan of an event: its stages in a row."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django import forms
from django.utils.translation import gettext, gettext_lazy

from decks.shared.form_fields import set_sent_value
from tournament.access.permissions import Actor
from tournament.events.models.event import Event, Stage
from tournament.events.settings import (
    MAX_STAGES,
    StagePlan,
    get_plan,
)
from tournament.setup.services import events
from tournament.setup.services.settings import plan_fingerprint
from tournament.web.refusals import attempt_form_step

STAGE_KIND_CHOICES = [("", gettext_lazy("No stage")), *Stage.Kind.choices]

QUALIFIER_CHOICES = [
    ("top", gettext_lazy("The best in the standings")),
    ("diversity", gettext_lazy("The best of each character")),
]

SHORT_CUT_CHOICES = Event.ShortCut.choices
# Few stages need these: on the page they are behind a disclosure.
OPTIONS = ("wins_in", "losses_out", "twice", "third_place", "consolation", "one_final")


class StageForm(forms.Form):
    """One line of the plan."""

    kind = forms.ChoiceField(choices=STAGE_KIND_CHOICES, required=False, label=gettext_lazy("Stage type"))
    rounds = forms.IntegerField(
        required=False,
        label=gettext_lazy("Swiss rounds"),
        help_text=gettext_lazy("Leave empty for as many as needed."),
    )
    groups = forms.IntegerField(
        required=False, label=gettext_lazy("Groups"), help_text=gettext_lazy("For a round robin")
    )
    twice = forms.BooleanField(required=False, label=gettext_lazy("Double round robin"))
    third_place = forms.BooleanField(
        required=False, label=gettext_lazy("Match for third place (single elimination)")
    )
    consolation = forms.BooleanField(
        required=False,
        label=gettext_lazy("Consolation bracket (single elimination)"),
        help_text=gettext_lazy("Players who lose in the first round play on among themselves."),
    )
    one_final = forms.BooleanField(
        required=False,
        label=gettext_lazy("One grand final (double elimination)"),
        help_text=gettext_lazy("Without it, the final is repeated if its loser had not lost before."),
    )
    wins_in = forms.IntegerField(
        required=False,
        label=gettext_lazy("Wins that qualify (Swiss)"),
        help_text=gettext_lazy("Leave empty if all players play every round."),
    )
    losses_out = forms.IntegerField(
        required=False,
        label=gettext_lazy("Losses that eliminate (Swiss)"),
        help_text=gettext_lazy("Leave empty if all players play every round."),
    )
    size = forms.IntegerField(required=False, label=gettext_lazy("Number of players"))
    by = forms.ChoiceField(choices=QUALIFIER_CHOICES, required=False, label=gettext_lazy("Qualified by"))
    short = forms.ChoiceField(
        choices=SHORT_CUT_CHOICES, required=False, label=gettext_lazy("If there are too few characters")
    )

    @property
    def has_options(self) -> bool:
        """Return whether a field behind the disclosure has a value or a problem."""
        return any(self[name].value() or self[name].errors for name in OPTIONS)

    def as_data(self) -> dict[str, object]:
        """Return the line as plans are kept."""
        values = dict(self.cleaned_data)
        reset = not values.pop("one_final")
        return {
            **values,
            "reset": reset,
            "groups": values["groups"] if values["groups"] is not None else 1,
            "by": values["by"] or "top",
            "short": values["short"] or Event.ShortCut.SHRINK.value,
        }


class PlanForm(forms.Form):
    """All stages of an event in a row; errors of the whole are on it.

    It carries which plan it showed.
    """

    seen = forms.CharField(required=False, max_length=16, widget=forms.HiddenInput)

    def __init__(self, data: Any = None, *, event: Event) -> None:
        super().__init__(data, initial={"seen": plan_fingerprint(event)})
        self.event = event
        plan = get_plan(event)
        self.lines = [
            StageForm(data, prefix=f"stage{index}", initial=self._initial(plan, index))
            for index in range(min(max(len(plan) + 1, self._count_sent(data or {})), MAX_STAGES))
        ]

    @staticmethod
    def _count_sent(data: Mapping[str, object]) -> int:
        """Return how many lines were sent.

        The plan may have had more when the page was opened.
        """
        return next((index for index in range(MAX_STAGES) if f"stage{index}-kind" not in data), MAX_STAGES)

    @staticmethod
    def _initial(plan: tuple[StagePlan, ...], index: int) -> dict[str, object]:
        if index >= len(plan):
            return {}
        return {**plan[index].as_data(), "one_final": not plan[index].reset}

    def is_valid(self) -> bool:
        """Return whether every line can be read.

        What lines say together is checked on saving.
        """
        validities = [line.is_valid() for line in self.lines]
        return super().is_valid() and all(validities)

    def save(self, actor: Actor) -> Event | None:
        """Keep the plan; None when it was refused, with the reasons on the form."""
        plan = [line.as_data() for line in self.lines if line.cleaned_data["kind"]]
        if not plan:
            sentence = gettext("An event needs at least one stage.")
            self.add_error(None, forms.ValidationError(sentence, code="no_stage"))
            return None
        seen_plan = self.data.get("seen") or None
        has_run = attempt_form_step(
            self, lambda: events.update_event(self.event, actor, {"plan": plan}, seen_plan=seen_plan)
        )
        if has_run is None:
            set_sent_value(self, "seen", plan_fingerprint(Event.objects.get(pk=self.event.pk)))
        return has_run
