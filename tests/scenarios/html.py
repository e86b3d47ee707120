"""HTML without the line breaks of its templates.

Where a line is folded makes no difference to a page. A space that a browser shows stays one space: it counts
next to inline elements, but not next to blocks.
"""

from __future__ import annotations

import re
from typing import Any

INLINE = frozenset({
    "a", "abbr", "b", "bdi", "button", "cite", "code", "data", "del", "dfn", "em", "i", "img", "input", "ins",
    "kbd", "label", "mark", "meter", "output", "progress", "q", "s", "samp", "select", "small", "span",
    "strong", "sub", "sup", "svg", "textarea", "time", "tspan", "u", "var", "wbr",
})  # fmt: skip
_SPACE = re.compile(r"[ \t\n\f\r]+")
_TAG = r"""<[/a-zA-Z!](?:"[^"]*"|'[^']*'|[^'">])*>"""
_OPENING = re.compile(_TAG)
_LITERAL = "|".join(rf"<{name}\b.*?</{name}>" for name in ("pre", "textarea", "script", "style"))
_TAGS = re.compile(rf"(<!--.*?-->|{_LITERAL}|{_TAG})", re.DOTALL)
_NAME = re.compile(r"[\w!-]+")
_CLASSES_VALUE_OR_SPACE = re.compile(r"""(?<=\sclass=)"([^"]*)"|("[^"]*"|'[^']*')|\s+""")


def html_of(answer: Any) -> str:
    """Return the page of an answer, squeezed."""
    return squeeze(answer.content.decode())


def squeeze(html: str) -> str:
    """Make one line of a page or a part of it.

    Values of attributes (but for `class`) and all inside of pre, textarea, script and style stay as they are.
    """
    parts = _TAGS.split(html)
    tags = ["", *map(_squeeze_tag, parts[1::2]), ""]
    texts = [
        _squeeze_text(text, before, after)
        for before, text, after in zip(tags, parts[::2], tags[1:], strict=False)
    ]
    return "".join(tag + text for tag, text in zip(tags, texts, strict=False))


def _squeeze_tag(tag: str) -> str:
    """Return a tag in one line; of an element that is one part its opening tag."""
    opening = _OPENING.match(tag)
    if opening is None:
        return tag
    line = _CLASSES_VALUE_OR_SPACE.sub(_squeeze_class, opening[0])
    return re.sub(r" (/?>)$", r"\1", line) + tag[opening.end() :]


def _squeeze_class(match: re.Match[str]) -> str:
    if match[1] is not None:
        return f'"{" ".join(match[1].split())}"'
    return match[2] or " "


def _squeeze_text(text: str, before: str, after: str) -> str:
    """Return the text between two tags, without the spaces that no browser shows."""
    words = _SPACE.sub(" ", text)
    if not _shows_space(before, is_inside=not before.startswith("</")):
        words = words.removeprefix(" ")
    if not _shows_space(after, is_inside=after.startswith("</")):
        words = words.removesuffix(" ")
    return words


def _shows_space(tag: str, *, is_inside: bool) -> bool:
    """Return whether a space next to this tag is shown.

    The space is inside or outside the element.
    """
    name = _NAME.search(tag)
    if name is None or name[0] not in INLINE:
        return tag.startswith("<!--")
    return not (is_inside and name[0] == "button")
