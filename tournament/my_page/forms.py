"""Forms of a player: report or confirm a result, declare a character."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext, gettext_lazy, pgettext_lazy

if TYPE_CHECKING:
    from django.utils.functional import _StrOrPromise as StrOrPromise

from decks.shared.edit_conflicts import ConcurrentEditForm
from decks.shared.form_fields import get_choice_field, mark_as_asked
from decks.shared.refusals import Conflict, Refused
from rules.rendering import translate_text
from tournament.access.permissions import Actor
from tournament.access.player_details import list_fields, translate_declared
from tournament.events.models.event import Event
from tournament.events.models.player import Player
from tournament.events.models.result_sentences import Games, swap_sides
from tournament.events.models.round import Match
from tournament.events.settings import get_game
from tournament.matches import EnteredFields
from tournament.registration import services as registration
from tournament.registration.fields import CHARACTER, character_field
from tournament.registration.form_fields import add_declared_fields, stored_values
from tournament.results.selectors import MyMatch
from tournament.results.services import results
from tournament.results.services.places import report_places
from tournament.web.detail_fields import make_count_field, make_detail_fields, read_details
from tournament.web.refusals import attempt_form_step

REPORT_PATTERN = re.compile(r"^(\d{1,2})-(\d{1,2})(?:-(\d{1,2}))?$")

MAX_GAMES = 9
MAX_PLACE_DIGITS = 3

REPORT_ENDINGS = [
    ("", gettext_lazy("Played out")),
    ("concession", pgettext_lazy("ending", "Concession")),
    ("agreed_draw", gettext_lazy("Intentional draw")),
]


class CharacterForm(forms.Form):
    """The character a player declares."""

    character = forms.CharField(
        label=gettext_lazy("Your character"),
        max_length=80,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )

    def __init__(self, *args: Any, event: Event, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["character"].help_text = translate_declared((character_field(event) or CHARACTER).help)

    def save(self, player: Player, actor: Actor) -> bool:
        """Declare it; False when refused, with the reason beside the field."""
        character = self.cleaned_data["character"]
        attempt_form_step(self, lambda: registration.declare_character(player, actor, character))
        return self.is_valid()


class PlayerDetailsForm(ConcurrentEditForm):
    """The fields that registration asked."""

    def __init__(self, *args: Any, player: Player, **kwargs: Any) -> None:
        fields = [field for field in list_fields(player.event.game) if field.is_asked_of("player")]
        kwargs["initial"] = stored_values(player, fields)
        super().__init__(*args, **kwargs)
        add_declared_fields(self, fields, is_own=True)
        self.carry_initial_values()

    def save(self, player: Player, actor: Actor) -> bool:
        """Store the answers; False when refused, with the reasons beside the fields."""
        attempt_form_step(self, lambda: registration.answer_fields(player, actor, self.cleaned_data))
        return self.is_valid()


class ReportForm(forms.Form):
    """A report by one press (`score`, such as 2-1) or in figures.

    `match` and `opponent` (a player's number) are those that the page showed.
    """

    match = forms.IntegerField(widget=forms.HiddenInput)
    opponent = forms.IntegerField(required=False, widget=forms.HiddenInput)
    score = forms.CharField(required=False, max_length=8, widget=forms.HiddenInput)
    mine = make_count_field(gettext_lazy("Games I won"), MAX_GAMES)
    theirs = make_count_field(gettext_lazy("Games my opponent won"), MAX_GAMES)
    draws = make_count_field(gettext_lazy("Drawn games"), MAX_GAMES)
    ending = forms.ChoiceField(required=False, label=gettext_lazy("Ending"))

    def __init__(
        self, *args: Any, event: Event | None = None, match: MyMatch | None = None, **kwargs: Any
    ) -> None:
        super().__init__(*args, **kwargs)
        self.current = match
        self.result_fields = get_game(event).result_fields if event else ()
        self.fields.update(make_detail_fields(self.result_fields))
        for name in ("mine", "theirs"):
            mark_as_asked(self.fields[name])
        get_choice_field(self, "ending").choices = list(list_ending_choices(event))

    def clean(self) -> None:
        """Put the report into one shape: `games` as mine, theirs, drawn."""
        super().clean()
        self.cleaned_data["games"] = self._games()

    def _games(self) -> Games | None:
        values = self.cleaned_data
        if values.get("score"):
            score_match = REPORT_PATTERN.match(values["score"])
            if score_match is None:
                self.add_error(
                    None, forms.ValidationError(_not_a_score(values["score"]), code="score_unreadable")
                )
                return None
            return int(score_match[1]), int(score_match[2]), int(score_match[3] or 0)
        for name in ("mine", "theirs"):
            if values.get(name) is None and name not in self.errors:
                sentence = gettext("Enter the number of games, or 0.")
                self.add_error(name, forms.ValidationError(sentence, code="games_missing"))
        return values.get("mine") or 0, values.get("theirs") or 0, values.get("draws") or 0

    def report(self, player: Player, current: MyMatch | None, actor: Actor) -> Match:
        """Report it.

        Raises Conflict when the page showed another match than the one played, or Refused.
        """
        if current is None or not self._is_for(current):
            raise Conflict("another_match")
        return results.report_result(current.match, player, actor, **self._reported_values(current))

    def _is_for(self, current: MyMatch) -> bool:
        shown_opponent = self.cleaned_data.get("opponent")
        number = current.opponent.number if current.opponent else None
        return current.match.pk == int(self.cleaned_data["match"]) and shown_opponent in (None, number)

    def _reported_values(self, current: MyMatch) -> EnteredFields:
        """Return what is reported, by the fields of a result."""
        values = self.cleaned_data
        p1_games, p2_games, draws = swap_sides(values["games"], current.is_second)
        return {
            "p1_games": p1_games,
            "p2_games": p2_games,
            "draws": draws,
            "ending": values.get("ending") or "",
            "details": read_details(self.result_fields, values),
        }


class PlacesReportForm(ReportForm):
    """A report of a table with more than two sides.

    `score` holds the place of each side, such as 2-1-2; without it each side has a field `place`.
    """

    score = forms.CharField(required=False, max_length=40, widget=forms.HiddenInput)

    def clean(self) -> None:
        """Read the places of all sides."""
        forms.Form.clean(self)
        sent_places = self.data.getlist("place") if isinstance(self.data, QueryDict) else []
        score = self.cleaned_data.get("score", "")
        places = score.split("-") if score else [place[:MAX_PLACE_DIGITS] for place in sent_places] or [""]
        if not all(place.isdecimal() and len(place) < MAX_PLACE_DIGITS for place in places):
            sentence = _not_a_score(self.cleaned_data.get("score", ""))
            self.add_error(None, forms.ValidationError(sentence, code="score_unreadable"))
            return
        self.cleaned_data["places"] = [int(place) for place in places]

    def report(self, player: Player, current: MyMatch | None, actor: Actor) -> Match:
        """Report it.

        Raises Conflict when the page showed another match than the one played, or Refused.
        """
        if current is None or current.match.pk != int(self.cleaned_data["match"]):
            raise Conflict("another_match")
        return report_places(current.match, player, self.cleaned_data["places"], actor)


class ConfirmForm(ReportForm):
    """Agreement with the opponent's report, as the page showed it."""

    seen = forms.CharField(required=False, max_length=40, widget=forms.HiddenInput)

    def report(self, player: Player, current: MyMatch | None, actor: Actor) -> Match:
        """Confirm it. Raises Conflict when the opponent has changed the report since."""
        if current is not None and not self._is_current(current):
            raise Conflict("report_changed_meanwhile", opponent=str(current.opponent))
        return super().report(player, current, actor)

    def _is_current(self, current: MyMatch) -> bool:
        report, seen_report = current.their_report, self.cleaned_data["seen"]
        if report is None or current.games_of(report) != self.cleaned_data["games"]:
            return False
        return not seen_report or seen_report == report.reported_at.isoformat()

    def _reported_values(self, current: MyMatch) -> EnteredFields:
        report = current.their_report
        if report is None:
            return super()._reported_values(current)
        return {
            "p1_games": report.p1_games,
            "p2_games": report.p2_games,
            "draws": report.draws,
            "ending": report.ending,
            "details": report.details,
        }


def list_ending_choices(event: Event | None) -> Iterator[tuple[str, StrOrPromise]]:
    """Yield the endings that a player can report.

    Without an event, these are the endings of every game.
    """
    for ending, label in REPORT_ENDINGS:
        if event is None or ending != "agreed_draw" or event.intentional_draws:
            yield ending, label
    for own in get_game(event).endings if event else ():
        if own.reported_by_players:
            yield own.key, translate_text(own.label)


def _not_a_score(text: str) -> str:
    sentence = gettext("“%(text)s” is not a result. Write games as 2-1, or 1-1-1 with a drawn game.")
    return sentence % {"text": text}


def require_match(current: MyMatch | None) -> MyMatch:
    """Return the match, or a refusal when the player has none to report."""
    if current is None or current.opponent is None:
        raise Refused("nothing_to_report")
    return current


def fill_match_fields(match: MyMatch | None) -> dict[str, int | None]:
    """Return what a form says of the match that its page shows."""
    if match is None:
        return {}
    return {"match": match.match.pk, "opponent": match.opponent.number if match.opponent else None}
