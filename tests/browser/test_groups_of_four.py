"""Ten players in groups of four and three, from the plan to the champion.

A phone is used.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.fixtures.browser import LAPTOP, PHONE
from tests.scenarios import labels
from tests.scenarios.factories import add_players, make_event, make_user, organizer
from tournament.brackets.selectors.bracket import champion_of_event
from tournament.events.models.event import Event, Stage
from tournament.events.models.round import Match
from tournament.events.settings import get_plan
from tournament.results.services.results import enter_result
from tournament.setup.services import events

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.mark.whole("groups in tests/tournament/brackets; a whole event of single players in a browser")
def test_ten_play_groups_and_a_cut_of_four_to_the_champion(new_page: Callable[..., Any]) -> None:
    make_user("olga@example.org", first_name="Olga")
    event = make_event()
    players = add_players(event, 10)
    desk, phone = new_page(LAPTOP), new_page(PHONE)
    _sign_in(desk, event)
    _plan_groups(desk, event)
    events.start_event(Event.objects.get(pk=event.pk), organizer())
    for number in (1, 2, 3):
        desk.goto(f"/console/{event.slug}/")
        desk.get_by_role("button", name=labels.PAIR_ROUND % {"number": number}).click()
        desk.get_by_role("button", name=labels.PUBLISH_ROUND % {"number": number}).click()
        desk.get_by_label(labels.TABLE_AND_RESULT).wait_for()
        _enter_results(desk, event)
    desk.goto(f"/console/{event.slug}/cut/")
    desk.get_by_role("button", name=labels.MAKE_THE_CUT).click()
    desk.locator(".bracket").wait_for()
    assert [stage.entrants.count() for stage in Stage.objects.filter(event=event)] == [10, 4]
    while _enter_results(desk, event):
        pass
    champion = champion_of_event(Event.objects.get(pk=event.pk))
    assert champion in players
    phone.goto(f"/p/{champion.token}/")
    phone.get_by_text("Champion", exact=True).wait_for()


def _sign_in(desk: Any, event: Event) -> None:
    desk.goto(f"/console/{event.slug}/stages/")
    desk.get_by_label(labels.EMAIL).fill("olga@example.org")
    desk.get_by_label(labels.PASSWORD).fill("correct horse")
    desk.get_by_label(labels.PASSWORD).press("Enter")


def _plan_groups(desk: Any, event: Event) -> None:
    desk.get_by_role("button", name="Use this structure: Groups of four, then a bracket").click()
    desk.locator("#id_stage1-size").fill("4")
    desk.get_by_role("button", name="Save stages").click()
    desk.get_by_text("Groups of four").first.wait_for()
    assert [(stage.kind, stage.size) for stage in get_plan(Event.objects.get(pk=event.pk))] == [
        ("groups", None),
        ("single", 4),
    ]


def _enter_results(desk: Any, event: Event) -> int:
    """Enter results at all open tables and return how many tables there were.

    At one table a win of the first side is pressed, at the others it is entered.
    """
    open_matches = Match.objects.filter(round__stage__event=event, outcome="").order_by("round", "table")
    tables = list(open_matches.select_related("round__stage__event", "p1", "p2"))
    for match in tables[:1]:
        desk.goto(f"/console/{event.slug}/rounds/{match.round.stage.position}/{match.round.number}/")
        desk.get_by_role("button", name=f"Table {match.table}: 2-0").click()
        desk.locator(f"#table-{match.table} .result").get_by_text("2-0").wait_for()
    for match in tables[1:]:
        enter_result(match, organizer(), p1_games=2, p2_games=0)
    return len(tables)
