"""Checks of card types, unknown cards and unreadable lines."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from rules.checks import check, demand
from rules.deck import UNKNOWN, ZONES, CardFacts, Deck, Entry
from rules.finding import DeferredFix, Finding, Fix, MissingFact
from rules.fixes import (
    Removal,
    add_of_type,
    move_cards,
    pick_surplus_cards,
    remove_cards,
    swap_in_from_sideboard,
)
from rules.reason import Reason, plain_reason, reason
from rules.rule import Rule, missing_fact
from rules.text import card_names, zone_reasons


def has_type(card: CardFacts, types: Iterable[str], *, halves: bool = False) -> bool | None:
    """Return whether a card is of one of the types; None while that is not known.

    With `halves`, the halves of a split card count too, and must be known before the answer is no.
    """
    kind = card.get("type")
    if isinstance(kind, str) and kind.casefold() in types:
        return True
    split = card.get("split") if halves else None
    if isinstance(split, list | tuple) and any(str(half).casefold() in types for half in split):
        return True
    return None if kind is UNKNOWN or split is UNKNOWN else False


@check("needs_type")
def needs_type(
    deck: Deck, rule: Rule, *, zone: str, types: tuple[str, ...], halves: bool = False
) -> Iterator[Finding]:
    """Require a card of one of the types in the zone.

    With `halves`, half of a split card is enough.
    """
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
        wanted_facts = {"type": types[0]}
        swap = swap_in_from_sideboard(
            rule, deck, lambda card: has_type(card, types, halves=halves), wanted_facts
        )
        fix = swap if swap and zone == "main" else add_of_type(rule, deck, zone, 1, types)
        yield _type_missing(rule, zone, types, fix)


def _type_unknown(rule: Rule, zone: str, types: tuple[str, ...], open_cards: list[Entry]) -> Finding:
    facts = [missing_fact(entry, _untold(entry)) for entry in open_cards]
    code, cards = f"{types[0]}-unknown", card_names(open_cards)
    return rule.unknown(
        "type-unknown", facts, code=code, entries=open_cards, zone=zone, types=types, cards=cards
    )


def _type_missing(rule: Rule, zone: str, types: tuple[str, ...], fix: Fix) -> Finding:
    code, name = f"no-{types[0]}", rule.format_name
    return rule.fault(
        "type-missing", code=code, limit=1, found=0, fix=fix, zone=zone, types=types, format=name
    )


def _untold(entry: Entry) -> str:
    return "type" if entry.card.get("type") is UNKNOWN else "split"


def _type_count_says(
    *, types: tuple[str, ...], zones: tuple[str, ...] = ("main",), min: int = 0, max: int | None = None
) -> Reason:
    places, together = zone_reasons(zones), len(zones) > 1
    if max is None:
        return demand("type_count.at-least", types=types, zones=places, together=together, min=min)
    if max == 0:
        return demand("type_count.none", types=types, zones=places)
    code = "type_count.exactly" if min == max else "type_count.between" if min else "type_count.at-most"
    return demand(code, types=types, zones=places, together=together, min=min, max=max)


def _range(*, types: tuple[str, ...], min: int = 0, max: int | None = None, **_: object) -> Iterator[Reason]:
    if not types:
        yield Reason("parameter-empty", {"parameter": "types"})
    if min <= 0 and max is None:
        yield Reason("no-range")
    if min < 0 or (max is not None and max < min):
        yield Reason("range-empty", {"min": min, "max": max})


@check("type_count", says=_type_count_says, contradictions=_range)
def type_count(
    deck: Deck,
    rule: Rule,
    *,
    types: tuple[str, ...],
    zones: tuple[str, ...] = ("main",),
    min: int = 0,
    max: int | None = None,
) -> Iterator[Finding]:
    """Require `min` to `max` cards of the types in all zones together."""
    placed_entries = [(zone, entry, has_type(entry.card, types)) for zone, entry in deck.entries(zones)]
    sure = [(zone, entry) for zone, entry, answer in placed_entries if answer]
    doubtful = [entry for _, entry, answer in placed_entries if answer is None]
    sure_count, open_qty = sum([e.qty for _, e in sure]), sum([e.qty for e in doubtful])
    if max is not None and sure_count > max:
        yield _too_many_of_type(deck, rule, types, sure, max)
    elif sure_count + open_qty < min:
        fix = DeferredFix(add_of_type, rule, deck, zones[0], min - sure_count, types)
        yield rule.fault("too-few-of-type", limit=min, found=sure_count, fix=fix, types=types)
    elif sure_count < min or (max is not None and sure_count + open_qty > max):
        facts = [missing_fact(entry, "type") for entry in doubtful]
        cards = card_names(doubtful)
        yield rule.unknown("count-of-type-unknown", facts, entries=doubtful, types=types, cards=cards)


def _too_many_of_type(
    deck: Deck, rule: Rule, types: tuple[str, ...], placed_entries: list[tuple[str, Entry]], most: int
) -> Finding:
    entries = [entry for _, entry in placed_entries]
    card_count = sum([entry.qty for entry in entries])
    fix = DeferredFix(_remove_surplus, deck, rule, placed_entries, card_count - most)
    return rule.fault("too-many-of-type", entries=entries, limit=most, found=card_count, fix=fix, types=types)


def _remove_surplus(deck: Deck, rule: Rule, placed_entries: list[tuple[str, Entry]], qty: int) -> Fix:
    return remove_cards(rule, deck, pick_surplus_cards(rule, deck, placed_entries, qty))


_WHERE_CARDS_LIE = (*ZONES, "pool")


@check("known_cards")
def known_cards(deck: Deck, rule: Rule) -> Iterator[Finding]:
    """Require a catalogue card on every line.

    A card that is not in the catalogue could be any card, including a banned one.
    """
    unknown = [entry for zone in _WHERE_CARDS_LIE for entry in deck.zone(zone) if not entry.card.is_known]
    if not unknown:
        return
    if strange := [entry for entry in unknown if not entry.card.in_catalogue]:
        yield _not_in_catalogue(rule, strange)
    if unclear := [entry for entry in unknown if entry.card.in_catalogue]:
        yield _several_cards(rule, unclear)


def _not_in_catalogue(rule: Rule, strange: list[Entry]) -> Finding:
    facts = [missing_fact(entry, "the-card") for entry in strange]
    return rule.unknown("card-not-in-catalogue", facts, entries=strange, cards=card_names(strange))


def _several_cards(rule: Rule, unclear: list[Entry]) -> Finding:
    facts = [missing_fact(entry, "which-card") for entry in unclear]
    return rule.unknown("card-ambiguous", facts, entries=unclear, cards=card_names(unclear))


@check("readable_lines")
def readable_lines(deck: Deck, rule: Rule) -> Iterator[Finding]:
    """Refuse lines that were not read or whose quantity is not a whole number.

    A line with zero copies is pointed out.
    """
    unread = deck.options.get("unread")
    if unread and isinstance(unread, list | tuple):
        yield _unread(rule, [line for line in unread if isinstance(line, Mapping)])
    if deck.every_line_counts:
        return
    entries = (*deck.main, *deck.sideboard, *deck.pregame)
    odd = [entry for entry in entries if type(entry.qty) is not int or entry.qty < 0]
    if odd:
        facts = [missing_fact(entry, "quantity") for entry in odd]
        yield rule.unknown("quantity-not-positive", facts, entries=odd, cards=card_names(odd))
    none = [entry for entry in entries if type(entry.qty) is int and entry.qty == 0]
    if none:
        yield rule.warning("quantity-zero", entries=none, cards=card_names(none))


def _unread(rule: Rule, lines: list[Mapping[str, object]]) -> Finding:
    numbers = tuple(number for line in lines if isinstance(number := line.get("line"), int))
    facts = [MissingFact("unread-line", detail=_line_number(line)) for line in lines]
    why = tuple(reason for line in lines for reason in _reasons_unread(line.get("why")))
    finding = rule.unknown("line-not-read", facts, why=why)
    return finding._replace(lines=numbers)


def _reasons_unread(why: object) -> tuple[Reason, ...]:
    """Return why a line was not read.

    The input is either reasons or a sentence from a caller of the rules.
    """
    if isinstance(why, tuple):
        return tuple(each for each in why if isinstance(each, Reason))
    return (plain_reason(str(why)),) if why else ()


def _line_number(line: Mapping[str, object]) -> int | str:
    number = line.get("line")
    return number if isinstance(number, int) else "?"


@check("only_zones")
def only_zones(deck: Deck, rule: Rule) -> Iterator[Finding]:
    """Refuse cards in zones that the game does not have.

    The purpose of such cards there is not known.
    """
    for zone in ZONES:
        entries = deck.zone(zone)
        if not entries or zone in rule.setting.zones or zone in rule.setting.sizes:
            continue
        size, facts = deck.size(zone), [MissingFact("use-of-zone", detail=zone)]
        yield rule.unknown(
            "zone-not-in-game", facts, entries=entries, size=size, zone=zone, format=rule.format_name
        )


@check("types_in_zones")
def types_in_zones(deck: Deck, rule: Rule) -> Iterator[Finding]:
    """Refuse cards in zones where their type does not belong.

    The data of the game determines which zones these are.
    """
    misplaced_entries: list[tuple[Removal, str]] = []
    open_cards: list[Entry] = []
    for zone in rule.setting.zones:
        for entry in deck.zone(zone):
            allowed_zones = rule.setting.zone_types.find_zones(entry.card.get("type"))
            if allowed_zones is None and entry.card.in_catalogue:
                open_cards.append(entry)
            elif allowed_zones and zone not in allowed_zones:
                misplaced_entries.append(
                    ((zone, entry, entry.qty), _choose_zone(rule.setting.zones, allowed_zones))
                )
    if misplaced_entries:
        yield _report_misplaced(rule, misplaced_entries)
    if open_cards:
        facts, names = [missing_fact(entry, "type") for entry in open_cards], card_names(open_cards)
        yield rule.unknown("zone-of-type-unknown", facts, entries=open_cards, cards=names)


def _choose_zone(zones: Iterable[str], allowed_zones: frozenset[str]) -> str:
    return next((zone for zone in zones if zone in allowed_zones), min(allowed_zones))


def _report_misplaced(rule: Rule, moves: list[tuple[Removal, str]]) -> Finding:
    entries = [entry for (_, entry, _), _ in moves]
    cards = tuple(
        reason(
            "card-in-wrong-zone", qty=qty, card=entry.card.name, type=str(entry.card.get("type")), zone=zone
        )
        for (zone, entry, qty), _ in moves
    )
    card_count = sum(entry.qty for entry in entries)
    return rule.fault(
        "type-in-wrong-zone", entries=entries, limit=0, found=card_count, fix=move_cards(moves), cards=cards
    )
