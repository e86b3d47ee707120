"""Find the texts that say who a player is, and write the player's number in their place."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from tournament.shared.text import fold_name


class PersonalTexts:
    """Names and addresses of people, each with what is written in its place.

    Whole words are found, whatever their case; a name inside another word is none.
    """

    def __init__(self, replacements: Mapping[str, str]) -> None:
        self._replacements = {text.casefold(): new for text, new in replacements.items() if text.strip()}
        longest_first = sorted(self._replacements, key=len, reverse=True)
        words = "|".join(map(re.escape, longest_first))
        self._pattern = re.compile(rf"(?<!\w)(?:{words})(?!\w)" if words else r"(?!)", re.IGNORECASE)

    def is_in(self, value: Any) -> bool:
        """Whether a text, or any text in a value of JSON, has one of them."""
        return any(self._pattern.search(text) for text in _iter_texts(value))

    def without(self, value: Any) -> Any:
        """The value of JSON with the numbers in their place; keys and codes stay."""
        if isinstance(value, str):
            return self._pattern.sub(self._replace, value)
        if isinstance(value, list):
            return [self.without(each) for each in value]
        if isinstance(value, dict):
            return {key: each if key == "code" else self.without(each) for key, each in value.items()}
        return value

    def _replace(self, found: re.Match[str]) -> str:
        return self._replacements.get(found[0].casefold(), "")


def _iter_texts(value: Any) -> Iterable[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, list | dict):
        for each in value.values() if isinstance(value, dict) else value:
            yield from _iter_texts(each)


def list_replacements(names: Iterable[str], emails: Iterable[str], new_name: str) -> dict[str, str]:
    """What is written for names, for their folded forms, and for addresses of email."""
    replacements: dict[str, str] = {}
    for name in names:
        replacements |= {fold_name(name): fold_name(new_name), name: new_name}
    return {**replacements, **dict.fromkeys(emails, "")}
