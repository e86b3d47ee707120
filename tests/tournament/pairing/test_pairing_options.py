"""The organizer's pairing options reach the pairing."""

from __future__ import annotations

import pytest

from decks.shared.refusals import Refused
from tests.everyday import each_case
from tests.scenarios.factories import (
    add_players,
    built_once,
    make_event,
    organizer,
    play_round,
    started_event,
)
from tests.scenarios.rollback import rolled_back
from tournament.events.models.event import Event
from tournament.events.models.player import Player
from tournament.events.models.round import Round
from tournament.pairing.options import format_round_numbers, parse_round_numbers
from tournament.pairing.selectors import pairing_context as situation
from tournament.pairing.services import player_facts as pairing_facts
from tournament.pairing.services import rounds
from tournament.registration import services as registration
from tournament.registration.services import attendance as checkin
from tournament.setup.services import events

pytestmark = pytest.mark.django_db


@built_once
def seeded_event(players: int, **options: object) -> Event:
    """Return an event that has just started with seeded players.

    They are seeded in the order of the cast, Alice first.
    """
    event = make_event(pairing_options=options)
    for seed, player in enumerate(add_players(event, players), 1):
        pairing_facts.change_player_facts(player, organizer(), seed=seed)
    events.start_event(event, organizer())
    return event


def numbers(shown_round: Round) -> list[tuple[int, int | None]]:
    """Return the pairs of a round by the players' numbers, by table, byes last."""
    pairs = shown_round.matches.order_by("table").values_list("p1__number", "p2__number")
    return sorted(pairs, key=lambda pair: pair[1] is None)


@pytest.mark.parametrize(
    ("method", "pairs"),
    [
        ("fold", [(1, 8), (2, 7), (3, 6), (4, 5)]),
        ("slide", [(1, 5), (2, 6), (3, 7), (4, 8)]),
        ("adjacent", [(1, 2), (3, 4), (5, 6), (7, 8)]),
    ],
)
def test_first_round_follows_the_seeds(method: str, pairs: list[tuple[int, int]]) -> None:
    paired_numbers = numbers(rounds.pair_next_round(seeded_event(8, first_round=method), organizer()))
    assert sorted(tuple(sorted(pair)) for pair in paired_numbers) == pairs


def test_the_highest_rating_is_the_best_seed() -> None:
    event = make_event(pairing_options={"first_round": "fold", "seeded_by": "rating"})
    for rating, player in zip((1200, 2100, 1500, 1800), add_players(event, 4), strict=True):
        pairing_facts.change_player_facts(player, organizer(), rating=rating)
    events.start_event(event, organizer())
    paired_numbers = numbers(rounds.pair_next_round(event, organizer()))
    assert {frozenset(pair) for pair in paired_numbers} == {frozenset((2, 1)), frozenset((4, 3))}


def test_an_accelerated_first_round_is_drawn_within_each_half() -> None:
    event = seeded_event(8, accelerated=True)
    first = rounds.pair_next_round(event, organizer())
    assert all(max(pair) <= 4 or min(pair) > 4 for pair in numbers(first))


def test_the_halves_are_those_of_the_players_who_came() -> None:
    event = make_event(pairing_options={"accelerated": True})
    players = add_players(event, 8)
    for seed, player in enumerate(players, 1):
        pairing_facts.change_player_facts(player, organizer(), seed=seed)
    events.open_check_in(event, organizer())
    for player in players[4:]:
        checkin.check_in(player, organizer())
    events.start_event(event, organizer(), drop_missing=True)
    first = rounds.pair_next_round(event, organizer())
    assert sorted(tuple(sorted(pair)) for pair in numbers(first)) == [(5, 6), (7, 8)]


def test_no_player_changes_halves_when_a_strong_player_is_added_late() -> None:
    event = seeded_event(8, accelerated=True)
    play_round(event)
    late = registration.add_player(Event.objects.get(pk=event.pk), organizer(), name="Zoe")
    pairing_facts.change_player_facts(late, organizer(), seed=1)
    stage = event.stages.get()
    now = situation.load_pairing_context(Event.objects.get(pk=event.pk), stage, 2)
    added_scores = {entrant.id: entrant.score - now.swiss.scores[entrant.id] for entrant in now.entrants()}
    assert [added_scores[player.pk] for player in event.players.order_by("number")] == [1] * 4 + [0] * 5


@pytest.mark.parametrize(("apart", "meetings"), [("never", 0), ("wish", 0)])
def test_players_of_one_club_are_kept_apart(apart: str, meetings: int) -> None:
    event = make_event(pairing_options={"apart": apart})
    for at, player in enumerate(add_players(event, 8)):
        pairing_facts.change_player_facts(player, organizer(), club="Dojo" if at < 4 else "")
    events.start_event(event, organizer())
    draft = rounds.pair_next_round(event, organizer())
    assert draft.matches.filter(p1__club="Dojo", p2__club="Dojo").count() == meetings


def test_clubs_are_kept_apart_in_the_rounds_named_only() -> None:
    event = make_event(pairing_options={"apart": "never", "apart_rounds": [1]}, swiss_rounds=2)
    for player in add_players(event, 2):
        pairing_facts.change_player_facts(player, organizer(), club="Dojo")
    events.start_event(event, organizer())
    assert rounds.pair_next_round(event, organizer()).pairing["forbidden"] == 1


def test_two_who_never_meet_are_not_paired() -> None:
    event = started_event(4)
    for other in (2, 3):
        pairing_facts.forbid_pair(event, organizer(), 1, other, reason="siblings")
    assert {frozenset(p) for p in numbers(rounds.pair_next_round(event, organizer()))} == {
        frozenset((1, 4)),
        frozenset((2, 3)),
    }


def test_a_forbidden_pair_needs_two_players_and_a_reason() -> None:
    event = started_event(4)
    with pytest.raises(Refused) as excinfo:
        pairing_facts.forbid_pair(event, organizer(), 1, 9, reason=" ")
    assert [problem.code for problem in excinfo.value.problems] == ["no_such_player", "reason_missing"]


def test_a_fixed_table_is_kept_in_every_round() -> None:
    event = started_event(8, swiss_rounds=3, first_table=11, reserved_tables=[12])
    player = Player.objects.select_related("event").get(event=event, number=5)
    pairing_facts.change_player_facts(player, organizer(), fixed_table=14)
    for _ in range(3):
        round_ = play_round(event)
        assert sorted(round_.matches.values_list("table", flat=True)) == [11, 13, 14, 15]
        assert 5 in round_.matches.values_list("p1__number", "p2__number").get(table=14)


def test_a_fixed_table_belongs_to_one_player() -> None:
    event = started_event(4)
    people = list(event.players.select_related("event"))
    pairing_facts.change_player_facts(people[0], organizer(), fixed_table=2)
    with pytest.raises(Refused) as excinfo:
        pairing_facts.change_player_facts(people[1], organizer(), fixed_table=2)
    assert excinfo.value.sentence == "Table 2 is already fixed for Alice."


def test_no_player_sits_at_the_same_table_twice_where_that_is_preferred() -> None:
    event = seeded_event(16, fresh_tables=True)
    sat: dict[int, list[int]] = {}
    for _ in range(2):
        for table, one, two in play_round(event).matches.values_list("table", "p1_id", "p2_id"):
            sat.setdefault(one, []).append(table)
            sat.setdefault(two, []).append(table)
    assert [tables for tables in sat.values() if len(set(tables)) < 2] == []


def test_a_first_round_bye_is_given_and_counts_as_a_win() -> None:
    event = make_event()
    people = add_players(event, 5)
    pairing_facts.change_player_facts(people[2], organizer(), first_byes=1)
    events.start_event(event, organizer())
    draft = rounds.pair_next_round(event, organizer())
    assert list(draft.matches.filter(p2__isnull=True).values_list("p1__number", "outcome", "why")) == [
        (3, "bye", [{"code": "bye_given", "params": {}}])
    ]


def test_reason_of_a_bye_names_its_player() -> None:
    draft = rounds.pair_next_round(started_event(3), organizer())
    bye_match = draft.matches.get(p2__isnull=True)
    assert bye_match.why[0] == {
        "code": "has_bye",
        "params": {"player": {"player": bye_match.p1_id}, "count": 3},
    }


def test_a_bye_is_worth_the_games_that_win_a_match() -> None:
    draft = rounds.pair_next_round(started_event(3, match_form="one_game_30min"), organizer())
    assert draft.matches.get(p2__isnull=True).p1_games == 1


@each_case(
    ("options", "codes"),
    [
        ([], ["options_unreadable"]),
        ({"first_round": "chess", "apart": 3}, ["option_wrong", "option_wrong"]),
        ({"colour": "red"}, ["option_unknown"]),
        ({"accelerated": True, "first_round": "fold"}, ["accelerated_and_seeded"]),
        ({"apart_rounds": [0]}, ["rounds_unreadable"]),
        ({"apart_rounds": "1"}, ["rounds_unreadable"]),
        ({"fresh_tables": "yes"}, ["option_wrong"]),
    ],
    around=rolled_back,
)
def test_wrong_options_are_refused_all_at_once(options: object, codes: list[str]) -> None:
    with pytest.raises(Refused) as excinfo:
        make_event(pairing_options=options)
    assert [problem.code for problem in excinfo.value.problems] == codes


@each_case(
    ("text", "rounds"),
    [("", ()), ("1-3, 5", (1, 2, 3, 5)), ("2;1", (1, 2)), ("1 – 2", (1, 2))],
    around=rolled_back,
)
def test_rounds_are_read_as_people_write_them(text: str, rounds: tuple[int, ...]) -> None:
    assert parse_round_numbers(text) == rounds
    assert parse_round_numbers(format_round_numbers(rounds)) == rounds


@each_case("text", ["x", "3-1", "0", "1-", "100", "1" * 50, "\x00"], around=rolled_back)
def test_what_names_no_rounds_is_refused(text: str) -> None:
    with pytest.raises(Refused) as excinfo:
        parse_round_numbers(text)
    assert excinfo.value.code == "rounds_unreadable"
