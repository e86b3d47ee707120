"""An altered archive is refused, or every page of its event still opens."""

from __future__ import annotations

import copy
import json
import logging
import re
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest
from django.db import transaction
from django.test import Client

from decks.shared.refusals import Refused
from tests import machine
from tests.everyday import each_case
from tests.scenarios.factories import organizer, sign_in_organizer
from tests.scenarios.rollback import rolled_back
from tests.tournament.access.test_rights import routes
from tests.tournament.archive.test_archive import rich_event
from tournament.archive.column_values import READERS, UNREADABLE
from tournament.archive.export import export_event
from tournament.archive.restore import restore_event
from tournament.archive.tables import TABLES_LEFT_OUT
from tournament.events.models.event import Event
from tournament.events.models.round import Match
from tournament.log.models import EVENT_TABLES, get_table_model
from tournament.log.services import undo_step

pytestmark = pytest.mark.django_db

TRIES = 400 if machine.whole() else 1
JUNK: tuple[Any, ...] = (
    None, True, -1, 5, 10**9, 10**30, 1.5, "", "x", "9999-12-31T23:59:59+00:00", "0001-01-01T00:00:00+00:00",
    [], [1], ["x"], [None], [[]], [{}], [{"a": 1}], {}, {"a": 1}, {"a": {"b": []}},
)  # fmt: skip
SHEETS = ("standings", "slips", "pairings-by-table", "pairings-by-name", "registration", "bracket", "badges")
NAMED = ("events/", "api/events/", "console/", "")

Path = tuple[str | int, ...]


@pytest.fixture(autouse=True)
def silent() -> Iterator[None]:
    logging.disable(logging.CRITICAL)
    yield
    logging.disable(logging.NOTSET)


@pytest.fixture
def document() -> dict[str, Any]:
    """Return the archive of an event with lists, rounds and a bracket.

    Cases copy what they change.
    """
    return json.loads(json.dumps(export_event(rich_event())))


def places(node: Any, path: Path = ()) -> Iterator[Path]:
    """Yield every value of a document but its log, the first of each list alone."""
    if path:
        yield path
    parts = node.items() if isinstance(node, dict) else enumerate(node[:1]) if isinstance(node, list) else ()
    for name, part in parts:
        if name != "log":
            yield from places(part, (*path, name))


def alter_document(document: dict[str, Any], path: Path, value: Any) -> str:
    """Return the document as text, with another value in one place."""
    whole = copy.deepcopy(document)
    node: Any = whole
    for name in path[:-1]:
        node = node[name]
    node[path[-1]] = value
    return json.dumps(whole)


def addresses(event: Event) -> Iterator[str]:
    """Yield the pages and calls that show an event, and those that list it."""
    match = Match.objects.filter(round__stage__event=event).first()
    player = event.players.first()
    values = {
        "slug": event.slug, "match_id": match and match.pk, "entry": event.log.earliest("pk").pk,
        "number": player.number if player else 1, "token": player.token if player else "x",
        "kind": "text", "sheet": "standings", "key": "ken",
    }  # fmt: skip
    for route in routes():
        shows_event = "slug:slug" in route or "token" in route or route in NAMED
        if shows_event and not re.search("^join|uuid|archive|^live", route):
            yield "/" + re.sub(
                "<([^>]+)>", lambda match: str(values.get(match[1].partition(":")[2], 1)), route
            )
    yield from (f"/console/{event.slug}/print/{sheet}/page/" for sheet in SHEETS)


def failing_pages(event: Event) -> list[str]:
    """Return the pages of an event that end in a fault."""
    client = Client(raise_request_exception=False)
    sign_in_organizer(client)
    failed_job = []
    for address in addresses(event):
        with transaction.atomic():
            answer = client.get(address)
            transaction.set_rollback(True)
        if answer.status_code >= 500:
            failed_job.append(address.replace(event.slug, "SLUG"))
    return failed_job


def test_event_of_an_altered_archive_has_no_page_that_fails(document: dict[str, Any]) -> None:
    opened_count = 0
    random = Random(20)
    choices = [(path, junk) for path in places(document) for junk in JUNK]
    for path, junk in random.sample(choices, TRIES):
        with transaction.atomic():
            try:
                event = restore_event(alter_document(document, path, junk), organizer())
            except Refused:
                continue
            assert (path, junk, failing_pages(event)) == (path, junk, [])
            opened_count += 1
            transaction.set_rollback(True)
    assert opened_count


def test_every_json_column_that_travels_has_a_reader() -> None:
    columns = {
        (table, field.name)
        for table in {*EVENT_TABLES, "rechecked"} - (TABLES_LEFT_OUT - {"rechecked"})
        for field in get_table_model(table)._meta.concrete_fields
        if field.get_internal_type() == "JSONField"
    }
    # The system of an event has a validator of its own.
    assert columns - READERS.keys() == {("event", "own_system")}


UNDER: dict[str, Any] = {
    "format": "constructed", "format_name": "Constructed", "rules": "1.9", "document": "Rules",
    "editions": ["bans 1"], "lists": [], "on": None, "overlay": None, "local_rules": ["Oto is banned here."],
    "problems": [], "notices": [],
}  # fmt: skip


@each_case("part", ["editions", "local_rules", "problems", "notices"], around=rolled_back)
def test_what_a_verdict_rests_on_is_words_or_codes_whose_parameters_can_be_read(part: str) -> None:
    reader = READERS["deckversion", "judged_under"]
    reader(
        {**UNDER, part: ["As it was told.", {"code": "edition", "params": {"name": "Bans", "since": None}}]}
    )
    for wrong in ({"code": "x", "params": {"a": {"b": []}}}, {"code": "x"}, {"params": {}}, 3, None):
        with pytest.raises(UNREADABLE):
            reader({**UNDER, part: [wrong]})


@each_case(
    ("column", "value", "code"),
    [
        ("game", "x", "format_unknown"), ("format", "x", "format_unknown"),
        ("rules_version", "x", "format_unknown"), ("slug", "", "archive_incomplete"),
        ("plan", [{}], "archive_incomplete"), ("overlay", 5, "archive_incomplete"),
    ], around=rolled_back,
)  # fmt: skip
def test_settings_that_no_event_has_do_not_come_back_by_an_undo(
    document: dict[str, Any], column: str, value: Any, code: str
) -> None:
    document = copy.deepcopy(document)
    line, change = next(
        (line, change) for line in document["log"] for change in line["changes"] if change["table"] == "event"
    )
    line["changes"] = [change]
    change["before"], change["after"] = {column: value}, {column: document["event"][column]}
    with pytest.raises(Refused) as refusal:
        restore_and_undo(document, line["action"])
    assert refusal.value.code == code


def restore_and_undo(document: dict[str, Any], action: str) -> None:
    """Import the archive and take the first step of the name back."""
    event = restore_event(json.dumps(document), organizer())
    undo_step(event.log.filter(action=action).earliest("pk"), organizer())


@each_case(
    "column", ["game", "format", "rules_version", "slug", "overlay", "prizes", "screen"], around=rolled_back
)
def test_settings_that_no_event_has_are_refused(document: dict[str, Any], column: str) -> None:
    document = copy.deepcopy(document)
    document["event"][column] = "" if column == "slug" else 5
    with pytest.raises(Refused):
        restore_event(json.dumps(document), organizer())


@each_case(
    "token", ["", "x", "a/b", "../x", 5, ["a"], "a" * 19 + "/", "a" * 20 + "\n", "é" * 20], around=rolled_back
)
def test_private_link_that_is_no_address_or_could_be_guessed_is_refused(
    document: dict[str, Any], token: Any
) -> None:
    document = copy.deepcopy(document)
    document["players"][0]["token"] = token
    with pytest.raises(Refused) as excinfo:
        restore_event(json.dumps(document), organizer())
    assert [problem.code for problem in excinfo.value.problems] == ["archive_value_wrong"]
