"""A format as the people at an event meet it: its rules, its lists, what to know beforehand."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import date
from functools import cached_property
from typing import NamedTuple

from .checks import Judge
from .frozen import Frozen
from .game import Game
from .lists import LOCAL_ONLY, Edition, Lists, in_force
from .overlay import BadOverlay, Overlay, card_in_words
from .rule import REGISTRATION, Rule, Setting, ZoneSize


class Condition(NamedTuple):
    """Something that players must know before the event (G-05), with its clause.

    `params` are the numbers that an organizer may set; `basis` is "ours" where no document says it.
    """

    key: str
    rule: str
    clause: str
    words: str
    params: Mapping[str, object]
    basis: str = "stated"
    overlay: str | None = None

    def in_words(self) -> str:
        return self.words.format(**self.params)


class Format(Frozen):
    """One format under one version of a game's rules, with the lists in force and local rules, if any."""

    _fields = (
        *("game", "key", "name", "version", "document", "stated_rules", "stated_conditions"),
        *("editions", "sanctioned", "overlay"),
    )

    game: Game
    key: str
    name: str
    version: str
    document: str
    stated_rules: tuple[Rule, ...]
    stated_conditions: tuple[Condition, ...]
    editions: Mapping[str, Edition]
    sanctioned: bool
    overlay: Overlay | None

    @property
    def source(self) -> str:
        """The document that the format is taken from."""
        return self.document

    @cached_property
    def lists(self) -> Lists:
        """The lists in force, with local bans and unbans laid over them."""
        editions = dict(self.editions)
        if self.overlay and (self.overlay.bans or self.overlay.unbans):
            editions["bans"] = _overlaid_bans(editions.get("bans"), self.overlay, self.game.key)
        return Lists(editions, self.game.rank_attribute, self.game.ranked_types)

    @cached_property
    def editions_in_words(self) -> tuple[str, ...]:
        """The lists in force, named for people."""
        return tuple(edition.in_words() for edition in self.lists.editions.values())

    @cached_property
    def rules(self) -> tuple[Rule, ...]:
        """The rules in the order of the format's file, each knowing the format it stands in."""
        changed = _overlaid_rules(self.stated_rules, self.overlay) if self.overlay else self.stated_rules
        game = self.game
        setting = Setting(game.key, self.key, self.name, game.zones, self.lists, _sizes(changed))
        return tuple(rule._replace(setting=setting) for rule in changed)

    @cached_property
    def rows(self) -> Mapping[str, str]:
        """The digest row of each rule, by the rule's heading."""
        return {rule.name: rule.rule for rule in self.rules}

    def rule(self, name: str) -> Rule | None:
        """The rule of that heading or digest row."""
        return next((rule for rule in self.rules if name in (rule.name, rule.rule)), None)

    @cached_property
    def _plans(self) -> dict[str, tuple[tuple[Judge, Rule, dict[str, object]], ...]]:
        stages = {stage for rule in self.rules for stage in rule.at}
        return {
            stage: tuple((r.judge, r, dict(r.params)) for r in self.rules if stage in r.at)
            for stage in stages
        }

    def plan(self, at: str = REGISTRATION) -> tuple[tuple[Judge, Rule, dict[str, object]], ...]:
        """The judges of a stage, each with its rule and parameters, ready to be called."""
        return self._plans.get(at, ())

    def conditions(self) -> tuple[Condition, ...]:
        """What players must know before the event, with the organizer's own numbers in place."""
        if self.overlay is None:
            return self.stated_conditions
        overlay = self.overlay
        return tuple(
            c._replace(params={**c.params, **overlay.parameters[c.key]}, overlay=overlay.name)
            if c.key in overlay.parameters
            else c
            for c in self.stated_conditions
        )

    def with_overlay(self, overlay: Overlay | Mapping[str, object] | None) -> Format:
        """The format with local rules laid over it. Raises `BadOverlay` with every part that does not fit."""
        if overlay is None:
            return self.replaced(overlay=None)
        laid = overlay if isinstance(overlay, Overlay) else Overlay.from_mapping(overlay)
        problems = _misfits(self, laid)
        if problems:
            raise BadOverlay(" ".join(problems))
        return self.replaced(overlay=laid)

    def with_lists(self, editions: Iterable[Edition], *, on: date | None = None) -> Format:
        """The format under other editions: of each kind, the highest number that holds for its version."""
        chosen = in_force((*self.editions.values(), *editions), self.version, on)
        return self.replaced(editions=chosen)

    def explain(self) -> str:
        """The format in words, each rule with its clause."""
        from .explain import explain

        return explain(self)

    def overlay_in_words(self) -> tuple[str, ...]:
        """Every local change as a sentence; for a changed rule, what it says now."""
        if self.overlay is None:
            return ()
        changed = tuple(f"{rule.in_words()} ({rule.name})" for rule in self.rules if rule.overlay)
        terms = tuple(c.in_words() for c in self.conditions() if c.overlay)
        lifted = tuple(f"{name} is lifted." for name in self.overlay.off)
        bans = tuple(f"{card_in_words(card)} is banned here." for card in self.overlay.bans)
        unbans = tuple(f"{card_in_words(card)} is allowed here." for card in self.overlay.unbans)
        return (*bans, *unbans, *changed, *terms, *lifted)


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


def _overlaid_bans(edition: Edition | None, overlay: Overlay, game: str) -> Edition:
    base = edition or Edition(game, "bans", LOCAL_ONLY, (), name="local bans")
    kept = [entry for entry in base.entries if not any(_covers(card, entry) for card in overlay.unbans)]
    added = [{"card": card, "overlay": overlay.name} for card in overlay.bans]
    return base._replace(entries=(*kept, *added))


def _covers(unban: Mapping[str, object], entry: Mapping[str, object]) -> bool:
    card = entry.get("card")
    if not isinstance(card, Mapping):
        return False
    return all(str(card.get(fact)).casefold() == str(value).casefold() for fact, value in unban.items())


def _overlaid_rules(rules: tuple[Rule, ...], overlay: Overlay) -> tuple[Rule, ...]:
    return tuple(_overlaid(rule, overlay) for rule in rules if not _named(rule, overlay.off))


def _overlaid(rule: Rule, overlay: Overlay) -> Rule:
    params, words = dict(rule.params), ""
    reading = _named(rule, overlay.readings)
    if reading:
        params = dict(rule.readings[overlay.readings[reading]])
        words = str(params.pop("words", ""))
    changes = _named(rule, overlay.parameters)
    if changes:
        params |= overlay.parameters[changes]
        params = {key: value for key, value in params.items() if value is not None}
        words = ""
    return rule.changed(overlay.name, params, words) if reading or changes else rule


def _named(rule: Rule, names: Iterable[str]) -> str | None:
    return next((name for name in names if name in (rule.name, rule.rule)), None)


def _misfits(form: Format, overlay: Overlay) -> list[str]:
    """Every part of an overlay that speaks of something the format does not have."""
    known = {name for rule in form.stated_rules for name in (rule.name, rule.rule)}
    conditions = {condition.key: condition for condition in form.stated_conditions}
    headings = ", ".join(rule.name for rule in form.stated_rules)
    problems = [
        f"{form.name} has no rule {name}; its rules are: {headings}."
        for name in (*overlay.parameters, *overlay.readings, *overlay.off)
        if name not in known and name not in conditions
    ]
    for rule in form.stated_rules:
        problems += _misfit_parameters(rule, overlay)
    for name, values in overlay.parameters.items():
        if name in conditions:
            strange = [key for key in values if key not in conditions[name].params]
            problems += [f"{name} has no setting {key}." for key in strange]
    return problems


def _misfit_parameters(rule: Rule, overlay: Overlay) -> list[str]:
    from .checks import find_check

    problems = []
    reading = _named(rule, overlay.readings)
    if reading and overlay.readings[reading] not in rule.readings:
        offered = ", ".join(rule.readings) or "none"
        problems.append(f"{rule.name} has no reading {overlay.readings[reading]}; it offers: {offered}.")
    changes = _named(rule, overlay.parameters)
    if changes:
        taken = find_check(rule.check).parameters()
        strange = [key for key in overlay.parameters[changes] if key not in taken]
        problems += [f"{rule.name} has no parameter {key}; it has: {', '.join(taken)}." for key in strange]
    return problems
