"""Entries of lists in words, for pages, differences and messages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeGuard

from rules.words import listed

Entry = Mapping[str, Any]

# Facts that are said with the name, or that say where an entry stands.
_SAID = frozenset({"name", "title", "dots", "set", "number", "set_size", "id", "variant"})


def entry_in_words(kind: str, entry: Entry) -> str:
    """An entry as a sentence or a name, without its clause: "Ken ●● (SF01 38/143)"."""
    if kind == "identities" or "same" in entry or "distinct" in entry:
        return _identity(entry)
    card = entry.get("card")
    if isinstance(card, Mapping):
        return _about_card(entry, card)
    return _plain(entry)


def card_in_words(card: Entry) -> str:
    """A card by the facts that an entry gives: name, dots, and where it is printed."""
    name = str(card.get("name") or card.get("title") or "Any card")
    dots = card.get("dots")
    marks = f" {'●' * dots}" if type(dots) is int and 0 < dots <= 12 else ""
    rest = [
        f"{fact} {value}" for fact, value in card.items() if fact not in _SAID and value not in ("", None)
    ]
    told = [part for part in (place_in_words(card), str(card.get("id") or ""), *rest) if part]
    return f"{name}{marks} ({', '.join(told)})" if told else f"{name}{marks}"


def place_in_words(printed: Entry) -> str:
    """Set and number as people write them ("SF01 38/143"), with the variant where there is one."""
    number = printed.get("number")
    size = printed.get("set_size")
    written = "" if number is None else f"{number}/{size}" if size else str(number)
    return " ".join(
        str(part) for part in (printed.get("set", ""), written, printed.get("variant", "")) if part
    )


def _about_card(entry: Entry, card: Entry) -> str:
    printed = entry.get("printed")
    whole = {**printed, **card} if isinstance(printed, Mapping) else card
    limits = [
        f"only in {listed(map(str, entry[part]))}"
        for part in ("formats", "zones")
        if _is_list(entry.get(part))
    ]
    said = [str(entry["says"])] if entry.get("says") else []
    return ": ".join([", ".join([card_in_words(whole), *limits]), *said])


def _identity(entry: Entry) -> str:
    same, distinct = entry.get("same"), entry.get("distinct")
    if _is_list(same):
        return f"{listed(map(str, same))} are one card."
    if _is_list(distinct):
        places = [place_in_words(place) for place in distinct if isinstance(place, Mapping)]
        return f"{entry.get('name', 'This name')} is {len(places)} cards: {listed(places)}."
    if _is_list(entry.get("one_card_in_printings")):
        printings = listed(map(str, entry["one_card_in_printings"]))
        return f"{entry.get('name')} is one card in its printings {printings}."
    return f"{entry.get('name', 'This name')} is one card."


def _plain(entry: Entry) -> str:
    name = entry.get("name") or entry.get("front") or "An entry"
    rest = [
        f"{key.replace('_', ' ')} {listed(map(str, value)) if _is_list(value) else value}"
        for key, value in entry.items()
        if key not in ("name", "front", "clause") and value not in ("", None)
    ]
    return f"{name} ({'; '.join(rest)})" if rest else str(name)


def _is_list(value: object) -> TypeGuard[Sequence[Any]]:
    return isinstance(value, list | tuple) and bool(value)
