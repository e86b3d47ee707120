"""Match a card with the facts that a list or a supply asks for."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Literal

from rules.deck import UNKNOWN, CardFacts
from rules.names import normalize_name

Match = Literal["yes", "no", "unknown"]


def match_card(card: CardFacts, wanted_facts: Mapping[str, object], *, ignoring: Iterable[str] = ()) -> Match:
    """Return whether a card has all wanted facts.

    The answer is "no" if one differs, else "unknown" if one is not known.
    """
    verdict: Match = "yes"
    for attribute, value in wanted_facts.items():
        if attribute in ignoring:
            continue
        fact = card.name if attribute == "name" else card.get(attribute)
        if fact is UNKNOWN:
            verdict = "unknown"
        elif not (_same_number if attribute == "id" else _is_same)(fact, value):
            return "no"
    return verdict


def _is_same(fact: object, value: object) -> bool:
    if isinstance(fact, str) and isinstance(value, str):
        return normalize_name(fact) == normalize_name(value)
    if isinstance(fact, str) and type(value) is int:
        # Collector numbers are printed padded and with the size of the set in places ("073/143").
        digits = fact.partition("/")[0].strip()
        return digits.isdecimal() and int(digits) == value
    return fact == value


def _same_number(fact: object, value: object) -> bool:
    """Compare card numbers without regard to dashes and blanks.

    They are printed with and without them: "HTVG-002", "HTVG002".
    """
    if isinstance(fact, str) and isinstance(value, str):
        return _letters_and_digits(fact) == _letters_and_digits(value)
    return _is_same(fact, value)


def _letters_and_digits(number: str) -> str:
    return "".join(sign for sign in normalize_name(number) if sign.isalnum())
