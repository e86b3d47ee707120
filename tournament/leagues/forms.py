"""Forms of a league: what it is, its next event, two registrations that are one person."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib.auth.models import User

from decks.shared.edit_conflicts import MeanwhileForm
from tournament.access.actor import Actor
from tournament.events.models.event import Event
from tournament.leagues.models import League
from tournament.leagues.selectors import LeagueTable, events_to_add
from tournament.leagues.services import leagues
from tournament.leagues.services import seeding as season_seeds
from tournament.shared.place_lines import points_as_lines, points_of, read_points
from tournament.web.form_refusals import attempt


class SeasonSeedsForm(forms.Form):
    """Whose table gives the players their seeds."""

    league = forms.ModelChoiceField(
        League.objects.filter(entries__event__phase=Event.Phase.FINISHED).distinct().order_by("-created_at"),
        to_field_name="slug",
        empty_label=None,
        label="League",
        help_text="Players are known by their e-mail addresses. Seeds given before are replaced; "
        "who is not in the table has none and follows by lot.",
    )

    def __init__(self, *args: Any, event: Event, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.event = event

    def save(self, actor: Actor) -> int | None:
        """Seed the players; None when the service refused, with the reason beside the field."""
        league = self.cleaned_data["league"]
        return attempt(self, lambda: season_seeds.seed_by_season(self.event, actor, league))


LONGEST = 20_000


class LeagueForm(MeanwhileForm):
    """A league's name, notes and table of points."""

    name = forms.CharField(max_length=120, label="Name")
    notes = forms.CharField(
        required=False, max_length=LONGEST, label="What players should know", widget=forms.Textarea
    )
    points = forms.CharField(
        required=False,
        max_length=LONGEST,
        label="Points by place",
        help_text="One a line, such as “1: 20”, “5-8: 8”, “others: 2”. Ours stand here first.",
        widget=forms.Textarea(attrs={"rows": 8}),
    )
    best_of = forms.IntegerField(
        required=False,
        min_value=1,
        max_value=leagues.MOST_COUNTED,
        label="How many results count",
        help_text="The best so many of each player. Empty: all of them.",
    )

    def __init__(self, *args: Any, league: League | None = None, **kwargs: Any) -> None:
        self.league = league
        points = points_as_lines(points_of(league.points if league else {}))
        kept = {"name": league.name, "notes": league.notes, "best_of": league.best_of} if league else {}
        kwargs["initial"] = {**kept, "points": points}
        super().__init__(*args, **kwargs)
        if league is not None:
            self.watch()

    def save(self, person: User) -> League | None:
        """Make or change the league; None when refused, with the reasons on the form."""
        return attempt(self, lambda: self._save(person))

    def _save(self, person: User) -> League:
        values = {**self.cleaned_data, "points": read_points(self.cleaned_data["points"])}
        if self.league is None:
            return leagues.create(person, **values)
        return leagues.change(self.league, Actor.of_user(person), **values)


class LeagueEventForm(forms.Form):
    """The next event of a league."""

    event = forms.ModelChoiceField(queryset=None, label="Event", empty_label="Choose an event")

    def __init__(self, *args: Any, league: League, person: User, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.league, self.person = league, person
        self.fields["event"].queryset = events_to_add(person, league)

    def save(self) -> bool:
        """Put it in; False when refused."""
        event = self.cleaned_data["event"]
        return attempt(self, lambda: leagues.add_event(self.league, self.person, event)) is not None


class SamePersonForm(forms.Form):
    """Two registrations that are one person."""

    one = forms.TypedChoiceField(coerce=int, label="This registration")
    two = forms.TypedChoiceField(coerce=int, label="and this one")

    def __init__(self, *args: Any, league: League, table: LeagueTable, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.league = league
        groups = [(each.name, list(each.registrations)) for each in table.namesakes]
        for name in ("one", "two"):
            self.fields[name].choices = [("", "Choose"), *groups]

    def save(self, actor: Actor) -> bool:
        """Join them; False when refused."""
        one, two = self.cleaned_data["one"], self.cleaned_data["two"]
        return attempt(self, lambda: leagues.join(self.league, actor, one, two)) is not None
