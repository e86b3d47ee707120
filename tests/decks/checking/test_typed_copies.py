"""Changes of a list that came as a file.

They are made in a typed copy, while the file stays unchanged.
"""

from __future__ import annotations

from collections import Counter
from functools import cache
from typing import Any

import pytest
from django.urls import reverse

from decks.checking.check import check_text
from decks.checking.deck_files import FILE_TYPES, write_deck_file
from decks.checking.result import CheckedList
from tests.decks.checking.test_changes import FORMAT, TWINS
from tests.everyday import each_nth
from tests.scenarios.catalogue import import_once, list_of, small_catalogue, write

pytestmark = pytest.mark.django_db
FAULTY = list_of("1 Mara ●", "2 Kubi Ori", "6 Paper Tiger", "4 Granit Guard", fillers=53)
TYPED = {"text", "arena", "forum"}
FILES = sorted(FILE_TYPES.keys() - TYPED)


@pytest.fixture(autouse=True)
def _catalogue(db: None) -> None:
    small_catalogue()
    import_once(write(TWINS))


def check_with_changes(text: str, **more: object) -> CheckedList:
    return check_text("ufs", "constructed", text, rules_version="1.9", with_changes=True, **more)


# All tests check the same lists with the same cards.
@cache
def list_entries(text: str) -> list[dict[str, Any]]:
    return list(check_with_changes(text).entries_json())


@cache
def file_of(text: str, kind: str) -> str:
    return write_deck_file("ufs", list_entries(text), kind)


@pytest.mark.parametrize("kind", FILES)
def test_lines_of_a_file_offer_what_those_of_its_text_offer(kind: str) -> None:
    offered_words = {
        part.words for each in check_with_changes(file_of(FAULTY, kind)).sheet for part in each.changes
    }

    assert offered_words >= {"Granite Guard", "Remove line"}
    # LackeyCCG writes one line a copy.
    assert kind == "lackey" or any(words.startswith("4 Paper Tiger") for words in offered_words)


@pytest.mark.parametrize("kind", FILES)
def test_each_change_of_a_file_is_written_into_its_typed_copy(kind: str) -> None:
    file = file_of(FAULTY, kind)
    result = check_with_changes(file)
    card = next(each for changes in result.changes.cards.values() for each in changes)
    after = check_with_changes(result.changes.apply(card, file))

    assert after.source_format == "text"
    assert after.counts == result.counts
    assert len(after.unresolved_lines) == len(result.unresolved_lines) - 1
    for rule, fix in result.changes.fixes.items():
        fixed_list = check_with_changes(result.changes.apply(fix, file))
        assert rule not in {finding.rule for finding in fixed_list.verdict.errors}


# A plan is made in the copy, and the other tests make the copy of each type.
@pytest.mark.parametrize("kind", each_nth(2, FILES))
def test_the_plan_for_a_file_makes_its_copy_legal(kind: str) -> None:
    file = file_of(list_of("1 Mara ●", "2 Kubi Ori", fillers=57), kind)
    plan = check_with_changes(file, with_plan=True).planned_list

    assert plan
    assert check_with_changes(plan.text or "").outcome == "legal"


def count_cards(result: CheckedList) -> Counter[tuple[str, str]]:
    counts: Counter[tuple[str, str]] = Counter()
    for line in result.lines:
        if line.card_key:
            counts[line.zone, line.card_key] += line.qty or 0
    return counts


@pytest.mark.parametrize("kind", FILES)
def test_the_copy_keeps_printings_and_parts(kind: str) -> None:
    text = (
        list_of("1 Mara ●", "2 Dark Hado (SF04 70)", "2 Kubi Ori", fillers=57) + "\nSideboard\n4 Paper Tiger"
    )
    result = check_with_changes(file_of(text, kind))
    copy = check_with_changes(result.changes.typed_text or "")

    assert count_cards(copy) == count_cards(check_with_changes(text))


def test_a_file_on_one_line_is_changed_as_well() -> None:
    file = '{"main": [{"name": "Kubi Ori", "qty": 2}, {"name": "Granit Guard", "qty": 4}]}'
    result = check_with_changes(file)

    assert {part.words for each in result.sheet for part in each.changes} == {"Remove line", "Granite Guard"}


@pytest.mark.parametrize(
    "text", ["qty,name\n4,Granit Guard\n,", '{"main": [{"qty": 2}]}', "qty,name\nx,Mara"]
)
def test_a_file_that_was_not_read_whole_has_no_copy(text: str) -> None:
    assert check_with_changes(text).changes.typed_text is None


def test_without_a_script_the_original_stays_beside_the_copy(client) -> None:
    file = "qty,name\n4,Granit Guard\n1,Mara ●"
    answer = client.post(reverse("deck_check"), {"format": FORMAT, "text": file, "change": "card:2:0"})
    form = answer.context["form"]

    assert form["original"].value() == file
    assert form["text"].value().startswith("Main deck\n4 Granite Guard\n")
