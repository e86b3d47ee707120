"""The messages of the whole application, collected from the `messages` folders of all packages."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from django.conf import settings

from rules import rendering
from rules.reason import Reason
from rules.wording import SOURCE_LANGUAGE, Messages, Name

# Where the reasons that rows store have their messages.
REASON_SECTIONS = ("reason", "cut", "timed")


@cache
def get_messages(language: str = SOURCE_LANGUAGE) -> Messages:
    """All messages of a language. Raises BadMessage where a file cannot be read or a code stands twice."""
    folders = (folder for package in settings.MESSAGE_PACKAGES for folder in package.rglob("messages"))
    return Messages.load(folders, language)


def format_reason(section: str, reason: Reason, name: Name | None = None) -> str:
    """A reason in words; `name` says what a reference is called."""
    return _find_messages((section,), reason.code)[0].text(section, reason, name)


def say_reason(reason: Reason, name: Name | None = None) -> str:
    """A stored reason in words, of whichever of these sections its code is."""
    messages, section = _find_messages(REASON_SECTIONS, reason.code)
    return messages.text(section, reason, name)


def _find_messages(sections: Sequence[str], code: str) -> tuple[Messages, str]:
    """The messages that have the code, those of games in other folders too, and its section."""
    for messages in (get_messages(), rendering.get_messages()):
        for section in sections:
            if messages.find(section, code):
                return messages, section
    return get_messages(), sections[0]


def format_fix(section: str, reason: Reason, name: Name | None = None) -> str:
    """The way out that belongs to a reason, in words; empty where there is none."""
    return get_messages().fix(section, reason, name)
