"""Both tournament documents of UFS against the editions that ship.

The tests run where the machine has the documents.
"""

from __future__ import annotations

import csv
from collections import Counter
from pathlib import Path

import pytest

from decks.editions.domain.content import compare_entries
from decks.editions.domain.document_reader import parse_lists
from decks.matching.index import CardIndex
from rules import Edition, shipped_editions
from rules.documents import Document
from rules.games.ufs.document import read_document
from tests.decks.matching.test_resolve_real_data import _printing as printing


@pytest.fixture(scope="module")
def index(real_data: Path) -> CardIndex:
    with (real_data / "data/ufs/printings-2006-2008.csv").open(encoding="utf-8", newline="") as file:
        return CardIndex([printing(row) for row in csv.DictReader(file)])


def document(real_data: Path, version: str) -> Document:
    return read_document(
        (real_data / f"seeds/ufs-tournament-rules-{version}.txt").read_text(encoding="utf-8")
    )


def get_shipped_edition(kind: str) -> Edition:
    return next(each for each in reversed(shipped_editions("ufs")) if each.kind == kind)


def test_the_older_document_points_elsewhere_and_says_so(real_data):
    list_document = document(real_data, "1.8")

    assert (list_document.title, list_document.paragraphs, list_document.unread) == (
        "UFS Tournament Rules v1.8",
        (),
        (),
    )
    problems = [(problem.code, problem.params["number"]) for problem in list_document.problems]
    assert problems == [("section-without-paragraphs", "501"), ("section-without-paragraphs", "502")]


def test_the_newer_document_is_read_without_a_line_left_over(real_data):
    list_document = document(real_data, "1.9")

    assert (list_document.unread, list_document.problems, list_document.version) == ((), (), "1.9")
    assert Counter(paragraph.meaning for paragraph in list_document.paragraphs) == {
        "ban": 16, "text": 17, "keyword": 1, "wording": 1, "as-printed": 2, "same": 2, "distinct": 1,
    }  # fmt: skip


def test_its_bans_are_those_that_ship(real_data, index):
    parsed_list = parse_lists(document(real_data, "1.9"), index, "UFS-")["bans"]

    assert not compare_entries(
        "bans", get_shipped_edition("bans").entries, [each.entry for each in parsed_list.entries]
    )


def test_its_errata_speak_of_the_cards_of_those_that_ship(real_data, index):
    parsed_list = parse_lists(document(real_data, "1.9"), index, "UFS-")["errata"]
    difference = compare_entries(
        "errata", get_shipped_edition("errata").entries, [each.entry for each in parsed_list.entries]
    )

    # The paragraph about the two cards called Dark Hado is one entry for each of them here.
    assert [change.before["printed"]["set"] for change in difference.gone] == ["SF04"]
    assert (difference.new, difference.same) == ((), 0)
    # Ringside describes the change in its own words; the document prints the whole card.
    assert {part for change in difference.changed for part in change.changed} == {"says", "kinds"}


def test_its_identities_are_those_that_ship_but_for_our_readings(real_data, index):
    parsed_list = parse_lists(document(real_data, "1.9"), index, "UFS-")["identities"]
    difference = compare_entries(
        "identities", get_shipped_edition("identities").entries, [each.entry for each in parsed_list.entries]
    )

    assert [change.before["basis"] for change in difference.gone] == ["reading", "reading"]
    assert (difference.new, {change.changed for change in difference.changed}) == ((), {("rule",)})


def test_the_real_catalogue_contradicts_nothing_of_it(real_data, index):
    """The catalogue lacks promotional sets and the two other names of one card."""
    lists = parse_lists(document(real_data, "1.9"), index, "UFS-")

    assert {
        kind: Counter(each.card_match.sure for each in parsed_list.entries)
        for kind, parsed_list in lists.items()
    } == {
        "bans": {"certain": 10, "likely": 2, "unknown": 4},
        "errata": {"certain": 28, "likely": 2, "unknown": 5},
        "identities": {"certain": 3},
    }
    assert [unread for parsed_list in lists.values() for unread in parsed_list.unread] == []
