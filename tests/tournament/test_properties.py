"""Random events, played through the services: what must hold whatever happens."""

from __future__ import annotations

import itertools
import random
from collections import Counter

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.machine import examples
from tests.scenarios.factories import add_players, make_event, open_matches, organizer
from tournament.events.models.event import Event
from tournament.events.models.player import Player
from tournament.events.models.round import Match, Round, Seat
from tournament.pairing.services import rounds
from tournament.registration import services as registration
from tournament.results.services import results
from tournament.setup.services import events
from tournament.standings.selectors.standings import standings

pytestmark = pytest.mark.django_db

SCORES = ((2, 0), (2, 1), (1, 0), (1, 1), (0, 0), (0, 2), (1, 2))


@pytest.mark.both_databases
@settings(
    max_examples=examples(2), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(players=st.integers(3, 12), planned_rounds=st.integers(1, 5), luck=st.integers(0, 10**6))
def test_random_events_hold_what_swiss_promises(
    db: None, players: int, planned_rounds: int, luck: int
) -> None:
    chance = random.Random(luck)
    event = make_event(name=f"Event {players}-{planned_rounds}-{luck}", swiss_rounds=planned_rounds)
    add_players(event, players)
    events.start_event(event, organizer())
    for number in range(1, planned_rounds + 1):
        active = set(_active(event))
        if len(active) < 2:
            break
        round_ = rounds.publish_round(rounds.pair_next_round(event, organizer(), number=number), organizer())
        assert_everyone_sits_once(round_, active)
        assert_no_avoidable_second_bye(event, active)
        assert_no_avoidable_rematch(event, round_, active)
        play(round_, chance)
        assert_totals_are_those_of_the_results(event)
        drop_random_player(event, chance)


def _active(event: Event) -> list[int]:
    return list(event.players.filter(dropped_after__isnull=True).values_list("pk", flat=True))


def assert_everyone_sits_once(round_: Round, active: set[int]) -> None:
    seats = Counter(Seat.objects.filter(round=round_).values_list("player_id", flat=True))
    assert seats == dict.fromkeys(active, 1)
    sides = Counter(pk for pair in round_.matches.values_list("p1_id", "p2_id") for pk in pair if pk)
    assert sides == seats


def assert_no_avoidable_second_bye(event: Event, active: set[int]) -> None:
    byes = Counter(
        Match.objects.filter(round__stage__event=event, outcome="bye").values_list("p1_id", flat=True)
    )
    if any(count > 1 for player, count in byes.items() if player in active):
        assert all(byes[player] >= 1 for player in active)


def assert_no_avoidable_rematch(event: Event, round_: Round, active: set[int]) -> None:
    earlier = Match.objects.filter(round__stage__event=event, round__number__lt=round_.number)
    met_pairs = {frozenset(pair) for pair in earlier.filter(p2__isnull=False).values_list("p1_id", "p2_id")}
    had_bye = set(earlier.filter(outcome="bye").values_list("p1_id", flat=True))
    again = [m for m in round_.matches.filter(p2__isnull=False) if frozenset((m.p1_id, m.p2_id)) in met_pairs]
    if again and len(active) <= 8:
        assert not a_pairing_without_rematch_exists(sorted(active), met_pairs, had_bye)


def a_pairing_without_rematch_exists(
    active: list[int], met_pairs: set[frozenset[int]], had_bye: set[int]
) -> bool:
    """Try all pairings; the odd one out must not have had a bye."""
    if len(active) % 2:
        return any(
            _can_pair([p for p in active if p != free], met_pairs) for free in active if free not in had_bye
        )
    return _can_pair(active, met_pairs)


def _can_pair(players: list[int], met_pairs: set[frozenset[int]]) -> bool:
    if not players:
        return True
    first, *rest = players
    return any(
        frozenset((first, other)) not in met_pairs and _can_pair([p for p in rest if p != other], met_pairs)
        for other in rest
    )


def play(round_: Round, chance: random.Random) -> None:
    for match in open_matches(round_):
        p1_games, p2_games = chance.choice(SCORES)
        results.enter_result(match, organizer(), p1_games=p1_games, p2_games=p2_games)


def assert_totals_are_those_of_the_results(event: Event) -> None:
    expected_points: Counter[int] = Counter()
    for match in Match.objects.filter(round__stage__event=event):
        if match.outcome == "draw":
            expected_points[match.p1_id] += 1
            expected_points[match.p2_id] += 1
        elif match.winner_id:
            expected_points[match.winner_id] += 3
    lines = standings(event)
    assert {line.player.pk: line.row.points for line in lines} == {
        line.player.pk: expected_points[line.player.pk] for line in lines
    }
    assert all(a.row.points >= b.row.points for a, b in itertools.pairwise(lines))


def drop_random_player(event: Event, chance: random.Random) -> None:
    active = _active(event)
    if chance.random() < 0.25 and len(active) > 2:
        dropped_player = Player.objects.select_related("event").get(pk=chance.choice(active))
        registration.drop(dropped_player, organizer())
