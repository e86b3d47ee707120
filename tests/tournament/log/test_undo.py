"""Steps are undone from the log and redone; the earlier state returns exactly."""

from __future__ import annotations

import pytest

from decks.shared.refusals import Conflict, Refused
from tests.scenarios.event_rows import state_of
from tests.scenarios.factories import (
    add_players,
    make_event,
    make_user,
    open_matches,
    organizer,
    play_round,
    publish_next,
    started_event,
    win,
)
from tests.scenarios.log_words import words_of
from tests.tournament.brackets.test_cuts import event_after_swiss, open_match
from tournament.access.permissions import Actor
from tournament.brackets.services import cut as cuts
from tournament.decklists.services import lists as decklists
from tournament.events.models.event import Event, StaffRole
from tournament.events.models.player import Player
from tournament.events.models.round import Match, Round
from tournament.log.models import LogEntry
from tournament.log.services import roll_back_event, undo_step
from tournament.log.step import step
from tournament.log.undo_plan import iter_steps_in_effect, plan_restore, plan_undo
from tournament.pairing.services import rounds
from tournament.registration import services as registration
from tournament.results.services import results
from tournament.setup.services import events
from tournament.standings.selectors.standings import standings

pytestmark = pytest.mark.django_db


def last(event: Event) -> LogEntry:
    """Return the newest step of the log."""
    return LogEntry.objects.filter(event=event, head=None).latest("pk")


def steps(event: Event) -> list[str]:
    """Return what is in effect, oldest first."""
    return [entry.action for entry in iter_steps_in_effect(event, 0)]


def test_undone_result_leaves_the_table_playing_and_the_round_open() -> None:
    event = started_event(4)
    round_ = publish_next(event)
    first, second = open_matches(round_)
    win(first)
    before = state_of(event)
    win(second)
    undo_step(last(event), organizer())
    assert state_of(event) == before
    assert Round.objects.get().state == "published"
    assert Match.objects.get(pk=second.pk).outcome == ""


def test_undoing_is_a_step_of_the_log_with_its_reason_and_raises_the_version() -> None:
    event = started_event(4)
    version = Event.objects.get(pk=event.pk).version
    target = last(event)
    entry = undo_step(target, organizer(), reason="pressed too early")
    assert (entry.action, words_of(entry), entry.reason) == (
        "undone",
        f"olga@example.org undid: “{words_of(target)}”",
        "pressed too early",
    )
    target.refresh_from_db()
    assert (target.undone_by, entry.takes_back) == (entry, [target.pk])
    assert Event.objects.get(pk=event.pk).version == version + 1


def test_undone_start_unlocks_the_lists_and_opens_registration_again() -> None:
    event = make_event()
    add_players(event, 3)
    before = state_of(event)
    events.start_event(event, organizer())
    undo_step(last(event), organizer())
    assert state_of(event) == before
    assert event.players.filter(deck_list__locked_at__isnull=False).count() == 0


@pytest.mark.both_databases
def test_undo_of_an_undo_is_the_step_again_to_the_microsecond() -> None:
    event = started_event(6)
    play_round(event)
    target = iter_steps_in_effect(event, 0).__next__()
    after = state_of(event)
    undo_entry = undo_step(target, organizer())
    again = undo_step(undo_entry, organizer())
    assert state_of(event) == after
    assert (again.action, LogEntry.objects.get(pk=target.pk).undone_by) == ("redone", None)
    undo_step(again, organizer())
    assert LogEntry.objects.get(pk=target.pk).undone_by_id == undo_entry.pk


def test_undo_of_an_old_step_names_the_later_ones_that_rest_on_it_and_no_others() -> None:
    event = make_event()
    _alice, bob, _carol = add_players(event, 3, one_by_one=True)
    registration.change_details(bob, organizer(), name="Bobby", email="", character="Ken")
    rename_entry = last(event)
    added_entries = LogEntry.objects.filter(event=event, action="player_added").order_by("pk")
    assert [e.pk for e in plan_undo(event, added_entries[0]).entries] == [added_entries[0].pk]
    assert [e.pk for e in plan_undo(event, added_entries[1]).entries] == [
        rename_entry.pk,
        added_entries[1].pk,
    ]
    undo_step(added_entries[1], organizer())
    assert list(event.players.values_list("name", flat=True)) == ["Alice", "Carol"]


def test_two_fields_of_one_player_are_undone_apart() -> None:
    event = make_event()
    alice, _bob = add_players(event, 2)
    events.open_check_in(event, organizer())
    registration.check_in(Player.objects.get(pk=alice.pk), organizer())
    checked_in = last(event)
    registration.change_details(alice, organizer(), name="Alicia", email="", character="Ken")
    undo_step(checked_in, organizer())
    alice.refresh_from_db()
    assert (alice.name, alice.checked_in_at) == ("Alicia", None)


def test_result_of_a_round_before_the_last_takes_the_pairing_with_it() -> None:
    event = started_event(4)
    play_round(event)
    result = last(event)
    play_round(event)
    plan = plan_undo(event, result)
    assert [e.action for e in plan.entries] == [
        "result_entered", "result_entered", "round_published", "round_paired", "result_entered",
    ]  # fmt: skip


def test_undo_refuses_when_other_steps_would_go_than_the_page_showed() -> None:
    event = started_event(4)
    round_ = publish_next(event)
    publish_entry = last(event)
    seen_mark = plan_undo(event, publish_entry).mark
    win(open_matches(round_)[0])
    with pytest.raises(Conflict) as excinfo:
        undo_step(publish_entry, organizer(), seen_mark=seen_mark)
    assert excinfo.value.code == "log_changed_meanwhile"
    assert Match.objects.exclude(outcome="").count() == 1


def test_second_press_of_undo_changes_nothing() -> None:
    event = started_event(4)
    target = last(event)
    undo_step(target, organizer())
    before = (state_of(event), LogEntry.objects.count())
    with pytest.raises(Refused) as excinfo:
        undo_step(target, organizer())
    assert excinfo.value.code == "already_taken_back"
    assert (state_of(event), LogEntry.objects.count()) == before


def test_creation_of_the_event_cannot_be_undone() -> None:
    event = make_event()
    with pytest.raises(Refused) as excinfo:
        undo_step(last(event), organizer())
    assert excinfo.value.code == "the_beginning_stays"


def test_what_was_changed_behind_the_logs_back_is_not_overwritten() -> None:
    event = make_event()
    alice, _bob = add_players(event, 2)
    registration.change_details(alice, organizer(), name="Alicia", email="", character="Ken")
    Player.objects.filter(pk=alice.pk).update(name="Alma")
    with pytest.raises(Conflict) as excinfo:
        undo_step(last(event), organizer())
    assert excinfo.value.code == "changed_since"
    assert Player.objects.get(pk=alice.pk).name == "Alma"


def test_email_taken_by_another_player_meanwhile_is_kept() -> None:
    event = make_event()
    first = registration.register(event, name="Ann", email="ann@example.org")
    registration.withdraw(first, organizer())
    withdrawn = last(event)
    registration.register(event, name="Anna", email="ann@example.org")
    with pytest.raises(Refused) as excinfo:
        undo_step(withdrawn, organizer())
    assert excinfo.value.code == "place_taken"
    assert Player.objects.get(pk=first.pk).status == "withdrawn"


def test_two_players_who_exchanged_their_tables_get_them_back() -> None:
    event = started_event(4)
    rounds.pair_next_round(event, organizer())
    one, two = Match.objects.filter(table__isnull=False)
    before = state_of(event)
    with step(event, organizer()) as recorder:
        recorder.update(one, table=99)
        recorder.update(two, table=1)
        recorder.update(one, table=2)
        recorder.log("tables_swapped", told="Tables 1 and 2 changed places.")
    undo_step(last(event), organizer())
    assert state_of(event) == before


def test_registration_taken_back_and_done_again_keeps_the_private_link() -> None:
    event = make_event()
    player = registration.register(event, name="Ann", email="ann@example.org")
    undo_entry = undo_step(last(event), organizer())
    assert not event.players.exists()
    undo_step(undo_entry, organizer())
    assert event.players.get().token == player.token


def test_undone_submission_lets_the_former_version_count_and_keeps_both() -> None:
    event = make_event()
    player = registration.register(event, name="Ann", email="ann@example.org")
    first = decklists.submit_list(player, Actor.of_player(player), "4 Kubi Ori\n")
    decklists.submit_list(player, Actor.of_player(player), "3 Kubi Ori\n")
    undo_step(last(event), organizer())
    player.deck_list.refresh_from_db()
    assert player.deck_list.current_id == first.pk
    assert player.deck_list.versions.count() == 2


def test_event_restored_to_before_round_two_and_brought_forward_again() -> None:
    event = started_event(8)
    play_round(event)
    before = state_of(event)
    table = [(line.player.pk, line.row.points) for line in standings(event)]
    play_round(event)
    registration.drop(event.players.select_related("event").first(), organizer())
    play_round(event)
    after = state_of(event)
    back = roll_back_event(event, organizer(), stage=1, number=2, reason="wrong hall")
    assert state_of(event) == before
    assert [(line.player.pk, line.row.points) for line in standings(event)] == table
    undo_step(back, organizer())
    assert state_of(event) == after


def test_restoring_keeps_the_people_who_joined_the_staff_meanwhile() -> None:
    event = started_event(4)
    play_round(event)
    with step(event, organizer()) as recorder:
        recorder.create(StaffRole(event=event, user=make_user("judge@example.org"), kind="judge"))
        recorder.log("staff_joined", role="judge")
    roll_back_event(event, organizer(), stage=1, number=1)
    assert Round.objects.count() == 0
    assert event.staff.filter(kind="judge").count() == 1


@pytest.mark.both_databases
def test_whole_bracket_is_undone_to_the_swiss_rounds() -> None:
    event = event_after_swiss("KRCSGVKR")
    before = state_of(event)
    cuts.make_cut(event, organizer())
    while (match := open_match(event)) is not None:
        win(match)
    event.refresh_from_db()
    after = state_of(event)
    assert event.phase == "finished"
    log_entry = LogEntry.objects.get(event=event, action="cut_made")
    undo_entry = undo_step(log_entry, organizer())
    assert state_of(event) == before
    undo_step(undo_entry, organizer())
    assert state_of(event) == after


def test_page_opened_before_an_undo_is_old_after_it() -> None:
    event = started_event(4)
    round_ = publish_next(event)
    match = win(open_matches(round_)[0])
    undo_step(last(event), organizer())
    with pytest.raises(Conflict):
        results.enter_result(match, organizer(), p1_games=0, p2_games=2, seen_revision=match.revision)


def test_restore_needs_a_round_that_there_was() -> None:
    with pytest.raises(Refused) as excinfo:
        plan_restore(started_event(4), 1, 3)
    assert excinfo.value.code == "no_such_round"


def test_restore_leaves_alone_what_was_once_redone_together_with_a_round_that_is_gone() -> None:
    event = make_event()
    add_players(event, 4, one_by_one=True)
    added_entry = LogEntry.objects.filter(event=event, action="player_added").latest("pk")
    events.start_event(event, organizer())
    rounds.pair_next_round(event, organizer())
    pair_entry = last(event)
    undo_step(undo_step(added_entry, organizer()), organizer())
    undo_step(LogEntry.objects.get(pk=pair_entry.pk), organizer())
    before = state_of(event)
    rounds.pair_next_round(event, organizer())
    roll_back_event(event, organizer(), stage=1, number=1)
    assert state_of(event) == before


def test_an_undo_of_a_redo_and_a_later_undo_taken_back_leaves_every_step_as_it_was() -> None:
    event = make_event()
    add_players(event, 1)
    added_entry = last(event)
    redo = undo_step(undo_step(added_entry, organizer()), organizer())
    undo_step(LogEntry.objects.get(pk=added_entry.pk), organizer())
    undone_by_step = dict(event.log.values_list("pk", "undone_by"))
    both = undo_step(LogEntry.objects.get(pk=redo.pk), organizer())
    assert len(both.takes_back) == 2
    undo_step(LogEntry.objects.get(pk=both.pk), organizer())
    assert {
        pk: by for pk, by in event.log.values_list("pk", "undone_by") if pk in undone_by_step
    } == undone_by_step
