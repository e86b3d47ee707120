"""Wide and narrow standings.

Those of many tiebreakers move sideways, and those of few columns keep their heads.
"""

from __future__ import annotations

import re

import pytest
from django.urls import reverse

from tests.scenarios.factories import organizer, play_round, sign_in_organizer, started_event
from tournament.standings.services import set_standings_system

pytestmark = pytest.mark.django_db


KINDS = ("buchholz", "sonneborn_berger", "progressive", "wins", "koya")
MANY = {
    "title": "Club league",
    "points": {"win": 2, "draw": 1, "loss": 0, "bye": 2},
    "tiebreakers": [{"kind": kind, "key": kind[:5], "name": kind} for kind in (*KINDS, "lot")],
}


@pytest.mark.parametrize(
    ("system", "public", "console"),
    [
        ("ufs", "table table-long table-sticky table-lines", "table table-compact table-sticky table-lines"),
        ("own", "table table-lines", "table table-compact table-lines"),
    ],
)
def test_a_table_wider_than_the_page_is_not_cut_off(system: str, public: str, console: str) -> None:
    event = started_event(4)
    play_round(event)
    set_standings_system(event, organizer(), system, MANY, reason="agreed")
    client = sign_in_organizer()
    for name, expected_columns in (("standings", public), ("console_standings", console)):
        page = client.get(reverse(name, args=[event.slug])).content.decode()
        assert re.findall(r'class="(table [^"]*table-lines)"', page) == [expected_columns]
