"""Classify whether a deck may include a card (HL-L20 to L25, L61)."""

from __future__ import annotations

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
    if deck_view.may_hold(view.owner):
        return Access.OPEN
    if view.owner_kind == "faction":
        return _faction(deck_view, view)
    if view.owner_kind is not None:
        return _admit(deck_view, view, "weapon" if view.owner_kind == "weapon" else "persona")
    either = {
        _admit(deck_view, view, "weapon"),
        _admit(deck_view, view, "persona"),
        _faction(deck_view, view),
    }
    return either.pop() if len(either) == 1 else Access.OPEN


def is_own_card(deck_view: DeckView, view: CardView) -> bool:
    """Return whether a persona, faction or weapon in play is the owner of a card."""
    owner = view.owner
    return owner in deck_view.persona_names or owner in deck_view.factions or owner in deck_view.weapon_names


def _faction(deck_view: DeckView, view: CardView) -> Access:
    """Admit faction cards for members, unless a text names the faction itself."""
    if _names_owner(deck_view, view):
        return Access.ADMITTED
    return Access.OPEN if any(other.admits is None for _, other in deck_view.pregame) else Access.NONE


def _names_owner(deck_view: DeckView, view: CardView) -> bool:
    return any(other.admits and view.owner in other.admits for _, other in deck_view.pregame)


def _admit(deck_view: DeckView, view: CardView, kind: str) -> Access:
    """Admit a card without a mark by another card.

    The other is an allowance card or a card that names the owner.
    """
    if view.mark in ("R", "S"):
        return Access.NONE
    answers = {_opens(deck_view, each, kind) for each in deck_view.allowing_cards if each is not view}
    if True in answers or _names_owner(deck_view, view):
        return Access.OPEN if view.mark is None else Access.ADMITTED
    maybe = None in answers or any(other.admits is None for _, other in deck_view.pregame)
    return Access.OPEN if maybe else Access.NONE


def _opens(deck_view: DeckView, other: CardView, kind: str) -> bool | None:
    """Return whether an allowance card is allowed and admits cards of a kind.

    None while that is not known.
    """
    if other.allowance is None:
        return None
    if kind not in other.allowance and not other.allowance & ANY:
        return False
    if other.owner == "" or is_own_card(deck_view, other):
        return True
    return None if other.owner is None or deck_view.may_hold(other.owner) else False


def is_group_allowed(deck_view: DeckView, view: CardView, group: str) -> bool | None:
    """Return whether an allowance card admits the cards of a group (Watcher, Hunter).

    None while that is open.
    """
    cards = deck_view.allowing_cards
    if any(other.allowance and group in other.allowance for other in cards):
        return True
    return None if any(other.allowance is None for other in cards) else False
