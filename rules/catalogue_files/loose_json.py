"""JSON as other programs write it.

It may be a bare array of cards or a saved object of Tabletop Simulator.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from rules.catalogue_files.known_facts import COMMON_FACTS
from rules.catalogue_files.records import (
    MOST_RECORDS,
    CatalogueContent,
    CatalogueProblem,
    CatalogueRecord,
    too_many_records,
)
from rules.catalogue_files.table import normalize_column_name
from rules.reason import reason

_TABLETOP = "ObjectStates"
_CODES = ("code", "set_code", "abbreviation", "abbr", "id", "key", "name")
_NAMES = ("name", "title")
_SIZES = ("size", "set_size", "total", "count")


def is_tabletop(data: object) -> bool:
    """Return whether the JSON is a saved object or game of Tabletop Simulator."""
    return isinstance(data, Mapping) and isinstance(data.get(_TABLETOP), list)


def read_array(cards: list[object], content: CatalogueContent) -> CatalogueContent:
    """Return the cards of an array.

    The names of facts are read like the headings of a table.
    """
    if len(cards) > MOST_RECORDS:
        raise too_many_records()
    for number, card in enumerate(cards, start=1):
        place = reason("catalogue_place.card", card=str(number))
        if not isinstance(card, Mapping):
            content.tell(CatalogueProblem(place, reason("card_not_an_object")))
            continue
        facts = open_set({_fact_name(name): value for name, value in card.items()})
        key = facts.pop("key", None)
        content.records.append(CatalogueRecord(place, str(key) if key else None, facts))
    return content


def _fact_name(name: str) -> str:
    return name if name in COMMON_FACTS else normalize_column_name(name)


def open_set(facts: Mapping[str, object]) -> dict[str, object]:
    """Return the facts of a card, with its set as plain facts.

    This applies if the set is an object with a code.
    """
    of_set = facts.get("set")
    if not isinstance(of_set, Mapping):
        return dict(facts)
    set_facts = {
        "set": _find_first(of_set, _CODES),
        "set_name": _find_first(of_set, _NAMES),
        "set_size": _find_first(of_set, _SIZES),
    }
    known_facts = {name: value for name, value in set_facts.items() if value is not None}
    return {**{name: value for name, value in facts.items() if name != "set"}, **known_facts}


def _find_first(values: Mapping[str, object], names: tuple[str, ...]) -> object:
    folded_values = {normalize_column_name(name): value for name, value in values.items()}
    return next(
        (folded_values[name] for name in names if isinstance(folded_values.get(name), str | int)), None
    )


def read_tabletop(data: Mapping[str, object]) -> CatalogueContent:
    """Return the cards of a saved object, each name once.

    Besides pictures and texts, the object has only names.
    """
    content, names = CatalogueContent("tabletop"), dict[str, None]()
    nameless = 0
    for card in _tabletop_cards(data):
        name = card.get("Nickname")
        if isinstance(name, str) and name.strip():
            names[" ".join(name.split())] = None
        else:
            nameless += 1
        if len(names) > MOST_RECORDS:
            raise too_many_records()
    for number, name in enumerate(names, start=1):
        place = reason("catalogue_place.card", card=str(number))
        content.records.append(CatalogueRecord(place, None, {"name": name}))
    if nameless:
        content.notes.append(reason("cards_without_name", count=nameless))
    return content


def _tabletop_cards(data: Mapping[str, object]) -> Iterator[Mapping[str, object]]:
    """Yield the cards in all decks, bags and states, at any depth.

    JSON itself limits the depth.
    """
    unread_values: list[object] = [data.get(_TABLETOP)]
    while unread_values:
        each = unread_values.pop()
        if isinstance(each, list):
            unread_values += reversed(each)
        elif isinstance(each, Mapping):
            states = each.get("States")
            unread_values.append(list(states.values()) if isinstance(states, Mapping) else None)
            unread_values.append(each.get("ContainedObjects"))
            if "CardID" in each:
                yield each
