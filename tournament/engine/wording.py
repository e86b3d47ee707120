"""Put the engine's reasons into words without Django, with ids for player names."""

from __future__ import annotations

from pathlib import Path

from rules.reason import Reason, Reference, has_references
from rules.rendering import get_messages, register_messages
from rules.text import truncate
from rules.wording import Joined, Placeholder

register_messages(Path(__file__).parent)


def format_words(section: str, reason: Reason, language: str = "") -> str:
    """Return a reason in words.

    They are in the reader's language unless another is named. A player is called "player 12".
    """
    return get_messages(language).text(section, reason, _name_by_id)


def format_sentence(section: str, reason: Reason) -> str:
    """Return the same, with a capital letter where it begins with a player."""
    words, messages = format_words(section, reason), get_messages()
    message = messages.find(section, reason.code) or messages.find("reason", reason.code)
    first = message.text[0] if message and message.text else ""
    is_name = isinstance(first, Placeholder | Joined) and has_references(reason.params.get(first.name))
    return f"{words[:1].upper()}{words[1:]}" if is_name else words


def _name_by_id(reference: Reference) -> str:
    key = truncate(reference.key)
    return f"player {key}" if reference.kind == "player" else key
