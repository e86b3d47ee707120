"""For any input, the importers answer, lose nothing, and contradict nothing."""

from __future__ import annotations

import json

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from decks.importers.model import MAX_QUANTITY, ParsedDeck
from decks.importers.parsing import FORMATS, parse
from tests import machine
from tests.everyday import each_case

FRUGAL = settings(
    max_examples=machine.examples(5), deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
ZONES = {"main", "sideboard", "pregame", "pool", "aside"}
CRUMBS = [
    "4", "x4", "4x", "[4]", "(4)", "0", "-1", "1e9", "Copper Golem", "Ken", "●●", "··", "..", "**", "::",
    "(SF01 38/143)", "[SF01]", "SF01-038", "38/143", "#38", "Sideboard", "Attacks", "Foundations (24)", ":",
    "SB:", "é", "//", "#", "[b]", "[/b]", "<b>", "&amp;", "*F*", "$1.25", "^a^",
    '"', "'", "’", "â€™", "\u00a0", "\u200b", "\t",
    "\ufeff", "•", "-", "Total: 60", "<deck>", "</deck>", '<card qty="1">', "</card>", "<!DOCTYPE", "{", "}",
    '"main":', "[", "]", ",", ";", "qty,name", "\r\n",
]  # fmt: skip
messes = st.lists(st.sampled_from([*CRUMBS, " ", " ", "\n", "\n"]), max_size=40).map("".join)


def check(deck: ParsedDeck) -> None:
    """Check what is true for every parsed deck."""
    assert deck.format in {*FORMATS, "unknown"}
    assert all(problem.severity == "error" for problem in deck.problems)
    assert all(notice.severity == "notice" for notice in deck.notices)
    for line in deck.lines:
        assert line.number >= 1
        assert line.zone in ZONES
        assert (line.kind == "problem") == (line.problem is not None)
        assert (line.kind == "card") == (line.qty is not None)
        assert line.problem is None or line.problem in deck.problems
        assert all(notice in deck.notices for notice in line.notices)
        if line.kind == "card":
            assert 1 <= (line.qty or 0) <= MAX_QUANTITY
            assert line.name or line.card_id or line.collector_number


@FRUGAL
@given(st.binary(max_size=300))
def test_any_bytes_are_answered(data: bytes) -> None:
    check(parse(data))


@FRUGAL
@given(st.text(max_size=200))
def test_any_text_is_answered(text: str) -> None:
    check(parse(text))


@settings(FRUGAL, max_examples=machine.examples(15))
@given(messes)
def test_any_mess_is_answered_and_every_typed_line_comes_back(text: str) -> None:
    deck = parse(text)
    check(deck)
    if deck.format in {"text", "arena", "forum", "lackey-text", "csv"}:
        assert [line.text for line in deck.lines] == text.removeprefix("\ufeff").splitlines()


@FRUGAL
@given(st.lists(st.sampled_from(CRUMBS), max_size=12).map(" ".join))
def test_a_mess_inside_each_structured_file_is_answered(text: str) -> None:
    for file in (
        f'<deck game="g"><section name="Main"><card qty="1" id="a">{text}</card></section></deck>',
        f'<Deck><Cards CatID="1" Quantity="1" Name="{text}"/></Deck>',
        f'<deck version="0.8"><superzone name="{text}"><card><name>A</name></card></superzone></deck>',
        f"qty,name\n{text},{text}\n",
        f'{{"main": [{{"card": "A", "qty": {text}}}]}}',
        json.dumps({"main": [{"card": text, "qty": 1}, text, [text, 1]]}),
    ):
        check(parse(file))


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.sampled_from(CRUMBS),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["main", "card", "qty", "x"]), inner)
    ),
    max_leaves=8,
)


@FRUGAL
@given(values)
def test_any_json_value_is_answered(value: object) -> None:
    check(parse(json.dumps({"main": value, "sideboard": [value]})))


@FRUGAL
@given(messes, st.integers(min_value=0, max_value=400))
def test_a_file_cut_off_anywhere_is_answered(text: str, cut_at: int) -> None:
    whole = (
        f'<deck game="g"><section name="Main"><card qty="2" id="i">{text}</card></section></deck>'.encode()
    )
    check(parse(whole[:cut_at]))


@each_case("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32"])
def test_encodings_make_no_difference(encoding: str) -> None:
    text = "4 Copper Golem\n1 Ken ●●\nSideboard\n2 Protégé\n"
    deck = parse(text.encode(encoding))
    assert deck.lines == parse(text).lines
    assert deck.notices == ()


@each_case("end", ["\n", "\r\n", "\r", "\u2028"])
def test_line_ends_make_no_difference(end: str) -> None:
    lines = ["4 Copper Golem", "", "Sideboard", "2 Iron Golem"]
    assert [line.text for line in parse(end.join(lines)).lines] == lines
    assert parse(end.join(lines)).lines == parse("\n".join(lines)).lines
