"""Views, messages and templates of all pages are loaded beforehand.

They are loaded before the first reader asks for them.
"""

from __future__ import annotations

import sys

import pytest
from django.conf import settings
from django.template.loader import get_template

from config.serving.templates import list_templates
from config.serving.threads import Pages
from tests.fixtures.workers import wait_for


def test_templates_of_every_room_are_listed_and_nothing_else() -> None:
    names = list_templates()
    assert {"shells/console.html", "tournament/results/round.html", "decks/checking/_add_cards.html"} <= set(
        names
    )
    assert [name for name in names if name != get_template(name).template.name] == []


def test_a_server_loads_views_and_all_templates_before_the_first_request(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    loaded_templates, languages = [], []
    monkeypatch.setattr("config.serving.threads.get_template", loaded_templates.append)
    monkeypatch.setattr("config.serving.threads.get_messages", languages.append)
    monkeypatch.delitem(sys.modules, settings.ROOT_URLCONF, raising=False)
    Pages(threads=2).load_pages()
    wait_for(lambda: loaded_templates == list_templates())
    assert settings.ROOT_URLCONF in sys.modules
    assert languages == [language for language, _ in settings.LANGUAGES]


def test_a_server_that_ends_does_not_wait_for_the_rest_of_the_templates(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    pages, names = Pages(threads=2), []

    def load(name: str) -> None:
        names.append(name)
        pages._threads.is_closing = True

    monkeypatch.setattr("config.serving.threads.get_template", load)
    pages.load_pages()
    wait_for(lambda: bool(names))
    pages._threads.shutdown()
    assert names == list_templates()[:1]
