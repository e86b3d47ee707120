"""Minimal fixes: build them for findings and apply them to a deck."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace

from rules.deck import ZONES, CardFacts, Deck, Entry
from rules.finding import Change, Fix, build_fix, step
from rules.reason import Param, Reason
from rules.rule import Rule
from rules.text import display_name

Removal = tuple[str, Entry, int]


def add_cards(
    zone: str, qty: int, wanted_facts: Mapping[str, object] | None = None, type: str | None = None
) -> Fix:
    """Add cards that have the facts wanted; `type` is what a message calls them."""
    return build_fix(
        "add-cards", (Change("add", zone, qty, None, wanted_facts),), qty=qty, zone=zone, type=type
    )


def set_option(code: str, options: Mapping[str, object], /, **params: Param) -> Fix:
    """Declare something else with the list; `code` is the message of the fix."""
    return build_fix(code, (Change("set", "main", 0, None, options),), **params)


def move_cards(moves: Iterable[tuple[Removal, str]]) -> Fix:
    """Move cards to other zones, all of one zone in one step."""
    by_zones: dict[tuple[str, str], list[tuple[Entry, int]]] = {}
    for (zone, entry, qty), target in moves:
        by_zones.setdefault((zone, target), []).append((entry, qty))
    fix = Fix()
    for (zone, target), moved_cards in by_zones.items():
        changes = [
            change
            for entry, qty in moved_cards
            for change in (
                Change("add", target, qty, entry.card.key),
                Change("remove", zone, qty, entry.card.key),
            )
        ]
        cards = tuple(
            Reason("quantity", {"qty": qty, "card": name}) for name, qty in _by_name(moved_cards).items()
        )
        fix = fix.then("move", changes, cards=cards, zone=zone, target=target)
    return fix


def swap_in_from_sideboard(
    rule: Rule, deck: Deck, fits: Callable[[CardFacts], object], wanted_facts: Mapping[str, object]
) -> Fix | None:
    """Exchange one copy of a fitting sideboard card for the last card of the main deck: both keep their size.

    `wanted` are the facts by which it fits. None where no card fits that no ban speaks of.
    """
    aside = rule.lists.identified(deck, "sideboard")
    entry = next((e for e, identity in aside if "bans" not in identity.named_in and fits(e.card)), None)
    if entry is None:
        return None
    card, out = entry.card, deck.zone("main")[-1:]
    changes = [Change("remove", "sideboard", 1, card.key), Change("add", "main", 1, card.key, wanted_facts)]
    for other in out:
        changes += [
            Change("remove", "main", 1, other.card.key),
            Change("add", "sideboard", 1, other.card.key),
        ]
    if not out:
        return build_fix("move-in", changes, card=display_name(card))
    return build_fix("swap-in", changes, card=display_name(card), other=display_name(out[0].card))


def remove_cards(rule: Rule, deck: Deck, takes: Iterable[Removal]) -> Fix:
    """Take cards out, and say how many other cards each zone then needs to keep its size.

    A card that lies elsewhere than where it belongs is taken out of the zone in which it lies.
    """
    removed_entries: dict[str, list[tuple[Entry, int]]] = {}
    for zone, entry, qty in takes:
        removed_entries.setdefault(find_zone(deck, zone, entry), []).append((entry, qty))
    reasons: list[Reason] = []
    changes: list[Change] = []
    for zone, here in removed_entries.items():
        changes += [Change("remove", zone, qty, entry.card.key) for entry, qty in here]
        cards = tuple(
            [Reason("quantity", {"qty": qty, "card": name}) for name, qty in _by_name(here).items()]
        )
        after = deck.size(zone) - sum([qty for _, qty in here])
        missing = _short(rule, zone, deck.size(zone), after)
        if missing:
            changes.append(Change("add", zone, missing))
            reasons.append(step("remove-and-add", cards=cards, zone=zone, left=after, missing=missing))
        else:
            reasons.append(step("remove", cards=cards, zone=zone))
    return Fix(tuple(reasons), tuple(changes))


def find_zone(deck: Deck, zone: str, entry: Entry) -> str:
    """The zone in which an entry lies: `zone`, unless it is another."""
    zones = (zone, *(other for other in ZONES if other != zone))
    return next((each for each in zones if any(zone_entry is entry for zone_entry in deck.zone(each))), zone)


def _by_name(here: Iterable[tuple[Entry, int]]) -> dict[str, int]:
    """Return how many of each card, whose lines are said together."""
    total: dict[str, int] = {}
    for entry, qty in here:
        total[display_name(entry.card)] = total.get(display_name(entry.card), 0) + qty
    return total


def pick_last_cards(deck: Deck, zone: str, qty: int) -> list[Removal]:
    """The last cards of a zone, as many as asked for: what to take out where any card will do."""
    takes: list[Removal] = []
    for entry in reversed(deck.zone(zone)):
        if qty <= 0:
            break
        takes.append((zone, entry, min(qty, entry.qty)))
        qty -= entry.qty
    return takes


def pick_surplus_cards(
    rule: Rule, deck: Deck, placed_entries: Iterable[tuple[str, Entry]], qty: int
) -> list[Removal]:
    """Return which of the held copies to take out.

    First from the zone that can spare them, last lines first.
    """
    copies = list(placed_entries)
    spare = {zone: deck.size(zone) - rule.size(zone).least for zone, _ in copies}
    copies.reverse()
    copies.sort(key=lambda place: spare[place[0]] < qty)
    takes: list[Removal] = []
    for zone, entry in copies:
        if qty > 0:
            takes.append((zone, entry, min(qty, entry.qty)))
            qty -= entry.qty
    return takes


def _short(rule: Rule, zone: str, before: int, after: int) -> int:
    """Return how many cards must come in so that a zone is no shorter of its minimum than it was before."""
    size = rule.size(zone)
    if size.or_none and after == 0:
        return 0
    return max(0, min(size.least, before) - after)


def apply_fix(deck: Deck, fix: Fix, supply: Callable[[Change], CardFacts]) -> Deck:
    """The deck after a fix. `supply` gives the card for a change that names none."""
    zones = {zone: list(getattr(deck, zone)) for zone in ("main", "sideboard", "pregame")}
    options = dict(deck.options)
    for change in fix.changes:
        if change.action == "set":
            options |= dict(change.wanted or {})
        elif change.action == "add":
            zones[change.zone] += _added(deck, change, supply)
        else:
            zones[change.zone] = _without(zones[change.zone], change)
    return replace(deck.with_zones(zones), options=options)


def _added(deck: Deck, change: Change, supply: Callable[[Change], CardFacts]) -> list[Entry]:
    cards_by_key = {entry.card.key: entry.card for _, entry in deck.entries()}
    if change.card is not None:
        return [Entry(cards_by_key[change.card], change.qty)]
    return [Entry(supply(change), 1) for _ in range(change.qty)]


def _without(entries: list[Entry], change: Change) -> list[Entry]:
    open_count = change.qty
    remaining = []
    for entry in entries:
        if entry.card.key != change.card or open_count <= 0:
            remaining.append(entry)
            continue
        removed = min(open_count, entry.qty)
        open_count -= removed
        if entry.qty > removed:
            remaining.append(replace(entry, qty=entry.qty - removed))
    return remaining
