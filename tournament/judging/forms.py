"""Forms of judges: check draws, deck check outcomes, penalties, rulings."""

from __future__ import annotations

from django import forms
from django.utils.translation import gettext_lazy

from tournament.access.permissions import Actor
from tournament.events.models.event import Event
from tournament.events.models.player import Player
from tournament.events.models.round import Match
from tournament.judging.models import DeckCheck, JudgeCall, TableRuling
from tournament.judging.services import calls, deck_checks, penalties
from tournament.penalties.models import Infraction, Penalty, PenaltyLevel
from tournament.shared.hashes import MAX_SEED
from tournament.web.refusals import attempt_form_step


class CheckDrawForm(forms.Form):
    """How many tables are drawn; the seed only to repeat a draw."""

    count = forms.IntegerField(
        label=gettext_lazy("Number of tables"), min_value=1, max_value=deck_checks.MAX_DRAWN_TABLES, initial=2
    )
    seed = forms.IntegerField(
        label=gettext_lazy("Random seed"),
        required=False,
        min_value=0,
        max_value=MAX_SEED,
        help_text=gettext_lazy("Leave empty for a new seed. The same seed selects the same tables."),
    )

    def save(self, event: Event, actor: Actor) -> bool:
        """Draw, and begin the checks."""
        return bool(
            attempt_form_step(self, lambda: deck_checks.draw_checks(event, actor, **self.cleaned_data))
        )


class EndCheckForm(forms.Form):
    """How a deck check ended, and the time it took the table."""

    outcome = forms.ChoiceField(
        label=gettext_lazy("Outcome"),
        choices=[(o.value, o.label) for o in (DeckCheck.Outcome.OK, DeckCheck.Outcome.PROBLEM)],
        widget=forms.RadioSelect,
    )
    note = forms.CharField(
        label=gettext_lazy("Note"),
        max_length=400,
        required=False,
        help_text=gettext_lazy("Describe the problem, if there is one."),
    )
    extension = forms.IntegerField(
        label=gettext_lazy("Time extension (minutes)"),
        required=False,
        min_value=0,
        max_value=deck_checks.MAX_EXTENSION_MINUTES,
        help_text=gettext_lazy("Proposed: duration of the check plus 3 minutes (Ringside default)."),
    )

    def save(self, check: DeckCheck, actor: Actor) -> DeckCheck | None:
        """Put the outcome on record."""
        return attempt_form_step(self, lambda: deck_checks.end_check(check, actor, **self.cleaned_data))


class PenaltyForm(forms.Form):
    """The infraction, the penalty level, and the match in which a loss counts."""

    infraction = forms.ChoiceField(
        label=gettext_lazy("Infraction"), choices=Infraction.choices, widget=forms.RadioSelect
    )
    degree = forms.ChoiceField(
        label=gettext_lazy("Penalty"), choices=PenaltyLevel.choices, widget=forms.RadioSelect
    )
    note = forms.CharField(
        label=gettext_lazy("Note to player"),
        max_length=400,
        required=False,
        widget=forms.Textarea(attrs={"rows": 2}),
    )
    counts = forms.ChoiceField(
        label=gettext_lazy("Match affected by the loss"),
        choices=[("now", gettext_lazy("The current match")), ("next", gettext_lazy("The next match"))],
        widget=forms.RadioSelect,
        initial="now",
    )
    seen = forms.IntegerField(required=False, min_value=0, max_value=10_000, widget=forms.HiddenInput)
    check = forms.IntegerField(required=False, min_value=1, max_value=2**31, widget=forms.HiddenInput)

    def save(self, player: Player, actor: Actor) -> Penalty | None:
        """Give the penalty."""
        values = dict(self.cleaned_data)
        is_next, seen_penalties = values.pop("counts") == "next", values.pop("seen")
        deck_check = player.deck_checks.filter(pk=values.pop("check") or 0).first()
        return attempt_form_step(
            self,
            lambda: penalties.give_penalty(
                player, actor, **values, is_next=is_next, check=deck_check, seen_penalties=seen_penalties
            ),
        )


class TableRulingForm(forms.Form):
    """The question and the ruling at a table."""

    question = forms.CharField(label=gettext_lazy("Question"), max_length=400, required=False)
    ruling = forms.CharField(label=gettext_lazy("Ruling"), max_length=400)
    reason = forms.CharField(
        label=gettext_lazy("Reason"), max_length=400, help_text=gettext_lazy("Rule cited or reason")
    )

    def save(self, match: Match, actor: Actor) -> TableRuling | None:
        """Keep it."""
        return attempt_form_step(self, lambda: calls.record_table_ruling(match, actor, **self.cleaned_data))


class CloseCallForm(TableRulingForm):
    """The outcome of a call; a ruling only if there was one."""

    ruling = forms.CharField(label=gettext_lazy("Ruling"), max_length=400, required=False)
    reason = forms.CharField(
        label=gettext_lazy("Reason"),
        max_length=400,
        required=False,
        help_text=gettext_lazy("Rule cited or reason. Required with a ruling."),
    )

    def close(self, call: JudgeCall, actor: Actor) -> JudgeCall | None:
        """Settle the call."""
        return attempt_form_step(self, lambda: calls.resolve_call(call, actor, **self.cleaned_data))
