"""Stored reasons that refer to players.

The current name is shown, and never parsed as a reason.
"""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from rules.reason import Reference, reason, reasons_from_json
from tests.everyday import each_case
from tests.scenarios.factories import built_once, make_event, organizer
from tests.scenarios.rollback import rolled_back
from tournament.events.models.event import Event
from tournament.events.models.round import Match, Round
from tournament.events.names import EventNames, format_reasons
from tournament.pairing.services import rounds
from tournament.registration import services as registration
from tournament.setup.services import events

pytestmark = pytest.mark.django_db

NAMES = ["fixed table 3 fan", "Player 1", "player 2 fixed table 2", r"\\1 \\g<player>", "{player}"]


@pytest.fixture
@built_once
def event() -> Event:
    """Five players who have one fixed table."""
    event = make_event(first_table=101)
    for name in NAMES:
        registration.add_player(event, organizer(), name=name)
    event.players.update(fixed_table=103)
    events.start_event(event, organizer())
    event.refresh_from_db()
    return event


def explain_bye(event: Event) -> tuple[Match, str]:
    bye = Match.objects.select_related("p1").get(round__stage__event=event, p2=None)
    return bye, format_reasons(reasons_from_json(bye.why), EventNames(event))


@each_case("name", NAMES, around=rolled_back)
def test_names_that_read_like_a_reason_are_shown_as_they_are(event: Event, name: str) -> None:
    player = Reference("player", event.players.get(name=name).pk)
    lost_table = reason("fixed_table_lost", player=player, table=Reference("table", 103))
    words = format_reasons([lost_table], EventNames(event))
    assert words == f"{name} cannot have the fixed table 103: another match is there."


def test_remarks_name_the_tables_of_the_venue(event: Event) -> None:
    draft = rounds.pair_next_round(event, organizer())
    remarks = reasons_from_json(draft.pairing["remarks"])
    assert {each.code.partition(".")[0] for each in remarks} == {"fixed_table_lost"}
    assert all(each.params["table"] == Reference("table", 103) for each in remarks)


def test_renamed_player_changes_in_every_reason_that_was_stored_before(event: Event, client: Client) -> None:
    rounds.publish_round(rounds.pair_next_round(event, organizer()), organizer())
    bye, before = explain_bye(event)
    name = bye.p1.name
    assert before.startswith(f"{name} has the bye because the number of players is odd (5).")
    registration.change_details(bye.p1, organizer(), name="Player 12", email="", character="")
    _, after = explain_bye(event)
    assert after == before.replace(name, "Player 12", 1)
    page = client.get(f"/e/{event.slug}/matches/{bye.pk}/").content.decode()
    assert "Player 12 has the bye" in page


def test_unknown_number_is_reported_with_its_kind(event: Event) -> None:
    unknown_player = Reference("player", 10**6)
    assert format_reasons([reason("two_byes", player=unknown_player)], EventNames(event)).startswith(
        "player 1000000 "
    )


def test_draft_has_one_query_for_all_names(event: Event, django_assert_num_queries: Any) -> None:
    draft = rounds.pair_next_round(event, organizer())
    matches = Round.objects.get(pk=draft.pk).matches.all()
    reasons = [each for match in matches for each in reasons_from_json(match.why)]
    reasons += reasons_from_json(draft.pairing["remarks"])
    names = EventNames(event).collect(reasons)
    with django_assert_num_queries(1):
        format_reasons(reasons, names)


def test_api_gives_code_params_and_sentence_with_players_by_number(event: Event, client: Client) -> None:
    rounds.publish_round(rounds.pair_next_round(event, organizer()), organizer())
    [round_record] = client.get(f"/api/events/{event.slug}/rounds/").json()
    bye = next(match for match in round_record["matches"] if match["p2"] is None)
    assert bye["why"][0] == {
        "code": "has_bye",
        "params": {"player": {"player": bye["p1"]}, "count": 5},
        "sentence": f"{bye['p1_name']} has the bye because the number of players is odd (5).",
    }
    remark = round_record["pairing"]["remarks"][0]
    player = event.players.get(number=remark["params"]["player"]["player"])
    assert remark["code"] == "fixed_table_lost"
    assert remark["sentence"].startswith(f"{player.name} cannot have the fixed table 103: ")
