"""Players on the waiting list at the start can be added while rounds run."""

from __future__ import annotations

import pytest
from django.test import Client

from decks.shared.refusals import Refused
from tests.scenarios.factories import (
    add_players,
    built_once,
    make_event,
    open_matches,
    organizer,
    play_round,
    publish_next,
    sign_in_organizer,
    win,
)
from tests.scenarios.log_words import words_of
from tournament.access.permissions import Actor
from tournament.events.models.event import Event
from tournament.events.models.player import Player
from tournament.events.models.round import Match, Round
from tournament.judging.services.penalties import give_penalty
from tournament.log.models import LogEntry
from tournament.log.services import undo_step
from tournament.registration import services as registration
from tournament.setup.services import events

pytestmark = pytest.mark.django_db


@pytest.fixture
@built_once
def event() -> Event:
    """Three play, Dave waits, round 1 is out; someone has the bye."""
    event = make_event(capacity=3, swiss_rounds=3)
    for name in ("Ann", "Bob", "Cid", "Dave"):
        registration.add_player(event, organizer(), name=name)
    events.start_event(event, organizer())
    publish_next(event)
    return Event.objects.get(pk=event.pk)


def dave(event: Event) -> Player:
    return event.players.select_related("event").get(name="Dave")


def room_for(event: Event, places: int) -> None:
    events.update_event(event, organizer(), {"capacity": places})


def test_who_waited_comes_in_late_and_meets_the_player_with_the_bye(event: Event) -> None:
    room_for(event, 4)
    registration.admit_player(dave(event), organizer())
    player = dave(event)
    assert (player.status, player.waiting_since, player.entered_round) == ("registered", None, 1)
    match = Match.objects.get(round__stage__event=event, p2=player)
    assert match.outcome == ""
    newest = LogEntry.objects.filter(event=event, head=None).latest("pk")
    assert words_of(newest) == f"{organizer().label} added Dave from the waiting list."


def test_missed_rounds_are_losses_or_byes_as_the_organizer_says(event: Event) -> None:
    room_for(event, 5)
    for match in open_matches(Round.objects.get(stage__event=event)):
        win(match)
    play_round(event)
    registration.admit_player(dave(event), organizer(), missed_handling="bye")
    missed_matches = Match.objects.filter(round__stage__event=event, p1=dave(event)).order_by("round__number")
    assert [match.outcome for match in missed_matches] == ["bye", "bye"]


def test_no_player_is_added_past_the_last_place(event: Event) -> None:
    with pytest.raises(Refused) as refusal:
        registration.admit_player(dave(event), organizer())
    assert refusal.value.code == "event_full"
    assert dave(event).status == "waiting"


def test_before_the_start_the_line_moves_by_itself() -> None:
    event = make_event(capacity=2)
    for name in ("Ann", "Bob", "Dave"):
        registration.add_player(event, organizer(), name=name)
    with pytest.raises(Refused) as refusal:
        registration.admit_player(dave(event), organizer())
    assert refusal.value.code == "not_started_yet"


def test_who_is_disqualified_is_not_let_in(event: Event) -> None:
    room_for(event, 5)
    give_penalty(dave(event), organizer(), infraction="other", degree="disqualification", note="seen")
    with pytest.raises(Refused) as refusal:
        registration.admit_player(dave(event), organizer())
    assert refusal.value.code == "disqualified"


def test_a_second_press_adds_no_player_twice_and_the_log_undoes_it(event: Event) -> None:
    room_for(event, 5)
    for _ in range(2):
        registration.admit_player(dave(event), organizer())
    entry = LogEntry.objects.filter(event=event, head=None).latest("pk")
    undo_step(entry, organizer())
    assert dave(event).status == "waiting"
    assert not dave(event).seats.exists()


def test_the_button_stands_beside_who_waits_while_rounds_run(event: Event) -> None:
    room_for(event, 5)
    client = sign_in_organizer()
    address = f"/console/{event.slug}/players/"
    assert "Add late player Dave" in client.get(address).content.decode()
    page = client.post(f"{address}4/let-in/", {"missed": "bye"}, follow=True).content.decode()
    assert "at table 2 now." in page
    assert "Add late player Dave" not in page


def test_taking_a_drop_back_that_there_is_not_says_how_the_player_stands(event: Event) -> None:
    client = sign_in_organizer()
    page = client.post(f"/console/{event.slug}/players/4/undo-drop/", follow=True).content.decode()
    assert "Dave is on the waiting list" in page
    assert "Dave is back." not in page


def test_another_program_adds_the_late_player(event: Event) -> None:
    room_for(event, 5)
    client = sign_in_organizer()
    answer = client.post(f"/api/events/{event.slug}/players/4/let-in/", {}, content_type="application/json")
    assert (answer.status_code, answer.json()["status"]) == (200, "registered")


@pytest.fixture
@built_once
def without_dave() -> Event:
    """Return an event of four players with round 1 being played.

    Dave was missing and dropped, and someone rests.
    """
    running_event = started_without_dave(swiss_rounds=3)
    publish_next(running_event)
    return running_event


@built_once
def started_without_dave(**values: object) -> Event:
    """Start an event without Dave, who was missing and dropped.

    No round is paired yet.
    """
    event = make_event(**values)
    people = add_players(event, 4)
    events.open_check_in(event, organizer())
    for player in people[:3]:
        registration.check_in(player, organizer())
    events.start_event(event, organizer(), drop_missing=True)
    return event


def test_who_was_dropped_as_missing_and_comes_late_plays_who_has_the_bye(without_dave: Event) -> None:
    alone = Match.objects.get(p2=None)
    registration.admit_player(dave(without_dave), organizer())
    alone.refresh_from_db()
    assert (alone.p2, alone.outcome) == (dave(without_dave), "")
    assert (dave(without_dave).dropped_after, dave(without_dave).entered_round) == (None, 1)
    log_words = words_of(without_dave.log.filter(action="player_let_in").get())
    assert log_words == f"{organizer().label} added Dave late."


def test_no_show_has_a_loss_for_each_missed_round(without_dave: Event) -> None:
    for match in open_matches(without_dave.stages.get().rounds.get()):
        win(match)
    publish_next(without_dave)
    for match in open_matches(without_dave.stages.get().rounds.get(number=2)):
        win(match)
    registration.admit_player(dave(without_dave), organizer())
    seats = Match.objects.filter(seats__player=dave(without_dave)).order_by("round__number")
    assert list(seats.values_list("round__number", "outcome")) == [
        (1, "loss_no_opponent"),
        (2, "loss_no_opponent"),
    ]


def test_the_page_of_players_lets_in_who_comes_late(without_dave: Event, client: Client) -> None:
    sign_in_organizer(client)
    address = f"/console/{without_dave.slug}/players/"
    page = client.get(address).content.decode()
    assert "Add late player Dave with losses for missed rounds" in page
    assert "Undo drop" not in page
    client.post(f"{address}4/let-in/", {"missed": "bye"})
    assert dave(without_dave).is_in


def said_after(client: Client, address: str, form_values: dict[str, str]) -> str:
    (message,) = client.post(address, form_values, follow=True).context["messages"]
    return str(message)


def test_the_desk_is_told_where_who_comes_late_plays(without_dave: Event, client: Client) -> None:
    sign_in_organizer(client)
    address = f"/console/{without_dave.slug}/players/"
    alone = Match.objects.get(p2=None)
    alone.p1.name = "{Ann}"
    alone.p1.save()
    assert said_after(client, f"{address}4/let-in/", {"missed": "loss"}) == "Dave plays {Ann} at table 2 now."
    assert said_after(client, address, {"line": "Zoe", "missed": "loss"}) == (
        "Zoe is number 5 and plays from round 2 on. Earlier rounds count as losses."
    )
    page = client.get(f"/console/{without_dave.slug}/rounds/1/1/").content.decode()
    assert ("Missed round: loss" in page, ">Bye<" in page) == (True, False)


def test_no_show_is_sent_to_the_desk_by_their_page(without_dave: Event, client: Client) -> None:
    home = f"/p/{dave(without_dave).token}/"
    page = " ".join(client.get(home).content.decode().split())
    assert ("Go to the desk" in page, "Undo drop" in page) == (True, False)
    assert said_after(client, f"{home}drop/", {"undo": "1"}) == (
        "Round 1 was paired without Dave. Staff decide whether missed rounds are losses or byes. "
        "Use “Add late player” beside the name on the check-in page."
    )
    assert dave(without_dave).dropped_after == 0


def test_the_drop_of_who_was_missing_is_not_taken_back_past_the_rule_of_late_entry(
    without_dave: Event, client: Client
) -> None:
    for actor in (organizer(), Actor.of_player(dave(without_dave))):
        with pytest.raises(Refused) as excinfo:
            registration.undo_drop(dave(without_dave), actor)
        assert excinfo.value.code == "let_in_instead"
    address = f"/api/me/{dave(without_dave).token}/undo-drop/"
    answer = client.post(address, {}, content_type="application/json")
    assert (answer.status_code, answer.json()["problems"][0]["code"]) == (400, "let_in_instead")
    assert Match.objects.get(p2=None).outcome == "bye"


def test_before_round_one_is_published_a_no_show_returns_without_staff(client: Client) -> None:
    running_event = started_without_dave(swiss_rounds=3)
    home = f"/p/{dave(running_event).token}/"
    assert "Undo drop" in client.get(home).content.decode()
    client.post(f"{home}drop/", {"undo": "1"})
    assert dave(running_event).is_in


def test_player_who_played_a_round_and_dropped_returns_without_staff(without_dave: Event) -> None:
    ann = Match.objects.filter(p2__isnull=False).select_related("p1__event").get().p1
    registration.drop(ann, organizer())
    registration.undo_drop(ann, Actor.of_player(ann))
    ann.refresh_from_db()
    assert ann.is_in


def test_player_in_a_schedule_of_groups_undoes_a_drop_before_round_one() -> None:
    running_event = started_without_dave(plan=[{"kind": "robin", "groups": 1}])
    ann = running_event.players.select_related("event").get(number=1)
    registration.drop(ann, organizer())
    publish_next(running_event)
    registration.undo_drop(ann, Actor.of_player(ann))
    ann.refresh_from_db()
    assert ann.is_in


def test_who_was_missing_hears_that_a_schedule_of_groups_is_made(client: Client) -> None:
    running_event = started_without_dave(plan=[{"kind": "robin", "groups": 1}])
    with pytest.raises(Refused) as excinfo:
        registration.undo_drop(dave(running_event), organizer())
    assert excinfo.value.code == "schedule_made"
    assert "Undo drop" not in client.get(f"/p/{dave(running_event).token}/").content.decode()
