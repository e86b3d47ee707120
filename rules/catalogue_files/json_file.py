"""The project's own catalogue file.

Its form is `{"game": …, "sets": {CODE: {…}}, "cards": {KEY: {…}}}`. Other JSON with cards is read by
`loose_json`.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping

from rules.catalogue_files.loose_json import is_tabletop, open_set, read_array, read_tabletop
from rules.catalogue_files.records import (
    MOST_RECORDS,
    CatalogueContent,
    CatalogueProblem,
    CatalogueRecord,
    UnreadableCatalogue,
    too_many_records,
)
from rules.reason import reason

MAX_CODE_LENGTH = 32
MAX_SET_NAME_LENGTH = 120


def read(text: str) -> CatalogueContent:
    """Return records of a JSON catalogue.

    Raises UnreadableCatalogue when the text is none.
    """
    try:
        data = json.loads(text, parse_constant=_no_constant, object_pairs_hook=_pairs)
    except (ValueError, RecursionError) as error:
        raise UnreadableCatalogue(reason("catalogue_unreadable.json", says=str(error)[:200])) from error
    if is_tabletop(data):
        return read_tabletop(data)
    cards = data.get("cards") if isinstance(data, dict) else data
    if not isinstance(cards, dict | list) or cards == []:
        raise UnreadableCatalogue(reason("catalogue_unreadable.no_cards"))
    if len(cards) > MOST_RECORDS:
        raise too_many_records()
    if not isinstance(data, dict):
        return read_array(data, CatalogueContent("json"))
    game = data.get("game")
    content = CatalogueContent("json", game=str(game) if game else None, sets=_sets(data.get("sets")))
    if isinstance(cards, list):
        return read_array(cards, content)
    for key in getattr(cards, "repeated_keys", ()):
        content.tell(_repeated_key(key))
    for key, facts in cards.items():
        _take(content, key, facts)
    return content


def _take(content: CatalogueContent, key: str, facts: object) -> None:
    place = reason("catalogue_place.card", card=key[:120])
    if isinstance(facts, dict):
        content.records.append(CatalogueRecord(place, key, open_set(facts)))
    else:
        content.tell(CatalogueProblem(place, reason("card_not_an_object")))


def _repeated_key(key: str) -> CatalogueProblem:
    return CatalogueProblem(
        reason("catalogue_place.card", card=key[:120]), reason("key_repeated", key=key[:120])
    )


class _Repeats(dict[str, object]):
    """A JSON object that remembers which keys occurred more than once."""

    repeated_keys: tuple[str, ...] = ()


def _pairs(pairs: list[tuple[str, object]]) -> dict[str, object]:
    plain = dict(pairs)
    if len(plain) == len(pairs):
        return plain
    mapping, counts = _Repeats(plain), Counter(key for key, _ in pairs)
    mapping.repeated_keys = tuple(key for key, count in counts.items() if count > 1)
    return mapping


def _no_constant(name: str) -> None:
    raise ValueError(f"{name} is no number")


def _sets(data: object) -> dict[str, Mapping[str, object]]:
    return dict(_each_set(data)) if isinstance(data, Mapping) else {}


def _each_set(data: Mapping[str, object]) -> Iterator[tuple[str, dict[str, object]]]:
    for code, facts in data.items():
        if isinstance(facts, Mapping) and 0 < len(code) <= MAX_CODE_LENGTH:
            size, is_hidden = facts.get("size"), facts.get("is_hidden")
            yield (
                code,
                {
                    "name": str(facts.get("name") or "")[:MAX_SET_NAME_LENGTH],
                    "size": size if type(size) is int and 0 < size < 10**6 else None,
                    "is_hidden": is_hidden if isinstance(is_hidden, bool) else None,
                    "other_codes": _codes(facts.get("other_codes")),
                },
            )


def _codes(value: object) -> list[str]:
    """Return the other codes of a set.

    They are the texts of a list that are as short as a code.
    """
    codes = value if isinstance(value, list) else []
    return [code for code in codes if isinstance(code, str) and 0 < len(code.strip()) <= MAX_CODE_LENGTH]
