"""A list of nonsense costs no more searches than a list with a few typos.

It says what was not searched.
"""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from decks.checking.check import check_text
from decks.matching.declared_cards import MAX_NAMED_CARDS
from decks.matching.fuzzy import FuzzyFinder
from decks.matching.model import MAX_SEARCHES
from rules.reason import reason
from tests.scenarios.catalogue import small_catalogue

LINES = 199
NONSENSE = "\n".join(f"4 Qzx{number} nonsense" for number in range(LINES))
FORM = {"format": "ufs/constructed/1.9", "text": NONSENSE}


@pytest.fixture(autouse=True)
def _catalogue(db: None) -> None:
    small_catalogue()


@pytest.fixture
def searches(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names that were searched for similar ones."""
    searched_names: list[str] = []

    def near(self: FuzzyFinder, name: str, most: int = 5) -> tuple[()]:
        searched_names.append(name)
        return ()

    monkeypatch.setattr(FuzzyFinder, "near", near)
    return searched_names


def by_check() -> None:
    check_text("ufs", "constructed", NONSENSE)


def by_api() -> None:
    Client().post(
        "/api/decks/check/",
        {"game": "ufs", "format": "constructed", "text": NONSENSE},
        content_type="application/json",
    )


def by_page() -> None:
    Client().post("/decks/check/", FORM)


def by_export() -> None:
    Client().post("/decks/check/file/", {**FORM, "kind": "csv"})


@pytest.mark.parametrize("ask", [by_check, by_api, by_page, by_export])
def test_every_way_to_check_searches_for_so_many_names_at_most(ask: Any, searches: list[str]) -> None:
    ask()
    assert len(searches) == MAX_SEARCHES


def test_lines_that_were_not_searched_say_so_and_keep_list_from_being_legal() -> None:
    checked_list = check_text("ufs", "constructed", NONSENSE)
    open_lines = [line for line in checked_list.lines if line.status == "not-searched"]
    assert len(open_lines) == LINES - MAX_SEARCHES
    assert not any(line.is_resolved or line.suggestions for line in open_lines)
    assert all(line.reasons[-1] == reason("not_searched") for line in open_lines)
    assert checked_list.outcome != "legal"
    assert checked_list.notices == (reason("search_limited", most=60, count=139),)


def test_page_and_api_show_what_was_not_searched(client: Client) -> None:
    page = client.post("/decks/check/", FORM).content.decode()
    program = client.post(
        "/api/decks/check/",
        {"game": "ufs", "format": "constructed", "text": NONSENSE},
        content_type="application/json",
    ).json()
    assert "139 more unknown names were not searched" in page
    assert "139 more unknown names were not searched" in program["notices"][0]
    assert sum(line["status"] == "not-searched" for line in program["lines"]) == LINES - MAX_SEARCHES


def test_known_cards_behind_the_nonsense_are_still_found() -> None:
    checked_list = check_text("ufs", "constructed", NONSENSE.rpartition("\n")[0] + "\n4 Granite Guard")
    assert checked_list.lines[-1].status == "exact"


def test_as_many_slips_as_people_make_all_get_suggestions() -> None:
    checked_list = check_text("ufs", "constructed", "\n".join(["4 Granit Guard"] * MAX_SEARCHES))
    assert all(line.suggestions for line in checked_list.lines)
    assert checked_list.notices == ()


def test_bonus_cards_are_looked_up_without_searching_and_few_at_a_time(searches: list[str]) -> None:
    bonus = {f"kind {number}": f"Qzx{number}" for number in range(5000)}
    check_text("highlander", "plot_hilt", "", options={"bonus": bonus})
    assert searches == []
    assert MAX_NAMED_CARDS < 5000
