"""How many cards a zone holds."""

from __future__ import annotations

from collections.abc import Iterator

from ..deck import ZONE_WORDS, Deck
from ..finding import Finding, Fix, MissingFact
from ..fixes import add, last_cards, remove
from ..rule import Rule
from ..words import count
from . import check

_CODES = {"main": "deck", "sideboard": "sideboard", "pregame": "pregame"}


def _in_words(*, zone: str, min: int = 0, max: int | None = None, or_none: bool = False) -> str:
    place = ZONE_WORDS[zone]
    if max == 0:
        return f"There is no {place}."
    if max is None:
        bounds = f"{count(min)} or more"
    elif min == max:
        bounds = f"exactly {count(max)}"
    else:
        bounds = f"{min} to {count(max)}"
    return f"The {place} holds {'no card or ' if or_none else ''}{bounds}."


@check("zone_size", says=_in_words)
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
    message = f"The {ZONE_WORDS[zone]} has {count(size)}; {rule.format_name} {demands} {least}."
    fix = add(zone, least - size)
    return rule.fault(f"{_CODES[zone]}-too-small", message, limit=least, found=size, fix=fix)


def _long(deck: Deck, rule: Rule, zone: str, size: int, most: int, demands: str) -> Finding:
    place = ZONE_WORDS[zone]
    fix = remove(rule, deck, last_cards(deck, zone, size - most))
    if most == 0:
        message = f"The {place} has {count(size)}; {rule.format_name} has no {place}."
        code = f"{_CODES[zone]}-not-allowed"
        return rule.fault(code, message, entries=deck.zone(zone), limit=0, found=size, fix=fix)
    message = f"The {place} has {count(size)}; {rule.format_name} {demands} {most}."
    return rule.fault(f"{_CODES[zone]}-too-large", message, limit=most, found=size, fix=fix)


def _wrong(deck: Deck, rule: Rule, zone: str, size: int, exact: int) -> Finding:
    place = ZONE_WORDS[zone]
    message = (
        f"The {place} has {count(size)}; {rule.format_name} wants exactly {exact}, or no {place} at all."
    )
    fix = _nearest(deck, rule, zone, size, exact)
    return rule.fault(f"{_CODES[zone]}-wrong-size", message, limit=exact, found=size, fix=fix)


def _nearest(deck: Deck, rule: Rule, zone: str, size: int, exact: int) -> Fix:
    if size > exact:
        return remove(rule, deck, last_cards(deck, zone, size - exact))
    if size < exact - size:
        return remove(rule, deck, last_cards(deck, zone, size))
    return add(zone, exact - size)


def _unreadable(deck: Deck, rule: Rule, zone: str, size: int) -> Finding:
    held = [entry for _, entry in deck.unreadable((zone,))]
    message = (
        f"The size of the {ZONE_WORDS[zone]} is not known: {count(size)} and lines that give no quantity."
    )
    return rule.unknown(f"{_CODES[zone]}-size-unknown", message, [MissingFact("quantity")], entries=held)
