"""Formats with rules, lists and conditions; explain and compare them in words."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import date
from functools import cached_property

from rules.checks import CheckFunction
from rules.game import Game
from rules.limited import LimitedPlay
from rules.lists import Edition, Lists, join_in_force
from rules.overlay import (
    BadOverlay,
    Overlay,
    apply_overlay_to_bans,
    apply_overlay_to_conditions,
    apply_overlay_to_rules,
    find_overlay_problems,
    find_rule_name,
    local_rule,
    render_local_rule,
)
from rules.reason import Reason, plain_reason
from rules.rule import REGISTRATION, Condition, FormatContext, Rule, ZoneSize
from rules.sides import DUEL, Sides


# No slots: it keeps what follows from its parts.
@dataclass(frozen=True)
class Format:
    """One format under one version of a game's rules.

    Includes the lists in force and local rules, if any.
    """

    game: Game
    key: str
    name: str
    version: str
    document: str
    stated_rules: tuple[Rule, ...]
    stated_conditions: tuple[Condition, ...]
    editions: Mapping[str, Edition]
    summary: str
    sanctioned: bool
    overlay: Overlay | None
    team_size: int | None
    own_match_form: str = ""
    sides: Sides = DUEL
    limited: LimitedPlay | None = None

    @property
    def match_form(self) -> str:
        """Return the match form with which an event begins.

        It is the format's own, else the first of the game.
        """
        return self.own_match_form or self.game.match_forms[0].key

    @property
    def source(self) -> str:
        """The document that the format is taken from."""
        return self.document

    @cached_property
    def lists(self) -> Lists:
        """The lists in force, with local bans and unbans applied to them."""
        editions = dict(self.editions)
        if self.overlay and (self.overlay.bans or self.overlay.unbans):
            editions["bans"] = apply_overlay_to_bans(editions.get("bans"), self.overlay, self.game.key)
        return Lists(editions, self.game.rank_attribute, self.game.ranked_types)

    @cached_property
    def edition_names(self) -> tuple[Reason, ...]:
        """The lists in force, as parts of a sentence."""
        return tuple(edition.reason() for edition in self.lists.editions.values())

    @cached_property
    def rules(self) -> tuple[Rule, ...]:
        """The rules in the order of the format's file, each knowing the format it is in."""
        changed_rules = (
            apply_overlay_to_rules(self.stated_rules, self.overlay) if self.overlay else self.stated_rules
        )
        game = self.game
        setting = FormatContext(
            game.key,
            self.key,
            self.name,
            game.zones,
            self.lists,
            _sizes(changed_rules),
            game.zone_types,
            game.needed_cards,
        )
        return tuple(replace(rule, setting=setting) for rule in changed_rules)

    @cached_property
    def rows(self) -> Mapping[str, str]:
        """The digest row of each rule, by the rule's heading."""
        return {rule.name: rule.rule for rule in self.rules}

    @cached_property
    def causes(self) -> Mapping[str, tuple[str, ...]]:
        """The digest rows whose breach brings a breach of a row with it, by that row."""
        causes: dict[str, tuple[str, ...]] = {}
        for rule in self.rules:
            rows = tuple(row for name in rule.follows if (row := self.rows.get(name)))
            if rows:
                causes[rule.rule] = (*causes.get(rule.rule, ()), *rows)
        return causes

    def rule(self, name: str) -> Rule | None:
        """Return the rule of that heading or digest row."""
        return next((rule for rule in self.rules if name in (rule.name, rule.rule)), None)

    @cached_property
    def _plans(self) -> dict[str, tuple[tuple[CheckFunction, Rule, dict[str, object]], ...]]:
        stages = {stage for rule in self.rules for stage in rule.at}
        return {
            stage: tuple((r.judge, r, dict(r.params)) for r in self.rules if stage in r.at)
            for stage in stages
        }

    def plan(self, at: str = REGISTRATION) -> tuple[tuple[CheckFunction, Rule, dict[str, object]], ...]:
        """Return the judges of a stage, each with its rule and parameters.

        They are ready to be called.
        """
        return self._plans.get(at, ())

    def conditions(self) -> tuple[Condition, ...]:
        """Return what players must know before the event.

        The organizer's own numbers are filled in.
        """
        overlay = self.overlay
        return (
            apply_overlay_to_conditions(self.stated_conditions, overlay)
            if overlay
            else self.stated_conditions
        )

    def with_overlay(self, overlay: Overlay | Mapping[str, object] | None) -> Format:
        """Apply local rules to the format.

        Raises `BadOverlay` with every part that does not fit.
        """
        if overlay is None:
            return replace(self, overlay=None)
        checked_overlay = overlay if isinstance(overlay, Overlay) else Overlay.from_mapping(overlay)
        problems = find_overlay_problems(
            checked_overlay, self.name, self.stated_rules, self.stated_conditions
        )
        if problems:
            raise BadOverlay(problems)
        return replace(self, overlay=checked_overlay)

    def with_lists(self, editions: Iterable[Edition], *, on: date | None = None) -> Format:
        """Return the format under other editions of the lists.

        Of each kind, the edition with the highest number valid for its version is used.
        """
        return replace(self, editions=join_in_force(self.editions, editions, self.version, on))

    def overlay_in_words(self) -> tuple[str, ...]:
        """Return every local change as a sentence; for a changed rule, what it says now."""
        return tuple(map(render_local_rule, self.local_rules()))

    def local_rules(self) -> tuple[Reason, ...]:
        """Return every local change; for a changed rule, with what it says now."""
        if self.overlay is None:
            return ()
        changed_rules = [rule for rule in self.rules if rule.overlay]
        lifted_rules = [rule for rule in self.stated_rules if find_rule_name(rule, self.overlay.off)]
        return (
            *self.overlay.ban_changes(),
            *(local_rule("overlay-rule", words=rule.demand(), rule=rule.name) for rule in changed_rules),
            *(plain_reason(condition.in_words()) for condition in self.conditions() if condition.overlay),
            *(local_rule("overlay-lifted", words=rule.demand(), rule=rule.name) for rule in lifted_rules),
        )


def _sizes(rules: Iterable[Rule]) -> dict[str, ZoneSize]:
    sizes = {}
    for rule in rules:
        if rule.check == "zone_size" or rule.check.endswith(".zone_size"):
            least, most = rule.params.get("min", 0), rule.params.get("max")
            sizes[str(rule.params["zone"])] = ZoneSize(
                least if isinstance(least, int) else 0,
                most if isinstance(most, int) else None,
                rule.params.get("or_none") is True,
            )
    return sizes
