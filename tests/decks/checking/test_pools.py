"""Pools of Sealed and Draft decks.

They are entered beside the list and judged together with it.
"""

from __future__ import annotations

import pytest

from decks.checking.check import check_text
from decks.submissions import services
from decks.submissions.models import DeckVersion
from decks.submissions.selectors import to_deck
from rules.reason import reason
from tests.scenarios.catalogue import list_of, small_catalogue
from tests.scenarios.decklists import submit

pytestmark = pytest.mark.django_db
DECK = list_of("1 Mara ●", fillers=39)


@pytest.fixture(autouse=True)
def cards() -> None:
    small_catalogue()


def rows(checked_list: object, severity: str) -> list[tuple[str, str]]:
    return [(f.rule, f.code) for f in checked_list.findings if f.severity == severity]


def test_a_deck_within_its_pool_is_legal() -> None:
    checked_list = check_text("ufs", "sealed", DECK, rules_version="1.9", pool=DECK + "\n3 Paper Tiger")
    assert (checked_list.outcome, rows(checked_list, "error"), rows(checked_list, "warning")) == (
        "legal",
        [],
        [],
    )
    assert [(total.zone, total.cards) for total in checked_list.totals] == [("main", 40), ("pool", 43)]


def test_without_a_pool_the_verdict_says_so() -> None:
    checked_list = check_text("ufs", "sealed", DECK, rules_version="1.9")
    assert (checked_list.outcome, rows(checked_list, "warning")) == (
        "legal",
        [("UFS-L17", "pool-not-recorded")],
    )


def test_a_card_more_often_than_opened_is_illegal() -> None:
    checked_list = check_text(
        "ufs", "sealed", DECK, rules_version="1.9", pool=DECK.replace("1 Mara ●", "1 Mara ●●")
    )
    assert (checked_list.outcome, rows(checked_list, "error")) == ("illegal", [("UFS-L17", "not-in-pool")])


def test_headings_in_a_pool_do_not_take_cards_out_of_it() -> None:
    pool = "Main deck\n" + DECK + "\n\nSideboard\n2 Paper Tiger\n"
    checked_list = check_text("ufs", "sealed", DECK, rules_version="1.9", pool=pool)
    assert [(total.zone, total.cards) for total in checked_list.totals] == [("main", 40), ("pool", 42)]


def test_each_line_number_means_one_line_of_list_or_pool() -> None:
    checked_list = check_text(
        "ufs", "sealed", "1 Mara ●\n1 Xyzzy", rules_version="1.9", pool="1 Mara ●\nplugh 0"
    )
    assert [(line.number, line.text, line.kind) for line in checked_list.lines] == [
        (1, "1 Mara ●", "card"),
        (2, "1 Xyzzy", "card"),
        (3, "Pool", "section"),
        (4, "1 Mara ●", "card"),
        (5, "plugh 0", "problem"),
    ]


def test_a_pool_that_cannot_be_read_leaves_the_list_unchecked() -> None:
    checked_list = check_text(
        "ufs", "sealed", DECK, rules_version="1.9", pool="<html><body>no list</body></html>"
    )
    assert checked_list.outcome == "unknown"
    assert checked_list.problems == (reason("of_pool", why=reason("web_page")),)
    assert checked_list.problem_words == [
        "Pool: This is a web page, not a decklist. Copy only the decklist and paste it."
    ]


def test_the_pool_is_kept_with_the_version_and_judged_again_with_it() -> None:
    deck_list = services.create_list(game="ufs", format_key="sealed", rules_version="1.9")
    version = submit(deck_list, DECK, actor="Alice", pool=DECK + "\n3 Paper Tiger")
    stored_version = DeckVersion.objects.get(pk=version.pk)
    assert stored_version.pool_text == DECK + "\n3 Paper Tiger"
    deck = to_deck(stored_version)
    assert (deck.size("main"), deck.size("pool")) == (40, 43)


def test_a_highlander_pool_must_be_used_whole() -> None:
    checked_list = check_text("highlander", "sealed", "1 Xyzzy", pool="1 Xyzzy\n1 Plugh")
    assert "HL-L38" in {finding.rule for finding in checked_list.findings}
