"""The title of a printed sheet, stored as a code with params.

It is put into words when it is shown.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.test import Client

from decks.jobs.models import Job
from tests.everyday import each_case
from tests.scenarios.factories import publish_next, sign_in_organizer, started_event, win
from tests.scenarios.html import html_of
from tests.scenarios.rollback import rolled_back
from tournament.events.models.event import Event, Stage
from tournament.events.models.round import Round
from tournament.printing.registry import SHEETS, say_title, sheet_title
from tournament.printing.selectors import job_title

pytestmark = pytest.mark.django_db


def publish_first_round() -> tuple[Event, Round]:
    """Return an event whose first round is played."""
    event = started_event(4)
    return event, publish_next(event)


@each_case(
    ("key", "code", "words"),
    [
        ("slips", "sheet_title.round", "Match slips, round 1"),
        ("badges", "sheet_title", "Player badges"),
        ("round-pack", "sheet_title.round", "Everything for the round, round 1"),
        ("standings", "standings_title.during", "Standings during round 1"),
        ("report", "report_title", "Report so far"),
    ],
    around=rolled_back,
)
def test_title_is_a_code_whose_words_name_the_sheet(key: str, code: str, words: str) -> None:
    event, shown_round = publish_first_round()
    title = sheet_title(SHEETS[key], event, shown_round)
    assert (title.code, say_title(title)) == (code, words)
    assert words not in str(title.to_json())


@pytest.mark.parametrize(("cut", "part"), [("top", "cut"), ("none", "bracket")])
def test_title_of_a_round_of_the_bracket_says_so(cut: str, part: str) -> None:
    event = Event(cut=cut)
    stage = Stage(event=event, kind=Stage.Kind.SINGLE)
    title = sheet_title(SHEETS["slips"], event, Round(stage=stage, number=2))
    assert say_title(title) == f"Match slips, {part}, round 2"


@pytest.mark.paper
def test_made_sheet_keeps_its_title_as_a_code_and_pages_say_it(
    client: Client, run_jobs: Callable[[], list[Job]]
) -> None:
    event, shown_round = publish_first_round()
    sign_in_organizer(client)
    client.post(f"/print/{event.slug}/", {"sheet": "standings"})
    run_jobs()
    job = Job.objects.get(kind="print_sheet")
    assert job.result == {"title": {"code": "standings_title.during", "params": {"round": 1}}}
    # A printed sheet keeps its title.
    for match in shown_round.matches.filter(p2__isnull=False):
        win(match)
    assert job_title(job) == "Standings during round 1"
    assert "Standings during round 1" in html_of(client.get(f"/print/{event.slug}/"))
    part = client.get(f"/print/jobs/{job.pk}/", headers={"HX-Request": "true"})
    assert "<strong>Standings during round 1</strong> is ready." in html_of(part)


def test_title_of_a_job_from_before_is_shown_as_it_is() -> None:
    assert job_title(Job(result={"title": "Match slips, round 3"})) == "Match slips, round 3"
