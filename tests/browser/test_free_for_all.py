"""A Free-for-All of seven from the draft to its champion, with phones at the tables."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.fixtures.browser import LAPTOP, PHONE
from tests.scenarios.factories import make_user, started_event
from tests.tournament.pairing.test_pods_played import FREE, tables
from tournament.events.models.event import Event
from tournament.events.models.round import Round
from tournament.standings.selectors.standings import standings

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def test_seven_play_to_a_champion_on_the_line_and_on_phones(new_page: Callable[..., Any]) -> None:
    make_user("olga@example.org", first_name="Olga")
    event = started_event(7, **FREE)
    desk = new_page(LAPTOP)
    desk.goto(f"/console/{event.slug}/")
    desk.get_by_label("Email").fill("olga@example.org")
    desk.get_by_label("Password").fill("correct horse")
    desk.get_by_label("Password").press("Enter")
    for number in (1, 2):
        desk.goto(f"/console/{event.slug}/")
        desk.get_by_role("button", name=f"Pair round {number}").click()
        desk.get_by_role("button", name=f"Publish round {number}").click()
        desk.get_by_label("Table and result").wait_for()
        by_line, by_phone = tables(Round.objects.get(stage__event=event, number=number))
        winner = by_phone.sides[0].player
        for side, words in zip(by_phone.sides[:2], ("You reported:", "Round"), strict=False):
            phone = new_page(PHONE)
            phone.goto(f"/p/{side.player.token}/")
            phone.locator("form[data-report] button:visible", has_text=f"{winner.name} won").first.click()
            phone.locator("#task").get_by_text(words).first.wait_for()
        line = desk.get_by_label("Table and result")
        line.fill(f"{by_line.table} 1")
        line.press("Enter")
        desk.locator(f"#table-{by_line.table} .result").get_by_text("won").wait_for()
        desk.locator(f"#table-{by_phone.table} .result").get_by_text("won").wait_for()
    desk.goto(f"/console/{event.slug}/")
    desk.get_by_role("button", name="Finish event").click()
    desk.get_by_text("Finished").first.wait_for()
    event = Event.objects.get(pk=event.pk)
    assert event.phase == Event.Phase.FINISHED
    champion = standings(event)[0].player
    phone = new_page(PHONE)
    phone.goto(f"/p/{champion.token}/")
    phone.get_by_text("Champion", exact=True).wait_for()
