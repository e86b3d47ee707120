"""The form of an event's local rules, made from the rules of its format."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from django import forms

import rules
from decks.shared.edit_conflicts import MeanwhileForm
from rules.names import without_rank
from tournament.access.actor import Actor
from tournament.events.models.event import Event
from tournament.setup.services.local_rules import set_local_rules
from tournament.web.form_refusals import attempt

CARDS_HELP = "One card a line, by name; a character with its dots bans that version alone: Ken ●●"
NAME = "Local rules"


class LocalRulesForm(MeanwhileForm):
    """Cards banned or allowed here, other numbers, other readings, and rules that are lifted."""

    bans = forms.CharField(
        required=False, label="Also banned here", help_text=CARDS_HELP, widget=forms.Textarea
    )
    unbans = forms.CharField(
        required=False, label="Allowed here", help_text=CARDS_HELP, widget=forms.Textarea
    )

    def __init__(self, *args: Any, event: Event, **kwargs: Any) -> None:
        self.event = event
        self.plain = rules.load_format(event.game, event.format, rules=event.rules_version)
        self.stored: Mapping[str, Any] = event.overlay or {}
        kwargs["initial"] = {part: self._listed(part) for part in ("bans", "unbans")}
        super().__init__(*args, **kwargs)
        for name in ("bans", "unbans"):
            self.fields[name].widget.attrs["rows"] = 4
        for rule in self.plain.rules:
            self._offer_numbers(rule.name, rule.params)
            self._offer_readings(rule)
        for condition in self.plain.conditions():
            # Points, clocks and the like are settings of the event, not of the deck.
            if "-L" in condition.rule:
                self._offer_numbers(condition.key, condition.params)
        self._offer_lifting()
        self.watch()

    def _listed(self, part: str) -> str:
        return "\n".join(_written(card) for card in self.stored.get(part, ()))

    def _offer_numbers(self, rule: str, params: Mapping[str, Any]) -> None:
        changed = self.stored.get("parameters", {}).get(rule, {})
        for key, value in params.items():
            if type(value) is int:
                self.fields[f"number:{rule}:{key}"] = forms.IntegerField(
                    required=False,
                    min_value=0,
                    max_value=1000,
                    label=f"{_words(rule)}, {_words(key).lower()}",
                    help_text=f"The format says {value}.",
                    initial=changed.get(key, value),
                )

    def _offer_readings(self, rule: rules.rule.Rule) -> None:
        if rule.readings:
            choices = [("", "as usual"), *((name, _words(name)) for name in rule.readings)]
            self.fields[f"reading:{rule.name}"] = forms.ChoiceField(
                required=False,
                choices=choices,
                label=f"{_words(rule.name)} is read",
                help_text=rule.in_words(),
                initial=self.stored.get("readings", {}).get(rule.name, ""),
            )

    def _offer_lifting(self) -> None:
        self.fields["off"] = forms.MultipleChoiceField(
            required=False,
            label="Lifted here",
            choices=[(rule.name, rule.in_words()) for rule in self.plain.rules if rule.rule != "G-04"],
            widget=forms.CheckboxSelectMultiple,
            initial=self.stored.get("off", []),
        )

    def overlay(self) -> dict[str, Any]:
        """What was entered, as an overlay; empty when it changes nothing."""
        parts = {
            "bans": list(_cards(self.cleaned_data["bans"])),
            "unbans": list(_cards(self.cleaned_data["unbans"])),
            "parameters": self._numbers(),
            "readings": {
                name.partition(":")[2]: value
                for name, value in self.cleaned_data.items()
                if name.startswith("reading:") and value
            },
            "off": self.cleaned_data["off"],
        }
        filled = {part: value for part, value in parts.items() if value}
        return {"name": NAME, **filled} if filled else {}

    def _numbers(self) -> dict[str, dict[str, int]]:
        stated = {rule.name: rule.params for rule in self.plain.rules}
        stated |= {condition.key: condition.params for condition in self.plain.conditions()}
        changed: dict[str, dict[str, int]] = {}
        for name, value in self.cleaned_data.items():
            if name.startswith("number:") and value is not None:
                _, rule, key = name.split(":")
                if stated[rule][key] != value:
                    changed.setdefault(rule, {})[key] = value
        return changed

    def save(self, actor: Actor) -> bool:
        """Set the local rules; False when they were refused, with the reasons on the form."""
        return attempt(self, lambda: set_local_rules(self.event, actor, self.overlay())) is not None


def _cards(text: str) -> Iterator[dict[str, Any]]:
    for line in text.splitlines():
        name, dots = without_rank(line)
        if name:
            yield {"name": name} if dots is None else {"name": name, "dots": dots}


def _written(card: Mapping[str, Any] | str) -> str:
    if isinstance(card, str):
        return card
    return " ".join(part for part in (str(card.get("name", "")), "●" * int(card.get("dots", 0))) if part)


def _words(key: str) -> str:
    plain = {"min": "at least", "max": "at most"}.get(key, key)
    return plain.replace("_", " ").capitalize()
