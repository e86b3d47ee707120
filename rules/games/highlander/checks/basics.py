"""Checks of basic attacks and blocks, and of Crystals that replace them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from rules.checks import check, demand
from rules.deck import Deck
from rules.finding import Change, Finding, Fix, build_fix
from rules.fixes import set_option
from rules.games.highlander.card_view import SLOT_WORDS, CardView
from rules.games.highlander.deck_view import DeckView, ViewedEntry, view_deck
from rules.games.highlander.finding_helpers import (
    count_copies,
    get_entries,
    get_names,
    missing_facts,
    remove_entries,
)
from rules.names import normalize_name
from rules.reason import Reason, reason
from rules.rule import Rule, missing_fact


def _basics_says(*, slots: tuple[str, ...], noun: str) -> Reason:
    return demand("highlander.basics", slots=_slots(slots), noun=noun)


def _slots(slots: Iterable[str]) -> tuple[str, ...]:
    return tuple(SLOT_WORDS[slot] for slot in slots)


@check("highlander.basics", says=_basics_says)
def basics(deck: Deck, rule: Rule, *, slots: tuple[str, ...], noun: str) -> Iterator[Finding]:
    """Require a card for each slot.

    The card that a Crystal names fills the slot that it was given. A basic card that stands for another slot
    leaves its own.
    """
    deck_view = view_deck(deck, rule)
    swaps = get_declared_swaps(deck_view)
    if not swaps and deck_view.tally.slots.issuperset(slots):
        return
    slot_counts = _count_slots(deck_view, swaps)
    lacking = [slot for slot in slots if slot_counts[slot] < 1]
    if not lacking:
        return
    missing_slots = _slots(lacking)
    strange = [each for each in deck_view.tally.unknown_cards if not each[1].basic]
    if len(lacking) <= len(strange):
        facts, names = missing_facts(strange, "the-card"), get_names(strange)
        yield rule.unknown(
            "basic-unknown", facts, entries=get_entries(strange), slots=missing_slots, cards=names
        )
        return
    steps = tuple(Change("add", "main", 1, None, {"basic": slot}) for slot in lacking)
    fix, basic_count = build_fix("add", steps, cards=missing_slots), len(slots) - len(lacking)
    yield rule.fault(
        "basic-missing", limit=len(slots), found=basic_count, fix=fix, slots=missing_slots, noun=noun
    )


def _count_slots(deck_view: DeckView, swaps: list[CrystalSwap]) -> Counter[str]:
    """Return how many cards fill each slot, each card one."""
    slot_counts: Counter[str] = Counter()
    for entry, view in deck_view.main:
        slot_counts[view.basic] += entry.qty
    for swap in swaps:
        if swap.fills and swap.viewed_entry:
            slot_counts[swap.viewed_entry[1].basic] -= 1
            slot_counts[swap.slot] += 1
    return slot_counts


# Cards that a Crystal allows (l.160): defenses, and attacks that are not special. Gold grids are those of
# Special Attacks (l.102), and Ranged Attacks have one (l.423).
DEFENSES = frozenset({"block", "dodge", "guard", "basic block", "defense", "defence"})

ATTACKS = frozenset({"attack", "basic attack", "martial arts", "dirty trick"})

SPECIAL_ATTACKS = frozenset({"special attack", "ranged attack", "special", "ranged"})

GOLD = "gold"


@dataclass(frozen=True, slots=True)
class CrystalSwap:
    """One declared exchange.

    Holds the slot given away, the card that represents it, and what is wrong with it. `fills` tells whether
    the slot counts as filled: a swap too many is a fault of its own and leaves no gap, but a card that may
    not replace it, or is not there, does. `open_fact` names a fact that is not known.
    """

    slot: str
    viewed_entry: ViewedEntry | None
    crystal: str | None
    fills: bool
    fault: Reason | None
    open_fact: str | None = None


def get_declared_swaps(deck_view: DeckView) -> list[CrystalSwap]:
    """Return the swaps that the list declares, in order."""
    declared_option = deck_view.deck.options.get("substitutions")
    if not isinstance(declared_option, list | tuple):
        return []
    used_copies: dict[str, int] = {}
    return [
        _swap(deck_view, record, used_copies) for record in declared_option if isinstance(record, Mapping)
    ]


def _swap(deck_view: DeckView, record: Mapping[str, object], used_copies: dict[str, int]) -> CrystalSwap:
    slot = str(record.get("for", "")).strip().upper()
    crystal = record.get("crystal")
    crystal_name = crystal if isinstance(crystal, str) else None
    viewed_entry = _find(deck_view, str(record.get("with", "")))
    if slot not in SLOT_WORDS:
        return CrystalSwap(
            slot, viewed_entry, crystal_name, False, reason("no-basic-slot", slot=slot or None)
        )
    if viewed_entry is None or _is_used_up(viewed_entry, used_copies):
        absent = reason("not-there-to-swap", card=str(record.get("with")))
        return CrystalSwap(slot, viewed_entry, crystal_name, False, absent)
    can_swap = can_stand_in(viewed_entry[1])
    name = viewed_entry[0].card.name
    if can_swap is None:
        return CrystalSwap(slot, viewed_entry, crystal_name, True, None, "type")
    if not can_swap:
        return CrystalSwap(slot, viewed_entry, crystal_name, False, reason("not-fit-to-swap", card=name))
    return CrystalSwap(slot, viewed_entry, crystal_name, True, None)


def _is_used_up(viewed_entry: ViewedEntry, used_copies: dict[str, int]) -> bool:
    """Return whether all copies of the card already stand for other slots.

    If not, one more copy now does.
    """
    key = viewed_entry[0].card.key
    used_copies[key] = used_copies.get(key, 0) + 1
    return used_copies[key] > viewed_entry[0].qty


def _find(deck_view: DeckView, written_name: str) -> ViewedEntry | None:
    """Return the card of the endurance that is meant, by key or name."""
    by_key = next((each for each in deck_view.main if each[0].card.key == written_name), None)
    plain = normalize_name(written_name)
    return by_key or next(
        (each for each in deck_view.main if normalize_name(each[0].card.name) == plain), None
    )


def can_stand_in(view: CardView) -> bool | None:
    """Return whether a card is a defense or an attack that is not special.

    None while its type is not known.
    """
    if view.kinds is None:
        return None
    is_special = not view.kinds.isdisjoint(SPECIAL_ATTACKS) or GOLD in (view.grid or "").split()
    return not is_special and not view.kinds.isdisjoint(DEFENSES | ATTACKS)


@check("highlander.swaps")
def crystal_swaps(deck: Deck, rule: Rule) -> Iterator[Finding]:
    """Refuse more swaps than Crystals, and swaps that are not valid.

    A swap is not valid if it is for no basic slot or its card does not fit or is absent.
    """
    if not deck.options.get("substitutions"):
        return
    deck_view = view_deck(deck, rule)
    swaps = get_declared_swaps(deck_view)
    faults = [_describe_fault(swap, swap.fault) for swap in swaps if swap.fault]
    faults += _without_crystal(deck_view, swaps)
    if faults:
        swapped_entries = [swap.viewed_entry[0] for swap in swaps if swap.viewed_entry]
        fix = _without_swaps(deck_view, swaps)
        crystals = count_copies(deck_view.crystals)
        yield rule.fault(
            "swap-not-allowed",
            entries=swapped_entries,
            limit=crystals,
            found=len(swaps),
            fix=fix,
            faults=tuple(faults),
        )
        return
    open_swaps = [swap.viewed_entry[0] for swap in swaps if swap.open_fact and swap.viewed_entry]
    if open_swaps:
        facts = [missing_fact(entry, "type") for entry in open_swaps]
        yield rule.unknown("swap-unknown", facts, entries=open_swaps)


def _without_swaps(deck_view: DeckView, swaps: list[CrystalSwap]) -> Fix:
    """Give the swaps up and put the basics back that they stood for."""
    lacking = [s.slot for s in swaps if s.slot in SLOT_WORDS and s.slot not in deck_view.tally.slots]
    back = tuple(Change("add", "main", 1, None, {"basic": slot}) for slot in dict.fromkeys(lacking))
    given_up = set_option("declare-no-swap", {"substitutions": []})
    return given_up.then("add", back, cards=_slots(lacking)) if lacking else given_up


def _describe_fault(swap: CrystalSwap, fault: Reason) -> Reason:
    return reason("swap-fault", slot=SLOT_WORDS.get(swap.slot, swap.slot), fault=fault)


def _without_crystal(deck_view: DeckView, swaps: list[CrystalSwap]) -> list[Reason]:
    """List the swaps that lack a Crystal.

    No Crystal is left for them, or their Crystal is already used or is absent.
    """
    counts_left: dict[str, int] = {}
    for entry, _ in deck_view.crystals:
        for key in {normalize_name(entry.card.key), normalize_name(entry.card.name)}:
            counts_left[key] = counts_left.get(key, 0) + entry.qty
    crystals = count_copies(deck_view.crystals) + count_copies(deck_view.untyped_cards)
    problems = []
    for number, swap in enumerate(swaps, 1):
        crystal_name = normalize_name(swap.crystal) if swap.crystal else None
        if number > crystals or (
            crystal_name is not None and counts_left.get(crystal_name, 0) < 1 and not deck_view.untyped_cards
        ):
            problems.append(_describe_fault(swap, reason("no-crystal-left", crystals=crystals)))
        elif crystal_name is not None:
            counts_left[crystal_name] = counts_left.get(crystal_name, 0) - 1
    return problems


@check("highlander.unique_crystals")
def unique_crystals(deck: Deck, rule: Rule) -> Iterator[Finding]:
    """Refuse a second copy of a Crystal."""
    deck_view = view_deck(deck, rule)
    if not deck_view.crystals:
        return
    kinds: dict[tuple[str, str | None], list[int]] = {}
    for place, (_, view) in enumerate(deck_view.crystals):
        kinds.setdefault((view.title, view.text), []).append(place)
    for places in kinds.values():
        viewed_entries = [deck_view.crystals[place] for place in places]
        number = count_copies(viewed_entries)
        if number > 1:
            fix = remove_entries(rule, deck, "pregame", viewed_entries, number - 1)
            yield rule.fault(
                "crystal-doubled",
                entries=get_entries(viewed_entries),
                limit=1,
                found=number,
                fix=fix,
                cards=get_names(viewed_entries),
            )
        elif viewed_entries[0][1].text is None and len(deck_view.crystals) > 1:
            yield from _doubtful(rule, deck_view, viewed_entries[0][1].title)


def _doubtful(rule: Rule, deck_view: DeckView, title: str) -> Iterator[Finding]:
    alike = [each for each in deck_view.crystals if each[1].title == title]
    if len(alike) > 1:
        open_entries = [each for each in alike if each[1].text is None]
        facts, names = missing_facts(open_entries, "text"), get_names(alike)
        yield rule.unknown("crystals-unknown", facts, entries=get_entries(alike), cards=names)
