"""Pages opened a while ago and pressed now: nothing unseen happens, nothing is said that is not so."""

from __future__ import annotations

import re

import pytest
from django.test import Client

from tests.tournament.factories import (
    make_event,
    make_user,
    open_matches,
    organizer,
    play_round,
    started_event,
)
from tests.tournament.test_clock import published
from tournament.models import Event, LogEntry, Match, Round
from tournament.selectors.standings import standings
from tournament.services import cuts, results, rounds, staff

pytestmark = pytest.mark.django_db


@pytest.fixture
def desk(client: Client) -> Client:
    """The organizer's browser."""
    client.force_login(organizer().user)
    return client


def said(page: str) -> list[str]:
    return [re.sub(r"<[^>]+>", "", found).strip() for found in re.findall(r'class="toast[^>]*>(.*?)</', page)]


def test_a_draft_that_somebody_paired_again_meanwhile_is_not_published_unseen(desk: Client) -> None:
    event = started_event(6)
    draft = rounds.pair_next_round(event, organizer())
    address = f"/console/{event.slug}/rounds/1/1/"
    (seen,) = re.findall(r'name="seen" value="(\w+)"', desk.get(address).content.decode())
    again = rounds.pair_again(draft, organizer())
    page = desk.post(f"{address}publish/", {"seen": seen}, follow=True).content.decode()
    assert "This draft was changed since you looked at it." in page
    assert Round.objects.get(pk=again.pk).state == "draft"
    (seen,) = re.findall(r'name="seen" value="(\w+)"', page)
    desk.post(f"{address}publish/", {"seen": seen})
    assert Round.objects.get(pk=again.pk).state == "published"
    page = desk.post(f"{address}publish/", {"seen": seen}, follow=True).content.decode()
    assert "Round 1 is published." in page


def test_a_cut_into_which_others_would_come_meanwhile_is_not_made_unseen(desk: Client) -> None:
    event = started_event(6, swiss_rounds=1, cut="top", cut_size=2)
    play_round(event)
    address = f"/console/{event.slug}/cut/"
    (seen,) = re.findall(r'name="seen" value="(\w+)"', desk.get(address).content.decode())
    cuts.decline_cut(standings(event)[0].player, organizer())
    page = desk.post(address, {"seen": seen}, follow=True).content.decode()
    assert "Somebody else would come into the cut now, or in another order." in page
    assert not event.stages.filter(kind="single").exists()
    (seen,) = re.findall(r'name="seen" value="(\w+)"', page)
    for _ in range(2):
        assert "The cut is made." in desk.post(address, {"seen": seen}, follow=True).content.decode()
    assert event.stages.filter(kind="single").count() == 1


def test_who_presses_join_twice_is_on_the_staff_once_and_told_so() -> None:
    event = make_event()
    link = staff.invite(event, organizer(), kind="judge")
    client = Client()
    client.force_login(make_user("jo@example.org"))
    for press in (client.post, client.post, client.get):
        answer = press(f"/join/{link.token}/")
        assert (answer.status_code, answer["Location"]) == (302, f"/console/{event.slug}/")
    assert event.staff.filter(user__username="jo@example.org").count() == 1


def test_a_slip_typed_on_the_page_of_an_older_round_says_which_round_it_is(desk: Client) -> None:
    event = started_event(4)
    first = play_round(event)
    rounds.publish(rounds.pair_next_round(event, organizer()), organizer())
    address = f"/console/{event.slug}/rounds/1/{first.number}/result/"
    page = desk.post(address, {"line": "1 2 0"}, follow=True).content.decode()
    assert "This is round 1; round 2 is being played." in page
    assert Match.objects.filter(round__number=2).exclude(outcome="").count() == 0


def test_the_same_report_pressed_twice_is_one_line_of_the_log() -> None:
    match = open_matches(published())[0]
    for _ in range(2):
        results.report_result(match, match.p1, p1_games=2)
    reported = LogEntry.objects.filter(event=match.round.stage.event, action="result_reported")
    assert reported.count() == 1
    results.report_result(match, match.p1, p1_games=2, p2_games=1)
    assert reported.count() == 2


def test_a_phone_that_slept_does_not_give_up_a_match_it_has_not_shown() -> None:
    event = started_event(4)
    first = rounds.publish(rounds.pair_next_round(event, organizer()), organizer())
    player, client = open_matches(first)[0].p1, Client()
    page = client.get(f"/p/{player.token}/").content.decode()
    (shown,) = re.findall(r'/drop/">.{,200}name="match" value="(\d+)"', page)
    for match in open_matches(first):
        results.enter_result(match, organizer(), p1_games=2)
    second = rounds.publish(rounds.pair_next_round(event, organizer()), organizer())
    answer = client.post(f"/p/{player.token}/drop/", {"match": shown, "now": "1"}, follow=True)
    assert "You have another match meanwhile." in answer.content.decode()
    player.refresh_from_db()
    assert (player.dropped_after, len(open_matches(second))) == (None, 2)
    shown = second.matches.get(seats__player=player).pk
    client.post(f"/p/{player.token}/drop/", {"match": shown, "now": "1"})
    assert Event.objects.get(pk=event.pk).players.get(pk=player.pk).is_dropped
