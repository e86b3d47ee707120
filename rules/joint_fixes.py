"""A search for the fixes of one verdict that add up.

Together, in any order, they break no rule. Others are alternatives: after one of them, the list is checked
again before the next.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import TYPE_CHECKING, Literal

from rules.deck import ZONES, CardFacts, Deck
from rules.finding import Change, Finding, Fix, Verdict, overlap
from rules.fixes import apply_fix

if TYPE_CHECKING:
    from rules.deck import Entry

# If there are more fixes, only pairs and all of them together are tried.
MOST_TRIED = 5

_PLACES = frozenset({"name", "title", "printed_name", "set", "number", "number_as_printed", "id"})


@dataclass(slots=True)
class JointFixes:
    """Tries fixes of a deck together.

    `judge` gives the verdict on the resulting deck.
    """

    deck: Deck
    judge: Callable[[Deck], Verdict]
    _alternatives: Mapping[tuple[str, ...], frozenset[str]] = field(default_factory=dict)

    def find_alternatives(self, findings: Iterable[Finding]) -> frozenset[str]:
        """Return the rules of the findings whose fixes conflict with other fixes."""
        fixable = [finding for finding in findings if finding.fix and finding.fix.changes]
        if len(fixable) < 2:
            return frozenset()
        key = tuple(finding.rule for finding in fixable)
        if key not in self._alternatives:
            self._alternatives = {key: self._find(fixable)}
        return self._alternatives[key]

    def _find(self, findings: Sequence[Finding]) -> frozenset[str]:
        before = self.judge(self.deck)
        results = {finding.rule: self._try((finding,), before) for finding in findings}
        alternatives = {rule for rule, result in results.items() if result == "bad"}
        for pair in combinations(findings, 2):
            is_tried = all(results[finding.rule] == "good" for finding in pair)
            if (self._try(pair, before) != "good") if is_tried else overlap(*pair):
                alternatives |= {finding.rule for finding in pair}
        together = [
            each for each in findings if results[each.rule] == "good" and each.rule not in alternatives
        ]
        if any(self._try(group, before) != "good" for group in _larger_groups(together)):
            alternatives |= {finding.rule for finding in together}
        return frozenset(alternatives)

    def _try(self, findings: Sequence[Finding], before: Verdict) -> Literal["good", "bad", "open"]:
        """Return the result of applying the fixes of the findings together.

        It is "open" if facts are missing to decide it.
        """
        fixes = [finding.fix for finding in findings if finding.fix]
        if _takes_too_many(self.deck, fixes):
            return "bad"
        if any(_is_open(change) for fix in fixes for change in fix.changes):
            return "open"
        deck, supply = self.deck, _Fillers(self.deck, findings)
        for fix in fixes:
            deck = apply_fix(deck, fix, supply.make)
        after = self.judge(deck)
        allowed_rules = _rules_of(before, "error", "unknown") - {finding.rule for finding in findings}
        if not _rules_of(after, "error") <= allowed_rules:
            return "bad"
        # A fact that could not be checked before the fixes does not count against them.
        return (
            "good" if _rules_of(after, "unknown") <= allowed_rules | _rules_of(before, "unknown") else "open"
        )


def _rules_of(verdict: Verdict, *severities: str) -> frozenset[str]:
    return frozenset(each.rule for each in verdict.findings if each.severity in severities)


def _larger_groups(findings: Sequence[Finding]) -> Iterable[Sequence[Finding]]:
    """Return the groups of three and more to be tried, the pairs being known."""
    sizes = range(3, len(findings) + 1) if len(findings) <= MOST_TRIED else (len(findings),)
    return (group for size in sizes for group in combinations(findings, size))


def _is_open(change: Change) -> bool:
    """Return whether only the player knows what to declare."""
    return change.action == "set" and None in (change.wanted_facts or {}).values()


def _takes_too_many(deck: Deck, fixes: Iterable[Fix]) -> bool:
    """Return whether the fixes together remove more copies of a card than there are."""
    copies: dict[tuple[str, str | None], int] = {}
    for zone in ZONES:
        for entry in deck.zone(zone):
            copies[zone, entry.card.key] = copies.get((zone, entry.card.key), 0) + entry.qty
    for change in (each for fix in fixes for each in fix.changes if each.action == "remove"):
        place = (change.zone, change.card)
        copies[place] = copies.get(place, 0) - change.qty
    return any(count < 0 for count in copies.values())


class _Fillers:
    """Makes cards for what a fix adds without naming it.

    They are like the usual card of the deck, with new names.
    """

    def __init__(self, deck: Deck, findings: Iterable[Finding]) -> None:
        concerned_cards = {card for finding in findings for card in finding.cards}
        others = [entry for entry in deck.main if entry.card.key not in concerned_cards]
        usual = max(others or deck.main, key=_quantity, default=None)
        attributes = usual.card.attributes if usual else {}
        self._facts = {fact: value for fact, value in attributes.items() if fact not in _PLACES}
        self._pool = [entry.card for entry in deck.pool or () if entry.card.key not in concerned_cards]
        self._try_count = 0

    def make(self, change: Change) -> CardFacts:
        """Return a card that fits what the change wants."""
        if self._pool and not change.wanted_facts:
            return self._pool[self._try_count % len(self._pool)]
        self._try_count += 1
        name = f"(new card {self._try_count})"
        wanted_facts = change.wanted_facts or {}
        # For a card of another type, only the wanted facts are known.
        facts = {} if "type" in wanted_facts else self._facts
        return CardFacts.of(name, {**facts, "name": name, **wanted_facts})


def _quantity(entry: Entry) -> int:
    return entry.qty
