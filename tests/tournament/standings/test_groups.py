"""Round robins, in which everyone meets everyone.

They are in one group and in several. What follows them is covered too.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from itertools import combinations
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from decks.shared.refusals import Refused
from tests.scenarios.factories import organizer, play_round, publish_next, win
from tests.tournament.test_kinds_of_events import GROUPS, drop, play_bracket, start_event
from tournament.archive.export import export_event
from tournament.archive.restore import restore_event
from tournament.brackets.services import stages
from tournament.events.models.round import Match
from tournament.events.selectors import get_standings_stage
from tournament.pairing.services import player_facts as pairing_facts
from tournament.pairing.services import rounds
from tournament.registration import services as registration
from tournament.setup.services import events
from tournament.standings.selectors.groups import (
    group_tables,
    load_player_engine_event,
    overall_standings,
    standings_by_group,
)
from tournament.standings.selectors.player import calculate_tiebreakers, line_of_player

pytestmark = pytest.mark.django_db


def test_round_robin_pairs_all_players_with_each_other_once() -> None:
    event = start_event(5, [{"kind": "robin"}])
    for _ in range(5):
        play_round(event)
    counts_by_pair = Counter(frozenset(pair) for pair in Match.objects.values_list("p1_id", "p2_id"))
    everybody = [player.pk for player in event.players.all()]
    assert counts_by_pair == Counter(frozenset(pair) for pair in combinations(everybody, 2))
    events.finish_event(event, organizer())
    assert event.phase == "finished"


def test_player_who_rests_in_a_round_robin_is_named_and_gets_no_points() -> None:
    event = start_event(3, [{"kind": "robin"}])
    draft = rounds.pair_next_round(event, organizer())
    seated_players = {n for pair in draft.matches.values_list("p1__number", "p2__number") for n in pair}
    assert draft.matches.count() == 1
    assert set(draft.pairing["resting"]) == {1, 2, 3} - seated_players


def test_a_dropped_players_later_round_robin_matches_are_won_without_play() -> None:
    event = start_event(4, [{"kind": "robin"}])
    play_round(event)
    drop(event, "Alice")
    dropped_player = event.players.get(name="Alice")
    for number in (2, 3):
        draft = rounds.pair_next_round(event, organizer())
        match = draft.matches.get(forfeit=True)
        assert (draft.number, match.winner_id == dropped_player.pk, match.table) == (number, False, None)
        assert dropped_player.pk in (match.p1_id, match.p2_id)
        for other in rounds.publish_round(draft, organizer()).matches.filter(outcome=""):
            win(Match.objects.select_related("round__stage__event", "p1", "p2").get(pk=other.pk))


def test_no_player_is_added_to_a_round_robin_with_a_schedule() -> None:
    event = start_event(4, [{"kind": "robin"}])
    with pytest.raises(Refused) as excinfo:
        registration.add_player(event, organizer(), name="Zoe")
    assert excinfo.value.code == "schedule_made"


def test_a_round_robin_is_not_paired_again() -> None:
    draft = rounds.pair_next_round(start_event(4, [{"kind": "robin"}]), organizer())
    with pytest.raises(Refused) as excinfo:
        rounds.pair_round_again(draft, organizer())
    assert excinfo.value.code == "schedule_fixed"


def test_groups_have_tables_of_their_own_and_their_winners_go_first() -> None:
    event = start_event(8, GROUPS)
    for _ in range(3):
        play_round(event)
    stage = get_standings_stage(event)
    tables = group_tables(stage)
    assert [(table.name, len(table.lines)) for table in tables] == [("Group A", 4), ("Group B", 4)]
    assert [sum(line.row.wins for line in table.lines) for table in tables] == [6, 6]
    best = {table.lines[0].player.pk for table in tables}
    assert {line.player.pk for line in overall_standings(event)[:2]} == best


def test_groups_lead_into_a_bracket_and_its_champion() -> None:
    event = start_event(8, GROUPS)
    for _ in range(3):
        play_round(event)
    order = [line.player.pk for line in overall_standings(event)[:4]]
    group_of = dict(get_standings_stage(event).entrants.values_list("player_id", "group"))
    bracket = stages.begin_next_stage(event, organizer())
    seeds = list(bracket.entrants.order_by("seed").values_list("player_id", flat=True))
    assert (seeds[:2], set(seeds)) == (order[:2], set(order))
    semi_finals = Match.objects.filter(round__stage=bracket).values_list("p1_id", "p2_id")
    assert [group_of[one] != group_of[two] for one, two in semi_finals] == [True, True]
    play_bracket(event)
    assert event.phase == "finished"


def test_too_few_players_for_the_groups_are_told_so() -> None:
    with pytest.raises(Refused) as excinfo:
        start_event(5, [{"kind": "robin", "groups": 4}])
    assert excinfo.value.code == "too_few_for_groups"


def test_stages_groups_and_pairing_wishes_travel_in_the_archive() -> None:
    event = start_event(8, GROUPS, hall="Gym", first_table=5, pairing_options={"apart": "wish"})
    people = list(event.players.select_related("event"))
    pairing_facts.change_player_facts(people[0], organizer(), club="Dojo", seed=3, rating=1500, fixed_table=6)
    pairing_facts.forbid_pair(event, organizer(), 1, 2, reason="siblings")
    for _ in range(3):
        play_round(event)
    stages.begin_next_stage(event, organizer())
    document = export_event(event)
    restored_document = export_event(restore_event(json.dumps(document), organizer()))
    document["event"]["slug"] = restored_document["event"]["slug"]
    parts = ("event", "forbidden_pairs", "stages")
    assert [restored_document[part] for part in parts] == [document[part] for part in parts]
    facts = ("club", "seed", "rating", "fixed_table", "first_byes")
    assert [restored_document["players"][0][fact] for fact in facts] == ["Dojo", 3, 1500, 6, 0]


def test_standings_of_groups_are_read_group_by_group(client: Client) -> None:
    event = start_event(8, GROUPS)
    play_round(event)
    group_of = dict(get_standings_stage(event).entrants.values_list("player__number", "group"))
    rows = client.get(f"/api/events/{event.slug}/standings/").json()
    assert [row["group"] for row in rows] == [1] * 4 + [2] * 4
    assert [row["group"] for row in rows] == [group_of[row["player"]] for row in rows]
    assert [row["rank"] for row in rows][::4] == [1, 1]
    page = client.get(reverse("standings", args=[event.slug])).content.decode()
    assert re.findall(r"<h2>(Group \w)</h2>", page) == ["Group A", "Group B"]
    assert len(re.findall(r'<td[^>]* class="rank">1</td>', page)) == 2
    matches = Match.objects.filter(round__stage__event=event)
    assert sorted(line_of_player(m.p1).rank for m in matches.select_related("p1__event")) == [1, 1, 2, 2]


def test_figures_of_a_player_are_computed_within_their_group() -> None:
    event = start_event(8, GROUPS)
    play_round(event)
    player = get_standings_stage(event).entrants.filter(group=2).first().player
    group = set(get_standings_stage(event).entrants.filter(group=2).values_list("player_id", flat=True))
    assert {person.id for person in load_player_engine_event(event, player).players} == group
    assert calculate_tiebreakers(event, player)[0].name == "Points"


@pytest.mark.both_databases
def test_groups_keep_their_tables_when_swiss_rounds_follow() -> None:
    event = start_event(8, [{"kind": "robin", "groups": 2}, {"kind": "swiss", "rounds": 2, "size": 4}])
    for _ in range(3):
        play_round(event)
    robin = get_standings_stage(event)
    before = [[(line.player.pk, line.rank, line.row.points) for line in t.lines] for t in group_tables(robin)]
    stages.begin_next_stage(event, organizer())
    play_round(event)
    assert [
        [(line.player.pk, line.rank, line.row.points) for line in table.lines]
        for table in group_tables(robin)
    ] == before
    assert [len(part.lines) for part in standings_by_group(event)] == [4]
    assert [len(part.lines) for part in standings_by_group(event, after_round=3)] == [4, 4]


@pytest.mark.parametrize("groups", [2, 8])
def test_the_tables_of_few_and_many_groups_take_the_same_queries(
    groups: int, django_assert_num_queries: Any
) -> None:
    event = start_event(16, [{"kind": "robin", "groups": groups}, {"kind": "single", "size": 4}])
    publish_next(event)
    with django_assert_num_queries(7):
        standings_by_group(event)
