"""Formats with rules, lists and conditions; explain and compare them in words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from datetime import date
from functools import cached_property

from rules.checks import CheckFunction
from rules.frozen import Frozen
from rules.game import Game
from rules.lists import NO_CLAUSE, Edition, Lists, in_force
from rules.overlay import (
    BadOverlay,
    Overlay,
    apply_overlay_to_bans,
    apply_overlay_to_conditions,
    apply_overlay_to_rules,
    find_overlay_problems,
    find_rule_name,
    format_card,
)
from rules.rule import EVERY_GAME, EXCHANGE, REGISTRATION, Condition, FormatContext, Rule, ZoneSize


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
        """The lists in force, with local bans and unbans applied to them."""
        editions = dict(self.editions)
        if self.overlay and (self.overlay.bans or self.overlay.unbans):
            editions["bans"] = apply_overlay_to_bans(editions.get("bans"), self.overlay, self.game.key)
        return Lists(editions, self.game.rank_attribute, self.game.ranked_types)

    @cached_property
    def editions_in_words(self) -> tuple[str, ...]:
        """The lists in force, named for people."""
        return tuple(edition.in_words() for edition in self.lists.editions.values())

    @cached_property
    def rules(self) -> tuple[Rule, ...]:
        """The rules in the order of the format's file, each knowing the format it is in."""
        changed = (
            apply_overlay_to_rules(self.stated_rules, self.overlay) if self.overlay else self.stated_rules
        )
        game = self.game
        setting = FormatContext(game.key, self.key, self.name, game.zones, self.lists, _sizes(changed))
        return tuple(rule._replace(setting=setting) for rule in changed)

    @cached_property
    def rows(self) -> Mapping[str, str]:
        """The digest row of each rule, by the rule's heading."""
        return {rule.name: rule.rule for rule in self.rules}

    def rule(self, name: str) -> Rule | None:
        """The rule of that heading or digest row."""
        return next((rule for rule in self.rules if name in (rule.name, rule.rule)), None)

    @cached_property
    def _plans(self) -> dict[str, tuple[tuple[CheckFunction, Rule, dict[str, object]], ...]]:
        stages = {stage for rule in self.rules for stage in rule.at}
        return {
            stage: tuple((r.judge, r, dict(r.params)) for r in self.rules if stage in r.at)
            for stage in stages
        }

    def plan(self, at: str = REGISTRATION) -> tuple[tuple[CheckFunction, Rule, dict[str, object]], ...]:
        """The judges of a stage, each with its rule and parameters, ready to be called."""
        return self._plans.get(at, ())

    def conditions(self) -> tuple[Condition, ...]:
        """What players must know before the event, with the organizer's own numbers in place."""
        overlay = self.overlay
        return (
            apply_overlay_to_conditions(self.stated_conditions, overlay)
            if overlay
            else self.stated_conditions
        )

    def with_overlay(self, overlay: Overlay | Mapping[str, object] | None) -> Format:
        """Apply local rules to the format; raises `BadOverlay` with every part that does not fit."""
        if overlay is None:
            return self.replaced(overlay=None)
        checked_overlay = overlay if isinstance(overlay, Overlay) else Overlay.from_mapping(overlay)
        problems = find_overlay_problems(
            checked_overlay, self.name, self.stated_rules, self.stated_conditions
        )
        if problems:
            raise BadOverlay(" ".join(problems))
        return self.replaced(overlay=checked_overlay)

    def with_lists(self, editions: Iterable[Edition], *, on: date | None = None) -> Format:
        """The format under other editions: of each kind, the highest number that holds for its version."""
        chosen = in_force((*self.editions.values(), *editions), self.version, on)
        return self.replaced(editions=chosen)

    def explain(self) -> str:
        """The format in words, each rule with its clause."""
        return explain_format(self)

    def overlay_in_words(self) -> tuple[str, ...]:
        """Every local change as a sentence; for a changed rule, what it says now."""
        if self.overlay is None:
            return ()
        changed = tuple(f"{rule.in_words()} ({rule.name})" for rule in self.rules if rule.overlay)
        terms = tuple(c.in_words() for c in self.conditions() if c.overlay)
        lifted = tuple(
            f"Lifted: {rule.in_words()} ({rule.name})"
            for rule in self.stated_rules
            if find_rule_name(rule, self.overlay.off)
        )
        bans = tuple(f"{format_card(card)} is banned here." for card in self.overlay.bans)
        unbans = tuple(f"{format_card(card)} is allowed here." for card in self.overlay.unbans)
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


_BASIS = {"derived": "follows from the rules", "reading": "our reading", "ours": "ours, not the document's"}


def explain_format(format: Format) -> str:
    """The whole format as text: rules with clauses, lists, what players must know, local rules."""
    return "\n".join(_explained(format))


def _count_entries(edition: Edition) -> str:
    """How many entries there are, and how many of them each document gives where that are several."""
    documents = Counter(edition.cite(entry).document for entry in edition.entries)
    others = [
        f"{count} of {document}" for document, count in documents.items() if document != edition.document
    ]
    return ", ".join([f"{len(edition.entries)} entries", *others])


def _explained(format: Format) -> Iterator[str]:
    yield f"{format.game.name}: {format.name}, {format.document}"
    if format.summary:
        yield format.summary
    if not format.sanctioned:
        yield "This format is described but not sanctioned."
    for stage, heading in ((REGISTRATION, "Deck lists"), (EXCHANGE, "Lists presented for a game")):
        rules = [rule for rule in format.rules if stage in rule.at]
        if stage == EXCHANGE and all(rule.origin == EVERY_GAME for rule in rules):
            continue
        if rules:
            yield f"\n{heading}"
            yield from (f"  {_format_rule(rule)}" for rule in rules)
    yield "\nLists in force"
    yield from (f"  {edition.in_words()}: {_count_entries(edition)}" for edition in _editions(format))
    yield "\nTo know beforehand"
    for condition in format.conditions():
        yield (
            f"  {condition.in_words()} "
            f"[{_format_citation(condition.rule, condition.clause, condition.basis)}]"
        )
    if format.overlay is not None:
        yield f"\nLocal rules: {format.overlay.name}"
        yield from (f"  {sentence}" for sentence in format.overlay_in_words())


def _format_rule(rule: Rule) -> str:
    advice = (
        ""
        if rule.severity == "error"
        else f" ({'advice' if rule.severity == 'warning' else 'for information'})"
    )
    return f"{rule.in_words()}{advice} [{_format_citation(rule.rule, rule.clause, rule.basis)}]"


def _format_citation(row: str, clause: str, basis: str) -> str:
    reading = f"; {_BASIS[basis]}" if basis in _BASIS else ""
    return f"{row}, {clause}{reading}"


def _editions(format: Format) -> Iterable[Edition]:
    return format.lists.editions.values() or [Edition(format.game.key, "none", 0, (), name="none attached")]


def diff_formats(old: Format, new: Format) -> str:
    """What differs between two versions of a format, as text; one line says so where nothing does."""
    lines = [*_changed_rules(old, new), *_changed_conditions(old, new), *_changed_lists(old, new)]
    heading = f"{new.game.name}, {new.name}: from {old.document} to {new.document}"
    return "\n".join([heading, *(f"  {line}" for line in lines or ["Nothing differs."])])


def _changed_rules(old: Format, new: Format) -> Iterator[str]:
    before, after = ({rule.name: rule for rule in form.rules} for form in (old, new))
    for name in (*before, *(name for name in after if name not in before)):
        then, now = before.get(name), after.get(name)
        if then is None and now is not None:
            yield f"added: {_format_rule(now)}"
        elif now is None and then is not None:
            yield f"gone: {_format_rule(then)}"
        elif then is not None and now is not None and _format_rule(then) != _format_rule(now):
            yield f"changed: {_format_rule(then)} becomes {_format_rule(now)}"


def _changed_conditions(old: Format, new: Format) -> Iterator[str]:
    before, after = ({c.key: c.in_words() for c in form.conditions()} for form in (old, new))
    for key in (*before, *(key for key in after if key not in before)):
        if before.get(key) != after.get(key):
            yield f"to know beforehand: {before.get(key, 'nothing')} becomes {after.get(key, 'nothing')}"


def _changed_lists(old: Format, new: Format) -> Iterator[str]:
    kinds = dict.fromkeys((*old.lists.editions, *new.lists.editions))
    for kind in kinds:
        before, after = (form.lists.entries(kind) for form in (old, new))
        both = (before, after)
        old_entries, new_entries = ([drop_document(entry) for entry in entries] for entries in both)
        yield from (
            f"{kind}: no longer {format_list_entry(entry)}"
            for entry in before
            if drop_document(entry) not in new_entries
        )
        yield from (
            f"{kind}: now {format_list_entry(entry)}"
            for entry in after
            if drop_document(entry) not in old_entries
        )


def format_list_entry(entry: Mapping[str, object]) -> str:
    """A record of a list, named for people, with its clause, and its document where that is its own."""
    own = str(entry.get("document") or "")
    clause = str(entry.get("clause") or (NO_CLAUSE if own else ""))
    place = ", ".join(filter(None, (own, clause)))
    return f"{_entry_named(entry)} [{place}]" if place else _entry_named(entry)


def drop_document(entry: Mapping[str, object]) -> dict[str, object]:
    """A record without its document, which alone makes it no other record."""
    return {key: value for key, value in entry.items() if key != "document"}


def _entry_named(entry: Mapping[str, object]) -> str:
    card, same, name = entry.get("card"), entry.get("same"), entry.get("name")
    if isinstance(same, list | tuple):
        return f"{' and '.join(map(str, same))} are one card"
    if "distinct" in entry:
        return f"{name} is two cards, told apart by their printing"
    if isinstance(card, Mapping):
        sentence = entry.get("says")
        return f"{format_card(card)}: {sentence}" if sentence else format_card(card)
    return str(name or entry.get("id", "a record"))
