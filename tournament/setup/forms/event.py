"""Form of an event: its settings."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Any
from zoneinfo import ZoneInfo, available_timezones

from django import forms
from django.conf import settings
from django.utils import timezone
from django.utils.translation import get_language, gettext, gettext_lazy

import rules
from decks.shared.edit_conflicts import ConcurrentEditForm
from decks.shared.form_fields import get_choice_field
from rules.rendering import translate_text
from tournament.access.permissions import Actor
from tournament.events.models.event import Event
from tournament.events.presets import get_preset, list_preset_choices
from tournament.registration.services import validation
from tournament.setup.forms.rules import INSIDE_PODS_LABEL
from tournament.setup.services import events
from tournament.setup.services.settings import PLAN_FIELDS
from tournament.standings.pods import parse_place_points
from tournament.web.refusals import attempt_form_step

if TYPE_CHECKING:
    from django.utils.functional import _StrOrPromise as StrOrPromise

DEFAULT_ROUND_MINUTES = 50  # Ringside default, for match forms whose document names no time

DEFAULT_NO_SHOW_MINUTES = 10  # Ringside default, for absent players

# The content of a name field is not translated. What a format says about cuts, as its conditions call it.
DIVERSITY_CONDITION = "diversity"

DATA = {"translate": "no"}

DATETIME_LOCAL_FORMAT = "%Y-%m-%dT%H:%M"


def make_datetime_field(
    is_required: bool, label: StrOrPromise, help_text: StrOrPromise = ""
) -> forms.DateTimeField:
    """Return a field of a day and an hour, as browsers send them."""
    widget = forms.DateTimeInput(attrs={"type": "datetime-local"}, format=DATETIME_LOCAL_FORMAT)
    return forms.DateTimeField(
        required=is_required,
        label=label,
        help_text=help_text,
        widget=widget,
        input_formats=[DATETIME_LOCAL_FORMAT, "%Y-%m-%d %H:%M"],
    )


class EventForm(ConcurrentEditForm):
    """Everything an organizer decides.

    Give `event` to change one; `game` and `format_key` for a new one. `zone` is that of the organizer's last
    event; without one, the device that shows the form chooses its own.
    """

    name = forms.CharField(max_length=120, label=gettext_lazy("Event name"))
    starts_at = make_datetime_field(True, gettext_lazy("Starts"), gettext_lazy("Local time at the venue"))
    time_zone = forms.ChoiceField(
        widget=forms.Select(attrs=DATA),
        label=gettext_lazy("Time zone"),
        choices=[(z, z) for z in sorted(available_timezones())],
    )
    place = forms.CharField(
        label=gettext_lazy("Venue"),
        max_length=200,
        required=False,
        help_text=gettext_lazy("Address, or where the event takes place online."),
    )
    language = forms.ChoiceField(
        label=gettext_lazy("Language"),
        choices=lambda: settings.LANGUAGES,
        widget=forms.Select(attrs=DATA),
        required=False,
        help_text=gettext_lazy("Printouts, the venue screen and emails to players use it."),
    )
    name_order = forms.ChoiceField(
        label=gettext_lazy("Order of names"),
        choices=Event.NameOrder.choices,
        required=False,
        help_text=gettext_lazy("Lists on pages, the venue screen and printouts use it."),
    )
    capacity = forms.IntegerField(
        label=gettext_lazy("Capacity"),
        required=False,
        min_value=2,
        help_text=gettext_lazy("Leave empty for no limit. Extra players join the waiting list."),
    )
    team_size = forms.IntegerField(
        required=False,
        min_value=2,
        max_value=validation.MAX_TEAM_SIZE,
        label=gettext_lazy("Team size"),
        help_text=gettext_lazy("Leave empty for a singles event."),
    )
    has_boards = forms.BooleanField(
        required=False,
        label=gettext_lazy("Boards for team members"),
        help_text=gettext_lazy(
            "Seat A plays seat A, seat B plays seat B. The team that wins more boards wins the match."
        ),
    )
    entry_fee = forms.CharField(
        label=gettext_lazy("Entry fee"),
        max_length=120,
        required=False,
        help_text=gettext_lazy("A note such as “10 € at the desk”. Ringside does not collect it."),
    )
    notes = forms.CharField(
        required=False,
        widget=forms.Textarea(attrs={"rows": 4}),
        label=gettext_lazy("Notes for players"),
        help_text=gettext_lazy("For example, what to bring."),
    )
    kind = forms.ChoiceField(
        required=False,
        label=gettext_lazy("Event structure"),
        help_text=gettext_lazy("You can change the stages later in Settings."),
    )
    rules_version = forms.ChoiceField(
        widget=forms.Select(attrs=DATA), label=gettext_lazy("Rules version"), required=False
    )
    match_form = forms.ChoiceField(label=gettext_lazy("Match format"))
    round_minutes = forms.IntegerField(
        min_value=1,
        max_value=600,
        label=gettext_lazy("Minutes per round"),
        required=False,
        help_text=gettext_lazy("Leave empty for the default of the match format."),
    )
    place_points = forms.CharField(
        label=gettext_lazy("Points by place"),
        required=False,
        max_length=60,
        help_text=gettext_lazy("First place first, such as 4 3 2 1. Leave empty for the Ringside default."),
    )
    swiss_rounds = forms.IntegerField(
        required=False,
        min_value=1,
        max_value=30,
        label=gettext_lazy("Swiss rounds"),
        help_text=gettext_lazy("Leave empty for a suggestion based on the players."),
    )
    inside_pods = forms.BooleanField(
        required=False,
        label=INSIDE_PODS_LABEL,
        help_text=gettext_lazy("Otherwise players meet across all pods. You can change it until round 1."),
    )
    cut = forms.ChoiceField(choices=Event.Cut.choices, label=gettext_lazy("Cut"))
    cut_size = forms.IntegerField(required=False, min_value=2, max_value=512, label=gettext_lazy("Cut size"))
    short_cut = forms.ChoiceField(
        choices=Event.ShortCut.choices,
        label=gettext_lazy("If there are too few characters"),
    )
    decklists_required = forms.BooleanField(required=False, label=gettext_lazy("Require a decklist"))
    decklists_due_at = make_datetime_field(
        False, gettext_lazy("Decklist deadline"), gettext_lazy("Leave empty for the start of round 1.")
    )
    intentional_draws = forms.BooleanField(required=False, label=gettext_lazy("Allow intentional draws"))
    no_show_minutes = forms.IntegerField(
        min_value=0,
        max_value=120,
        required=False,
        label=gettext_lazy("No-show after (minutes)"),
        help_text=gettext_lazy(
            "The absent player then loses the match. The rules set no limit, so choose one."
        ),
    )
    open_registration = forms.BooleanField(
        required=False, initial=True, label=gettext_lazy("Open registration now")
    )

    def __init__(
        self,
        *args: Any,
        event: Event | None = None,
        game: str = "",
        format_key: str = "",
        zone: str = "",
        **kwargs: Any,
    ) -> None:
        self.event = event
        self.zone = zone
        self.game = event.game if event else game
        self.format_key = event.format if event else format_key
        self.format = rules.load_format(self.game, self.format_key)
        self.cut_conditions = [each for each in self.format.conditions() if each.key == DIVERSITY_CONDITION]
        warned_of = {rule.rule for rule in self.format.rules if rule.severity == "warning"}
        self.advice = [each for each in self.format.conditions() if each.rule in warned_of]
        kwargs["initial"] = self._initial()
        super().__init__(*args, **kwargs)
        self.game_facts = next(g for g in rules.games() if g.key == self.game)
        get_choice_field(self, "rules_version").choices = self._versions()
        if event is None and not zone and not self.is_bound:
            self.fields["time_zone"].widget.attrs["data-zone-here"] = ""
        get_choice_field(self, "match_form").choices = [
            (form.key, translate_text(form.name)) for form in self.game_facts.match_forms
        ]
        get_choice_field(self, "kind").choices = list_preset_choices(self.format.sides)
        if self.format.sides.is_duel:
            del self.fields["place_points"]
        if event is not None:
            del self.fields["open_registration"], self.fields["kind"]
        if event is not None or not (self.format.limited and self.format.limited.pods):
            del self.fields["inside_pods"]
        if event is not None and event.plan:
            for name in PLAN_FIELDS:
                del self.fields[name]
        if event is not None:
            self.carry_initial_values()

    @property
    def has_more_details(self) -> bool:
        """Return whether a detail that few events need has a value or a problem.

        If none has, the details are folded.
        """
        is_own_order = self["name_order"].value() not in (None, "", Event.NameOrder.WRITTEN)
        has_value = any(map(self._is_set, ("entry_fee", "notes")))
        return is_own_order or has_value or any(self[name].errors for name in ("language", "name_order"))

    @property
    def has_diversity_options(self) -> bool:
        """Return whether the options of a diversity cut are in use or have a problem."""
        return self["cut"].value() == Event.Cut.DIVERSITY or bool(self["short_cut"].errors)

    @property
    def has_team_options(self) -> bool:
        """Return whether a field of team events has a value or a problem.

        Other forms collapse these fields.
        """
        return self._is_set("team_size") or self._is_set("has_boards")

    @property
    def has_rule_options(self) -> bool:
        """Return whether a field about rules is not default or has a problem.

        Other forms collapse these fields.
        """
        is_own_time = str(self["no_show_minutes"].value()) != str(DEFAULT_NO_SHOW_MINUTES)
        names = ("rules_version", "no_show_minutes")
        has_value = self._is_set("intentional_draws") or self._has_place_points()
        return is_own_time or has_value or any(self[name].errors for name in names)

    def _has_place_points(self) -> bool:
        return "place_points" in self.fields and self._is_set("place_points")

    def _is_set(self, name: str) -> bool:
        return bool(self[name].value() or self[name].errors)

    def _versions(self) -> list[tuple[str, str]]:
        choices = [(v.number, f"{v.number} ({v.document})") for v in reversed(self.game_facts.versions)]
        return (
            choices
            if self.event
            else [
                ("", gettext("In force on the day (%(version)s)") % {"version": self.format.version}),
                *choices,
            ]
        )

    def _initial(self) -> dict[str, object]:
        if self.event is None:
            return {
                "time_zone": self.zone or timezone.get_current_timezone_name(),
                "language": get_language(),
                "cut": Event.Cut.NONE,
                "no_show_minutes": DEFAULT_NO_SHOW_MINUTES,
                "team_size": self.format.team_size,
                "match_form": self.format.match_form,
            }
        values = {
            name: getattr(self.event, name) for name in events.EDITABLE_FIELDS if name in self.base_fields
        }
        values["place_points"] = " ".join(map(str, self.event.place_points))
        for name in ("starts_at", "decklists_due_at"):
            if values[name] is not None:
                values[name] = values[name].astimezone(self.event.zone).replace(tzinfo=None)
        return values

    def clean(self) -> dict[str, object]:
        """Put times into the event's zone and fill what was left to Ringside."""
        values = super().clean() or {}
        zone = ZoneInfo(values.get("time_zone") or "UTC")
        for name in ("starts_at", "decklists_due_at"):
            if values.get(name):
                values[name] = self._in_zone(values[name], zone)
        if not values.get("rules_version"):
            start_date = values["starts_at"].date() if values.get("starts_at") else None
            values["rules_version"] = rules.load_format(self.game, self.format_key, on=start_date).version
        if values.get("no_show_minutes") is None:
            values["no_show_minutes"] = self.event.no_show_minutes if self.event else DEFAULT_NO_SHOW_MINUTES
        values["language"] = values.get("language") or (self.event.language if self.event else get_language())
        written_order = self.event.name_order if self.event else Event.NameOrder.WRITTEN
        values["name_order"] = values.get("name_order") or written_order
        if not values.get("round_minutes") and values.get("match_form"):
            values["round_minutes"] = self._minutes(values["match_form"])
        if values.get("cut") == Event.Cut.NONE:
            values["cut_size"] = None
        return values

    def clean_place_points(self) -> list[str]:
        """Return the points as they are kept."""
        points = parse_place_points(self.cleaned_data["place_points"].replace(",", " ").split())
        if points is None:
            raise forms.ValidationError(
                gettext("Enter points from the first place on, such as 4 3 2 1."), code="place_points_wrong"
            )
        return points

    @staticmethod
    def _in_zone(moment: datetime, zone: ZoneInfo) -> datetime:
        return moment.replace(tzinfo=zone)

    def _minutes(self, match_form: str) -> int:
        rule_minutes = next(f.minutes for f in self.game_facts.match_forms if f.key == match_form)
        return rule_minutes or DEFAULT_ROUND_MINUTES

    def save(self, actor: Actor) -> Event | None:
        """Create or change the event.

        Returns None if the services refused, with the reasons beside the fields.
        """
        values = {name: value for name, value in self.cleaned_data.items() if name in events.EDITABLE_FIELDS}
        preset = get_preset(self.cleaned_data.get("kind", ""), self.format.sides)
        if preset is not None and preset.plan:
            values["plan"] = [stage.as_data() for stage in preset.plan]
        if self.cleaned_data.get("inside_pods"):
            values["pairing_options"] = {"inside_pods": True}
        if (event := self.event) is not None:
            return attempt_form_step(self, lambda: events.update_event(event, actor, values))
        opens_registration = self.cleaned_data["open_registration"]
        return attempt_form_step(
            self,
            lambda: events.create_event(
                actor, open_registration=opens_registration, game=self.game, format=self.format_key, **values
            ),
        )
