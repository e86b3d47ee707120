"""Links of the documentation.

Each has a target and an anchor, and the index leads to every page.
"""

from __future__ import annotations

from pathlib import Path

from tests.docs.contracts import CLONE
from tests.docs.pages import DOCS, INDEX, PAGES, list_anchors, list_links, name_page
from tests.everyday import list_faults

MOST_BYTES = 150_000


def find_target(page: Path, link: str) -> Path:
    return (page.parent / link.partition("#")[0]).resolve() if not link.startswith("#") else page


def has_anchor(page: Path, link: str) -> bool:
    anchor = link.partition("#")[2]
    return not anchor or anchor in list_anchors(find_target(page, link))


def find_dead_links(page: Path) -> list[str]:
    targets = {link: find_target(page, link) for link in list_links(page)}
    return [link for link, path in targets.items() if not path.exists() or CLONE not in path.parents]


def test_links_of_each_page_have_a_target_in_the_clone() -> None:
    assert list_faults(PAGES, find_dead_links) == {}


def test_links_of_each_page_have_an_anchor() -> None:
    without = list_faults(
        PAGES, lambda page: [link for link in list_links(page) if not has_anchor(page, link)]
    )
    assert without == {}


def test_readme_leads_to_the_index() -> None:
    readme = CLONE / "README.md"
    assert INDEX in {find_target(readme, link) for link in list_links(readme)}


def test_index_leads_to_every_page() -> None:
    listed_pages = {find_target(INDEX, link) for link in list_links(INDEX)}
    assert {name_page(page) for page in DOCS.rglob("*.md") if page not in {*listed_pages, INDEX}} == set()


def test_pictures_are_small_and_each_is_shown() -> None:
    pictures = {path for path in (DOCS / "images").iterdir() if path.suffix in (".png", ".svg")}
    targets = {find_target(page, link) for page in PAGES for link in list_links(page)}
    assert {path.name for path in pictures - targets} == set()
    assert {path.name for path in pictures if path.stat().st_size > MOST_BYTES} == set()
