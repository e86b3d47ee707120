"""Query values that choose the content of a page.

They are valid or not found, never guessed.
"""

from __future__ import annotations

import pytest
from django.test import Client

from tests.everyday import each_case
from tests.scenarios.factories import play_round, publish_next, sign_in_organizer, started_event
from tests.scenarios.rollback import rolled_back
from tournament.events.models.event import Event

pytestmark = pytest.mark.django_db

GOOD = {
    "/console/{slug}/standings/": ["", "after=", "after=1"],
    "/e/{slug}/players/1/": ["after=1"],
    "/e/{slug}/pairings/": ["by=name", "by=table", "utm_source=search"],
    "/e/{slug}/screen/standings/": ["seconds=12", "theme=dark"],
    "/console/{slug}/players/": ["show=missing", "show="],
    "/console/{slug}/rounds/1/1/": ["show=playing"],
    "/console/{slug}/log/": ["player=1", "round=", "page=1"],
    "/print/{slug}/slips/": ["round=1-1&paper=A4"],
}
BAD = {
    "/console/{slug}/standings/": ["after=99", "after=abc", "after=-1", "after=0", "after=٣"],
    "/e/{slug}/players/1/": ["after=99", "after=abc", "after=-1"],
    "/e/{slug}/pairings/": ["by=rank"],
    "/e/{slug}/screen/standings/": ["seconds=999", "seconds=soon", "theme=pink"],
    "/console/{slug}/players/": ["show=lost"],
    "/console/{slug}/rounds/1/1/": ["show=closed"],
    "/console/{slug}/log/": ["player=abc", "round=-1", "page=0", "page=99", "page=x"],
    "/print/{slug}/slips/": ["round=first", "round=9-9", "paper=A9"],
    "/print/{slug}/registration/": ["player=nobody"],
    "/console/{slug}/lists/1/compare/": ["older=x", "newer=-1"],
}


@pytest.fixture
def event() -> Event:
    running_event = started_event(4, swiss_rounds=3)
    play_round(running_event)
    publish_next(running_event)
    return running_event


@pytest.fixture
def desk() -> Client:
    return sign_in_organizer()


@each_case(("address", "query"), [(a, q) for a, queries in GOOD.items() for q in queries], around=rolled_back)
def test_choice_that_exists_is_shown(event: Event, desk: Client, address: str, query: str) -> None:
    assert desk.get(f"{address.format(slug=event.slug)}?{query}").status_code == 200


@each_case(("address", "query"), [(a, q) for a, queries in BAD.items() for q in queries], around=rolled_back)
def test_choice_that_does_not_exist_is_not_found(
    event: Event, desk: Client, address: str, query: str
) -> None:
    assert desk.get(f"{address.format(slug=event.slug)}?{query}").status_code == 404
