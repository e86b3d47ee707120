"""The words of our own messages: a name that is one of them is not surely a name."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from rules.rendering import get_messages
from rules.wording import SOURCE_LANGUAGE, Choice, Pattern


def make_word_key(text: str) -> str:
    """Return a text in the form in which it is compared.

    Case and the width of spaces make no difference.
    """
    return " ".join(text.split()).casefold()


def is_said_by_messages(name: str) -> bool:
    """Return whether messages say a name by themselves, such as “Time”."""
    key, words = make_word_key(name), _get_message_words()
    # Nearly no name is in them, and a search for a word takes thirty times as long.
    return key in words and re.search(rf"(?<!\w){re.escape(key)}(?!\w)", words) is not None


@cache
def _get_message_words() -> str:
    """Return all that our messages say by themselves, one piece a line."""
    sections = get_messages(SOURCE_LANGUAGE).sections.values()
    patterns = (message.text for entries in sections for message in entries.values())
    return "\n".join(make_word_key(text) for pattern in patterns for text in _iter_texts(pattern))


def _iter_texts(pattern: Pattern) -> Iterator[str]:
    for part in pattern:
        if isinstance(part, str):
            yield part
        elif isinstance(part, Choice):
            for word, text in part.texts.items():
                yield word
                yield from _iter_texts(text)
