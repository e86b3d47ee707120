"""Cards of one name that an identity list of the rules sets apart.

It does so by set and number.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

import rules
from rules.names import normalize_name

Place = tuple[str, int]


def find_namesakes_elsewhere(game: str, name: str, code: object, number: object) -> list[str]:
    """Return set and number of the other cards of this name ("SF04-070").

    This is for a card that a list sets apart.
    """
    cards = rules.get_game(game).cards
    places = _read_places(game).get(normalize_name(name), ()) if cards.apart_if else ()
    if (code, number) not in places:
        return []
    return [f"{other}-{figure:03d}" for other, figure in places if (other, figure) != (code, number)]


def choose_identity_key(game: str, name: str, code: object, number: object, key: str | None) -> str | None:
    """Return the key that distinguishes a card from its namesakes.

    It is the printing, if a list sets the card apart.
    """
    return f"{code}-{number:03d}" if find_namesakes_elsewhere(game, name, code, number) else key


@lru_cache(maxsize=64)
def _read_places(game: str) -> Mapping[str, tuple[Place, ...]]:
    """Return the places of cards that share a name, by the name.

    They come from all identity lists that ship.
    """
    places: dict[str, tuple[Place, ...]] = {}
    for edition in rules.shipped_editions(game):
        for entry in edition.entries:
            distinct = entry.get("distinct")
            if isinstance(distinct, list | tuple) and isinstance(entry.get("name"), str):
                read_places = (_read_place(each) for each in distinct)
                places[normalize_name(str(entry["name"]))] = tuple(each for each in read_places if each)
    return places


def _read_place(value: object) -> Place | None:
    code, number = (value.get("set"), value.get("number")) if isinstance(value, Mapping) else (None, None)
    return (code, number) if isinstance(code, str) and type(number) is int else None
