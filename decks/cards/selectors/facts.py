"""The facts of a card as its page shows them, with those that nobody has entered."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

# What the rules and the tables of each game ask of a card; a card of a type may have more to tell.
ASKED: Mapping[str, tuple[str, ...]] = {
    "ufs": ("type", "dots", "unique", "keywords", "symbols", "infinity", "split"),
    "cfc": ("type", "publisher", "team", "bp", "sp", "rarity", "ability", "backups", "illustrator"),
    "sf_miniatures": ("kind", "owner", "attack_type"),
    "highlander": (
        *("type", "edition", "owner", "owner_kind", "gems", "restriction", "mark", "titles"),
        *("sub_title", "grid", "text_key", "groups", "hand_icons", "allowance"),
    ),
}
ASKED_OF_TYPE: Mapping[tuple[str, str], tuple[str, ...]] = {
    ("ufs", "character"): ("vitality", "hand_size"),
    ("cfc", "character"): ("subtype",),
    ("sf_miniatures", "character"): ("move", "health", "ultra"),
    ("highlander", "persona"): ("gender", "factions"),
}
PLACE = frozenset({"name", "printed_name", "set", "set_size", "number", "number_as_printed", "variant"})


class Fact(NamedTuple):
    """A fact by its name in words; `value` is None where nobody has entered it."""

    name: str
    value: str | None


def facts_of(game: str, attributes: Mapping[str, Any]) -> tuple[Fact, ...]:
    """Every fact that is known of a card, then those that the game asks for and nobody has entered."""
    shown = {
        name: value
        for name, value in attributes.items()
        if name not in PLACE and (name, value) != ("dots", 0)
    }
    kind = str(attributes.get("type", attributes.get("kind", ""))).casefold()
    asked = (*ASKED.get(game, ()), *ASKED_OF_TYPE.get((game, kind), ()))
    known = [Fact(name.replace("_", " "), in_words(value)) for name, value in shown.items()]
    return (*known, *(Fact(name.replace("_", " "), None) for name in asked if name not in attributes))


def in_words(value: object) -> str:
    """A stored fact for people."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        return ", ".join(in_words(part) for part in value) or "none"
    if isinstance(value, Mapping):
        return ", ".join(f"{name} {in_words(part)}" for name, part in value.items())
    return str(value)
