"""Check that a limited deck uses only cards of its pool."""

from __future__ import annotations

from collections.abc import Iterator

from rules.checks import check
from rules.deck import Deck, Entry
from rules.finding import Finding
from rules.fixes import Removal, remove_cards
from rules.names import normalize_name
from rules.reason import reason
from rules.rule import Rule, missing_fact
from rules.text import display_name, display_names


@check("within_pool")
def within_pool(
    deck: Deck, rule: Rule, *, zones: tuple[str, ...] = ("main", "sideboard")
) -> Iterator[Finding]:
    """Refuse more copies than the recorded pool holds.

    A pool that is not recorded is pointed out.
    """
    if deck.pool is None:
        yield rule.warning("pool-not-recorded")
    elif is_pool_recorded(deck):
        yield from compare_with_pool(deck, rule, zones, "not-in-pool")


def compare_with_pool(deck: Deck, rule: Rule, zones: tuple[str, ...], key: str) -> Iterator[Finding]:
    """Report the cards that are in the zones more often than in the pool.

    The report uses the words of a message. A card without a version is unknown only if the pool holds a card
    of its name that it could be.
    """
    beyond, open_cards = _beyond(deck, rule, zones, _count_pool(deck, rule))
    if beyond:
        yield _too_many(deck, rule, beyond, key)
    if open_cards:
        facts = [
            missing_fact(e, f)
            for e in open_cards
            for f in rule.lists.identity(e.card).missing_facts or _missing_version(rule, e)
        ]
        yield rule.unknown("pool-unknown", facts, entries=open_cards, cards=display_names(open_cards))


def _missing_version(rule: Rule, entry: Entry) -> tuple[str, ...]:
    return ("version",) if rule.lists.is_printing_known(entry.card) else ("variant",)


def is_pool_recorded(deck: Deck) -> bool:
    """Return whether the pool of a deck was recorded.

    A pool that is what the registered lists hold does not count as recorded.
    """
    return deck.options.get("pool_recorded") is not False


Opened = dict[object, int]


def _places(rule: Rule, entry: Entry) -> tuple[object, object]:
    """Return the card of an entry and the name of which it may be any version.

    The card is identified as closely as it is known.
    """
    name, version = rule.lists.identify_printing(entry.card)
    return (name, version), (name, "any version")


def _is_told(rule: Rule, entry: Entry) -> bool:
    """Return whether the card of an entry is known.

    Where a list distinguishes printings, its printing must be known too.
    """
    return rule.lists.identity(entry.card).exact is not None and rule.lists.is_printing_known(entry.card)


def _count_pool(deck: Deck, rule: Rule) -> Opened:
    """Count each card of the pool, and those of each family without a known version."""
    opened_copies: Opened = {}
    for entry in deck.zone("pool"):
        exact, family = _places(rule, entry)
        opened_copies[exact] = opened_copies.get(exact, 0) + entry.qty
        if not _is_told(rule, entry):
            opened_copies[family] = opened_copies.get(family, 0) + entry.qty
    return opened_copies


def _beyond(
    deck: Deck, rule: Rule, zones: tuple[str, ...], opened_copies: Opened
) -> tuple[list[Removal], list[Entry]]:
    """Return what the list holds beyond the pool, and what could be in it.

    Copies go to the main deck first.
    """
    open_counts = dict(opened_copies)
    beyond: list[Removal] = []
    open_cards: list[Entry] = []
    for zone, entry in deck.entries(zones):
        exact, family = _places(rule, entry)
        extra = entry.qty - max(0, open_counts.get(exact, 0))
        open_counts[exact] = open_counts.get(exact, 0) - entry.qty
        if extra > 0 and _could_be(rule, entry, open_counts, family, extra):
            open_cards.append(entry)
        elif extra > 0:
            beyond.append((zone, entry, extra))
    return beyond, open_cards


def _could_be(rule: Rule, entry: Entry, open_counts: Opened, family: object, extra: int) -> bool:
    """Return whether so many cards of the pool could be this one.

    This applies if either is not fully known.
    """
    if open_counts.get(family, 0) >= extra or not entry.card.in_catalogue:
        return True
    if _is_told(rule, entry):
        return False
    name = normalize_name(entry.card.name)
    kin = [qty for place, qty in open_counts.items() if isinstance(place, tuple) and place[0] == name]
    return max(kin, default=0) >= extra


def _too_many(deck: Deck, rule: Rule, beyond: list[Removal], key: str) -> Finding:
    entries = [entry for _, entry, _ in beyond]
    cards = tuple(reason("quantity", qty=qty, card=display_name(entry.card)) for _, entry, qty in beyond)
    total = sum(qty for _, _, qty in beyond)
    fix = remove_cards(rule, deck, beyond)
    return rule.fault(key, entries=entries, limit=0, found=total, fix=fix, cards=cards)
