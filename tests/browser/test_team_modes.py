"""Modes of teams, whole events.

They have drafts, slips at the desk, phones at the tables, and a champion.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.fixtures.browser import LAPTOP, PHONE
from tests.scenarios import labels
from tests.scenarios.factories import make_event, make_user, organizer
from tests.tournament.pairing.test_pods_played import FREE
from tournament.events.models.event import Event
from tournament.events.models.round import Match, Round
from tournament.registration import services as registration
from tournament.setup.services import events
from tournament.standings.selectors.standings import standings

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

PAIRS = {**FREE, "name": "Pairs", "format": "2v2", "team_size": 2}
TRIPLES = {**FREE, "name": "Three pairs", "format": "2v2v2", "team_size": 2}
TWO_HEADS = {
    "name": "Two heads", "game": "highlander", "format": "two_headed_giant", "rules_version": "1.7",
    "match_form": "one_game_30min", "round_minutes": 30, "swiss_rounds": 2,
}  # fmt: skip


def start(values: dict[str, Any], players: int) -> Event:
    event = make_event(**values)
    for number in range(1, players + 1):
        members = [f"Ann {number}", f"Bob {number}"] if event.team_size else []
        registration.add_player(event, organizer(), name=f"Dojo {number}", members=members, character="Ken")
    events.start_event(event, organizer())
    return event


def list_matches(event: Event, number: int) -> list[Match]:
    round_ = Round.objects.get(stage__event=event, number=number)
    matches = round_.matches.filter(p2__isnull=False).select_related("p1", "p2", "round__stage__event")
    return list(matches.order_by("table"))


@pytest.mark.whole("a free-for-all by the same way; tests/tournament/pairing for these modes")
@pytest.mark.parametrize(
    ("values", "players", "line"),
    [
        pytest.param(PAIRS, 6, "1 0", id="2v2"),
        pytest.param(TRIPLES, 6, "1", id="2v2v2"),
        pytest.param(TWO_HEADS, 4, "1 0", id="two-headed-giant"),
    ],
)
def test_event_of_teams_is_played_to_its_champion(
    new_page: Callable[..., Any], values: dict[str, Any], players: int, line: str
) -> None:
    make_user("olga@example.org", first_name="Olga")
    event, desk = start(values, players), new_page(LAPTOP)
    desk.goto(f"/console/{event.slug}/")
    desk.get_by_label(labels.EMAIL).fill("olga@example.org")
    desk.get_by_label(labels.PASSWORD).fill("correct horse")
    desk.get_by_label(labels.PASSWORD).press("Enter")
    for number in (1, 2):
        desk.goto(f"/console/{event.slug}/")
        desk.get_by_role("button", name=labels.PAIR_ROUND % {"number": number}).click()
        desk.get_by_role("button", name=labels.PUBLISH_ROUND % {"number": number}).click()
        desk.get_by_label(labels.TABLE_AND_RESULT).wait_for()
        by_phone, *others = list_matches(event, number)
        play_on_phones(new_page, by_phone)
        for match in others:
            field = desk.get_by_label(labels.TABLE_AND_RESULT)
            field.fill(f"{match.table} {line}")
            field.press("Enter")
            desk.locator(f"#table-{match.table} .result").get_by_text("won").or_(
                desk.locator(f"#table-{match.table} .result").get_by_text("1-0")
            ).first.wait_for()
    assert not Match.objects.filter(round__stage__event=event, outcome="").exists()
    desk.goto(f"/console/{event.slug}/")
    desk.get_by_role("button", name="Finish event").click()
    desk.get_by_text("Finished").first.wait_for()
    champion = standings(Event.objects.get(pk=event.pk))[0].player
    phone = new_page(PHONE)
    phone.goto(f"/p/{champion.token}/")
    phone.get_by_role("heading").first.wait_for()
    assert Event.objects.get(pk=event.pk).phase == Event.Phase.FINISHED


def play_on_phones(new_page: Callable[..., Any], match: Match) -> None:
    """Report from two sides of a table that the first side won.

    The second report makes the result.
    """
    winner = match.sides[0].player
    for side in match.sides[:2]:
        phone = new_page(PHONE)
        phone.goto(f"/p/{side.player.token}/")
        assert phone.evaluate("document.documentElement.scrollWidth") <= PHONE["viewport"]["width"]
        phone.locator("form[data-report] button:visible", has_text=f"{winner.name} won").first.click()
        if side.player == winner:
            phone.locator("#task").get_by_text("You reported:").first.wait_for()
        else:
            phone.locator("#task").get_by_text("Round").first.wait_for()
