"""The rulebook of Highlander.

The tests cover what its errata say of which cards, what is banned, and what stays unread.
"""

from __future__ import annotations

import time
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from decks.editions.domain.content import compare_entries
from decks.editions.domain.document_reader import parse_lists
from decks.matching.index import CardIndex
from rules import shipped_editions
from rules.games.highlander.document import read_document
from rules.reason import reason

GOLDEN = Path(__file__).parents[2] / "golden" / "documents" / "club-rulebook.txt"
TEXT = GOLDEN.read_text(encoding="utf-8")
EMPTY = CardIndex(())


def test_title_version_and_month_are_read():
    document = read_document(TEXT)
    assert (document.title, document.version, document.as_of, document.problems) == (
        "Highlander TCG Type Two Rules v4.2",
        "4.2",
        "May 2031",
        (),
    )


def test_line_ends_of_another_system_change_nothing():
    assert read_document(TEXT.replace("\n", "\r\n")) == read_document(TEXT)


def test_each_heading_gives_its_card_with_numbers_owner_mark_and_restriction():
    paragraphs = [paragraph for paragraph in read_document(TEXT).paragraphs if not paragraph.is_ban]
    cards = [paragraph.cards[0] for paragraph in paragraphs]
    assert [(c.name, c.ids, c.facts) for c in cards] == [
        ("Lantern Trick", ("ABC-012", "4Z-003"), {"restriction": 2}),
        ("Quiet Step", (), {"owner": "Brunhild", "mark": "R", "restriction": 3}),
        ("Long Oath", ("XY2-041",), {"mark": "S", "restriction": 2}),
        ("Hidden Well", (), {"mark": "S"}),
        ("Watchful Eye", ("KQ-001",), {}),
    ]
    assert [(paragraph.number, paragraph.says) for paragraph in paragraphs] == [
        ("E001", "Draw a card. Then discard one."),
        ("E002", "Play one more Edge this turn."),
        ("E003", "SITUATION: CUMULATIVE Choose one: -DRAW: Draw a card."),
        ("E004", "Look at your hand"),
        ("E005", "Play with a block. That block covers one more area."),
    ]


def test_whatever_does_not_fit_the_marks_is_listed_with_its_reason():
    assert [
        (unread.clause, unread.text[:24], unread.why.code, unread.is_ban)
        for unread in read_document(TEXT).unread
    ] == [
        ("l.7", "What the new set says st", "paragraph-without-heading", False),
        (
            "l.29",
            "Mountain Cry - Ola Nord ",
            "paragraph-of-unclear-owner",
            False,
        ),
        (
            "l.33",
            "River Song (first print)",
            "paragraph-of-some-versions",
            False,
        ),
        ("l.37", "Iron Gate (ZZZ019) Shoul", "paragraph-of-the-print", False),
        ("l.41", "Basic Moves of the Seaso", "paragraph-without-heading", False),
        ("l.45", "Empty Chair (QQ-007) – L", "paragraph-without-news", False),
        ("l.53", "", "paragraph-is-no-title", True),
        (
            "l.55",
            "All cards are legal exce",
            "paragraph-bans-in-one-format",
            True,
        ),
    ]


def test_an_owner_written_in_short_is_used_only_where_no_number_finds_the_card():
    entries = [each.entry for each in parse_lists(read_document(TEXT), EMPTY, "HL-")["errata"].entries]
    texts = {"says", "kinds", "plays_differently"}
    assert [{part: entry[part] for part in entry if part not in texts} for entry in entries[:3]] == [
        {
            "id": "HL-E001", "clause": "l.9", "card": {"name": "Lantern Trick"},
            "ids": ["ABC-012", "4Z-003"], "restriction": 2,
        },
        {
            "id": "HL-E002", "clause": "l.13", "card": {"name": "Quiet Step"},
            "owner": "Brunhild", "mark": "R", "restriction": 3,
        },
        {
            "id": "HL-E003", "clause": "l.17", "card": {"name": "Long Oath"},
            "ids": ["XY2-041"], "mark": "S", "restriction": 2,
        },
    ]  # fmt: skip


def test_bans_name_a_card_by_title_and_number():
    bans = parse_lists(read_document(TEXT), EMPTY, "HL-")["bans"]
    assert [(each.entry, each.card_match.sure) for each in bans.entries] == [
        ({"card": {"name": "Lantern Trick", "id": "ABC-012"}, "clause": "l.53"}, "unknown"),
        ({"card": {"name": "Bent Coin"}, "clause": "l.53"}, "unknown"),
    ]


def test_a_text_without_the_two_sections_says_so():
    assert read_document("Dear all,\nno lists today.").problems == (
        reason("document-without-errata"),
        reason("document-without-bans"),
    )


@given(st.text(alphabet="RS1 (AB-01)–.:\nEventx", max_size=300))
def test_no_text_whatever_breaks_the_reader(text):
    parse_lists(read_document(f"Card Errata\n{text}\ncards are banned: {text}"), EMPTY, "HL-")


@pytest.mark.parametrize(
    "noise", ["-" * 400_000, "A (" * 130_000, "- " * 200_000, "A – R2\n" * 10_000, "," * 500_000]
)
def test_half_a_megabyte_of_noise_costs_little_time(noise):
    # A reader with quadratic time would need hours.
    start = time.thread_time()
    read_document(f"Card Errata\n{noise}\ncards are banned: {noise}")
    assert time.thread_time() - start < 60


def test_the_real_rulebook_gives_the_bans_and_most_errata_that_ship(real_data):
    text = (real_data / "seeds/highlander-type-two-1.7.txt").read_text(encoding="utf-8")
    document = read_document(text)
    lists = parse_lists(document, EMPTY, "HL-")
    assert (document.version, document.problems) == ("1.7", ())
    assert {kind: (len(each.entries), len(each.unread)) for kind, each in lists.items()} == {
        "bans": (4, 1), "errata": (86, 18), "identities": (0, 0),
    }  # fmt: skip
    entries_by_kind = {each.kind: each.entries for each in shipped_editions("highlander")}
    bans = compare_entries("bans", entries_by_kind["bans"], [each.entry for each in lists["bans"].entries])
    assert (bans.new, bans.gone, {change.changed for change in bans.changed}) == ((), (), {("clause",)})
    errata = compare_entries(
        "errata", entries_by_kind["errata"], [each.entry for each in lists["errata"].entries]
    )
    parts = Counter(part for change in errata.changed for part in change.changed)
    assert {part for part in ("ids", "mark", "restriction", "clause") if part in parts} == set()
    assert len(errata.changed) + len(errata.new) == 86
