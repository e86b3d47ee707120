"""Proof that every page can be translated.

In the pseudo-locale, all its texts are in brackets.
"""

from __future__ import annotations

import pytest

from tests.screens.addresses import PageAddress
from tests.screens.conftest import Venue
from tests.translations.unmarked import PageReader, find_english, longest_first, read_page
from tournament.registration.fields import FIELDS
from tournament.registration.player_csv import READ_COLUMNS

pytestmark = pytest.mark.django_db
# Programmers and operators read these in English.
ENGLISH = frozenset({"styleguide", "guide", "guide_page", "guide_search"})
# Says in sentences which cards a ban list adds and removes.
NAMING_CARDS = frozenset({"rules_diff"})
# Names of programs and documents.
NAMES = {"LackeyCCG", "Magic Online", "Cockatrice", "UFS Tournament Rules v1.8", "UFS Tournament Rules v1.9"}
# Headings of a file of players, and who takes the place of a removed name, are the same for all readers.
FIXED = {*READ_COLUMNS, "Name", "First name", "Last name", "Player", *(field.label for field in FIELDS)}


@pytest.fixture(scope="module")
def read_pages(pseudo_hall: Venue) -> list[tuple[PageAddress, PageReader]]:
    """Every page that is not a page for programmers, and what it says."""
    pages = [page for page in pseudo_hall.pages if page.screen.page not in ENGLISH]
    return [(page.screen, read_page(page.html)) for page in pages]


@pytest.fixture(scope="module")
def names(read_pages: list[tuple[PageAddress, PageReader]]) -> set[str]:
    """A text that one page leaves untranslated is a name on the others too."""
    return NAMES.union(*(reader.names for _, reader in read_pages))


def test_every_text_of_every_page_can_be_translated(
    read_pages: list[tuple[PageAddress, PageReader]], names: set[str]
) -> None:
    names_by_text = {
        text: screen.name
        for screen, reader in read_pages
        for text in reader.texts
        if text.strip(" :") not in names
    }
    assert names_by_text == {}


def test_no_value_in_a_sentence_is_english_but_names(
    read_pages: list[tuple[PageAddress, PageReader]], names: set[str], pseudo_hall: Venue
) -> None:
    known_names = {name for name in names | pseudo_hall.names | FIXED if len(name) > 1}
    ordered_names = longest_first(known_names)
    names_by_text = {
        text: screen.name
        for screen, reader in read_pages
        if screen.page not in NAMING_CARDS
        for text in reader.all_texts
        if text not in known_names
    }
    assert {text: name for text, name in names_by_text.items() if find_english(text, ordered_names)} == {}
