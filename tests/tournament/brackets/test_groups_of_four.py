"""Groups of four by double elimination as a stage.

They are planned, played into a bracket, shown and archived.
"""

from __future__ import annotations

import json

import pytest
from django.test import Client
from django.urls import reverse

from decks.shared.refusals import Refused
from tests.everyday import each_case
from tests.scenarios.factories import (
    built_once,
    make_event,
    make_user,
    open_matches,
    organizer,
    play_round,
    publish_next,
    started_event,
    win,
)
from tests.scenarios.html import html_of
from tests.scenarios.rollback import rolled_back
from tournament.archive.export import export_event
from tournament.archive.restore import restore_event
from tournament.brackets.selectors.bracket import champion_of_event, final_ranking
from tournament.brackets.services import stages
from tournament.events.models.event import Event
from tournament.events.models.match_result import MatchResult
from tournament.events.models.player import Player
from tournament.events.models.round import Match, Round
from tournament.events.selectors import get_current_stage
from tournament.events.settings import get_plan
from tournament.log.services import undo_step
from tournament.matches import find_result_problems
from tournament.pairing.services import drafts, rounds
from tournament.results.services import drops, results
from tournament.setup.services import events
from tournament.standings.selectors.exits import ExitCounts, count_event_exits, load_exits
from tournament.standings.selectors.groups import group_tables, list_entries, standings_by_group
from tournament.standings.selectors.qualifying import select_qualifiers

pytestmark = pytest.mark.django_db

GROUPS_AND_CUT = [{"kind": "groups"}, {"kind": "single", "size": 4}]


def groups_event(players: int, **values: object) -> Event:
    return started_event(players, **{"plan": GROUPS_AND_CUT, **values})


def seeds_of(event: Event) -> dict[int, int]:
    """Return the seed of each player of the groups, by id."""
    stage = event.stages.get(position=1)
    return dict(stage.entrants.values_list("player_id", "seed"))


def meetings_of(round_: Round) -> list[tuple[int, int]]:
    """Return the pairs of a round, by seeds."""
    seeds = seeds_of(round_.stage.event)
    pairs = round_.matches.values_list("p1_id", "p2_id")
    return sorted(tuple(sorted((seeds[one], seeds[two or 0]))) for one, two in pairs)  # type: ignore[misc]


@built_once
def play_for_better_seeds(event: Event) -> Round:
    """Pair, publish and play a round; the better seed wins."""
    round_, seeds = publish_next(event), seeds_of(event)
    for match in open_matches(round_):
        win(match, "p1" if seeds[match.p1_id] < seeds[match.p2_id or 0] else "p2")
    return round_


def exits_by_seed(event: Event) -> dict[int, str]:
    seeds = seeds_of(event)
    exits = load_exits(event.stages.get(position=1))
    return dict(sorted((seeds[player], left) for player, left in exits.items()))


def test_eight_play_opening_then_winners_and_losers_then_deciders() -> None:
    event = groups_event(8)
    assert meetings_of(play_for_better_seeds(event)) == [(1, 8), (2, 7), (3, 6), (4, 5)]
    assert exits_by_seed(event) == {}
    assert meetings_of(play_for_better_seeds(event)) == [(1, 4), (2, 3), (5, 8), (6, 7)]
    assert exits_by_seed(event) == {1: "qualified", 2: "qualified", 7: "eliminated", 8: "eliminated"}
    assert meetings_of(play_for_better_seeds(event)) == [(3, 6), (4, 5)]
    assert count_event_exits(event) == ExitCounts(qualified_count=4, eliminated_count=4, playing_count=0)
    with pytest.raises(Refused) as refusal:
        rounds.pair_next_round(event, organizer())
    assert refusal.value.problems[0].code == "all_rounds_played"


def test_ten_play_in_groups_of_four_and_three() -> None:
    event = groups_event(10)
    draft = rounds.pair_next_round(event, organizer())
    seeds = dict(_seeds_by_number(event))
    assert sorted(seeds[number] for number in draft.pairing["resting"]) == [1, 2]
    assert meetings_of(play_for_better_seeds(event)) == [(3, 10), (4, 9), (5, 8), (6, 7)]
    assert meetings_of(play_for_better_seeds(event)) == [(1, 6), (2, 5), (3, 4), (9, 10)]
    assert exits_by_seed(event) == {1: "qualified", 2: "qualified", 3: "qualified", 10: "eliminated"}
    assert meetings_of(play_for_better_seeds(event)) == [(4, 9), (5, 8), (6, 7)]
    assert [part.name for part in standings_by_group(event)] == ["Group A", "Group B", "Group C"]
    assert sorted(exits_by_seed(event).values()) == ["eliminated"] * 4 + ["qualified"] * 6


def _seeds_by_number(event: Event) -> list[tuple[int, int]]:
    stage = event.stages.get(position=1)
    return list(stage.entrants.values_list("player__number", "seed"))


ONLY_FOURS = pytest.mark.whole("ten players, in groups of four and of three")


@pytest.mark.parametrize("players", [pytest.param(8, marks=ONLY_FOURS), 10])
def test_group_winners_seed_the_bracket_and_the_event_has_a_champion(players: int) -> None:
    event = groups_event(players)
    for _ in range(3):
        play_for_better_seeds(event)
    stage = stages.begin_next_stage(event, organizer())
    seeds = seeds_of(event)
    entrant_seeds = [seeds[pk] for pk in stage.entrants.order_by("seed").values_list("player_id", flat=True)]
    assert sorted(entrant_seeds) == [1, 2, 3, 4]
    assert entrant_seeds[:2] == [1, 2]
    while (match := _find_open_match(event)) is not None:
        win(match)
    event.refresh_from_db()
    champion = champion_of_event(event)
    assert (event.phase, champion is not None) == ("finished", True)
    assert [each.stage_name for each in final_ranking(event)] == ["Single elimination"] * 4 + [
        "Groups of four"
    ] * (players - 4)


def _find_open_match(event: Event) -> Match | None:
    open_matches = Match.objects.filter(round__stage__event=event, outcome="")
    return open_matches.select_related("round__stage__event", "p1", "p2").order_by("bracket_match").first()


def test_group_is_ranked_by_its_matches_and_not_by_points() -> None:
    event = groups_event(4, plan=[{"kind": "groups"}, {"kind": "single", "size": 2}])
    for _ in range(3):
        play_for_better_seeds(event)
    seeds = seeds_of(event)
    [table] = group_tables(event.stages.get(position=1))
    assert [(line.rank, seeds[line.player.pk]) for line in table.lines] == [(1, 1), (2, 2), (3, 3), (4, 4)]
    records = [(line.row.wins, line.row.losses) for line in table.lines]
    assert records == [(2, 0), (2, 1), (1, 2), (0, 2)]
    assert [entry.departure for entry in list_entries(event)] == [
        "qualified", "qualified", "eliminated", "eliminated",
    ]  # fmt: skip


def test_more_places_than_qualifiers_are_not_filled_from_the_eliminated() -> None:
    event = groups_event(8, plan=[{"kind": "groups"}, {"kind": "single", "size": 8}])
    for _ in range(3):
        play_for_better_seeds(event)
    assert len(select_qualifiers(event).places) == 4


@pytest.mark.parametrize("players", [2, 5])
def test_field_that_fills_no_groups_is_refused_at_the_start(players: int) -> None:
    with pytest.raises(Refused) as refusal:
        groups_event(players)
    assert [problem.code for problem in refusal.value.problems] == ["groups_not_filled"]


@each_case(
    "plan",
    [
        [{"kind": "groups"}],
        [{"kind": "swiss"}, {"kind": "groups", "size": 5}, {"kind": "single", "size": 2}],
        [{"kind": "swiss"}, {"kind": "groups", "size": 8}, {"kind": "single", "size": 5}],
        [{"kind": "groups", "rounds": 3}, {"kind": "single", "size": 4}],
        [{"kind": "groups", "groups": 2}, {"kind": "single", "size": 4}],
        [{"kind": "groups", "wins_in": 2}, {"kind": "single", "size": 4}],
    ],
    around=rolled_back,
)
def test_plan_that_groups_cannot_follow_is_refused(plan: list[dict[str, object]]) -> None:
    with pytest.raises(Refused) as refusal:
        make_event(plan=plan)
    assert [problem.code for problem in refusal.value.problems] == ["plan_wrong"]


def test_groups_after_swiss_rounds_lead_to_a_third_stage() -> None:
    plan = [{"kind": "swiss", "rounds": 1}, {"kind": "groups", "size": 8}, {"kind": "double", "size": 4}]
    event = started_event(9, plan=plan)
    play_round(event)
    stage = stages.begin_next_stage(event, organizer())
    assert (stage.kind, stage.planned_rounds, stage.entrants.count()) == ("groups", 3, 8)
    assert [play_round(event).matches.count() for _ in range(3)] == [4, 4, 2]
    assert stages.begin_next_stage(event, organizer()).entrants.count() == 4


def test_match_of_a_group_needs_a_winner() -> None:
    event = groups_event(8)
    match = open_matches(publish_next(event))[0]
    draw = MatchResult(outcome="draw", p1_games=1, p2_games=1)
    assert "winner_needed" in [problem.code for problem in find_result_problems(event, match, draw)]


def test_result_that_a_later_round_follows_keeps_its_winner() -> None:
    event = groups_event(8)
    match = play_for_better_seeds(event).matches.select_related("round__stage__event", "p1", "p2").first()
    assert match is not None
    loser = "p2" if match.outcome == "p1" else "p1"
    draft = rounds.pair_next_round(event, organizer())
    assert win(match, loser, reason="typed wrongly").outcome == loser
    assert Round.objects.filter(stage=draft.stage, state="draft").count() == 1
    publish_next(event)
    match.refresh_from_db()
    winner = "p2" if loser == "p1" else "p1"
    with pytest.raises(Refused) as refusal:
        win(match, winner, reason="typed wrongly", way="leave")
    assert refusal.value.problems[0].code == "group_round_follows"
    assert win(match, loser, (2, 1), reason="typed wrongly").score in ("2-1", "1-2")


def test_player_who_drops_loses_the_next_match_and_the_opponent_goes_on() -> None:
    event = groups_event(8)
    play_for_better_seeds(event)
    winner = _player_of_seed(event, 1)
    drops.drop(winner, organizer())
    round_ = publish_next(event)
    match = round_.matches.get(p1__number__in=[winner.number, _player_of_seed(event, 4).number])
    assert (match.forfeit, match.winner_id, match.table) == (True, _player_of_seed(event, 4).pk, None)


def test_two_of_one_group_who_drop_do_not_stop_it() -> None:
    event = groups_event(4, plan=[{"kind": "groups"}, {"kind": "single", "size": 2}])
    play_for_better_seeds(event)
    for seed in (1, 2):
        drops.drop(_player_of_seed(event, seed), organizer())
    round_ = play_round(event)
    assert meetings_of(round_) == [(3, 4)]
    decider = publish_next(event)
    assert [(match.forfeit, match.table) for match in decider.matches.all()] == [(True, None)]
    assert set(exits_by_seed(event)) == {1, 2, 3, 4}


def test_both_players_of_an_open_match_drop_and_the_better_seed_wins_in_name() -> None:
    event = groups_event(4, plan=[{"kind": "groups"}, {"kind": "single", "size": 2}])
    seeds = seeds_of(event)
    match = open_matches(publish_next(event))[0]
    drops.drop_both_players(match, organizer())
    match.refresh_from_db()
    better = min((match.p1_id, match.p2_id or 0), key=lambda pk: seeds[pk])
    assert (match.winner_id, match.forfeit) == (better, True)


def _player_of_seed(event: Event, seed: int) -> Player:
    return event.stages.get(position=1).entrants.select_related("player__event").get(seed=seed).player


def test_draft_of_a_group_takes_no_change_by_hand() -> None:
    draft = rounds.pair_next_round(groups_event(8), organizer())
    for attempt in (
        lambda: drafts.swap_players(draft, organizer(), 1, 2),
        lambda: rounds.pair_round_again(draft, organizer()),
    ):
        with pytest.raises(Refused) as refusal:
            attempt()
        assert refusal.value.problems[0].code == "schedule_fixed"


def test_archive_and_undo_keep_the_groups() -> None:
    event = groups_event(10)
    for _ in range(2):
        play_for_better_seeds(event)
    copy = restore_event(json.dumps(export_event(event)), organizer())
    assert get_plan(copy)[0].kind == "groups"
    assert exits_by_seed(copy) == exits_by_seed(event)
    undo_step(event.log.get(action="event_started"), organizer())
    assert not event.stages.exists()


def test_begun_groups_stay_and_take_no_late_player() -> None:
    event = groups_event(8)
    plan = [{"kind": "robin"}, {"kind": "single", "size": 4}]
    with pytest.raises(Refused) as refusal:
        events.update_event(event, organizer(), {"plan": plan})
    assert refusal.value.problems[0].code == "stage_begun"
    with pytest.raises(Refused) as late:
        stages.refuse_late_entry(event)
    assert late.value.problems[0].code == "schedule_made"


def test_cleared_result_is_refused_after_the_next_round() -> None:
    event = groups_event(4, plan=[{"kind": "groups"}, {"kind": "single", "size": 2}])
    match = play_for_better_seeds(event).matches.select_related("round__stage__event", "p1", "p2").first()
    publish_next(event)
    assert match is not None
    with pytest.raises(Refused) as refusal:
        results.clear_result(match, organizer(), reason="typed wrongly")
    assert refusal.value.problems[0].code == "later_round_out"


def test_pages_show_groups_and_who_has_qualified(client: Client) -> None:
    event = groups_event(10)
    for _ in range(2):
        play_for_better_seeds(event)
    page = html_of(client.get(reverse("groups", args=[event.slug])))
    assert [name in page for name in ("Group A", "Group B", "Group C", "Round robin")] == [
        True, True, True, False,
    ]  # fmt: skip
    assert html_of(client.get(reverse("standings", args=[event.slug]))).count("badge") >= 4
    phone = html_of(client.get(reverse("player", args=[_player_of_seed(event, 1).token])))
    assert "You have qualified" in phone
    rows = client.get(reverse("api_groups", args=[event.slug])).json()
    assert [(row["group"], len(row["rows"])) for row in rows] == [(1, 3), (2, 3), (3, 4)]


def test_phone_of_the_third_player_says_that_they_wait(client: Client) -> None:
    event = groups_event(10)
    publish_next(event)
    page = html_of(client.get(reverse("player", args=[_player_of_seed(event, 1).token])))
    assert 'id="group-wait"' in page


def test_form_of_the_plan_and_structure_offer_groups_of_four(client: Client) -> None:
    event = make_event()
    client.force_login(make_user("ole@example.org", is_superuser=True))
    address = reverse("console_stages", args=[event.slug])
    assert 'value="groups_of_four"' in html_of(client.get(address))
    posted_plan = {"stage0-kind": "groups", "stage1-kind": "double", "stage1-size": "4"}
    client.post(address, posted_plan)
    event.refresh_from_db()
    assert [stage.kind for stage in get_plan(event)] == ["groups", "double"]
    assert get_current_stage(event) is None
