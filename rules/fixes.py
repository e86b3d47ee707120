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


def add_of_type(rule: Rule, deck: Deck, zone: str, qty: int, types: tuple[str, ...]) -> Fix:
    """Add cards of the first of the types.

    If the zone is full, other cards are removed for them.
    """
    takes = make_room(rule, deck, zone, qty, lambda card: str(card.get("type")).casefold() not in types)
    addition = add_cards(zone, qty, {"type": types[0]}, types[0])
    out = remove_cards(rule, deck, takes, coming_count=qty) if takes else Fix()
    return Fix((*out.reasons, *addition.reasons), (*out.changes, *addition.changes))


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
    """Exchange a fitting sideboard card for the last card of the main deck.

    One copy is exchanged, so both keep their size. If the deck may grow and the sideboard may shrink, the
    card moves in alone. `wanted_facts` are the facts by which it fits. None if every fitting card is banned.
    """
    aside = rule.lists.identify_entries(deck, ("sideboard",))
    entry = next((e for _, e, identity in aside if "bans" not in identity.named_in and fits(e.card)), None)
    if entry is None:
        return None
    card, out = entry.card, () if _may_move_in(rule, deck) else deck.zone("main")[-1:]
    changes = [Change("remove", "sideboard", 1, card.key), Change("add", "main", 1, card.key, wanted_facts)]
    for other in out:
        changes += [
            Change("remove", "main", 1, other.card.key),
            Change("add", "sideboard", 1, other.card.key),
        ]
    if not out:
        return build_fix("move-in", changes, card=display_name(card))
    return build_fix("swap-in", changes, card=display_name(card), other=display_name(out[0].card))


def _may_move_in(rule: Rule, deck: Deck) -> bool:
    """Return whether one card may move from the sideboard to the main deck.

    This depends on the sizes of both.
    """
    main, side = rule.size("main"), rule.size("sideboard")
    size, side_left = deck.size("main"), deck.size("sideboard") - 1
    fits = side_left >= side.least or (side.or_none and side_left == 0)
    return fits and (main.most is None or size < main.most)


def remove_cards(rule: Rule, deck: Deck, takes: Iterable[Removal], *, coming_count: int = 0) -> Fix:
    """Remove cards.

    The fix says how many other cards each zone then needs to keep its size. A card that is elsewhere than
    where it belongs is taken out of the zone in which it is. `coming_count` others come into these zones.
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
        size = _counted_size(rule, deck, zone)
        after = size - sum([qty for entry, qty in here if _counts(rule, zone, entry)])
        missing_count = _count_missing(rule, zone, size, after + coming_count)
        if missing_count:
            changes.append(Change("add", zone, missing_count))
            reasons.append(step("remove-and-add", cards=cards, zone=zone, left=after, missing=missing_count))
        else:
            reasons.append(step("remove", cards=cards, zone=zone))
    return Fix(tuple(reasons), tuple(changes))


def make_room(
    rule: Rule, deck: Deck, zone: str, qty: int, may_go: Callable[[CardFacts], object]
) -> list[Removal]:
    """Return the last cards to remove so that a number of other cards fits in.

    None are returned if the zone is already too large.
    """
    most = rule.size(zone).most
    surplus = 0 if most is None or deck.size(zone) > most else deck.size(zone) + qty - most
    takes: list[Removal] = []
    for entry in reversed(deck.zone(zone)):
        if surplus > 0 and may_go(entry.card):
            takes.append((zone, entry, min(surplus, entry.qty)))
            surplus -= entry.qty
    return takes


def _counted_size(rule: Rule, deck: Deck, zone: str) -> int:
    """Return how many of the cards in a zone may be there.

    Other cards do not fill the zone.
    """
    if not rule.setting.zone_types.types:
        return deck.size(zone)
    return sum([entry.qty for entry in deck.zone(zone) if _counts(rule, zone, entry)])


def _counts(rule: Rule, zone: str, entry: Entry) -> bool:
    allowed_zones = rule.setting.zone_types.find_zones(entry.card.get("type"))
    return allowed_zones is None or zone in allowed_zones


def find_zone(deck: Deck, zone: str, entry: Entry) -> str:
    """Return the zone in which an entry lies: `zone`, unless it is another."""
    zones = (zone, *(other for other in ZONES if other != zone))
    return next((each for each in zones if any(zone_entry is entry for zone_entry in deck.zone(each))), zone)


def _by_name(here: Iterable[tuple[Entry, int]]) -> dict[str, int]:
    """Return how many of each card, whose lines are said together."""
    total: dict[str, int] = {}
    for entry, qty in here:
        total[display_name(entry.card)] = total.get(display_name(entry.card), 0) + qty
    return total


def pick_last_cards(rule: Rule, deck: Deck, zone: str, qty: int) -> list[Removal]:
    """Return the requested number of cards from the end of a zone.

    They are the cards to remove if any card will do. Cards that other rules need go last.
    """
    takes: list[Removal] = []
    last_first = deck.zone(zone)[::-1]
    for entry in sorted(last_first, key=lambda each: is_needed(rule, each.card)):
        if qty <= 0:
            break
        takes.append((zone, entry, min(qty, entry.qty)))
        qty -= entry.qty
    return takes


def is_needed(rule: Rule, card: CardFacts) -> bool:
    """Return whether other rules of the game need a card."""
    from rules.plan.supply import fits

    return any(fits(card, facts) for facts in rule.setting.needed_cards)


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


def _count_missing(rule: Rule, zone: str, before: int, after: int) -> int:
    """Return how many cards must be added so that a zone lacks no more than before.

    What a zone lacks is measured against its minimum. A zone that held too many has a finding of its own,
    whatever it then holds.
    """
    size = rule.size(zone)
    if (size.or_none and after == 0) or (size.most is not None and before > size.most):
        return 0
    return max(0, min(size.least, before) - after)


def apply_fix(deck: Deck, fix: Fix, supply: Callable[[Change], CardFacts]) -> Deck:
    """Return the deck after a fix.

    `supply` gives the card for a change that names none.
    """
    zones = {zone: list(getattr(deck, zone)) for zone in ("main", "sideboard", "pregame")}
    options = dict(deck.options)
    for change in fix.changes:
        if change.action == "set":
            options |= dict(change.wanted_facts or {})
        elif change.action == "add":
            zones[change.zone] += _make_added_entries(deck, change, supply)
        else:
            zones[change.zone] = _without(zones[change.zone], change)
    return replace(deck.with_zones(zones), options=options)


def _make_added_entries(deck: Deck, change: Change, supply: Callable[[Change], CardFacts]) -> list[Entry]:
    cards_by_key = {entry.card.key: entry.card for _, entry in deck.entries()}
    if change.card is not None:
        return [Entry(cards_by_key[change.card], change.qty)]
    return [Entry(supply(change), 1) for _ in range(change.qty)]


def _without(entries: list[Entry], change: Change) -> list[Entry]:
    open_count = change.qty
    entries_left = []
    for entry in entries:
        if entry.card.key != change.card or open_count <= 0:
            entries_left.append(entry)
            continue
        removed_count = min(open_count, entry.qty)
        open_count -= removed_count
        if entry.qty > removed_count:
            entries_left.append(replace(entry, qty=entry.qty - removed_count))
    return entries_left
