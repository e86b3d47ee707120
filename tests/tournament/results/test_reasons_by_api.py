"""Programs read codes with players by number where pages say a sentence."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from tests.scenarios.factories import (
    add_players,
    make_event,
    open_matches,
    organizer,
    publish_next,
    started_event,
    win,
)
from tests.tournament.desk.test_console_pages import signed_in
from tournament.events.models.event import Event
from tournament.events.models.player import Player
from tournament.events.models.round import Match, Round
from tournament.log.models import LogEntry
from tournament.registration import services as registration
from tournament.results.services import results
from tournament.setup.services import events

pytestmark = pytest.mark.django_db


def ask(client: Client, event: Event, address: str, **values: Any) -> Any:
    url = f"/api/events/{event.slug}/{address}"
    if not values:
        return client.get(url).json()
    return client.post(url, values, content_type="application/json").json()


def match_of(event: Event, number: int, index: int = 0) -> Match:
    round_ = Round.objects.get(stage__event=event, number=number)
    matches = Match.objects.select_related("round__stage__event", "p1", "p2")
    return matches.filter(round=round_).order_by("pk")[index]


def test_preview_of_a_correction_says_by_codes_what_falls_and_who_plays_instead() -> None:
    event = started_event(4, plan=[{"kind": "double"}])
    opening, other, upper = win(match_of(event, 1)), win(match_of(event, 1, 1)), win(match_of(event, 2))
    client = signed_in(event, "organizer")
    answer = ask(client, event, f"matches/{opening.pk}/correction/", p1_games=0, p2_games=2)
    ((fallen_result,), (changed_table,)) = answer["falls"], answer["tables"]
    assert (fallen_result["code"], changed_table["code"]) == ("match_with_result", "match_replaced")
    assert fallen_result["params"]["match"]["params"]["p1"] == {"player": upper.p1.number}
    assert fallen_result["params"]["result"]["params"]["score"] == "2-0"
    new_match = changed_table["params"]["new"]["params"]
    assert (new_match["p1"], new_match["p2"]) == ({"player": opening.p1.number}, {"player": other.p2.number})
    assert [answer[each]["params"]["score"] for each in ("before", "after")] == ["2-0", "0-2"]


def test_report_of_a_player_has_its_figures_beside_the_sentence() -> None:
    event = started_event(4)
    match = open_matches(publish_next(event))[0]
    results.report_result(match, match.p1, p1_games=2, p2_games=1)
    tables = ask(signed_in(event, "scorekeeper"), event, "tables/")
    ((report,),) = [each["reports"] for each in tables if each["reports"]]
    assert (report["player"], report["p1_games"], report["p2_games"]) == (match.p1.number, 2, 1)
    assert match.p1.name in report["says"]


def test_author_that_is_no_one_by_name_has_a_code() -> None:
    event = make_event()
    ann, _bob = add_players(event, 2, one_by_one=True)
    events.open_check_in(event, organizer())
    registration.check_in(ann, organizer())
    registration.drop_no_shows(event, organizer())
    LogEntry.objects.filter(event=event).update(user=None, actor="")
    client = signed_in(event, "organizer")
    players = {each["number"]: each for each in ask(client, event, "players/")}
    bob = players[Player.objects.exclude(pk=ann.pk).get().number]
    assert bob["drop_reason_code"] == "not_checked_in"
    assert bob["drop_reason"] not in ("", "not_checked_in")
    assert {each["actor_code"] for each in ask(client, event, "log/")} == {"deleted_account"}
