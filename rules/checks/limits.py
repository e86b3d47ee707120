"""Checks against lists of limits and points.

They check how often a card may occur, and what all cards weigh.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial

from rules.checks import check, demand
from rules.checks.contents import has_type
from rules.deck import UNKNOWN, Deck, Entry
from rules.finding import DeferredFix, Finding, Fix
from rules.fixes import Removal, pick_surplus_cards, remove_cards
from rules.reason import Reason, reason
from rules.rule import Rule, missing_fact
from rules.text import card_names, display_names, zone_reasons

ListEntry = Mapping[str, object]


@dataclass(slots=True)
class LimitedCopies:
    """Copies of a card that an entry of the list limits.

    Holds the copies that are the card, and those that may be.
    """

    limit: ListEntry
    copies: list[tuple[str, Entry]] = field(default_factory=list)
    open_copies: list[tuple[str, Entry]] = field(default_factory=list)

    @property
    def most(self) -> int:
        """How many copies the list allows."""
        return read_whole(self.limit.get("copies")) or 0

    @property
    def surplus(self) -> int:
        """How many copies are too many."""
        return sum([entry.qty for _, entry in self.copies]) - self.most

    @property
    def may_be_too_many(self) -> bool:
        """Return whether the copies that may be the card could be too many.

        The copies that certainly are the card are not too many.
        """
        open_qty = sum([entry.qty for _, entry in self.open_copies])
        return self.surplus <= 0 < open_qty and self.surplus + open_qty > 0


def read_whole(value: object) -> int | None:
    """Return a whole number, also one written in digits; None for anything else."""
    if isinstance(value, str) and value.strip().isdecimal():
        return int(value)
    return value if type(value) is int else None


def _limited_says(*, zones: tuple[str, ...] = ("main",)) -> Reason:
    return demand("limited", zones=zone_reasons(zones), together=len(zones) > 1)


@check("limited", says=_limited_says)
def limited(deck: Deck, rule: Rule, *, zones: tuple[str, ...] = ("main",)) -> Iterator[Finding]:
    """Refuse more copies of a card than the list of limits in force allows.

    Copies in all zones count.
    """
    limited_copies = list(_count_limited(deck, rule, zones))
    over = [each for each in limited_copies if each.surplus > 0]
    if over:
        yield _over_limit(deck, rule, over)
    doubtful = [each for each in limited_copies if each.may_be_too_many]
    if doubtful:
        yield _limit_unknown(rule, doubtful)


def _count_limited(deck: Deck, rule: Rule, zones: tuple[str, ...]) -> Iterable[LimitedCopies]:
    """Count the copies of each listed card in the zones, in deck order."""
    copies_by_limit: dict[int, LimitedCopies] = {}
    for zone, entry, limit, answer in _find_listed(deck, rule, "limits", zones):
        copies = copies_by_limit.setdefault(id(limit), LimitedCopies(limit))
        (copies.copies if answer == "yes" else copies.open_copies).append((zone, entry))
    return copies_by_limit.values()


def _find_listed(
    deck: Deck, rule: Rule, kind: str, zones: tuple[str, ...]
) -> Iterator[tuple[str, Entry, ListEntry, str]]:
    """Yield what a list says of the cards in the zones.

    An entry may apply to some formats only.
    """
    for zone, entry, _ in rule.lists.list_named(deck, zones):
        for list_entry, answer in rule.lists.entries_of(kind, entry.card):
            formats = list_entry.get("formats")
            if not isinstance(formats, list) or rule.setting.format_key in formats:
                yield zone, entry, list_entry, answer


def _over_limit(deck: Deck, rule: Rule, over: list[LimitedCopies]) -> Finding:
    worst = max(over, key=lambda each: each.surplus)
    counts = tuple(
        reason(
            "copies-over-limit",
            qty=each.most + each.surplus,
            cards=display_names(entry for _, entry in each.copies),
            most=each.most,
        )
        for each in over
    )
    return rule.fault(
        "over-limit",
        entries=[entry for each in over for _, entry in each.copies],
        limit=worst.most,
        found=worst.most + worst.surplus,
        fix=DeferredFix(_remove_surplus, deck, rule, over),
        source=rule.lists.cite("limits", [each.limit for each in over]),
        counts=counts,
        list=rule.lists.describe_edition("limits"),
    )


def _remove_surplus(deck: Deck, rule: Rule, over: Iterable[LimitedCopies]) -> Fix:
    takes = [take for each in over for take in pick_surplus_cards(rule, deck, each.copies, each.surplus)]
    return remove_cards(rule, deck, takes)


def _limit_unknown(rule: Rule, doubtful: list[LimitedCopies]) -> Finding:
    entries = [entry for each in doubtful for _, entry in each.open_copies]
    facts = [
        missing_fact(entry, fact)
        for each in doubtful
        for _, entry in each.open_copies
        for fact in _find_open_facts(each.limit, entry)
    ]
    source = rule.lists.cite("limits", [each.limit for each in doubtful])
    return rule.unknown("limit-unknown", facts, entries=entries, source=source, cards=card_names(entries))


def _find_open_facts(list_entry: ListEntry, entry: Entry) -> list[str]:
    """Return the facts that identify an entry's card and are unknown here.

    An entry of a list recognizes its card by these facts.
    """
    card = list_entry.get("card")
    asked_facts = card if isinstance(card, Mapping) else {}
    return [fact for fact in asked_facts if fact != "name" and entry.card.get(fact) is UNKNOWN]


@dataclass(frozen=True, slots=True)
class Weight:
    """What a copy of a card costs in points.

    It is None while unknown, and at most `highest` if that is known.
    """

    zone: str
    entry: Entry
    points: int | None
    highest: int | None = None
    missing_facts: tuple[str, ...] = ()

    @property
    def total(self) -> int:
        """What all copies cost, as far as known."""
        return (self.points or 0) * self.entry.qty


def _points_says(
    *, max: int, zones: tuple[str, ...] = ("main",), fact: str = "", types: tuple[str, ...] = ()
) -> Reason:
    code = "points.of-fact" if fact else "points"
    return demand(
        code, max=max, zones=zone_reasons(zones), together=len(zones) > 1, fact=fact, types=types or None
    )


def _fact_with_types(
    *, max: int, fact: str = "", types: tuple[str, ...] = (), **_: object
) -> Iterator[Reason]:
    if types and not fact:
        yield Reason("types-without-fact")
    if max < 0:
        yield Reason("negative-number", {"parameter": "max"})


@check("points", says=_points_says, contradictions=_fact_with_types, is_weighed=True)
def points(
    deck: Deck,
    rule: Rule,
    *,
    max: int,
    zones: tuple[str, ...] = ("main",),
    fact: str = "",
    types: tuple[str, ...] = (),
) -> Iterator[Finding]:
    """Limit the points of the cards in all zones to `max`.

    What a copy costs is in the list of points in force, or is the `fact` of the card, then only for cards of
    the `types` where these are given.
    """
    weigh = partial(_weigh_by_fact, fact=fact, types=types) if fact else _weigh_by_list
    weights = list(weigh(deck, rule, zones))
    total = sum([weight.total for weight in weights])
    open_weights = [weight for weight in weights if weight.points is None]
    if total > max:
        yield _too_many_points(deck, rule, [each for each in weights if each.points], total, max)
    elif _may_exceed(open_weights, max - total):
        entries = [weight.entry for weight in open_weights]
        facts = [missing_fact(weight.entry, name) for weight in open_weights for name in weight.missing_facts]
        yield rule.unknown("points-unknown", facts, entries=entries, limit=max, cards=card_names(entries))


def _weigh_by_list(deck: Deck, rule: Rule, zones: tuple[str, ...]) -> Iterator[Weight]:
    for zone, entry, list_entry, answer in _find_listed(deck, rule, "points", zones):
        cost = read_whole(list_entry.get("points")) or 0
        if answer == "yes":
            yield Weight(zone, entry, cost)
        else:
            yield Weight(zone, entry, None, cost, tuple(_find_open_facts(list_entry, entry)))


def _weigh_by_fact(
    deck: Deck, rule: Rule, zones: Iterable[str], *, fact: str, types: tuple[str, ...]
) -> Iterator[Weight]:
    for zone, entry in deck.entries(zones):
        counts = has_type(entry.card, types) if types else True
        cost = read_whole(entry.card.get(fact))
        if counts and cost is not None:
            yield Weight(zone, entry, cost)
        elif counts is not False:
            missing_facts = () if counts else ("type",)
            yield Weight(zone, entry, None, cost, (*missing_facts, *(() if cost is not None else (fact,))))


def _may_exceed(open_weights: Iterable[Weight], room: int) -> bool:
    """Return whether cards whose cost is not known could cost more than is left."""
    costs = [(weight.highest, weight.entry.qty) for weight in open_weights]
    return any(cost is None for cost, _ in costs) or sum([(cost or 0) * qty for cost, qty in costs]) > room


def _too_many_points(deck: Deck, rule: Rule, weights: list[Weight], total: int, most: int) -> Finding:
    costs = tuple(
        reason(
            "points-of-a-card", qty=each.entry.qty, card=display_names([each.entry])[0], points=each.points
        )
        for each in weights
    )
    return rule.fault(
        "too-many-points",
        entries=[each.entry for each in weights],
        limit=most,
        found=total,
        fix=DeferredFix(_remove_dearest, deck, rule, weights, total - most),
        costs=costs,
    )


def _remove_dearest(deck: Deck, rule: Rule, weights: list[Weight], surplus: int) -> Fix:
    """Take out as few copies as possible: those that cost most first."""
    takes: list[Removal] = []
    for weight in sorted(weights, key=lambda each: -(each.points or 0)):
        if surplus > 0 and weight.points and weight.points > 0:
            qty = min(weight.entry.qty, -(-surplus // weight.points))
            takes.append((weight.zone, weight.entry, qty))
            surplus -= qty * weight.points
    return remove_cards(rule, deck, takes)
