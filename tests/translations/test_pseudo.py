"""The language that no one speaks is a language like others."""

from __future__ import annotations

import pytest
from django.utils.translation import gettext, ngettext, override

from rules.reason import reason
from rules.rendering import render
from tests.scenarios.html import html_of
from tests.translations.pseudo import pseudo_language, speak_pseudo


@pytest.fixture
def pseudo(tmp_path, monkeypatch):
    """The code of the language, which is offered during the test."""
    with pseudo_language(tmp_path, monkeypatch) as language:
        yield language


def test_values_and_mark_up_stay_as_they_are():
    assert speak_pseudo('%(n)s <b class="x">is</b> &amp; {m}') == '⟦%(n)s <b class="x">īş</b> &amp; {m}·⟧'


def test_texts_of_django_and_messages_of_the_rules_speak_it(pseudo):
    with override(pseudo):
        assert gettext("Ban") == "⟦Ɓȧƞ·⟧"
        assert ngettext("%(n)d win", "%(n)d wins", 2) % {"n": 2} == "⟦2 ẇīƞş··⟧"
        assert render("log", reason("player_dropped", player="Ann")) == "⟦Ann ḓřǿƥƥḗḓ.⟧"
    assert gettext("Ban") == "Ban"
    assert render("log", reason("player_dropped", player="Ann")) == "Ann dropped."


@pytest.mark.django_db
def test_a_visitor_who_asks_for_it_reads_it(client, pseudo):
    page = html_of(client.get("/language/", headers={"accept-language": pseudo}))
    assert f'<html lang="{pseudo}" dir="ltr"' in page
    assert "⟦Ŀȧƞɠŭȧɠḗ···⟧" in page
