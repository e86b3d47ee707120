"""Published rounds with more than two sides at a table, changed by hand.

They are changed in one step and undone in one step.
"""

from __future__ import annotations

import pytest
from django.test import Client

from decks.shared.refusals import Conflict, Refused
from tests.everyday import each_case
from tests.scenarios.event_rows import state_of
from tests.scenarios.factories import built_once, organizer, publish_next, sign_in_organizer, started_event
from tests.scenarios.html import html_of
from tests.scenarios.log_words import words_of
from tests.scenarios.rollback import rolled_back
from tests.tournament.pairing.test_pods_played import FREE, TEAMS, tables, win
from tournament.amendments.selectors import state_moves_to_tell
from tournament.amendments.services.changes import AppliedChange, RoundChange, change_round
from tournament.amendments.services.preview import preview_change
from tournament.events.models.event import Event
from tournament.events.models.round import Match, Round
from tournament.log.services import undo_step
from tournament.registration import services as registration
from tournament.results.services.places import get_places
from tournament.standings.selectors.standings import standings

pytestmark = pytest.mark.django_db


@pytest.fixture
@built_once
def event() -> Event:
    """Eleven players in the middle of round 1: tables of four, four and three."""
    running_event = started_event(11, **FREE)
    publish_next(running_event)
    return running_event


def first_round(event: Event) -> Round:
    return Round.objects.select_related("stage__event").get(stage__event=event, number=1)


def at(event: Event, table: int) -> Match:
    return tables(first_round(event))[table - 1]


def number_at(event: Event, table: int, side: int) -> int:
    return at(event, table).sides[side - 1].player.number


def numbers_at(event: Event, table: int) -> list[int]:
    return [side.player.number for side in at(event, table).sides]


def change(event: Event, kind: str, *, seen_mark: str | None = None, **values: object) -> AppliedChange:
    return change_round(first_round(event), organizer(), RoundChange(kind, **values), seen_mark=seen_mark)  # type: ignore[arg-type]


def test_players_of_two_tables_swap_with_their_sides(event: Event) -> None:
    one, two = number_at(event, 1, 3), number_at(event, 3, 1)
    change(event, "swap", one=one, two=two)
    assert (number_at(event, 1, 3), number_at(event, 3, 1)) == (two, one)
    assert at(event, 3).p1.number == one
    assert at(event, 3).amended_at is not None


def test_swapped_players_keep_or_lose_the_places_of_their_sides(event: Event) -> None:
    win(at(event, 1), 3)
    win(at(event, 3), 2)
    one, two = number_at(event, 1, 3), number_at(event, 3, 1)
    change(event, "swap", one=one, two=two)
    assert (get_places(at(event, 1)), get_places(at(event, 3))) == ((2, 2, 1, 2), (2, 1, 2))
    assert standings(event)[0].player.number in (two, number_at(event, 3, 2))
    change(event, "swap", one=one, two=two, results="clear")
    cleared = [at(event, table) for table in (1, 3)]
    assert [match.outcome for match in cleared] == ["", ""]
    assert {side.place for match in cleared for side in match.sides} == {None}


def test_player_moves_to_a_table_and_the_sides_close_up(event: Event) -> None:
    before, moved_player = numbers_at(event, 1), number_at(event, 1, 2)
    change_result = change(event, "seat", one=moved_player, to=3)
    assert numbers_at(event, 1) == [number for number in before if number != moved_player]
    assert numbers_at(event, 3)[-1] == moved_player
    assert (at(event, 1).side_count, at(event, 3).side_count) == (3, 4)
    assert change_result.entry is not None
    player = event.players.get(number=moved_player)
    assert words_of(change_result.entry) == f"olga@example.org moved {player.name} to table 3 in round 1."
    sentences = [move.sentence for move in state_moves_to_tell(change_result.entry)]
    assert len(sentences) == 7
    assert any(line.startswith(f"{player.name}: table 3 with ") for line in sentences)


@pytest.mark.both_databases
def test_late_player_sits_down_at_a_table(event: Event) -> None:
    late = registration.add_player(event, organizer(), name="Late Player")
    change(event, "seat", one=late.number, to=3)
    assert numbers_at(event, 3)[-1] == late.number
    assert not first_round(event).matches.filter(p2=None).exists()


def test_late_player_replaces_one_who_has_a_loss(event: Event) -> None:
    late = registration.add_player(event, organizer(), name="Late Player")
    out = number_at(event, 2, 4)
    change(event, "replace", one=out, two=late.number)
    assert number_at(event, 2, 4) == late.number
    bye_match = first_round(event).matches.get(p2=None)
    assert (bye_match.p1.number, bye_match.outcome) == (out, "loss_no_opponent")


def test_cancelled_table_leaves_all_a_bye(event: Event) -> None:
    numbers = set(numbers_at(event, 3))
    change_result = change(event, "cancel", table=3, unpaired="bye")
    byes = first_round(event).matches.filter(p2=None)
    assert {(match.p1.number, match.outcome) for match in byes} == {(number, "bye") for number in numbers}
    assert change_result.entry is not None
    assert "canceled table 3 of" in words_of(change_result.entry)


def test_match_moves_to_another_table_with_all_its_sides(event: Event) -> None:
    numbers = numbers_at(event, 1)
    change(event, "move", table=1, to=9)
    match = first_round(event).matches.get(table=9)
    assert [side.player.number for side in match.sides] == numbers


CHANGES = {
    "swap": lambda event: {"one": number_at(event, 1, 3), "two": number_at(event, 3, 1), "results": "clear"},
    "seat": lambda event: {"one": number_at(event, 1, 1), "to": 3, "results": "clear"},
    "cancel": lambda event: {"table": 1},
    "move": lambda event: {"table": 1, "to": 2},
}


@each_case("kind", CHANGES, around=rolled_back)
def test_undo_restores_sides_places_and_results(event: Event, kind: str) -> None:
    win(at(event, 1), 2)
    before = state_of(event)
    change_result = change(event, kind, **CHANGES[kind](event))
    assert state_of(event) != before
    assert change_result.entry is not None
    undo_step(change_result.entry, organizer())
    assert state_of(event) == before


def test_preview_writes_nothing_and_says_cost_and_who_must_be_told(event: Event) -> None:
    before, moved_player = state_of(event), number_at(event, 1, 1)
    preview = preview_change(first_round(event), organizer(), RoundChange("seat", one=moved_player, to=2))
    assert state_of(event) == before
    [column] = preview.columns
    assert [(line.now, line.best) for line in column.extra_costs] == [("5, 3, 3", "4, 4, 3")]
    assert len(column.notices) == 8
    assert [table.table for table in column.tables] == [1, 2]
    change(event, "seat", one=moved_player, to=2, seen_mark=column.mark)
    with pytest.raises(Conflict):
        change(event, "seat", one=number_at(event, 2, 1), to=1, seen_mark=column.mark)


@each_case(
    ("values", "code"),
    [
        ({"kind": "add", "one": 1, "two": 2}, "change_choice_unknown"),
        ({"kind": "seat", "one": 99, "to": 1}, "no_such_player"),
        ({"kind": "seat", "one": 1, "to": 44}, "no_such_table"),
        ({"kind": "seat", "one": 1}, "change_incomplete"),
    ],
    around=rolled_back,
)
def test_change_that_cannot_be_is_refused(event: Event, values: dict[str, object], code: str) -> None:
    before = state_of(event)
    with pytest.raises(Refused) as refusal:
        change(event, **values)  # type: ignore[arg-type]
    assert (refusal.value.code, state_of(event)) == (code, before)


def test_sizes_and_results_of_tables_are_guarded(event: Event) -> None:
    with pytest.raises(Refused) as refusal:
        change(event, "seat", one=number_at(event, 3, 1), to=1)
    assert refusal.value.code == "table_too_small"
    win(at(event, 1), 1)
    with pytest.raises(Refused) as refusal:
        change(event, "seat", one=number_at(event, 2, 1), to=1)
    assert refusal.value.code == "result_of_other_sides"
    with pytest.raises(Refused) as refusal:
        change_round(first_round(event), organizer(), RoundChange("cancel", table=1), way="swap")
    assert refusal.value.code == "sides_not_changed"
    trios = started_event(6, **TEAMS)
    publish_next(trios)
    with pytest.raises(Refused) as refusal:
        change(trios, "seat", one=number_at(trios, 1, 1), to=2)
    assert refusal.value.code == "table_full"


def test_page_and_api_change_a_table(event: Event) -> None:
    client, moved_player = Client(), number_at(event, 1, 1)
    sign_in_organizer(client)
    address = f"/console/{event.slug}/rounds/1/1/change/"
    preview_page = client.get(address, {"kind": "seat", "one": moved_player, "to": 3})
    kinds = [kind for kind, _ in preview_page.context["kinds"]]
    assert kinds == ["swap", "move", "replace", "cancel", "seat"]
    assert "Players to notify (7)" in html_of(preview_page)
    for kind, values in (
        ("swap", {"one": moved_player, "two": number_at(event, 2, 1)}),
        ("cancel", {"table": 2}),
    ):
        assert "Players to notify" in html_of(client.get(address, {"kind": kind, **values}))
    api = f"/api/events/{event.slug}/rounds/1/1/amendment/"
    answer = client.post(api, {"kind": "seat", "one": moved_player, "to": 3}, "application/json")
    assert (answer.status_code, len(answer.json()["tell"])) == (200, 7)
    assert "moved" in html_of(client.get(f"/console/{event.slug}/log/"))
