"""How many copies of one card a list holds."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ..deck import MAY_BE, ZONE_WORDS, Deck, Entry
from ..finding import Finding, Fix, MissingFact
from ..fixes import remove, surplus
from ..lists import Identity
from ..rule import Rule, missing_fact
from ..words import called, listed
from . import check

Named = dict[str, list[tuple[Entry, Identity]]]
Copies = list[tuple[str, Entry]]


def _in_words(*, max: int, zones: tuple[str, ...] = ("main",), versions_together: bool = False) -> str:
    places = listed(ZONE_WORDS[zone] for zone in zones)
    together = " together" if len(zones) > 1 else ""
    versions = "; all versions of a name count as one card" if versions_together else ""
    return f"At most {max} copies of one card, {places}{together}{versions}."


@check("copies", says=_in_words)
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
        named = {zone: [(e, known.of_any_version()) for e, known in held] for zone, held in named.items()}
    totals: dict[object, int] = {}
    is_open = False
    for held in named.values():
        for entry, known in held:
            place = known.exact
            if place is None:
                place, is_open = _open_place(entry, known), True
                different = entry.card.get(MAY_BE)
                if type(different) is int and different > 1 and entry.qty <= max * different:
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


def _all(named: Named) -> Iterator[tuple[str, Entry, Identity]]:
    for zone, held in named.items():
        for entry, known in held:
            yield zone, entry, known


def _too_many(deck: Deck, rule: Rule, named: Named, over: dict[object, int], most: int) -> Finding:
    held: dict[object, Copies] = {place: [] for place in over}
    for zone, entry, known in _all(named):
        place = known.exact or _open_place(entry, known)
        if place in held:
            held[place].append((zone, entry))
    said = [f"{total} copies of {_name(held[place])}{_where(held[place])}" for place, total in over.items()]
    message = f"The list holds {listed(said)}; at most {most} of one card are allowed."
    takes = [take for place, total in over.items() for take in surplus(rule, deck, held[place], total - most)]
    cards = [entry for copies in held.values() for _, entry in copies]
    found = max(over.values())
    fix: Fix = remove(rule, deck, takes)
    return rule.fault("too-many-copies", message, entries=cards, limit=most, found=found, fix=fix)


def _name(held: Copies) -> str:
    names = list(dict.fromkeys(called(entry.card) for _, entry in held))
    return f"{listed(names)}, which are one card" if len(names) > 1 else names[0]


def _where(held: Copies) -> str:
    zones = {zone for zone, _ in held}
    if len(zones) < 2:
        return ""
    parts = [
        f"{sum(e.qty for z, e in held if z == zone)} in the {ZONE_WORDS[zone]}" for zone in sorted(zones)
    ]
    return f" ({listed(parts)})"


def _undecided(rule: Rule, named: Named, over: dict[object, int], most: int) -> Iterator[Finding]:
    """Cards of one name whose copies may add up beyond the limit, once their facts are known."""
    families: dict[str, list[tuple[Entry, Identity]]] = {}
    for _, entry, known in _all(named):
        families.setdefault(known.family, []).append((entry, known))
    doubtful = [held for held in families.values() if _may_break(held, over, most)]
    if not doubtful:
        return
    entries = [entry for held in doubtful for entry, known in held if known.exact is None]
    facts: list[MissingFact] = [
        missing_fact(entry, fact)
        for held in doubtful
        for entry, known in held
        if known.exact is None
        for fact in known.missing
    ]
    names = listed(entry.card.name for entry in entries)
    message = f"It is not known whether more than {most} copies of {names} are one card{_what(facts)}."
    yield rule.unknown("copies-unknown", message, facts, entries=entries, limit=most)


def _may_break(held: list[tuple[Entry, Identity]], over: dict[object, int], most: int) -> bool:
    """The open cards of a name could all be one card with one of its known versions, or with each other.

    What is too many already, whatever it is, is left to the fault.
    """
    open_cards = [(entry, known) for entry, known in held if known.exact is None]
    open_qty = sum(entry.qty for entry, known in open_cards if _open_place(entry, known) not in over)
    if not open_qty:
        return False
    known_qty: dict[object, int] = {}
    for entry, known in held:
        if known.exact is not None:
            known_qty[known.exact] = known_qty.get(known.exact, 0) + entry.qty
    fullest = max((qty for place, qty in known_qty.items() if place not in over), default=0)
    return open_qty + fullest > most


def _what(facts: Iterable[MissingFact]) -> str:
    told = listed(f"the {fact.fact} of {fact.name}" for fact in facts)
    return f": no catalogue tells {told}" if told else ""
