"""Pages in a language with long texts.

Every page still fits a small phone, and no text is cut or leaves its box.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests import machine
from tests.fixtures.browser import Console
from tests.screens.conftest import Page, Venue
from tests.screens.test_every_screen import NARROW, WIDER

pytestmark = [pytest.mark.django_db, pytest.mark.browser]
# A text is cut where an element around it hides what does not fit, and runs out where its own box is smaller.
# What scrolls hides nothing; dots at its end say that a text goes on; a head of one dot is for ears alone.
CUT = """() => {
    const UNSEEN = "svg, textarea, .visually-hidden, [hidden], select, progress, .sheet";
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const range = document.createRange();
    const found = [];
    const cuts = (node) => {
        range.selectNodeContents(node);
        const text = range.getBoundingClientRect();
        let own = true;
        for (let box = node.parentElement; box && box !== document.body; box = box.parentElement) {
            const style = getComputedStyle(box);
            if (style.display === "inline" || style.display === "contents") continue;
            if (["auto", "scroll"].includes(style.overflowX)) return false;
            const hides = style.overflowX !== "visible" && style.textOverflow !== "ellipsis";
            const place = box.getBoundingClientRect();
            if ((own || hides) && (text.right > place.right + 1 || text.left < place.left - 1)) return true;
            if (style.textOverflow === "ellipsis" && style.overflowX !== "visible") return false;
            if (style.position === "absolute" || style.position === "fixed") return false;
            own = false;
        }
        return false;
    };
    while (walker.nextNode()) {
        const node = walker.currentNode;
        const around = node.parentElement;
        const words = node.textContent.trim();
        if (!words || around.closest(UNSEEN)) continue;
        if (around.closest("thead")?.offsetWidth === 1) continue;
        if (around.checkVisibility() && cuts(node)) found.push(`${around.className}: ${words.slice(0, 60)}`);
    }
    return found.slice(0, 5);
}"""
# A word of a title is broken where it has two lines, though one line of the page is wide enough for it.
BROKEN = """() => {
    const range = document.createRange();
    const found = [];
    for (const title of document.querySelectorAll("h1, h2")) {
        if (title.closest("[translate='no'], .visually-hidden") || !title.checkVisibility()) continue;
        const walker = document.createTreeWalker(title, NodeFilter.SHOW_TEXT);
        while (walker.nextNode()) {
            const node = walker.currentNode;
            if (node.parentElement.closest("[translate='no']")) continue;
            for (const word of node.textContent.matchAll(/[^\\s-]+/g)) {
                range.setStart(node, word.index);
                range.setEnd(node, word.index + word[0].length);
                const boxes = [...range.getClientRects()];
                const width = boxes.reduce((sum, box) => sum + box.width, 0);
                const isBroken = new Set(boxes.map((box) => box.top)).size > 1;
                const isNarrow = width < document.documentElement.clientWidth - 80;
                if (isBroken && isNarrow) found.push(`broken: ${word[0]}`);
            }
        }
    }
    return found.slice(0, 5);
}"""


def is_worth_opening(page: Page) -> bool:
    """Return whether a page is opened.

    A third of the pages are opened once, selected by their names. The whole run opens all pages in every
    moment of an event.
    """
    if machine.whole():
        return True
    return page.screen.moment in ("always", "playing", "refused") and len(page.screen.page) % 3 == 0


def test_no_text_of_a_long_language_is_cut_or_too_wide(
    open_pages: Callable[..., Any], pseudo_hall: Venue
) -> None:
    faults_by_page, complaints = {}, Console()
    for page, tab in open_pages(
        NARROW, is_worth_opening, measured_pages=pseudo_hall.pages, console=complaints
    ):
        hits = [*tab.evaluate(WIDER), *tab.evaluate(CUT), *tab.evaluate(BROKEN)]
        if hits:
            faults_by_page[page.screen.name] = hits
    assert faults_by_page == {}
    assert complaints == []
