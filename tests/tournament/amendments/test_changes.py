"""A published round changed by hand.

The changes are swap, move, replace, add, cancel, and the way back.
"""

from __future__ import annotations

import pytest

from decks.shared.refusals import Conflict, Refused
from tests.everyday import each_case
from tests.scenarios.event_rows import state_of
from tests.scenarios.factories import (
    built_once,
    finish_round,
    organizer,
    play_round,
    publish_next,
    started_event,
    win,
)
from tests.scenarios.log_words import words_of
from tests.scenarios.rollback import rolled_back
from tournament.amendments.services.changes import AppliedChange, RoundChange, change_round
from tournament.amendments.services.preview import preview_change
from tournament.clock import services as clock
from tournament.events.models.event import Event
from tournament.events.models.player import Player
from tournament.events.models.round import Match, Round
from tournament.log.models import LogEntry
from tournament.log.services import undo_step
from tournament.pairing.services import rounds
from tournament.registration import services as registration
from tournament.results.services import drops, results
from tournament.standings.selectors.standings import standings

pytestmark = pytest.mark.django_db


@pytest.fixture
def event() -> Event:
    """Eight players in the middle of round 2: no one has finished."""
    return in_round_2()


@built_once
def in_round_2() -> Event:
    running_event = started_event(8, swiss_rounds=4)
    play_round(running_event)
    publish_next(running_event)
    return running_event


def get_running_round(event: Event, number: int = 2) -> Round:
    return Round.objects.select_related("stage__event").get(number=number, stage__event=event)


def at(event: Event, table: int | None, number: int = 2) -> Match:
    matches = Match.objects.select_related("round__stage__event", "p1", "p2")
    return matches.get(round=get_running_round(event, number), table=table)


def change(event: Event, kind: str, number: int = 2, **values: object) -> AppliedChange:
    more = {name: values.pop(name) for name in ("way", "seen", "reason") if name in values}
    return change_round(get_running_round(event, number), organizer(), RoundChange(kind, **values), **more)


def names_at(event: Event, table: int, number: int = 2) -> tuple[str, str]:
    match = at(event, table, number)
    return str(match.p1), str(match.p2)


def seats(event: Event, number: int = 2) -> dict[str, int]:
    """Return how often each player sits in the round.

    Chairs and matches have to agree.
    """
    round_ = get_running_round(event, number)
    chairs = {seat.player.name: seat.match_id for seat in round_.seats.select_related("player")}
    table_by_player: dict[str, int] = {}
    for match in round_.matches.select_related("p1", "p2"):
        for player in filter(None, (match.p1, match.p2)):
            table_by_player[player.name] = table_by_player.get(player.name, 0) + 1
            assert chairs[player.name] == match.pk
    assert chairs.keys() == table_by_player.keys()
    return table_by_player


def late_player(event: Event, name: str) -> Player:
    return registration.add_player(event, organizer(), name=name, character="Ken")


def test_two_players_of_open_tables_swap_and_the_tables_are_marked(event: Event) -> None:
    one, two = at(event, 1), at(event, 2)
    outcome = change(event, "swap", one=one.p2.number, two=two.p2.number, reason="wrong chairs")
    assert names_at(event, 1) == (str(one.p1), str(two.p2))
    assert names_at(event, 2) == (str(two.p1), str(one.p2))
    assert set(seats(event).values()) == {1}
    amended_tables = get_running_round(event).matches.exclude(amended_at=None).values_list("table", flat=True)
    assert sorted(amended_tables) == [1, 2]
    assert get_running_round(event).amended_at == at(event, 1).amended_at == at(event, 2).amended_at
    assert words_of(outcome.entry) == f"olga@example.org swapped {one.p2} and {two.p2} in round 2."


def test_players_who_sat_at_the_wrong_tables_keep_the_results_they_played(event: Event) -> None:
    one, two = at(event, 1), at(event, 2)
    win(one, "p1", (2, 1))
    win(two, "p2", (2, 0))
    points_before = {line.player.name: line.row.points for line in standings(event)}
    change(event, "swap", one=one.p2.number, two=two.p2.number)
    assert (at(event, 1).score, at(event, 1).p2) == ("2-1", two.p2)
    assert (at(event, 2).score, at(event, 2).p2) == ("0-2", one.p2)
    points = {line.player.name: line.row.points for line in standings(event)}
    points_gained = {
        name: points[name] - points_before[name] for name in points if points[name] != points_before[name]
    }
    assert points_gained == {str(one.p2): 3, str(two.p2): -3}


def test_results_of_swapped_tables_are_removed_where_they_were_not_played_so(event: Event) -> None:
    one, two = at(event, 1), at(event, 2)
    win(one)
    change(event, "swap", one=one.p2.number, two=two.p2.number, results="clear")
    assert (at(event, 1).outcome, at(event, 1).result_at, at(event, 1).result_by) == ("", None, "")
    assert get_running_round(event).state == "published"


def test_a_no_show_is_no_result_of_the_player_who_takes_the_seat(event: Event) -> None:
    one, two = at(event, 1), at(event, 2)
    results.enter_result(one, organizer(), ending="no_show", loser="p2", reason="late")
    change(event, "swap", one=one.p2.number, two=two.p2.number)
    assert at(event, 1).outcome == ""


@pytest.mark.both_databases
def test_reports_of_swapped_tables_are_removed(event: Event) -> None:
    one, two = at(event, 1), at(event, 2)
    results.report_result(one, one.p1, p1_games=2)
    change(event, "swap", one=one.p2.number, two=two.p2.number)
    assert at(event, 1).reports.count() == 0


def test_a_match_with_its_result_moves_to_another_table(event: Event) -> None:
    pairs = names_at(event, 1), names_at(event, 2)
    win(at(event, 1))
    outcome = change(event, "move", table=1, to=2)
    assert (names_at(event, 1), names_at(event, 2)) == (pairs[1], pairs[0])
    assert (at(event, 1).outcome, at(event, 2).outcome) == ("", "p1")
    assert words_of(outcome.entry) == "olga@example.org exchanged tables 1 and 2 in round 2."
    changed_round = change(event, "move", table=1, to=40)
    assert names_at(event, 40) == pairs[1]
    assert (
        words_of(changed_round.entry) == "olga@example.org moved the match at table 1 in round 2 to table 40."
    )


@pytest.mark.parametrize(("unpaired_players", "outcome"), [("loss", "loss_no_opponent"), ("bye", "bye")])
def test_a_late_player_replaces_one_who_has_a_loss_or_a_bye_then(
    event: Event, unpaired_players: str, outcome: str
) -> None:
    new_player, one = late_player(event, "Late Lena"), at(event, 1)
    change(event, "replace", one=one.p1.number, two=new_player.number, unpaired=unpaired_players)
    assert names_at(event, 1) == ("Late Lena", str(one.p2))
    alone = get_running_round(event).matches.get(p2=None)
    assert (alone.p1, alone.outcome) == (one.p1, outcome)
    assert set(seats(event).values()) == {1}
    assert event.players.get(pk=new_player.pk).entered_round == 2


def test_a_replaced_player_drops(event: Event) -> None:
    new_player, one = late_player(event, "Late Lena"), at(event, 1)
    change(event, "replace", one=one.p1.number, two=new_player.number, unpaired="drop")
    assert event.players.get(pk=one.p1_id).dropped_after == 2
    assert seats(event) == dict.fromkeys(
        event.players.exclude(pk=one.p1_id).values_list("name", flat=True), 1
    )


def test_two_late_players_get_a_table_of_their_own(event: Event) -> None:
    one, two = late_player(event, "Late Lena"), late_player(event, "Late Luis")
    assert get_running_round(event).matches.filter(p1__in=(one, two), outcome="loss_no_opponent").count() == 2
    outcome = change(event, "add", one=one.number, two=two.number)
    assert names_at(event, 5) == ("Late Lena", "Late Luis")
    assert set(seats(event).values()) == {1}
    assert len(seats(event)) == 10
    assert words_of(outcome.entry) == "olga@example.org added Late Lena vs. Late Luis at table 5 in round 2."
    assert win(at(event, 5)).outcome == "p1"


def test_a_late_pair_opens_a_finished_round_again(event: Event) -> None:
    finish_round(get_running_round(event))
    one, two = late_player(event, "Late Lena"), late_player(event, "Late Luis")
    change(event, "add", one=one.number, two=two.number, to=9)
    assert get_running_round(event).state == "published"


def test_a_cancelled_match_leaves_both_a_loss(event: Event) -> None:
    match = at(event, 3)
    win(match)
    change(event, "cancel", table=3)
    assert not Match.objects.filter(pk=match.pk).exists()
    alone = get_running_round(event).matches.filter(p2=None).order_by("p1__number")
    assert {each.p1_id for each in alone} == {match.p1_id, match.p2_id}
    assert {each.outcome for each in alone} == {"loss_no_opponent"}
    assert set(seats(event).values()) == {1}


@pytest.mark.parametrize("way", ["swap", "all"])
def test_players_of_a_cancelled_match_meet_others_where_open_tables_are_paired_again(
    event: Event, way: str
) -> None:
    match = at(event, 1)
    finished_matches = at(event, 4)
    win(finished_matches)
    change(event, "cancel", table=1, way=way)
    pairs = {frozenset((each.p1_id, each.p2_id)) for each in get_running_round(event).matches.all()}
    assert frozenset((match.p1_id, match.p2_id)) not in pairs
    assert frozenset((finished_matches.p1_id, finished_matches.p2_id)) in pairs
    assert set(seats(event).values()) == {1}
    assert len(pairs) == 4


def test_what_was_swapped_by_hand_stays_where_other_tables_change(event: Event) -> None:
    one, two = at(event, 1), at(event, 4)
    change(event, "swap", one=one.p2.number, two=two.p2.number, way="all")
    assert names_at(event, 1) == (str(one.p1), str(two.p2))
    assert names_at(event, 4) == (str(two.p1), str(one.p2))
    assert set(seats(event).values()) == {1}


# Players by number; those of a swap are the second ones of these tables.
KINDS: dict[str, dict[str, object]] = {
    "swap": {"one": 1, "two": 4},
    "move": {"table": 1, "to": 3},
    "cancel": {"table": 2},
    "replace": {"one": 1, "two": 9},
    "add": {"one": 9, "two": 10},
}


@pytest.fixture
@built_once
def mixed_event() -> Event:
    """The event with a report, two results, and two late players.

    These are numbers 9 and 10, and have no table.
    """
    running_event = in_round_2()
    late_player(running_event, "Late Lena")
    late_player(running_event, "Late Luis")
    results.report_result(at(running_event, 1), at(running_event, 1).p1, p1_games=2)
    win(at(running_event, 4), "p2", (2, 1))
    win(at(running_event, 3))
    return running_event


@pytest.fixture
def state_before(mixed_event: Event) -> object:
    return state_of(mixed_event)


ONE_WAY = pytest.mark.whole("each kind in one way, and each way of one kind")
DAILY_WAYS = {"swap": "all", "cancel": "swap"}
WAYS = [
    (kind, way) if way == DAILY_WAYS.get(kind, "leave") else pytest.param(kind, way, marks=ONE_WAY)
    for kind in KINDS
    for way in ("leave", "swap", "all")
]


@each_case(("kind", "way"), WAYS, around=rolled_back)
def test_undo_restores_pairings_tables_results_and_log_facts(
    mixed_event: Event, state_before: object, kind: str, way: str
) -> None:
    event, before = mixed_event, state_before
    values = KINDS[kind]
    if kind == "swap":
        values = {name: at(event, table).p2.number for name, table in values.items()}
    outcome = change(event, kind, **values, way=way)
    after = state_of(event)
    assert after != before
    undo = undo_step(outcome.entry, organizer())
    assert state_of(event) == before
    undo_step(undo, organizer())
    assert state_of(event) == after


def test_a_result_entered_after_a_swap_goes_with_its_undo(event: Event) -> None:
    one, two = at(event, 1), at(event, 2)
    before = state_of(event)
    outcome = change(event, "swap", one=one.p2.number, two=two.p2.number)
    win(at(event, 1))
    undo_step(outcome.entry, organizer())
    assert state_of(event) == before


def test_a_result_at_another_table_stays_where_a_swap_is_undone(event: Event) -> None:
    one, two = at(event, 1), at(event, 2)
    outcome = change(event, "swap", one=one.p2.number, two=two.p2.number)
    win(at(event, 3))
    undo_step(outcome.entry, organizer())
    assert at(event, 3).outcome == "p1"
    assert names_at(event, 1) == (str(one.p1), str(one.p2))


def test_a_preview_writes_nothing_and_names_who_must_be_told(event: Event) -> None:
    one, two = at(event, 1), at(event, 2)
    before, version = state_of(event), Event.objects.get(pk=event.pk).version
    preview = preview_change(
        get_running_round(event), organizer(), RoundChange("swap", one=one.p2.number, two=two.p2.number)
    )
    assert (state_of(event), Event.objects.get(pk=event.pk).version) == (before, version)
    afters_by_name = {notice.name: notice.after.sentence for notice in preview.keep.notices}
    assert afters_by_name == {
        str(one.p1): f"table 1 vs. {two.p2}",
        str(two.p2): f"table 1 vs. {one.p1}",
        str(two.p1): f"table 2 vs. {one.p2}",
        str(one.p2): f"table 2 vs. {two.p1}",
    }
    assert {(each.table, each.after) for each in preview.keep.tables} == {
        (1, f"{one.p1} vs. {two.p2}"),
        (2, f"{two.p1} vs. {one.p2}"),
    }


def test_what_a_change_costs_stands_beside_the_best_pairing(event: Event) -> None:
    top, bottom = at(event, 1), at(event, 4)
    preview = preview_change(
        get_running_round(event), organizer(), RoundChange("swap", one=top.p2.number, two=bottom.p2.number)
    )
    costs = {line.words: (line.now, line.best) for line in preview.keep.costs}
    assert ("18", "0") in costs.values()
    assert preview.keep.extra_costs
    nothing = preview_change(get_running_round(event), organizer(), RoundChange("move", table=1, to=2))
    assert nothing.keep.extra_costs == []
    assert nothing.columns[1].is_same


@pytest.mark.whole("test_the_api_previews_changes_and_answers_an_old_plan_with_the_present_one")
def test_a_change_that_something_came_between_is_refused_and_the_next_preview_saves(event: Event) -> None:
    one, two = at(event, 1), at(event, 2)
    round_change = RoundChange("swap", one=one.p2.number, two=two.p2.number)
    seen_mark = preview_change(get_running_round(event), organizer(), round_change).keep.mark
    win(at(event, 1))
    before = state_of(event)
    with pytest.raises(Conflict) as excinfo:
        change_round(get_running_round(event), organizer(), round_change, seen_mark=seen_mark)
    assert excinfo.value.code == "round_changed_meanwhile"
    assert state_of(event) == before
    again = preview_change(get_running_round(event), organizer(), round_change).keep.mark
    change_round(get_running_round(event), organizer(), round_change, seen_mark=again)
    assert at(event, 1).p2 == two.p2


def test_a_result_at_another_table_does_not_make_a_swap_old(event: Event) -> None:
    one, two = at(event, 1), at(event, 2)
    round_change = RoundChange("swap", one=one.p2.number, two=two.p2.number)
    seen_mark = preview_change(get_running_round(event), organizer(), round_change).keep.mark
    win(at(event, 4))
    change_round(get_running_round(event), organizer(), round_change, seen_mark=seen_mark)
    assert at(event, 1).p2 == two.p2


def test_a_previewed_way_is_made_exactly_or_refused(event: Event) -> None:
    one, two = at(event, 1), at(event, 4)
    round_change = RoundChange("cancel", table=1)
    column = preview_change(get_running_round(event), organizer(), round_change).columns[1]
    assert column.tables
    change_round(get_running_round(event), organizer(), round_change, way="swap", seen_mark=column.mark)
    matches = get_running_round(event).matches.select_related("p1", "p2")
    now = {each.table: f"{each.p1} vs. {each.p2}" for each in matches}
    assert {each.table: each.after for each in column.tables} == {
        each.table: now[each.table] for each in column.tables
    }
    assert one.pk != two.pk


@each_case(
    ("kind", "values", "code"),
    [
        ("swap", {"one": 1}, "change_incomplete"),
        ("swap", {"one": 1, "two": 99}, "not_in_the_round"),
        ("move", {"table": 1, "to": 0}, "no_such_table"),
        ("move", {"table": 77, "to": 1}, "no_such_table"),
        ("replace", {"one": 1, "two": 2}, "sits_already"),
        ("replace", {"one": 1, "two": 99}, "no_such_player"),
        ("add", {"one": 9, "two": 9}, "same_player"),
        ("add", {"one": 9, "two": 10, "to": 1}, "table_taken"),
        ("cancel", {"table": 1, "unpaired": "drop"}, "cancel_drops_nobody"),
        ("turn", {}, "change_choice_unknown"),
    ],
    around=rolled_back,
)
def test_a_change_that_cannot_be_is_refused_and_writes_nothing(
    mixed_event: Event, state_before: object, kind: str, values: dict[str, object], code: str
) -> None:
    with pytest.raises(Refused) as excinfo:
        change(mixed_event, kind, **values)
    assert excinfo.value.code == code
    assert excinfo.value.sentence
    assert state_of(mixed_event) == state_before


def test_a_dropped_player_takes_no_seat(event: Event) -> None:
    player = late_player(event, "Late Lena")
    drops.drop(player, organizer())
    with pytest.raises(Refused) as excinfo:
        change(event, "replace", one=1, two=player.number)
    assert excinfo.value.code == "player_not_in"


def test_a_draft_is_not_changed_here(event: Event) -> None:
    finish_round(get_running_round(event))
    rounds.pair_next_round(event, organizer())
    with pytest.raises(Conflict) as excinfo:
        change(event, "move", number=3, table=1, to=2)
    assert excinfo.value.code == "round_not_published"


def test_an_exchange_in_a_finished_round_pairs_the_next_draft_again(event: Event) -> None:
    finish_round(get_running_round(event))
    rounds.pair_next_round(event, organizer())
    one, two = at(event, 1), at(event, 2)
    outcome = change(event, "swap", one=one.p1.number, two=two.p2.number)
    actions = LogEntry.objects.filter(head=outcome.entry).values_list("action", flat=True)
    assert "draft_paired_again" in actions
    draft = get_running_round(event, 3)
    met_pairs = {frozenset(pair) for pair in get_running_round(event).matches.values_list("p1_id", "p2_id")}
    assert not met_pairs & {frozenset(pair) for pair in draft.matches.values_list("p1_id", "p2_id")}


def test_an_exchange_in_an_earlier_round_changes_open_tables_of_the_later_one(event: Event) -> None:
    one, two = at(event, 1, number=1), at(event, 2, number=1)
    round_change = RoundChange("swap", one=one.p1.number, two=two.p2.number)
    preview = preview_change(get_running_round(event, 1), organizer(), round_change)
    assert preview.open_number == 2
    assert {each.name for each in preview.standings_changes} >= {str(one.p1), str(two.p2)}
    change(event, "swap", number=1, one=one.p1.number, two=two.p2.number, way="swap")
    assert at(event, 1, number=1).p1 == two.p2
    assert set(seats(event).values()) == {1}


def test_a_round_robin_changes_only_its_tables() -> None:
    event = started_event(4, plan=[{"kind": "robin"}])
    publish_next(event)
    with pytest.raises(Refused) as excinfo:
        change(event, "swap", number=1, one=1, two=2)
    assert excinfo.value.code == "only_swiss_changes"
    pair = names_at(event, 1, number=1)
    change(event, "move", number=1, table=1, to=7)
    assert names_at(event, 7, number=1) == pair


@pytest.mark.both_databases
def test_the_clock_goes_on(event: Event) -> None:
    clock.start_clock(get_running_round(event), organizer())
    change(event, "move", table=1, to=2)
    assert get_running_round(event).clock.count() == 1
