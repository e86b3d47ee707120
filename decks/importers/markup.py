"""Forum codes, tags and entities around the lines of a pasted list."""

from __future__ import annotations

import html
import re
from typing import NamedTuple

_CODES = (
    r"b|i|u|s|size|color|colour|font|center|left|right|quote|code|spoiler|hide|list|url|img|card|cards|deck|"
    r"decklist|h[1-6]|strong|em|strike|indent|align|ul|ol|li|table|tr|td|\*"
)
_BBCODE = re.compile(rf"\[/?(?:{_CODES})(?:=[^\]]{{0,120}})?\]", re.IGNORECASE)
_TAGS = re.compile(r"</?(?:b|i|u|br|p|li|ul|ol|strong|em|span|div|h[1-6]|font)\b[^<>]{0,120}>", re.IGNORECASE)
_ENTITY = re.compile(
    r"&(?:amp|quot|lt|gt|nbsp|apos|#\d{2,5}|#x[0-9a-f]{2,4}|middot|bull|hellip|rsquo|lsquo|ndash);",
    re.IGNORECASE,
)
_EMPHASIS = re.compile(
    r"^\s*\[(?:b|u|i|size|color|h[1-6]|strong|center|font)\b|^\s*<(?:b|u|i|strong|h[1-6])\b", re.IGNORECASE
)
_MARKDOWN = re.compile(r"^\s*(?:(\*\*|__)(.+)\1|#{1,6}\s+(.+?)\s*#*)\s*:?\s*$")
_ITEM = re.compile(r"^\s*\[\*\]\s*")


class Unmarked(NamedTuple):
    """A line without its markup; `emphasised` when all of it stood in bold, underlined or as a heading."""

    text: str
    emphasised: bool
    had_codes: bool


def strip_markup(raw: str) -> Unmarked:
    """Take forum codes, simple tags and entities off one source line."""
    text, had_codes = raw, False
    if "]" in text and _BBCODE.search(text):
        had_codes = True
        text = _ITEM.sub("", text)
    emphasised = bool(_EMPHASIS.match(text)) and text.rstrip(" :\t")[-1:] in "]>"
    if had_codes:
        text = _BBCODE.sub("", text)
    if "<" in text:
        text = _TAGS.sub("", text)
    if "&" in text:
        text = _ENTITY.sub(lambda found: html.unescape(found[0]), text)
    return Unmarked(text, emphasised, had_codes)


def strip_markdown(text: str) -> str | None:
    """The words of a line that Markdown makes a heading (`**Attacks**`, `## Attacks`), or None."""
    if not text.startswith(("*", "_", "#")):
        return None
    found = _MARKDOWN.match(text)
    return (found[2] or found[3]).strip() if found else None
