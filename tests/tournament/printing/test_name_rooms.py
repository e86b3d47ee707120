"""Large names on slips and lists of cards.

The longest end inside their room, with every letter.
"""

from __future__ import annotations

import re
from itertools import pairwise

import pytest

from tests.everyday import each_case
from tests.style.sources import CLONE
from tournament.printing import card_pages
from tournament.printing.name_rooms import SHORT_DROP, NameRoom
from tournament.printing.sheets import slips
from tournament.shared.page_fills import FULL_SIZE
from tournament.shared.text import MM_PER_POINT, fits_width

PRINTING = CLONE / "tournament/static/ringside/printing"
ROOMS = {"slips": slips.NAME_ROOM, "cards": card_pages.NAME_ROOM}
# A row of names in the style sheet, and what is free of it: lines of the drawing are half inside it.
ROW_MM = {"slips": 7.6, "cards": 5.4}
FREE_MM = {"slips": 7.3, "cards": 6.0}
RULE = re.compile(
    r"\.(?:sn|whose) \.(\w+) { font-size: ([\d.]+)pt; line-height: ([\d.]+)mm;"
    r"(?: vertical-align: -([\d.]+)mm;)?"
)
NAMES = {
    "one word": "W" * 80,
    "East Asian": "漢" * 80,
    "smileys": "😀" * 80,
    "words of one letter": "W " * 40,
    "words of two smileys a line": f"{'😀' * 13} " * 6,
    **{f"words of {count} letters": f"{'W' * count} " * 20 for count in (12, 13, 14, 18, 19, 22, 25, 27, 39)},
    "two lines": "Pablo Echeverria-Santos de la Torre y Alvarez del Castillo",
    "words as people have them": "Maria de los Ángeles Fernández-Villaverde y Gutiérrez de la Concepción",
}


@each_case("sheet", list(ROOMS))
@each_case("kind", list(NAMES))
def test_the_longest_names_end_inside_their_room(sheet: str, kind: str) -> None:
    name, room = NAMES[kind][:80].strip(), ROOMS[sheet]
    line = room.fit(name)
    assert "".join(text.text for text in line).replace(" ", "") == name.replace(" ", "")
    sizes = [room.points * text.step / 100 * MM_PER_POINT for text in line]
    assert all(fits_width(text.text, room.mm, room.points * text.step / 100) for text in line)
    # Letters stand a third of their size below the middle of a row, reach three quarters of it up, one down.
    feet = [0.35 * room.points * MM_PER_POINT - text.rise for text in line]
    assert all(
        lower - upper >= size * 0.98 for (upper, lower), size in zip(pairwise(feet), sizes, strict=False)
    )
    assert feet[0] - 0.75 * sizes[0] >= -FREE_MM[sheet] / 2
    assert feet[-1] + 0.25 * sizes[-1] <= FREE_MM[sheet] / 2


@each_case("sheet", list(ROOMS))
def test_two_lines_are_as_large_as_ever_and_words_break_only_if_they_cannot_be_read(sheet: str) -> None:
    room = ROOMS[sheet]
    two_lines = room.fit(NAMES["two lines"])
    assert all(room.points * text.step / 100 == pytest.approx(7) for text in two_lines)
    words = f"{'W' * 27} {'W' * 24}"
    assert [text.text for text in room.fit(words)] == words.split()
    assert all(text.step * room.points >= 480 for text in room.fit(NAMES["words as people have them"]))


@each_case("sheet", list(ROOMS))
def test_the_style_sheet_has_every_small_type(sheet: str) -> None:
    room: NameRoom = ROOMS[sheet]
    style = (PRINTING / f"{sheet}.css").read_text("utf-8")
    types = RULE.findall(style)
    assert [(css, *map(float, (points, line, drop or SHORT_DROP))) for css, points, line, drop in types] == [
        (small.css, small.points, small.line_mm, small.drop_mm) for small in room.small_types
    ]
    assert f"line-height: {ROW_MM[sheet]}mm" in style
    for count in range(1, 81):
        line = room.fit("W" * count)
        assert ("in-lines" in room.render(line)) == (line[0].step < 76)


def test_a_browser_has_every_size_of_the_names_to_sign_by() -> None:
    style = (PRINTING / "slips.css").read_text("utf-8")
    steps = {text.step for name in NAMES.values() for text in slips.fit_signer(name[:80].strip())}
    assert {f".t{step} {{" for step in steps if step != FULL_SIZE} - set(
        re.findall(r"\.t\d+ {", style)
    ) == set()
