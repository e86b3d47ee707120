"""Forms of how an event is played: local rules and pairing options."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypedDict

from django import forms
from django.utils.translation import gettext, gettext_lazy, gettext_noop, pgettext_lazy

import rules
from decks.shared.edit_conflicts import ConcurrentEditForm
from decks.shared.form_fields import get_choice_field
from decks.shared.refusals import Refused
from rules.names import split_rank_marks
from rules.rendering import translate_text
from tournament.access.permissions import Actor
from tournament.booster_drafts.selectors import get_draft_pods
from tournament.events.models.event import Event
from tournament.events.models.player import Player
from tournament.events.name_order import sort_players
from tournament.events.settings import LAST_TABLE
from tournament.leagues.models import League
from tournament.leagues.services import seed_by_season
from tournament.pairing.options import (
    CLUB_SEPARATION,
    FIRST_ROUND_METHODS,
    SEEDINGS,
    format_round_numbers,
    parse_pairing_options,
    parse_round_numbers,
)
from tournament.pairing.services.player_facts import forbid_pair
from tournament.setup.services import events
from tournament.setup.services.settings import set_local_rules
from tournament.web.refusals import attempt_form_step

CARDS_HELP = gettext_lazy("One card per line, by name. Add dots to ban one version of a character: Ken ●●")

# The name of unnamed local rules in verdicts: see `rules.overlay.Overlay`.
UNNAMED = gettext_noop("local rules")


class OverlayCard(TypedDict, total=False):
    """A card by name; a character with its dots for that version alone."""

    name: str
    dots: int


class StoredOverlay(TypedDict, total=False):
    """Local rules as an event keeps them: see `rules.overlay.Overlay`."""

    name: str
    bans: Sequence[OverlayCard | str]
    unbans: Sequence[OverlayCard | str]
    parameters: Mapping[str, Mapping[str, int]]
    readings: Mapping[str, str]
    off: Sequence[str]


class LocalRulesForm(ConcurrentEditForm):
    """Cards banned or allowed here, other numbers, other readings and lifted rules."""

    bans = forms.CharField(
        required=False, label=gettext_lazy("Additional bans"), help_text=CARDS_HELP, widget=forms.Textarea
    )
    unbans = forms.CharField(
        required=False, label=gettext_lazy("Lifted bans"), help_text=CARDS_HELP, widget=forms.Textarea
    )

    def __init__(self, *args: Any, event: Event, **kwargs: Any) -> None:
        self.event = event
        self.plain_format = rules.load_format(event.game, event.format, rules=event.rules_version)
        self.stored_overlay: StoredOverlay = event.overlay
        kwargs["initial"] = {
            "bans": _format_cards(self.stored_overlay.get("bans", ())),
            "unbans": _format_cards(self.stored_overlay.get("unbans", ())),
        }
        super().__init__(*args, **kwargs)
        for name in ("bans", "unbans"):
            self.fields[name].widget.attrs["rows"] = 4
        for rule in self.plain_format.rules:
            self._offer_numbers(rule.name, rule.params)
            self._offer_readings(rule)
        for condition in self.plain_format.conditions():
            if condition.is_adjustable:
                self._offer_numbers(condition.key, condition.params)
        self._offer_lifting()
        self.carry_initial_values()

    def _offer_numbers(self, rule: str, params: Mapping[str, object]) -> None:
        changed_numbers = self.stored_overlay.get("parameters", {}).get(rule, {})
        for key, value in params.items():
            if type(value) is int:
                self.fields[f"number:{rule}:{key}"] = forms.IntegerField(
                    required=False,
                    min_value=0,
                    max_value=1000,
                    label=gettext("%(rule)s: %(value)s") % {"rule": _label(rule), "value": _label(key)},
                    help_text=gettext("Default: %(value)s") % {"value": value},
                    initial=changed_numbers.get(key, value),
                )

    def _offer_readings(self, rule: rules.rule.Rule) -> None:
        if rule.readings:
            choices = [("", gettext("Default")), *((name, _label(name)) for name in rule.readings)]
            self.fields[f"reading:{rule.name}"] = forms.ChoiceField(
                required=False,
                choices=choices,
                label=gettext("%(rule)s: interpretation") % {"rule": _label(rule.name)},
                help_text=rule.in_words(),
                initial=self.stored_overlay.get("readings", {}).get(rule.name, ""),
            )

    def _offer_lifting(self) -> None:
        self.fields["off"] = forms.MultipleChoiceField(
            required=False,
            label=gettext("Disabled rules"),
            choices=[(rule.name, rule.in_words()) for rule in self.plain_format.rules if rule.rule != "G-04"],
            widget=forms.CheckboxSelectMultiple,
            initial=list(self.stored_overlay.get("off", ())),
        )

    def overlay(self) -> dict[str, object]:
        """Return what was entered, as an overlay; empty when it changes nothing."""
        sections = {
            "bans": list(_read_cards(self.cleaned_data["bans"])),
            "unbans": list(_read_cards(self.cleaned_data["unbans"])),
            "parameters": self._numbers(),
            "readings": {
                name.partition(":")[2]: value
                for name, value in self.cleaned_data.items()
                if name.startswith("reading:") and value
            },
            "off": self.cleaned_data["off"],
        }
        filled_sections = {part: value for part, value in sections.items() if value}
        # A name that a program gave them stays.
        name = {"name": self.stored_overlay["name"]} if self.stored_overlay.get("name") else {}
        return {**name, **filled_sections} if filled_sections else {}

    def _numbers(self) -> dict[str, dict[str, int]]:
        default_params = {rule.name: rule.params for rule in self.plain_format.rules}
        default_params |= {condition.key: condition.params for condition in self.plain_format.conditions()}
        changed_numbers: dict[str, dict[str, int]] = {}
        for name, value in self.cleaned_data.items():
            if name.startswith("number:") and value is not None:
                _, rule, key = name.split(":")
                if default_params[rule][key] != value:
                    changed_numbers.setdefault(rule, {})[key] = value
        return changed_numbers

    def save(self, actor: Actor) -> bool:
        """Set the local rules.

        Returns False if they were refused, with the reasons on the form.
        """
        return attempt_form_step(self, lambda: set_local_rules(self.event, actor, self.overlay())) is not None


def _read_cards(text: str) -> Iterator[OverlayCard]:
    for line in text.splitlines():
        name, dots = split_rank_marks(line)
        if name:
            yield {"name": name} if dots is None else {"name": name, "dots": dots}


def _format_cards(cards: Sequence[OverlayCard | str]) -> str:
    return "\n".join(card if isinstance(card, str) else _format_card(card) for card in cards)


def _format_card(card: OverlayCard) -> str:
    return " ".join(part for part in (card.get("name", ""), "●" * card.get("dots", 0)) if part)


def _label(key: str) -> str:
    plain_label = {"min": "at least", "max": "at most"}.get(key, key)
    return translate_text(plain_label.replace("_", " ").capitalize())


class TableNumbersField(forms.CharField):
    """Table numbers as people write them: “5, 7”."""

    def to_python(self, value: Any) -> Any:
        """Return the numbers in the text."""
        parts = str(super().to_python(value)).replace(",", " ").replace(";", " ").split()
        if not all(part.isdecimal() and 0 < len(part) < 5 for part in parts):
            raise forms.ValidationError(
                gettext("Write table numbers such as 5, 7."), code="reserved_tables_wrong"
            )
        return sorted({int(part) for part in parts})

    def prepare_value(self, value: Any) -> Any:
        """Return numbers as they are written."""
        return ", ".join(map(str, value)) if isinstance(value, list) else value


class RoundNumbersField(forms.CharField):
    """Rounds as people write them: “1-3, 5”."""

    def to_python(self, value: Any) -> Any:
        """Return the rounds in the text."""
        try:
            return list(parse_round_numbers(str(super().to_python(value))))
        except Refused as refusal:
            raise forms.ValidationError(refusal.message, code=refusal.code) from refusal

    def prepare_value(self, value: Any) -> Any:
        """Return rounds as they are written."""
        return value if value is None or isinstance(value, str) else format_round_numbers(tuple(value))


INSIDE_PODS_LABEL = gettext_lazy("Play Swiss rounds inside the draft pods")

VENUE_FIELDS = ("hall", "first_table", "table_count", "reserved_tables")


class PairingForm(ConcurrentEditForm):
    """The pairing options of an event, and its tables at the venue."""

    first_round = forms.ChoiceField(
        choices=list(FIRST_ROUND_METHODS.items()), label=gettext_lazy("First round")
    )
    seeded_by = forms.ChoiceField(
        choices=list(SEEDINGS.items()),
        label=gettext_lazy("Seeding"),
        help_text=gettext_lazy(
            "For seeded and accelerated rounds, groups, and brackets without Swiss rounds."
        ),
    )
    accelerated = forms.BooleanField(
        required=False,
        label=gettext_lazy("Accelerated pairings"),
        help_text=gettext_lazy(
            "For large events: the best players meet sooner. "
            "The extra points for the first rounds do not count in the standings."
        ),
    )
    apart = forms.ChoiceField(
        choices=list(CLUB_SEPARATION.items()),
        label=gettext_lazy("Players of the same club, team or household"),
    )
    apart_rounds = RoundNumbersField(
        required=False,
        max_length=60,
        label=gettext_lazy("Rounds"),
        help_text=gettext_lazy("Such as 1-3, 5. Leave empty for every round."),
    )
    fresh_tables = forms.BooleanField(
        required=False, label=gettext_lazy("Avoid seating a player at the same table twice")
    )
    inside_pods = forms.BooleanField(
        required=False, label=INSIDE_PODS_LABEL, help_text=gettext_lazy("Fixed once round 1 is paired.")
    )
    hall = forms.CharField(
        required=False,
        max_length=120,
        label=gettext_lazy("Venue name"),
        help_text=gettext_lazy("Events with the same venue name never share a table on one day."),
    )
    first_table = forms.IntegerField(min_value=1, max_value=LAST_TABLE, label=gettext_lazy("First table"))
    table_count = forms.IntegerField(
        required=False,
        min_value=1,
        max_value=LAST_TABLE,
        label=gettext_lazy("Number of tables"),
        help_text=gettext_lazy("Leave empty for one table per match."),
    )
    reserved_tables = TableNumbersField(
        required=False,
        max_length=400,
        label=gettext_lazy("Unused tables"),
        help_text=gettext_lazy("Table numbers to skip, such as 5, 7."),
    )

    def __init__(self, *args: Any, event: Event, **kwargs: Any) -> None:
        self.event = event
        options = parse_pairing_options(event.pairing_options)
        kwargs["initial"] = {
            **options.as_data(),
            "apart_rounds": options.apart_rounds,
            **{name: getattr(event, name) for name in VENUE_FIELDS},
        }
        super().__init__(*args, **kwargs)
        if not get_draft_pods(event):
            del self.fields["inside_pods"]
        self.carry_initial_values()

    def save(self, actor: Actor) -> Event | None:
        """Change the event.

        Returns None if the services refused, with the reasons beside the fields.
        """
        values = dict(self.cleaned_data)
        venue = {name: values.pop(name) for name in VENUE_FIELDS}
        venue["hall"] = venue["hall"].strip()
        return attempt_form_step(
            self, lambda: events.update_event(self.event, actor, {"pairing_options": values, **venue})
        )


class ForbiddenPairForm(forms.Form):
    """Two players who never meet."""

    one = forms.TypedChoiceField(coerce=int, label=gettext_lazy("First player"))
    two = forms.TypedChoiceField(coerce=int, label=gettext_lazy("Second player"))
    reason = forms.CharField(
        label=gettext_lazy("Reason"),
        max_length=200,
        help_text=pgettext_lazy("a reason", "Only staff can see it."),
    )

    def __init__(self, *args: Any, event: Event, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.event = event
        people = sort_players(event, event.players.exclude(status=Player.Status.WITHDRAWN))
        words = gettext("%(player)s (no. %(number)s)")
        names = [(each.number, words % {"player": each.name, "number": each.number}) for each in people]
        for field in ("one", "two"):
            get_choice_field(self, field).choices = [("", "–"), *names]

    def save(self, actor: Actor) -> Any:
        """Write the pair.

        Returns None if the service refused, with the reasons beside the fields.
        """
        return attempt_form_step(self, lambda: forbid_pair(self.event, actor, **self.cleaned_data))


class SeasonSeedsForm(forms.Form):
    """The league whose table gives the players their seeds."""

    league = forms.ModelChoiceField(
        League.objects.filter(entries__event__phase=Event.Phase.FINISHED).distinct().order_by("-created_at"),
        to_field_name="slug",
        empty_label=None,
        widget=forms.Select(attrs={"translate": "no"}),
        label=gettext_lazy("League"),
        help_text=gettext_lazy(
            "Players are matched by email address. Existing seeds are replaced. "
            "Players who are not in the league table get no seed."
        ),
    )

    def __init__(self, *args: Any, event: Event, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.event = event

    def save(self, actor: Actor) -> int | None:
        """Seed the players.

        Returns None if the service refused, with the reason beside the field.
        """
        league = self.cleaned_data["league"]
        return attempt_form_step(self, lambda: seed_by_season(self.event, actor, league))
