"""Checks of how many cards a zone holds and how many copies of one card."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rules.checks import check
from rules.deck import ZONE_WORDS, Deck, Entry
from rules.finding import Finding, Fix, MissingFact
from rules.fixes import add_cards, pick_last_cards, pick_surplus_cards, remove_cards
from rules.lists import Identity
from rules.rule import Rule, missing_fact
from rules.text import display_name, join_list, pluralize

_CODES = {"main": "deck", "sideboard": "sideboard", "pregame": "pregame"}


def _zone_size_in_words(*, zone: str, min: int = 0, max: int | None = None, or_none: bool = False) -> str:
    place = ZONE_WORDS[zone]
    if max == 0:
        return f"There is no {place}."
    if max is None:
        bounds = f"{pluralize(min)} or more"
    elif min == max:
        bounds = f"exactly {pluralize(max)}"
    else:
        bounds = f"{min} to {pluralize(max)}"
    return f"The {place} holds {'no card or ' if or_none else ''}{bounds}."


@check("zone_size", says=_zone_size_in_words)
def zone_size(
    deck: Deck, rule: Rule, *, zone: str, min: int = 0, max: int | None = None, or_none: bool = False
) -> Iterator[Finding]:
    """A zone holds at least `min` and at most `max` cards, or, with `or_none`, none at all."""
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
        yield _short(deck, rule, zone, size, min, "wants exactly" if min == max else "needs at least")
    elif max is not None:
        yield _long(deck, rule, zone, size, max, "wants exactly" if min == max else "allows at most")


def _short(deck: Deck, rule: Rule, zone: str, size: int, least: int, demands: str) -> Finding:
    message = f"The {ZONE_WORDS[zone]} has {pluralize(size)}; {rule.format_name} {demands} {least}."
    fix = add_cards(zone, least - size)
    return rule.fault(f"{_CODES[zone]}-too-small", message, limit=least, found=size, fix=fix)


def _long(deck: Deck, rule: Rule, zone: str, size: int, most: int, demands: str) -> Finding:
    place = ZONE_WORDS[zone]
    fix = remove_cards(rule, deck, pick_last_cards(deck, zone, size - most))
    if most == 0:
        message = f"The {place} has {pluralize(size)}; {rule.format_name} has no {place}."
        code = f"{_CODES[zone]}-not-allowed"
        return rule.fault(code, message, entries=deck.zone(zone), limit=0, found=size, fix=fix)
    message = f"The {place} has {pluralize(size)}; {rule.format_name} {demands} {most}."
    return rule.fault(f"{_CODES[zone]}-too-large", message, limit=most, found=size, fix=fix)


def _wrong(deck: Deck, rule: Rule, zone: str, size: int, exact: int) -> Finding:
    place = ZONE_WORDS[zone]
    message = (
        f"The {place} has {pluralize(size)}; {rule.format_name} wants exactly {exact}, or no {place} at all."
    )
    fix = _nearest(deck, rule, zone, size, exact)
    return rule.fault(f"{_CODES[zone]}-wrong-size", message, limit=exact, found=size, fix=fix)


def _nearest(deck: Deck, rule: Rule, zone: str, size: int, exact: int) -> Fix:
    if size > exact:
        return remove_cards(rule, deck, pick_last_cards(deck, zone, size - exact))
    if size < exact - size:
        return remove_cards(rule, deck, pick_last_cards(deck, zone, size))
    return add_cards(zone, exact - size)


def _unreadable(deck: Deck, rule: Rule, zone: str, size: int) -> Finding:
    unreadable_entries = [entry for _, entry in deck.unreadable((zone,))]
    message = (
        f"The size of the {ZONE_WORDS[zone]} is not known: {pluralize(size)} and lines that give no quantity."
    )
    return rule.unknown(
        f"{_CODES[zone]}-size-unknown", message, [MissingFact("quantity")], entries=unreadable_entries
    )


IdentifiedEntries = dict[str, list[tuple[Entry, Identity]]]

ZoneEntries = list[tuple[str, Entry]]


def _copies_in_words(*, max: int, zones: tuple[str, ...] = ("main",), versions_together: bool = False) -> str:
    places = join_list(ZONE_WORDS[zone] for zone in zones)
    together = " together" if len(zones) > 1 else ""
    versions = "; all versions of a name count as one card" if versions_together else ""
    return f"At most {max} copies of one card, {places}{together}{versions}."


@check("copies", says=_copies_in_words)
def copies(
    deck: Deck, rule: Rule, *, max: int, zones: tuple[str, ...] = ("main",), versions_together: bool = False
) -> Iterator[Finding]:
    """At most `max` copies of one card in the zones together; which cards are one is in the identity lists.

    A card that could be one of several (a character without dots, one of two cards of a name) is unknown only
    if one of its possible identities would break the limit. A line that names several cards alike may hold
    some of each.
    """
    named = {zone: rule.lists.identified(deck, zone) for zone in zones}
    if versions_together:
        named = {
            zone: [(e, known.of_any_version()) for e, known in identified]
            for zone, identified in named.items()
        }
    totals: dict[object, int] = {}
    is_open = False
    for identified in named.values():
        for entry, known in identified:
            place = known.exact
            if place is None:
                place, is_open = _open_place(entry, known), True
                if known.may_be > 1 and entry.qty <= max * known.may_be:
                    continue
            totals[place] = totals.get(place, 0) + entry.qty
    over = {place: total for place, total in totals.items() if total > max}
    if over:
        yield _too_many(deck, rule, named, over, max)
    if is_open:
        yield from _undecided(rule, named, over, max)


def _open_place(entry: Entry, known: Identity) -> object:
    """One catalogue card is one card; of cards that no catalogue holds, only one line speaks of one card."""
    return (known.family, entry.card.key, None if entry.card.in_catalogue else id(entry))


def _all(named: IdentifiedEntries) -> Iterator[tuple[str, Entry, Identity]]:
    for zone, identified in named.items():
        for entry, known in identified:
            yield zone, entry, known


def _too_many(
    deck: Deck, rule: Rule, named: IdentifiedEntries, over: dict[object, int], most: int
) -> Finding:
    entries_by_card: dict[object, ZoneEntries] = {place: [] for place in over}
    for zone, entry, known in _all(named):
        place = known.exact or _open_place(entry, known)
        if place in entries_by_card:
            entries_by_card[place].append((zone, entry))
    counts = [
        f"{total} copies of {_name(entries_by_card[place])}{_where(entries_by_card[place])}"
        for place, total in over.items()
    ]
    message = f"The list holds {join_list(counts)}; at most {most} of one card are allowed."
    takes = [
        take
        for place, total in over.items()
        for take in pick_surplus_cards(rule, deck, entries_by_card[place], total - most)
    ]
    cards = [entry for copies in entries_by_card.values() for _, entry in copies]
    found = max(over.values())
    fix: Fix = remove_cards(rule, deck, takes)
    return rule.fault("too-many-copies", message, entries=cards, limit=most, found=found, fix=fix)


def _name(zone_entries: ZoneEntries) -> str:
    names = list(dict.fromkeys(display_name(entry.card) for _, entry in zone_entries))
    return f"{join_list(names)}, which are one card" if len(names) > 1 else names[0]


def _where(zone_entries: ZoneEntries) -> str:
    zones = {zone for zone, _ in zone_entries}
    if len(zones) < 2:
        return ""
    parts = [
        f"{sum(e.qty for z, e in zone_entries if z == zone)} in the {ZONE_WORDS[zone]}"
        for zone in sorted(zones)
    ]
    return f" ({join_list(parts)})"


def _undecided(rule: Rule, named: IdentifiedEntries, over: dict[object, int], most: int) -> Iterator[Finding]:
    """Cards of one name whose copies may add up beyond the limit, once their facts are known."""
    families: dict[str, list[tuple[Entry, Identity]]] = {}
    for _, entry, known in _all(named):
        families.setdefault(known.family, []).append((entry, known))
    doubtful = [family for family in families.values() if _may_break(family, over, most)]
    if not doubtful:
        return
    entries = [entry for family in doubtful for entry, known in family if known.exact is None]
    facts: list[MissingFact] = [
        missing_fact(entry, fact)
        for family in doubtful
        for entry, known in family
        if known.exact is None
        for fact in known.missing
    ]
    names = join_list(entry.card.name for entry in entries)
    message = f"It is not known whether more than {most} copies of {names} are one card{_what(facts)}."
    yield rule.unknown("copies-unknown", message, facts, entries=entries, limit=most)


def _may_break(family: list[tuple[Entry, Identity]], over: dict[object, int], most: int) -> bool:
    """The open cards of a name could all be one card with one of its known versions, or with each other.

    What is too many already, whatever it is, is left to the fault.
    """
    open_cards = [(entry, known) for entry, known in family if known.exact is None]
    open_qty = sum(entry.qty for entry, known in open_cards if _open_place(entry, known) not in over)
    if not open_qty:
        return False
    known_qty: dict[object, int] = {}
    for entry, known in family:
        if known.exact is not None:
            known_qty[known.exact] = known_qty.get(known.exact, 0) + entry.qty
    fullest = max((qty for place, qty in known_qty.items() if place not in over), default=0)
    return open_qty + fullest > most


def _what(facts: Iterable[MissingFact]) -> str:
    fact_list = join_list(f"the {fact.fact} of {fact.name}" for fact in facts)
    return f": no catalogue tells {fact_list}" if fact_list else ""
