"""Pages opened a while ago and pressed now.

Nothing unseen happens, and nothing is said that is not so.
"""

from __future__ import annotations

import re

import pytest
from django.test import Client

from rules.rendering import say
from tests.scenarios.factories import (
    make_event,
    make_user,
    open_matches,
    organizer,
    pair_differently,
    play_round,
    publish_next,
    sign_in_organizer,
    started_event,
)
from tests.scenarios.html import html_of
from tests.scenarios.sentences import CUT_IS_MADE
from tests.tournament.clock.test_clock import publish_round
from tournament.brackets.services import cut as cuts
from tournament.events.models.event import Event
from tournament.events.models.round import Match, Round
from tournament.log.models import LogEntry
from tournament.pairing.services import rounds
from tournament.results.services import results
from tournament.setup.services import events
from tournament.staff import services as staff
from tournament.standings.selectors.standings import standings
from tournament.standings.services import set_standings_system

pytestmark = pytest.mark.django_db


@pytest.fixture
def desk(client: Client) -> Client:
    """The organizer's browser."""
    return sign_in_organizer(client)


def list_toasts(page: str) -> list[str]:
    return [
        re.sub(r"<[^>]+>", "", found_word).strip()
        for found_word in re.findall(r'class="toast[^>]*>(.*?)</', page)
    ]


def test_a_draft_remade_by_other_staff_is_not_published_unseen(desk: Client) -> None:
    event = started_event(6)
    draft = rounds.pair_next_round(event, organizer())
    address = f"/console/{event.slug}/rounds/1/1/"
    (seen_mark,) = re.findall(r'name="seen" value="(\w+)"', html_of(desk.get(address)))
    again = pair_differently(draft)
    page = html_of(desk.post(f"{address}publish/", {"seen": seen_mark}, follow=True))
    assert say("refusal", "draft_changed_meanwhile") in page
    assert Round.objects.get(pk=again.pk).state == "draft"
    (seen_mark,) = re.findall(r'name="seen" value="(\w+)"', page)
    desk.post(f"{address}publish/", {"seen": seen_mark})
    assert Round.objects.get(pk=again.pk).state == "published"
    page = html_of(desk.post(f"{address}publish/", {"seen": seen_mark}, follow=True))
    assert "Round 1 is published." in page


def test_a_cut_into_which_others_would_come_meanwhile_is_not_made_unseen(desk: Client) -> None:
    event = started_event(6, swiss_rounds=1, cut="top", cut_size=2)
    play_round(event)
    address = f"/console/{event.slug}/cut/"
    (seen_mark,) = re.findall(r'name="seen" value="(\w+)"', html_of(desk.get(address)))
    cuts.decline_cut(standings(event)[0].player, organizer())
    page = html_of(desk.post(address, {"seen": seen_mark}, follow=True))
    assert say("refusal", "cut_changed_meanwhile") in page
    assert not event.stages.filter(kind="single").exists()
    (seen_mark,) = re.findall(r'name="seen" value="(\w+)"', page)
    for _ in range(2):
        assert CUT_IS_MADE in html_of(desk.post(address, {"seen": seen_mark}, follow=True))
    assert event.stages.filter(kind="single").count() == 1


def test_who_presses_join_twice_is_on_the_staff_once_and_told_so() -> None:
    event = make_event()
    link = staff.create_invitation(event, organizer(), kind="judge")
    client = Client()
    client.force_login(make_user("jo@example.org"))
    for press in (client.post, client.post, client.get):
        answer = press(f"/join/{link.token}/")
        assert (answer.status_code, answer["Location"]) == (302, f"/console/{event.slug}/")
    assert event.staff.filter(user__username="jo@example.org").count() == 1


def test_a_slip_typed_on_the_page_of_an_older_round_says_which_round_it_is(desk: Client) -> None:
    event = started_event(4)
    first = play_round(event)
    publish_next(event)
    address = f"/console/{event.slug}/rounds/1/{first.number}/result/"
    page = html_of(desk.post(address, {"line": "1 2 0"}, follow=True))
    assert "This is round 1. Round 2 is in progress." in page
    assert Match.objects.filter(round__number=2).exclude(outcome="").count() == 0


@pytest.mark.both_databases
def test_the_same_report_pressed_twice_is_one_line_of_the_log() -> None:
    match = open_matches(publish_round())[0]
    for _ in range(2):
        results.report_result(match, match.p1, p1_games=2)
    report_entries = LogEntry.objects.filter(event=match.round.stage.event, action="result_reported")
    assert report_entries.count() == 1
    results.report_result(match, match.p1, p1_games=2, p2_games=1)
    assert report_entries.count() == 2


def test_a_phone_that_slept_does_not_give_up_a_match_it_has_not_shown() -> None:
    event = started_event(4)
    first = publish_next(event)
    player, client = open_matches(first)[0].p1, Client()
    page = html_of(client.get(f"/p/{player.token}/"))
    (match_id,) = re.findall(r'/drop/">.{,200}name="match" value="(\d+)"', page)
    for match in open_matches(first):
        results.enter_result(match, organizer(), p1_games=2)
    second = publish_next(event)
    answer = client.post(f"/p/{player.token}/drop/", {"match": match_id, "now": "1"}, follow=True)
    assert "You have a new match." in html_of(answer)
    player.refresh_from_db()
    assert (player.dropped_after, len(open_matches(second))) == (None, 2)
    match_id = second.matches.get(seats__player=player).pk
    client.post(f"/p/{player.token}/drop/", {"match": match_id, "now": "1"})
    assert Event.objects.get(pk=event.pk).players.get(pk=player.pk).is_dropped


def seen_on(page: str) -> str:
    return re.findall(r'name="seen" value="(\w+)"', page)[-1]


def test_a_plan_changed_by_other_staff_is_not_overwritten_unseen(desk: Client) -> None:
    event = make_event()
    address = f"/console/{event.slug}/stages/"
    seen_mark = seen_on(html_of(desk.get(address)))
    events.update_event(event, organizer(), {"plan": [{"kind": "robin"}, {"kind": "single", "size": 4}]})
    mine = {f"stage{at}-kind": kind for at, kind in enumerate(("swiss", "robin", "double"))}
    form_values = {**mine, "stage1-size": "8", "stage2-size": "4", "seen": seen_mark}
    answer = desk.post(address, form_values)
    assert [str(error) for error in answer.context["form"].non_field_errors()] == [
        "Someone changed the stages after you opened this page: Round robin; Single elimination "
        "of the best 4. Review the change, then save again to replace it."
    ]
    assert [line["kind"].value() for line in answer.context["form"].lines] == ["swiss", "robin", "double"]
    assert [stage["kind"] for stage in Event.objects.get(pk=event.pk).plan] == ["robin", "single"]
    desk.post(address, {**form_values, "seen": seen_on(html_of(answer))})
    assert [stage["kind"] for stage in Event.objects.get(pk=event.pk).plan] == ["swiss", "robin", "double"]


def test_a_kind_of_event_is_not_taken_over_a_plan_that_was_not_seen(desk: Client) -> None:
    event = make_event()
    address = f"/console/{event.slug}/stages/"
    seen_mark = seen_on(html_of(desk.get(address)))
    events.update_event(event, organizer(), {"plan": [{"kind": "robin"}]})
    page = html_of(desk.post(address, {"preset": "double", "seen": seen_mark}, follow=True))
    assert "Someone changed the stages after you opened this page: Round robin." in page
    assert [stage["kind"] for stage in Event.objects.get(pk=event.pk).plan] == ["robin"]
    desk.post(address, {"preset": "double", "seen": seen_on(page)})
    assert [stage["kind"] for stage in Event.objects.get(pk=event.pk).plan] == ["double"]


@pytest.mark.parametrize("press", [{"do": "use:go"}, {"do": "save", "title": "Ours"}])
def test_a_scoring_system_chosen_by_other_staff_is_not_overwritten_unseen(
    desk: Client, press: dict[str, str]
) -> None:
    event = make_event()
    address = f"/console/{event.slug}/standings-system/"
    seen_mark = seen_on(html_of(desk.get(address)))
    set_standings_system(event, organizer(), "magic")
    seen_still = seen_on(html_of(desk.post(address, {"do": "add", "choice": "omw", "seen": seen_mark})))
    answer = desk.post(address, {**press, "seen": seen_still})
    assert answer.status_code == 422
    conflict = "Someone changed the scoring system after you opened this page. It is now Magic"
    assert conflict in html_of(answer)
    assert Event.objects.get(pk=event.pk).standings_system == "magic"
    assert desk.post(address, {**press, "seen": seen_on(html_of(answer))}).status_code == 302
    assert Event.objects.get(pk=event.pk).standings_system != "magic"
