"""Checks of how many cards a zone holds and how many copies of one card."""

from __future__ import annotations

from collections.abc import Iterator

from rules.checks import check, demand
from rules.deck import Deck, Entry
from rules.finding import DeferredFix, Finding, Fix, MissingFact
from rules.fixes import add_cards, pick_last_cards, pick_surplus_cards, remove_cards
from rules.lists import IdentifiedEntry, Identity
from rules.reason import Reason, reason
from rules.rule import Rule, fact_reasons, missing_fact
from rules.text import card_names, display_name, zone_reasons

_CODES = {"main": "deck", "sideboard": "sideboard", "pregame": "pregame"}


def _zone_size_says(*, zone: str, min: int = 0, max: int | None = None, or_none: bool = False) -> Reason:
    if max == 0:
        return demand("zone_size.none", zone=zone)
    if max is None:
        return demand("zone_size.at-least", zone=zone, min=min, or_none=or_none)
    if min == max:
        return demand("zone_size.exactly", zone=zone, max=max, or_none=or_none)
    return demand("zone_size.between", zone=zone, min=min, max=max, or_none=or_none)


@check("zone_size", says=_zone_size_says)
def zone_size(
    deck: Deck, rule: Rule, *, zone: str, min: int = 0, max: int | None = None, or_none: bool = False
) -> Iterator[Finding]:
    """Require `min` to `max` cards in a zone.

    With `or_none`, an empty zone is allowed too.
    """
    size = deck.size(zone)
    doubtful = deck.unreadable((zone,))
    too_few = size < min and not (or_none and size == 0)
    too_many = max is not None and size > max
    if not (too_few or too_many or doubtful):
        return
    if doubtful and not too_many:
        yield _unreadable(deck, rule, zone, size)
    elif or_none and min == max:
        yield _wrong(deck, rule, zone, size, min)
    elif too_few:
        yield _report_short(rule, zone, size, min, is_exact=min == max)
    elif max is not None:
        yield _report_long(deck, rule, zone, size, max, is_exact=min == max)


def _report_short(rule: Rule, zone: str, size: int, least: int, *, is_exact: bool) -> Finding:
    key = "zone-too-small.exactly" if is_exact else "zone-too-small"
    code, fix = f"{_CODES[zone]}-too-small", DeferredFix(add_cards, zone, least - size)
    return rule.fault(key, code=code, limit=least, found=size, fix=fix, zone=zone, format=rule.format_name)


def _report_long(deck: Deck, rule: Rule, zone: str, size: int, most: int, *, is_exact: bool) -> Finding:
    fix = DeferredFix(_remove_last, rule, deck, zone, size - most)
    name = rule.format_name
    if most == 0:
        code, cards = f"{_CODES[zone]}-not-allowed", deck.zone(zone)
        return rule.fault(
            "zone-not-allowed", code=code, entries=cards, limit=0, found=size, fix=fix, zone=zone, format=name
        )
    key = "zone-too-large.exactly" if is_exact else "zone-too-large"
    code = f"{_CODES[zone]}-too-large"
    return rule.fault(key, code=code, limit=most, found=size, fix=fix, zone=zone, format=name)


def _wrong(deck: Deck, rule: Rule, zone: str, size: int, exact: int) -> Finding:
    code, fix = f"{_CODES[zone]}-wrong-size", DeferredFix(_nearest, deck, rule, zone, size, exact)
    return rule.fault(
        "zone-wrong-size",
        code=code,
        limit=exact,
        found=size,
        fix=fix,
        zone=zone,
        format=rule.format_name,
    )


def _nearest(deck: Deck, rule: Rule, zone: str, size: int, exact: int) -> Fix:
    if size > exact:
        return _remove_last(rule, deck, zone, size - exact)
    if size < exact - size:
        return _remove_last(rule, deck, zone, size)
    return add_cards(zone, exact - size)


def _remove_last(rule: Rule, deck: Deck, zone: str, qty: int) -> Fix:
    return remove_cards(rule, deck, pick_last_cards(rule, deck, zone, qty))


def _unreadable(deck: Deck, rule: Rule, zone: str, size: int) -> Finding:
    unreadable_entries = [entry for _, entry in deck.unreadable((zone,))]
    code, facts = f"{_CODES[zone]}-size-unknown", [MissingFact("quantity")]
    return rule.unknown(
        "zone-size-unknown", facts, code=code, entries=unreadable_entries, zone=zone, size=size
    )


ZoneEntries = list[tuple[str, Entry]]


def _copies_says(*, max: int, zones: tuple[str, ...] = ("main",), versions_together: bool = False) -> Reason:
    return demand(
        "copies",
        max=max,
        zones=zone_reasons(zones),
        together=len(zones) > 1,
        versions_together=versions_together,
    )


@check("copies", says=_copies_says)
def copies(
    deck: Deck, rule: Rule, *, max: int, zones: tuple[str, ...] = ("main",), versions_together: bool = False
) -> Iterator[Finding]:
    """Limit the copies of one card in all zones to `max`.

    The identity lists determine which cards are the same card. A card that could be one of several (a
    character without dots, one of two cards of a name) is unknown only if one of its possible identities
    would break the limit. A line that names several cards alike may hold some of each. A card that no
    catalogue holds may be one that says otherwise.
    """
    identified_entries = rule.lists.identify_entries(deck, zones)
    if versions_together:
        identified_entries = [
            (zone, e, identity.of_any_version()) for zone, e, identity in identified_entries
        ]
    totals: dict[object, int] = {}
    is_open = False
    for _, entry, identity in identified_entries:
        place: object = identity.exact
        if place is None:
            is_open = True
            if not entry.card.in_catalogue or (identity.may_be > 1 and entry.qty <= max * identity.may_be):
                continue
            place = _open_place(entry, identity)
        totals[place] = totals.get(place, 0) + entry.qty
    over = {place: total for place, total in totals.items() if total > max}
    if over:
        yield _too_many(deck, rule, identified_entries, over, max)
    if is_open:
        yield from _report_undecided(rule, identified_entries, over, max)


def _open_place(entry: Entry, identity: Identity) -> object:
    """Return the key under which a card is counted.

    One catalogue card is one card, whichever card it is.
    """
    return (identity.family, entry.card.key)


def _too_many(
    deck: Deck, rule: Rule, identified_entries: list[IdentifiedEntry], over: dict[object, int], most: int
) -> Finding:
    entries_by_card: dict[object, ZoneEntries] = {place: [] for place in over}
    for zone, entry, identity in identified_entries:
        place = identity.exact or (entry.card.in_catalogue and _open_place(entry, identity))
        if place in over:
            entries_by_card[place].append((zone, entry))
    counts = tuple([_count(total, entries_by_card[place]) for place, total in over.items()])
    cards = [entry for copies in entries_by_card.values() for _, entry in copies]
    most_copies = max(over.values())
    fix = DeferredFix(_remove_surplus, deck, rule, entries_by_card, over, most)
    return rule.fault("too-many-copies", entries=cards, limit=most, found=most_copies, fix=fix, counts=counts)


def _remove_surplus(
    deck: Deck, rule: Rule, entries_by_card: dict[object, ZoneEntries], over: dict[object, int], most: int
) -> Fix:
    takes = [
        take
        for place, total in over.items()
        for take in pick_surplus_cards(rule, deck, entries_by_card[place], total - most)
    ]
    return remove_cards(rule, deck, takes)


def _count(total: int, zone_entries: ZoneEntries) -> Reason:
    """Return how many copies of one card there are, and under which names.

    If the copies are in several zones, the zones are included.
    """
    names = tuple([display_name(entry.card) for _, entry in zone_entries])
    zones = {zone for zone, _ in zone_entries}
    if len(zones) < 2:
        return Reason("copies-of-a-card", {"qty": total, "cards": names})
    where = tuple(
        [
            reason("quantity-in-zone", qty=sum([e.qty for z, e in zone_entries if z == zone]), zone=zone)
            for zone in sorted(zones)
        ]
    )
    return reason("copies-of-a-card.by-zone", qty=total, cards=names, zones=where)


def _report_undecided(
    rule: Rule, identified_entries: list[IdentifiedEntry], over: dict[object, int], most: int
) -> Iterator[Finding]:
    """Report cards of one name that may exceed the copy limit.

    Whether they exceed it depends on facts that are not yet known.
    """
    families: dict[str, list[tuple[Entry, Identity]]] = {}
    for _, entry, identity in identified_entries:
        families.setdefault(identity.family, []).append((entry, identity))
    doubtful = [family for family in families.values() if _may_break(family, over, most)]
    if not doubtful:
        return
    open_cards = [each for family in doubtful for each in family if each[1].exact is None]
    strange = [entry for entry, _ in open_cards if not entry.card.in_catalogue]
    if strange:
        facts, names = [missing_fact(entry, "the-card") for entry in strange], card_names(strange)
        yield rule.unknown("copies-unknown.of-no-card", facts, entries=strange, limit=most, cards=names)
    if len(strange) < len(open_cards):
        yield _which_unknown(rule, [each for each in open_cards if each[0].card.in_catalogue], most)


def _which_unknown(rule: Rule, open_cards: list[tuple[Entry, Identity]], most: int) -> Finding:
    """Report catalogue cards that lack the fact that identifies them.

    The fact would tell whether they are the same card.
    """
    entries = [entry for entry, _ in open_cards]
    facts = [missing_fact(entry, fact) for entry, identity in open_cards for fact in identity.missing_facts]
    names, untold = card_names(entries), fact_reasons(facts)
    key = "copies-unknown" if facts else "copies-unknown.which"
    return rule.unknown(key, facts, entries=entries, limit=most, cards=names, facts_of_cards=untold)


def _may_break(family: list[tuple[Entry, Identity]], over: dict[object, int], most: int) -> bool:
    """Return whether the open cards of a name could all be one card.

    They could be one card with a known version or with each other. Copies that are too many in any case are
    left to the fault.
    """
    open_cards = [(entry, identity) for entry, identity in family if identity.exact is None]
    open_qty = sum(entry.qty for entry, identity in open_cards if _open_place(entry, identity) not in over)
    if not open_qty:
        return False
    known_qty: dict[object, int] = {}
    for entry, identity in family:
        if identity.exact is not None:
            known_qty[identity.exact] = known_qty.get(identity.exact, 0) + entry.qty
    fullest = max((qty for place, qty in known_qty.items() if place not in over), default=0)
    return open_qty + fullest > most
