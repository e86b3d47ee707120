"""Crystals: one of each, and one swap for each (HL-L13, HL-L34)."""

from __future__ import annotations

from collections.abc import Iterator

from rules.checks import check
from rules.deck import Deck
from rules.finding import Change, Finding, Fix
from rules.names import normal
from rules.rule import Rule, missing_fact
from rules.words import count, listed

from ..mends import entries, missing, names, set_option, take_out, total
from ..swaps import Swap, swaps
from ..table import Table, table
from ..view import SLOT_WORDS


@check(
    "highlander.swaps", says=lambda: "Each Crystal puts one defense or ordinary attack in a basic's place."
)
def crystal_swaps(deck: Deck, rule: Rule) -> Iterator[Finding]:
    """No more swaps than Crystals, each for a basic slot, with a fitting card that lies in the deck."""
    if not deck.options.get("substitutions"):
        return
    laid = table(deck, rule.lists)
    made = swaps(laid)
    faults = [_described(swap, swap.fault) for swap in made if swap.fault]
    faults += _without_crystal(laid, made)
    if faults:
        message = f"Not every swap holds: {'; '.join(faults)}."
        held = [swap.seat[0] for swap in made if swap.seat]
        fix = _without_swaps(laid, made)
        crystals = total(laid.crystals)
        yield rule.fault("swap-not-allowed", message, entries=held, limit=crystals, found=len(made), fix=fix)
        return
    open_swaps = [swap.seat[0] for swap in made if swap.open_fact and swap.seat]
    if open_swaps:
        message = "Whether a swapped-in card is a defense or an ordinary attack is not known."
        facts = [missing_fact(entry, "type") for entry in open_swaps]
        yield rule.unknown("swap-unknown", message, facts, entries=open_swaps)


def _without_swaps(laid: Table, made: list[Swap]) -> Fix:
    """Give the swaps up and put the basics back that they stood for."""
    lacking = [s.slot for s in made if s.slot in SLOT_WORDS and s.slot not in laid.tally.slots]
    back = tuple(Change("add", "main", 1, None, {"basic": slot}) for slot in dict.fromkeys(lacking))
    given_up = set_option("Declare no swap.", {"substitutions": []})
    said = listed(SLOT_WORDS[slot] for slot in lacking)
    sentence = f"{given_up.sentence} Add {said}." if said else given_up.sentence
    return Fix(sentence, (*given_up.changes, *back))


def _described(swap: Swap, fault: str) -> str:
    return f"{SLOT_WORDS.get(swap.slot, swap.slot)}: {fault}"


def _without_crystal(laid: Table, made: list[Swap]) -> list[str]:
    """Swaps beyond the Crystals at hand, or with one that is used already or is not there."""
    left: dict[str, int] = {}
    for entry, _ in laid.crystals:
        for key in {normal(entry.card.key), normal(entry.card.name)}:
            left[key] = left.get(key, 0) + entry.qty
    crystals = total(laid.crystals) + total(laid.untyped)
    problems = []
    for number, swap in enumerate(made, 1):
        named = normal(swap.crystal) if swap.crystal else None
        if number > crystals or (named is not None and left.get(named, 0) < 1 and not laid.untyped):
            problems.append(_described(swap, f"no Crystal is left for it ({count(crystals, 'Crystal')})"))
        elif named is not None:
            left[named] = left.get(named, 0) - 1
    return problems


@check("highlander.unique_crystals", says=lambda: "One of each Crystal.")
def unique_crystals(deck: Deck, rule: Rule) -> Iterator[Finding]:
    """No Crystal twice."""
    laid = table(deck, rule.lists)
    if not laid.crystals:
        return
    kinds: dict[tuple[str, str | None], list[int]] = {}
    for place, (_, view) in enumerate(laid.crystals):
        kinds.setdefault((view.title, view.text), []).append(place)
    for places in kinds.values():
        seats = [laid.crystals[place] for place in places]
        number = total(seats)
        if number > 1:
            message = (
                f"{names(seats)} is among the pre-game cards {number} times; one of each Crystal is allowed."
            )
            fix = take_out(rule, deck, "pregame", seats, number - 1)
            yield rule.fault(
                "crystal-doubled", message, entries=entries(seats), limit=1, found=number, fix=fix
            )
        elif seats[0][1].text is None and len(laid.crystals) > 1:
            yield from _doubtful(rule, laid, seats[0][1].title)


def _doubtful(rule: Rule, laid: Table, title: str) -> Iterator[Finding]:
    alike = [seat for seat in laid.crystals if seat[1].title == title]
    if len(alike) > 1:
        open_seats = [seat for seat in alike if seat[1].text is None]
        message = f"Whether two Crystals called {names(alike)} are one card is not known."
        yield rule.unknown("crystals-unknown", message, missing(open_seats, "text"), entries=entries(alike))
