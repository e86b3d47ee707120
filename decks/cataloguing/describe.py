"""What a catalogue record says: which card, which printing, and which facts belong to which of the two."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from math import isfinite
from typing import Any

from rules.catalogues.model import Problem, Record
from rules.names import normal, without_rank

LONGEST_NAME = 200
LONGEST_KEY = 120
LONGEST_SHORT_TEXT = 32
MOST_DOTS = 12
LARGEST_NUMBER = 2_147_483_647

# Facts that differ between printings of one card; all others are the card's own.
PRINTING_FACTS = frozenset({"rarity", "illustrator", "edition", "aliases", "note", "id", "expansion"})
PRINTING_FACTS_OF: Mapping[str, frozenset[str]] = {
    "highlander": frozenset({"gems", "misprint"}),
    "cfc": frozenset({"gid"}),
}
PLACE_FACTS = frozenset(
    {
        "name", "title", "printed_name", "set", "set_name", "set_size", "number", "number_as_printed",
        "variant", "external_ids", "is_deck_card",
    }
)  # fmt: skip
_ROUND_MARKS = re.compile(r"[●•·∙*]")
_UNPAIRED = re.compile(r"[\ud800-\udfff]")
_NUMBER = re.compile(r"^\s*(\d{1,9})\s*(?:/\s*(\d{1,9}))?\s*$")


@dataclass(frozen=True, slots=True)
class Described:
    """A record as a card and a printing; numbers of None are unknown."""

    place: str
    key: str
    key_is_given: bool
    name: str
    printed_name: str
    set_code: str = ""
    set_name: str = ""
    set_size: int | None = None
    number: int | None = None
    number_as_printed: str = ""
    variant: str = ""
    external_ids: Mapping[str, str] = field(default_factory=dict)
    is_deck_card: bool = True
    card_facts: Mapping[str, Any] = field(default_factory=dict)
    printing_facts: Mapping[str, Any] = field(default_factory=dict)


def is_storable(value: object) -> bool:
    """Whether a database can hold the value: no NUL, no half of a surrogate pair, no infinite number."""
    if isinstance(value, str):
        return "\0" not in value and (value.isascii() or _UNPAIRED.search(value) is None)
    if isinstance(value, Mapping):
        return all(is_storable(key) and is_storable(inner) for key, inner in value.items())
    if isinstance(value, list | tuple):
        return all(map(is_storable, value))
    return not isinstance(value, float) or isfinite(value)


def _on_one_line(text: object) -> str:
    return " ".join(str(text).split())


def slug(text: str) -> str:
    """Letters and digits joined by dashes, for keys that people may see in an address."""
    return "-".join(re.findall(r"\w+", normal(text).replace("'", ""))).replace("_", "-")


def describe(game: str, record: Record) -> Described | list[Problem]:
    """What the record says, or every reason why it cannot be taken in."""
    facts = {name: value for name, value in record.facts.items() if value is not None and value != ""}
    written = _on_one_line(facts.get("name") or facts.get("title") or facts.get("printed_name") or "")
    number = _number(facts)
    problems = [
        Problem(record.place, code, sentence) for code, sentence in _problems(record, facts, written, number)
    ]
    return problems or _described(game, record, facts, written, number)


def _described(
    game: str, record: Record, facts: dict[str, Any], written: str, number: tuple[int | None, int | None]
) -> Described:
    name, own = _name_and_facts(game, facts, written)
    card_facts, printing_facts = _parted(game, own)
    if "title" in facts:
        card_facts["title"] = name
    set_code = str(facts.get("set", "")).strip()
    variant = str(facts.get("variant", "")).strip()
    return Described(
        place=record.place,
        key=record.key or _made_key(set_code, number[0], name, card_facts, variant),
        key_is_given=record.key is not None,
        name=name,
        printed_name=_on_one_line(facts.get("printed_name", written)),
        set_code=set_code,
        set_name=str(facts.get("set_name", "")).strip(),
        set_size=number[1],
        number=number[0],
        number_as_printed=_number_text(facts),
        variant=variant,
        external_ids={str(k): str(v) for k, v in facts.get("external_ids", {}).items()},
        is_deck_card=facts.get("is_deck_card", True) is not False,
        card_facts=card_facts,
        printing_facts=printing_facts,
    )


def _problems(
    record: Record, facts: Mapping[str, Any], written: str, number: tuple[int | None, int | None]
) -> Iterator[tuple[str, str]]:
    yield from _name_problems(facts, written)
    if record.key is not None and not 0 < len(record.key.strip()) <= len(record.key) <= LONGEST_KEY:
        yield "key_unusable", f"A key has between 1 and {LONGEST_KEY} characters."
    if record.key is None and facts.get("distinct_from"):
        yield "key_missing", "A card that shares its name with another card needs a key."
    for name in ("set", "variant"):
        if len(str(facts.get(name, ""))) > LONGEST_SHORT_TEXT:
            yield f"{name}_too_long", f"A {name} has at most {LONGEST_SHORT_TEXT} characters."
    if any(part is not None and part > LARGEST_NUMBER for part in number):
        yield "number_too_large", "No set has that many cards."
    if not isinstance(facts.get("external_ids", {}), Mapping):
        yield "ids_not_an_object", "Outside identifiers are written as source and identifier."
    if not is_storable(facts):
        yield "text_unstorable", "The record holds a character or number that no text can hold."


def _name_problems(facts: Mapping[str, Any], written: str) -> Iterator[tuple[str, str]]:
    if not written:
        yield "name_missing", "The record has no name."
    if len(written) > LONGEST_NAME:
        yield "name_too_long", f"A name has at most {LONGEST_NAME} characters."
    if not all(isinstance(facts.get(part, ""), str) for part in ("name", "title", "printed_name", "type")):
        yield "name_not_text", "Names and type are text."
    dots = facts.get("dots", 0)
    if type(dots) is not int or not 0 <= dots <= MOST_DOTS:
        yield "dots_not_a_number", f"Rank dots are a whole number from 0 to {MOST_DOTS}."


def _number(facts: Mapping[str, Any]) -> tuple[int | None, int | None]:
    """Number and size of the set, from whichever field says them; "073/143" says both."""
    size = facts.get("set_size")
    for name in ("number", "number_as_printed"):
        match = _NUMBER.match(str(facts.get(name, "")))
        if match:
            size = size if size is not None else match[2]
            return int(match[1]), _whole(size)
    return None, _whole(size)


def _whole(value: object) -> int | None:
    match = _NUMBER.match(str(value))
    return int(match[1]) if match else None


def _number_text(facts: Mapping[str, Any]) -> str:
    return str(facts.get("number_as_printed", facts.get("number", ""))).strip()[:LONGEST_SHORT_TEXT]


def _name_and_facts(game: str, facts: Mapping[str, Any], written: str) -> tuple[str, dict[str, Any]]:
    """The name without rank marks, and the facts that are no name and no place in a set."""
    own = {name: value for name, value in facts.items() if name not in PLACE_FACTS}
    if game != "ufs":
        return written, own
    if isinstance(own.get("type"), str):
        own["type"] = own["type"].strip().casefold()
    bare, dots = without_rank(written)
    is_marked = dots is not None and (own.get("type") == "character" or _ROUND_MARKS.search(written))
    if is_marked and own.get("dots", dots) == dots:
        own["dots"] = dots
        return bare, own
    return written, own


@cache
def _facts_of_printings(game: str) -> frozenset[str]:
    return PRINTING_FACTS | PRINTING_FACTS_OF.get(game, frozenset())


def _parted(game: str, own: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    of_printing = _facts_of_printings(game)
    card = {name: value for name, value in own.items() if name not in of_printing}
    return card, {name: value for name, value in own.items() if name in of_printing}


def identity(
    game: str, key: str | None, name: str, facts: Mapping[str, Any], *, is_deck_card: bool = True
) -> str:
    """The text by which printings find their card.

    UFS: name and dots, and the printing itself where the catalogue says that a name is two cards
    (`distinct_from`). Highlander: title, owner and text; without a text nothing tells whether two ids are one
    card, so each stands alone. The miniatures: name and owner. Elsewhere the name is everything. A marker or
    a button that bears the name of a card is never that card.
    """
    parts = [normal(name)]
    if game == "ufs":
        parts.append(str(facts.get("dots") or 0))
        parts += [normal(key or "")] if facts.get("distinct_from") else []
    elif game == "highlander":
        text = facts.get("text")
        parts.append(normal(str(facts.get("owner", ""))))
        parts.append(
            f"text {normal(str(text))}" if text else f"id {normal(str(facts.get('id') or key or ''))}"
        )
    elif game == "sf_miniatures":
        parts.append(normal(str(facts.get("owner", ""))))
    return "|".join(parts if is_deck_card else [*parts, "no deck card"])


def _made_key(set_code: str, number: int | None, name: str, facts: Mapping[str, Any], variant: str) -> str:
    """A key for a record that brings none: set and number, else the name with its dots."""
    if set_code and number is not None:
        base = f"{set_code}-{number:03d}"
    else:
        base = "-".join(part for part in (set_code, slug(name), str(facts.get("dots") or "")) if part)
    return (f"{base}~{slug(variant)}" if variant else base)[:LONGEST_KEY]
