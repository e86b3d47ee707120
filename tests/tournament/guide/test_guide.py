"""The guide: pages of docs/ inside the application.

They are searchable, and linked from the pages of staff.
"""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.contrib.staticfiles import finders
from django.template import Context
from django.template.loader import render_to_string
from django.test import Client
from django.urls import resolve
from django.urls.exceptions import Resolver404
from django.utils import translation

from tests.everyday import each_case
from tournament.guide.how_tos import HOW_TO_BY_VIEW, find_how_to
from tournament.guide.rendering import render_page
from tournament.guide.selectors import INDEX, find_page, find_size, list_keys, search_pages
from tournament.templatetags.guide import how_to

KEYS = list_keys()


def addresses_of(key: str, attribute: str) -> list[str]:
    page = find_page(key)
    assert page is not None
    return re.findall(rf'{attribute}="([^"]*)"', page.content.html)


def has_anchor(key: str, link: str) -> bool:
    """Return whether the page that a link leads to has its anchor.

    A link without a path is one to its own page.
    """
    path, _, anchor = link.partition("#")
    page = find_page(resolve(path).kwargs["page"] if path else key)
    return page is not None and f'id="{anchor}"' in page.content.html


def leads_to_a_page(address: str) -> bool:
    try:
        match = resolve(address.partition("#")[0])
    except Resolver404:
        return False
    return match.view_name == "guide" or find_page(match.kwargs["page"]) is not None


def test_links_of_all_pages_lead_to_pages_of_the_guide() -> None:
    links = [(key, link) for key in KEYS for link in addresses_of(key, "href")]
    own = [(key, link) for key, link in links if not link.startswith(("#", "https:"))]
    assert len(own) > 300
    assert [(key, link) for key, link in own if not leads_to_a_page(link)] == []


def test_anchors_of_links_are_on_their_page() -> None:
    links = [(key, link) for key in KEYS for link in addresses_of(key, "href") if "#" in link]
    assert len(links) > 5
    assert [(key, link) for key, link in links if not has_anchor(key, link)] == []


def test_pictures_are_static_files() -> None:
    sources = {source for key in KEYS for source in addresses_of(key, "src")}
    assert len(sources) > 5
    assert [source for source in sources if finders.find(source.removeprefix("/static/")) is None] == []


def test_page_shows_html_as_text_and_no_address_that_runs_something() -> None:
    page = render_page("# Title\n\n<script>x</script> [a](javascript:x) [b](b.md)\n", lambda target: "")
    assert page.title == "Title"
    assert page.html == "<p>&lt;script&gt;x&lt;/script&gt; [a](javascript:x) <span>b</span></p>\n"


def test_search_finds_titles_before_texts() -> None:
    hits = search_pages("Enter RESULTS")
    assert hits[0].page.key == "how-to/scorekeepers/enter-results"
    assert [hit.rank for hit in hits] == sorted(hit.rank for hit in hits)
    assert (hits[0].excerpt, hits[0].rank) == ("", 0)


def test_search_finds_a_code_with_the_text_around_it() -> None:
    [hit] = [hit for hit in search_pages("RINGSIDE_GAMES_DIR") if hit.page.key == "reference/environment"]
    assert "RINGSIDE_GAMES_DIR" in hit.excerpt


@each_case("query", ["", " ", "xyzzy", "results xyzzy"])
def test_search_without_a_page_finds_nothing(query: str) -> None:
    assert search_pages(query) == []


@pytest.mark.parametrize(
    "address", ["/guide/", "/guide/?q=cut", "/guide/?q=xyzzy", "/guide/reference/rights/"]
)
def test_guide_asks_the_database_nothing_for_visitors(
    address: str, client: Client, db: None, django_assert_num_queries: Any
) -> None:
    with django_assert_num_queries(0):
        assert client.get(address).status_code == 200


@each_case("page", ["nothing", INDEX, "how-to", "../README", "..%2FREADME", "images/draft.png"])
def test_unknown_page_is_not_found(page: str, client: Client, db: None) -> None:
    assert client.get(f"/guide/{page}/").status_code == 404


def test_every_how_to_of_a_page_of_staff_exists() -> None:
    assert [view for view in HOW_TO_BY_VIEW if find_how_to(view) is None] == []


def test_pictures_have_the_size_that_they_will_take() -> None:
    assert find_size("tutorial/your-first-event", "../images/results.png") == (1100, 920)
    assert find_size("explanation/architecture", "../images/architecture.svg") == (928, 1158)
    assert find_size("explanation/architecture", "../reference/rights.md") is None


@pytest.mark.parametrize(("language", "hints"), [("en", 0), ("de", 1)])
def test_how_to_link_in_another_language_hints_that_the_guide_is_english(language: str, hints: int) -> None:
    with translation.override(language):
        html = render_to_string("tournament/guide/_how_to.html", {"how_to": find_how_to("console_round")})
    assert 'lang="en">Enter results</a>' in html
    assert len(re.findall(r"\(.+?\)", html)) == hints


def test_draft_links_to_how_to_about_drafts() -> None:
    assert how_to(Context(), "scorekeepers/change-a-draft")["how_to"].title == "Change a draft"
