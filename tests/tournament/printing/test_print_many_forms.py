"""Forms of many players.

They are read some at a time, with one blank page below them all, and packed as they are drawn.
"""

from __future__ import annotations

from datetime import UTC, datetime
from io import BytesIO

import pytest
from pypdf import PdfReader

from tests.scenarios.factories import built_once, make_event
from tournament.events.models.event import Event
from tournament.events.models.player import Player
from tournament.printing.registry import SHEETS
from tournament.printing.render import render_sheet_pdf
from tournament.printing.request import PrintRequest
from tournament.printing.sheets import forms

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.paper,
]
NOW = datetime(2026, 5, 2, 9, 30, tzinfo=UTC)
NAMES = ("Eve", "bo", "Ada", "Dan", "Cy")


@pytest.fixture
@built_once
def event() -> Event:
    """Five players who have submitted nothing."""
    event = make_event()
    Player.objects.bulk_create(
        Player(event=event, number=number, name=name, lot=number, registered_at=NOW)
        for number, name in enumerate(NAMES, 1)
    )
    return event


def print_sheet(event: Event, key: str) -> PdfReader:
    """Return a sheet for everyone."""
    return PdfReader(BytesIO(render_sheet_pdf(SHEETS[key], PrintRequest(event, None, "A4", NOW))))


@pytest.mark.parametrize("key", ["registration", "deck-check"])
def test_forms_that_are_read_two_at_a_time_come_by_name(
    event: Event, key: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(forms, "AT_A_TIME", 2)
    texts = [page.extract_text() for page in print_sheet(event, key).pages]
    assert [next(name for name in NAMES if name in text.split()) for text in texts] == [
        "Ada", "bo", "Cy", "Dan", "Eve",
    ]  # fmt: skip


def test_all_forms_stand_on_one_blank_page_of_the_file(event: Event) -> None:
    contents = [page["/Contents"] for page in print_sheet(event, "registration").pages]
    below = {parts[0].indirect_reference.idnum for parts in contents}
    idnums = {parts[1].indirect_reference.idnum for parts in contents}
    assert (len(below), len(idnums)) == (1, 5)


def test_what_is_written_on_a_form_takes_less_than_a_kilobyte_of_the_file(event: Event) -> None:
    parts = [page["/Contents"][1].get_object() for page in print_sheet(event, "registration").pages]
    assert [len(part._data) < 1000 for part in parts] == [True] * 5


@pytest.mark.parametrize("paper", ["A4", "Letter"])
def test_the_second_zone_of_an_empty_form_begins_its_second_strip(event: Event, paper: str) -> None:
    (page,) = forms.build_registration_forms(PrintRequest(event, None, paper, NOW, is_blank=True))["pages"]
    heads = [strip[0].lines[0].text for strip in page.strips]
    assert heads == ["Main deck, total cards: ____", "Sideboard, total cards: ____"]


def test_a_sheet_of_many_pages_is_one_line_of_the_contents(event: Event) -> None:
    printed_sheet = print_sheet(event, "registration")
    assert [printed_sheet.get_destination_page_number(line) for line in printed_sheet.outline] == [0]
