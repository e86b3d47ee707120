"""A page that is read from right to left.

Names are beside their figures, nothing is cut, and drawings stay as they are.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from tests.screens.conftest import Page, Venue
from tests.screens.test_every_screen import NARROW, WIDER
from tests.screens.test_long_words import CUT
from tournament.templatetags.ringside import whole_scores

pytestmark = [pytest.mark.django_db, pytest.mark.browser]
SHOWN = {"pairings", "standings", "players", "console_players", "console_round", "bracket", "player", "match"}
LANGUAGE = re.compile(r'lang="[\w-]+"\s+dir="ltr"')
# Texts of a row that overlap, texts of a drawing outside it, and names away from their edge.
APART = """() => {
    const found = [];
    const range = document.createRange();
    const texts = (around) => {
        const walker = document.createTreeWalker(around, NodeFilter.SHOW_TEXT);
        const places = [];
        while (walker.nextNode()) {
            const node = walker.currentNode;
            if (!node.textContent.trim() || !node.parentElement.checkVisibility()) continue;
            if (node.parentElement.closest("thead, .visually-hidden, select")) continue;
            range.selectNodeContents(node);
            for (const place of range.getClientRects()) places.push([place, node.textContent.trim(), node]);
        }
        return places;
    };
    for (const row of document.querySelectorAll("main tbody tr")) {
        const places = texts(row);
        places.forEach(([one, words, node], at) => places.slice(at + 1).forEach(([two, others, other]) => {
            const wide = Math.min(one.right, two.right) - Math.max(one.left, two.left);
            const high = Math.min(one.bottom, two.bottom) - Math.max(one.top, two.top);
            if (node !== other && wide > 2 && high > 4) found.push(`${words} on ${others}`);
        }));
    }
    for (const drawing of document.querySelectorAll("svg.bracket")) {
        const place = drawing.getBoundingClientRect();
        for (const [text, words] of texts(drawing))
            if (text.left < place.left - 1 || text.right > place.right + 1) found.push(`${words} outside`);
    }
    for (const cell of document.querySelectorAll(".table-lines .key[dir=auto], .eyebrow[dir=auto]"))
        if (getComputedStyle(cell).textAlign !== "right") found.push(`${cell.textContent} on the left`);
    return found.slice(0, 5);
}"""


def turn(page: Page) -> Page:
    """Return the same page in a language that is read from right to left."""
    return replace(page, html=LANGUAGE.sub('lang="ar" dir="rtl"', page.html, count=1))


def test_pages_that_are_read_from_right_to_left_keep_their_order(
    open_pages: Callable[..., Any], pseudo_hall: Venue
) -> None:
    turns = [turn(page) for page in pseudo_hall.pages if page.screen.page in SHOWN]
    pages = [page for page in turns if page.screen.moment in ("playing", "cut")]
    assert {page.screen.page for page in pages if 'dir="rtl"' in page.html} == SHOWN
    faults_by_page = {}
    for page, tab in open_pages(NARROW, measured_pages=pages):
        hits = [*tab.evaluate(WIDER), *tab.evaluate(CUT), *tab.evaluate(APART)]
        if hits:
            faults_by_page[page.screen.name] = hits
    assert faults_by_page == {}


ARABIC_SENTENCE = "فازت مريم {} في الجولة الثانية"
LEFT_EDGES = """() => [...document.querySelectorAll("p")].map(sentence => {
    const walker = document.createTreeWalker(sentence, NodeFilter.SHOW_TEXT);
    const range = document.createRange();
    const edges = [];
    while (walker.nextNode()) {
        const text = walker.currentNode.textContent;
        for (const figure of text.matchAll(/[0-9]/g)) {
            range.setStart(walker.currentNode, figure.index);
            range.setEnd(walker.currentNode, figure.index + 1);
            edges.push(range.getBoundingClientRect().left);
        }
    }
    return edges;
})"""


def test_score_after_arabic_letters_keeps_the_games_of_the_winner_first(browser: Any) -> None:
    bare = ARABIC_SENTENCE.format("3-0-1")
    isolated_parameter = ARABIC_SENTENCE.format("\u20683-0-1\u2069")
    tab = browser.new_page()
    tab.set_content(
        f'<html dir="rtl"><p>{bare}</p><p>{whole_scores(bare)}</p><p>{isolated_parameter}</p></html>'
    )
    bare_edges, by_filter, by_message = tab.evaluate(LEFT_EDGES)
    tab.close()
    assert bare_edges == sorted(bare_edges, reverse=True)
    assert by_filter == sorted(by_filter)
    assert by_message == sorted(by_message)
