"""Markup of pasted lists.

It is forum codes, tags of web pages, Markdown, and the lines that they break.
"""

from __future__ import annotations

import html
import re
from dataclasses import dataclass
from itertools import pairwise

from decks.importers.names import clean
from decks.importers.places import split_leading_bracket
from decks.importers.quantity import split_quantity

_CODES = (
    r"b|i|u|s|size|color|colour|font|center|left|right|quote|code|spoiler|hide|list|url|img|card|cards|deck|"
    r"decklist|h[1-6]|strong|em|strike|indent|align|ul|ol|li|table|tr|td|th|p|br|hr|\*"
)

_BBCODE = re.compile(rf"\[/?(?:{_CODES})(?:=[^\]]{{0,120}})?\]", re.IGNORECASE)

_TAGS = re.compile(
    r"</?(?:a|b|i|u|s|br|p|li|ul|ol|dl|dt|dd|hr|tr|td|th|table|tbody|thead|strong|em|mark|small|del|ins|sup|sub|"
    r"code|pre|center|blockquote|section|article|span|div|h[1-6]|font)\b[^<>]{0,240}>",
    re.IGNORECASE,
)

_CELLS = re.compile(r"<(?:/t[dh]|/d[td])\b[^<>]{0,40}>|\[/t[dh]\]", re.IGNORECASE)

_BLOCKS = r"p|li|ul|ol|dl|hr|tr|table|tbody|thead|pre|center|blockquote|section|article|div|h[1-6]"

_BREAKS = re.compile(
    rf"<(?P<end>/)?(?P<tag>br|{_BLOCKS})\b[^<>]{{0,240}}>"
    r"|\[(?P<code_end>/)?(?P<code>br|hr|li|ul|ol|p|tr|table|list|quote|code|spoiler|hide|center|left|right|indent|h[1-6])"
    r"(?:=[^\]]{0,120})?\]|(?P<item>\[\*\])",
    re.IGNORECASE,
)

_VOID = {"br", "hr"}

_ENTITY = re.compile(
    r"&(?:amp|quot|lt|gt|nbsp|apos|#\d{2,5}|#x[0-9a-f]{2,4}|middot|bull|hellip|rsquo|lsquo|ndash);",
    re.IGNORECASE,
)

_EMPHASIS = re.compile(
    r"^\s*\[(?:b|u|i|size|color|h[1-6]|strong|center|font)\b|^\s*<(?:b|u|i|strong|h[1-6])\b", re.IGNORECASE
)

_MARKDOWN = re.compile(r"^\s*(?:(\*\*|__)(.+)\1|#{1,6}\s+(.+?)\s*#*)\s*:?\s*$")

_AROUND = re.compile(r"^(\*{1,3}|_{1,3}|~~|==|`)(?=[\w\[(])(.+?)\1$|^#{2,6}\s+(.+?)\s*#*$")

_BOLD_COUNT = re.compile(r"^(\*\*|__)(\d{1,3}\s?[xX×]?)\1(?=\s)")

_ITEM = re.compile(r"^\s*\[\*\]\s*")

_LONGEST = 20_000
"""Characters of a source line; a longer one is not taken apart."""


@dataclass(frozen=True, slots=True)
class StrippedLine:
    """A line without its markup.

    `is_emphasized` is set if all of it was bold, underlined or a heading.
    """

    text: str
    is_emphasized: bool
    had_codes: bool


def may_hold_markup(text: str) -> bool:
    """Return whether there is a sign with which codes, tags or entities begin."""
    return "[" in text or "<" in text or "&" in text


def count_breaks(text: str) -> int:
    """Return how many tags of a text may end a line."""
    return sum(1 for _ in _BREAKS.finditer(text)) if "<" in text or "[" in text else 0


def split_breaks(raw: str) -> list[str]:
    """Split a source line into the lines that its tags make of it.

    Joined, they are the source line again.
    """
    if not ("<" in raw or "[" in raw) or len(raw) > _LONGEST:
        return [raw]
    places = sorted({0, len(raw), *map(_break_at, _BREAKS.finditer(raw))})
    parts = [raw[start:end] for start, end in pairwise(places)]
    return _with_words(parts) or [raw]


def _break_at(match: re.Match[str]) -> int:
    """Return the position where a tag breaks the line.

    After a tag that closes or is empty, before one that opens.
    """
    closes = match["end"] or match["code_end"] or (match["tag"] or match["code"] or "").lower() in _VOID
    return match.end() if closes else match.start()


def _with_words(parts: list[str]) -> list[str]:
    """Join parts without words to their neighbors.

    A second break in a row becomes a blank line.
    """
    joined_words: list[str] = []
    pending_text = ""
    for part in parts:
        if strip_markup(part).text.strip():
            joined_words.append(pending_text + part)
            pending_text = ""
        elif joined_words and not pending_text and not _is_break(part):
            joined_words[-1] += part
        else:
            pending_text += part
            if joined_words and _is_break(part):
                joined_words.append(pending_text)
                pending_text = ""
    return [*joined_words[:-1], joined_words[-1] + pending_text] if joined_words else []


def _is_break(part: str) -> bool:
    return part.strip().lower().startswith(("<br", "[br", "<hr", "[hr"))


def strip_markup(raw: str) -> StrippedLine:
    """Take forum codes, simple tags and entities off one source line."""
    text, had_codes = raw, False
    if "]" in text and _BBCODE.search(text):
        had_codes = True
        text = _ITEM.sub("", text)
    is_emphasised = bool(_EMPHASIS.match(text)) and text.rstrip(" :\t")[-1:] in "]>"
    text = _CELLS.sub(" ", text)
    if had_codes:
        text = _BBCODE.sub("", text)
    if "<" in text:
        text = _TAGS.sub("", text)
    if "&" in text:
        text = _ENTITY.sub(lambda match: html.unescape(match[0]), text)
    return StrippedLine(text, is_emphasised, had_codes)


def strip_inline(raw: str) -> str:
    """Return the words of a single line.

    A line that its tags break into several is left unchanged.
    """
    return strip_markup(raw).text if may_hold_markup(raw) and len(split_breaks(raw)) == 1 else raw


def strip_markdown(text: str) -> str | None:
    """Return the words of a line that Markdown makes a heading, or None.

    Examples: `**Attacks**`, `## Attacks`.
    """
    if not text.startswith(("*", "_", "#")):
        return None
    match = _MARKDOWN.match(text)
    return (match[2] or match[3]).strip() if match else None


def unwrap_count(text: str) -> str:
    """Return a card line without the Markdown around it or its count.

    Examples: `**4 Foo**`, `**4** Foo`, `## 4 Foo`.
    """
    if text[:1] not in {"*", "_", "~", "=", "`", "#"}:
        return text
    text = _BOLD_COUNT.sub(r"\2", text)
    match = _AROUND.match(text)
    inner = clean(match[2] or match[3]) if match else ""
    has_count = split_quantity(split_leading_bracket(inner)[1]).place in {"leading", "marked"}
    return unwrap_count(inner) if has_count else text
