"""The table of a league on paper.

Tests cover what is on it, the PDF by the worker, and the page for everyone.
"""

from __future__ import annotations

from datetime import UTC, datetime
from io import BytesIO

import pytest
from django.test import Client
from pypdf import PdfReader

from decks.jobs.models import Job
from tests.scenarios.factories import make_event, make_user, organizer
from tests.tournament.leagues.test_leagues import CAST, league_of, olga, play_event
from tournament.leagues import services
from tournament.leagues.models import League
from tournament.printing.render import render_league_pdf
from tournament.printing.services import request_league_pdf
from tournament.printing.sheets.standings import MAX_EVENT_COLUMNS, build_league_table

pytestmark = pytest.mark.django_db
NOW = datetime(2026, 5, 2, 9, 30, tzinfo=UTC)


def lines(league: League) -> list[str]:
    """Return the rows of the sheet as they are read across."""
    blocks = [block.lines for page in build_league_table(league, "A4", NOW)["pages"] for block in page.blocks]
    return [" ".join(" ".join(word.text for word in row).split()) for row in zip(*blocks, strict=True)]


def test_sums_stand_beside_the_points_of_each_event_and_what_does_not_count_in_brackets() -> None:
    league = league_of(play_event("One", CAST), play_event("Two", CAST[:3]), best_of=1)
    parts_by_part = {line.split()[1]: line.split()[2:] for line in lines(league)}
    assert set(parts_by_part) == {"Ann", "Bo", "Cy", "Di"}
    assert parts_by_part["Di"][2] == "–"
    for total, *each in parts_by_part.values():
        counting_points = [points for points in each if points.isdecimal()]
        assert counting_points == [total]


def test_words_below_name_the_events_what_counts_and_the_points() -> None:
    words = " ".join(build_league_table(league_of(play_event("One", CAST), best_of=1), "A4", NOW)["words"])
    assert words == (
        "1: One, Sat 2 May 2026 The best result counts, others are in brackets. "
        "Players who share a place get the average of its points. "
        "Points: 20 for place 1, 16 for place 2, 13 for place 3, 11 for place 4, "
        "8 for places 5 to 8, 5 for places 9 to 16 and 2 for all others."
    )


def test_the_first_events_of_a_long_season_are_added_up_in_one_column() -> None:
    league = league_of(*(play_event(f"Night {n}", CAST[:2]) for n in range(MAX_EVENT_COLUMNS + 2)))
    page = build_league_table(league, "A4", NOW)["pages"][0]
    assert page.blocks[-1].head.text.split() == [
        "Points",
        "1-2",
        *(str(n) for n in range(3, MAX_EVENT_COLUMNS + 3)),
    ]
    for line in lines(league):
        _, _, total, together, *rest = line.split()
        assert int(total) == int(together) + sum(map(int, rest))


@pytest.mark.paper
@pytest.mark.parametrize("paper", ["A4", "Letter"])
def test_the_pdf_says_league_place_and_page(paper: str) -> None:
    league = league_of(play_event("One", [("佐藤 健", ""), ("Катя Морозова", "")]), make_event(name="Two"))
    (page,) = PdfReader(BytesIO(render_league_pdf(build_league_table(league, paper, NOW)))).pages
    page_text = page.extract_text()
    for words in ("League table", "Harbour League · after 1 event, 1 to come", "佐藤 健", "Page 1 of 1"):
        assert words in page_text


def test_visitors_print_the_page_and_only_staff_get_the_pdf(client: Client) -> None:
    league = league_of(play_event("One", CAST))
    path = f"/leagues/{league.slug}"
    assert "Harbour League" in client.get(f"{path}/table/?paper=Letter").content.decode()
    assert client.get(f"{path}/table/?paper=B5").status_code == 404
    client.force_login(make_user("nobody@example.org"))
    assert client.post(f"{path}/print/").status_code == 403
    client.force_login(olga())
    response = client.post(f"{path}/print/", {"paper": "A4"})
    job = Job.objects.get(kind="print_league")
    assert response.url == f"{path}/print/{job.pk}/"  # type: ignore[attr-defined]
    assert "League table" in client.get(response.url).content.decode()  # type: ignore[attr-defined]


def test_the_same_table_is_made_once_until_something_changes() -> None:
    league = league_of(play_event("One", CAST))
    first = request_league_pdf(league, organizer(), "A4")
    assert request_league_pdf(league, organizer(), "A4") == first
    assert request_league_pdf(league, organizer(), "Letter") != first
    services.update_league(league, organizer(), best_of=1)
    assert request_league_pdf(league, organizer(), "A4") != first
