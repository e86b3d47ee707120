"""Replace the texts that say who a player is with the player's number."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from tournament.shared.message_words import is_said_by_messages, make_word_key
from tournament.shared.text import fold_name


class PersonalTexts:
    """Full names and addresses of people, each with what is written in its place.

    A name is found as whole words, not inside another word and not inside the longer name of one of the
    `others`. Its case says nothing, but for a name that our own messages have as words, such as “Time”: that
    is found as it is written.
    """

    def __init__(self, replacements: Mapping[str, str], *, others: Iterable[str] = ()) -> None:
        texts = [text for text in replacements if text.strip()]
        self._replacements = {make_word_key(text): replacements[text] for text in texts}
        self._doubtful = {key for key in self._replacements if is_said_by_messages(key)}
        self._own_pattern = self._compile(texts)
        longer = [name for name in others if self._own_pattern.search(name)]
        self._all = self._compile([*texts, *longer])

    def _compile(self, texts: Iterable[str]) -> re.Pattern[str]:
        longest_first = sorted(set(texts), key=len, reverse=True)
        names = "|".join(map(self._alternative, longest_first))
        return re.compile(rf"(?<!\w)(?:{names})(?!\w)" if names else r"(?!)")

    def _alternative(self, text: str) -> str:
        words = r"\s+".join(map(re.escape, text.split()))
        return words if make_word_key(text) in self._doubtful else f"(?i:{words})"

    def _find(self, text: str) -> Iterator[str]:
        if self._own_pattern.search(text):
            keys = (make_word_key(match[0]) for match in self._all.finditer(text))
            yield from (key for key in keys if key in self._replacements)

    def is_in(self, text: str) -> bool:
        """Return whether a text has one of them."""
        return any(True for _ in self._find(text))

    def is_surely_in(self, text: str) -> bool:
        """Return whether a text has one that is nothing but a name."""
        return any(key not in self._doubtful for key in self._find(text))

    def without(self, text: str) -> str:
        """Return the text with the numbers in their place."""
        return self._all.sub(self._replace, text) if self._own_pattern.search(text) else text

    def without_sure(self, text: str) -> str:
        """Return the same, but for names that may be words of Ringside itself."""
        return self.without(text) if self.is_surely_in(text) else text

    def _replace(self, match: re.Match[str]) -> str:
        return self._replacements.get(make_word_key(match[0]), match[0])


def map_texts(
    value: Any, new: Callable[[str], str], is_text: Callable[[str], bool], *, is_own_text: bool = True
) -> Any:
    """Return a JSON value with its texts replaced by `new`.

    These are a text by itself and those under the keys that hold texts.
    """
    if isinstance(value, str):
        return new(value) if is_own_text else value
    if isinstance(value, list):
        return [map_texts(each, new, is_text, is_own_text=is_own_text) for each in value]
    if isinstance(value, dict):
        return {key: map_texts(each, new, is_text, is_own_text=is_text(key)) for key, each in value.items()}
    return value


def list_replacements(names: Iterable[str], emails: Iterable[str], new_name: str) -> dict[str, str]:
    """Return the replacements for names, their folded forms, and email addresses."""
    replacements: dict[str, str] = {}
    for name in names:
        folded_names = {} if is_said_by_messages(name) else {fold_name(name): fold_name(new_name)}
        replacements |= {**folded_names, name: new_name}
    return {**replacements, **dict.fromkeys(emails, "")}
