"""Golden files.

There is one for each file type and for each kind of disorder in real files. Each file in `tests/golden/decks`
has its expected result beside it, under the same name with `.lines` added. After an intended change, run with
WRITE_GOLDEN=1 and review the difference.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from decks.importers.parsing import FORMATS, parse
from tests.decks.importers.rendering import render
from tests.everyday import each_case

FOLDER = Path(__file__).parents[2] / "golden" / "decks"
FILES = sorted(path for path in FOLDER.iterdir() if path.suffix != ".lines" and not path.name.startswith("."))


@each_case("path", FILES)
def test_file_becomes_exactly_the_lines_beside_it(path: Path) -> None:
    expected_file = path.with_name(f"{path.name}.lines")
    rendered_lines = render(parse(path.read_bytes()))
    if os.environ.get("WRITE_GOLDEN"):
        expected_file.write_text(rendered_lines, encoding="utf-8", newline="")
    assert rendered_lines == expected_file.read_text(encoding="utf-8")


def test_every_format_has_a_golden_file() -> None:
    assert {parse(path.read_bytes()).format for path in FILES} == {*FORMATS, "unknown"}


def test_no_expectation_is_left_without_its_file() -> None:
    expectations = {path.name.removesuffix(".lines") for path in FOLDER.glob("*.lines")}
    assert expectations == {path.name for path in FILES}


@pytest.mark.parametrize("path", FILES, ids=[path.name for path in FILES])
def test_the_name_of_a_file_plays_no_part(path: Path, tmp_path: Path) -> None:
    renamed_file = tmp_path / "list"
    renamed_file.write_bytes(path.read_bytes())
    assert parse(renamed_file.read_bytes()) == parse(path.read_bytes())


@each_case("path", FILES)
def test_every_source_line_of_a_text_comes_back(path: Path) -> None:
    deck = parse(path.read_bytes())
    if deck.format not in {"text", "arena", "forum", "lackey-text", "csv"}:
        pytest.skip("entries of structured files do not stand a line each")
    assert [line.number for line in deck.lines] == list(range(1, len(deck.lines) + 1))
    joined_text = "\n".join(line.text for line in deck.lines)
    assert joined_text.split() == _decode_file(path, deck.encoding).split()


def _decode_file(path: Path, encoding: str) -> str:
    return path.read_bytes().decode(encoding).removeprefix("\ufeff").replace("\0", "\ufffd")
