"""Players who come while rounds run."""

from __future__ import annotations

from fractions import Fraction

import pytest

from decks.shared.refusals import Refused
from rules.reason import Reference, reason, reasons_to_json
from tests.scenarios.factories import (
    make_event,
    open_matches,
    organizer,
    play_round,
    publish_next,
    started_event,
    win,
)
from tests.scenarios.log_words import words_of
from tournament.brackets.services import cut as cuts
from tournament.events.models.event import Event
from tournament.events.models.player import Player
from tournament.events.models.round import Match, Round
from tournament.log.models import LogEntry
from tournament.log.services import undo_step
from tournament.pairing.services import rounds
from tournament.registration import services as registration
from tournament.setup.services import events
from tournament.standings.selectors.standings import standings

pytestmark = pytest.mark.django_db


def publish(event: Event) -> Round:
    return publish_next(event)


def points(event: Event) -> dict[str, int | Fraction]:
    event.refresh_from_db()
    return {line.player.name: line.row.points for line in standings(event)}


def late(event: Event, **values: str) -> Player:
    return registration.add_player(event, organizer(), name="Zoe", **values)


def test_late_player_meets_the_player_with_the_bye_at_once() -> None:
    event = started_event(5)
    running_round = publish(event)
    lonely = running_round.matches.get(p2=None).p1
    zoe = late(event)
    match = running_round.matches.get(p2=zoe)
    assert (match.p1_id, match.outcome, match.table, zoe.entered_round) == (lonely.pk, "", 3, 1)
    assert match.p1_games == 0
    assert running_round.seats.count() == 6
    assert points(event)[lonely.name] == 0
    win(match, "p2")
    assert points(event)["Zoe"] == 3


def test_late_player_is_added_although_the_waiting_list_is_not_empty() -> None:
    event = make_event(capacity=4, swiss_rounds=3)
    for name in ("Ann", "Bob", "Cid", "Dan", "Eve"):
        registration.add_player(event, organizer(), name=name)
    events.start_event(event, organizer())
    registration.drop(event.players.get(name="Bob"), organizer())
    zoe = late(event)
    assert (event.players.get(name="Eve").status, zoe.status) == ("waiting", "registered")
    assert rounds.pair_next_round(event, organizer()).seats.filter(player=zoe).count() == 1


def test_player_who_returns_after_a_late_player_took_the_place_is_told_that_all_are_taken() -> None:
    event = make_event(capacity=4, swiss_rounds=3)
    for name in ("Ann", "Bob", "Cid", "Dan"):
        registration.add_player(event, organizer(), name=name)
    events.start_event(event, organizer())
    bob = Player.objects.select_related("event").get(name="Bob")
    registration.drop(bob, organizer())
    late(event)
    with pytest.raises(Refused) as excinfo:
        registration.undo_drop(bob, organizer())
    assert (excinfo.value.code, excinfo.value.fix) == (
        "event_full",
        Refused("event_full").fix,
    )
    registration.drop(Player.objects.select_related("event").get(name="Ann"), organizer())
    registration.undo_drop(bob, organizer())
    bob.refresh_from_db()
    assert bob.is_in


def test_log_and_page_say_that_the_bye_became_a_match() -> None:
    event = started_event(5)
    running_round = publish(event)
    lonely = running_round.matches.get(p2=None).p1
    zoe = late(event)
    log_words = words_of(LogEntry.objects.get(action="bye_became_match"))
    assert log_words == f"{lonely.name} had the bye in round 1 and now plays Zoe at table 3."
    why = reason("late_player", player=Reference("player", zoe.pk), holder=Reference("player", lonely.pk))
    assert running_round.matches.get(p2=zoe).why == reasons_to_json([why])


def test_bye_of_a_finished_round_stays() -> None:
    event = started_event(5, swiss_rounds=3)
    round_ = play_round(event)
    zoe = late(event)
    assert round_.matches.get(outcome="bye").p2 is None
    assert zoe.entered_round == 2


def test_bye_given_before_the_event_stays() -> None:
    event = make_event(swiss_rounds=3)
    for name in ("Alice", "Bob", "Carol"):
        registration.add_player(event, organizer(), name=name)
    Player.objects.filter(name="Carol").update(first_byes=1)
    events.start_event(event, organizer())
    running_round = publish(event)
    zoe = late(event)
    assert running_round.matches.get(outcome="bye").p1.name == "Carol"
    assert (zoe.entered_round, running_round.matches.get(p1=zoe).outcome) == (2, "loss_no_opponent")


def test_bye_of_who_has_dropped_meanwhile_stays() -> None:
    event = started_event(5, swiss_rounds=3)
    running_round = publish(event)
    lonely = running_round.matches.get(p2=None).p1
    registration.drop(Player.objects.select_related("event").get(pk=lonely.pk), organizer())
    assert late(event).entered_round == 2


@pytest.mark.parametrize(
    ("missed_as", "outcome", "worth"), [("loss", "loss_no_opponent", 0), ("bye", "bye", 3)]
)
def test_each_missed_round_is_a_loss_or_a_bye_as_the_organizer_says(
    missed_as: str, outcome: str, worth: int
) -> None:
    event = started_event(4, swiss_rounds=4)
    play_round(event)
    play_round(event)
    zoe = late(event, missed_handling=missed_as)
    assert list(zoe.matches_as_p1.values_list("round__number", "outcome")) == [(1, outcome), (2, outcome)]
    assert zoe.entered_round == 3
    assert points(event)["Zoe"] == 2 * worth


def test_running_round_without_a_bye_counts_as_missed() -> None:
    event = started_event(4, swiss_rounds=3)
    running_round = publish(event)
    zoe = late(event, missed_handling="bye")
    assert running_round.matches.get(p1=zoe).outcome == "bye"
    assert [m.p2_id for m in open_matches(running_round)].count(None) == 0


def test_second_late_player_does_not_meet_the_first_ones_missed_bye() -> None:
    event = started_event(4, swiss_rounds=3)
    running_round = publish(event)
    late(event, missed_handling="bye")
    registration.add_player(event, organizer(), name="Yara", missed_handling="bye")
    assert sorted(running_round.matches.filter(outcome="bye").values_list("p1__name", flat=True)) == [
        "Yara",
        "Zoe",
    ]


def test_no_player_is_added_when_no_round_is_left() -> None:
    event = started_event(4, swiss_rounds=1)
    publish(event)
    with pytest.raises(Refused) as excinfo:
        late(event)
    assert excinfo.value.code == "no_round_left"
    assert event.players.count() == 4


def test_last_round_can_still_be_entered_over_its_bye() -> None:
    event = started_event(5, swiss_rounds=1)
    running_round = publish(event)
    zoe = late(event)
    assert running_round.matches.get(p2=zoe).outcome == ""


def test_no_player_is_added_after_the_cut_or_the_end() -> None:
    event = started_event(4, swiss_rounds=1, cut="top", cut_size=2)
    play_round(event)
    cuts.make_cut(event, organizer())
    with pytest.raises(Refused) as excinfo:
        late(event)
    assert (excinfo.value.code, excinfo.value.reason.params) == ("too_late_to_enter", {"phase": "cut"})
    Event.objects.filter(pk=event.pk).update(phase=Event.Phase.FINISHED)
    with pytest.raises(Refused) as excinfo:
        late(event)
    assert excinfo.value.reason.params == {"phase": "finished"}


def test_waiting_list_is_empty_while_rounds_run() -> None:
    event = started_event(4, swiss_rounds=3, capacity=4)
    with pytest.raises(Refused) as excinfo:
        late(event)
    assert excinfo.value.code == "event_full"


def test_place_of_a_dropped_player_can_be_taken_late() -> None:
    event = started_event(4, swiss_rounds=3, capacity=4)
    play_round(event)
    registration.drop(event.players.select_related("event").get(name="Alice"), organizer())
    assert late(event).status == "registered"


def test_late_entry_taken_back_gives_the_bye_back() -> None:
    event = started_event(5)
    running_round = publish(event)
    before = list(Match.objects.order_by("pk").values())
    late(event)
    undo_step(LogEntry.objects.filter(action="player_added").first(), organizer())
    after = list(Match.objects.order_by("pk").values())
    assert [{**row, "revision": 0} for row in after] == [{**row, "revision": 0} for row in before]
    assert running_round.seats.count() == 5


def test_unknown_answer_for_missed_rounds_is_refused() -> None:
    event = started_event(4, swiss_rounds=3)
    with pytest.raises(Refused) as excinfo:
        late(event, missed_handling="half")
    assert excinfo.value.code == "missed_wrong"
