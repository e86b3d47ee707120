"""Pages, paper, API and archive of tables with more than two sides."""

from __future__ import annotations

import json

import pytest
from django.test import Client

from tests.scenarios.factories import organizer, publish_next, sign_in_organizer, started_event
from tests.tournament.pairing.test_pods_played import FREE, tables, win
from tournament.archive.export import export_event
from tournament.archive.restore import restore_event
from tournament.events.models.event import Event
from tournament.events.models.round import Match
from tournament.pairing.services import rounds
from tournament.results.services.places import get_places, report_places
from tournament.standings.selectors.standings import standings

pytestmark = pytest.mark.django_db


@pytest.fixture
def event() -> Event:
    return started_event(7, **FREE)


@pytest.fixture
def staff() -> Client:
    return sign_in_organizer()


def page(client: Client, address: str, status: int = 200) -> str:
    answer = client.get(address)
    assert answer.status_code == status, address
    return answer.content.decode()


def test_draft_and_round_name_all_sides_and_the_line_enters_a_winner(event: Event, staff: Client) -> None:
    draft = rounds.pair_next_round(event, organizer())
    address = f"/console/{event.slug}/rounds/{draft.stage.position}/1/"
    names = [player.name for player in event.players.all()]
    drafted = page(staff, address)
    assert all(name in drafted for name in names)
    rounds.publish_round(draft, organizer())
    shown_page = page(staff, address)
    assert all(name in shown_page for name in names)
    assert 'placeholder="12 3"' in shown_page
    first = tables(draft)[0]
    staff.post(f"{address}result/", {"line": f"{first.table} 4"})
    assert get_places(Match.objects.get(pk=first.pk)) == (2, 2, 2, 1)
    staff.post(f"{address}result/", {"line": f"{first.table} 9"})
    staff.post(f"/console/{event.slug}/matches/{first.pk}/result/", {"score": "2", "revision": "1"})
    assert get_places(Match.objects.get(pk=first.pk)) == (2, 1, 2, 2)
    places = {f"place{number}": 1 if number == 3 else 2 for number in range(1, 5)}
    staff.post(f"/console/{event.slug}/matches/{first.pk}/", {**places, "revision": "2"})
    assert get_places(Match.objects.get(pk=first.pk)) == (2, 2, 1, 2)
    assert "won" in page(staff, f"/console/{event.slug}/matches/{first.pk}/")
    assert "won" in page(staff, address)


@pytest.mark.both_databases
def test_public_pages_screen_and_paper_know_all_sides(event: Event, staff: Client) -> None:
    first, second = tables(publish_next(event))
    winner = win(first, 3).sides[2].player
    names = [side.player.name for match in (first, second) for side in match.sides]
    for address in ("pairings/", "pairings/?by=name", f"matches/{first.pk}/"):
        shown_page = page(Client(), f"/e/{event.slug}/{address}")
        side_names = [side.player.name for side in first.sides] if "matches" in address else names
        assert all(name in shown_page for name in side_names), address
    assert f"Winner: {winner.name}" in page(Client(), f"/e/{event.slug}/pairings/")
    assert winner.name in page(Client(), f"/e/{event.slug}/standings/")
    assert page(Client(), f"/e/{event.slug}/players/{winner.number}/")
    for address in ("", "log/", "standings/", "tables/", f"players/{winner.number}/", "clock/"):
        page(staff, f"/console/{event.slug}/{address}")


def test_phone_shows_the_table_reports_and_confirms(event: Event) -> None:
    first = tables(publish_next(event))[0]
    mine, other = first.sides[0].player, first.sides[2].player
    phone_page = page(Client(), f"/p/{mine.token}/")
    assert all(side.player.name in phone_page for side in first.sides)
    assert 'value="2-2-1-2"' in phone_page
    Client().post(f"/p/{mine.token}/report/", {"match": first.pk, "score": "2-2-1-2"})
    assert "another player of the table" in page(Client(), f"/p/{mine.token}/")
    asked_page = page(Client(), f"/p/{other.token}/")
    assert f"{mine.name} says" in asked_page
    Client().post(f"/p/{other.token}/confirm/", {"match": first.pk, "score": "2-2-1-2"})
    assert get_places(Match.objects.get(pk=first.pk)) == (2, 2, 1, 2)
    assert "place 1 of 4" in page(Client(), f"/p/{other.token}/")


def test_disputed_table_says_so_on_the_phone(event: Event) -> None:
    first = tables(publish_next(event))[0]
    for side, places in ((0, [1, 2, 2, 2]), (1, [2, 1, 2, 2])):
        report_places(first, first.sides[side].player, places)
    assert f"{first.sides[1].player.name} says" in page(Client(), f"/p/{first.sides[0].player.token}/")


def test_archive_keeps_sides_places_and_standings(event: Event) -> None:
    first, second = tables(publish_next(event))
    win(first, 3)
    report_places(second, second.sides[0].player, [1, 2, 2])
    document = export_event(event)
    again = restore_event(json.dumps(document), organizer())
    assert [line.exact_points for line in standings(again)] == [
        line.exact_points for line in standings(event)
    ]
    restored_document = export_event(again)
    assert restored_document["stages"] == document["stages"]


def test_api_gives_sides_and_takes_places(event: Event, staff: Client) -> None:
    first, second = tables(publish_next(event))
    address = f"/api/events/{event.slug}/matches/{first.pk}/places/"
    answer = staff.put(address, {"places": [2, 1, 2, 2]}, content_type="application/json")
    assert answer.status_code == 200
    assert [side["place"] for side in answer.json()["sides"]] == [2, 1, 2, 2]
    response = staff.put(address, {"places": [1, 2, 3, 4]}, content_type="application/json")
    assert response.status_code == 400
    for side in second.sides[:2]:
        own = f"/api/me/{side.player.token}/places/"
        report_answer = Client().post(own, {"places": [1, 2, 2]}, content_type="application/json")
        assert report_answer.status_code == 200
    assert report_answer.json()["outcome"] == "places"


@pytest.mark.both_databases
def test_draft_page_and_api_move_a_player_to_another_table(staff: Client) -> None:
    event = started_event(11, **FREE)
    draft = rounds.pair_next_round(event, organizer())
    first, _, last = tables(draft)
    address = f"/console/{event.slug}/rounds/1/1/"
    answer = page(staff, f"{address}?pick={first.p1.number}")
    moves = [f"Move {first.p1.name} to table {table}" for table in (2, 3)]
    assert [move in answer for move in moves] == [True, True]
    assert "Move" not in page(staff, f"{address}?pick={last.p1.number}").split('id="tables"')[1]
    staff.post(f"{address}seat/", {"one": first.p1.number, "table": last.table})
    assert 'id="cost"' in page(staff, address)
    assert [table.why[0]["code"] for table in tables(draft)][::2] == ["paired_by_hand.pod"] * 2
    api = f"/api/events/{event.slug}/rounds/1/1/changes/"
    assert staff.post(api, {"player": first.p1.number, "to": 1}, "application/json").status_code == 200
    assert staff.get(api).json()["changes"] == 2
