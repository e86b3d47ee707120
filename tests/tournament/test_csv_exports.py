"""Every table that leaves through an address.

It is guarded against formulas, whatever people wrote.
"""

from __future__ import annotations

import csv
import io
import json
from typing import Any

import pytest
from django.test import Client

from tests import machine
from tests.decks.shared.test_csv_cells import runs_as_formula
from tests.scenarios.factories import organizer, sign_in_organizer
from tests.tournament.access.test_rights import FinishedVenue, routes
from tournament.decklists.services import lists as decklists
from tournament.events.models.event import Event

pytestmark = pytest.mark.django_db

FORMULA = '=HYPERLINK("http://evil.example";A1)'
SIGNS = ("=", "+", "-", "@")
# The addresses that gave a table when this was written, by the file's or the field's name.
TABLES = {
    "api/events/<slug:slug>/players/<int:number>/list/<int:version>/files/<slug:kind>/",
    "api/events/<slug:slug>/players/table/",
    "api/me/<str:token>/list/<int:version>/files/<slug:kind>/",
    "console/<slug:slug>/lists/<int:number>/<int:version>/<slug:kind>/",
    "console/<slug:slug>/players.csv",
    "e/<slug:slug>/boards.csv",
    "e/<slug:slug>/report.csv",
    "p/<str:token>/list/<int:number>/<slug:kind>/",
}


@pytest.fixture
def hall() -> FinishedVenue:
    """An event that is over, in which everyone wrote formulas wherever they could."""
    hall = FinishedVenue()
    hall.values |= {"kind": "csv"}
    cards = [{"card": f"{sign}Tin", "qty": 4} for sign in SIGNS]
    for player, sign in zip(hall.event.players.order_by("number"), SIGNS, strict=True):
        player.name = player.character = player.club = f"{sign}{FORMULA}"
        player.members = [f"{sign}1+1"]
        player.save()
    player = hall.event.players.select_related("event", "deck_list").get(number=1)
    decklists.submit_list(player, organizer(), json.dumps({"main": cards}), by_staff=True, reason="paper")
    prizes = [{"first": 1, "last": 4, "words": FORMULA}]
    Event.objects.filter(pk=hall.event.pk).update(phase="finished", prizes=prizes)
    return hall


def table_in(answer: Any) -> str | None:
    """Return the table that an answer holds, if it holds one."""
    kind = answer["Content-Type"] if answer.status_code == 200 else ""
    if kind.startswith("text/csv") or ".csv" in answer.get("Content-Disposition", ""):
        return str(answer.content.decode("utf-8-sig"))
    if kind.startswith("application/json"):
        payload = answer.json()
        if isinstance(payload, dict) and ("csv" in payload or payload.get("format") == "csv"):
            return str(payload.get("csv") or payload.get("content")).removeprefix("\ufeff")
    return None


def cells(table: str) -> list[str]:
    header = table.partition("\n")[0]
    separator = ";" if ";" in header else ","
    return [cell for row in csv.reader(io.StringIO(table, newline=""), delimiter=separator) for cell in row]


def test_no_table_of_any_address_holds_a_formula(hall: FinishedVenue, client: Client) -> None:
    sign_in_organizer(client)
    found_routes, formulas, guarded_routes = set(), [], []
    # Teams on boards have other lists than single players: their table comes last.
    for route, methods in sorted(routes().items(), key=lambda item: "boards" in item[0]):
        if "get" not in methods or not (route in TABLES or machine.whole()):
            continue
        if "boards" in route:
            Event.objects.filter(pk=hall.event.pk).update(team_size=2, has_boards=True)
        table = table_in(client.get(f"/{hall.address(route).lstrip('/')}"))
        if table is not None:
            found_routes.add(route)
            formulas += [(route, cell) for cell in cells(table) if runs_as_formula(cell)]
            guarded_routes += [route] if any(cell.startswith("'") for cell in cells(table)) else []
    assert formulas == []
    assert found_routes == TABLES
    assert set(guarded_routes) == TABLES


def test_checked_list_as_table_holds_no_formula(client: Client) -> None:
    text = json.dumps({"main": [{"card": f"{sign}Tin", "qty": 4} for sign in SIGNS]})
    answer = client.post("/decks/check/file/", {"format": "ufs/constructed/1.9", "text": text, "kind": "csv"})
    table = answer.content.decode()
    assert [cell for cell in cells(table) if cell.endswith("Tin")] == ["'=Tin", "'+Tin", "'-Tin", "'@Tin"]
