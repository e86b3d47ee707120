"""Random changes of a running round.

Every player has one seat, results follow, and undo restores everything.
"""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from decks.shared.refusals import Refused
from tests import machine
from tests.scenarios.event_rows import state_of
from tests.scenarios.factories import open_matches, organizer, play_round, publish_next, started_event, win
from tournament.amendments.services.changes import RoundChange, change_round
from tournament.amendments.services.preview import preview_change
from tournament.events.models.event import Event
from tournament.events.models.match_result import MatchResult
from tournament.events.models.round import Match, Round
from tournament.log.models import LogEntry
from tournament.log.services import undo_step
from tournament.registration import services as registration

pytestmark = pytest.mark.django_db

KINDS = ("swap", "move", "replace", "add", "cancel")


def get_running_round(event: Event) -> Round:
    return Round.objects.select_related("stage__event").get(number=2, stage__event=event)


def drawn_change(event: Event, chance: random.Random) -> RoundChange:
    numbers = list(event.players.values_list("number", flat=True))
    tables = [table for table in get_running_round(event).matches.values_list("table", flat=True) if table]
    kind = chance.choice(KINDS)
    one, two = chance.sample(numbers, 2)
    return RoundChange(
        kind,
        one=one,
        two=two,
        table=chance.choice(tables),
        to=None if kind == "add" else chance.randint(1, 12),
        results=chance.choice(("keep", "clear")),
        unpaired=chance.choice(("loss", "bye", "drop") if kind == "replace" else ("loss", "bye")),
    )


def check_seats(event: Event) -> None:
    """Require that everyone sits exactly once, in a match of their own chair.

    Each match must have a table of its own.
    """
    round_ = get_running_round(event)
    matches = {match.pk: match for match in round_.matches.all()}
    seated_players = [pk for match in matches.values() for pk in (match.p1_id, match.p2_id) if pk]
    assert len(seated_players) == len(set(seated_players))
    assert {(seat.player_id, seat.match_id) for seat in round_.seats.all()} == {
        (pk, match.pk) for match in matches.values() for pk in (match.p1_id, match.p2_id) if pk
    }
    entered_players = event.players.filter(dropped_after__isnull=True, entered_round__lte=2)
    assert set(entered_players.values_list("pk", flat=True)) <= set(seated_players)
    tables = [match.table for match in matches.values() if match.p2_id]
    assert len(tables) == len(set(tables))
    assert None not in tables
    is_open = any(match.outcome == "" for match in matches.values())
    assert round_.state == ("published" if is_open else "finished")


def results_of(event: Event) -> dict[frozenset[int | None], MatchResult]:
    return {
        frozenset((match.p1_id, match.p2_id)): MatchResult.of(match)
        for match in Match.objects.filter(round=get_running_round(event), p2__isnull=False)
    }


@pytest.mark.daily_on_postgres
@settings(max_examples=machine.examples(1))
@given(seed=st.integers(0, 10_000))
def test_random_changes_keep_seats_and_results_and_are_undone_exactly(seed: int) -> None:
    chance = random.Random(seed)
    event = started_event(9, swiss_rounds=4)
    play_round(event)
    for match in open_matches(publish_next(event)):
        if chance.random() < 0.5:
            win(match, chance.choice(("p1", "p2")), (2, chance.randint(0, 1)))
    for name in ("Zelda", "Zeno"):
        registration.add_player(event, organizer(), name=name, character="Ken")
    states = []
    for _ in range(5 if machine.whole() else 3):
        change, way = drawn_change(event, chance), chance.choice(("leave", "swap", "all"))
        before, results_before = state_of(event), results_of(event)
        try:
            preview_change(get_running_round(event), organizer(), change)
            assert state_of(event) == before
            outcome = change_round(get_running_round(event), organizer(), change, way=way)
        except Refused:
            assert state_of(event) == before
            continue
        check_seats(event)
        now = results_of(event)
        assert all(
            now[pair] == result for pair, result in results_before.items() if pair in now and is_kept(change)
        )
        states.append((outcome.entry, before))
    for entry, before in reversed(states):
        current = LogEntry.objects.get(pk=entry.pk)
        undo_step(current, organizer())
        assert state_of(event) == before


def is_kept(change: RoundChange) -> bool:
    """Return whether a pair that stays keeps its result.

    A canceled match that is paired again may come back.
    """
    return change.kind != "cancel"
