"""The gems that a deck may hold: from the persona, an altered assignment and foil weapons."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from .names import ATTRIBUTES, gems_of
from .table import Seat, Table

FACTOR = 3
CAP = 13


class Gems(NamedTuple):
    """The value of one gem: at least `least`, at most `most` (None: no bound), known if both are equal."""

    least: int
    most: int | None


class Sheet(NamedTuple):
    """The gems by letter before multiplying, how many the endurance may hold, and what is not known.

    Five attributes are capped and multiplied, Master stays as it is.
    """

    values: Mapping[str, Gems]
    limits: Mapping[str, Gems]
    open_seats: tuple[tuple[Seat, str], ...]


def assignment(laid: Table) -> Mapping[str, int] | None:
    """The altered assignment that comes with the list; None where there is none or it cannot be read."""
    return gems_of(laid.deck.options.get("gem_assignment"))


def sheet(laid: Table) -> Sheet:
    """The gems that count: of several personas the higher value, the altered one in its place, plus foils.

    Without an altered assignment they hang on personas and weapons alone and are worked out once for these.
    """
    if laid.deck.options.get("gem_assignment") is not None:
        return _worked_out(laid, assignment(laid) or {})
    place = tuple([view for _, view in (*laid.personas, *laid.weapons)])
    kept = laid.reader.kept.get(place)
    if not isinstance(kept, Sheet):
        kept = laid.reader.kept[place] = _worked_out(laid, {})
    return kept


def _worked_out(laid: Table, altered: Mapping[str, int]) -> Sheet:
    foils = [(seat, gems_of(seat[1].facts.get("foil_bonus"))) for seat in laid.weapons]
    base = {letter: _base(laid, letter, altered) for letter in (*ATTRIBUTES, "M")}
    known = {letter: sum([foil.get(letter, 0) for _, foil in foils if foil]) for letter in base}
    unknown_foil = any(foil is None for _, foil in foils)
    values = {letter: _with_foil(base[letter], known[letter], unknown_foil) for letter in base}
    open_personas = [
        (seat, "gems") for seat in laid.personas if seat[1].gems is None and len(altered) < len(base)
    ]
    open_foils = [(seat, "foil_bonus") for seat, foil in foils if foil is None]
    limits = {letter: _capped(gems) if letter != "M" else gems for letter, gems in values.items()}
    return Sheet(values, limits, (*open_personas, *open_foils))


def _base(laid: Table, letter: str, altered: Mapping[str, int]) -> Gems:
    if letter in altered:
        return Gems(altered[letter], altered[letter])
    known = [view.gems.get(letter, 0) for _, view in laid.personas if view.gems is not None]
    least = max(known, default=0)
    return Gems(least, least if len(known) == len(laid.personas) else None)


def _with_foil(base: Gems, bonus: int, unknown: bool) -> Gems:
    most = None if base.most is None or unknown else base.most + bonus
    return Gems(base.least + bonus, most)


def _capped(gems: Gems) -> Gems:
    most = CAP if gems.most is None else min(CAP, gems.most)
    return Gems(FACTOR * min(CAP, gems.least), FACTOR * most)
