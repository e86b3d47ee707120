"""Pages and API of changes of a published round."""

from __future__ import annotations

from http import HTTPStatus
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from tests.scenarios.event_rows import state_of
from tests.scenarios.factories import (
    make_user,
    open_matches,
    organizer,
    play_round,
    publish_next,
    sign_in_organizer,
    started_event,
    win,
)
from tournament.events.models.event import Event, StaffRole
from tournament.events.models.round import Match, Round
from tournament.log.models import LogEntry
from tournament.log.services import undo_step
from tournament.printing.registry import SHEETS
from tournament.printing.render import render_sheet_html
from tournament.printing.request import SheetRequest
from tournament.printing.selectors import NotThere, load_print_request

pytestmark = pytest.mark.django_db


@pytest.fixture
def event() -> Event:
    """Eight players in the middle of round 2: no one has finished."""
    running_event = started_event(8, swiss_rounds=4)
    play_round(running_event)
    publish_next(running_event)
    return running_event


@pytest.fixture
def desk(client: Client) -> Client:
    return sign_in_organizer(client)


def at(event: Event, table: int) -> Match:
    return Match.objects.select_related("round__stage__event", "p1", "p2").get(
        round__number=2, round__stage__event=event, table=table
    )


def page_of(event: Event) -> str:
    return reverse("console_round_change", args=[event.slug, 1, 2])


def call(client: Client, event: Event, name: str, **values: Any) -> Any:
    address = reverse(name, args=[event.slug, 1, 2])
    return client.post(address, values, content_type="application/json")


def swap(event: Event, one: int = 1, two: int = 2) -> dict[str, Any]:
    return {"kind": "swap", "one": at(event, one).p2.number, "two": at(event, two).p2.number}


def test_the_page_previews_three_ways_as_they_are_now_and_makes_the_chosen_one(
    desk: Client, event: Event
) -> None:
    swap_change, two = swap(event), at(event, 2)
    old_columns = desk.get(page_of(event), swap_change).context["preview"].columns
    assert [column.way for column in old_columns] == ["leave", "swap", "all"]
    win(at(event, 1))
    form_values = {**swap_change, "way": "leave", "seen-leave": old_columns[0].mark, "reason": "wrong chairs"}
    answer = desk.post(page_of(event), form_values)
    assert answer.status_code == HTTPStatus.OK
    mark = answer.context["preview"].keep.mark
    assert mark != old_columns[0].mark
    assert "Round 2 changed after you opened this page." in answer.content.decode()
    assert LogEntry.objects.filter(action="round_players_swapped").count() == 0
    answer = desk.post(page_of(event), {**form_values, "seen-leave": mark})
    entry = LogEntry.objects.get(action="round_players_swapped")
    assert answer.url == reverse("console_round_changed", args=[event.slug, 1, 2, entry.pk])
    assert (at(event, 1).p2, entry.reason) == (two.p2, "wrong chairs")
    notice = desk.get(answer.url).context["tell"]
    # The players of table 1 have played.
    assert f"{two.p1}: table 2 vs. {at(event, 2).p2}" in notice
    assert len(notice) == 2


@pytest.mark.both_databases
def test_a_change_that_is_not_possible_is_said_at_the_form(desk: Client, event: Event) -> None:
    match = at(event, 1)
    page = desk.get(page_of(event), {"kind": "swap", "one": match.p1.number, "two": match.p2.number})
    assert page.context["preview"] is None
    assert "already play each other" in page.content.decode()


def test_a_judge_does_not_change_pairings(client: Client, event: Event) -> None:
    judge = make_user("judy@example.org")
    StaffRole.objects.create(event=event, user=judge, kind="judge")
    client.force_login(judge)
    assert client.get(page_of(event)).status_code == HTTPStatus.FORBIDDEN
    assert call(client, event, "api_amendment", **swap(event)).status_code == HTTPStatus.FORBIDDEN


def test_the_api_previews_changes_and_answers_an_old_plan_with_the_present_one(
    desk: Client, event: Event
) -> None:
    swap_change = swap(event)
    preview = call(desk, event, "api_amendment_preview", **swap_change).json()
    keep = preview["ways"][0]
    assert (preview["round"], keep["way"], len(keep["tell"])) == (2, "leave", 4)
    assert keep["costs"]
    win(at(event, 1))
    before = state_of(event)
    stale = call(desk, event, "api_amendment", **swap_change, plan=keep["plan"])
    assert stale.status_code == HTTPStatus.CONFLICT
    assert stale.json()["problems"][0]["code"] == "round_changed_meanwhile"
    assert state_of(event) == before
    now = stale.json()["now"]["ways"][0]["plan"]
    payload = call(desk, event, "api_amendment", **swap_change, plan=now).json()
    assert LogEntry.objects.get(pk=payload["step"]).action == "round_players_swapped"


def test_the_api_refuses_what_it_does_not_know(desk: Client, event: Event) -> None:
    answer = call(desk, event, "api_amendment", kind="turn", seat=3)
    assert answer.status_code == HTTPStatus.BAD_REQUEST


@pytest.mark.both_databases
def test_a_typed_line_leads_to_the_preview_of_its_change(desk: Client, event: Event) -> None:
    address = reverse("console_quick_result", args=[event.slug, 1, 2])
    one, two = at(event, 1), at(event, 2)
    answer = desk.post(address, {"line": "x 1.2 2.1"})
    assert answer.url == f"{page_of(event)}?kind=swap&one={one.p2.number}&two={two.p1.number}#preview"
    response = desk.post(address, {"line": "m 1 7"})
    assert response.url == f"{page_of(event)}?kind=move&table=1&to=7#preview"
    assert LogEntry.objects.filter(action__startswith="round_").exclude(action="round_paired").count() == 3


def slips(event: Event, sheet: str = "changed-slips") -> str:
    sheet_request = SheetRequest(event=event.pk, sheet=sheet, paper="A4", stage=1, round=2)
    request = load_print_request(SHEETS[sheet], event, sheet_request, timezone.now())
    return render_sheet_html(SHEETS[sheet], request.as_browser_page())


def test_only_changed_slips_are_printed_again(desk: Client, event: Event) -> None:
    with pytest.raises(NotThere):
        slips(event)
    desk.post(page_of(event), {**swap(event), "way": "leave"})
    printed_slips = slips(event)
    assert [f"Table {table}" in printed_slips for table in (1, 2, 3, 4)] == [True, True, False, False]
    win(at(event, 1))
    assert "Table 1" not in slips(event)
    desk.post(page_of(event), {"kind": "move", "table": 3, "to": 9, "way": "leave"})
    printed_slips = slips(event)
    assert ["Table 2" in printed_slips, "Table 9" in printed_slips] == [False, True]


def test_phones_pages_and_the_screen_mark_changed_tables(desk: Client, event: Event) -> None:
    desk.post(page_of(event), {**swap(event), "way": "leave"})
    phone = desk.get(reverse("player", args=[at(event, 1).p1.token])).content.decode()
    assert "badge-unknown" in phone
    assert desk.get(f"/e/{event.slug}/pairings/").content.decode().count("badge-unknown") >= 2
    screen = desk.get(f"/e/{event.slug}/screen/tables/").content.decode()
    assert screen.count("is-changed") == 2


def test_the_page_of_a_change_that_was_undone_says_so(desk: Client, event: Event) -> None:
    desk.post(page_of(event), {**swap(event), "way": "leave"})
    entry = LogEntry.objects.get(action="round_players_swapped")
    undo_step(entry, organizer())
    page = desk.get(reverse("console_round_changed", args=[event.slug, 1, 2, entry.pk]))
    assert page.context["entry"].undone_by is not None
    assert Round.objects.get(number=2, stage__event=event).amended_at is None
    assert len(open_matches(Round.objects.get(number=2, stage__event=event))) == 4
