"""The clock and the venue screen on pages and for other programs."""

from __future__ import annotations

import re

import pytest
import time_machine
from django.test import Client

from tests.everyday import each_case
from tests.scenarios.factories import make_user, open_matches, organizer, play_round, started_event, win
from tests.scenarios.rollback import rolled_back
from tests.tournament.clock.test_clock import NOON, act_at, at, hidden_round, publish_round
from tournament.clock import services as clock
from tournament.clock.models import ClockEntry
from tournament.events.models.event import Event
from tournament.events.models.round import Match, Round
from tournament.screens.selectors import build_screen
from tournament.shared.text import get_length_class

pytestmark = pytest.mark.django_db


def staff() -> Client:
    client = Client()
    client.force_login(make_user("root@example.org", is_superuser=True))
    return client


def text_of(answer: object) -> str:
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", answer.content.decode()))  # type: ignore[attr-defined]


def test_the_clock_is_run_by_the_buttons_of_its_page() -> None:
    round_ = publish_round()
    slug = round_.stage.event.slug
    client = staff()
    page = client.get(f"/console/{slug}/clock/")
    assert (page.status_code, "Start clock" in page.content.decode()) == (200, True)
    for act, data in (
        ("start", {}),
        ("pause", {}),
        ("resume", {}),
        ("more", {"minutes": "-1"}),
        ("call-time", {}),
    ):
        assert client.post(f"/console/{slug}/clock/{act}/", data).status_code == 302
    assert list(ClockEntry.objects.values_list("act", "seconds")) == [
        ("start", 3000),
        ("pause", 0),
        ("resume", 0),
        ("extend", -60),
        ("call_time", 0),
    ]
    page = client.get(f"/console/{slug}/clock/").content.decode()
    assert [f"/matches/{match.pk}/time/" in page for match in open_matches(round_)] == [True, True]
    assert "102.3" in page


@each_case("minutes", ["", "x", "1e9", "9" * 50, "\x00", "٣"], around=rolled_back)
def test_minutes_that_are_none_change_nothing(minutes: str) -> None:
    round_ = publish_round()
    clock.start_clock(round_, organizer())
    slug = round_.stage.event.slug
    assert staff().post(f"/console/{slug}/clock/more/", {"minutes": minutes}).status_code == 302
    assert ClockEntry.objects.count() == 1


def test_a_table_gets_time_by_its_number_and_its_players_see_it() -> None:
    round_ = publish_round()
    act_at(0, clock.start_clock, round_)
    slug = round_.stage.event.slug
    match = open_matches(round_)[0]
    with time_machine.travel(at(5), tick=False):
        client = staff()
        answer = client.post(
            f"/console/{slug}/clock/", {"table": match.table, "minutes": 3, "reason": "Judge"}
        )
        assert answer.status_code == 302
        assert (
            client.post(f"/console/{slug}/clock/", {"table": 99, "minutes": 3, "reason": "Judge"}).status_code
            == 422
        )
        mine = text_of(Client().get(f"/p/{match.p1.token}/"))
        other = text_of(Client().get(f"/p/{open_matches(round_)[1].p1.token}/"))
    assert ("Time extension: 3 minutes" in mine, "Time extension" in other) == (True, False)
    assert "Your table plays until 13:53" in mine
    assert "Round 1 ends at 13:50" in other


def test_the_pairings_say_when_the_round_ends_without_a_script() -> None:
    round_ = publish_round()
    act_at(0, clock.start_clock, round_)
    with time_machine.travel(at(5), tick=False):
        page = text_of(Client().get(f"/e/{round_.stage.event.slug}/pairings/"))
    assert "Round 1 ends at 13:50" in page


def test_a_hidden_end_stands_in_no_page_source() -> None:
    round_ = hidden_round()
    slug = round_.stage.event.slug
    hidden_seconds = ClockEntry.objects.get().drawn or 0
    player = round_.stage.event.players.first()
    with time_machine.travel(at(10), tick=False):
        client = staff()
        addresses = (
            f"/console/{slug}/", f"/console/{slug}/clock/", f"/console/{slug}/rounds/1/1/",
            f"/console/{slug}/log/", f"/e/{slug}/pairings/", f"/e/{slug}/screen/clock/",
            f"/p/{player.token}/", f"/api/events/{slug}/clock/", f"/api/events/{slug}/log/",
        )  # fmt: skip
        pages = [client.get(address) for address in addresses]
    assert [page.status_code for page in pages] == [200] * len(pages)
    end = NOON.replace(minute=hidden_seconds // 60, second=hidden_seconds % 60)
    texts = (str(hidden_seconds), f"{end:%H:%M:%S}", f"13:{hidden_seconds // 60:02}<")
    assert [end_text for page in pages for end_text in texts if end_text in page.content.decode()] == []
    assert "between 25 and 35 minutes" in text_of(pages[4])


def test_the_clock_is_read_and_run_by_another_program() -> None:
    round_ = publish_round()
    event = round_.stage.event
    address = f"/api/events/{event.slug}/clock/"
    assert Client().get(address).json()["phase"] == "not_started"
    client = staff()
    with time_machine.travel(at(0), tick=False):
        client.post(f"{address}start/", {}, content_type="application/json")
    table = open_matches(round_)[0].table
    with time_machine.travel(at(41), tick=False):
        options = {"minutes": 3, "table": table, "reason": "Deck check"}
        payload = client.post(f"{address}more/", options, content_type="application/json").json()
    assert (payload["phase"], payload["remaining"], payload["ends_at"]) == (
        "warning",
        540,
        "2026-11-21T12:50:00Z",
    )
    assert payload["tables"] == [
        {"table": table, "seconds": 180, "ends_at": "2026-11-21T12:53:00Z", "phase": "running"}
    ]
    response = client.post(f"{address}more/", {"minutes": 3, "table": 99}, content_type="application/json")
    assert (response.status_code, response.json()["problems"][0]["code"]) == (400, "no_such_table")
    assert Client().post(f"{address}start/").status_code in (401, 403)
    put = client.put(f"{address}settings/", {"warning": 5}, content_type="application/json")
    assert (put.json()["warning"], Event.objects.get().clock_options) == (5, {"warning": 5})


def test_the_screen_shows_what_fits_the_moment() -> None:
    event = started_event(4)
    assert build_screen(event, []).views == ["clock"]
    play_round(event)
    between = build_screen(event, [])
    assert (between.views, between.is_between) == (["standings"], True)
    round_ = publish_round()
    assert build_screen(round_.stage.event, []).views == ["pairings", "clock"]


def test_the_screen_shows_the_views_of_its_address_in_that_order() -> None:
    slug = publish_round().stage.event.slug
    page = (
        Client().get(f"/e/{slug}/screen/standings,pairings,nothing/?seconds=120&theme=dark").content.decode()
    )
    assert re.findall(r'data-view="(\w+)"', page) == ["standings", "pairings"]
    assert ('data-seconds="120"' in page, 'data-theme="dark"' in page) == (True, True)
    assert Client().get(f"/e/{slug}/screen/nothing/").status_code == 404


def test_staff_chooses_what_the_hall_screen_shows() -> None:
    slug = publish_round().stage.event.slug
    answer = staff().post(f"/console/{slug}/screen/", {"views": ["clock", "tables"]})
    assert answer.status_code == 302
    page = Client().get(f"/e/{slug}/screen/hall/").content.decode()
    assert re.findall(r'data-view="(\w+)"', page) == ["clock", "tables"]
    assert staff_refused(slug) == 422


def staff_refused(slug: str) -> int:
    client = Client()
    client.force_login(make_user("second@example.org", is_superuser=True))
    return client.post(f"/console/{slug}/screen/", {"views": ["cats"]}).status_code


@pytest.mark.parametrize("players", [4, 40])
def test_the_screen_asks_the_database_equally_often_for_any_field(
    players: int, django_assert_num_queries: object
) -> None:
    round_ = publish_round(players)
    clock.start_clock(round_, organizer())
    event = Event.objects.get(pk=round_.stage.event_id)
    with django_assert_num_queries(4):  # type: ignore[operator]
        screen = build_screen(event, ["pairings", "clock"])
        assert len(screen.seatings) == players


def test_names_are_set_smaller_the_more_room_they_need() -> None:
    names = (
        "Fatima El-Sayed",
        "Leon van der Berg",
        "Екатерина Морозова",
        "Maximiliane von Hohenlohe-Langenburg",
        "佐藤健一郎" * 2,
        "寿限無" * 10,
    )
    assert [get_length_class(name) for name in names] == [
        *("", "is-longish", "is-longish", "is-longer", "is-longish", "is-longest"),
    ]


def test_a_page_of_tables_still_playing_forgets_those_that_finished() -> None:
    round_ = publish_round()
    clock.start_clock(round_, organizer())
    match_result = win(open_matches(round_)[0])
    page = staff().get(f"/console/{round_.stage.event.slug}/clock/").content.decode()
    assert f"/matches/{match_result.pk}/time/" not in page
    assert Match.objects.filter(round=round_, outcome="").count() == 1
    assert Round.objects.get(pk=round_.pk).state == "published"
