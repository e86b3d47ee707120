"""Every page can be translated: in the language that nobody speaks, all its texts stand in brackets."""

from __future__ import annotations

import pytest

from tests.screens.conftest import Page
from tests.translations.unmarked import read_page

pytestmark = pytest.mark.django_db
# Programmers and operators read these in English.
ENGLISH = frozenset({"styleguide", "guide", "guide_page", "guide_search"})
# Names of programs and documents.
NAMES = {"LackeyCCG", "Magic Online", "Cockatrice", "UFS Tournament Rules v1.8", "UFS Tournament Rules v1.9"}


def test_every_text_of_every_page_can_be_translated(pseudo_pages: list[Page]) -> None:
    """But for names: what one page leaves alone is a name on the others too."""
    read = [(page.screen, read_page(page.html)) for page in pseudo_pages if page.screen.page not in ENGLISH]
    names = NAMES.union(*(reader.names for _, reader in read))
    found = {
        text: screen.name for screen, reader in read for text in reader.texts if text.strip(" :") not in names
    }
    assert found == {}
