"""The page for no network speaks the language that the service worker asks for."""

from __future__ import annotations

import pytest
from django.test import Client, override_settings

from tests.everyday import each_case
from tests.scenarios.html import html_of
from tests.scenarios.rollback import rolled_back

pytestmark = pytest.mark.django_db


@override_settings(LANGUAGES=[("en", "English"), ("de", "Deutsch")])
@each_case(
    ("query", "language"),
    [("", "en"), ("?language=de", "de"), ("?language=de-AT", "de"), ("?language=xx", "en")],
    around=rolled_back,
)
def test_page_for_no_network_speaks_the_language_of_its_address(query, language):
    answer = Client(headers={"Accept-Language": "en"}).get(f"/offline/{query}")
    assert answer.headers["Content-Language"] == language
    assert f'<html lang="{language}"' in html_of(answer)


@override_settings(LANGUAGES=[("en", "English"), ("de", "Deutsch")])
def test_page_for_no_network_speaks_the_language_of_the_browser_where_none_is_named():
    answer = Client(headers={"Accept-Language": "de"}).get("/offline/")
    assert answer.headers["Content-Language"] == "de"
