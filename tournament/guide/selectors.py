"""Find, search and list the pages of the documentation in `docs/`."""

from __future__ import annotations

import posixpath
import re
import struct
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from django.conf import settings
from django.templatetags.static import static
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.text import Truncator
from django.utils.translation import gettext_lazy

from tournament.guide.rendering import RenderedPage, render_page

DOCS = Path(settings.BASE_DIR) / "docs"
INDEX = "README"
IMAGES = "images/"
PNG = b"\x89PNG\r\n\x1a\n"
VIEW_BOX = re.compile(rb'viewBox="0 0 (\d+) (\d+)"')
STATIC_IMAGES = "ringside/guide/"
SECTIONS = {
    "tutorial": gettext_lazy("Tutorial"),
    "how-to/organizers": gettext_lazy("For organizers"),
    "how-to/scorekeepers": gettext_lazy("For scorekeepers"),
    "how-to/judges": gettext_lazy("For judges"),
    "how-to/players": gettext_lazy("For players"),
    "how-to/operators": gettext_lazy("For operators"),
    "how-to/developers": gettext_lazy("For developers"),
    "reference": gettext_lazy("Reference"),
    "explanation": gettext_lazy("Explanation"),
    "decisions": gettext_lazy("Design decision"),
}
# Paragraphs that only lead on.
POINTERS = ("Next:", "See also:", "Reference:", "Explanation:", "How to:", "Tutorial:", "Design:")
MAX_HITS = 30
EXCERPT_LENGTH = 200


@dataclass(frozen=True, slots=True)
class GuidePage:
    """A page of the guide: its path, its section and its content.

    The path is without the ending.
    """

    key: str
    section: str | Promise
    content: RenderedPage

    @property
    def title(self) -> str:
        """The first heading."""
        return self.content.title

    @property
    def address(self) -> str:
        """Where the page is."""
        return make_address(self.key)


@dataclass(frozen=True, slots=True)
class Hit:
    """A page that has every word of a search, and a block that has them.

    The block is empty if the title has all words.
    """

    page: GuidePage
    excerpt: str
    rank: int


@cache
def list_keys() -> tuple[str, ...]:
    """Return the keys of all pages, in the order of the sections."""
    order = list(SECTIONS)
    keys = [path.relative_to(DOCS).with_suffix("").as_posix() for path in DOCS.rglob("*.md")]
    section_keys = [key for key in keys if posixpath.dirname(key) in SECTIONS]
    return (INDEX, *sorted(section_keys, key=lambda key: (order.index(posixpath.dirname(key)), key)))


@cache
def find_page(key: str) -> GuidePage | None:
    """Return the page of a key; None if there is none.

    It is read once by each process.
    """
    if key not in list_keys():
        return None
    source = (DOCS / f"{key}.md").read_text(encoding="utf-8")
    content = render_page(
        source, lambda target: find_address(key, target), lambda target: find_size(key, target)
    )
    return GuidePage(key, SECTIONS.get(posixpath.dirname(key), ""), content)


def make_address(key: str) -> str:
    """Return the address of a page."""
    return reverse("guide") if key == INDEX else reverse("guide_page", args=[key])


def find_address(key: str, target: str) -> str:
    """Return where a link or picture of a page leads.

    Empty for files that are not in the guide.
    """
    if "://" in target or target.startswith("#"):
        return target
    path, _, anchor = target.partition("#")
    place = _find_place(key, path)
    if place.startswith(IMAGES):
        return static(STATIC_IMAGES + place.removeprefix(IMAGES))
    linked_page = place.removesuffix(".md")
    if linked_page not in list_keys():
        return ""
    return f"{make_address(linked_page)}#{anchor}" if anchor else make_address(linked_page)


def find_size(key: str, target: str) -> tuple[int, int] | None:
    """Return width and height of a picture of a page in pixels.

    None unless it is a PNG or SVG.
    """
    place = _find_place(key, target)
    if not place.startswith(IMAGES):
        return None
    content = (DOCS / place).read_bytes()
    if content.startswith(PNG):
        return struct.unpack(">II", content[16:24])
    box = VIEW_BOX.search(content)
    return (int(box[1]), int(box[2])) if box else None


def _find_place(key: str, path: str) -> str:
    """Return where in the documentation a path that a page names leads."""
    return posixpath.normpath(posixpath.join(posixpath.dirname(key), path))


def search_pages(query: str) -> list[Hit]:
    """Return the pages that have every word of the query.

    Pages with them in the title come first, then in one block, then anywhere, then by section.
    """
    words = query.casefold().split()
    pages = (page for key in list_keys() if key != INDEX and (page := find_page(key)))
    hits = [hit for page in pages if words and (hit := _find_hit(page, words))]
    return sorted(hits, key=lambda hit: hit.rank)[:MAX_HITS]


def _find_hit(page: GuidePage, words: list[str]) -> Hit | None:
    blocks = [block for block in page.content.blocks if not block.startswith(POINTERS)]
    if _count_found(page.title, words) == len(words):
        return Hit(page, "", 0)
    if _count_found(" ".join((page.title, *blocks)), words) < len(words):
        return None
    best = max(blocks, key=lambda block: _count_found(block, words))
    is_scattered = _count_found(best, words) < len(words)
    return Hit(page, Truncator(best).chars(EXCERPT_LENGTH), 2 if is_scattered else 1)


def _count_found(block: str, words: list[str]) -> int:
    text = block.casefold()
    return sum(word in text for word in words)
