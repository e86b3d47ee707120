"""A Free-for-All of seven from the draft to a final duel and its champion.

Phones are at the tables.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.fixtures.browser import LAPTOP, PHONE
from tests.scenarios import labels
from tests.scenarios.factories import make_user, started_event
from tests.tournament.pairing.test_pods_played import FREE, tables
from tournament.brackets.selectors.bracket import champion_of_event
from tournament.events.models.event import Event
from tournament.events.models.round import Match, Round

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.mark.whole("tests/tournament/pairing/test_pods_played.py plays it without a browser")
def test_seven_play_to_a_champion_on_the_line_and_on_phones(new_page: Callable[..., Any]) -> None:
    make_user("olga@example.org", first_name="Olga")
    event = started_event(7, **FREE, cut="top", cut_size=2)
    desk = new_page(LAPTOP)
    desk.goto(f"/console/{event.slug}/")
    desk.get_by_label(labels.EMAIL).fill("olga@example.org")
    desk.get_by_label(labels.PASSWORD).fill("correct horse")
    desk.get_by_label(labels.PASSWORD).press("Enter")
    for number in (1, 2):
        desk.goto(f"/console/{event.slug}/")
        desk.get_by_role("button", name=labels.PAIR_ROUND % {"number": number}).click()
        desk.get_by_role("button", name=labels.PUBLISH_ROUND % {"number": number}).click()
        desk.get_by_label(labels.TABLE_AND_RESULT).wait_for()
        by_line, by_phone = tables(Round.objects.get(stage__event=event, number=number))
        _play_on_the_line(desk, by_line)
        if number == 1:
            _play_on_phones(new_page, by_phone)
            desk.locator(f"#table-{by_phone.table} .result").get_by_text("won").wait_for()
        else:
            _play_on_the_line(desk, by_phone)
    desk.goto(f"/console/{event.slug}/")
    desk.get_by_role("link", name=labels.VIEW_CUT).click()
    desk.get_by_role("button", name=labels.MAKE_THE_CUT).click()
    desk.goto(f"/console/{event.slug}/")
    desk.get_by_role("link", name=labels.ENTER_RESULTS).click()
    final = Match.objects.select_related("p1", "p2").get(round__stage__event=event, round__stage__position=2)
    line = desk.get_by_label(labels.TABLE_AND_RESULT)
    line.fill(f"{final.table} 0 1")
    line.press("Enter")
    desk.locator(f"#table-{final.table} .result").get_by_text("0-1").wait_for()
    event = Event.objects.get(pk=event.pk)
    champion = champion_of_event(event)
    assert (event.phase, champion) == (Event.Phase.FINISHED, final.p2)
    assert champion is not None
    phone = new_page(PHONE)
    phone.goto(f"/p/{champion.token}/")
    phone.get_by_text("Champion", exact=True).wait_for()


def _play_on_phones(new_page: Callable[..., Any], match: Match) -> None:
    winner = match.sides[0].player
    for side, words in zip(match.sides[:2], ("You reported:", "Round"), strict=False):
        phone = new_page(PHONE)
        phone.goto(f"/p/{side.player.token}/")
        phone.locator("form[data-report] button:visible", has_text=f"{winner.name} won").first.click()
        phone.locator("#task").get_by_text(words).first.wait_for()


def _play_on_the_line(desk: Any, match: Match) -> None:
    line = desk.get_by_label(labels.TABLE_AND_RESULT)
    line.fill(f"{match.table} 1")
    line.press("Enter")
    desk.locator(f"#table-{match.table} .result").get_by_text("won").wait_for()
