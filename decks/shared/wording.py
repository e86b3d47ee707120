"""Reasons in words, with the names of what they refer to."""

from __future__ import annotations

from rules.reason import Reason
from rules.rendering import get_messages
from rules.wording import Name

# The section of the messages for reasons that rows store.
REASON_SECTIONS = ("reason", "cut", "timed")


def format_reason(section: str, reason: Reason, name: Name | None = None) -> str:
    """Return a reason in words; `name` says what a reference is called."""
    return get_messages().text(section, reason, name)


def say_reason(reason: Reason, name: Name | None = None) -> str:
    """Return a stored reason in words, of whichever of these sections its code is."""
    messages = get_messages()
    sections = (section for section in REASON_SECTIONS if messages.find(section, reason.code))
    return messages.text(next(sections, REASON_SECTIONS[0]), reason, name)


def format_fix(section: str, reason: Reason, name: Name | None = None) -> str:
    """Return the fix that belongs to a reason, in words; empty if there is none."""
    return get_messages().fix(section, reason, name)
