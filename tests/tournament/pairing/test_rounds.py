"""Pairing, publishing and playing rounds."""

from __future__ import annotations

from collections import Counter

import pytest
from django.db import IntegrityError, connection, transaction
from django.test.utils import CaptureQueriesContext

from decks.shared.refusals import Conflict, Refused
from tests.scenarios.factories import (
    add_players,
    make_event,
    open_matches,
    organizer,
    play_round,
    started_event,
    win,
)
from tournament.engine.pairing.model import Entrant
from tournament.engine.pairing.swiss import pair_round
from tournament.events.models.round import Match, Round, Seat
from tournament.matches import name_match
from tournament.pairing.services import rounds
from tournament.registration import services as registration
from tournament.results.services import results
from tournament.setup.services import events
from tournament.standings.selectors.standings import standings

pytestmark = [pytest.mark.both_databases, pytest.mark.django_db]


def test_starting_plans_as_many_rounds_as_the_field_needs() -> None:
    assert started_event(9).swiss_rounds == 4


def test_starting_twice_starts_once() -> None:
    event = started_event(4)
    events.start_event(event, organizer())
    assert event.stages.count() == 1


def test_one_player_is_no_tournament() -> None:
    event = make_event()
    add_players(event, 1)
    with pytest.raises(Refused) as excinfo:
        events.start_event(event, organizer())
    assert excinfo.value.code == "too_few_players"


def test_first_round_is_repeatable_from_its_recorded_seed() -> None:
    event = started_event(8)
    draft = rounds.pair_next_round(event, organizer())
    entrants = [Entrant(id=pk) for pk in event.players.values_list("pk", flat=True)]
    repeated_round = pair_round(entrants, (), seed=draft.seed, rounds_left=event.swiss_rounds - 1)
    assert list(draft.matches.order_by("table").values_list("p1_id", "p2_id")) == [
        table.players for table in repeated_round.tables
    ]


def test_pairing_again_takes_the_next_seed() -> None:
    draft = rounds.pair_next_round(started_event(8), organizer())
    again = rounds.pair_round_again(draft, organizer())
    assert draft.seed != again.seed
    assert again.pairing["attempt"] == 2
    assert Round.objects.count() == 1


def test_every_player_sits_once_and_the_odd_one_has_the_bye() -> None:
    event = started_event(9)
    draft = rounds.pair_next_round(event, organizer())
    assert (
        Counter(Seat.objects.filter(round=draft).values_list("player_id", flat=True)).most_common(1)[0][1]
        == 1
    )
    assert Seat.objects.filter(round=draft).count() == 9
    assert draft.matches.filter(outcome="bye").count() == 1
    assert sorted(draft.matches.filter(p2__isnull=False).values_list("table", flat=True)) == [1, 2, 3, 4]


def test_pressing_pair_twice_pairs_one_round() -> None:
    event = started_event(8)
    first = rounds.pair_next_round(event, organizer(), number=1)
    second = rounds.pair_next_round(event, organizer(), number=1)
    assert first == second
    assert Round.objects.count() == 1


def test_pressing_pair_again_after_publishing_returns_the_same_round() -> None:
    event = started_event(8)
    first = rounds.publish_round(rounds.pair_next_round(event, organizer(), number=1), organizer())
    assert rounds.pair_next_round(event, organizer(), number=1) == first


def test_next_round_waits_for_missing_results_and_says_whose() -> None:
    event = started_event(4)
    round_ = rounds.publish_round(rounds.pair_next_round(event, organizer()), organizer())
    tables = open_matches(round_)
    win(tables[0])
    with pytest.raises(Refused) as excinfo:
        rounds.pair_next_round(event, organizer())
    late_table = tables[1]
    assert excinfo.value.code == "results_missing"
    assert excinfo.value.params == {"tables": (name_match(late_table),), "more": False}
    assert excinfo.value.sentence == (
        f"Results are missing: table {late_table.table} ({late_table.p1.name} vs. {late_table.p2.name})."
    )


def test_last_planned_round_asks_for_its_results_before_a_further_one() -> None:
    event = started_event(4, swiss_rounds=1)
    round_ = rounds.publish_round(rounds.pair_next_round(event, organizer()), organizer())
    with pytest.raises(Refused) as excinfo:
        rounds.pair_next_round(event, organizer())
    assert excinfo.value.code == "results_missing"
    for match in open_matches(round_):
        win(match)
    with pytest.raises(Refused) as excinfo:
        rounds.pair_next_round(event, organizer())
    assert (excinfo.value.code, excinfo.value.params) == (
        "all_rounds_played",
        {"planned_rounds": 1, "kind": "swiss"},
    )
    assert excinfo.value.sentence == "The only Swiss round is already paired."


def test_no_round_is_paired_beyond_the_plan() -> None:
    event = started_event(4, swiss_rounds=1)
    play_round(event)
    with pytest.raises(Refused) as excinfo:
        rounds.pair_next_round(event, organizer())
    assert excinfo.value.code == "all_rounds_played"


def test_a_round_further_ahead_is_a_conflict() -> None:
    event = started_event(4, swiss_rounds=3)
    with pytest.raises(Conflict):
        rounds.pair_next_round(event, organizer(), number=3)


def test_winners_meet_in_round_two() -> None:
    event = started_event(8)
    first = play_round(event)
    winners = set(first.matches.values_list("p1_id", flat=True))
    second = rounds.pair_next_round(event, organizer())
    top = second.matches.filter(table__lte=2)
    assert {player for match in top for player in (match.p1_id, match.p2_id)} == winners


def test_round_finishes_with_its_last_result_and_reopens_when_one_is_taken_back() -> None:
    event = started_event(4)
    round_ = play_round(event)
    assert round_.state == "finished"
    match = round_.matches.select_related("round__stage__event").first()
    results.clear_result(match, organizer(), reason="wrong table")
    round_.refresh_from_db()
    assert (round_.state, round_.finished_at) == ("published", None)


def test_dropped_player_is_never_paired_again() -> None:
    event = started_event(6, swiss_rounds=3)
    play_round(event)
    dropped_player = event.players.get(name="Alice")
    registration.drop(dropped_player, organizer(), reason="train")
    second = play_round(event)
    assert not Seat.objects.filter(round=second, player=dropped_player).exists()
    assert second.matches.filter(outcome="bye").count() == 1


def test_dropped_player_keeps_their_place_in_past_standings() -> None:
    event = started_event(6, swiss_rounds=3)
    play_round(event)
    before = [(line.rank, line.player.name) for line in standings(event, after_round=1)]
    registration.drop(event.players.get(name="Alice"), organizer())
    play_round(event)
    assert [(line.rank, line.player.name) for line in standings(event, after_round=1)] == before


def test_a_drop_changes_the_draft_and_keeps_it() -> None:
    event = started_event(6)
    draft = rounds.pair_next_round(event, organizer())
    alice = event.players.get(name="Alice")
    registration.drop(alice, organizer())
    assert not draft.seats.filter(player=alice).exists()
    assert draft.seats.count() == 5
    assert event.log.filter(action="draft_repaired").count() == 1


def test_publishing_a_draft_that_is_gone_is_a_conflict() -> None:
    event = started_event(6)
    draft = rounds.pair_next_round(event, organizer())
    rounds.delete_draft(draft, organizer())
    with pytest.raises(Conflict):
        rounds.publish_round(draft, organizer())


def test_the_database_refuses_a_second_match_of_one_player_in_one_round() -> None:
    event = started_event(4)
    draft = rounds.pair_next_round(event, organizer())
    seat = Seat.objects.filter(round=draft).first()
    other = draft.matches.exclude(pk=seat.match_id).first()
    with pytest.raises(IntegrityError), transaction.atomic():
        Seat.objects.create(round=draft, match=other, player=seat.player)


def test_the_database_refuses_a_match_of_a_player_against_themselves() -> None:
    event = started_event(4)
    draft = rounds.pair_next_round(event, organizer())
    match = draft.matches.first()
    with pytest.raises(IntegrityError), transaction.atomic():
        Match.objects.filter(pk=match.pk).update(p2=match.p1)


def test_pairing_takes_the_same_queries_for_few_and_for_many() -> None:
    def queries(players: int) -> int:
        event = started_event(players, swiss_rounds=4, pairing_options={"accelerated": True, "apart": "wish"})
        play_round(event)
        with CaptureQueriesContext(connection) as queries:
            rounds.pair_next_round(event, organizer())
        return len(queries)

    assert queries(4) == queries(16)


def test_publishing_takes_the_same_queries_for_few_and_for_many() -> None:
    def queries(players: int) -> int:
        event = started_event(players, name=f"Published with {players}")
        draft = rounds.pair_next_round(event, organizer())
        with CaptureQueriesContext(connection) as captured_queries:
            rounds.publish_round(draft, organizer())
        return len(captured_queries)

    assert queries(4) == queries(16)
