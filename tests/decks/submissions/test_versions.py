"""Comparison of versions of a list.

It covers added cards, removed cards, and news for the player.
"""

from __future__ import annotations

import pytest

from decks.catalogue.services import catalogue
from decks.shared.immutable_rows import ImmutableRowError
from decks.submissions import services
from decks.submissions.differences import DeclaredChange, compare_versions
from decks.submissions.models import DeckList, DeckVersion
from decks.submissions.selectors import find_unseen_change
from tests.scenarios import decklists
from tests.scenarios.catalogue import FILLERS, LEGAL, list_of, small_catalogue, write

pytestmark = pytest.mark.django_db


@pytest.fixture
def deck_list() -> DeckList:
    small_catalogue()
    return services.create_list(game="ufs", format_key="constructed", rules_version="1.9")


def submit(deck_list: DeckList, text: str, **values: object) -> DeckVersion:
    return decklists.submit(deck_list, text, actor="Alice", **values)


def test_a_difference_names_cards_in_and_out_part_by_part(deck_list: DeckList) -> None:
    older = submit(deck_list, "4 Anvil Stance\n2 Brass Knuckle\n1 Mara ●\n\nSideboard\n1 Cinder Step")
    newer = submit(
        deck_list, "2 Anvil Stance\n1 Anvil Stance\n2 Brass Knuckle\n1 Mara ●●\n\nSideboard\n3 Cinder Step"
    )
    changes = compare_versions(older, newer).cards
    assert [(c.zone, c.name, c.before, c.after, c.signed_change) for c in changes] == [
        ("main", "Anvil Stance", 4, 3, "−1"),
        ("main", "Mara ●", 1, 0, "−1"),
        ("main", "Mara ●●", 0, 1, "+1"),
        ("sideboard", "Cinder Step", 1, 3, "+2"),
    ]


def test_a_version_differs_from_itself_in_nothing(deck_list: DeckList) -> None:
    version = submit(deck_list, LEGAL)
    assert compare_versions(version, version).is_none


def test_lines_in_another_order_are_no_difference(deck_list: DeckList) -> None:
    older = submit(deck_list, "4 Anvil Stance\n2 Brass Knuckle")
    assert compare_versions(older, submit(deck_list, "2 brass knuckle\n4x anvil stance")).is_none


def test_another_printing_of_as_many_cards_is_pointed_out(deck_list: DeckList) -> None:
    catalogue.import_catalogue(write({"ZZ2-001": {**FILLERS["ZZ1-001"], "set": "ZZ2"}}))
    older, newer = submit(deck_list, "4 Anvil Stance (ZZ2 1)"), submit(deck_list, "4 Anvil Stance (ZZ1 1)")
    versions = compare_versions(older, newer)
    assert (versions.cards, versions.printings, versions.is_none) == ((), ("Anvil Stance",), False)


def test_cards_that_no_catalogue_holds_are_held_against_each_other_by_name(deck_list: DeckList) -> None:
    older, newer = submit(deck_list, "4 Xyzzy"), submit(deck_list, "1 xyzzy\n3 Plugh")
    assert [(c.name, c.by) for c in compare_versions(older, newer).cards] == [("Plugh", 3), ("xyzzy", -3)]


def test_a_changed_declaration_is_a_difference() -> None:
    deck_list = services.create_list(game="highlander", format_key="standard")
    older = submit(deck_list, "1 Slash", options={"gem_assignment": {"A": 7}, "diversity": False})
    newer = submit(deck_list, "1 Slash", options={"sleeved": True, "diversity": True})
    assert compare_versions(older, newer).declared == (
        DeclaredChange("gem_assignment", "Altered gems", "Agility 7", ""),
        DeclaredChange("sleeved", "Sleeves", "", "in sleeves"),
    )


def test_the_mark_changes_with_the_pool_and_with_a_declaration() -> None:
    deck_list = services.create_list(game="ufs", format_key="sealed")
    plain, pooled = submit(deck_list, "1 Xyzzy"), submit(deck_list, "1 Xyzzy", pool="1 Xyzzy")
    submission = submit(deck_list, "1 Xyzzy", options={"sleeved": True})
    assert len({plain.short_hash, pooled.short_hash, submission.short_hash}) == 3


def test_a_list_of_ones_own_is_no_news(deck_list: DeckList) -> None:
    submit(deck_list, LEGAL)
    assert find_unseen_change(deck_list) is None


def test_a_correction_is_news_with_its_difference_until_it_is_answered(deck_list: DeckList) -> None:
    submit(deck_list, LEGAL)
    corrected_version = submit(deck_list, list_of("2 Mara ●", fillers=58), by_staff=True, reason="miscounted")
    change = find_unseen_change(deck_list)
    assert (change.version, change.is_new_version, change.ruling) == (corrected_version, True, None)
    assert [(change.name, change.by) for change in change.change.came] == [("Mara ●", 1)]
    services.record_answer(corrected_version, agrees=True)
    assert find_unseen_change(DeckList.objects.get(pk=deck_list.pk)) is None


@pytest.mark.both_databases
def test_a_ruling_is_news_until_it_is_answered_and_a_later_one_is_news_again(deck_list: DeckList) -> None:
    version = submit(deck_list, "1 Mara ●")
    first = services.record_ruling(version, "legal", actor="Olga", reason="a friendly game")
    assert find_unseen_change(DeckList.objects.get(pk=deck_list.pk)).ruling == first
    services.record_answer(version)
    assert find_unseen_change(DeckList.objects.get(pk=deck_list.pk)) is None
    second = services.record_ruling(version, "illegal", actor="Olga", reason="no, after all")
    change = find_unseen_change(DeckList.objects.get(pk=deck_list.pk))
    assert (change.ruling, change.is_new_version) == (second, False)


def test_an_answer_is_never_changed(deck_list: DeckList) -> None:
    list_answer = services.record_answer(submit(deck_list, LEGAL), agrees=False, words="No.")
    list_answer.agrees = True
    with pytest.raises(ImmutableRowError):
        list_answer.save()
    with pytest.raises(ImmutableRowError):
        list_answer.delete()
