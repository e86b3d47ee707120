"""Every ban is cited with its own document and clause.

This holds whatever other entries there are.
"""

from __future__ import annotations

from datetime import date

import pytest

import rules
from decks.checking.check import check_text
from decks.editions import services
from decks.editions.models import ListEdition
from decks.editions.selectors.editions import load_format, to_edition
from rules.format_text import explain_format
from rules.lists import NO_CLAUSE, Citation, Edition
from tests.scenarios.catalogue import small_catalogue

pytestmark = pytest.mark.both_databases

OLD, NEWS = "UFS Tournament Rules v1.9", "Club announcement"
EMBER = {"card": {"name": "Ember Vow"}}


@pytest.fixture
def published_edition(db) -> ListEdition:
    """Return edition 2 of the bans.

    It has the shipped bans, and one more of an announcement that has no clauses.
    """
    small_catalogue()
    draft = services.create_draft("ufs", "bans", actor="Lena")
    services.add_entry(draft, EMBER, revision=draft.revision)
    services.change_details(
        draft, revision=draft.revision, name="Banned list", document=NEWS, versions=["1.9"],
        in_force=date(2026, 1, 1),
    )  # fmt: skip
    draft.refresh_from_db()
    return services.publish_draft(draft, revision=draft.revision, actor="Lena", accept_warnings=True)


def cited(text: str) -> tuple[str, str]:
    checked_list = check_text("ufs", "constructed", text, on=date(2026, 6, 1))
    (finding,) = [each for each in checked_list.verdict.findings if each.code == "banned-card"]
    return finding.document, finding.clause


def test_an_entry_of_an_earlier_edition_keeps_its_document_and_clause(published_edition):
    assert cited("4 Kubi Ori") == (OLD, "502.1")


def test_an_added_entry_is_cited_with_the_new_document_and_no_clause_of_another(published_edition):
    assert cited("4 Ember Vow") == (NEWS, NO_CLAUSE)


def test_each_of_two_bans_is_cited_with_its_own(published_edition):
    assert cited("4 Kubi Ori\n4 Ember Vow") == (OLD, f"502.1; {NEWS}, {NO_CLAUSE}")


def test_the_format_in_words_names_the_document_of_each_entry(published_edition):
    format_text = explain_format(load_format("ufs", "constructed", on=date(2026, 6, 1)))
    assert f"Banned list ({NEWS}, in force from Thu 1 Jan 2026): 17 entries, 16 of {OLD}" in format_text


def test_a_new_draft_names_no_document_that_its_new_entries_could_borrow(db):
    draft = services.create_draft("ufs", "bans", actor="Lena")
    assert (draft.document, draft.clause) == ("", "")
    assert {(entry["document"], entry["clause"]) for entry in draft.entries} == {(OLD, "502.1")}


def test_the_clause_of_an_edition_is_its_own_entries_alone():
    edition = Edition("ufs", "bans", 2, (), document=NEWS, clause="News 4")
    assert edition.cite({}) == Citation(NEWS, "News 4")
    assert edition.cite({"clause": "News 5"}) == Citation(NEWS, "News 5")
    assert edition.cite({"document": OLD}) == Citation(OLD, NO_CLAUSE)
    assert edition.cite({"document": OLD, "clause": "502.1"}) == Citation(OLD, "502.1")


def test_a_local_ban_is_cited_with_the_local_rules_alone(db):
    small_catalogue()
    overlay = {"name": "House rules", "bans": ["Ember Vow"]}
    checked_list = check_text("ufs", "constructed", "4 Ember Vow", overlay=overlay, on=date(2026, 6, 1))
    (finding,) = [each for each in checked_list.verdict.findings if each.code == "banned-card"]
    assert (finding.document, finding.clause) == ("House rules", NO_CLAUSE)


def test_every_shipped_ban_has_a_document_and_a_clause():
    for game in rules.games():
        for edition in rules.shipped_editions(game.key):
            for entry in edition.entries:
                citation = edition.cite(entry)
                is_cited = bool(citation.document) and citation.clause != NO_CLAUSE
                assert (game.key, edition.kind, is_cited) == (game.key, edition.kind, True)


def test_a_published_edition_says_the_same_after_it_is_stored(published_edition):
    assert to_edition(published_edition).cite(published_edition.entries[-1]) == Citation(NEWS, NO_CLAUSE)
