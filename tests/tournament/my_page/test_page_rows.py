"""Pages made of the rows of all players.

They show what pages made of their own rows show.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from tests import machine
from tests.scenarios.event_with_decklist import event_with_alices_list
from tests.scenarios.factories import open_matches, organizer, publish_next, started_event, win
from tests.tournament.my_page.test_digests import page_of
from tournament.clock import services as clock
from tournament.events.models.player import Player
from tournament.events.models.round import Round
from tournament.judging.services import calls
from tournament.my_page import page_rows
from tournament.results.services import drops, results

pytestmark = [pytest.mark.both_databases, pytest.mark.django_db(transaction=True)]


@pytest.fixture(autouse=True)
def _without_cached_rows() -> None:
    """Start without rows of other tests.

    Their events may have had the same keys and versions.
    """
    page_rows._shared_rows.clear()
    page_rows._load_counts.clear()


def pages_of(players: Sequence[Player], monkeypatch: pytest.MonkeyPatch, *, loads: int) -> list[str]:
    monkeypatch.setattr(page_rows, "LOADS_BEFORE_SHARING", loads)
    return [page_of(player) for player in players]


@pytest.mark.daily_on_postgres
def test_shared_rows_after_steps_of_every_kind_show_the_same_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    event = started_event(5, cut="top", cut_size=2, swiss_rounds=2)
    actor = organizer()
    first, second = open_matches(publish_next(event))[:2]
    everyone = list(event.players.order_by("number"))
    # One who reports, one who drops, and the player with the bye.
    seated_players = {first.p1, second.p1, second.p2, first.p2}
    some_players = [first.p1, second.p2, *(player for player in everyone if player not in seated_players)]
    players = everyone if machine.whole() else some_players
    steps: list[Callable[[], object]] = [
        lambda: clock.start_clock(first.round, actor),
        lambda: clock.change_time(first.round, actor, minutes=5, match=first, reason="late"),
        lambda: results.report_result(first, first.p1, p1_games=2, p2_games=1),
        lambda: calls.call_judge(first.p1, actor),
        lambda: win(first),
        lambda: drops.drop(second.p2, actor),
        lambda: win(second),
        lambda: publish_next(event),
    ]
    for step in steps:
        step()
        own_pages = pages_of(players, monkeypatch, loads=1000)
        assert pages_of(players, monkeypatch, loads=0) == own_pages
    assert page_rows._shared_rows.keys()
    assert Round.objects.count() == 2


def test_shared_rows_cost_one_query_a_page(monkeypatch: pytest.MonkeyPatch) -> None:
    event = started_event(6, swiss_rounds=2)
    publish_next(event)
    players = list(event.players.order_by("number"))
    monkeypatch.setattr(page_rows, "LOADS_BEFORE_SHARING", 2)
    counts = []
    for player in players:
        with CaptureQueriesContext(connection) as queries:
            assert Client().get(f"/p/{player.token}/").status_code == 200
        counts.append(len(queries))
    assert counts[3:] == [1, 1, 1]
    assert counts[0] > 4


def test_find_player_with_an_unknown_link_returns_none() -> None:
    assert page_rows.find_player("nobody") is None


def test_shared_rows_show_a_list_without_queries_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    event = event_with_alices_list(4)
    alice = event.players.get(name="Alice")
    players = list(event.players.order_by("number"))
    own_pages = pages_of(players, monkeypatch, loads=1000)
    assert pages_of(players, monkeypatch, loads=0) == own_pages
    with CaptureQueriesContext(connection) as queries:
        assert Client().get(f"/p/{alice.token}/").status_code == 200
    assert len(queries) == 1
