"""A player reads what each result of the own match means for the cut."""

from __future__ import annotations

import pytest
from django.test import Client

from tests.scenarios.factories import open_matches, play_round, publish_next, started_event
from tests.scenarios.public_pages import get
from tournament.events.models.event import Event
from tournament.events.models.player import Player
from tournament.events.models.round import Match, Round
from tournament.my_page.meanings import describe_meanings
from tournament.results.selectors import list_my_matches
from tournament.results.services import results
from tournament.standings.selectors.outlook import outlook_of_player

pytestmark = pytest.mark.django_db


@pytest.fixture
def last_round() -> Round:
    """Six players after one round; four of them go on."""
    event = started_event(6, cut="top", cut_size=2, swiss_rounds=2)
    play_round(event)
    return publish_next(event)


def sentences(player: Player) -> list[str]:
    event = Event.objects.get(pk=player.event_id)
    mine = list_my_matches(player)[0]
    return describe_meanings(event, outlook_of_player(event, player), mine)


def test_every_result_is_a_sentence_and_the_other_table_is_named(last_round: Round) -> None:
    event = Event.objects.get(pk=last_round.stage.event_id)
    leading = next(
        match
        for match in open_matches(last_round)
        if len({*winners(event)} & {match.p1_id, match.p2_id}) == 2
    )
    other = next(
        match
        for match in open_matches(last_round)
        if len({*winners(event)} & {match.p1_id, match.p2_id}) == 1
    )
    winner = other.p1 if other.p1_id in winners(event) else other.p2
    player = Player.objects.select_related("event").get(pk=leading.p1_id)
    win, draw, loss = sentences(player)
    assert win == "A win puts you in the cut."
    assert draw == f"A draw is enough unless table {other.table} ends in a win for {winner}."
    assert loss.startswith("After a loss, other results ")


def winners_in(match: Match, event: Event) -> set[int | None]:
    """Return the players of a match who won the first round."""
    return {match.p1_id, match.p2_id} & winners(event)


def winners(event: Event) -> set[int]:
    """Return who won the first round."""
    matches = Match.objects.filter(round__stage__event=event, round__number=1)
    return {match.winner_id for match in matches if match.winner_id}


def test_only_the_reported_result_is_explained_once_there_is_one(last_round: Round, client: Client) -> None:
    match = open_matches(last_round)[0]
    player = Player.objects.select_related("event").get(pk=match.p1_id)
    before = sentences(player)
    results.report_result(match, match.p2, p1_games=2, p2_games=0)
    assert sentences(player) == before[:1]
    assert before[0] in get(client, f"/p/{player.token}/")


def test_with_rounds_to_come_and_nothing_certain_nothing_is_listed() -> None:
    event = started_event(6, cut="top", cut_size=2, swiss_rounds=3)
    publish_next(event)
    player = Player.objects.select_related("event").filter(event=event).first()
    assert player is not None
    assert sentences(player) == []


def test_a_result_elsewhere_costs_one_query(last_round: Round, django_assert_num_queries) -> None:
    event = Event.objects.get(pk=last_round.stage.event_id)
    for match in open_matches(last_round):
        player = Player.objects.select_related("event").get(pk=match.p1_id)
        mine = list_my_matches(player)[0]
        outlook = outlook_of_player(event, player)
        names_another = any(each.unless for each in outlook.results)
        with django_assert_num_queries(int(names_another)):
            describe_meanings(event, outlook, mine)
