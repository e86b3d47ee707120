"""Classify whether a deck may include a card (HL-L20 to L25, L61)."""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum

from rules.games.highlander.card_view import CardView
from rules.games.highlander.deck_view import DeckView

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


def classify_access(deck_view: DeckView, view: CardView) -> Access:
    """Return how a card comes into this deck."""
    if view.owner is None:
        return Access.OPEN
    if view.owner == "" or is_own_card(deck_view, view):
        return Access.OWN
    if view.owner_kind == "faction":
        return _faction(deck_view, view)
    if view.owner_kind is not None:
        return _admitted(deck_view, view, "weapon" if view.owner_kind == "weapon" else "persona")
    either = {
        _admitted(deck_view, view, "weapon"),
        _admitted(deck_view, view, "persona"),
        _faction(deck_view, view),
    }
    return either.pop() if len(either) == 1 else Access.OPEN


def is_own_card(deck_view: DeckView, view: CardView) -> bool:
    """Return whether a persona, faction or weapon in play is the owner of a card."""
    owner = view.owner
    return owner in deck_view.persona_names or owner in deck_view.factions or owner in deck_view.weapon_names


def _faction(deck_view: DeckView, view: CardView) -> Access:
    """Faction cards are for members, unless a text names the faction itself."""
    if _names_owner(deck_view, view):
        return Access.ADMITTED
    return Access.OPEN if deck_view.untyped and not deck_view.personas else Access.NONE


def _names_owner(deck_view: DeckView, view: CardView) -> bool:
    return any(other.admits and view.owner in other.admits for _, other in deck_view.pregame)


def _admitted(deck_view: DeckView, view: CardView, kind: str) -> Access:
    """By an allowance card or by a card that names the owner; only a card without a mark can be let in."""
    if deck_view.untyped and not (deck_view.weapons if kind == "weapon" else deck_view.personas):
        return Access.OPEN
    if view.mark in ("R", "S"):
        return Access.NONE
    certain = _names_owner(deck_view, view) or any(
        _opens(each, kind) for each in _allowances(deck_view, view)
    )
    if certain:
        return Access.OPEN if view.mark is None else Access.ADMITTED
    maybe = any(other.admits is None for _, other in deck_view.pregame)
    maybe = maybe or any(other.allowance is None for other in deck_view.allowing)
    return Access.OPEN if maybe else Access.NONE


def _opens(allowing: CardView, kind: str) -> bool:
    return bool(allowing.allowance and (kind in allowing.allowance or allowing.allowance & ANY))


def _allowances(deck_view: DeckView, view: CardView) -> Iterator[CardView]:
    """The allowance cards of the deck that are rightly there; a card cannot let itself in."""
    for other in deck_view.allowing:
        if other is not view and other.allowance and (other.owner == "" or is_own_card(deck_view, other)):
            yield other


def is_group_allowed(deck_view: DeckView, view: CardView, group: str) -> bool | None:
    """Return whether an allowance card lets the cards of a group in (Watcher, Hunter).

    None while that is open.
    """
    cards = deck_view.allowing
    if any(other.allowance and group in other.allowance for other in cards):
        return True
    return None if any(other.allowance is None for other in cards) else False
