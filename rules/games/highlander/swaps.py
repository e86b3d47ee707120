"""What Crystals put in the place of basic attacks and blocks, as the list declares it (HL-L13)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from rules.names import normal

from .table import Seat, Table
from .view import SLOT_WORDS, View

DEFENSES = frozenset({"block", "dodge", "guard", "basic block", "parry"})
ATTACKS = frozenset({"attack", "basic attack", "ranged attack", "martial arts", "dirty trick"})
SPECIAL = "special attack"


class Swap(NamedTuple):
    """One declared exchange: the slot given away, the card that stands for it, and what is wrong with it.

    `fills` tells whether the slot counts as filled: a swap too many is a fault of its own and leaves no gap,
    but a card that may not stand in, or is not there, does. `open_fact` names a fact that is not known.
    """

    slot: str
    seat: Seat | None
    crystal: str | None
    fills: bool
    fault: str | None
    open_fact: str | None = None


def swaps(laid: Table) -> list[Swap]:
    """The swaps that the list declares, in order."""
    declared = laid.deck.options.get("substitutions")
    if not isinstance(declared, list | tuple):
        return []
    used: dict[str, int] = {}
    return [_swap(laid, record, used) for record in declared if isinstance(record, Mapping)]


def _swap(laid: Table, record: Mapping[str, object], used: dict[str, int]) -> Swap:
    slot = str(record.get("for", "")).strip().upper()
    crystal = record.get("crystal")
    named = crystal if isinstance(crystal, str) else None
    seat = _find(laid, str(record.get("with", "")))
    if slot not in SLOT_WORDS:
        return Swap(slot, seat, named, False, f"{slot or 'an unnamed slot'} is no basic attack or block")
    if seat is None or _taken(seat, used):
        return Swap(slot, seat, named, False, f"{record.get('with')} is not there to stand for it")
    allowed = may_stand_in(seat[1])
    name = seat[0].card.name
    if allowed is None:
        return Swap(slot, seat, named, True, None, "type")
    if not allowed:
        return Swap(slot, seat, named, False, f"{name} is neither a defense nor an ordinary attack")
    return Swap(slot, seat, named, True, None)


def _taken(seat: Seat, used: dict[str, int]) -> bool:
    """Whether all copies of the card stand for other slots already; if not, one more does now."""
    key = seat[0].card.key
    used[key] = used.get(key, 0) + 1
    return used[key] > seat[0].qty


def _find(laid: Table, written: str) -> Seat | None:
    """The card of the endurance that is meant, by key or name."""
    by_key = next((seat for seat in laid.main if seat[0].card.key == written), None)
    plain = normal(written)
    return by_key or next((seat for seat in laid.main if normal(seat[0].card.name) == plain), None)


def may_stand_in(view: View) -> bool | None:
    """Whether a card is a defense or an attack that is not special; None while its type is not known."""
    if view.kinds is None:
        return None
    return SPECIAL not in view.kinds and not view.kinds.isdisjoint(DEFENSES | ATTACKS)
