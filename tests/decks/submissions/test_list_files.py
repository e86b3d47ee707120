"""Submitted lists as deck files.

Every file type gives the same cards when it is submitted again.
"""

from __future__ import annotations

import pytest

from decks.checking.deck_files import FILE_TYPES
from decks.importers.parsing import FORMATS
from decks.shared.refusals import Refused
from decks.submissions import services
from decks.submissions.differences import compare_versions
from decks.submissions.models import DeckVersion
from decks.submissions.selectors import write_version_file
from tests.scenarios.catalogue import LEGAL, small_catalogue
from tests.scenarios.decklists import submit

pytestmark = pytest.mark.django_db
MIXED = LEGAL.replace("4 Anvil Stance", "4 Anvil Stance (ZZ1 1/120)") + "\n\nSideboard\n2 Oto ●●●\n6 Kubi Ori"


def submit_text(text: str, **values: object) -> DeckVersion:
    small_catalogue()
    deck_list = services.create_list(game="ufs", format_key="constructed", rules_version="1.9")
    return submit(deck_list, text, actor="Alice", **values)


def test_every_file_type_that_is_read_can_be_taken_away() -> None:
    assert set(FILE_TYPES) == set(FORMATS)


@pytest.mark.parametrize("kind", FORMATS)
def test_a_list_taken_away_and_handed_in_again_is_the_same(kind: str) -> None:
    version = submit_text(MIXED)
    again = submit(version.deck_list, write_version_file(version, kind), actor="Alice")
    versions = compare_versions(version, again)
    assert versions.cards == ()
    assert (again.outcome, again.judged_under["problems"]) == (version.outcome, [])


def test_a_pool_goes_along() -> None:
    version = submit_text("1 Mara ●", pool="1 Mara ●\n2 Oto ●●●")
    assert write_version_file(version, "forum").endswith(
        "[b]Pool (3)[/b]\n1 Mara ● (ZZ1 101)\n2 Oto ●●● (ZZ1 103)\n"
    )


def test_what_no_catalogue_holds_is_written_as_it_was() -> None:
    assert write_version_file(submit_text("3 Xyzzy ●●"), "arena") == "Deck\n3 Xyzzy ●●\n"


def test_a_list_that_a_type_cannot_say_is_refused_with_a_way_out() -> None:
    version = submit_text("1 Mara ●")
    version.entries = [{**version.entries[0], "zone": "elsewhere"}]
    with pytest.raises(Refused) as excinfo:
        write_version_file(version, "text")
    assert excinfo.value.code == "cannot_export"
