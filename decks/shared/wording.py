"""The messages of the whole application, collected from the `messages` folders of all packages."""

from __future__ import annotations

from functools import cache

from django.conf import settings

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
    return get_messages().text(section, reason, name)


def say_reason(reason: Reason, name: Name | None = None) -> str:
    """A stored reason in words, of whichever of these sections its code is."""
    messages = get_messages()
    section = next((each for each in REASON_SECTIONS if messages.find(each, reason.code)), REASON_SECTIONS[0])
    return messages.text(section, reason, name)


def format_fix(section: str, reason: Reason, name: Name | None = None) -> str:
    """The way out that belongs to a reason, in words; empty where there is none."""
    return get_messages().fix(section, reason, name)
