"""Messages by language.

They are what a code says, with named parameters, plurals and choices. A message is written in a part of ICU
MessageFormat, the format that translators' tools read:

    {name}                                          a parameter; a list as "A, B and C"
    {count, plural, one {# card} other {# cards}}   by number; =0 {…} for one number, # is the number
    {cards, plural, one {is} other {are}}           by how many different words a list has
    {place, selectordinal, one {#st} two {#nd} few {#rd} other {#th}}
    {zone, select, main {main deck} other {…}}      by a word of a closed set
    {players, list}   {players, list, or}           "A, B and C"; "A, B or C"
    {faults, list, ;}                               "A; B; C", for parts that are long
    {faults, list, .}                               "A. B. C.", for whole sentences
    {since, date}                                   "2026-11-23" as "Mon 23 Nov 2026", with its time

Files are in folders named `messages`, one file a language: `messages/en.toml`, with a table for each section
(log, refusal, finding, reason). An entry is a text, or a table of `text` and `fix`. A reason inside another
is looked up in the same section, then in those of `SHARED_SECTIONS`. Inside a sentence of `SENTENCE_SECTIONS`
it is looked up in the shared sections first.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from functools import cached_property
from pathlib import Path
from typing import TypeAlias, TypeGuard

from rules.bidi import isolate
from rules.data_texts import TEXTS_OF_DATA
from rules.plurals import plural_form
from rules.reason import TOLD, Param, Reason, Reference, join_parts

SOURCE_LANGUAGE = "en"
SHARED_SECTIONS = ("reason", "problem", "explain", "format", "timed", "cut")
# The text between the parts of a list, by code of the section `words`.
LIST_WORDS = {"and": " and ", "or": " or ", "comma": ", "}
# Messages of these sections are sentences. A reason inside one is a part, even if a sentence has its code.
SENTENCE_SECTIONS = frozenset({"log"})

Name = Callable[[Reference], str]


class BadMessage(ValueError):
    """A message that cannot be read; the text says which and why."""


@dataclass(frozen=True, slots=True)
class Placeholder:
    """A parameter as it is."""

    name: str


@dataclass(frozen=True, slots=True)
class Choice:
    """One of several texts, by a parameter: plural, selectordinal or select."""

    name: str
    kind: str
    texts: Mapping[str, Pattern]


@dataclass(frozen=True, slots=True)
class Joined:
    """A list in a sentence; `conjunction` is "and", "or", ";" or "."."""

    name: str
    conjunction: str


@dataclass(frozen=True, slots=True)
class Dated:
    """A day as it is written in a sentence, or a day and a time."""

    name: str


Part: TypeAlias = "str | Placeholder | Choice | Joined | Dated"
Pattern: TypeAlias = tuple[Part, ...]

NUMBER = Placeholder("#")
# Text up to the next sign that means something; # is a number within a plural alone.
LITERAL, COUNTED = re.compile(r"[^{}]*"), re.compile(r"[^{}#]*")
ARGUMENT = re.compile(r"\s*(\w+)\s*(?:,\s*(\w+)\s*)?([,}])")
CHOICE = re.compile(r"\s*([^\s{}]*)\s*([{}])")
KINDS = frozenset({"plural", "selectordinal", "select"})


def parse(text: str) -> Pattern:
    """Return the parts of a message. Raises BadMessage."""
    parts, end = _parse(text, 0, LITERAL)
    if end != len(text):
        raise BadMessage(f"a }} too many in {text!r}")
    return parts


def _parse(text: str, position: int, literal: re.Pattern[str]) -> tuple[Pattern, int]:
    """Return the parts from `position` to the closing brace, and where that is."""
    parts: list[Part] = []
    while True:
        end = _end(literal, text, position)
        if end > position:
            parts.append(text[position:end])
        if end == len(text) or text[end] == "}":
            return tuple(parts), end
        part, position = (NUMBER, end + 1) if text[end] == "#" else _parse_argument(text, end + 1)
        parts.append(part)


def _end(pattern: re.Pattern[str], text: str, position: int) -> int:
    match = pattern.match(text, position)
    return match.end() if match else position


def _parse_argument(text: str, start: int) -> tuple[Part, int]:
    """Return the part whose brace opens before `start`, and where the text goes on."""
    match = ARGUMENT.match(text, start)
    if match is None:
        raise BadMessage(f"a brace of {text!r} names no parameter, or is not closed")
    name, kind, sign = match.groups()
    if kind is None and sign == "}":
        return Placeholder(name), match.end()
    if kind == "list":
        return _parse_joined(text, name, match.end() - len(sign))
    if kind == "date" and sign == "}":
        return Dated(name), match.end()
    if kind not in KINDS:
        raise BadMessage(f"{kind!r} is no kind of choice")
    texts, end = _parse_choices(text, match.end(), LITERAL if kind == "select" else COUNTED)
    if "other" not in texts:
        raise BadMessage(f"{name} has no text for other in {text!r}")
    return Choice(name, kind, texts), end


def _parse_joined(text: str, name: str, position: int) -> tuple[Part, int]:
    end = _end(LITERAL, text, position)
    if text[end : end + 1] != "}":
        raise BadMessage(f"a }} is missing in {text!r}")
    return Joined(name, text[position:end].strip(" ,") or "and"), end + 1


def _parse_choices(text: str, position: int, literal: re.Pattern[str]) -> tuple[dict[str, Pattern], int]:
    texts: dict[str, Pattern] = {}
    while match := CHOICE.match(text, position):
        if match[2] == "}":
            return texts, match.end()
        texts[match[1]], end = _parse(text, match.end(), literal)
        position = end + 1
    raise BadMessage(f"a choice has no text, or a }} is missing in {text!r}")


def parameters(pattern: Pattern) -> frozenset[str]:
    """Return the names of the parameters that a message uses."""
    names: set[str] = set()
    for part in pattern:
        if isinstance(part, Choice):
            names |= {part.name}.union(*(parameters(text) for text in part.texts.values()))
        elif not isinstance(part, str) and part is not NUMBER:
            names.add(part.name)
    return frozenset(names - {"#"})


# No slots: it keeps what it parsed when someone first asked for it.
@dataclass(frozen=True)
class Message:
    """The message of a code, and its fix if it has one, as they are written."""

    source_text: str
    source_fix: str = ""

    @cached_property
    def text(self) -> Pattern:
        """The parts of the text. Raises BadMessage."""
        return parse(self.source_text)

    @cached_property
    def fix(self) -> Pattern:
        """The parts of the fix. Raises BadMessage."""
        return parse(self.source_fix)

    @property
    def parameters(self) -> frozenset[str]:
        """The names of the parameters that text and fix use."""
        return parameters(self.text) | parameters(self.fix)


class Messages:
    """The messages of one language, by section and code."""

    def __init__(self, language: str, sections: Mapping[str, Mapping[str, Message]]) -> None:
        self.language = language
        self.sections = sections
        words = sections.get("words", {})
        self._and, self._or, self._comma = (
            str(words[name].text[0]) if name in words else standard for name, standard in LIST_WORDS.items()
        )

    @classmethod
    def load(
        cls, folders: Iterable[Path], language: str = SOURCE_LANGUAGE, *, is_checked: bool = True
    ) -> Messages:
        """Return a language's messages. Raises BadMessage, also if one occurs twice.

        Those that are not checked are parsed when they are first shown, which starts a program sooner.
        """
        files = (folder / f"{language}.toml" for folder in folders)
        messages = (
            (str(file), tomllib.loads(file.read_text(encoding="utf-8")))
            for file in sorted(files)
            if file.is_file()
        )
        return cls.of(messages, language, is_checked=is_checked)

    @classmethod
    def of(
        cls,
        files: Iterable[tuple[str, Mapping[str, object]]],
        language: str = SOURCE_LANGUAGE,
        *,
        is_checked: bool = True,
    ) -> Messages:
        """Return the messages of files, each with its name. Raises BadMessage."""
        sections: dict[str, dict[str, Message]] = {}
        for file, data in files:
            for section, entries in data.items():
                if not isinstance(entries, Mapping):
                    raise BadMessage(f"{file}: {section} is no table of messages")
                of_section = sections.setdefault(section, {})
                for code, entry in entries.items():
                    if code in of_section:
                        raise BadMessage(f"{file}: {section}.{code} stands twice")
                    place = f"{file}: {section}.{code}"
                    of_section[code] = message = _read_message(place, entry)
                    if is_checked:
                        _check_message(place, message)
        return cls(language, sections)

    def over(self, source: Messages) -> Messages:
        """Return these messages, with those of `source` for codes that they lack."""
        sections = {section: dict(entries) for section, entries in source.sections.items()}
        for section, entries in self.sections.items():
            sections[section] = {**sections.get(section, {}), **entries}
        return Messages(self.language, sections)

    def find(self, section: str, code: str) -> Message | None:
        """Return the message of a code; None if there is none."""
        return self.sections.get(section, {}).get(code)

    def text_of_data(self, text: str) -> str:
        """Return a text of a game's data in this language, itself if that lacks it."""
        message = self.find("text", text)
        return message.source_text if message else text

    def _value(self, reason: Reason, name: str, otherwise: Param = None) -> Param:
        """Return a parameter; a text of a game's data in this language."""
        value = reason.params.get(name, otherwise)
        if (reason.code, name) not in TEXTS_OF_DATA:
            return value
        if isinstance(value, tuple):
            return tuple(self.text_of_data(each) if isinstance(each, str) else each for each in value)
        return self.text_of_data(value) if isinstance(value, str) else value

    def _find(self, section: str, code: str, *, is_inside: bool = False) -> Message | None:
        is_part = is_inside and section in SENTENCE_SECTIONS
        order = (*SHARED_SECTIONS, section) if is_part else (section, *SHARED_SECTIONS)
        messages = (self.find(each, code) for each in order)
        return next((message for message in messages if message), None)

    def text(self, section: str, reason: Reason, name: Name | None = None) -> str:
        """Return a reason in words; `name` names references, else their kind and key do."""
        return self._text(section, reason, name)

    def _text(self, section: str, reason: Reason, name: Name | None, *, is_inside: bool = False) -> str:
        if TOLD in reason.params:
            return join_parts(reason.params[TOLD], lambda each: self._format(each, section, name))
        message = self._find(section, reason.code, is_inside=is_inside)
        return self._render(message.text, section, reason, name) if message else reason.code

    def fix(self, section: str, reason: Reason, name: Name | None = None) -> str:
        """Return the smallest fix, in words; empty if there is none."""
        if TOLD in reason.params:
            return ""
        message = self._find(section, reason.code)
        return self._render(message.fix, section, reason, name) if message else ""

    def _render(
        self, pattern: Pattern, section: str, reason: Reason, name: Name | None, number: Param = None
    ) -> str:
        rendered_parts = []
        for part in pattern:
            if isinstance(part, str):
                rendered_parts.append(part)
            elif isinstance(part, Placeholder):
                value = number if part.name == "#" else self._value(reason, part.name, f"{{{part.name}}}")
                rendered_parts.append(self._format(value, section, name))
            elif isinstance(part, Joined):
                rendered_parts.append(self._join(part, section, reason, name))
            elif isinstance(part, Dated):
                rendered_parts.append(self._date(reason.params.get(part.name), section, name))
            else:
                value = reason.params.get(part.name)
                if part.kind != "select" and _is_list(value):
                    value = len(self._words(value, section, name))
                text = part.texts[self._form(part, value)]
                selector = number if part.kind == "select" else value
                rendered_parts.append(self._render(text, section, reason, name, selector))
        return "".join(rendered_parts)

    def _form(self, choice: Choice, value: Param) -> str:
        if choice.kind == "select":
            word = _select_word(value)
            return word if word in choice.texts else "other"
        exact = f"={value}"
        if exact in choice.texts or type(value) is not int:
            return exact if exact in choice.texts else "other"
        form = plural_form(self.language, value, ordinal=choice.kind == "selectordinal")
        return form if form in choice.texts else "other"

    def _join(self, part: Joined, section: str, reason: Reason, name: Name | None) -> str:
        words = self._words(self._value(reason, part.name), section, name)
        if part.conjunction == ".":
            return " ".join(words)
        if part.conjunction == ";":
            return "; ".join(words)
        return self.join(words, self._or if part.conjunction == "or" else self._and)

    def join(self, words: Sequence[str], conjunction: str = "") -> str:
        """Return words as a list, "A, B and C" unless another conjunction is given."""
        if len(words) < 2:
            return "".join(words)
        return f"{self._comma.join(words[:-1])}{conjunction or self._and}{words[-1]}"

    def _date(self, value: Param, section: str, name: Name | None) -> str:
        """Return 2026-11-23, or 2026-11-23T10:30, in words; anything else unchanged."""
        try:
            day = datetime.fromisoformat(value) if isinstance(value, str) else None
        except ValueError:
            day = None
        if day is None:
            return self._format(value, section, name)
        words = Reason("calendar_day", describe_calendar_day(day))
        if "T" in str(value):
            words = Reason("calendar_time", {"day": words, "time": f"{day:%H:%M}"})
        return self._format(words, section, name)

    def _words(self, value: Param, section: str, name: Name | None) -> list[str]:
        """Return the different words of a list in its order, or the one of a value."""
        values = value if _is_list(value) else (value,)
        return list(dict.fromkeys(self._format(each, section, name) for each in values))

    def _format(self, value: Param, section: str, name: Name | None) -> str:
        if isinstance(value, Reason):
            return self._text(section, value, name, is_inside=True)
        if isinstance(value, Reference):
            return isolate(name(value) if name else _plain_name(value), self.language)
        if isinstance(value, tuple):
            return self.join([self._format(each, section, name) for each in value])
        if isinstance(value, str):
            return isolate(value, self.language)
        return "" if value is None else str(value)


def describe_calendar_day(day: date) -> dict[str, Param]:
    """Return the parts of a day as messages name them; Monday is weekday 1."""
    return {"weekday": day.isoweekday(), "day": day.day, "month": day.month, "year": day.year}


def _is_list(value: Param) -> TypeGuard[tuple[Param, ...]]:
    return isinstance(value, tuple) and not isinstance(value, Reason | Reference)


def _select_word(value: Param) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "none" if value is None else str(value)


def _plain_name(reference: Reference) -> str:
    key = ".".join(map(str, reference.key)) if isinstance(reference.key, tuple) else reference.key
    return f"{reference.kind} {key}"


def _read_message(place: str, entry: object) -> Message:
    texts = {"text": entry} if isinstance(entry, str) else entry
    if not isinstance(texts, Mapping) or not set(texts) <= {"text", "fix"} or "text" not in texts:
        raise BadMessage(f"{place} is neither a text nor a table of text and fix")
    return Message(str(texts["text"]), str(texts.get("fix", "")))


def _check_message(place: str, message: Message) -> None:
    try:
        _ = message.text, message.fix
    except BadMessage as error:
        raise BadMessage(f"{place}: {error}") from error
