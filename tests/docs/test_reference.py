"""Agreement of docs/reference with the code.

Pages generated from the code are current, and tables written by hand are complete.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from config.env.accounts import RATE_LIMITS
from config.serving.body_limits import BODY_LIMITS, FORM
from decks.checking.deck_files import FILE_TYPES
from decks.importers.parsing import FORMATS
from tests.docs import reference
from tests.everyday import each_case
from tournament.access.permissions import RIGHTS_BY_ROLE, Kind, Right
from tournament.events.presets import PLAN_PRESETS, SIDES_PRESETS
from tournament.events.settings import MAX_STAGES
from tournament.registration.player_csv import COLUMN_NAMES
from tournament.results.change_lines import MOVE_PATTERN, SWAP_PATTERN
from tournament.results.forms import MARKS, parse_slip

ROLES = (Kind.OWNER, Kind.ORGANIZER, Kind.JUDGE, Kind.SCOREKEEPER)
UNITS = {"10s": "10 seconds", "h": "an hour", "10m": "10 minutes", "15m": "15 minutes"}


def read_page(name: str) -> str:
    return (reference.FOLDER / f"{name}.md").read_text(encoding="utf-8")


def read_rows(name: str) -> Iterator[list[str]]:
    """Yield the cells of the rows of all tables of a page, heads left out."""
    for row in re.findall(r"^\| (.*) \|$", read_page(name), re.MULTILINE):
        yield [cell.strip() for cell in row.split(" | ")]


def read_first_codes(name: str) -> list[str]:
    """Return everything between backticks in the first cells of a page."""
    return [code for cells in read_rows(name) for code in re.findall(r"`([^`]+)`", cells[0])]


@each_case("name", reference.PAGES)
def test_page_made_of_the_code_is_current(name: str) -> None:
    assert read_page(name) == reference.write_page(name), "Run bin/reference"


def test_rights_are_those_of_the_roles() -> None:
    rights = {
        code: tuple(cell == "yes" for cell in cells[1:])
        for cells in read_rows("rights")
        if len(cells) == 1 + len(ROLES) and (code := cells[0].partition(":")[0].strip("`")) in set(Right)
    }
    assert rights == {right.value: tuple(right in RIGHTS_BY_ROLE[role] for role in ROLES) for right in Right}


def test_slip_lines_are_read() -> None:
    lines = [code for code in read_first_codes("slip-codes") if code.startswith("12 ")]
    assert len(lines) > 10
    assert {parse_slip(line).table for line in lines} == {12}


def test_lines_that_change_pairings_are_read() -> None:
    lines = [code for code in read_first_codes("slip-codes") if code.startswith(("x ", "m "))]
    assert len(lines) > 2
    assert [line for line in lines if not (SWAP_PATTERN.match(line) or MOVE_PATTERN.match(line))] == []


def test_every_mark_of_a_slip_is_told() -> None:
    codes = read_first_codes("slip-codes")
    told_codes = {code for code in codes if not code.startswith(("12 ", "x ", "m "))}
    assert [mark for mark in told_codes if not re.fullmatch(MARKS, mark)] == []
    assert {mark.rstrip("12") for mark in told_codes} >= {
        re.sub(r"\W.*|12", "", mark) for mark in MARKS.split("|")
    }


def test_deck_file_types_are_those_that_are_read_and_written() -> None:
    cells_by_text = {
        cells[1].strip("`"): (cells[0], cells[2].strip("`."))
        for cells in read_rows("file-types")
        if len(cells) == 3 and cells[1].startswith("`")
    }
    assert cells_by_text == {key: (kind.words, kind.suffix) for key, kind in FILE_TYPES.items()}
    assert set(cells_by_text) == set(FORMATS)


def test_columns_of_a_player_table_are_told() -> None:
    assert set(read_first_codes("player-csv")) == set(COLUMN_NAMES)


def test_sizes_of_requests_are_told() -> None:
    sizes = {cells[1] for cells in read_rows("limits") if len(cells) == 3}
    assert sizes - {"Limit", "---"} == {limit.words for limit in (FORM, *BODY_LIMITS.values())}


@each_case("name", [name for name, limit in RATE_LIMITS.items() if limit])
def test_limits_on_tries_are_told(name: str) -> None:
    page = read_page("limits")
    for limit in str(RATE_LIMITS[name]).split(","):
        count, time, _ = limit.split("/")
        assert f"{count} in {UNITS[time]}" in page or f"{count} from one network address" in page


def test_usual_structures_are_told() -> None:
    stages = [cells[0] for cells in read_rows("stages")]
    assert [preset.name for preset in (*PLAN_PRESETS, *SIDES_PRESETS) if preset.name not in stages] == []
    assert f"up to {MAX_STAGES} stages" in read_page("stages")
