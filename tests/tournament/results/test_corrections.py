"""A result typed wrongly and noticed later: what it touches, and the ways out."""

from __future__ import annotations

from dataclasses import replace

import pytest

from decks.shared.refusals import Conflict, Refused
from tests.everyday import each_case
from tests.scenarios.event_rows import state_of
from tests.scenarios.factories import (
    built_once,
    finish_round,
    open_matches,
    organizer,
    play_round,
    publish_next,
    started_event,
    win,
)
from tests.scenarios.log_words import words_of
from tests.scenarios.rollback import rolled_back
from tournament.engine.pairing.model import Entrant
from tournament.engine.pairing.swiss import pair_round
from tournament.events.models.event import Event
from tournament.events.models.round import Match, Round
from tournament.log.services import undo_step
from tournament.pairing.services import drafts, rounds
from tournament.results.services import drops, results, writing
from tournament.results.services import dry_run as rehearsal
from tournament.standings.selectors.standings import standings

pytestmark = pytest.mark.django_db


def match_of(event: Event, number: int, index: int = 0) -> Match:
    rows = Match.objects.filter(round__stage__event=event, round__number=number, p2__isnull=False)
    match_rows = rows.select_related("round__stage__event", "p1", "p2")
    return match_rows.order_by("round__stage", "table")[index]


def pairs(round_: Round) -> dict[int | None, frozenset[str]]:
    rows = Match.objects.filter(round=round_).select_related("p1", "p2")
    return {m.table: frozenset(p.name for p in (m.p1, m.p2) if p) for m in rows}


def scores_met(round_: Round) -> int:
    """Return the squared gaps in points between the players of the round's tables."""
    before = {line.player.pk: line.row.points for line in standings(round_.stage.event, after_round=1)}
    rows = Match.objects.filter(round=round_, p2__isnull=False)
    return sum((before[m.p1_id] - before[m.p2_id]) ** 2 for m in rows)


@pytest.fixture
def event() -> Event:
    """Eight players; round 1 is played, round 2 is published and no one has finished."""
    running_event = started_event(8, swiss_rounds=3)
    play_round(running_event)
    publish_next(running_event)
    return running_event


@built_once
def finished_bracket() -> Event:
    """Return an event of four players whose bracket has a champion."""
    event = started_event(4, plan=[{"kind": "single"}])
    for number, index in ((1, 0), (1, 1), (2, 0)):
        win(match_of(event, number, index))
    return Event.objects.get(pk=event.pk)


def test_a_correction_after_the_next_round_is_out_asks_what_becomes_of_it(event: Event) -> None:
    with pytest.raises(Refused) as excinfo:
        win(match_of(event, 1), "p2")
    assert (excinfo.value.code, excinfo.value.field) == ("way_needed", "way")
    assert match_of(event, 1).outcome == "p1"


def test_a_correction_that_changes_no_points_asks_nothing(event: Event) -> None:
    before = pairs(Round.objects.get(number=2))
    win(match_of(event, 1), "p1", (2, 1))
    assert match_of(event, 1).score == "2-1"
    assert pairs(Round.objects.get(number=2)) == before


def test_a_result_given_late_asks_too_and_amends_the_round_that_was_paired_without_it(event: Event) -> None:
    late, second = match_of(event, 1), Round.objects.get(number=2)
    Match.objects.filter(pk=late.pk).update(outcome="", p1_games=0, result_by="", result_at=None)
    with pytest.raises(Refused) as excinfo:
        win(match_of(event, 1), "p2")
    assert excinfo.value.sentence == (f"Round 2 was paired without a result of {late.p1} vs. {late.p2}.")
    preview = rehearsal.preview_correction(match_of(event, 1), organizer(), p1_games=0, p2_games=2)
    assert (preview.before.sentence, preview.needs_a_way) == ("no result", True)
    win(match_of(event, 1), "p2", way="swap", reason="the slip lay under the table")
    second.refresh_from_db()
    assert (second.amended_at is not None, scores_met(second)) == (True, 0)


def test_leaving_the_pairings_changes_the_standings_alone(event: Event) -> None:
    before = pairs(Round.objects.get(number=2))
    win(match_of(event, 1), "p2", way="leave", reason="slip read upside down")
    after = Round.objects.get(number=2)
    assert (pairs(after), after.amended_at) == (before, None)
    points = {line.player.pk: line.row.points for line in standings(event, after_round=1)}
    assert (points[match_of(event, 1).p1_id], points[match_of(event, 1).p2_id]) == (0, 3)


def test_the_smallest_swap_brings_equals_together_and_touches_two_tables(event: Event) -> None:
    second = Round.objects.get(number=2)
    before = pairs(second)
    win(match_of(event, 1), "p2", way="swap", reason="slip")
    second.refresh_from_db()
    after = pairs(second)
    assert scores_met(second) == 0
    assert sorted(before) == sorted(after)
    assert sum(before[table] != after[table] for table in before) == 2
    assert second.amended_at is not None
    amended = Match.objects.filter(round=second, amended_at__isnull=False)
    assert {m.table for m in amended} == {t for t in before if before[t] != after[t]}


def test_pairing_again_pairs_equals_too(event: Event) -> None:
    second = Round.objects.get(number=2)
    win(match_of(event, 1), "p2", way="all", reason="slip")
    assert scores_met(second) == 0
    assert Match.objects.filter(round=second).count() == 4


def test_what_the_preview_names_is_what_then_happens(event: Event) -> None:
    match, second = match_of(event, 1), Round.objects.get(number=2)
    state_before = state_of(event)
    preview = rehearsal.preview_correction(match, organizer(), p1_games=0, p2_games=2)
    assert state_of(event) == state_before
    assert (preview.before.sentence, preview.after.sentence, preview.needs_a_way) == ("2-0", "0-2", True)
    assert {move.player.pk for move in preview.standings_changes} >= {match.p1_id, match.p2_id}
    proposal = preview.repairs.swap
    assert len(proposal.changes) == 2
    assert [doubt.code for doubt in preview.doubts] == ["float", "float"]
    assert [sorted(doubt.params) for doubt in preview.doubts] == [["first", "p1", "p2", "second"]] * 2
    win(match, "p2", way="swap", seen_plan=proposal.mark, reason="slip")
    for change in proposal.changes:
        assert " vs. ".join(sorted(change.after.split(" vs. "))) == " vs. ".join(
            sorted(pairs(second)[change.table])
        )


def test_a_result_that_came_in_meanwhile_asks_to_look_again(event: Event) -> None:
    match = match_of(event, 1)
    preview = rehearsal.preview_correction(match, organizer(), p1_games=0, p2_games=2)
    removed_match = preview.repairs.swap.removed_matches[0]
    win(Match.objects.select_related("round__stage__event").get(pk=removed_match.pk))
    with pytest.raises(Conflict) as excinfo:
        win(match, "p2", way="swap", seen_plan=preview.repairs.swap.mark, reason="slip")
    assert excinfo.value.code == "plan_changed_meanwhile"
    assert match_of(event, 1).outcome == "p1"


@pytest.mark.parametrize("way", ["swap", "all"])
def test_finished_tables_are_never_touched(event: Event, way: str) -> None:
    second = Round.objects.get(number=2)
    matches = open_matches(second)[:3]
    for match in matches:
        win(match)
    rows_before = list(Match.objects.filter(pk__in=[m.pk for m in matches]).order_by("pk").values())
    win(match_of(event, 1), "p2", way=way, reason="slip")
    assert list(Match.objects.filter(pk__in=[m.pk for m in matches]).order_by("pk").values()) == rows_before
    assert Match.objects.filter(round=second).count() == 4


def test_finished_matches_are_never_touched_silently() -> None:
    event = finished_bracket()
    final = Match.objects.select_related("p1", "p2").get(round__number=2)
    row_before = Match.objects.filter(pk=final.pk).values().get()
    for way in ("", "leave", "swap", "all", "cut"):
        with pytest.raises(Refused):
            win(match_of(event, 1), "p2", way=way, reason="slip")
        assert Match.objects.filter(pk=final.pk).values().get() == row_before
    win(match_of(event, 1), "p2", way="fall", reason="slip")
    log_words = words_of(event.log.get(action="bracket_match_fell"))
    assert log_words == f"{final.p1} vs. {final.p2} (2-0) no longer counts: an earlier result changed."


def test_a_correction_two_rounds_back_changes_the_running_round_alone(event: Event) -> None:
    finish_round(Round.objects.get(number=2))
    third = publish_next(event)
    second = pairs(Round.objects.get(number=2))
    preview = rehearsal.preview_correction(match_of(event, 1), organizer(), p1_games=0, p2_games=2)
    assert preview.repairs.round.pk == third.pk
    win(match_of(event, 1), "p2", way="swap", reason="found on the slip")
    assert pairs(Round.objects.get(number=2)) == second
    met_pairs = [
        frozenset((m.p1_id, m.p2_id)) for m in Match.objects.filter(round__stage__event=event) if m.p2_id
    ]
    assert len(met_pairs) == len(set(met_pairs))


def test_a_draft_is_simply_paired_again(event: Event) -> None:
    finish_round(Round.objects.get(number=2))
    draft = rounds.pair_next_round(event, organizer())
    preview = rehearsal.preview_correction(match_of(event, 2), organizer(), p1_games=0, p2_games=2)
    assert (preview.draft, preview.lost_changes) == (3, 0)
    win(match_of(event, 2), "p2")
    again = Round.objects.get(number=3)
    assert (again.state, again.pairing["attempt"]) == ("draft", 2)
    assert again.pk != draft.pk
    assert event.log.filter(action="draft_paired_again").count() == 1


def test_a_correction_says_which_manual_changes_of_a_draft_it_loses(event: Event) -> None:
    finish_round(Round.objects.get(number=2))
    draft = rounds.pair_next_round(event, organizer())
    first, second = draft.matches.exclude(p2=None).order_by("table")[:2]
    drafts.swap_players(draft, organizer(), first.p1.number, second.p1.number)
    preview = rehearsal.preview_correction(match_of(event, 2), organizer(), p1_games=0, p2_games=2)
    assert (preview.draft, preview.lost_changes) == (3, 1)
    assert Round.objects.get(number=3).pk == draft.pk


def test_taking_a_result_back_throws_the_draft_away() -> None:
    event = started_event(4, swiss_rounds=2)
    play_round(event)
    rounds.pair_next_round(event, organizer())
    results.clear_result(match_of(event, 1), organizer())
    assert list(Round.objects.values_list("number", "state")) == [(1, "published")]


def test_a_result_under_a_published_round_can_only_be_corrected(event: Event) -> None:
    with pytest.raises(Conflict) as excinfo:
        results.clear_result(match_of(event, 1), organizer())
    assert excinfo.value.code == "later_round_out"


def test_the_bye_changes_hands_when_its_holder_had_won_after_all() -> None:
    event = started_event(7, swiss_rounds=3)
    play_round(event)
    second = publish_next(event)
    bye_player = Match.objects.get(round=second, p2__isnull=True).p1
    lost_match = Match.objects.select_related("round__stage__event", "p1", "p2").get(
        round__number=1, p2=bye_player, round__stage__event=event
    )
    win(lost_match, "p2", way="swap", reason="slip")
    byes = Match.objects.filter(round=second, p2__isnull=True)
    assert [(m.outcome, m.p1_id == bye_player.pk, m.amended_at is not None) for m in byes] == [
        ("bye", False, True)
    ]
    assert byes.get().p1_id == lost_match.p1_id
    assert sorted(t for t in pairs(second) if t) == [1, 2, 3]


def test_who_has_dropped_since_is_not_paired_again(event: Event) -> None:
    second = Round.objects.get(number=2)
    leaver = open_matches(second)[0].p1
    drops.drop(leaver, organizer())
    win(match_of(event, 1), "p2", way="all", reason="slip")
    assert leaver.name not in set().union(*pairs(second).values())
    assert Match.objects.filter(round=second, outcome="bye").count() == 1


WITHOUT_TABLES = pytest.mark.whole("the other ways change the same result, and tables")


@each_case("way", [pytest.param("leave", marks=WITHOUT_TABLES), "swap", "all"], around=rolled_back)
def test_a_correction_with_all_its_tables_is_undone_as_one_step(event: Event, way: str) -> None:
    before = state_of(event)
    win(match_of(event, 1), "p2", way=way, reason="slip")
    after = state_of(event)
    entry = event.log.filter(action="result_entered").first()
    back = undo_step(entry, organizer())
    assert state_of(event) == before
    undo_step(back, organizer())
    assert state_of(event) == after


def test_amended_tables_keep_the_fixed_seat_of_a_player() -> None:
    event = started_event(8, swiss_rounds=3)
    play_round(event)
    second = publish_next(event)
    preview = rehearsal.preview_correction(match_of(event, 1), organizer(), p1_games=0, p2_games=2)
    swap = preview.repairs.swap
    added_table = swap.added_tables[-1]
    last_table = max(each.table for each in swap.added_tables)
    event.players.filter(pk=added_table.p1).update(fixed_table=last_table)
    win(match_of(event, 1), "p2", way="swap", reason="slip")
    assert Match.objects.get(round=second, seats__player_id=added_table.p1).table == last_table


def test_an_amended_table_goes_to_a_fixed_seat_that_was_free() -> None:
    event = started_event(8, swiss_rounds=3, first_table=21, reserved_tables=[23])
    play_round(event)
    second = publish_next(event)
    pairs_before = pairs(second)
    preview = rehearsal.preview_correction(match_of(event, 1), organizer(), p1_games=0, p2_games=2)
    one, two = preview.repairs.swap.added_tables
    event.players.filter(pk=one.p1).update(fixed_table=23)
    event.players.filter(pk=two.p2).update(fixed_table=40)
    win(match_of(event, 1), "p2", way="swap", reason="slip")
    seats = dict(Match.objects.filter(round=second).values_list("p1_id", "table"))
    assert (seats[one.p1], seats[two.p1]) == (23, 40)
    removed_tables = {match.table for match in preview.repairs.swap.removed_matches}
    assert {n: pair for n, pair in pairs(second).items() if n not in (23, 40)} == {
        n: pair for n, pair in pairs_before.items() if n not in removed_tables
    }


def test_an_amended_table_stays_clear_of_another_event_in_the_hall(event: Event) -> None:
    Event.objects.filter(pk=event.pk).update(hall="Great hall")
    other = started_event(
        2, swiss_rounds=1, slug="other", hall="Great hall", starts_at=event.starts_at, first_table=5
    )
    publish_next(other)
    preview = rehearsal.preview_correction(match_of(event, 1), organizer(), p1_games=0, p2_games=2)
    event.players.filter(pk=preview.repairs.swap.added_tables[0].p1).update(fixed_table=5)
    freed = sorted(match.table for match in preview.repairs.swap.removed_matches)
    again = rehearsal.preview_correction(match_of(event, 1), organizer(), p1_games=0, p2_games=2)
    assert [each.table for each in again.repairs.swap.added_tables] == freed
    win(Match.objects.select_related("round__stage__event", "p1", "p2").get(round__stage__event=other))
    last = rehearsal.preview_correction(match_of(event, 1), organizer(), p1_games=0, p2_games=2)
    assert sorted(each.table for each in last.repairs.swap.added_tables) == [freed[0], 5]


def test_a_corrected_semi_final_says_first_what_falls() -> None:
    event = finished_bracket()
    semi = match_of(event, 1)
    preview = rehearsal.preview_correction(semi, organizer(), p1_games=0, p2_games=2)
    assert len(preview.falls) == 1
    with pytest.raises(Refused) as excinfo:
        win(semi, "p2")
    assert excinfo.value.code == "way_needed"
    event.refresh_from_db()
    assert event.phase == "finished"


def test_a_corrected_bracket_names_and_marks_the_tables_that_others_play() -> None:
    event = started_event(4, plan=[{"kind": "double"}])
    opening, other, upper = win(match_of(event, 1)), win(match_of(event, 1, 1)), win(match_of(event, 2))
    preview = rehearsal.preview_correction(match_of(event, 1), organizer(), p1_games=0, p2_games=2)
    assert [each.sentence for each in preview.falls] == [f"{upper.p1} vs. {upper.p2}, 2-0"]
    assert [each.sentence for each in preview.tables] == [
        f"{opening.p1} vs. {other.p2} instead of {opening.p2} vs. {other.p2}"
    ]
    win(match_of(event, 1), "p2", way="fall", reason="slip")
    assert Round.objects.get(number=2).amended_at is not None
    assert Match.objects.filter(round__number=2, amended_at=None).count() == 0


def test_the_proposals_are_the_engines_best(event: Event) -> None:
    second = Round.objects.get(number=2)
    win(match_of(event, 1), "p2", way="leave", reason="slip")
    plan = writing.plan_repairs(Round.objects.select_related("stage__event").get(pk=second.pk))
    points = {line.player.pk: line.row.points for line in standings(event, after_round=1)}
    met_pairs = [(m.p1_id, m.p2_id) for m in Match.objects.filter(round__number=1)]
    best = pair_round([Entrant(pk, score) for pk, score in points.items()], met_pairs, seed=1, rounds_left=1)
    assert plan.swap.floats == plan.new_pairing.floats == str(best.cost.floats)


def test_the_smallest_change_says_whether_fewer_tables_would_do(
    event: Event,
) -> None:
    second = Round.objects.get(number=2)
    win(match_of(event, 1), "p2", way="leave", reason="slip")
    round_ = Round.objects.select_related("stage__event").get(pk=second.pk)
    plan = writing.plan_repairs(round_)
    assert (plan.swap.is_fewest, plan.new_pairing.proof) == (True, None)
    assert plan.swap.proof
    unproved = replace(plan.swap, is_fewest=False)
    assert unproved.proof.sentence.startswith(
        "With more than 1 000 players at open tables, another best pairing may"
    )
