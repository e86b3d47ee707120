"""Checks of basic attacks and blocks, and of Crystals that replace them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from rules.checks import check
from rules.deck import Deck
from rules.finding import Change, Finding, Fix
from rules.games.highlander.card_view import SLOT_WORDS, CardView
from rules.games.highlander.deck_view import DeckView, ViewedEntry, view_deck
from rules.games.highlander.finding_helpers import (
    count_copies,
    get_entries,
    join_names,
    missing_facts,
    remove_entries,
    set_option,
)
from rules.names import normalize_name
from rules.rule import Rule, missing_fact
from rules.text import join_list, pluralize


def _basics_in_words(*, slots: tuple[str, ...], noun: str) -> str:
    return f"The deck holds at least one of each: {join_list(SLOT_WORDS[slot] for slot in slots)}."


@check("highlander.basics", says=_basics_in_words)
def basics(deck: Deck, rule: Rule, *, slots: tuple[str, ...], noun: str) -> Iterator[Finding]:
    """At least one card for each slot; a slot given away to a Crystal is filled by the card it names."""
    laid = view_deck(deck, rule.lists)
    filled = laid.tally.slots
    if filled.issuperset(slots):
        return
    given_away = get_declared_swaps(laid)
    filled = filled | {swap.slot for swap in given_away if swap.fills}
    lacking = [slot for slot in slots if slot not in filled]
    if not lacking:
        return
    names = join_list(SLOT_WORDS[slot] for slot in lacking)
    message = f"The deck has no {names}; each of the {len(slots)} {noun} is needed."
    steps = tuple(Change("add", "main", 1, None, {"basic": slot}) for slot in lacking)
    fix = Fix(f"Add {names}.", steps)
    yield rule.fault("basic-missing", message, limit=len(slots), found=len(slots) - len(lacking), fix=fix)


DEFENSES = frozenset({"block", "dodge", "guard", "basic block", "parry"})

ATTACKS = frozenset({"attack", "basic attack", "ranged attack", "martial arts", "dirty trick"})

SPECIAL = "special attack"


class CrystalSwap(NamedTuple):
    """One declared exchange: the slot given away, the card that stands for it, and what is wrong with it.

    `fills` tells whether the slot counts as filled: a swap too many is a fault of its own and leaves no gap,
    but a card that may not stand in, or is not there, does. `open_fact` names a fact that is not known.
    """

    slot: str
    seat: ViewedEntry | None
    crystal: str | None
    fills: bool
    fault: str | None
    open_fact: str | None = None


def get_declared_swaps(laid: DeckView) -> list[CrystalSwap]:
    """The swaps that the list declares, in order."""
    declared = laid.deck.options.get("substitutions")
    if not isinstance(declared, list | tuple):
        return []
    used: dict[str, int] = {}
    return [_swap(laid, record, used) for record in declared if isinstance(record, Mapping)]


def _swap(laid: DeckView, record: Mapping[str, object], used: dict[str, int]) -> CrystalSwap:
    slot = str(record.get("for", "")).strip().upper()
    crystal = record.get("crystal")
    named = crystal if isinstance(crystal, str) else None
    seat = _find(laid, str(record.get("with", "")))
    if slot not in SLOT_WORDS:
        return CrystalSwap(
            slot, seat, named, False, f"{slot or 'an unnamed slot'} is no basic attack or block"
        )
    if seat is None or _taken(seat, used):
        return CrystalSwap(slot, seat, named, False, f"{record.get('with')} is not there to stand for it")
    allowed = can_stand_in(seat[1])
    name = seat[0].card.name
    if allowed is None:
        return CrystalSwap(slot, seat, named, True, None, "type")
    if not allowed:
        return CrystalSwap(slot, seat, named, False, f"{name} is neither a defense nor an ordinary attack")
    return CrystalSwap(slot, seat, named, True, None)


def _taken(seat: ViewedEntry, used: dict[str, int]) -> bool:
    """Whether all copies of the card stand for other slots already; if not, one more does now."""
    key = seat[0].card.key
    used[key] = used.get(key, 0) + 1
    return used[key] > seat[0].qty


def _find(laid: DeckView, written: str) -> ViewedEntry | None:
    """The card of the endurance that is meant, by key or name."""
    by_key = next((seat for seat in laid.main if seat[0].card.key == written), None)
    plain = normalize_name(written)
    return by_key or next((seat for seat in laid.main if normalize_name(seat[0].card.name) == plain), None)


def can_stand_in(view: CardView) -> bool | None:
    """Whether a card is a defense or an attack that is not special; None while its type is not known."""
    if view.kinds is None:
        return None
    return SPECIAL not in view.kinds and not view.kinds.isdisjoint(DEFENSES | ATTACKS)


@check(
    "highlander.swaps", says=lambda: "Each Crystal puts one defense or ordinary attack in a basic's place."
)
def crystal_swaps(deck: Deck, rule: Rule) -> Iterator[Finding]:
    """No more swaps than Crystals, each for a basic slot, with a fitting card that lies in the deck."""
    if not deck.options.get("substitutions"):
        return
    laid = view_deck(deck, rule.lists)
    made = get_declared_swaps(laid)
    faults = [_described(swap, swap.fault) for swap in made if swap.fault]
    faults += _without_crystal(laid, made)
    if faults:
        message = f"Not every swap holds: {'; '.join(faults)}."
        held = [swap.seat[0] for swap in made if swap.seat]
        fix = _without_swaps(laid, made)
        crystals = count_copies(laid.crystals)
        yield rule.fault("swap-not-allowed", message, entries=held, limit=crystals, found=len(made), fix=fix)
        return
    open_swaps = [swap.seat[0] for swap in made if swap.open_fact and swap.seat]
    if open_swaps:
        message = "Whether a swapped-in card is a defense or an ordinary attack is not known."
        facts = [missing_fact(entry, "type") for entry in open_swaps]
        yield rule.unknown("swap-unknown", message, facts, entries=open_swaps)


def _without_swaps(laid: DeckView, made: list[CrystalSwap]) -> Fix:
    """Give the swaps up and put the basics back that they stood for."""
    lacking = [s.slot for s in made if s.slot in SLOT_WORDS and s.slot not in laid.tally.slots]
    back = tuple(Change("add", "main", 1, None, {"basic": slot}) for slot in dict.fromkeys(lacking))
    given_up = set_option("Declare no swap.", {"substitutions": []})
    said = join_list(SLOT_WORDS[slot] for slot in lacking)
    sentence = f"{given_up.sentence} Add {said}." if said else given_up.sentence
    return Fix(sentence, (*given_up.changes, *back))


def _described(swap: CrystalSwap, fault: str) -> str:
    return f"{SLOT_WORDS.get(swap.slot, swap.slot)}: {fault}"


def _without_crystal(laid: DeckView, made: list[CrystalSwap]) -> list[str]:
    """Swaps beyond the Crystals at hand, or with one that is used already or is not there."""
    left: dict[str, int] = {}
    for entry, _ in laid.crystals:
        for key in {normalize_name(entry.card.key), normalize_name(entry.card.name)}:
            left[key] = left.get(key, 0) + entry.qty
    crystals = count_copies(laid.crystals) + count_copies(laid.untyped)
    problems = []
    for number, swap in enumerate(made, 1):
        named = normalize_name(swap.crystal) if swap.crystal else None
        if number > crystals or (named is not None and left.get(named, 0) < 1 and not laid.untyped):
            problems.append(_described(swap, f"no Crystal is left for it ({pluralize(crystals, 'Crystal')})"))
        elif named is not None:
            left[named] = left.get(named, 0) - 1
    return problems


@check("highlander.unique_crystals", says=lambda: "One of each Crystal.")
def unique_crystals(deck: Deck, rule: Rule) -> Iterator[Finding]:
    """No Crystal twice."""
    laid = view_deck(deck, rule.lists)
    if not laid.crystals:
        return
    kinds: dict[tuple[str, str | None], list[int]] = {}
    for place, (_, view) in enumerate(laid.crystals):
        kinds.setdefault((view.title, view.text), []).append(place)
    for places in kinds.values():
        seats = [laid.crystals[place] for place in places]
        number = count_copies(seats)
        if number > 1:
            message = (
                f"{join_names(seats)} is among the pre-game cards {number} times; one of each "
                "Crystal is allowed."
            )
            fix = remove_entries(rule, deck, "pregame", seats, number - 1)
            yield rule.fault(
                "crystal-doubled", message, entries=get_entries(seats), limit=1, found=number, fix=fix
            )
        elif seats[0][1].text is None and len(laid.crystals) > 1:
            yield from _doubtful(rule, laid, seats[0][1].title)


def _doubtful(rule: Rule, laid: DeckView, title: str) -> Iterator[Finding]:
    alike = [seat for seat in laid.crystals if seat[1].title == title]
    if len(alike) > 1:
        open_seats = [seat for seat in alike if seat[1].text is None]
        message = f"Whether two Crystals called {join_names(alike)} are one card is not known."
        yield rule.unknown(
            "crystals-unknown", message, missing_facts(open_seats, "text"), entries=get_entries(alike)
        )
