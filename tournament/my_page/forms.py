"""Forms of a player: report or confirm a result, declare a character."""

from __future__ import annotations

import re
from typing import Any

from django import forms

from decks.shared.edit_conflicts import ConcurrentEditForm
from decks.shared.refusals import Conflict, Refused
from tournament.access.permissions import Actor
from tournament.access.player_details import list_fields
from tournament.events.models.event import Event
from tournament.events.models.player import Player
from tournament.events.models.round import Match
from tournament.events.settings import get_head_shot_rule
from tournament.registration import services as registration
from tournament.registration.fields import CHARACTER, character_field
from tournament.registration.form_fields import add_declared_fields, stored_values
from tournament.results.selectors import Games, MyMatch, swap_sides
from tournament.results.services import results
from tournament.web.refusals import attempt_form_step

REPORT_PATTERN = re.compile(r"^(\d{1,2})-(\d{1,2})(?:-(\d{1,2}))?$")

MAX_GAMES = 9

REPORT_ENDINGS = [
    ("", "Played out"),
    ("concession", "One of us conceded"),
    ("agreed_draw", "We agreed on a draw"),
    ("head_shot", "By a head shot"),
]


class CharacterForm(forms.Form):
    """The character a player declares."""

    character = forms.CharField(
        label="Your character",
        max_length=80,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )

    def __init__(self, *args: Any, event: Event, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["character"].help_text = (character_field(event) or CHARACTER).help

    def save(self, player: Player, actor: Actor) -> bool:
        """Declare it; False when refused, with the reason beside the field."""
        character = self.cleaned_data["character"]
        attempt_form_step(self, lambda: registration.declare_character(player, actor, character))
        return self.is_valid()


class DetailsForm(ConcurrentEditForm):
    """What registration asked the player."""

    def __init__(self, *args: Any, player: Player, **kwargs: Any) -> None:
        fields = [field for field in list_fields(player.event.game) if field.is_asked_of("player")]
        super().__init__(*args, initial=stored_values(player, fields), **kwargs)
        add_declared_fields(self, fields, is_own=True)
        self.carry_initial_values()

    def save(self, player: Player, actor: Actor) -> bool:
        """Store the answers; False when refused, with the reasons beside the fields."""
        attempt_form_step(self, lambda: registration.answer_fields(player, actor, self.cleaned_data))
        return self.is_valid()


def _games_field(label: str) -> forms.IntegerField:
    widget = forms.NumberInput(attrs={"inputmode": "numeric", "min": 0, "max": MAX_GAMES})
    return forms.IntegerField(min_value=0, max_value=MAX_GAMES, required=False, label=label, widget=widget)


class ReportForm(forms.Form):
    """A report by one press (`score`, such as 2-1) or in figures; `match` is the one the page showed."""

    match = forms.IntegerField(widget=forms.HiddenInput)
    score = forms.CharField(required=False, max_length=8, widget=forms.HiddenInput)
    mine = _games_field("Games I won")
    theirs = _games_field("Games my opponent won")
    draws = _games_field("Drawn games")
    ending = forms.ChoiceField(required=False, label="How it ended")

    def __init__(self, *args: Any, event: Event | None = None, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name in ("mine", "theirs"):
            self.fields[name].is_asked = True
        self.fields["ending"].choices = [
            each for each in REPORT_ENDINGS if event is None or _is_ending_allowed(event, each[0])
        ]

    def clean(self) -> dict[str, Any]:
        """Put the report into one shape: `games` as mine, theirs, drawn."""
        values = super().clean() or {}
        values["games"] = self._games(values)
        return values

    def _games(self, values: dict[str, Any]) -> Games | None:
        if values.get("score"):
            found = REPORT_PATTERN.match(values["score"])
            if found is None:
                self.add_error(
                    None, forms.ValidationError(_not_a_score(values["score"]), code="score_unreadable")
                )
                return None
            return int(found[1]), int(found[2]), int(found[3] or 0)
        for name in ("mine", "theirs"):
            if values.get(name) is None and name not in self.errors:
                self.add_error(
                    name, forms.ValidationError("Say how many games, 0 if none.", code="games_missing")
                )
        return values.get("mine") or 0, values.get("theirs") or 0, values.get("draws") or 0

    def report(self, player: Player, current: MyMatch | None, actor: Actor) -> Match:
        """Report it. Raises Conflict when the page showed another match than the one played, or Refused."""
        if current is None or current.match.pk != self.cleaned_data["match"]:
            raise Conflict("another_match")
        games = swap_sides(self.cleaned_data["games"], current.is_second)
        return results.report_result(
            current.match,
            player,
            actor,
            p1_games=games[0],
            p2_games=games[1],
            draws=games[2],
            ending=self.cleaned_data.get("ending") or "",
        )


class ConfirmForm(ReportForm):
    """Agreement with the opponent's report, as the page showed it."""

    def report(self, player: Player, current: MyMatch | None, actor: Actor) -> Match:
        """Confirm it. Raises Conflict when the opponent has changed the report since."""
        if current is not None and current.theirs != self.cleaned_data["games"]:
            raise Conflict("report_changed_meanwhile", opponent=str(current.opponent))
        if current is not None:
            self.cleaned_data["ending"] = current.their_ending
        return super().report(player, current, actor)


def _is_ending_allowed(event: Event, ending: str) -> bool:
    if ending == "agreed_draw":
        return event.intentional_draws
    return ending != "head_shot" or get_head_shot_rule(event) is not None


def _not_a_score(text: str) -> str:
    return f"“{text}” is not a result. Write games as 2-1, or 1-1-1 with a drawn game."


def require_match(current: MyMatch | None) -> MyMatch:
    """The match, or a refusal when the player has none to report."""
    if current is None or current.opponent is None:
        raise Refused("nothing_to_report")
    return current
