"""Pods in the console, on phones, in public, on the venue screen and on paper.

Advice while creating is covered too.
"""

from __future__ import annotations

from datetime import UTC, datetime
from io import BytesIO

import pytest
from django.test import Client
from django.urls import reverse
from pypdf import PdfReader

from tests.everyday import each_case
from tests.scenarios.factories import SETTINGS, make_event, organizer, publish_next
from tests.scenarios.html import html_of
from tests.scenarios.rollback import rolled_back
from tests.tournament.booster_drafts.test_pods import draft_event, seats_of
from tournament.booster_drafts import services
from tournament.booster_drafts.selectors import find_seat_of
from tournament.clock.selectors import find_timed
from tournament.clock.services import start_clock
from tournament.events.models.event import Event
from tournament.printing.registry import SHEETS
from tournament.printing.render import render_sheet_pdf
from tournament.printing.request import PrintRequest
from tournament.screens.selectors import build_screen

pytestmark = pytest.mark.django_db
NOW = datetime(2026, 5, 2, 9, 30, tzinfo=UTC)


@pytest.fixture
def desk(client: Client) -> Client:
    user = organizer().user
    assert user is not None
    client.force_login(user)
    return client


def test_pods_page_seats_swaps_and_takes_out(desk: Client) -> None:
    event = draft_event()
    page = reverse("console_pods", args=[event.slug])
    assert desk.get(page).status_code == 200

    answer = desk.post(reverse("console_seat_pods", args=[event.slug]), {"size": "8"})
    assert (answer.status_code, len(seats_of(event))) == (302, 12)
    change = reverse("console_change_pods", args=[event.slug, "swap"])
    before = seats_of(event)
    one, two = event.players.get(name="Alice"), event.players.get(name="Bob")
    assert desk.post(change, {"one": one.number, "two": two.number}).status_code == 302
    assert seats_of(event)["Alice"] == before["Bob"]
    remove = reverse("console_change_pods", args=[event.slug, "remove"])
    assert desk.post(remove, {"one": one.number}).status_code == 302
    assert "Alice" not in seats_of(event)
    add = reverse("console_change_pods", args=[event.slug, "add"])
    assert desk.post(add, {"one": one.number, "pod": "3"}).status_code == 302
    assert seats_of(event)["Alice"] == (3, 1)


@each_case(
    ("change", "values"),
    [
        ("swap", {"one": "1"}),
        ("swap", {"one": "1", "two": "1"}),
        ("swap", {"one": "x", "two": "99"}),
        ("add", {"one": "1", "pod": "1"}),
        ("remove", {}),
    ],
    around=rolled_back,
)
def test_pods_page_with_a_wrong_change_shows_it_and_changes_nothing(
    desk: Client, change: str, values: dict[str, str]
) -> None:
    event = draft_event()
    services.seat_pods(event, organizer())
    before = seats_of(event)

    answer = desk.post(reverse("console_change_pods", args=[event.slug, change]), values)

    assert (answer.status_code, seats_of(event)) == (422, before)


@each_case("size", ["", "1", "99", "x"], around=rolled_back)
def test_pods_page_with_a_wrong_size_seats_no_player(desk: Client, size: str) -> None:
    event = draft_event()

    answer = desk.post(reverse("console_seat_pods", args=[event.slug]), {"size": size})

    assert (answer.status_code, seats_of(event)) == (422, {})


def test_pods_pages_of_a_format_without_pods_are_not_found(desk: Client) -> None:
    event = make_event()

    assert desk.get(reverse("console_pods", args=[event.slug])).status_code == 404
    assert desk.get(reverse("pods", args=[event.slug])).status_code == 404


def test_phone_shows_pod_seat_and_neighbor_until_round_one(client: Client) -> None:
    event = draft_event()
    services.seat_pods(event, organizer())
    player = event.players.get(name="Alice")
    seat = find_seat_of(player)
    assert seat is not None
    page = reverse("player", args=[player.token])

    phone_page = html_of(client.get(page))

    assert f"Pod {seat.pod}, seat {seat.seat}" in phone_page
    assert f"You pass to {seat.first.name} first." in phone_page
    publish_next(event)
    assert 'id="pod"' not in html_of(client.get(page))


def test_phone_shows_the_build_clock(client: Client) -> None:
    event = draft_event(4)
    timed_round = find_timed(event)
    assert timed_round is not None
    start_clock(timed_round, organizer(), minutes=30)

    page = html_of(client.get(reverse("player", args=[event.players.first().token])))

    assert "data-clock=" in page


def test_public_page_and_screen_list_all_seats_by_name(client: Client) -> None:
    event = draft_event()
    services.seat_pods(event, organizer())

    page = html_of(client.get(reverse("pods", args=[event.slug])))
    screen = build_screen(Event.objects.get(pk=event.pk), [])

    assert page.count('<th scope="row">') == 12
    assert screen.views == ["pods", "clock"]
    names = [seat.player.name for seat in screen.seats]
    assert names == sorted(names)
    assert "draft-pods" in client.get(reverse("event", args=[event.slug])).content.decode()
    assert client.get(reverse("screen", args=[event.slug, "pods"])).status_code == 200


@pytest.mark.paper
@pytest.mark.parametrize(
    "paper", ["A4", pytest.param("Letter", marks=pytest.mark.whole("A4, and slips on both sizes"))]
)
def test_draft_pods_sheet_has_each_pod_and_all_names(paper: str) -> None:
    event = draft_event()
    services.seat_pods(event, organizer())

    pdf = render_sheet_pdf(SHEETS["draft-pods"], PrintRequest(event, None, paper, NOW))

    text = "".join(page.extract_text() for page in PdfReader(BytesIO(pdf)).pages)
    for name, (pod, seat) in seats_of(event).items():
        assert text.count(name) == 4, (name, pod, seat)
    assert "Packs 1, 3 and 5 go to the left." in " ".join(text.split())


def test_new_draft_form_shows_the_advice_with_its_clause_and_keeps_rounds_inside(desk: Client) -> None:
    page = reverse("console_new_event", args=["ufs", "draft"])
    assert (
        "UFS Tournament Rules v1.9, 100.5.1</details>"
        in html_of(desk.get(page)).partition('<form class="form"')[0]
    )

    answer = desk.post(
        page,
        {
            "name": "Draft Night",
            "starts_at": "2026-05-02T18:00",
            "time_zone": "Europe/Berlin",
            "match_form": SETTINGS["match_form"],
            "cut": "none",
            "short_cut": "shrink",
            "inside_pods": "on",
            "open_registration": "on",
        },
    )

    assert answer.status_code == 302
    assert Event.objects.get(name="Draft Night").pairing_options["inside_pods"] is True


@pytest.mark.parametrize("key", ["constructed", "sealed"])
def test_new_form_of_other_formats_has_no_rounds_inside_pods(desk: Client, key: str) -> None:
    page = html_of(desk.get(reverse("console_new_event", args=["ufs", key])))

    assert 'name="inside_pods"' not in page
    assert "100.5.1" not in page.partition('<form class="form"')[0]


def test_console_clock_of_a_sealed_event_starts_with_minutes_of_its_own(desk: Client) -> None:
    event = make_event(format="sealed")
    page = html_of(desk.get(reverse("console_clock", args=[event.slug])))
    assert 'name="minutes" min="1" max="600" value="40"' in page

    desk.post(reverse("console_clock_act", args=[event.slug, "start"]), {"minutes": "25"})

    assert event.build_clock.get().seconds == 1500
    assert desk.get(reverse("console_event", args=[event.slug])).status_code == 200
