"""Events with more than two sides at a table.

They are seated, changed by hand, entered, corrected and undone.
"""

from __future__ import annotations

from typing import Any

import pytest

from decks.shared.refusals import Conflict, Refused
from rules.sides import BY_PLACES, LAST_STANDING, Sides
from tests.everyday import each_case
from tests.scenarios.factories import add_players, make_event, organizer, publish_next, started_event
from tests.scenarios.rollback import rolled_back
from tournament.events.models.event import Event
from tournament.events.models.round import Match, Round, Seat
from tournament.log.models import LogEntry
from tournament.log.services import undo_step
from tournament.pairing.selectors.drafts import load_draft_view
from tournament.pairing.services import drafts, rounds
from tournament.results.places import parse_places
from tournament.results.services import drops, results
from tournament.results.services.places import enter_places, get_places, report_places
from tournament.setup.services import events
from tournament.standings.selectors.standings import standings

pytestmark = pytest.mark.django_db

FREE: dict[str, Any] = {
    "name": "Brawl", "game": "sf_miniatures", "format": "ffa", "rules_version": "1",
    "match_form": "one_round_25min", "round_minutes": 25, "swiss_rounds": 2,
}  # fmt: skip
TEAMS = {**FREE, "name": "Trios", "format": "2v2v2", "team_size": None}


def tables(round_: Round) -> list[Match]:
    matches = round_.matches.filter(side_count__gt=2).select_related("p1", "p2", "round__stage__event")
    return list(matches.order_by("table"))


def win(match: Match, side: int = 1, **guards: Any) -> Match:
    places = [1 if number == side else 2 for number in range(1, match.side_count + 1)]
    return enter_places(match, organizer(), places, **guards)


@pytest.mark.both_databases
def test_seven_sit_at_tables_of_four_and_three() -> None:
    round_ = publish_next(started_event(7, **FREE))
    assert [match.side_count for match in tables(round_)] == [4, 3]
    assert Seat.objects.filter(round=round_, side__gt=0).values("player").distinct().count() == 7
    assert round_.pairing["proved"]
    first = tables(round_)[0]
    assert [side.number for side in first.sides] == [1, 2, 3, 4]
    assert [side.player.pk for side in first.sides][:2] == [first.p1_id, first.p2_id]


def test_teams_of_three_leave_one_with_a_bye() -> None:
    round_ = publish_next(started_event(7, **TEAMS))
    assert [match.side_count for match in tables(round_)] == [3, 3]
    assert round_.matches.get(p2=None).outcome == Match.Outcome.BYE


def test_winner_is_entered_corrected_cleared_and_undone() -> None:
    event = started_event(7, **FREE)
    match = tables(publish_next(event))[0]
    entered_match = win(match, 3)
    assert get_places(entered_match) == (2, 2, 1, 2)
    assert entered_match.winner_id == entered_match.sides[2].player.pk
    assert entered_match.result_sentence == f"{entered_match.sides[2].player.name} won"
    with pytest.raises(Conflict):
        win(match, 2, overwrite=False)
    with pytest.raises(Conflict):
        win(match, 2, seen_revision=match.revision)
    corrected_match = win(match, 2)
    assert get_places(corrected_match) == (2, 1, 2, 2)
    undo_step(LogEntry.objects.filter(event=event).latest("pk"), organizer())
    assert list(Seat.objects.filter(match=match).order_by("side").values_list("place", flat=True)) == [
        2,
        2,
        1,
        2,
    ]
    results.clear_result(corrected_again(match), organizer())
    assert not Seat.objects.filter(match=match, place__isnull=False).exists()


def corrected_again(match: Match) -> Match:
    return Match.objects.select_related("round__stage__event", "p1", "p2").get(pk=match.pk)


def test_standings_follow_the_tables_to_a_champion() -> None:
    event = started_event(7, **FREE)
    for _ in range(2):
        for match in tables(publish_next(event)):
            favourite = min(match.sides, key=lambda side: side.player.number)
            win(match, favourite.number)
    lines = standings(event)
    assert [line.row.points for line in lines][:1] == [6] or lines[0].row.points == 3
    assert sum(line.row.points for line in lines) == 12
    assert lines[0].player.number == 1
    events.finish_event(event, organizer())
    event.refresh_from_db()
    assert event.phase == Event.Phase.FINISHED


@each_case("places", [(1, 2, 3, 4), (1, 1, 2, 2), (2, 2, 2, 2), (1, 2, 2)], around=rolled_back)
def test_places_that_the_mode_does_not_have_are_refused(places: tuple[int, ...]) -> None:
    match = tables(publish_next(started_event(7, **FREE)))[0]
    with pytest.raises(Refused):
        enter_places(match, organizer(), places)


def test_games_are_refused_at_a_table_of_sides() -> None:
    match = tables(publish_next(started_event(7, **FREE)))[0]
    with pytest.raises(Refused) as excinfo:
        results.enter_result(match, organizer(), p1_games=1, p2_games=0)
    assert excinfo.value.code == "sides_have_places"


def test_two_equal_reports_make_the_result_and_another_is_a_dispute() -> None:
    match, other = tables(publish_next(started_event(7, **FREE)))
    players = [side.player for side in match.sides]
    report_places(match, players[0], [1, 2, 2, 2])
    assert not corrected_again(match).is_finished
    agreed_result = report_places(match, players[3], [1, 2, 2, 2])
    assert get_places(agreed_result) == (1, 2, 2, 2)
    report_places(other, other.sides[0].player, [1, 2, 2])
    report_places(other, other.sides[1].player, [2, 1, 2])
    disputed_match = corrected_again(other)
    assert disputed_match.is_disputed
    with pytest.raises(Refused) as excinfo:
        win(disputed_match, 1)
    assert excinfo.value.code == "reason_needed"
    assert get_places(win(disputed_match, 1, reason="Seen by the judge")) == (1, 2, 2)
    with pytest.raises(Refused):
        report_places(other, players[0], [1, 2, 2])


def test_draft_is_changed_by_hand_and_back_whatever_the_side() -> None:
    event = started_event(7, **FREE)
    draft = rounds.pair_next_round(event, organizer())
    one, two = tables(draft)
    third, last = one.sides[2].player, two.sides[0].player
    drafts.swap_players(draft, organizer(), third.number, last.number)
    one, two = tables(draft)
    assert one.sides[2].player == last
    assert two.p1 == two.sides[0].player == third
    draft.refresh_from_db()
    assert load_draft_view(draft).change_count == 1
    drafts.undo_last_change(draft, organizer())
    assert tables(draft)[1].p1 == last


def test_rematch_in_a_draft_is_said_and_a_drop_seats_it_again() -> None:
    event = started_event(7, **FREE)
    for match in tables(publish_next(event)):
        win(match)
    draft = rounds.pair_next_round(event, organizer())
    assert {warning.code for warning in load_draft_view(draft).warnings} == {"rematch"}
    drops.drop(event.players.get(number=7), organizer())
    assert [match.side_count for match in tables(Round.objects.get(stage__event=event, number=2))] == [3, 3]


def test_dropped_player_stays_at_the_open_table() -> None:
    event = started_event(7, **FREE)
    match = tables(publish_next(event))[0]
    drops.drop(match.sides[1].player, organizer(), open_match_policy="win")
    assert not corrected_again(match).is_finished
    assert win(match, 1).is_finished


def test_bracket_first_is_refused_for_tables_of_sides() -> None:
    with pytest.raises(Refused) as excinfo:
        make_event(organizer(), **FREE, plan=[{"kind": "single"}])
    assert "sides_need_swiss" in {problem.code for problem in excinfo.value.problems}


def test_two_players_are_too_few_for_a_table_of_sides() -> None:
    event = make_event(**FREE)
    add_players(event, 2)
    events.start_event(event, organizer())
    with pytest.raises(Refused):
        rounds.pair_next_round(event, organizer())


LAST, PLACES = Sides(3, 6, 4, LAST_STANDING), Sides(3, 6, 4, BY_PLACES)


@each_case(
    ("line", "sides", "places", "drop"),
    [
        ("12 3", LAST, (2, 2, 1, 2), ()),
        ("12 1=3", LAST, (1, 3, 1, 3), ()),
        ("12 3 d2", LAST, (2, 2, 1, 2), (2,)),
        ("12 3 1 4 2", PLACES, (2, 4, 1, 3), ()),
        ("12 3 1 4", PLACES, (2, 4, 1, 3), ()),
        ("12: 3,1=2, 4", PLACES, (2, 2, 1, 4), ()),
    ],
    around=rolled_back,
)
def test_line_names_the_sides_best_first(
    line: str, sides: Sides, places: tuple[int, ...], drop: tuple[int, ...]
) -> None:
    parsed_places = parse_places(line, 4, sides)
    assert (parsed_places.places, parsed_places.drop) == (places, drop)


@each_case(
    ("line", "sides", "code"),
    [
        ("12", LAST, "places_unreadable"),
        ("12 x", LAST, "places_unreadable"),
        ("12 5", LAST, "side_not_there"),
        ("12 3 3", PLACES, "side_twice"),
        ("12 3 1", LAST, "only_winner_counts"),
        ("12 3 1", PLACES, "places_missing"),
        ("12 3 d9", LAST, "side_not_there"),
    ],
    around=rolled_back,
)
def test_line_that_cannot_be_is_refused(line: str, sides: Sides, code: str) -> None:
    with pytest.raises(Refused) as excinfo:
        parse_places(line, 4, sides)
    assert excinfo.value.code == code


def sizes_of(draft: Round) -> list[int]:
    return [match.side_count for match in tables(draft)]


def seats_of(draft: Round) -> list[tuple[object, ...]]:
    """Return the seats of a draft: table, side and player, with the reason."""
    columns = ("match__table", "side", "player_id", "match__p1_id", "match__p2_id", "match__side_count")
    return list(draft.seats.order_by("match__table", "side", "player_id").values_list(*columns, "match__why"))


def test_player_moves_to_another_table_of_a_draft_and_back() -> None:
    event = started_event(11, **FREE)
    draft = rounds.pair_next_round(event, organizer())
    before = seats_of(draft)
    assert sizes_of(draft) == [4, 4, 3]
    moved_player = tables(draft)[0].sides[1].player
    drafts.move_to_other_table(draft, organizer(), moved_player.number, tables(draft)[2].table or 0)
    assert sizes_of(draft) == [3, 4, 4]
    first, _, last = tables(draft)
    assert last.sides[3].player == moved_player
    assert [side.number for side in first.sides] == [1, 2, 3]
    assert (first.p1_id, first.p2_id) == tuple(side.player.pk for side in first.sides[:2])
    draft.refresh_from_db()
    view = load_draft_view(draft)
    assert (view.change_count, view.is_optimal) == (1, True)
    drafts.undo_last_change(draft, organizer())
    assert seats_of(draft) == before


def test_move_that_costs_more_than_the_best_seating_says_so() -> None:
    event = started_event(10, **FREE)
    draft = rounds.pair_next_round(event, organizer())
    assert sizes_of(draft) == [5, 5]
    one, two = tables(draft)
    drafts.move_to_other_table(draft, organizer(), one.p1.number, two.table or 0)
    draft.refresh_from_db()
    assert [(line.now, line.best) for line in load_draft_view(draft).costs if line.is_worse] == [
        ("6, 4", "5, 5")
    ]


def test_move_that_no_table_size_allows_is_refused() -> None:
    draft = rounds.pair_next_round(started_event(7, **FREE), organizer())
    four, three = tables(draft)
    for number, table, code in (
        (three.p1.number, four.table, "table_too_small"),
        (four.p1.number, four.table, "sits_there_already"),
        (four.p1.number, 99, "no_such_table"),
        (99, four.table, "not_in_the_round"),
    ):
        with pytest.raises(Refused) as refusal:
            drafts.move_to_other_table(draft, organizer(), number, table or 0)
        assert refusal.value.code == code
    trios = rounds.pair_next_round(started_event(6, **TEAMS), organizer())
    with pytest.raises(Refused) as refusal:
        drafts.move_to_other_table(
            trios, organizer(), tables(trios)[0].p1.number, tables(trios)[1].table or 0
        )
    assert refusal.value.code == "table_full"


@pytest.mark.both_databases
def test_move_of_a_draft_is_undone_in_the_log() -> None:
    event = started_event(11, **FREE)
    draft = rounds.pair_next_round(event, organizer())
    before = seats_of(draft)
    drafts.move_to_other_table(draft, organizer(), tables(draft)[0].p1.number, tables(draft)[2].table or 0)
    undo_step(LogEntry.objects.filter(event=event, action="draft_player_moved").get(), organizer())
    assert seats_of(draft) == before
