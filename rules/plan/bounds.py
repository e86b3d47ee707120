"""Lower bounds for the number of changes that a list needs.

They follow from the moves that may resolve its findings.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Literal

from rules.deck import CardFacts, Deck
from rules.formats import Format
from rules.reason import Reason
from rules.rule import ZoneSize


@dataclass(frozen=True, slots=True)
class Move:
    """One change: a copy removed, added or moved, or options declared.

    `is_choice`: another would do too. `is_opening`: it lets other cards in, which a player rather keeps out
    where that costs no more. After a move that `closes` a rule, no card is let in for this rule.
    """

    action: Literal["remove", "add", "move", "set"]
    zone: str = ""
    card: CardFacts | None = None
    target: str = ""
    options: Mapping[str, object] = field(default_factory=dict)
    says: Reason | None = None
    is_choice: bool = False
    is_opening: bool = False
    closes: str = ""


@dataclass(slots=True)
class Remedy:
    """The moves that may resolve a finding, at least `least` of them.

    `outs` are the cards that they may take from a zone, by key; `sizes` the zones in which any card would do;
    `ins` the zones that they may add to, `options` what they may declare. `only_from` and `only_into` name
    the zone that every one of them makes smaller or larger. Nothing resolves a finding that `is_hopeless`.
    """

    moves: list[Move]
    least: int = 1
    sizes: set[str] = field(default_factory=set)
    outs: set[tuple[str, str]] = field(default_factory=set)
    ins: set[str] = field(default_factory=set)
    options: set[str] = field(default_factory=set)
    only_from: str = ""
    only_into: str = ""
    is_hopeless: bool = False

    def __post_init__(self) -> None:
        sources, targets = set(), set()
        for move in self.moves:
            source = move.zone if move.action in ("remove", "move") else ""
            target = move.target or move.zone if move.action in ("add", "move") else ""
            sources.add(source)
            targets.add(target)
            self.options |= set(move.options)
            if source and move.card:
                self.outs.add((source, move.card.key))
        self.ins = targets - {""}
        self.only_from = sources.pop() if len(sources) == 1 else ""
        self.only_into = targets.pop() if len(targets) == 1 else ""

    def meets(self, other: Remedy) -> bool:
        """Return whether one move could serve both."""
        if self.ins & other.ins or self.options & other.options or self.outs & other.outs:
            return True
        return self._takes_from(other.sizes) or other._takes_from(self.sizes)

    def _takes_from(self, zones: set[str]) -> bool:
        return bool(zones) and (bool(zones & self.sizes) or any(zone in zones for zone, _ in self.outs))


class LeastChanges:
    """Counts how many changes a list of one format needs at least.

    The count never exceeds the number that it does need.
    """

    def __init__(self, format: Format) -> None:
        sizes = format.rules[0].setting.sizes if format.rules else {}
        self._sizes = {zone: size for zone, size in sizes.items() if not size.or_none}
        # If a game has its own rule for the size, one card may change it.
        self._sized_zones = {
            str(r.params.get("zone")) for r in format.rules if r.check.endswith(".zone_size")
        }

    def count(self, remedies: Iterable[Remedy], deck: Deck) -> int:
        """Return the count of needs of which no move serves two.

        What the zones then lack or have too many is added.
        """
        chosen_remedies: list[Remedy] = []
        for remedy in sorted(remedies, key=lambda each: -each.least):
            if not any(remedy.meets(other) for other in chosen_remedies):
                chosen_remedies.append(remedy)
        least = sum([remedy.least for remedy in chosen_remedies])
        return least + sum(
            [self._refill(chosen_remedies, deck, zone, size) for zone, size in self._sizes.items()]
        )

    def _refill(self, chosen_remedies: Iterable[Remedy], deck: Deck, zone: str, size: ZoneSize) -> int:
        """Return how many changes bring a zone back to its size.

        They are counted after the chosen remedies.
        """
        removed_count = sum([each.least for each in chosen_remedies if each.only_from == zone])
        new = sum([each.least for each in chosen_remedies if each.only_into == zone])
        may_come = sum([each.least for each in chosen_remedies if zone in each.ins])
        may_go = sum([each.least for each in chosen_remedies if _may_take(each, zone)])
        lacking = max(0, size.least - (deck.size(zone) - removed_count + may_come))
        surplus = 0 if size.most is None else max(0, deck.size(zone) + new - may_go - size.most)
        return min(lacking + surplus, 1) if zone in self._sized_zones else lacking + surplus


def _may_take(remedy: Remedy, zone: str) -> bool:
    return zone in remedy.sizes or any(source == zone for source, _ in remedy.outs)
