"""Names below the lines to sign on, and the head of a slip.

They become smaller, then take several lines, and are never cut.
"""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import UTC, datetime
from io import BytesIO

import pytest
from pypdf import PdfReader

from tests.scenarios.factories import make_event, organizer, publish_next
from tests.style.sources import CLONE
from tournament.printing.registry import SHEETS
from tournament.printing.render import render_sheet_html, render_sheet_pdf
from tournament.printing.request import PrintRequest
from tournament.printing.sheets.slips import (
    HEAD_LINE,
    HEAD_ROOM,
    SIGNER_HEIGHT,
    SIGNER_LINE,
    build_slips,
    fit_head,
    fit_signer,
)
from tournament.registration import services as registration
from tournament.setup.services import events
from tournament.shared.text import fits_width

pytestmark = [pytest.mark.django_db, pytest.mark.paper]

LONG = "Pablo Echeverria-Santos de la Torre y Alvarez del Castillo Montenegro"
WORD = "Wolfeschlegelsteinhausenbergerdorffwelchevoralternwaren"
NOW = datetime(2026, 5, 2, 10, 0, tzinfo=UTC)


def slips_of(*names: str) -> PrintRequest:
    event = make_event(swiss_rounds=1)
    for name in names:
        registration.add_player(event, organizer(), name=name)
    events.start_event(event, organizer())
    return PrintRequest(event, publish_next(event), "A4", NOW, base="https://ringside.example")


def test_every_letter_of_a_name_is_below_the_line_to_sign_on() -> None:
    (page,) = build_slips(slips_of("Ann Lee", LONG, WORD, "Bo"))["pages"]
    signers = {"".join(word.text for word in each): each for slip in page.slips for each in slip.signers}
    assert {name.replace(" ", "") for name in signers} == {
        n.replace(" ", "") for n in ("Ann Lee", LONG, WORD, "Bo")
    }
    assert [len(signers[name]) for name in ("Ann Lee", "Bo", WORD)] == [1, 1, 2]
    (long_one,) = [each for name, each in signers.items() if name.startswith("Pablo")]
    assert 2 <= len(long_one) <= 3
    leading = min(SIGNER_LINE, SIGNER_HEIGHT / len(long_one))
    assert [long_one[0].rise - word.rise for word in long_one] == [
        pytest.approx(at * leading) for at in range(len(long_one))
    ]


def test_the_slip_in_a_browser_and_on_paper_has_the_whole_name() -> None:
    request = slips_of("Ann Lee", LONG)
    html = render_sheet_html(SHEETS["slips"], replace(request, for_browser=True))
    assert "…" not in html
    text = PdfReader(BytesIO(render_sheet_pdf(SHEETS["slips"], request))).pages[0].extract_text()
    assert text.count("Montenegro") == 2


LINES = {
    "one word a line": ("Spring Open", "Round 3 · Best of three", "Slip 1 of 8 · Page 1 of 1 · 2.5.2026"),
    "long event": ("The Grand Open of the Western Isles " * 4, "Round 3 · Best of three", "Slip 1 of 8"),
    "long words": ("W" * 120, "Best of three games, at most fifty minutes a match · " * 2, "Slip 1 · " * 12),
}


@pytest.mark.parametrize("words", LINES.values(), ids=LINES)
def test_the_head_of_a_slip_keeps_every_letter_and_its_room(words: tuple[str, ...]) -> None:
    head = fit_head([" ".join(each.split()) for each in words])
    assert ["".join(text.text for text in line).replace(" ", "") for line in head] == [
        each.replace(" ", "") for each in words
    ]
    texts = [(at, text) for at, line in enumerate(head) for text in line]
    assert all(fits_width(text.text, HEAD_ROOM, 8 * text.step / 100) for _, text in texts)
    heights = [HEAD_LINE * at - text.rise for at, text in texts]
    assert heights == sorted(heights)
    assert heights[-1] <= HEAD_LINE * (len(head) - 1) + 0.01


def test_the_slip_of_an_event_with_the_longest_name_has_all_of_it() -> None:
    request = slips_of("Ann Lee", "Bo")
    name = "Großes Herbstturnier der vereinigten Spielegemeinschaften von Niederösterreich und dem Burgenland"
    request.event.name = f"{name} {'2026' * 5}"
    assert f"{'2026' * 5}" in render_sheet_html(SHEETS["slips"], replace(request, for_browser=True))
    text = PdfReader(BytesIO(render_sheet_pdf(SHEETS["slips"], request))).pages[0].extract_text()
    assert request.event.name.replace(" ", "") in "".join(text.split())


# The lower edge of a slip on Letter, and how far from it the names end at least, in millimeters.
CUT, LEAST_MARGIN = 69.85, 1.2
SIGNERS = {
    "one word": "W" * 80,
    "East Asian": "漢" * 80,
    "words of one letter": "W " * 40,
    "words as long as half a line": f"{'W' * 13} " * 6,
    "words as long as a line": f"{'W' * 16} " * 5,
    "three lines": "Maria de los Ángeles Fernández-Villaverde y Gutiérrez de la Concepción Montero",
}


@pytest.mark.parametrize("name", SIGNERS.values(), ids=SIGNERS)
def test_the_longest_names_to_sign_by_end_well_above_the_cut(name: str) -> None:
    name = name.strip()[:80]
    style = (CLONE / "tournament/static/ringside/printing/slips.css").read_text("utf-8")
    (top,) = map(float, re.findall(r"\(\.s1, \.s2\) { top: ([\d.]+)mm", style))
    signer = fit_signer(name)
    assert "".join(text.text for text in signer).replace(" ", "") == name.replace(" ", "")
    sizes = [text.step / 100 * SIGNER_LINE for text in signer]
    assert all(size <= SIGNER_HEIGHT / len(signer) for size in sizes) or len(signer) <= 2
    assert len(signer) < 3 or f".many{len(signer)} {{" in style
    # Letters reach a quarter of their size below the line they stand on.
    feet = top + SIGNER_LINE * 0.83 - signer[-1].rise
    assert feet + sizes[-1] / 4 <= CUT - LEAST_MARGIN


def test_the_style_sheet_has_the_room_of_many_lines() -> None:
    style = (CLONE / "tournament/static/ringside/printing/slips.css").read_text("utf-8")
    leadings = {
        int(count): float(mm) for count, mm in re.findall(r"\.many(\d) { line-height: ([\d.]+)mm", style)
    }
    assert leadings == {count: pytest.approx(SIGNER_HEIGHT / count) for count in (3, 4, 5)}
