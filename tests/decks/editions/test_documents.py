"""Documents of rules.

The tests cover what each paragraph says of which cards, and what could not be read.
"""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from decks.editions.domain.document_reader import parse_lists
from decks.editions.domain.matching import CardMatch
from decks.matching.index import CardIndex
from rules.games.ufs.document import read_document
from rules.reason import reason
from rules.rendering import say
from tests.everyday import each_case
from tests.scenarios.printings import printing

GOLDEN = Path(__file__).parents[2] / "golden" / "documents" / "house-cup-rules.txt"
TEXT = GOLDEN.read_text(encoding="utf-8")
NAMES = (
    "Anvil Stance", "Brass Knuckle", "Cinder Step", "Dockside Rumour", "Ember Vow", "Falcon Feint",
    "Granite Guard", "Harbour Fog", "Iron Lung", "Jade Focus", "Kettle Drum", "Lantern Oath", "Mirror Pace",
    "Night Market", "Oaken Will", "Paper Tiger",
)  # fmt: skip
INDEX = CardIndex(
    (
        *(printing(name, f"ZZ1 {number}/120") for number, name in enumerate(NAMES, 1)),
        printing("Mara", "ZZ1 101/120", dots=1),
        printing("Mara", "ZZ1 102/120", dots=2),
        printing("Twice Told", "ZZ1 30/120", card="Twice Told (ZZ1)"),
        printing("Twice Told", "ZZ2 31/90", card="Twice Told (ZZ2)"),
        printing("Granite Guard", "Z01 7/120", card="Granite Guard"),
    )
)


@pytest.fixture(scope="module")
def document():
    return read_document(TEXT)


@pytest.fixture(scope="module")
def lists(document):
    return parse_lists(document, INDEX, "UFS-")


def test_title_version_and_day_are_read(document):
    assert (document.title, document.version, document.as_of, document.problems) == (
        "UFS Tournament Rules v3.1",
        "3.1",
        "04/01/2025",
        (),
    )


def test_every_paragraph_says_what_of_which_cards(document):
    assert [
        (paragraph.meaning, paragraph.clause, [card.name for card in paragraph.cards])
        for paragraph in document.paragraphs
    ] == [
        ("same", "501.1", ["Anvil Stance", "Brass Knuckle"]),
        ("text", "501.2", ["Mara"]),
        ("keyword", "501.3", ["Cinder Step"]),
        ("wording", "501.4", ["Dockside Rumour", "Ember Vow"]),
        ("as-printed", "501.5", ["Falcon Feint"]),
        ("distinct", "501.6", ["Twice Told", "Twice Told"]),
        ("text", "501.7", ["Granite Guard"]),
        ("text", "501.8", ["Harbour Fog"]),
        ("text", "501.8", ["Iron Lung"]),
        ("ban", "502.1", ["Mara"]),
        ("ban", "502.1", ["Kettle Drum"]),
        ("ban", "502.1", ["Paper Tiger"]),
        ("ban", "502.1", ["Unheard Of"]),
    ]


def test_whatever_cannot_be_read_is_listed_with_its_paragraph(document):
    assert [(unread.line, unread.clause, unread.text, unread.why.code) for unread in document.unread] == [
        (
            52,
            "501.9",
            "Everybody asks about the lanterns. They may stay lit.",
            "paragraph-without-card",
        ),
        (
            54,
            "501.10",
            "Jade Focus ZZ1 10/120",
            "paragraph-without-news",
        ),
        (64, "502.1", "whatever Mother says", "paragraph-is-no-card"),
    ]


def test_a_correction_holds_all_that_stands_below_its_number(document):
    mara = next(paragraph for paragraph in document.paragraphs if paragraph.clause == "501.2")

    assert mara.says == "F Commit: Draw a card. E: Your attack gets +1 speed."
    assert (mara.cards[0].dots, mara.cards[0].set_code, mara.cards[0].number) == (2, "ZZ1", 102)


def test_what_only_changes_words_does_not_play_differently(document):
    assert {
        paragraph.clause: paragraph.plays_differently
        for paragraph in document.paragraphs
        if not paragraph.is_ban
    } == {
        "501.1": False,
        "501.2": True,
        "501.3": True,
        "501.4": False,
        "501.5": False,
        "501.6": False,
        "501.7": True,
        "501.8": True,
    }


def test_bans_are_drafted_with_how_sure_they_are(lists):
    assert [(each.entry["card"], each.card_match.sure) for each in lists["bans"].entries] == [
        ({"name": "Mara", "dots": 1}, "certain"),
        ({"name": "Kettle Drum"}, "likely"),
        ({"name": "Unheard Of"}, "unknown"),
    ]
    assert lists["bans"].entries[1].card_match.note == say("reason", "stray_dots")


def test_a_number_that_is_another_cards_is_left_open(lists):
    assert [(unread.line, unread.text, unread.why) for unread in lists["bans"].unread] == [
        (62, "Paper Tiger ZZ1 15/120", "ZZ1 15 is “Oaken Will”, not “Paper Tiger”. Correct one of them."),
        (64, "whatever Mother says", say("reason", "paragraph-is-no-card")),
    ]
    assert lists["bans"].unread[0].suggestions == ("Oaken Will (ZZ1 15/120)", "Paper Tiger (ZZ1 16/120)")


def test_a_letter_o_is_read_as_zero_where_the_catalogue_bears_it_out(lists):
    guard = next(each for each in lists["errata"].entries if each.clause == "501.7")

    assert guard.entry["printed"] == {"set": "Z01", "number": 7, "set_size": 120}
    assert guard.card_match == CardMatch(
        "likely",
        "Granite Guard",
        "Granite Guard",
        (reason("set_with_letter_o", set="ZO1", corrected="Z01"),),
    )


def test_a_letter_o_stays_where_no_catalogue_says_otherwise():
    bare = parse_lists(read_document(TEXT), CardIndex(()))
    guard = next(each for each in bare["errata"].entries if each.clause == "501.7")

    assert (guard.entry["printed"]["set"], guard.card_match.sure) == ("ZO1", "unknown")


def test_a_number_given_twice_is_told_apart_by_letters(lists):
    assert [each.entry["id"] for each in lists["errata"].entries][-2:] == ["UFS-501.8a", "UFS-501.8b"]


def test_identities_are_drafted_from_the_errata(lists):
    assert [each.entry for each in lists["identities"].entries] == [
        {"same": ["Anvil Stance", "Brass Knuckle"], "clause": "501.1"},
        {
            "name": "Twice Told",
            "clause": "501.6",
            "distinct": [{"set": "ZZ1", "number": 30}, {"set": "ZZ2", "number": 31}],
        },
    ]


def test_hard_line_breaks_change_nothing_but_where_words_end():
    broken_text = TEXT.replace("are one card.", "are\none card.").replace("\n\n", "\n")

    assert [(each.meaning, each.cards) for each in read_document(broken_text).paragraphs] == [
        (each.meaning, each.cards) for each in read_document(TEXT).paragraphs
    ]


def test_a_list_without_paragraph_numbers_is_read():
    document = read_document("502. Banned list\nMara ● ZZ1 101/120\nand one more")

    assert [paragraph.cards[0].name for paragraph in document.paragraphs] == ["Mara"]
    assert [unread.text for unread in document.unread] == ["and one more"]


def test_round_bullets_before_every_line_are_no_dots():
    document = read_document(
        "502. Banned list\n502.1 These:\n● Anvil Stance ZZ1 1/120\n● Ember Vow ZZ1 5/120"
    )

    assert [(paragraph.cards[0].name, paragraph.cards[0].dots) for paragraph in document.paragraphs] == [
        ("Anvil Stance", None),
        ("Ember Vow", None),
    ]


def test_a_text_without_the_two_sections_says_so():
    assert read_document("Dear all,\nno lists today.").problems == (
        reason("document-without-section", kind="errata"),
        reason("document-without-section", kind="bans"),
    )


@given(st.text(alphabet="501. Ken●-/\n9SF AndO\x0c“", max_size=400))
def test_no_text_whatever_breaks_the_reader(text):
    document = read_document("501. Errata\n501.1 " + text + "\n502. Banned list\n" + text)

    parse_lists(document, INDEX)


@each_case("noise", ["a" * 500_000, "SF01 1/1 " * 50_000, "501.1 Ken " * 40_000, "● " * 250_000])
def test_half_a_megabyte_of_noise_costs_little_time(noise):
    # A reader with quadratic time would need hours.
    start = time.thread_time()
    read_document("501. Errata\n501.1 " + noise)

    assert time.thread_time() - start < 60
