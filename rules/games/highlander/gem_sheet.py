"""Compute gem limits from persona, altered assignment and foil weapons."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from rules.games.highlander.deck_view import DeckView, ViewedEntry
from rules.games.highlander.names import ATTRIBUTES, parse_gems

GEM_FACTOR = 3
GEM_CAP = 13


@dataclass(frozen=True, slots=True)
class GemRange:
    """The value of one gem.

    It is at least `least` and at most `most` (None: no bound). It is known if both are equal.
    """

    least: int
    most: int | None


@dataclass(frozen=True, slots=True)
class GemSheet:
    """The gems by letter before multiplying.

    Also holds how many the endurance may hold, and what is not known. Five attributes are capped and
    multiplied, Master stays as it is.
    """

    values: Mapping[str, GemRange]
    limits: Mapping[str, GemRange]
    open_entries: tuple[tuple[ViewedEntry, str], ...]


def get_altered_gems(deck_view: DeckView) -> Mapping[str, int] | None:
    """Return the altered assignment that comes with the list.

    None if there is none or it cannot be read.
    """
    return parse_gems(deck_view.deck.options.get("gem_assignment"))


def get_printed_gems(deck_view: DeckView, letter: str) -> GemRange:
    """Return the gems of an attribute as the personas print them.

    If there are several numbers, the higher one is returned.
    """
    return _base(deck_view, letter, {})


def compute_gem_sheet(deck_view: DeckView) -> GemSheet:
    """Return the gems that count.

    Of several personas the higher value counts, an altered value replaces it, and foils are added. The Master
    gem is none of the five that an assignment may alter (HL-L63). Without an altered assignment they depend
    on personas and weapons alone and are worked out once for these.
    """
    if deck_view.deck.options.get("gem_assignment") is not None:
        return _compute_sheet(deck_view, get_altered_gems(deck_view) or {})
    place = tuple([view for _, view in (*deck_view.personas, *deck_view.weapons)])
    cached_sheet = deck_view.reader.cache.get(place)
    if not isinstance(cached_sheet, GemSheet):
        cached_sheet = deck_view.reader.cache[place] = _compute_sheet(deck_view, {})
    return cached_sheet


def _compute_sheet(deck_view: DeckView, altered_gems: Mapping[str, int]) -> GemSheet:
    foils = [(each, parse_gems(each[1].facts.get("foil_bonus"))) for each in deck_view.weapons]
    base = {letter: _base(deck_view, letter, altered_gems) for letter in (*ATTRIBUTES, "M")}
    known_bonus = {letter: sum([foil.get(letter, 0) for _, foil in foils if foil]) for letter in base}
    unknown_foil = any(foil is None for _, foil in foils)
    values = {letter: _with_foil(base[letter], known_bonus[letter], unknown_foil) for letter in base}
    open_personas = [(each, "gems") for each in deck_view.personas if each[1].gems is None]
    open_foils = [(each, "foil_bonus") for each, foil in foils if foil is None]
    limits = {letter: _cap(gems) if letter != "M" else gems for letter, gems in values.items()}
    return GemSheet(values, limits, (*open_personas, *open_foils))


def _base(deck_view: DeckView, letter: str, altered_gems: Mapping[str, int]) -> GemRange:
    if letter in altered_gems and letter in ATTRIBUTES:
        return GemRange(altered_gems[letter], altered_gems[letter])
    known_values = [view.gems.get(letter, 0) for _, view in deck_view.personas if view.gems is not None]
    least = max(known_values, default=0)
    return GemRange(least, least if len(known_values) == len(deck_view.personas) else None)


def _with_foil(base: GemRange, bonus: int, unknown: bool) -> GemRange:
    most = None if base.most is None or unknown else base.most + bonus
    return GemRange(base.least + bonus, most)


def _cap(gems: GemRange) -> GemRange:
    most = GEM_CAP if gems.most is None else min(GEM_CAP, gems.most)
    return GemRange(GEM_FACTOR * min(GEM_CAP, gems.least), GEM_FACTOR * most)
