"""Standings, brackets and sheets in the language of their reader.

Caches distinguish the language.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from fractions import Fraction

import pytest
from django.utils.translation import override
from pypdf import PdfReader

from decks.jobs.models import Job
from rules.rendering import say
from tests.scenarios.factories import organizer, publish_next, started_event
from tests.tournament.brackets.test_public_bracket import start_bracket
from tests.tournament.leagues.test_leagues import CAST, league_of, play_event
from tests.translations.pseudo import accent
from tournament.brackets.selectors.picture import load_bracket_view
from tournament.engine.standings.systems.labels import find_label, find_own_title
from tournament.events.models.event import Event
from tournament.events.selectors import get_bracket_stage
from tournament.languages.choice import speak
from tournament.printing.registry import SHEETS, say_title, sheet_title
from tournament.printing.render import render_sheet_html, split_page_words
from tournament.printing.request import PrintRequest, find_round
from tournament.printing.services import request_league_pdf
from tournament.standings.selectors.standings import standings
from tournament.templatetags.ringside import per_cent

pytestmark = pytest.mark.django_db
NOW = datetime(2026, 5, 2, 9, 30, tzinfo=UTC)


def show_first_cells(event: Event) -> tuple[str, ...]:
    """Return the tiebreakers of the first line, as the reader is shown them."""
    return standings(event)[0].cells


@pytest.fixture
def bracket(pseudo: str) -> Event:
    """An event that begins with a bracket, whose paper speaks the other language."""
    event = start_bracket(8, kind="single", third_place=True)
    Event.objects.filter(pk=event.pk).update(language=pseudo)
    return Event.objects.get(pk=event.pk)


def test_sign_of_a_percentage_and_decimals_follow_the_language(pseudo):
    with override("de"):
        assert per_cent(Fraction(2, 3)) == "66,7\N{NO-BREAK SPACE}%"
    with speak(pseudo):
        assert per_cent(Fraction(2, 3)) == "⟦66.7%⟧"


def test_standings_are_remembered_without_words(pseudo):
    event = started_event(4, swiss_rounds=2, standings_system="ufs")
    publish_next(event)
    in_english = show_first_cells(event)
    with speak(pseudo):
        assert show_first_cells(event) != in_english
    assert show_first_cells(event) == in_english


def test_names_of_tiebreakers_are_known_in_the_readers_language_and_in_english(pseudo):
    names = ("Random", f"⟦{accent('Random')}⟧")
    assert [find_label(name) for name in names] == ["lot", ""]
    with speak(pseudo):
        assert [find_label(name) for name in names] == ["lot", "lot"]
        assert [find_own_title(title) for title in (say("reason", "system.own"), "Mine")] == ["", "Mine"]


def test_titles_of_a_bracket_are_in_the_readers_language(bracket, pseudo):
    parts = load_bracket_view(get_bracket_stage(bracket))
    assert [part.name for part in parts] == ["", "Third place"]
    assert [column.name for column in parts[0].columns] == ["Quarter-finals", "Semi-finals", "Final"]
    with speak(pseudo):
        assert [column.name for column in parts[0].columns] == [
            "⟦Ɋŭȧřŧḗř-ƒīƞȧŀş⟧",
            "⟦Şḗḿī-ƒīƞȧŀş⟧",
            "⟦Ƒīƞȧŀ⟧",
        ]
        assert parts[1].name == "⟦Ŧħīřḓ ƥŀȧƈḗ⟧"


def test_sheet_speaks_the_language_of_the_event(bracket):
    print_request = PrintRequest(bracket, find_round(bracket, None, None), "A4", NOW, for_browser=True)
    page = render_sheet_html(SHEETS["bracket"], print_request)
    assert "⟦Şḗḿī-ƒīƞȧŀş⟧" in page
    assert "Semi-finals" not in page


def test_name_and_title_of_a_sheet_are_in_the_readers_language(bracket, pseudo):
    sheet = SHEETS["badges"]
    assert (sheet.name, say_title(sheet_title(sheet, bracket, None))) == ("Player badges",) * 2
    with speak(pseudo):
        assert sheet.name == "⟦Ƥŀȧẏḗř ƀȧḓɠḗş·····⟧"


def test_words_around_the_numbers_of_a_page_are_in_the_readers_language(pseudo):
    assert split_page_words() == ["Page ", " of ", ""]
    with speak(pseudo):
        assert split_page_words() == ["⟦Ƥȧɠḗ ", " ǿƒ ", "··⟧"]


@pytest.mark.paper
def test_table_of_a_league_speaks_the_language_of_the_person_who_asked(
    pseudo: str, run_jobs: Callable[[], list[Job]]
) -> None:
    league = league_of(play_event("One", CAST))
    in_english = request_league_pdf(league, organizer(), "A4")
    with speak(pseudo):
        job = request_league_pdf(league, organizer(), "A4")
        assert request_league_pdf(league, organizer(), "A4") == job
    assert job != in_english
    assert job.payload == {"league": league.pk, "paper": "A4", "language": pseudo}
    run_jobs()
    job.refresh_from_db()
    assert job.file_path is not None
    (page,) = PdfReader(job.file_path).pages
    assert "⟦Ŀḗȧɠŭḗ ŧȧƀŀḗ" in page.extract_text()
