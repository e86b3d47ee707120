"""Programs that looked a while ago and press now.

They are refused, with the present state beside the reason.
"""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from tests.everyday import each_case
from tests.scenarios.factories import (
    open_matches,
    organizer,
    pair_differently,
    play_round,
    sign_in_organizer,
    started_event,
    win,
)
from tests.scenarios.rollback import rolled_back
from tournament.brackets.services import cut as cuts
from tournament.events.models.player import Player
from tournament.events.models.round import Round
from tournament.pairing.services import rounds
from tournament.standings.selectors.standings import standings

pytestmark = pytest.mark.django_db


@pytest.fixture
def desk(client: Client) -> Client:
    """The organizer's program."""
    return sign_in_organizer(client)


def send(client: Client, path: str, data: dict[str, object] | None = None) -> tuple[int, Any]:
    answer = client.post(f"/api/{path}", data or {}, content_type="application/json")
    return answer.status_code, answer.json()


def codes(body: dict[str, object]) -> list[str]:
    return [problem["code"] for problem in body["problems"]]


def test_a_draft_paired_again_meanwhile_is_not_published_unseen(desk: Client) -> None:
    event = started_event(6)
    draft = rounds.pair_next_round(event, organizer())
    address = f"events/{event.slug}/rounds/1/1/"
    seen_mark = desk.get(f"/api/{address}").json()["mark"]
    again = pair_differently(draft)
    status, body = send(desk, f"{address}publish/", {"seen": seen_mark})
    assert (status, codes(body)) == (409, ["draft_changed_meanwhile"])
    assert body["now"] == desk.get(f"/api/{address}").json()
    assert Round.objects.get(pk=again.pk).is_draft
    status, body = send(desk, f"{address}publish/", {"seen": body["now"]["mark"]})
    assert (status, body["state"], body["mark"]) == (200, "published", None)
    assert send(desk, f"{address}publish/", {"seen": seen_mark})[0] == 200


def test_a_cut_of_others_than_were_read_is_not_made(desk: Client) -> None:
    event = started_event(6, swiss_rounds=1, cut="top", cut_size=2)
    play_round(event)
    address = f"events/{event.slug}/cut/"
    seen_players = [row["player"] for row in desk.get(f"/api/{address}").json() if row["is_in"]]
    cuts.decline_cut(standings(event)[0].player, organizer())
    status, body = send(desk, address, {"seen": seen_players})
    assert (status, codes(body)) == (409, ["cut_changed_meanwhile"])
    now = [row["player"] for row in body["now"] if row["is_in"]]
    assert len(now) == 2
    assert now[0] == seen_players[1]
    assert send(desk, address, {"seen": now[::-1]})[0] == 409
    assert send(desk, f"events/{event.slug}/stages/", {"seen": seen_players})[1]["now"] == body["now"]
    assert not event.stages.filter(kind="single").exists()
    for _ in range(2):
        assert send(desk, address, {"seen": now})[0] == 200
    assert event.stages.filter(kind="single").count() == 1


def test_a_report_or_leave_meant_for_an_earlier_match_is_refused(client: Client) -> None:
    event = started_event(4)
    first = rounds.publish_round(rounds.pair_next_round(event, organizer()), organizer())
    player = open_matches(first)[0].p1
    match_id = client.get(f"/api/me/{player.token}/").json()["match"]["id"]
    for match in open_matches(first):
        win(match)
    second = rounds.publish_round(rounds.pair_next_round(event, organizer()), organizer())
    running_match = second.matches.get(seats__player=player)
    for door, sent_values in (("result", {"p1_games": 2, "p2_games": 0}), ("leave-now", {}), ("drop", {})):
        status, body = send(client, f"me/{player.token}/{door}/", {**sent_values, "match": match_id})
        assert (status, codes(body), body["now"]["id"]) == (409, ["another_match"], running_match.pk)
    assert running_match.reports.count() == 0
    assert not Player.objects.get(pk=player.pk).is_dropped
    sent_values = {"p1_games": 2, "p2_games": 0, "match": running_match.pk}
    assert send(client, f"me/{player.token}/result/", sent_values)[0] == 200
    assert running_match.reports.count() == 1


@each_case("match", [0, -1, "x", 10**30, None], around=rolled_back)
def test_a_match_that_is_no_number_is_refused_with_a_sentence(client: Client, match: object) -> None:
    event = started_event(2)
    round_ = rounds.publish_round(rounds.pair_next_round(event, organizer()), organizer())
    player = open_matches(round_)[0].p1
    sent_values = {"p1_games": 2, "p2_games": 0, "match": match}
    status, body = send(client, f"me/{player.token}/result/", sent_values)
    assert status in (400, 409)
    assert [problem["field"] for problem in body["problems"]] == ["match"]
