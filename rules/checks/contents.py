"""Checks of card types, unknown cards and unreadable lines."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from rules.checks import check
from rules.deck import MAY_BE, UNKNOWN, ZONE_WORDS, ZONES, CardFacts, Deck, Entry
from rules.finding import Finding, Fix, MissingFact
from rules.fixes import add_cards, swap_in_from_sideboard
from rules.rule import Rule, missing_fact
from rules.text import choose_plural, join_list, pluralize


def has_type(card: CardFacts, types: Iterable[str], *, halves: bool = False) -> bool | None:
    """Whether a card is of one of the types; None while that is not known.

    With `halves`, the halves of a split card count too, and must be known before the answer is no.
    """
    kind = card.get("type")
    if isinstance(kind, str) and kind.casefold() in types:
        return True
    split = card.get("split") if halves else None
    if isinstance(split, list | tuple) and any(str(half).casefold() in types for half in split):
        return True
    return None if kind is UNKNOWN or split is UNKNOWN else False


def _needs_in_words(*, zone: str, types: tuple[str, ...], halves: bool = False) -> str:
    half = "; half a split card is enough" if halves else ""
    return f"The {ZONE_WORDS[zone]} holds at least one {' or '.join(types)} card{half}."


@check("needs_type", says=_needs_in_words)
def needs_type(
    deck: Deck, rule: Rule, *, zone: str, types: tuple[str, ...], halves: bool = False
) -> Iterator[Finding]:
    """The zone holds at least one card of one of the types; with `halves`, half a split card is enough."""
    open_cards = []
    for entry in deck.zone(zone):
        answer = has_type(entry.card, types, halves=halves)
        if answer:
            return
        if answer is None:
            open_cards.append(entry)
    if open_cards:
        yield _type_unknown(rule, zone, types, open_cards)
    else:
        mend = swap_in_from_sideboard(rule, deck, lambda card: has_type(card, types, halves=halves))
        yield _type_missing(rule, zone, types, mend if zone == "main" else None)


def _type_unknown(rule: Rule, zone: str, types: tuple[str, ...], open_cards: list[Entry]) -> Finding:
    names = join_list(entry.card.name for entry in open_cards)
    place, wanted = ZONE_WORDS[zone], f"{' or '.join(types)} card"
    message = f"It is not known whether the {place} has a {wanted}: no catalogue tells the type of {names}."
    facts = [missing_fact(entry, _untold(entry)) for entry in open_cards]
    return rule.unknown(f"{types[0]}-unknown", message, facts, entries=open_cards)


def _type_missing(rule: Rule, zone: str, types: tuple[str, ...], mend: Fix | None) -> Finding:
    wanted = f"{' or '.join(types)} card"
    message = f"The {ZONE_WORDS[zone]} has no {wanted}; {rule.format_name} needs at least one there."
    fix = mend or add_cards(zone, 1, {"type": types[0]}, f"{types[0]} card")
    return rule.fault(f"no-{types[0]}", message, limit=1, found=0, fix=fix)


def _untold(entry: Entry) -> str:
    return "type" if entry.card.get("type") is UNKNOWN else "split"


def _known_in_words() -> str:
    return "Every card is known to the catalogue; a card that is not cannot be checked."


_WHERE_CARDS_LIE = (*ZONES, "pool")


@check("known_cards", says=_known_in_words)
def known_cards(deck: Deck, rule: Rule) -> Iterator[Finding]:
    """Every line names one card of a catalogue; one that does not could be any card, a banned one too."""
    unknown = [
        entry
        for zone in _WHERE_CARDS_LIE
        for entry in deck.zone(zone)
        if not entry.card.in_catalogue or MAY_BE in entry.card.attributes
    ]
    if not unknown:
        return
    if strange := [entry for entry in unknown if not entry.card.in_catalogue]:
        yield _not_in_catalogue(rule, strange)
    if unclear := [entry for entry in unknown if entry.card.in_catalogue]:
        yield _several_cards(rule, unclear)


def _not_in_catalogue(rule: Rule, strange: list[Entry]) -> Finding:
    names = [entry.card.name for entry in strange]
    absent = f"{join_list(names)} {choose_plural(names, 'is', 'are')} not in the catalogue"
    message = f"{absent}: the list cannot be checked in full."
    facts = [missing_fact(entry, "the card") for entry in strange]
    return rule.unknown("card-not-in-catalogue", message, facts, entries=strange)


def _several_cards(rule: Rule, unclear: list[Entry]) -> Finding:
    message = f"Several cards fit {join_list(entry.card.name for entry in unclear)}. Write set and number."
    facts = [missing_fact(entry, "which card it is") for entry in unclear]
    return rule.unknown("card-ambiguous", message, facts, entries=unclear)


def _readable_in_words() -> str:
    return "Every line can be read; its quantity is a positive whole number."


@check("readable_lines", says=_readable_in_words)
def readable_lines(deck: Deck, rule: Rule) -> Iterator[Finding]:
    """Every line was read and has a whole quantity; a line of zero copies is pointed out."""
    unread = deck.options.get("unread")
    if unread and isinstance(unread, list | tuple):
        yield _unread(rule, [line for line in unread if isinstance(line, Mapping)])
    if deck.every_line_counts:
        return
    entries = (*deck.main, *deck.sideboard, *deck.pregame)
    odd = [entry for entry in entries if type(entry.qty) is not int or entry.qty < 0]
    if odd:
        names = join_list(entry.card.name for entry in odd)
        what = choose_plural([e.card.name for e in odd], "quantity", "quantities")
        message = f"The {what} of {names} must be told in whole numbers of one or more."
        facts = [missing_fact(entry, "quantity") for entry in odd]
        yield rule.unknown("quantity-not-positive", message, facts, entries=odd)
    none = [entry for entry in entries if type(entry.qty) is int and entry.qty == 0]
    if none:
        message = (
            f"The list gives 0 copies of {join_list(e.card.name for e in none)}: the line counts for nothing."
        )
        yield rule.warning("quantity-zero", message, entries=none)


def _unread(rule: Rule, lines: list[Mapping[str, object]]) -> Finding:
    numbers = tuple(number for line in lines if isinstance(number := line.get("line"), int))
    why = " ".join(str(line.get("why", "")) for line in lines)
    facts = [MissingFact(f"line {line.get('line', '?')}") for line in lines]
    finding = rule.unknown("line-not-read", f"Part of the list could not be read. {why}", facts)
    return finding._replace(lines=numbers)


def _zones_in_words() -> str:
    return "Cards lie only in the parts of a list that the game has."


@check("only_zones", says=_zones_in_words)
def only_zones(deck: Deck, rule: Rule) -> Iterator[Finding]:
    """Cards lie only in zones that the game has; elsewhere it is not known what they are there for."""
    for zone in ZONES:
        entries = deck.zone(zone)
        if not entries or zone in rule.setting.zones or zone in rule.setting.sizes:
            continue
        place = f"{ZONE_WORDS[zone]}, which {rule.format_name} does not have"
        message = f"{pluralize(deck.size(zone))} listed under {place}."
        yield rule.unknown("zone-not-in-game", message, [MissingFact(f"what {zone} means")], entries=entries)
