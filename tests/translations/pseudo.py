"""The pseudo-locale: ⟦Ḽǿǿķş ļįķḗ ŧħįş⟧.

It is longer than English, so that forgotten texts stand out. Every text of Ringside has brackets in it. Text
outside brackets cannot be translated, unless `translate="no"` says that people or data wrote it.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from typing import Any

from django.conf import settings
from django.test import override_settings
from django.utils import translation
from django.utils.translation import trans_real

from rules import rendering
from rules.wording import Choice, Message, Messages, Pattern, parse
from tournament.languages import script_texts

LANGUAGE, FOLDER_NAME = "en-xa", "en_XA"
OPEN, CLOSE = "⟦", "⟧"
LONGER = 0.4
FILLER = "·"
PLAIN = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
ACCENTED = "ȦƁƇḒḖƑƓĦĪĴĶĿḾȠǾƤɊŘŞŦŬṼẆẊẎẐȧƀƈḓḗƒɠħīĵķŀḿƞǿƥɋřşŧŭṽẇẋẏẑ"
assert len(PLAIN) == len(ACCENTED)
ACCENTS = str.maketrans(PLAIN, ACCENTED)
# Values, mark-up and entities stay as they are.
KEPT = re.compile(r"%\(\w+\)[a-z]|%%|\{\w*\}|<[^>]*>|&\w+;|&#\d+;")
EMPTY_CATALOGUE = struct.pack("<7I", 0x950412DE, 0, 0, 28, 28, 0, 28)


def accent(text: str) -> str:
    """Put accents on the letters of a text, but not on values, mark-up and entities."""
    parts = KEPT.split(text)
    kept_parts = [*KEPT.findall(text), ""]
    return "".join(part.translate(ACCENTS) + value for part, value in zip(parts, kept_parts, strict=True))


def speak_pseudo(text: str) -> str:
    """Put a whole text in brackets, with accents, and lengthen it.

    It becomes longer as in other languages.
    """
    if not text.strip():
        return text
    letters = sum(char.isalpha() for char in KEPT.sub("", text))
    return f"{OPEN}{accent(text)}{FILLER * round(letters * LONGER)}{CLOSE}"


def accent_pattern(pattern: Pattern) -> Pattern:
    """Put accents on the parts of a message, its choices too."""
    return tuple(
        part.translate(ACCENTS)
        if isinstance(part, str)
        else Choice(part.name, part.kind, {word: accent_pattern(text) for word, text in part.texts.items()})
        if isinstance(part, Choice)
        else part
        for part in pattern
    )


class PseudoMessage(Message):
    """A message of the rules in the pseudo-locale."""

    @cached_property
    def text(self) -> Pattern:
        return (OPEN, *accent_pattern(parse(self.source_text)), CLOSE)

    @cached_property
    def fix(self) -> Pattern:
        return (OPEN, *accent_pattern(parse(self.source_fix)), CLOSE) if self.source_fix else ()


class PseudoMessages(Messages):
    """All messages with accents, texts of games' data among them.

    None is left to English.
    """

    def over(self, source: Messages) -> Messages:
        """Return the messages themselves: nothing is missing."""
        return self

    def find(self, section: str, code: str) -> Message | None:
        """Return the message of a code; each text of data has one."""
        return Message(speak_pseudo(code)) if section == "text" else super().find(section, code)


class PseudoTranslation(trans_real.DjangoTranslation):
    """The texts of Django and Ringside in the pseudo-locale."""

    def __init__(self) -> None:
        super().__init__("en")
        self._DjangoTranslation__language = LANGUAGE
        self._DjangoTranslation__to_language = LANGUAGE

    def gettext(self, message: str) -> str:
        # Django asks for a text with a context by both in one.
        return speak_pseudo(message.rpartition(trans_real.CONTEXT_SEPARATOR)[2])

    def ngettext(self, singular: str, plural: str, number: int) -> str:
        text = singular if number == 1 else plural
        return speak_pseudo(text.rpartition(trans_real.CONTEXT_SEPARATOR)[2])

    def pgettext(self, context: str, message: str) -> str:
        return speak_pseudo(message)

    def npgettext(self, context: str, singular: str, plural: str, number: int) -> str:
        return speak_pseudo(singular if number == 1 else plural)


def _read_messages(language: str, more: tuple[Path, ...]) -> Messages:
    """Return messages of the rules: English ones with accents in the pseudo-locale."""
    if language != LANGUAGE:
        return READ_MESSAGES(language, more)
    english = READ_MESSAGES("en", more)
    sections = {
        section: {
            code: PseudoMessage(message.source_text, message.source_fix) for code, message in entries.items()
        }
        for section, entries in english.sections.items()
        if section != "words"
    }
    sections["words"] = {"and": Message(" & "), "or": Message(" / "), "comma": Message(", ")}
    return PseudoMessages(LANGUAGE, sections)


READ_MESSAGES = rendering._read_messages
SCRIPT = """
{catalogue}
(() => {{
  const accents = new Map([...{plain!r}].map((letter, at) => [letter, [...{accented!r}][at]]));
  const kept = /(%\\(\\w+\\)[a-z]|%%)/;
  const speak = (text) => {open!r} + text.split(kept).map((part, at) => at % 2 ? part
    : [...part].map((letter) => accents.get(letter) || letter).join("")).join("") + {close!r};
  globalThis.gettext = speak;
  globalThis.pgettext = (context, text) => speak(text);
  globalThis.ngettext = (one, more, count) => speak(count === 1 ? one : more);
  globalThis.npgettext = (context, one, more, count) => speak(count === 1 ? one : more);
}})();
"""


def _write_script(language: str) -> bytes:
    catalogue = WRITE_TEXTS("en").decode()
    if language != LANGUAGE:
        return WRITE_TEXTS(language)
    return SCRIPT.format(catalogue=catalogue, plain=PLAIN, accented=ACCENTED, open=OPEN, close=CLOSE).encode()


WRITE_TEXTS = script_texts._write_texts


def _forget() -> None:
    """Drop what was remembered; Django forgets its languages with its settings."""
    trans_real._translations.pop(LANGUAGE, None)
    rendering._load_messages.cache_clear()
    script_texts.get_mark.cache_clear()


@contextmanager
def pseudo_language(folder: Path, monkeypatch: Any) -> Iterator[str]:
    """Offer the language besides the others; `folder` takes an empty catalogue.

    Gives its code.
    """
    catalogue = folder / FOLDER_NAME / "LC_MESSAGES" / "django.mo"
    catalogue.parent.mkdir(parents=True)
    catalogue.write_bytes(EMPTY_CATALOGUE)
    monkeypatch.setattr(rendering, "_read_messages", _read_messages)
    monkeypatch.setattr(script_texts, "_write_texts", _write_script)
    languages = [*settings.LANGUAGES, (LANGUAGE, "Pseudo")]
    paths = [*settings.LOCALE_PATHS, str(folder)]
    with override_settings(LANGUAGES=languages, LOCALE_PATHS=paths):
        _forget()
        trans_real._translations[LANGUAGE] = PseudoTranslation()
        try:
            yield LANGUAGE
        finally:
            translation.activate("en")
    _forget()
