"""Who may include a card: its persona, weapon or faction, and what lets others in (HL-L20 to L25, L61)."""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum

from .table import Table
from .view import View

# Kinds of allowance that open every kind of card that an allowance can open at all.
ANY = frozenset({"any", "all", "generic"})


class Access(Enum):
    """How a card comes into a deck."""

    OWN = "own"
    """Generic, or the persona, faction or weapon is there."""
    ADMITTED = "admitted"
    """Let in by an allowance card, a Quickening or another pre-game card."""
    OPEN = "open"
    """Not known."""
    NONE = "none"
    """Neither its own nor let in."""


def access(laid: Table, view: View) -> Access:
    """How a card comes into this deck."""
    if view.owner is None:
        return Access.OPEN
    if view.owner == "" or is_own(laid, view):
        return Access.OWN
    if view.owner_kind == "faction":
        return _faction(laid, view)
    if view.owner_kind is not None:
        return _admitted(laid, view, "weapon" if view.owner_kind == "weapon" else "persona")
    either = {_admitted(laid, view, "weapon"), _admitted(laid, view, "persona"), _faction(laid, view)}
    return either.pop() if len(either) == 1 else Access.OPEN


def is_own(laid: Table, view: View) -> bool:
    """Whether a persona, faction or weapon in play is the owner of a card."""
    owner = view.owner
    return owner in laid.persona_names or owner in laid.factions or owner in laid.weapon_names


def _faction(laid: Table, view: View) -> Access:
    """Faction cards are for members, unless a text names the faction itself."""
    if _names_owner(laid, view):
        return Access.ADMITTED
    return Access.OPEN if laid.untyped and not laid.personas else Access.NONE


def _names_owner(laid: Table, view: View) -> bool:
    return any(other.admits and view.owner in other.admits for _, other in laid.pregame)


def _admitted(laid: Table, view: View, kind: str) -> Access:
    """By an allowance card or by a card that names the owner; only a card without a mark can be let in."""
    if laid.untyped and not (laid.weapons if kind == "weapon" else laid.personas):
        return Access.OPEN
    if view.mark in ("R", "S"):
        return Access.NONE
    certain = _names_owner(laid, view) or any(_opens(seat, kind) for seat in _allowances(laid, view))
    if certain:
        return Access.OPEN if view.mark is None else Access.ADMITTED
    maybe = any(other.admits is None for _, other in laid.pregame)
    maybe = maybe or any(other.allowance is None for other in laid.allowing)
    return Access.OPEN if maybe else Access.NONE


def _opens(allowing: View, kind: str) -> bool:
    return bool(allowing.allowance and (kind in allowing.allowance or allowing.allowance & ANY))


def _allowances(laid: Table, view: View) -> Iterator[View]:
    """The allowance cards of the deck that are rightly there; a card cannot let itself in."""
    for other in laid.allowing:
        if other is not view and other.allowance and (other.owner == "" or is_own(laid, other)):
            yield other


def opened_by_allowance(laid: Table, view: View, group: str) -> bool | None:
    """Whether an allowance card lets the cards of a group in (Watcher, Hunter); None while that is open."""
    cards = laid.allowing
    if any(other.allowance and group in other.allowance for other in cards):
        return True
    return None if any(other.allowance is None for other in cards) else False
