"""An exported list is read again as the same list, in every format."""

from __future__ import annotations

from itertools import groupby
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from decks.exporters.exporting import CannotExport, export
from decks.exporters.model import ExportEntry, to_export_entry
from decks.importers.model import DeckLine
from decks.importers.parsing import FORMATS, parse
from tests import machine
from tests.everyday import each_case

GUID = "55b0c9ff-4b3a-4b08-adc1-f1b5e03adef9"
TYPED = {"text", "arena", "forum", "lackey-text"}
NASTY = [
    ExportEntry(4, "Copper Golem"),
    ExportEntry(1, "Ken", "main", "SF01", "38/143", 2),
    ExportEntry(4, "Attack"),
    ExportEntry(24, "Foundations"),
    ExportEntry(1, "7 Iron"),
    ExportEntry(2, "4 Golems (SF01 3)"),
    ExportEntry(1, "M.I.A."),
    ExportEntry(1, "...To Stand a Chance"),
    ExportEntry(1, "You Must Fall…"),
    ExportEntry(1, "Kaede (OM)"),
    ExportEntry(1, "Fruit F#@!er"),
    ExportEntry(1, "Sideboard", "sideboard"),
    ExportEntry(3, 'The "Best" Day', "sideboard"),
    ExportEntry(1, "SB: 4 Golem", "sideboard"),
    ExportEntry(2, "Salt & <Iron>", "sideboard"),
    ExportEntry(1, "// Tin", "pregame"),
    ExportEntry(1, "Amanda: Persona", "pregame", variant="starter"),
    ExportEntry(1, "Alertness", "pregame", "HS4", "024 DVK"),
    ExportEntry(2, "Golem, the Tin", "pool", "SF03"),
    ExportEntry(1, "Tin", "pool", None, "38/143"),
    ExportEntry(1, "Tin", "pool", None, "38"),
    ExportEntry(1, "Total: 60", "aside"),
    ExportEntry(1, "â€™", "aside"),
]


def facts(line: DeckLine | ExportEntry) -> tuple[object, ...]:
    return (line.name, line.dots, line.set_code, line.collector_number, line.variant, line.zone)


def in_zones(lines: list[DeckLine] | list[ExportEntry]) -> list[tuple[tuple[object, ...], int]]:
    """Return the lines with their quantities, by zone.

    Adjacent lines of the same card are counted together.
    """
    sorted_lines = sorted(lines, key=lambda line: line.zone)
    return [(key, sum(line.qty or 0 for line in group)) for key, group in groupby(sorted_lines, key=facts)]


@each_case("format", FORMATS)
def test_a_list_of_nasty_names_survives_every_format(format: str) -> None:
    exported_text = export(NASTY, format, title="Nasty", game="ufs")
    deck = parse(exported_text.encode())
    assert deck.format in TYPED if format in TYPED else deck.format == format
    assert in_zones(list(deck.cards)) == in_zones(NASTY)
    assert deck.problems == ()


@each_case("format", sorted(set(FORMATS) - TYPED))
def test_identifiers_survive_the_formats_that_have_a_place_for_them(format: str) -> None:
    deck = parse(export([ExportEntry(2, "Tin", card_id=GUID), ExportEntry(1, "Iron")], format))
    assert {line.name: line.card_id for line in deck.cards if line.card_id != line.name} == (
        {"Tin": GUID} if format == "json" else {"Tin": GUID, "Iron": None}
    )


@each_case("format", FORMATS)
def test_an_empty_list_is_an_empty_file_of_its_format(format: str) -> None:
    assert parse(export([], format)).cards == ()


@each_case(
    "entry",
    [ExportEntry(0, "Tin"), ExportEntry(1000, "Tin"), ExportEntry(1, ""), ExportEntry(1, "Tin", "attic")],
)
def test_what_is_no_entry_of_a_list_is_refused(entry: ExportEntry) -> None:
    with pytest.raises(CannotExport):
        export([entry], "text")


def test_an_identifier_without_a_name_has_no_place_in_typed_text() -> None:
    with pytest.raises(CannotExport):
        export([ExportEntry(1, "", card_id=GUID)], "text")
    assert parse(export([ExportEntry(1, "", card_id=GUID)], "octgn")).cards[0].card_id == GUID


def test_a_format_that_does_not_exist_is_named_with_those_that_do() -> None:
    with pytest.raises(ValueError, match="no format 'papyrus'; there are text, arena"):
        export([], "papyrus")


def is_misread(name: str) -> bool:
    """Return whether a name looks like UTF-8 read as Latin 1.

    A reader of files corrects such names. No card has one.
    """
    try:
        return name.encode("latin-1").decode() != name
    except UnicodeError:
        return False


names = st.text(st.characters(exclude_categories=["Cs", "Cc", "Zl", "Zp"]), min_size=1, max_size=24)
entries = st.builds(
    ExportEntry,
    qty=st.integers(min_value=1, max_value=30),
    name=names.filter(lambda name: any(map(str.isalnum, name)) and not is_misread(name)),
    zone=st.sampled_from(["main", "sideboard", "pregame", "pool", "aside"]),
    set_code=st.sampled_from([None, "SF01", "SNK03", "HS4"]),
    collector_number=st.sampled_from([None, "7", "38/143", "014"]),
    dots=st.sampled_from([None, 1, 2, 5]),
)


@settings(max_examples=machine.examples(3), deadline=None)
@given(st.lists(entries, max_size=5))
def test_any_list_survives_every_format(deck: list[ExportEntry]) -> None:
    for format in FORMATS:
        parsed_deck = parse(export(deck, format))
        assert in_zones(list(parsed_deck.cards)) == in_zones([to_export_entry(entry) for entry in deck])


@each_case("format", FORMATS)
def test_parsed_lines_can_be_exported_as_they_are(format: str) -> None:
    golden = Path(__file__).parents[2] / "golden" / "decks" / "set-tags.txt"
    lines = [line for line in parse(golden.read_bytes()).cards if line.name]
    assert in_zones(list(parse(export(lines, format)).cards)) == in_zones([_entry(line) for line in lines])


def _entry(line: DeckLine) -> ExportEntry:
    number = line.collector_number
    return ExportEntry(
        line.qty or 0, line.name, line.zone, line.set_code, number, line.dots, line.variant, line.card_id
    )
