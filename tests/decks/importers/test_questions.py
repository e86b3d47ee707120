"""Open questions of a list are asked at their line for every file type.

An answer changes the text.
"""

from __future__ import annotations

import json

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from decks.importers.answers import apply_edits, find_questions
from decks.importers.headings import suggest_zone
from decks.importers.model import NOTICE_CODES, QUESTION_CODES
from decks.importers.parsing import parse
from decks.importers.readings import OpenReading, open_reading
from tests import machine
from tests.decks.importers.test_properties import messes
from tests.everyday import each_case

FRUGAL = settings(
    max_examples=machine.examples(8), deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
CUT = (
    '<deck game="g"><section name="Main"><card qty="4" id="a">Tin</card></section>\n'
    '<section name="Riserva"><card qty="2" id="b">Iron</card></section></deck>'
)
ASKING = {
    "4 Tin\n\n2 Iron": (2, "blank_line_without_heading"),
    "4 Tin\n\n4 Lead\n\n4 Zinc\n\n2 Iron": (6, "blank_line_without_heading"),
    "Character\n1 Ken\n\nMain deck\n4 Tin\n\n2 Iron": (6, "blank_line_without_heading"),
    "Pre-game\n1 Ken\n\n4 Tin": (3, "blank_line_without_heading"),
    "4 Tin\n-----\n2 Iron": (2, "blank_line_without_heading"),
    "4 Tin\n\n\n// good ones\n2 Iron": (3, "blank_line_without_heading"),
    "4,Tin\n\n2,Iron": (2, "blank_line_without_heading"),
    "qty,name\n4,Tin\n\n2,Iron": (3, "blank_line_without_heading"),
    "4 Tin\nSideborad:\n2 Iron": (2, "heading_unknown"),
    "4 Tin\nRiserva:\n2 Iron": (2, "heading_unknown"),
    "4 Tin\nサイドボード:\n2 Iron": (2, "heading_unknown"),
    "4 Tin\n[b]Reserva[/b]\n2 Iron": (2, "heading_unknown"),
    "[b]Reserva[/b]\n2 Iron": (1, "heading_unknown"),
    "4 Tin\n[Riserva]\n2 Iron": (2, "heading_unknown"),
    "4 Tin\n== Riserva ==\n2 Iron": (2, "heading_unknown"),
    "4 Tin\n// Sideborad\n2 Iron": (2, "heading_unknown"),
    "4 Tin\nKill turn:\n2 Iron": (2, "heading_unknown"),
    "qty,name,zone\n4,Tin,main\n2,Iron,Riserva\n2,Lead,Riserva": (3, "heading_unknown"),
    CUT: (2, "heading_unknown"),
    '[{"card": "Tin", "qty": 4},\n{"card": "Iron", "qty": 2, "zone": "riserva"}]': (2, "heading_unknown"),
    "4 Tin\n2 Sideboard\n2 Iron": (2, "heading_or_card"),
    "4 Tin\nSideborad\n2 Iron": (2, "heading_or_card"),
    "4 Tin\nTotal: 60": (2, "total_differs"),
    '{"main": ["4 Tin"],\n"total": 60}': (2, "total_differs"),
    "Attacks (20)\n4 Tin": (1, "heading_count_differs"),
    "4 Tin\n2 Iron [Riserva]": (2, "zone_unread"),
    "4 Tin\n2 Iron # sideboard": (2, "zone_unread"),
    "4 Tin\n2 Iron // side": (2, "zone_unread"),
    "qty,name,bereich\n4,Tin,Hauptdeck\n2,Iron,Sideboard": (3, "zone_unread"),
    '{"main": [{"card": "Tin", "qty": 4},\n{"card": "Iron", "qty": 2, "sideboard": true}]}': (
        2,
        "zone_unread",
    ),
    '<Deck><Cards CatID="1" Quantity="4" Sideboard="si" Name="Tin"/></Deck>': (1, "zone_unread"),
}
NOT_ASKING = (
    "4 Tin\n2 Iron",
    "\n\n4 Tin\n2 Iron\n\n",
    "Main deck\n\n4 Tin\n2 Iron",
    "Attacks\n4 Tin\n\nFoundations\n2 Iron",
    "Main deck\n4 Tin\n\n4 Zinc\n\nSideboard\n2 Iron",
    "4 Tin\n\nSB: 2 Iron",
    "4 Tin\n\nTotal: 4",
    "4 Tin\n// my best card\n2 Iron [Removal]",
    "Title: Reserva\n4 Tin",
    "qty,name,rarity\n4,Tin,common",
    '{"main": {"Tin": 4}, "likes": 3, "total": 4, "notes": "4 of them, as always"}',
)


@each_case(("text", "question"), ASKING.items())
def test_what_is_left_open_is_asked_at_its_line(text: str, question: tuple[int, str]) -> None:
    (line, *_) = parse(text).questions
    assert line.question
    assert (line.number, line.question.code) == question
    assert line.question in parse(text).notices


@each_case("text", NOT_ASKING)
def test_a_list_that_says_what_it_is_made_of_is_not_asked(text: str) -> None:
    assert parse(text).questions == ()


@each_case("text", ASKING)
def test_every_answer_answers_its_question_and_leaves_the_cards(text: str) -> None:
    deck = parse(text)
    cards = sum(line.qty or 0 for line in deck.cards)
    for question in find_questions(deck, text):
        for answer in question.answers:
            after = parse(apply_edits(text, answer.edits))
            assert question.line not in {line.number for line in after.questions}, answer
            if question.code != "heading_or_card":
                assert sum(line.qty or 0 for line in after.cards) == cards


@each_case("text", [text for text, (_, code) in ASKING.items() if code != "zone_unread"])
def test_every_question_that_a_text_can_answer_has_answers(text: str) -> None:
    assert all(question.answers for question in find_questions(parse(text), text))


@each_case(
    ("answer", "zones", "line"),
    [
        ("sideboard", (4, 2), "Sideboard"),
        ("main", (6, 0), "Main deck"),
        ("aside", (4, 0), "Maybe"),
        ("title", (6, 0), "Notes: Riserva"),
    ],
)
def test_an_answer_moves_the_cards_below_a_heading(answer: str, zones: tuple[int, int], line: str) -> None:
    text = "4 Tin\r\nRiserva:\r\n2 Iron\r\n"
    (question,) = find_questions(parse(text), text)
    (edits,) = [each.edits for each in question.answers if each.code == answer]
    after = apply_edits(text, edits)
    assert after == f"4 Tin\r\n{line}\r\n2 Iron\r\n"
    assert (parse(after).total("main"), parse(after).total("sideboard")) == zones


def test_one_answer_is_for_all_rows_of_a_table_that_name_the_part() -> None:
    text = 'qty,name,zone\n4,Tin,main\n2,"Iron, old",Riserva\n2,Lead,Riserva'
    (question,) = find_questions(parse(text), text)
    after = apply_edits(text, question.answers[0].edits)
    assert after == 'qty,name,zone\n4,Tin,main\n2,"Iron, old",Sideboard\n2,Lead,Sideboard'


@each_case(
    ("words", "zone"),
    [
        ("Sideborad", "sideboard"), ("sidebord:", "sideboard"), ("Riserva", "sideboard"),
        ("サイドボード", "sideboard"), ("Reservas", "sideboard"), ("Mazo", "main"), ("maindek", "main"),
        ("Vielleicht", "aside"), ("Tokens", "aside"), ("Kill turn", None), ("Attacks", None), ("", None),
    ],
)  # fmt: skip
def test_near_and_foreign_words_are_suggested(words: str, zone: str | None) -> None:
    assert suggest_zone(words) == zone


def test_the_likeliest_answer_stands_first() -> None:
    text = "4 Tin\nMazo:\n2 Iron"
    (question,) = find_questions(parse(text), text)
    assert [answer.code for answer in question.answers] == ["main", "sideboard", "pregame", "aside", "title"]


def test_a_part_without_heading_is_open() -> None:
    assert open_reading(parse("4 Tin\n\n2 Iron").lines) == OpenReading((frozenset({2}),))


def test_cards_that_a_total_announces_may_be_missing() -> None:
    assert open_reading(parse("4 Tin\nTotal: 60").lines) == OpenReading(missing_counts={"main": 56})


@pytest.mark.parametrize("text", ["4 Tin", "Sideboard\n2 Iron"])
def test_a_list_without_questions_leaves_nothing_open(text: str) -> None:
    assert open_reading(parse(text).lines) == OpenReading()


@each_case(
    ("text", "open_lines"),
    [
        ('{"main": ["4 Tin"], "Loner": 4}', ["entry_not_understood"]),
        ('{"main": ["4 Tin"], "riserva": "4 Iron\\n2 Lead"}', ["heading_unknown"]),
        ('{"main": ["4 Tin"], "sideboard": "Iron x4\\nLead x2"}', []),
        ('{"main": ["4 Tin"], "sideboard": "Iron"}', []),
    ],
)
def test_a_json_member_that_may_be_cards_is_read_or_told_never_lost(text: str, open_lines: list[str]) -> None:
    deck = parse(text)
    assert [problem.code for problem in deck.problems] + [
        line.question.code for line in deck.questions
    ] == open_lines
    assert open_lines or deck.total("sideboard") > 0


def test_every_question_is_a_known_notice() -> None:
    assert NOTICE_CODES.keys() >= QUESTION_CODES


@FRUGAL
@given(messes)
def test_any_mess_can_be_asked_about_and_answered(text: str) -> None:
    deck = parse(text)
    open_questions = open_reading(deck.lines)
    cards = {place for place, line in enumerate(deck.lines) if line.kind == "card"}
    assert all(cards.issuperset(part) for part in open_questions.parts)
    for question in find_questions(deck, text):
        for answer in question.answers:
            assert apply_edits(text, answer.edits) != text.removeprefix("\ufeff")
            parse(apply_edits(text, answer.edits))


@FRUGAL
@given(st.lists(st.sampled_from(["Riserva", "x", "4 Tin", "Sideboard"]), max_size=6))
def test_questions_of_structured_files_are_answered_by_valid_files(words: list[str]) -> None:
    sections = "".join(
        f'<section name="{word}"><card qty="1" id="i">Tin</card></section>\n' for word in words
    )
    entries = [{"card": "Tin", "qty": 1, "zone": word} for word in words]
    for text in (f'<deck game="g">\n{sections}</deck>', json.dumps(entries, indent=1)):
        deck = parse(text)
        for question in find_questions(deck, text):
            for answer in question.answers:
                after = parse(apply_edits(text, answer.edits))
                assert (after.format, after.problems) == (deck.format, deck.problems)
                assert len(after.questions) < len(deck.questions)
