"""Markup around a line, in it, or between two lines loses nothing.

No card, no count and no line is lost.
"""

from __future__ import annotations

import json
from itertools import product

from hypothesis import given, settings
from hypothesis import strategies as st

from decks.importers.model import ParsedDeck
from decks.importers.parsing import parse
from tests.everyday import each_case, some

LINES = {
    "4 8000 Degrees": (4, "8000 Degrees", None),
    "4x Fighting Spirit": (4, "Fighting Spirit", None),
    "[SF01 112] 4 Fighting Spirit": (4, "Fighting Spirit", "SF01"),
    "SF01-112 4 Fighting Spirit": (4, "Fighting Spirit", "SF01"),
    "4 Fighting Spirit (SF01 112)": (4, "Fighting Spirit", "SF01"),
    "Fighting Spirit x4": (4, "Fighting Spirit", None),
}
AROUND = [
    "[b]{}[/b]", "[i][u]{}[/u][/i]", "[color=red]{}[/color]", "[size=4][b]{}[/b][/size]",
    "[url=http://a.b]{}[/url]", "[*]{}", "[list][*]{}[/list]", "[quote]{}[/quote]",
    "[center]{}[/center]", "[h2]{}[/h2]", "<b>{}</b>", "<strong><em>{}</em></strong>", "<p>{}</p>",
    "<li>{}</li>", "<div class='x'>{}</div>", "<h3>{}</h3>", "<a href='http://a.b/c'>{}</a>", "{}<br>",
    "<br/>{}", "<span style='color:red'>{}</span>", "- <b>{}</b>",
]  # fmt: skip
MARKDOWN = ["**{}**", "__{}__", "*{}*", "_{}_", "~~{}~~", "=={}==", "`{}`", "## {}", "- **{}**", "> **{}**"]
BREAKS = [
    "{}<br>{}", "{}<br />{}", "<p>{}</p><p>{}</p>", "<p>{}<br>{}</p>", "<ul><li>{}</li><li>{}</li></ul>",
    "<div>{}</div>{}", "<div>{}</div><div>{}</div>", "{}[br]{}", "[list][*]{}[*]{}[/list]",
    "[li]{}[/li][li]{}[/li]", "[h2]{}[/h2]{}", "<table><tr><td>{}</td></tr><tr><td>{}</td></tr></table>",
    "[p]{}[/p][p]{}[/p]", "{}<hr>{}", "[quote]{}[/quote]{}", "<blockquote>{}</blockquote>{}",
]  # fmt: skip
SURROUNDINGS = [*product([*AROUND, *MARKDOWN], ["", "Ken's list\n", "[b]Attacks[/b]\n", "1 Tin\n"])]


def cards(deck: ParsedDeck) -> list[tuple[int | None, str, str | None]]:
    return [(line.qty, line.name, line.set_code) for line in deck.cards]


@each_case("line", LINES)
def test_markup_around_a_line_leaves_it_the_line_that_it_is(line: str) -> None:
    for around, above in some(3, SURROUNDINGS):
        if around in MARKDOWN and not line[0].isdigit() and not line.startswith("["):
            continue
        text = f"{above}{around.format(line)}\n2 Lead\n"
        deck = parse(text)
        assert (text, deck.title, cards(deck)[-2:]) == (text, None, [LINES[line], (2, "Lead", None)])


@each_case("breaking", BREAKS)
@each_case("first", LINES)
def test_a_tag_that_breaks_a_line_parts_two_cards(breaking: str, first: str) -> None:
    deck = parse(f"{breaking.format(first, '2 Bar')}\n3 Baz\n")
    assert cards(deck) == [LINES[first], (2, "Bar", None), (3, "Baz", None)]
    assert [line.number for line in deck.cards] == [1, 1, 2]


@each_case("breaking", BREAKS)
def test_a_heading_before_a_break_opens_its_part(breaking: str) -> None:
    deck = parse(f"4 Foo\n{breaking.format('Sideboard', '2 Bar')}\n")
    assert [(line.name, line.zone) for line in deck.cards] == [("Foo", "main"), ("Bar", "sideboard")]


def test_cells_of_a_row_are_one_line() -> None:
    rows = "<table><tr><td>4</td><td>Foo</td></tr><tr><td>2</td><td>Bar</td></tr></table>"
    assert cards(parse(rows)) == [(4, "Foo", None), (2, "Bar", None)]
    codes = "[table][tr][td]4[/td][td]Foo[/td][/tr][tr][td]2[/td][td]Bar[/td][/tr][/table]"
    assert cards(parse(codes)) == [(4, "Foo", None), (2, "Bar", None)]


def test_two_breaks_in_a_row_are_a_blank_line() -> None:
    deck = parse("4 Foo<br><br>2 Bar")
    assert [line.kind for line in deck.lines] == ["card", "blank", "card"]
    assert [notice.code for notice in deck.notices] == ["blank_line_without_heading"]


def test_markup_in_the_texts_of_json_is_read_as_in_typed_lists() -> None:
    deck = parse(json.dumps({"main": "4 Foo<br>2 Bar", "sideboard": ["[b]3 Baz[/b]"]}))
    assert cards(deck) == [(4, "Foo", None), (2, "Bar", None), (3, "Baz", None)]


def test_a_break_inside_one_entry_is_no_part_of_a_name_without_a_question() -> None:
    (line,) = parse(json.dumps({"main": ["4 Foo<br>2 Bar"]})).cards
    assert line.name == "Foo<br>2 Bar"


def test_a_break_inside_quotation_marks_belongs_to_the_name() -> None:
    deck = parse('4 "Foo<br>2 Bar"<br>3 Baz')
    assert cards(deck) == [(4, "Foo<br>2 Bar", None), (3, "Baz", None)]


def test_a_title_in_bold_is_told() -> None:
    deck = parse("[b]Ken rush[/b]\n4 Foo\n")
    assert (deck.title, [notice.code for notice in deck.notices]) == ("Ken rush", ["title_assumed"])


def test_a_card_in_a_comment_is_told_and_a_total_is_not() -> None:
    deck = parse("# 4 Foo\n// 60 cards\n// good luck\n2 Bar\n")
    assert [(notice.code, notice.line) for notice in deck.notices] == [("card_in_comment", 1)]


COUNTED = [
    "{tag} 4 {name}", "{tag} 4x {name}", "{tag} x4 {name}", "{tag}: 4 {name}", "4 {tag} {name}",
    "{tag} {name} x4", "{name} x4 {tag}", "{name} 4x {tag}", "{name} (4) {tag}", "{name} [4] {tag}",
    "4 {name} {tag}", "{name} {tag} x4", "[4] {tag} {name}", "4x {name} {tag}",
]  # fmt: skip
TAGS = {
    "[SF01 112]": ("SF01", "112"), "(SF01 112/143)": ("SF01", "112/143"), "SF01-112": ("SF01", "112"),
    "[SF01]": ("SF01", None), "(DARKPATH 70)": ("DARKPATH", "70"),
}  # fmt: skip


@each_case("tag", TAGS)
def test_a_count_is_read_before_and_behind_a_set(tag: str) -> None:
    for way, (name, dots) in product(COUNTED, {"Fighting Spirit": None, "Ken ●●": 2}.items()):
        text = way.format(tag=tag, name=name)
        (line,) = parse(text).cards
        assert (text, line.qty, line.name, line.dots) == (text, 4, name.rstrip(" ●"), dots)
        assert (text, line.set_code, line.collector_number) == (text, *TAGS[tag])


crumbs = st.sampled_from(
    ["4 Foo", "[b]", "[/b]", "<br>", "<p>", "</p>", "[*]", " ", "2 Bar", "<tr>", "Sideboard", '"']
)


@settings(deadline=None)
@given(st.lists(crumbs, max_size=14).map("".join), st.lists(crumbs, max_size=6).map("".join))
def test_the_parts_of_a_broken_line_are_the_line_again(first: str, second: str) -> None:
    text = f"{first}\n{second}\nend of it"
    deck = parse(text)
    lines = ["".join(line.text for line in deck.lines if line.number == number) for number in (1, 2)]
    assert lines == [first, second]
