"""Sheets whose layout matters, compared with pictures.

These are slips, pairings by name, bracket and badges. Made again, after someone has looked at them, by

    GOLDEN_SHEETS=write .venv/bin/python -m pytest -n 0 tests/tournament/printing/test_golden_sheets.py

A letter is a box here, as wide as it is measured, so that the pictures are the same on every machine.
A picture is compared by how dark each field of four millimetres is, so that other codes change nothing,
while a line, a box or a column that moves does.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator
from datetime import UTC, datetime
from io import BytesIO
from pathlib import Path

import pytest
from PIL import Image, ImageChops, ImageStat

from tests import machine
from tests.everyday import each_case
from tests.fixtures.box_font import write_fonts
from tests.scenarios.factories import (
    add_players,
    built_once,
    make_event,
    open_matches,
    organizer,
    publish_next,
    started_event,
    win,
)
from tests.scenarios.rollback import rolled_back
from tournament.events.models.event import Event, Stage
from tournament.events.models.player import Player
from tournament.events.models.round import Round
from tournament.printing.registry import SHEETS
from tournament.printing.render import render_sheet_pdf
from tournament.printing.request import PrintRequest, find_round
from tournament.printing.sheets import badges as people
from tournament.printing.sheets import slips
from tournament.setup.services import events
from tournament.shared.links import make_qr_dots

pytestmark = [pytest.mark.django_db, pytest.mark.paper]

FOLDER = Path(__file__).parents[2] / "golden" / "sheets"
DOTS_AN_INCH = 40
DOTS_A_FIELD = 6
MOST_IN_A_FIELD = 60
MOST_ON_AVERAGE = 2.5
NAMES = ("Ada Holt", "Ben Ito", "Cem Polat", "Dana Reyes", "Eddie Long", "Fatima El-Sayed", "Goran Petrovic",
         "Hana Suzuki", "Ines Carvalho", "Jonas Meyer",
         "Pablo Echeverria-Santos de la Torre y Alvarez del Castillo Montenegro")  # fmt: skip


@pytest.fixture(scope="module", autouse=True)
def tools() -> None:
    """The programs needed to print and to draw."""
    if shutil.which("pdftoppm") is None:
        pytest.skip("no pdftoppm on this machine (Debian: apt-get install poppler-utils)")


@pytest.fixture(scope="module")
def fonts(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A configuration with the font of boxes alone."""
    return write_fonts(tmp_path_factory.mktemp("fonts"))


@pytest.fixture(autouse=True)
def same_fonts(fonts: Path) -> Iterator[None]:
    """The renderer reads the configuration of fonts for each document."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("FONTCONFIG_FILE", str(fonts))
        yield


@built_once
def swiss() -> Event:
    """Eleven players in round 1; the lot decides nothing that is seen."""
    event = started_event(len(NAMES))
    round_ = publish_next(event)
    seats = [
        seat
        for match in round_.matches.order_by("table", "pk")
        for seat in (match.p1_id, match.p2_id)
        if seat
    ]
    for number, (name, seat) in enumerate(zip(NAMES, seats, strict=True), 1):
        Player.objects.filter(pk=seat).update(name=name, character="Ken", number=100 + number)
    return event


@built_once
def bracket() -> Event:
    """Return a bracket of six with a match for third place.

    Its first two matches are played.
    """
    event = make_event(plan=[{"kind": "single", "third_place": True}])
    add_players(event, 6)
    events.start_event(event, organizer())
    for entrant in Stage.objects.get(event=event).entrants.select_related("player"):
        Player.objects.filter(pk=entrant.player_id).update(name=NAMES[-entrant.seed])
    for match in open_matches(Round.objects.filter(stage__event=event).first())[:2]:
        win(match)
    return event


def draw_first_page(event: Event, sheet: str) -> Image.Image:
    """Return the first page of a sheet in gray."""
    print_request = PrintRequest(
        event,
        find_round(event, None, None),
        "A4",
        datetime(2026, 5, 2, 9, 30, tzinfo=UTC),
        "https://a.example",
    )
    # A code leads to a number of the database, which is another each time.
    with pytest.MonkeyPatch.context() as patch:
        for module in (slips, people):
            patch.setattr(module, "_code", lambda *_: make_qr_dots("https://a.example/S/1"))
        sheet_pdf = render_sheet_pdf(SHEETS[sheet], print_request)
    command = ["pdftoppm", "-r", str(DOTS_AN_INCH), "-gray", "-png", "-f", "1", "-l", "1", "-singlefile", "-"]
    process = subprocess.run(command, input=sheet_pdf, capture_output=True, check=True)
    return Image.open(BytesIO(process.stdout)).convert("L")


def difference(one: Image.Image, other: Image.Image) -> tuple[float, int]:
    """Return by how much the fields of two pictures differ, on average and at most.

    The values are from 0 to 255.
    """
    fields = (one.width // DOTS_A_FIELD, one.height // DOTS_A_FIELD)
    apart = ImageChops.difference(*(each.resize(fields, Image.Resampling.BOX) for each in (one, other)))
    statistics = ImageStat.Stat(apart)
    return statistics.mean[0], int(statistics.extrema[0][1])


def move_picture(picture: Image.Image, dots: int) -> Image.Image:
    """Move a picture down by so many dots."""
    lower = Image.new("L", picture.size, 255)
    lower.paste(picture, (0, dots))
    return lower


SHOWN = {"slips": swiss, "pairings-by-name": swiss, "badges": swiss, "bracket": bracket}


@pytest.mark.skipif(not machine.on_sqlite(), reason="the pictures have the numbers that SQLite gives to rows")
@each_case("sheet", SHOWN, around=rolled_back)
def test_sheet_looks_as_in_the_last_reviewed_picture(sheet: str) -> None:
    picture_path = FOLDER / f"{sheet}.png"
    now = draw_first_page(SHOWN[sheet](), sheet)
    if os.environ.get("GOLDEN_SHEETS") == "write":
        FOLDER.mkdir(parents=True, exist_ok=True)
        now.quantize(16).save(picture_path, optimize=True)
    golden = Image.open(picture_path).convert("L")
    assert now.size == golden.size
    average, most = difference(now, golden)
    assert (average < MOST_ON_AVERAGE, most < MOST_IN_A_FIELD) == (True, True), f"{average:.2f}, {most}"


@each_case("sheet", SHOWN, around=rolled_back)
def test_what_moves_by_four_millimetres_is_noticed(sheet: str) -> None:
    golden = Image.open(FOLDER / f"{sheet}.png").convert("L")
    average, most = difference(golden, move_picture(golden, DOTS_A_FIELD))
    assert average >= MOST_ON_AVERAGE or most >= MOST_IN_A_FIELD


def test_all_pictures_are_smaller_than_100_kilobytes() -> None:
    assert 0 < sum(path.stat().st_size for path in FOLDER.glob("*.png")) < 100_000
