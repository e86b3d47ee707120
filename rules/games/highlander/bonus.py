"""The signed hilt and plot that a persona begins Plot/Hilt with, as the list declares them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from rules.deck import CardFacts
from rules.names import normal

from .names import normal_title
from .table import Table
from .view import View

KINDS = ("hilt", "plot")


class Bonus(NamedTuple):
    """A declared bonus card: its key and name as written, and what is known of the card."""

    kind: str
    key: str
    written: str
    view: View | None


def declared(laid: Table) -> list[Bonus]:
    """The bonus cards of the list, each under "hilt" or "plot"."""
    told = laid.deck.options.get("bonus")
    if not isinstance(told, Mapping):
        return []
    found = []
    for kind in KINDS:
        value = told.get(kind)
        values = value if isinstance(value, list | tuple) else [value]
        found += [_bonus(laid, kind, item) for item in values if item not in (None, "", False)]
    return found


def _bonus(laid: Table, kind: str, item: object) -> Bonus:
    if isinstance(item, CardFacts):
        return Bonus(kind, item.key, item.name, laid.reader.view(item))
    return Bonus(kind, str(item), str(item), None)


def exists(laid: Table, kind: str) -> bool | None:
    """Whether the persona has a signed hilt or stand-alone plot of the own; None while that is not known."""
    told = laid.deck.options.get("persona_has")
    if isinstance(told, Mapping):
        return told.get(kind) is True
    known = [view.facts.get(f"own_{kind}") for _, view in laid.personas]
    if any(known):
        return True
    return False if known and all(value in (False, "") for value in known) else None


def faults(laid: Table, bonus: Bonus) -> list[str]:
    """Why a card is no bonus card of this kind."""
    view = bonus.view
    if view is None:
        return []
    checks = (
        (view.owner_kind == "faction", "it is a faction card"),
        (view.mark == "" or view.mark == "R", "it is not signed"),
        (view.is_a(bonus.kind) is False, f"it is no {bonus.kind}"),
        (bonus.kind == "hilt" and view.is_off_hand is True, "it is the hilt of an off-hand weapon"),
        (bonus.kind == "plot" and view.flag("standalone") is False, "it is part of a sequence"),
    )
    return [why for wrong, why in checks if wrong]


def open_facts(bonus: Bonus) -> list[str]:
    """What would have to be known of a bonus card."""
    view = bonus.view
    if view is None:
        return ["the card"]
    wanted: list[tuple[str, object]] = [("owner", view.owner), ("mark", view.mark), ("type", view.kinds)]
    if bonus.kind == "plot":
        wanted.append(("standalone", view.flag("standalone")))
    return [fact for fact, value in wanted if value is None]


def is_own(laid: Table, bonus: Bonus) -> bool | None:
    """Whether the card belongs to a persona of the deck; None while its owner is not known."""
    if bonus.view is None or bonus.view.owner is None:
        return None
    return bonus.view.owner in laid.persona_names


def matching_weapon(laid: Table, view: View) -> bool | None:
    """Whether a weapon of choice is the persona's own; None while its owner is not known."""
    told = [other.facts.get("primary_weapon") for _, other in laid.personas]
    if view.title in {normal_title(str(name)) for name in told if isinstance(name, str)}:
        return True
    if view.owner is None:
        return None
    return view.owner in {normal(name) for name in laid.persona_names}
