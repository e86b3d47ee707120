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


def test_all_forms_stand_on_one_blank_page_and_are_one_line_of_the_contents(event: Event) -> None:
    printed_sheet = print_sheet(event, "registration")
    contents = [page["/Contents"] for page in printed_sheet.pages]
    below = {parts[0].indirect_reference.idnum for parts in contents}
    idnums = {parts[1].indirect_reference.idnum for parts in contents}
    assert (len(below), len(idnums)) == (1, 5)
    sizes_of_texts = [len(parts[1].get_object()._data) for parts in contents]
    assert [size < 1000 for size in sizes_of_texts] == [True] * 5
    assert [printed_sheet.get_destination_page_number(line) for line in printed_sheet.outline] == [0]


@pytest.mark.parametrize("paper", ["A4", "Letter"])
def test_the_second_zone_of_an_empty_form_begins_its_second_strip(event: Event, paper: str) -> None:
    (page,) = forms.build_registration_forms(PrintRequest(event, None, paper, NOW, is_blank=True))["pages"]
    heads = [strip[0].lines[0].text for strip in page.strips]
    assert heads == ["Main deck, total cards: ____", "Sideboard, total cards: ____"]
