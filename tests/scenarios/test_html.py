"""`squeeze` drops the right parts of HTML and keeps the rest."""

from __future__ import annotations

from tests.everyday import each_case
from tests.scenarios.html import squeeze


@each_case(
    ("folded_text", "line"),
    [
        ("<p>\n  The round is\n  finished.\n</p>\n", "<p>The round is finished.</p>"),
        ("<td\n  class='n'\n>1</td>\n  <td>2</td>", "<td class='n'>1</td><td>2</td>"),
        ('<html lang="en" dir="ltr" >', '<html lang="en" dir="ltr">'),
        ('<p class="\n  one\n  two ">', '<p class="one two">'),
        ('<script\n  src="a.js"\n  defer\n></script>', '<script src="a.js" defer></script>'),
        ("<button>\n  Save\n</button>", "<button>Save</button>"),
        ('<path\n  d="M1 2"\n/>', '<path d="M1 2"/>'),
    ],
)
def test_squeeze_folded_lines_makes_one(folded_text: str, line: str) -> None:
    assert squeeze(folded_text) == line


@each_case(
    ("folded_text", "line"),
    [
        ("<b>2</b>\n<b>3</b>", "<b>2</b> <b>3</b>"),
        ("<p>against <b>Bob</b>\n.</p>", "<p>against <b>Bob</b> .</p>"),
        ("<p><b>1</b><b>2</b></p>", "<p><b>1</b><b>2</b></p>"),
        ("<button>\n  A\n</button>\n<button>B</button>", "<button>A</button> <button>B</button>"),
        ("4\u00a0cards", "4\u00a0cards"),
    ],
)
def test_squeeze_shown_spaces_stay(folded_text: str, line: str) -> None:
    assert squeeze(folded_text) == line


@each_case(
    "html",
    [
        "<pre>\n  a  b\n</pre>",
        "<textarea>\n4 Ken\n\n4 Ryu</textarea>",
        '<p title="one\n  two  three > four">',
        "<script>a  <  b\n</script>",
    ],
)
def test_squeeze_literal_text_stays(html: str) -> None:
    assert squeeze(html) == html
