"""A format as the people at an event meet it: its rules, its lists, what to know beforehand."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import date
from functools import cached_property

from .checks import Judge
from .condition import Condition
from .frozen import Frozen
from .game import Game
from .lists import Edition, Lists, in_force
from .overlay import BadOverlay, Overlay, card_in_words
from .overlaying import misfits, named, overlaid_bans, overlaid_conditions, overlaid_rules
from .rule import REGISTRATION, Rule, Setting, ZoneSize


class Format(Frozen):
    """One format under one version of a game's rules, with the lists in force and local rules, if any."""

    _fields = (
        *("game", "key", "name", "version", "document", "stated_rules", "stated_conditions"),
        *("editions", "summary", "sanctioned", "overlay"),
    )

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

    @property
    def source(self) -> str:
        """The document that the format is taken from."""
        return self.document

    @cached_property
    def lists(self) -> Lists:
        """The lists in force, with local bans and unbans laid over them."""
        editions = dict(self.editions)
        if self.overlay and (self.overlay.bans or self.overlay.unbans):
            editions["bans"] = overlaid_bans(editions.get("bans"), self.overlay, self.game.key)
        return Lists(editions, self.game.rank_attribute, self.game.ranked_types)

    @cached_property
    def editions_in_words(self) -> tuple[str, ...]:
        """The lists in force, named for people."""
        return tuple(edition.in_words() for edition in self.lists.editions.values())

    @cached_property
    def rules(self) -> tuple[Rule, ...]:
        """The rules in the order of the format's file, each knowing the format it stands in."""
        changed = overlaid_rules(self.stated_rules, self.overlay) if self.overlay else self.stated_rules
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
        overlay = self.overlay
        return overlaid_conditions(self.stated_conditions, overlay) if overlay else self.stated_conditions

    def with_overlay(self, overlay: Overlay | Mapping[str, object] | None) -> Format:
        """The format with local rules laid over it. Raises `BadOverlay` with every part that does not fit."""
        if overlay is None:
            return self.replaced(overlay=None)
        laid = overlay if isinstance(overlay, Overlay) else Overlay.from_mapping(overlay)
        problems = misfits(laid, self.name, self.stated_rules, self.stated_conditions)
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
        lifted = tuple(
            f"Lifted: {rule.in_words()} ({rule.name})"
            for rule in self.stated_rules
            if named(rule, self.overlay.off)
        )
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
