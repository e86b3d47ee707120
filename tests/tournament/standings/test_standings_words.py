"""Names of the standings on pages, in every phase and for every kind of event."""

from __future__ import annotations

import pytest
from django.test import Client

from tests.everyday import each_case
from tests.scenarios.factories import (
    make_event,
    play_round,
    publish_next,
    sign_in_organizer,
    started_event,
)
from tests.scenarios.html import html_of
from tests.scenarios.rollback import rolled_back
from tests.scenarios.sentences import LATE_REGISTRATION
from tournament.events.models.event import Event
from tournament.standings.selectors.table import format_standings_title

pytestmark = pytest.mark.django_db
SINGLE = {"kind": "single"}


@each_case(
    ("phase", "plan", "words"),
    [
        ("registration", [], "Standings"),
        ("check_in", [], "Standings"),
        ("swiss", [], "Current standings"),
        ("cut", [], "Standings after the Swiss rounds"),
        ("finished", [], "Standings after the Swiss rounds"),
        ("swiss", [{"kind": "robin"}, SINGLE], "Current standings"),
        ("finished", [{"kind": "robin"}, SINGLE], "Standings after the round robin"),
        ("finished", [{"kind": "swiss"}, {"kind": "robin"}], "Standings after the rounds"),
        ("finished", [SINGLE], "Standings"),
    ],
    around=rolled_back,
)
def test_standings_without_a_round_are_called_by_the_phase_and_the_rounds(phase, plan, words):
    assert format_standings_title(Event(phase=phase, plan=plan), None) == words


def test_a_running_round_is_not_yet_over_on_the_page_of_its_standings(client):
    event = started_event(4)
    play_round(event)
    publish_next(event)
    assert heading(client, f"/e/{event.slug}/standings/1/") == "Standings after round 1"
    assert heading(client, f"/e/{event.slug}/standings/2/") == "Standings during round 2"


def test_no_player_has_a_place_before_the_first_round_is_published(client):
    event = started_event(4)
    sign_in_organizer(client)
    answer = client.get(f"/console/{event.slug}/standings/")
    assert not answer.context["table"]
    assert "W–L–D" not in html_of(answer)


def test_standings_after_a_round_that_is_not_there_are_not_found(client):
    event = started_event(4)
    play_round(event)
    sign_in_organizer(client)
    assert heading(client, f"/console/{event.slug}/standings/") == "Current standings"
    assert client.get(f"/console/{event.slug}/standings/?after=99").status_code == 404
    assert heading(client, f"/console/{event.slug}/standings/?after=1") == "Standings after round 1"


def test_an_event_that_is_a_bracket_from_the_start_says_that_it_has_no_standings(client):
    event = started_event(4, plan=[SINGLE])
    assert "This event starts with a bracket" in html_of(client.get(f"/e/{event.slug}/standings/"))
    sign_in_organizer(client)
    page = html_of(client.get(f"/console/{event.slug}/standings/"))
    assert "This event starts with a bracket" in page


@each_case(("phase", "words"), list(LATE_REGISTRATION.items()), around=rolled_back)
def test_player_too_late_to_register_reads_what_is_still_possible(client, phase, words):
    event = make_event()
    Event.objects.filter(pk=event.pk).update(phase=phase)
    sign_in_organizer(client)
    assert words in html_of(client.get(f"/e/{event.slug}/register/"))


def heading(client: Client, address: str) -> str:
    """Return the heading of a page."""
    page = html_of(client.get(address))
    return page.split("<h1")[1].split(">", 1)[1].split("</h1>")[0].strip()
