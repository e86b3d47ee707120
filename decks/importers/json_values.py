"""Parse JSON with the line of each value, within limits of depth and count."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from json import JSONDecodeError, JSONDecoder

from decks.importers.model import ParseProblem
from rules.reason import Reason, reason

MAX_JSON_DEPTH = 12

MAX_VALUES = 20_000

_decode = JSONDecoder(strict=False).raw_decode

_BLANK = re.compile(r"[ \t\r\n]*")

_SCALAR = re.compile(r"-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null")


@dataclass(slots=True)
class JsonValue:
    """One JSON value.

    `scalar` is a string, a number as text, True, False or None; `line` counts from 1.
    """

    kind: str
    line: int
    source: str = ""
    scalar: str | bool | None = None
    items: list[JsonValue] = field(default_factory=list)
    members: list[tuple[str, JsonValue]] = field(default_factory=list)

    @property
    def as_text(self) -> str:
        """A string or a number as text; anything else is empty."""
        return self.scalar if isinstance(self.scalar, str) else ""


class _Broken(Exception):
    def __init__(self, why: Reason, place: int) -> None:
        super().__init__(why.code)
        self.why = why
        self.place = place


class _JsonReader:
    def __init__(self, text: str) -> None:
        self.text = text
        self.place = 0
        self.line = 1
        self.value_count = 0
        self.values = 0

    def value(self, depth: int) -> JsonValue:
        self.blank()
        self.values += 1
        if depth > MAX_JSON_DEPTH or self.values > MAX_VALUES:
            raise _Broken(reason("too_large.values", line=self.line_here()), self.place)
        start, line = self.place, self.line_here()
        sign = self.text[start : start + 1]
        if sign == "{":
            value = self.object(depth, line)
        elif sign == "[":
            value = self.array(depth, line)
        else:
            value = self.scalar(sign, line)
        value.source = self.text[start : self.place]
        return value

    def scalar(self, sign: str, line: int) -> JsonValue:
        if sign == '"':
            return JsonValue("text", line, scalar=self.string())
        match = _SCALAR.match(self.text, self.place)
        if not match:
            raise _Broken(reason("json_malformed.no_value", line=self.line_here()), self.place)
        self.place = match.end()
        word = match[0]
        constants: dict[str, bool | None] = {"true": True, "false": False, "null": None}
        if word in constants:
            return JsonValue("constant", line, scalar=constants[word])
        return JsonValue("number", line, scalar=word)

    def string(self) -> str:
        try:
            text, self.place = _decode(self.text, self.place)
        except JSONDecodeError as error:
            line = self.text.count("\n", 0, error.pos) + 1
            raise _Broken(reason("json_malformed.text_open", line=line), error.pos) from error
        return str(text).encode("utf-8", "replace").decode("utf-8").replace("\0", "\ufffd")

    def array(self, depth: int, line: int) -> JsonValue:
        value = JsonValue("array", line)
        self.place += 1
        while not self.closes("]", first=not value.items):
            value.items.append(self.value(depth + 1))
        return value

    def object(self, depth: int, line: int) -> JsonValue:
        value = JsonValue("object", line)
        self.place += 1
        while not self.closes("}", first=not value.members):
            self.blank()
            if self.text[self.place : self.place + 1] != '"':
                raise _Broken(reason("json_malformed.no_key", line=self.line_here()), self.place)
            key = self.string()
            self.expect(":")
            value.members.append((key, self.value(depth + 1)))
        return value

    def closes(self, sign: str, *, first: bool) -> bool:
        """Step over the closing sign, or over the comma before the next element."""
        self.blank()
        if self.text[self.place : self.place + 1] == sign:
            self.place += 1
            return True
        if not first:
            self.expect(",")
        return False

    def expect(self, sign: str) -> None:
        self.blank()
        if self.text[self.place : self.place + 1] != sign:
            raise _Broken(reason("json_malformed.no_sign", line=self.line_here(), sign=sign), self.place)
        self.place += 1

    def blank(self) -> None:
        match = _BLANK.match(self.text, self.place)
        self.place = match.end() if match else self.place

    def line_here(self) -> int:
        self.line += self.text.count("\n", self.value_count, self.place)
        self.value_count = self.place
        return self.line


def read_json(text: str) -> JsonValue | ParseProblem:
    """Return the value that a text holds, or what is wrong with it.

    Keys given twice are kept twice.
    """
    reader = _JsonReader(text)
    try:
        value = reader.value(0)
        reader.blank()
        if reader.place != len(text):
            raise _Broken(reason("json_malformed.text_behind", line=reader.line_here()), reader.place)
    except _Broken as fault:
        return ParseProblem(fault.why, text.count("\n", 0, fault.place) + 1)
    return value
