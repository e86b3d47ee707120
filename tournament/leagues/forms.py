"""Forms of leagues: settings, events, linked registrations, seeds from a season."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib.auth.models import User
from django.utils.translation import gettext_lazy, pgettext

from decks.shared.edit_conflicts import ConcurrentEditForm
from decks.shared.form_fields import get_choice_field
from tournament.access.permissions import Actor
from tournament.leagues import services
from tournament.leagues.models import League
from tournament.leagues.selectors import LeagueTable, addable_events
from tournament.shared.awards import format_points_table, get_others_word, load_points, parse_points
from tournament.web.refusals import attempt_form_step

MAX_LENGTH = 20_000


class LeagueForm(ConcurrentEditForm):
    """A league's name, notes and table of points."""

    name = forms.CharField(max_length=120, label=gettext_lazy("Name"))
    notes = forms.CharField(
        required=False, max_length=MAX_LENGTH, label=gettext_lazy("Notes for players"), widget=forms.Textarea
    )
    points = forms.CharField(
        required=False,
        max_length=MAX_LENGTH,
        label=gettext_lazy("Points by place"),
        help_text=gettext_lazy("One per line, such as “1: 20”, “5-8: 8” or “others: 2”."),
        widget=forms.Textarea(attrs={"rows": 8}),
    )
    best_of = forms.IntegerField(
        required=False,
        min_value=1,
        max_value=services.MAX_COUNTED_RESULTS,
        label=gettext_lazy("Results that count"),
        help_text=gettext_lazy("Count each player's best results. Leave empty to count all."),
    )

    def __init__(self, *args: Any, league: League | None = None, **kwargs: Any) -> None:
        self.league = league
        points = format_points_table(load_points(league.points if league else {}), get_others_word())
        initial_values = (
            {"name": league.name, "notes": league.notes, "best_of": league.best_of} if league else {}
        )
        kwargs["initial"] = {**initial_values, "points": points}
        super().__init__(*args, **kwargs)
        if league is not None:
            self.carry_initial_values()

    def save(self, user: User) -> League | None:
        """Make or change the league; None when refused, with the reasons on the form."""
        return attempt_form_step(self, lambda: self._save(user))

    def _save(self, user: User) -> League:
        values = {**self.cleaned_data, "points": parse_points(self.cleaned_data["points"])}
        if self.league is None:
            return services.create_league(user, **values)
        return services.update_league(self.league, Actor.of_user(user), **values)


class LeagueEventForm(forms.Form):
    """The next event of a league."""

    def __init__(self, *args: Any, league: League, user: User, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.league, self.person = league, user
        self.fields["event"] = forms.ModelChoiceField(
            queryset=addable_events(user, league),
            label=gettext_lazy("Event"),
            empty_label=gettext_lazy("Choose an event"),
            widget=forms.Select(attrs={"translate": "no"}),
        )

    def save(self) -> bool:
        """Put it in; False when refused."""
        event = self.cleaned_data["event"]
        return (
            attempt_form_step(self, lambda: services.add_event(self.league, self.person, event)) is not None
        )


class SamePersonForm(forms.Form):
    """Two registrations that are one person."""

    one = forms.TypedChoiceField(coerce=int, label=gettext_lazy("First registration"))
    two = forms.TypedChoiceField(coerce=int, label=gettext_lazy("Second registration"))

    def __init__(self, *args: Any, league: League, table: LeagueTable, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.league = league
        groups = [(each.name, list(each.registrations)) for each in table.namesakes]
        for name in ("one", "two"):
            get_choice_field(self, name).choices = [("", pgettext("verb", "Choose")), *groups]

    def save(self, actor: Actor) -> bool:
        """Join them; False when refused."""
        one, two = self.cleaned_data["one"], self.cleaned_data["two"]
        return (
            attempt_form_step(self, lambda: services.mark_same_person(self.league, actor, one, two))
            is not None
        )
