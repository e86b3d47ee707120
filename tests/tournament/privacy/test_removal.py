"""Removal of the personal data of a player from everything.

No undone step brings it back.
"""

from __future__ import annotations

import json
from contextlib import suppress

import pytest
from django.db import models
from django.test import Client
from django.utils import timezone

from decks.jobs.models import Job
from decks.shared.refusals import Refused
from tests import machine
from tests.everyday import each_case
from tests.scenarios.rollback import rolled_back
from tests.tournament.access.test_bodies import read
from tests.tournament.access.test_rights import WITHOUT_MARKS, routes
from tests.tournament.privacy.planted_event import (
    EMAIL,
    NAME,
    TRACES,
    PlantedEvent,
    find_traces,
    printed_text,
)
from tournament.archive.export import export_event
from tournament.log.models import EVENT_TABLES, LogEntry, get_table_model
from tournament.log.services import undo_step
from tournament.printing.registry import SHEETS
from tournament.printing.render import render_sheet_pdf
from tournament.printing.request import PrintRequest
from tournament.privacy import services

pytestmark = pytest.mark.django_db


# After a removal no table holds the name (`test_removed_data_is_found_nowhere`). The other sheets have no
# source for it, and are for the whole run.
NAMING_SHEETS = {"standings", "badges", "penalties"}


@pytest.fixture
def planted_event() -> PlantedEvent:
    return PlantedEvent()


def owner_of(planted_event: PlantedEvent) -> Client:
    client = Client()
    client.force_login(planted_event.olga.user)
    return client


def traces_on_pages(
    planted_event: PlantedEvent, client: Client, paths: frozenset[str] | None = None
) -> list[str]:
    """Return the addresses whose answers have a trace of the name.

    The addresses are of all routes or of some.
    """
    addresses = []
    for route, methods in sorted(routes().items()):
        if "get" not in methods or (paths and route not in paths):
            continue
        for address in planted_event.addresses(route):
            _, body = read(client, "get", route, address)
            if any(trace in body.casefold() for trace in TRACES):
                addresses.append(address)
    return addresses


def test_the_planted_name_is_where_it_is_looked_for(planted_event: PlantedEvent) -> None:
    tables = {trace.split(".")[1] for trace in find_traces()}
    assert {
        "Player",
        "LogEntry",
        "Job",
        "DeckVersion",
        "Rechecked",
        "Penalty",
        "TableRuling",
    } <= tables
    asked_texts = frozenset({"console/<slug:slug>/log/", "api/events/<slug:slug>/archive/"})
    assert traces_on_pages(planted_event, owner_of(planted_event), asked_texts) == [
        f"/api/events/{planted_event.event.slug}/archive/",
        f"/console/{planted_event.event.slug}/log/",
    ]


def test_removed_data_is_found_nowhere(
    planted_event: PlantedEvent, django_capture_on_commit_callbacks: object
) -> None:
    with django_capture_on_commit_callbacks(execute=True):
        services.remove_personal_data(planted_event.zebedee, planted_event.olga)
    assert find_traces() == []
    # A name that no table contains can only come from a cached page. The schema of the API says no names.
    asked_routes = None if machine.whole() else frozenset(sorted(routes())[::5]) - WITHOUT_MARKS
    assert traces_on_pages(planted_event, owner_of(planted_event), asked_routes) == []
    # The public reads no page that the owner does not.
    if machine.whole():
        assert traces_on_pages(planted_event, Client()) == []
    assert not any(trace in json.dumps(export_event(planted_event.event)).casefold() for trace in TRACES)
    assert not planted_event.file.exists()


@pytest.mark.paper
def test_no_sheet_that_is_printed_afterwards_has_the_name(planted_event: PlantedEvent) -> None:
    services.remove_personal_data(planted_event.zebedee, planted_event.olga)
    round_ = planted_event.event.stages.last().rounds.last()
    request = PrintRequest(planted_event.event, round_, "A4", timezone.now(), player=planted_event.zebedee)
    sheets = [
        each
        for each in SHEETS.values()
        if each.needs != "bracket"
        and each.fits(planted_event.event)
        and (machine.whole() or each.key in NAMING_SHEETS)
    ]
    texts_by_sheet = {sheet.key: printed_text(render_sheet_pdf(sheet, request)) for sheet in sheets}
    assert [
        key for key, text in texts_by_sheet.items() if any(trace in text.casefold() for trace in TRACES)
    ] == []
    new = f"Player {planted_event.number}"
    assert {key for key, text in texts_by_sheet.items() if new in text} >= NAMING_SHEETS


@pytest.mark.both_databases
def test_removed_player_keeps_number_matches_and_results(planted_event: PlantedEvent) -> None:
    match = planted_event.event.stages.last().rounds.last().matches.filter(p1=planted_event.pk) | (
        planted_event.event.stages.last().rounds.last().matches.filter(p2=planted_event.pk)
    )
    before = list(match.values("outcome", "p1_id", "p2_id", "p1_games"))
    services.remove_personal_data(planted_event.zebedee, planted_event.olga)
    player = planted_event.zebedee
    assert (player.name, player.email, player.club, player.members) == (f"Player {player.number}", "", "", [])
    assert list(match.values("outcome", "p1_id", "p2_id", "p1_games")) == before


@pytest.mark.daily_on_postgres
def test_every_earlier_step_is_undone_without_a_trace_or_refused(planted_event: PlantedEvent) -> None:
    services.remove_personal_data(planted_event.zebedee, planted_event.olga)
    # An undo writes rows that a log may name, and its own line. Other tables are searched at the end.
    written_models = [LogEntry, *map(get_table_model, EVENT_TABLES)]
    undone_count = 0
    for entry in LogEntry.objects.filter(event=planted_event.event, head=None, undone_by=None):
        entry.refresh_from_db()
        with suppress(Refused):
            undo_step(entry, planted_event.olga)
            undone_count += 1
            assert find_traces(written_models) == []
    assert undone_count > 10
    assert find_traces() == []


def test_removal_itself_is_not_undone(planted_event: PlantedEvent) -> None:
    services.remove_personal_data(planted_event.zebedee, planted_event.olga)
    entry = planted_event.event.log.filter(action="personal_data_removed").first()
    with pytest.raises(Refused) as excinfo:
        undo_step(entry, planted_event.olga)
    assert excinfo.value.code == "nothing_to_take_back"


@pytest.mark.both_databases
def test_private_link_ends_and_its_emails_are_not_sent(planted_event: PlantedEvent) -> None:
    token = planted_event.zebedee.token
    services.remove_personal_data(planted_event.zebedee, planted_event.olga)
    assert Client().get(f"/p/{token}/").status_code == 404
    assert not Job.objects.filter(kind__startswith="mail_").exists()


@pytest.mark.both_databases
def test_preview_says_what_goes_and_writes_nothing(planted_event: PlantedEvent) -> None:
    before = find_traces()
    preview = services.preview_removal(planted_event.zebedee, planted_event.olga)
    assert preview.name_changes == [(NAME, f"Player {planted_event.number}")]
    assert preview.log_lines > 5
    assert preview.jobs == 7
    assert preview.league_links == 1
    assert find_traces() == before
    page = owner_of(planted_event).get(
        f"/console/{planted_event.event.slug}/personal-data/{planted_event.number}/"
    )
    assert f"{NAME} becomes Player {planted_event.number}." in page.content.decode()


def test_owner_confirms_with_the_number_of_the_player(planted_event: PlantedEvent) -> None:
    client, address = (
        owner_of(planted_event),
        f"/console/{planted_event.event.slug}/personal-data/{planted_event.number}/",
    )
    client.post(address, {"confirm": "99"})
    assert planted_event.zebedee.name == NAME
    client.post(address, {"confirm": str(planted_event.number)})
    assert planted_event.zebedee.name == f"Player {planted_event.number}"


def test_program_removes_personal_data(planted_event: PlantedEvent) -> None:
    client = owner_of(planted_event)
    address = f"/api/events/{planted_event.event.slug}/personal-data/{planted_event.number}/"
    preview = client.get(address).json()
    refused_response = client.post(address, {"confirm": 99}, content_type="application/json")
    response = client.post(address, {"confirm": planted_event.number}, content_type="application/json")
    assert (refused_response.status_code, refused_response.json()["problems"][0]["code"]) == (
        400,
        "removal_not_confirmed",
    )
    assert (response.status_code, response.json()) == (200, preview)
    assert planted_event.zebedee.email != EMAIL


# Texts that say nothing of players: words of a closed set, what staff call the event, digests, and who of the
# staff did something. A new column of text needs a line here or in `TEXT_COLUMNS`.
OTHER_TEXTS = {
    "event": {"name", "slug", "time_zone", "place", "game", "format", "rules_version", "overlay", "entry_fee",
              "match_form", "standings_system", "own_system", "plan", "pairing_options", "hall",
              "reserved_tables", "clock_options", "screen", "language", "place_points"},
    "player": {"name", "folded_name", "members", "email", "character", "token", "club"},
    "invitation": {"token"},
    "retiredlink": {"digest"},
    "match": {"boards", "details", "ending"},
    "resultreport": {"boards", "details", "ending", "places"},
    "addedcard": {"key", "name", "set_code", "number", "facts"},
    "embeddingsite": {"origin"},
    "timesettlement": {"facts", "result", "decided_by", "clause", "document"},
    "exchangecheck": {"taken_out", "brought_in", "verdict", "checked_by"},
    "checkdraw": {"pool", "passed_over", "tables", "drawn_by"},
    "deckcheck": {"ticks", "started_by", "finished_by"},
    "judgecall": {"taken_by", "closed_by"},
    "tableruling": {"given_by"},
    "penalty": {"given_by"},
    "decklist": {"game", "format_key", "rules_version"},
    "deckversion": {"source_format", "rules_version", "judged_under", "options", "short_hash"},
    "rechecked": {"causes", "verdict", "judged_under"},
    "ruling": {"ruled_by"},
}  # fmt: skip


@each_case("table", EVENT_TABLES, around=rolled_back)
def test_every_text_of_an_event_is_cleaned_or_says_nothing_of_players(table: str) -> None:
    fields = get_table_model(table)._meta.concrete_fields
    texts = {
        field.name
        for field in fields
        if isinstance(field, models.CharField | models.TextField | models.JSONField) and not field.choices
    }
    known_columns = {*services.TEXT_COLUMNS.get(table, ()), *OTHER_TEXTS.get(table, ())}
    assert texts == known_columns | (set(services.DECK_COLUMNS) if table == "deckversion" else set())
