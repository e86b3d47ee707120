"""Read catalogue records: which card, which printing, and the facts of each."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from math import isfinite

import rules
from decks.matching.namesakes import find_namesakes_elsewhere
from rules.catalogue_files.records import CatalogueProblem, CatalogueRecord
from rules.names import normalize_name, split_rank_marks
from rules.reason import Reason, reason

LONGEST_NAME = 200
LONGEST_KEY = 120
LONGEST_SHORT_TEXT = 32
MOST_DOTS = 12
LARGEST_NUMBER = 2_147_483_647
DEEPEST_FACT = 20

# Facts of every game that differ between printings of one card; a game declares its own.
PRINTING_FACTS = frozenset({"rarity", "illustrator", "edition", "aliases", "note", "id", "expansion"})
PLACE_FACTS = frozenset(
    {
        "name", "title", "printed_name", "set", "set_name", "set_size", "number", "number_as_printed",
        "variant", "external_ids", "is_deck_card",
    }
)  # fmt: skip
_ROUND_MARKS = re.compile(r"[●•·∙*]")
_NESTED = (list, tuple, dict)
_UNPAIRED = re.compile(r"[\ud800-\udfff]")
_NUMBER = re.compile(r"^\s*(\d{1,9})\s*(?:/\s*(\d{1,9}))?\s*$")


@dataclass(frozen=True, slots=True)
class CardRecord:
    """A record as a card and a printing; numbers of None are unknown.

    `removed_facts` come from the grid of facts alone: no file removes a fact.
    """

    place: Reason
    key: str
    key_is_given: bool
    name: str
    printed_name: str
    set_code: str
    set_name: str
    set_size: int | None
    number: int | None
    number_as_printed: str
    variant: str
    external_ids: Mapping[str, str]
    is_deck_card: bool
    card_facts: Mapping[str, object]
    printing_facts: Mapping[str, object]
    removed_facts: tuple[str, ...] = ()


def read_record(game: str, record: CatalogueRecord) -> CardRecord | list[CatalogueProblem]:
    """Return what the record says, or every reason why it cannot be taken in."""
    given_key = record.key
    game_rules = rules.get_game(game)
    place, card, printing, is_sound = _split_facts(game_rules, record.facts)
    written_name = _on_one_line(place.get("name") or place.get("title") or place.get("printed_name") or "")
    number, size = _number(place)
    problems = _problems(given_key, place, card, written_name, (number or 0, size or 0))
    if problems or not is_sound:
        return _as_problems(record.place, problems, is_sound)
    name = _name_without_rank(game_rules, written_name, card)
    if "title" in place:
        card["title"] = name
    set_code, variant = _text(place, "set"), _text(place, "variant")
    if others := find_namesakes_elsewhere(game, name, set_code, number):
        card.setdefault(game_rules.cards.apart_if, others)
    ids = place.get("external_ids")
    external_ids = ids if isinstance(ids, Mapping) else {}
    return CardRecord(
        record.place,
        given_key or make_key(set_code, number, name, card, variant),
        given_key is not None,
        name,
        _on_one_line(place["printed_name"]) if "printed_name" in place else written_name,
        set_code,
        _text(place, "set_name"),
        size,
        number,
        _number_text(place),
        variant,
        {str(source): str(each) for source, each in external_ids.items()},
        place.get("is_deck_card") is not False,
        card,
        printing,
    )


FactDict = dict[str, object]
_PLACE, _CARD, _PRINTING, _NOWHERE = range(4)


def _split_facts(game: rules.Game, facts: Mapping[str, object]) -> tuple[FactDict, FactDict, FactDict, bool]:
    """Return the known facts of the place in a set, the card and the printing.

    Whether all are storable is returned too. One pass, for a file brings hundreds of thousands of them.
    """
    facts_by_level: tuple[FactDict, FactDict, FactDict, FactDict] = ({}, {}, {}, {})
    of_printing = game.cards.printing_facts
    is_sound = True
    for name, value in facts.items():
        if value is not None and value != "":
            facts_by_level[_fact_level(name, of_printing)][name] = value
            if not is_storable(value):
                is_sound = False
    place, card, printing, nowhere = facts_by_level
    return place, card, printing, is_sound and not nowhere


@lru_cache(maxsize=4096)
def _fact_level(name: str, of_printing: frozenset[str]) -> int:
    """Return the object that a fact of this name describes.

    None if no database column can hold the name.
    """
    if name in PLACE_FACTS:
        return _PLACE
    if name in PRINTING_FACTS or name in of_printing:
        return _PRINTING
    return _CARD if is_storable(name) else _NOWHERE


def is_storable(value: object) -> bool:
    """Return whether a database can store the value.

    It cannot store NUL, half of a surrogate pair, or an infinite number. Nor anything nested more than
    `DEEPEST_FACT` deep, which could not be written out again.
    """
    if isinstance(value, str):
        return "\0" not in value and (value.isascii() or _UNPAIRED.search(value) is None)
    if isinstance(value, _NESTED):
        return _is_tree_storable(value)
    return not isinstance(value, float) or isfinite(value)


def _is_tree_storable(tree: list[object] | tuple[object, ...] | dict[str, object]) -> bool:
    """Return whether lists and objects can be stored too, one level after the other."""
    level: list[list[object] | tuple[object, ...] | dict[str, object]] = [tree]
    for _ in range(DEEPEST_FACT):
        inner = []
        for each in level:
            for part in (*each.keys(), *each.values()) if isinstance(each, dict) else each:
                if isinstance(part, _NESTED):
                    inner.append(part)
                elif not is_storable(part):
                    return False
        if not inner:
            return True
        level = inner
    return False


def _on_one_line(text: object) -> str:
    return " ".join(str(text).split())


def _text(place: FactDict, name: str) -> str:
    return str(place[name]).strip() if name in place else ""


def make_slug(text: str) -> str:
    """Join letters and digits by dashes, for keys that people may see in an address."""
    return "-".join(re.findall(r"\w+", normalize_name(text).replace("'", ""))).replace("_", "-")


def _problems(
    key: str | None, place: FactDict, card: FactDict, written_name: str, numbers: tuple[int, int]
) -> list[Reason]:
    """Return every reason why the record cannot be taken in."""
    problems = _name_problems(place, card, written_name)
    if key is not None and not 0 < len(key.strip()) <= len(key) <= LONGEST_KEY:
        problems.append(reason("key_unusable", most=LONGEST_KEY))
    if key is None and card.get("distinct_from"):
        problems.append(reason("key_missing"))
    for name in ("set", "variant"):
        if name in place and len(str(place[name])) > LONGEST_SHORT_TEXT:
            code = "set_too_long" if name == "set" else "variant_too_long"
            problems.append(Reason(code, {"most": LONGEST_SHORT_TEXT}))
    if max(numbers) > LARGEST_NUMBER:
        problems.append(reason("number_too_large"))
    if "external_ids" in place and not isinstance(place["external_ids"], Mapping):
        problems.append(reason("ids_not_an_object"))
    return problems


def _name_problems(place: FactDict, card: FactDict, written_name: str) -> list[Reason]:
    problems = []
    if not written_name:
        problems.append(reason("name_missing.record"))
    if len(written_name) > LONGEST_NAME:
        problems.append(reason("name_too_long", most=LONGEST_NAME))
    names = place.get("name", ""), place.get("title", ""), place.get("printed_name", "")
    if not (type(names[0]) is type(names[1]) is type(names[2]) is type(card.get("type", "")) is str):
        problems.append(reason("name_not_text"))
    dots = card.get("dots", 0)
    if type(dots) is not int or not 0 <= dots <= MOST_DOTS:
        problems.append(reason("dots_not_a_number", most=MOST_DOTS))
    return problems


def _as_problems(place: Reason, problems: list[Reason], is_sound: bool) -> list[CatalogueProblem]:
    unsound = [] if is_sound else [reason("text_unstorable", most=DEEPEST_FACT)]
    return [CatalogueProblem(place, why) for why in (*problems, *unsound)]


def _number(place: FactDict) -> tuple[int | None, int | None]:
    """Return number and size of the set, from whichever field gives them.

    "073/143" gives both.
    """
    size = place.get("set_size")
    for name in ("number", "number_as_printed"):
        digits = str(place.get(name, ""))
        if len(digits) < 10 and digits.isascii() and digits.isdecimal():
            return int(digits), _whole_number(size)
        match = _NUMBER.match(digits)
        if match:
            size = size if size is not None else match[2]
            return int(match[1]), _whole_number(size)
    return None, _whole_number(size)


def _whole_number(value: object) -> int | None:
    match = None if value is None else _NUMBER.match(str(value))
    return int(match[1]) if match else None


def _number_text(place: FactDict) -> str:
    number = place.get("number_as_printed", place.get("number", ""))
    return str(number).strip()[:LONGEST_SHORT_TEXT]


def _name_without_rank(game: rules.Game, written_name: str, card: dict[str, object]) -> str:
    """Return the name without rank marks, which become the rank.

    Games with ranks have types in lower case.
    """
    rank = game.rank_attribute
    if rank is None:
        return written_name
    if isinstance(kind := card.get("type"), str):
        card["type"] = kind.strip().casefold()
    bare, dots = split_rank_marks(written_name)
    is_marked = dots is not None and (
        card.get("type") in game.ranked_types or _ROUND_MARKS.search(written_name)
    )
    if is_marked and card.get(rank, dots) == dots:
        card[rank] = dots
        return bare
    return written_name


def make_key(set_code: str, number: int | None, name: str, facts: Mapping[str, object], variant: str) -> str:
    """Return a key for a record that has none.

    It is set and number, else the name with its dots.
    """
    if set_code and number is not None:
        base = f"{set_code}-{number:03d}"
    else:
        base = "-".join(part for part in (set_code, make_slug(name), str(facts.get("dots") or "")) if part)
    return (f"{base}~{make_slug(variant)}" if variant else base)[:LONGEST_KEY]
