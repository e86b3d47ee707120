"""Formats with rules, lists and conditions; explain and compare them in words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import date
from functools import cached_property

from rules.checks import CheckFunction
from rules.game import Game
from rules.lists import NO_CLAUSE, Edition, Lists, in_force
from rules.overlay import (
    BadOverlay,
    Overlay,
    apply_overlay_to_bans,
    apply_overlay_to_conditions,
    apply_overlay_to_rules,
    card_reason,
    find_overlay_problems,
    find_rule_name,
    local_rule,
    render_local_rule,
)
from rules.reason import Reason, reason, told
from rules.rendering import say
from rules.rule import EVERY_GAME, EXCHANGE, REGISTRATION, Condition, FormatContext, Rule, ZoneSize


# No slots: it keeps what follows from its parts.
@dataclass(frozen=True)
class Format:
    """One format under one version of a game's rules, with the lists in force and local rules, if any."""

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
        changed = (
            apply_overlay_to_rules(self.stated_rules, self.overlay) if self.overlay else self.stated_rules
        )
        game = self.game
        setting = FormatContext(
            game.key, self.key, self.name, game.zones, self.lists, _sizes(changed), game.zone_types
        )
        return tuple(replace(rule, setting=setting) for rule in changed)

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
            return replace(self, overlay=None)
        checked_overlay = overlay if isinstance(overlay, Overlay) else Overlay.from_mapping(overlay)
        problems = find_overlay_problems(
            checked_overlay, self.name, self.stated_rules, self.stated_conditions
        )
        if problems:
            raise BadOverlay(problems)
        return replace(self, overlay=checked_overlay)

    def with_lists(self, editions: Iterable[Edition], *, on: date | None = None) -> Format:
        """The format under other editions: of each kind, the highest number that holds for its version."""
        chosen = in_force((*self.editions.values(), *editions), self.version, on)
        return replace(self, editions=chosen)

    def explain(self) -> str:
        """The format in words, each rule with its clause."""
        return explain_format(self)

    def overlay_in_words(self) -> tuple[str, ...]:
        """Every local change as a sentence; for a changed rule, what it says now."""
        return tuple(map(render_local_rule, self.local_rules()))

    def local_rules(self) -> tuple[Reason, ...]:
        """Every local change; for a changed rule, with what it says now."""
        if self.overlay is None:
            return ()
        changed = [rule for rule in self.rules if rule.overlay]
        lifted = [rule for rule in self.stated_rules if find_rule_name(rule, self.overlay.off)]
        return (
            *self.overlay.ban_changes(),
            *(local_rule("overlay-rule", words=rule.demand(), rule=rule.name) for rule in changed),
            *(told(condition.in_words()) for condition in self.conditions() if condition.overlay),
            *(local_rule("overlay-lifted", words=rule.demand(), rule=rule.name) for rule in lifted),
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


def explain_format(format: Format) -> str:
    """The whole format as text: rules with clauses, lists, what players must know, local rules."""
    return "\n".join(_explained(format))


def _explained(format: Format) -> Iterator[str]:
    yield say("format", "headline", game=format.game.name, format=format.name, document=format.document)
    if format.summary:
        yield format.summary
    if not format.sanctioned:
        yield say("format", "not-sanctioned")
    for stage in (REGISTRATION, EXCHANGE):
        rules = [rule for rule in format.rules if stage in rule.at]
        if stage == EXCHANGE and all(rule.origin == EVERY_GAME for rule in rules):
            continue
        if rules:
            yield f"\n{say('format', 'stage', stage=stage)}"
            yield from (f"  {_format_rule(rule)}" for rule in rules)
    yield f"\n{say('format', 'lists')}"
    yield from (f"  {line}" for line in _format_editions(format))
    yield f"\n{say('format', 'conditions')}"
    yield from (f"  {_format_condition(condition)}" for condition in format.conditions())
    if format.overlay is not None:
        yield f"\n{say('format', 'overlay', name=format.overlay.name)}"
        yield from (f"  {sentence}" for sentence in format.overlay_in_words())


def _format_rule(rule: Rule) -> str:
    words, severity = rule.in_words(), rule.severity
    return say(
        "format", "rule", words=words, severity=severity, row=rule.rule, clause=rule.clause, basis=rule.basis
    )


def _format_condition(condition: Condition) -> str:
    words, row, clause = condition.in_words(), condition.rule, condition.clause
    return say("format", "rule", words=words, severity="error", row=row, clause=clause, basis=condition.basis)


def _format_editions(format: Format) -> Iterator[str]:
    """Each list with its number of entries, and how many of them other documents give."""
    editions = format.lists.editions.values()
    if not editions:
        yield say("format", "no-edition")
    for edition in editions:
        documents = Counter(edition.cite(entry).document for entry in edition.entries)
        others = tuple(
            reason("entries-of-document", count=count, document=document)
            for document, count in documents.items()
            if document != edition.document
        )
        count = len(edition.entries)
        key = "edition-line.of-several" if others else "edition-line"
        yield say("format", key, edition=edition.reason(), count=count, others=others)


def diff_formats(old: Format, new: Format) -> str:
    """What differs between two versions of a format, as text; one line says so where nothing does."""
    lines = [*_changed_rules(old, new), *_changed_conditions(old, new), *_changed_lists(old, new)]
    heading = say("format", "diff", game=new.game.name, format=new.name, old=old.document, new=new.document)
    return "\n".join([heading, *(f"  {line}" for line in lines or [say("format", "diff-nothing")])])


def _changed_rules(old: Format, new: Format) -> Iterator[str]:
    before, after = ({rule.name: _format_rule(rule) for rule in form.rules} for form in (old, new))
    for name in (*before, *(name for name in after if name not in before)):
        then, now = before.get(name), after.get(name)
        if then is None:
            yield say("format", "diff-added", rule=now)
        elif now is None:
            yield say("format", "diff-gone", rule=then)
        elif then != now:
            yield say("format", "diff-changed", then=then, now=now)


def _changed_conditions(old: Format, new: Format) -> Iterator[str]:
    before, after = ({c.key: c.in_words() for c in form.conditions()} for form in (old, new))
    for key in (*before, *(key for key in after if key not in before)):
        if before.get(key) != after.get(key):
            yield say("format", "diff-condition", then=before.get(key), now=after.get(key))


def _changed_lists(old: Format, new: Format) -> Iterator[str]:
    kinds = dict.fromkeys((*old.lists.editions, *new.lists.editions))
    for kind in kinds:
        before, after = (form.lists.entries(kind) for form in (old, new))
        both = (before, after)
        old_entries, new_entries = ([drop_document(entry) for entry in entries] for entries in both)
        for entry in before:
            if drop_document(entry) not in new_entries:
                yield say("format", "diff-entry-gone", kind=kind, entry=_list_entry(entry))
        for entry in after:
            if drop_document(entry) not in old_entries:
                yield say("format", "diff-entry-new", kind=kind, entry=_list_entry(entry))


def _list_entry(entry: Mapping[str, object]) -> Reason:
    """A record of a list, named for people, with its clause, and its document where that is its own."""
    own = str(entry.get("document") or "")
    clause = str(entry.get("clause") or (NO_CLAUSE if own else ""))
    if not (own or clause):
        return _named_entry(entry)
    if own:
        return reason("list-entry.of-document", entry=_named_entry(entry), document=own, clause=clause)
    return reason("list-entry", entry=_named_entry(entry), clause=clause)


def drop_document(entry: Mapping[str, object]) -> dict[str, object]:
    """A record without its document, which alone makes it no other record."""
    return {key: value for key, value in entry.items() if key != "document"}


def _named_entry(entry: Mapping[str, object]) -> Reason:
    card, same, name = entry.get("card"), entry.get("same"), entry.get("name")
    if isinstance(same, list | tuple):
        return reason("same-cards", cards=tuple(map(str, same)))
    if "distinct" in entry:
        return reason("distinct-cards", card=str(name))
    if isinstance(card, Mapping):
        sentence = entry.get("says")
        named = card_reason(card)
        return reason("card-says", card=named, says=str(sentence)) if sentence else named
    record = name or entry.get("id")
    return reason("record", record=str(record)) if record else reason("record.nameless")
