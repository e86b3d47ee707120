"""Render documentation pages: Markdown in, safe HTML and searchable text out."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from django.utils.safestring import SafeString
from markdown_it import MarkdownIt
from markdown_it.token import Token

# HTML in a page is shown as text, and addresses that could run something are no links.
MARKDOWN = MarkdownIt("commonmark", {"html": False}).enable("table")
WRAPPERS = {
    '<div class="table-box"><table role="table" class="table">': "table_open",
    "</table></div>": "table_close",
}
TABLE_ROLES = {
    "thead": "rowgroup",
    "tbody": "rowgroup",
    "tr": "row",
    "th": "columnheader",
    "td": "cell",
}
for _html, _rule in WRAPPERS.items():
    MARKDOWN.add_render_rule(_rule, lambda *_, html=_html: f"{html}\n")

FindAddress = Callable[[str], str]
FindSize = Callable[[str], tuple[int, int] | None]


@dataclass(frozen=True, slots=True)
class RenderedPage:
    """A page without its title.

    `blocks` are the texts of its paragraphs, list items, headings and cells.
    """

    title: str
    html: SafeString
    blocks: tuple[str, ...]


def render_page(
    source: str, find_address: FindAddress, find_size: FindSize = lambda target: None
) -> RenderedPage:
    """Render a page that begins with its title.

    `find_address` turns the target of a link or picture into an address; empty if there is none. `find_size`
    tells width and height of a picture in pixels, so that a browser keeps its place free.
    """
    heading, *tokens = _split_title(MARKDOWN.parse(source))
    for token in tokens:
        for child in token.children or ():
            _set_size(child, find_size)
            _set_addresses(child, find_address)
        _unlink(token.children or ())
    _name_headings(tokens)
    _set_roles(tokens)
    html = MARKDOWN.renderer.render(tokens, MARKDOWN.options, {})
    # Everything in a page is escaped by the renderer.
    return RenderedPage(heading.content, SafeString(html), tuple(_list_blocks(tokens)))


def make_anchor(heading: str) -> str:
    """Return the anchor of a heading, as code hosts make it."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).strip().replace(" ", "-")


def _split_title(tokens: Sequence[Token]) -> Sequence[Token]:
    """Return the title's text, and the tokens after the title."""
    return [tokens[1], *tokens[3:]]


def _set_addresses(token: Token, find_address: FindAddress) -> None:
    attribute = {"link_open": "href", "image": "src"}.get(token.type)
    if attribute:
        token.attrSet(attribute, find_address(str(token.attrGet(attribute))))
    if token.type == "image":
        token.attrSet("loading", "lazy")


def _set_size(token: Token, find_size: FindSize) -> None:
    size = find_size(str(token.attrGet("src"))) if token.type == "image" else None
    for name, pixels in zip(("width", "height"), size or (), strict=False):
        token.attrSet(name, pixels)


def _unlink(children: Sequence[Token]) -> None:
    """Leave the text of links that lead to no page."""
    is_dead = False
    for child in children:
        if child.type == "link_open":
            is_dead = not child.attrGet("href")
        if is_dead and child.type in ("link_open", "link_close"):
            child.tag, child.attrs = "span", {}


def _name_headings(tokens: Sequence[Token]) -> None:
    for token, inline in itertools.pairwise(tokens):
        if token.type == "heading_open":
            token.attrSet("id", make_anchor(_read_text(inline)))


def _set_roles(tokens: Sequence[Token]) -> None:
    """Keep tables tables for screen readers: on phones their rows are boxes."""
    for token in tokens:
        if token.nesting == 1 and token.tag in TABLE_ROLES:
            token.attrSet("role", TABLE_ROLES[token.tag])


def _list_blocks(tokens: Sequence[Token]) -> Iterator[str]:
    yield from (text for token in tokens if token.type == "inline" and (text := _read_text(token)))


def _read_text(inline: Token) -> str:
    return "".join(
        " " if child.type == "softbreak" else child.content
        for child in inline.children or ()
        if child.type in ("text", "code_inline", "softbreak")
    )
