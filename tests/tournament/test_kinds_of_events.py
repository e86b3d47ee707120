"""Events of every kind, played to their end.

These are brackets at once, round robins, groups and several stages.
"""

from __future__ import annotations

import json
import re

import pytest

from decks.shared.refusals import Refused
from rules.rendering import say
from tests.everyday import each_case
from tests.scenarios.factories import add_players, make_event, organizer, play_round, started_event, win
from tests.scenarios.log_words import words_of
from tests.scenarios.rollback import rolled_back
from tournament.archive.export import export_event
from tournament.archive.restore import restore_event
from tournament.brackets.selectors import bracket as cut_selectors
from tournament.brackets.selectors.bracket import final_ranking
from tournament.brackets.services import stages
from tournament.events.models.event import Event
from tournament.events.models.player import Player
from tournament.events.models.round import Match
from tournament.events.selectors import get_bracket_stage, get_current_stage
from tournament.log.models import LogEntry
from tournament.log.services import undo_step
from tournament.pairing.services import player_facts as pairing_facts
from tournament.pairing.services import rounds
from tournament.registration import services as registration
from tournament.results.services import results
from tournament.setup.services import events
from tournament.standings.selectors.groups import overall_standings
from tournament.standings.selectors.outlook import outlooks
from tournament.standings.selectors.standings import standings

pytestmark = pytest.mark.django_db

GROUPS = [{"kind": "robin", "groups": 2}, {"kind": "single", "size": 4}]


def start_event(players: int, plan: list[dict], **values: object) -> Event:
    """Return an event with that plan that has just started."""
    return started_event(players, plan=plan, **values)


@each_case(
    ("players", "plan", "words"),
    [
        (2, [{"kind": "swiss", "rounds": 1}], "2 players and 1 Swiss round"),
        (4, [{"kind": "swiss", "rounds": 3}], "4 players and 3 Swiss rounds"),
        (4, [{"kind": "robin"}], "4 players and 3 round robin rounds"),
        (4, [{"kind": "single"}], "4 players and 2 single elimination rounds"),
    ],
    around=rolled_back,
)
def test_log_counts_the_players_and_rounds_of_the_start(players: int, plan: list[dict], words: str) -> None:
    entry = start_event(players, plan).log.get(action="event_started")
    assert words_of(entry) == f"olga@example.org started the event with {words}."


def open_match(event: Event) -> Match | None:
    """Return the first match that is still played."""
    open_matches = Match.objects.filter(round__stage__event=event, outcome="").exclude(round__state="draft")
    related_matches = open_matches.select_related("round__stage__event", "p1", "p2")
    return related_matches.order_by("round__number", "table").first()


def play_bracket(event: Event) -> list[tuple[str, str]]:
    """Play every match that opens, the first player winning; the pairs in order."""
    matches = []
    while (match := open_match(event)) is not None:
        matches.append((match.p1.name, match.p2.name))
        win(match)
    event.refresh_from_db()
    return matches


def drop(event: Event, name: str) -> None:
    player = Player.objects.select_related("event").get(event=event, name=name)
    registration.drop(player, organizer())
    event.refresh_from_db()


def test_single_elimination_begins_with_a_bracket_seeded_from_registration() -> None:
    event = make_event(plan=[{"kind": "single"}])
    for seed, player in zip((4, 3, 2, 1), add_players(event, 4), strict=True):
        pairing_facts.change_player_facts(player, organizer(), seed=seed)
    events.start_event(event, organizer())
    pairs = [(m.p1.name, m.p2.name) for m in Match.objects.order_by("table").select_related("p1", "p2")]
    assert (event.phase, pairs) == ("cut", [("Dave", "Alice"), ("Carol", "Bob")])


def test_single_elimination_is_played_to_its_champion() -> None:
    event = start_event(6, [{"kind": "single"}])
    assert len(play_bracket(event)) == 5
    assert event.phase == "finished"
    assert cut_selectors.champion_of_event(event) == get_bracket_stage(event).entrants.get(seed=1).player


def test_the_event_waits_for_the_match_for_third_place() -> None:
    event = start_event(4, [{"kind": "single", "third_place": True}])
    win(open_match(event))
    win(open_match(event))
    names = sorted(m.bracket_match for m in Match.objects.filter(outcome=""))
    assert names == [3, 4]
    win(Match.objects.select_related("round__stage__event", "p1", "p2").get(bracket_match=4))
    event.refresh_from_db()
    assert event.phase == "cut"
    win(open_match(event))
    event.refresh_from_db()
    assert event.phase == "finished"


def test_double_elimination_plays_the_final_again_when_its_unbeaten_player_loses() -> None:
    event = start_event(4, [{"kind": "double"}])
    pairs = []
    while (match := open_match(event)) is not None:
        pairs.append({match.p1.name, match.p2.name})
        win(match, "p2" if len(pairs) == 6 else "p1")
    event.refresh_from_db()
    assert (len(pairs), pairs[5], event.phase) == (7, pairs[6], "finished")


def test_two_matches_of_a_double_elimination_never_share_a_table() -> None:
    event = start_event(6, [{"kind": "double"}])
    while (match := open_match(event)) is not None:
        tables = list(Match.objects.filter(outcome="").values_list("table", flat=True))
        assert len(tables) == len(set(tables))
        win(match)


def test_a_second_swiss_stage_begins_again_with_those_who_came_on() -> None:
    event = start_event(8, [{"kind": "swiss", "rounds": 2}, {"kind": "swiss", "rounds": 2, "size": 4}])
    play_round(event)
    play_round(event)
    top_players = {line.player.pk for line in standings(event)[:4]}
    stages.begin_next_stage(event, organizer())
    third = play_round(event)
    assert third.number == 3
    assert {line.player.pk for line in standings(event)} == top_players
    assert sorted(line.row.points for line in standings(event)) == [0, 0, 3, 3]
    assert len(standings(event, after_round=2)) == 8


def test_the_next_stage_waits_for_the_last_round_of_this_one() -> None:
    event = start_event(8, GROUPS)
    play_round(event)
    with pytest.raises(Refused) as excinfo:
        stages.begin_next_stage(event, organizer())
    assert excinfo.value.code == "swiss_unfinished"


def test_pressing_next_stage_twice_begins_it_once() -> None:
    event = start_event(8, GROUPS)
    for _ in range(3):
        play_round(event)
    assert stages.begin_next_stage(event, organizer()) == stages.begin_next_stage(event, organizer())


def test_player_who_leaves_a_bracket_loses_the_open_match_by_forfeit() -> None:
    event = start_event(4, [{"kind": "single"}])
    match = open_match(event)
    drop(event, match.p1.name)
    match.refresh_from_db()
    assert (match.outcome, match.forfeit, match.p1_games, match.p2_games) == ("p2", True, 0, 2)


def test_no_dropped_player_is_champion() -> None:
    event = start_event(2, [{"kind": "single"}])
    match = open_match(event)
    drop(event, match.p1.name)
    assert (event.phase, cut_selectors.champion_of_event(event)) == ("finished", match.p2)


def test_two_who_left_do_not_keep_the_next_opponent_waiting() -> None:
    event = start_event(4, [{"kind": "single"}])
    first, second = Match.objects.order_by("table").select_related("p1", "p2")
    drop(event, first.p1.name)
    drop(event, first.p2.name)
    win(open_match(event))
    event.refresh_from_db()
    assert (event.phase, cut_selectors.champion_of_event(event)) == ("finished", second.p1)


def test_a_drop_taken_back_in_a_bracket_opens_the_match_again() -> None:
    event = start_event(4, [{"kind": "single"}])
    match = open_match(event)
    drop(event, match.p1.name)
    back = Player.objects.select_related("event").get(pk=match.p1_id)
    registration.undo_drop(back, organizer())
    match.refresh_from_db()
    assert (match.outcome, match.forfeit, match.result_at) == ("", False, None)


def test_a_result_entered_over_a_walkover_is_no_walkover() -> None:
    event = start_event(4, [{"kind": "single"}])
    match = open_match(event)
    drop(event, match.p1.name)
    results.enter_result(match, organizer(), p1_games=1, p2_games=2)
    match.refresh_from_db()
    assert match.forfeit is False


def test_a_stage_that_was_begun_stays_as_it_is() -> None:
    event = start_event(8, GROUPS)
    with pytest.raises(Refused) as excinfo:
        events.update_event(event, organizer(), {"plan": [{"kind": "swiss"}, {"kind": "single", "size": 4}]})
    assert excinfo.value.code == "stage_begun"


def test_the_plan_of_later_stages_can_still_change() -> None:
    event = start_event(8, GROUPS)
    for _ in range(3):
        play_round(event)
    events.update_event(event, organizer(), {"plan": [GROUPS[0], {"kind": "double", "size": 4}]})
    assert stages.begin_next_stage(event, organizer()).kind == "double"


def test_another_swiss_round_can_be_planned_while_they_are_played() -> None:
    event = start_event(6, [], swiss_rounds=1)
    play_round(event)
    events.update_event(event, organizer(), {"swiss_rounds": 2})
    assert get_current_stage(event).planned_rounds == 2
    assert rounds.pair_next_round(event, organizer()).number == 2


@each_case(
    ("plan", "sentence"),
    [
        ([{"kind": "single"}, {"kind": "swiss", "size": 4}], "Stage 1: no stage can follow a bracket."),
        ([{"kind": "swiss"}, {"kind": "single"}], "Stage 2: enter how many players qualify."),
        ([{"kind": "robin", "rounds": 3}], "Stage 1: only Swiss stages have a number of rounds."),
        (
            [{"kind": "double", "third_place": True}],
            "Stage 1: only single elimination can have a match for third place.",
        ),
        (
            [{"kind": "swiss", "rounds": 10**30}],
            f"Stage 1: “rounds” must be a whole number from 1 to 30, not “{10**30}”.",
        ),
        (
            [{"kind": ["x"]}],
            "Stage 1: “kind” must be one of swiss, robin, groups, single and double, not “['x']”.",
        ),
        ("swiss", say("refusal", "plan_unreadable")),
    ], around=rolled_back,
)  # fmt: skip
def test_a_plan_that_cannot_be_played_is_refused(plan: object, sentence: str) -> None:
    with pytest.raises(Refused) as excinfo:
        make_event(plan=plan)
    assert excinfo.value.problems[0].sentence == sentence


def test_an_event_of_several_stages_is_finished_after_the_last_of_them() -> None:
    event = start_event(2, [{"kind": "robin"}, {"kind": "swiss", "rounds": 1, "size": 2}])
    play_round(event)
    with pytest.raises(Refused) as excinfo:
        events.finish_event(event, organizer())
    assert excinfo.value.code == "not_to_be_finished_yet"
    stages.begin_next_stage(event, organizer())
    play_round(event)
    events.finish_event(event, organizer())
    assert event.phase == "finished"


def test_the_final_ranking_goes_from_the_last_stage_to_the_first() -> None:
    event = start_event(8, GROUPS)
    for _ in range(3):
        play_round(event)
    left_out = [line.player.pk for line in overall_standings(event)[4:]]
    stages.begin_next_stage(event, organizer())
    play_bracket(event)
    final_places = final_ranking(event)
    assert [each.place for each in final_places] == [1, 2, 3, 3, 5, 6, 7, 8]
    assert final_places[0].player == cut_selectors.champion_of_event(event)
    assert [each.player.pk for each in final_places[4:]] == left_out


def test_a_match_for_third_place_decides_the_ranking() -> None:
    event = start_event(4, [{"kind": "single", "third_place": True}])
    play_bracket(event)
    assert [each.place for each in final_ranking(event)] == [1, 2, 3, 4]


def test_nothing_is_promised_about_a_bracket_that_is_two_stages_away() -> None:
    plan = [{"kind": "swiss", "rounds": 2}, {"kind": "swiss", "rounds": 1, "size": 4}]
    event = start_event(8, [*plan, {"kind": "single", "size": 2}])
    play_round(event)
    assert outlooks(event) == {}


@each_case(
    ("field", "value", "code"),
    [
        ("plan", [{"kind": "chess"}], "plan_wrong"),
        ("plan", [7], "plan_unreadable"),
        ("pairing_options", {"apart": 3}, "option_wrong"),
        ("reserved_tables", ["x"], "reserved_tables_wrong"),
    ],
    around=rolled_back,
)
def test_an_archive_whose_settings_make_no_sense_is_refused(field: str, value: object, code: str) -> None:
    document = export_event(make_event())
    document["event"][field] = value
    with pytest.raises(Refused) as excinfo:
        restore_event(json.dumps(document), organizer())
    assert excinfo.value.problems[0].code == code
    assert Event.objects.count() == 1


def stages_of(event: Event) -> str:
    """Return the stages as they are archived; a match's revision only ever rises."""
    return re.sub(r'"revision": \d+', "", json.dumps(export_event(event)["stages"]))


def test_beginning_a_stage_and_leaving_it_are_undone_from_the_log() -> None:
    event = start_event(8, GROUPS)
    for _ in range(3):
        play_round(event)
    before = stages_of(event)
    stages.begin_next_stage(event, organizer())
    begun_stages = stages_of(event)
    drop(event, open_match(event).p1.name)
    undo_step(LogEntry.objects.get(event=event, action="player_dropped"), organizer())
    assert stages_of(event) == begun_stages
    undo_step(LogEntry.objects.get(event=event, action="cut_made"), organizer())
    assert (stages_of(event), event.stages.count()) == (before, 1)


def test_who_leaves_in_a_second_stage_had_not_left_in_an_earlier_round_of_it() -> None:
    event = start_event(8, [{"kind": "swiss", "rounds": 2}, {"kind": "swiss", "rounds": 3, "size": 4}])
    play_round(event)
    play_round(event)
    stages.begin_next_stage(event, organizer())
    play_round(event)
    play_round(event)
    dropped_player = standings(event)[3].player
    drop(event, dropped_player.name)
    drop_counts = [
        [line.is_dropped for line in standings(event, after_round=n)].count(True) for n in (2, 3, 4)
    ]
    assert drop_counts == [0, 0, 1]
