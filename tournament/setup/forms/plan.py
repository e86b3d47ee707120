"""The form of an event's plan: a line for each stage, and one more to add."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django import forms

from tournament.access.actor import Actor
from tournament.events.models.event import Event, Stage
from tournament.events.plan import MOST_STAGES, StagePlan, plan_of
from tournament.setup.services import events
from tournament.setup.services.settings import plan_mark
from tournament.web.form_refusals import attempt

KINDS = [("", "no stage"), *Stage.Kind.choices]
CHOSEN = [("top", "the best of the standings"), ("diversity", "the best of each character (UFS 100.5.1)")]
SHORT = Event.ShortCut.choices


class StageForm(forms.Form):
    """One line of the plan."""

    kind = forms.ChoiceField(choices=KINDS, required=False, label="Played as")
    rounds = forms.IntegerField(required=False, label="Swiss rounds", help_text="Empty: as many as needed.")
    groups = forms.IntegerField(required=False, label="Groups", help_text="Of a round robin.")
    twice = forms.BooleanField(required=False, label="All meet twice, in a round robin")
    third_place = forms.BooleanField(required=False, label="A match for third place, in single elimination")
    size = forms.IntegerField(required=False, label="How many come in")
    by = forms.ChoiceField(choices=CHOSEN, required=False, label="Who comes in")
    short = forms.ChoiceField(choices=SHORT, required=False, label="With fewer characters than places")

    def as_data(self) -> dict[str, Any]:
        """The line as plans are kept."""
        values = dict(self.cleaned_data)
        return {
            **values,
            "groups": values["groups"] if values["groups"] is not None else 1,
            "by": values["by"] or "top",
            "short": values["short"] or Event.ShortCut.SHRINK.value,
        }


class PlanForm(forms.Form):
    """All stages of an event in a row; errors of the whole stand on it. It carries which plan it showed."""

    seen = forms.CharField(required=False, max_length=16, widget=forms.HiddenInput)

    def __init__(self, data: Any = None, *, event: Event) -> None:
        super().__init__(data, initial={"seen": plan_mark(event)})
        self.event = event
        plan = plan_of(event)
        self.lines = [
            StageForm(data, prefix=f"stage{at}", initial=self._initial(plan, at))
            for at in range(min(max(len(plan) + 1, self._sent(data or {})), MOST_STAGES))
        ]

    @staticmethod
    def _sent(data: Mapping[str, Any]) -> int:
        """How many lines came; the plan may have had more when the page was opened."""
        return next((at for at in range(MOST_STAGES) if f"stage{at}-kind" not in data), MOST_STAGES)

    @staticmethod
    def _initial(plan: tuple[StagePlan, ...], at: int) -> dict[str, Any]:
        return plan[at].as_data() if at < len(plan) else {}

    def is_valid(self) -> bool:
        """Whether every line can be read; what lines say together is checked on saving."""
        read = [line.is_valid() for line in self.lines]
        return super().is_valid() and all(read)

    def save(self, actor: Actor) -> Event | None:
        """Keep the plan; None when it was refused, with the reasons on the form."""
        plan = [line.as_data() for line in self.lines if line.cleaned_data["kind"]]
        if not plan:
            self.add_error(None, "An event has at least one stage.")
            return None
        seen = self.data.get("seen") or None
        done = attempt(self, lambda: events.update_event(self.event, actor, {"plan": plan}, seen_plan=seen))
        if done is None:
            self.data = {**self.data.dict(), "seen": plan_mark(Event.objects.get(pk=self.event.pk))}
        return done
