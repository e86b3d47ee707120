"""Compute gem limits from persona, altered assignment and foil weapons."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from rules.games.highlander.deck_view import DeckView, ViewedEntry
from rules.games.highlander.names import ATTRIBUTES, parse_gems

GEM_FACTOR = 3
GEM_CAP = 13


class GemRange(NamedTuple):
    """The value of one gem: at least `least`, at most `most` (None: no bound), known if both are equal."""

    least: int
    most: int | None


class GemSheet(NamedTuple):
    """The gems by letter before multiplying, how many the endurance may hold, and what is not known.

    Five attributes are capped and multiplied, Master stays as it is.
    """

    values: Mapping[str, GemRange]
    limits: Mapping[str, GemRange]
    open_seats: tuple[tuple[ViewedEntry, str], ...]


def get_altered_gems(laid: DeckView) -> Mapping[str, int] | None:
    """The altered assignment that comes with the list; None where there is none or it cannot be read."""
    return parse_gems(laid.deck.options.get("gem_assignment"))


def compute_gem_sheet(laid: DeckView) -> GemSheet:
    """The gems that count: of several personas the higher value, the altered one in its place, plus foils.

    Without an altered assignment they hang on personas and weapons alone and are worked out once for these.
    """
    if laid.deck.options.get("gem_assignment") is not None:
        return _compute_sheet(laid, get_altered_gems(laid) or {})
    place = tuple([view for _, view in (*laid.personas, *laid.weapons)])
    kept = laid.reader.kept.get(place)
    if not isinstance(kept, GemSheet):
        kept = laid.reader.kept[place] = _compute_sheet(laid, {})
    return kept


def _compute_sheet(laid: DeckView, altered: Mapping[str, int]) -> GemSheet:
    foils = [(seat, parse_gems(seat[1].facts.get("foil_bonus"))) for seat in laid.weapons]
    base = {letter: _base(laid, letter, altered) for letter in (*ATTRIBUTES, "M")}
    known = {letter: sum([foil.get(letter, 0) for _, foil in foils if foil]) for letter in base}
    unknown_foil = any(foil is None for _, foil in foils)
    values = {letter: _with_foil(base[letter], known[letter], unknown_foil) for letter in base}
    open_personas = [
        (seat, "gems") for seat in laid.personas if seat[1].gems is None and len(altered) < len(base)
    ]
    open_foils = [(seat, "foil_bonus") for seat, foil in foils if foil is None]
    limits = {letter: _capped(gems) if letter != "M" else gems for letter, gems in values.items()}
    return GemSheet(values, limits, (*open_personas, *open_foils))


def _base(laid: DeckView, letter: str, altered: Mapping[str, int]) -> GemRange:
    if letter in altered:
        return GemRange(altered[letter], altered[letter])
    known = [view.gems.get(letter, 0) for _, view in laid.personas if view.gems is not None]
    least = max(known, default=0)
    return GemRange(least, least if len(known) == len(laid.personas) else None)


def _with_foil(base: GemRange, bonus: int, unknown: bool) -> GemRange:
    most = None if base.most is None or unknown else base.most + bonus
    return GemRange(base.least + bonus, most)


def _capped(gems: GemRange) -> GemRange:
    most = GEM_CAP if gems.most is None else min(GEM_CAP, gems.most)
    return GemRange(GEM_FACTOR * min(GEM_CAP, gems.least), GEM_FACTOR * most)
