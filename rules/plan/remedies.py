"""Moves that may resolve a finding: of one card, or of one declaration."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import islice

from rules.checks import find_check
from rules.deck import ZONES, CardFacts, Deck, Entry
from rules.finding import Change, Finding, step
from rules.formats import Format
from rules.plan.bounds import Move, Remedy
from rules.plan.supply import CardSupply, Wanted, fits
from rules.plan.terms import OptionChoice, PlanTerms
from rules.rendering import translate_text
from rules.rule import ZoneSize

# Number of fitting cards of the catalogue that are tried.
MOST_OFFERED = 8


class RemedyFinder:
    """Finds what may resolve the findings of lists under one format."""

    def __init__(self, format: Format, supply: CardSupply) -> None:
        self._supply = supply
        self._terms: PlanTerms = format.game.plan_terms
        self._types = format.game.zone_types
        self._sizes: Mapping[str, ZoneSize] = format.rules[0].setting.sizes if format.rules else {}
        self._zones = [
            zone for zone in format.game.zones if zone not in self._sizes or self._sizes[zone].most != 0
        ]
        self._shared_rules = {rule.rule for rule in format.rules if "." not in rule.check}
        self._weighed_rules = {rule.rule for rule in format.rules if find_check(rule.check).is_weighed}

    def find(self, finding: Finding, deck: Deck, closed_rules: Collection[str] = ()) -> Remedy:
        """Return the moves that may resolve a finding of this deck, the best first.

        For rules in `closed_rules`, no card is let in: what is too much must go.
        """
        changes = finding.fix.changes if finding.fix else ()
        if not finding.cards:
            zones = {change.zone for change in changes if change.action == "remove"}
            zones |= {change.zone for change in changes if _is_any(change)}
            if len(zones) == 1 and not any(change.wanted_facts for change in changes):
                return self._resize(finding, deck, zones.pop())
        is_closed = finding.rule in closed_rules
        openings = [] if is_closed else [*self._declare(finding, deck), *self._open(finding, deck)]
        wanted_changes = [*self._add_wanted(changes, deck), *_declarations(finding, changes)]
        added_changes = (
            [] if is_closed else [each for each in wanted_changes if not _is_among(each, openings)]
        )
        takes = list(self._take(finding, deck)) if finding.cards else []
        if openings:
            takes = [replace(move, closes=finding.rule) for move in takes]
        least = 1 if openings else self._count(finding, bool(added_changes))
        moves = [*openings, *added_changes, *takes]
        # A finding that follows from another one may be resolved later, or together with it.
        return Remedy(moves, least, is_hopeless=not moves and finding.follows_from is None)

    def _count(self, finding: Finding, is_lacking: bool) -> int:
        """Return how many cards are too many, or lacking, where each counts by itself.

        If cards are weighed, it is how many the finding's own fix takes out: the heaviest.
        """
        if finding.rule in self._weighed_rules and finding.fix:
            return max(1, sum([each.qty for each in finding.fix.changes if each.action == "remove"]))
        is_counted = finding.rule in self._shared_rules or finding.code in self._terms.counted_codes
        limit, card_count = finding.limit, finding.found
        if is_counted and type(limit) is int and type(card_count) is int:
            return max(1, limit - card_count if is_lacking else card_count - limit)
        return 1

    def _resize(self, finding: Finding, deck: Deck, zone: str) -> Remedy:
        """Allow any card of the zone to go, or any to come."""
        open_moves = list(self._open(finding, deck))
        limit, card_count, size = finding.limit, finding.found, self._sizes.get(zone, ZoneSize())
        surplus = card_count - limit if type(limit) is int and type(card_count) is int else 1
        moves: list[Move] = []
        if surplus > 0 or size.or_none:
            moves += self._leave(deck, zone)
        if surplus < 0:
            moves += self._fill(deck, zone)
        least = min(abs(surplus), deck.size(zone)) if size.or_none else abs(surplus)
        remedy = Remedy([*moves, *open_moves], 1 if open_moves else max(1, least))
        if surplus > 0 or size.or_none:
            remedy.sizes.add(zone)
        return remedy

    def _leave(self, deck: Deck, zone: str) -> Iterator[Move]:
        for entry in reversed(deck.zone(zone)):
            yield from self._out_of(zone, entry.card, is_choice=True)

    def _take(self, finding: Finding, deck: Deck) -> Iterator[Move]:
        concerned_cards = set(finding.cards)
        for zone, entry in reversed(list(deck.entries())):
            if entry.card.key in concerned_cards:
                yield from self._out_of(zone, entry.card)

    def _out_of(self, zone: str, card: CardFacts, *, is_choice: bool = False) -> Iterator[Move]:
        moves = [
            Move("move", zone, card, target, is_choice=is_choice)
            for target in self._zones
            if target != zone and self._may_lie(card, target)
        ]
        # A card that is where its type has no place is moved, others are taken out first.
        removal = Move("remove", zone, card, is_choice=is_choice)
        yield from (removal, *moves) if self._may_lie(card, zone) else (*moves, removal)

    def _may_lie(self, card: CardFacts, zone: str) -> bool:
        zones = self._types.find_zones(card.get("type"))
        return zones is None or zone in zones

    def _fill(self, deck: Deck, zone: str) -> Iterator[Move]:
        """Yield cards that may fill a zone.

        These are cards that another zone can spare, more copies of the zone's cards, further cards like them,
        and the cards that another zone would miss.
        """
        other_entries = [(z, e) for z, e in deck.entries() if z != zone and self._may_lie(e.card, zone)]
        spare = {other for other, _ in other_entries if deck.size(other) > self._least(other)}
        for other, entry in other_entries:
            if other in spare:
                yield Move("move", other, entry.card, zone, is_choice=True)
        for card in self._fillers(deck, zone):
            if self._may_lie(card, zone):
                yield Move("add", zone, card, is_choice=True)
        for other, entry in other_entries:
            if other not in spare:
                yield Move("move", other, entry.card, zone, is_choice=True)

    def _least(self, zone: str) -> int:
        return self._sizes.get(zone, ZoneSize()).least

    def _fillers(self, deck: Deck, zone: str) -> Iterable[CardFacts]:
        if deck.pool is not None:
            return {entry.card.key: entry.card for entry in deck.zone("pool")}.values()
        zone_entries = deck.zone(zone) or deck.zone("main")
        most = max([entry.qty for entry in zone_entries], default=0)
        usual = _usual_type(zone_entries)
        alike = [entry for entry in zone_entries if entry.card.get("type") == usual]
        known_cards = {
            entry.card.key: entry.card for entry in sorted(alike, key=lambda e: -e.qty) if entry.qty < most
        }
        known_cards |= {
            card.key: card for card in islice(self._others(zone_entries, usual, zone), MOST_OFFERED)
        }
        known_cards |= {
            entry.card.key: entry.card for entry in zone_entries if entry.card.key not in known_cards
        }
        return known_cards.values()

    def _others(self, zone_entries: Collection[Entry], usual: object, zone: str) -> Iterator[CardFacts]:
        """Yield cards of the catalogue that are not there yet.

        Cards of the usual type come first.
        """
        names = {entry.card.key for entry in zone_entries}
        alike = self._supply.find({"type": usual}) if isinstance(usual, str) else ()
        for card in (*alike, *self._supply.find({})):
            if card.key not in names and self._may_lie(card, zone):
                names.add(card.key)
                yield card

    def _add_wanted(self, changes: Iterable[Change], deck: Deck) -> Iterator[Move]:
        for change in changes:
            if change.action == "add" and change.wanted_facts:
                yield from self._add(deck, change.zone, change.wanted_facts)

    def _add(self, deck: Deck, zone: str, wanted_card: Wanted) -> Iterator[Move]:
        """Yield fitting cards to add.

        They are from elsewhere in the list, one more of those there, or one of the catalogue.
        """
        cards: dict[str, CardFacts] = {}
        for other, entry in deck.entries(("pool",) if deck.pool is not None else ZONES):
            if fits(entry.card, wanted_card):
                cards[entry.card.key] = entry.card
                if other not in (zone, "pool"):
                    yield Move("move", other, entry.card, zone)
        offered_cards = () if deck.pool is not None else self._supply.find(wanted_card)
        supplied_cards = cards | {card.key: card for card in offered_cards[:MOST_OFFERED]}
        for card in supplied_cards.values():
            yield Move("add", zone, card, is_choice=len(supplied_cards) > 1)

    def _open(self, finding: Finding, deck: Deck) -> Iterator[Move]:
        """Yield cards that would let in what the finding is about."""
        openings = [each for each in self._terms.openings if finding.code in each.findings]
        concerned_cards = _list_cards_of(finding, deck) if openings else []
        for opening in openings:
            wanted_cards = (
                [opening.choose_facts(card) for card in concerned_cards]
                if opening.by
                else [opening.card or {}]
            )
            for wanted_card in _different(wanted_cards):
                for move in self._add(deck, opening.zone, wanted_card):
                    yield replace(move, is_opening=True)

    def _declare(self, finding: Finding, deck: Deck) -> Iterator[Move]:
        for choice in self._terms.choices:
            if finding.code in choice.findings:
                for value in _values(choice, deck):
                    says = step("declare-option", option=translate_text(choice.label), value=value)
                    yield Move("set", options={choice.option: value}, says=says)


def _is_among(move: Move, others: Iterable[Move]) -> bool:
    """Return whether one of the others changes the same."""
    what = (move.action, move.zone, move.target, move.card, move.options)
    return any((each.action, each.zone, each.target, each.card, each.options) == what for each in others)


def _is_any(change: Change) -> bool:
    return change.action == "add" and change.card is None and not change.wanted_facts


def _list_cards_of(finding: Finding, deck: Deck) -> list[CardFacts]:
    """Return the cards that a finding is about.

    If it names none, these are all cards of the list.
    """
    keys = set(finding.cards)
    return [entry.card for _, entry in deck.entries() if not keys or entry.card.key in keys]


def _usual_type(entries: Iterable[Entry]) -> object:
    """Return the type of most of these cards."""
    counts: dict[object, int] = {}
    for entry in entries:
        kind = entry.card.get("type")
        counts[kind] = counts.get(kind, 0) + entry.qty
    return max(counts, key=lambda kind: counts[kind], default=None)


def _different(wanted_cards: Iterable[Wanted | None]) -> Iterable[Wanted]:
    return {
        repr(wanted_card): wanted_card for wanted_card in wanted_cards if wanted_card is not None
    }.values()


def _values(choice: OptionChoice, deck: Deck) -> list[str]:
    """Return the possible values of the option, from the cards of the list.

    The value of most cards comes first.
    """
    counts: dict[str, int] = {}
    for entry in deck.zone("main"):
        value = entry.card.name if choice.value == "name" else entry.card.get(choice.value)
        if isinstance(value, str) and value and fits(entry.card, choice.card or {}):
            counts[value] = counts.get(value, 0) + entry.qty
    current = deck.options.get(choice.option)
    return [value for value in sorted(counts, key=lambda each: -counts[each]) if value != current]


def _declarations(finding: Finding, changes: Iterable[Change]) -> Iterator[Move]:
    """Yield what the finding's own fix declares, in its own words."""
    options: dict[str, object] = {}
    for change in changes:
        if change.action == "set":
            options |= dict(change.wanted_facts or {})
    if options and finding.fix and None not in options.values():
        yield Move("set", options=options, says=finding.fix.reasons[0])
