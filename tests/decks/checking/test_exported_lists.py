"""Every list in every type of file is read back as the same list.

Cards, printings, copies and zones are the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.utils.text import slugify

import rules
from decks.catalogue.models import Printing
from decks.catalogue.selectors import LoadedCatalogue, disambiguate_name, find_namesakes, get_catalogue
from decks.catalogue.services.catalogue import import_catalogue
from decks.checking.deck_files import FILE_TYPES, write_deck_file
from decks.importers.parsing import parse
from tests import machine
from tests.everyday import some
from tests.scenarios.catalogue import import_files

pytestmark = pytest.mark.django_db
FOLDER = Path(settings.BASE_DIR) / "fixtures"
Row = dict[str, object]


def catalogue(game: str) -> LoadedCatalogue:
    import_files([FOLDER / game / "catalogue.json"])
    return get_catalogue(game)


def all_entries(loaded_catalogue: LoadedCatalogue) -> list[Row]:
    """Return an entry for each printing of each deck card.

    There is also one for each card without a printing.
    """
    rows: list[Row] = []
    not_cards = set(Printing.objects.filter(is_deck_card=False).values_list("card__key", flat=True))
    for card in (each for key, each in loaded_catalogue.cards.items() if key not in not_cards):
        for printing in (*card.printings, None):
            row = {"card": card.key, "printing": printing, "name": card.label, "qty": 1 + len(rows) % 4}
            rows.append({**row, "zone": ("main", "sideboard")[len(rows) % 2], "line": len(rows) + 1})
    return rows


def read_back(loaded_catalogue: LoadedCatalogue, content: str) -> list[tuple[Any, ...]]:
    copies: list[tuple[Any, ...]] = []
    for line in parse(content.encode()).cards:
        line_match = loaded_catalogue.index.resolve(line)
        copies += [(line.zone, line_match.card_key, line_match.printing_key)] * (line.qty or 0)
    return copies


def list_lost_copies(loaded_catalogue: LoadedCatalogue, rows: Sequence[Row], kind: str) -> list[object]:
    """Return the copies that are read back as another card or another printing."""
    lines_read = read_back(loaded_catalogue, write_deck_file(loaded_catalogue.game, rows, kind))
    meant_rows = [
        (row["zone"], row["card"], row["printing"])
        for zone in ("main", "sideboard")
        for row in rows
        if row["zone"] == zone
        for _ in range(row["qty"])
    ]
    pairs = zip(meant_rows, lines_read, strict=True)
    return [(one, other) for one, other in pairs if one[: 2 + bool(one[2])] != other[: 2 + bool(one[2])]]


def check_every_type(loaded_catalogue: LoadedCatalogue, rows: Sequence[Row]) -> None:
    for start in range(0, len(rows), 200):
        for kind in FILE_TYPES:
            assert (kind, list_lost_copies(loaded_catalogue, rows[start : start + 200], kind)) == (kind, [])


@pytest.mark.parametrize(("game", "step"), [("ufs", 72), ("cfc", 36), ("sf_miniatures", 1)])
def test_every_shipped_printing_comes_back_from_every_type_of_file(game, step):
    known_catalogue = catalogue(game)
    check_every_type(known_catalogue, all_entries(known_catalogue)[:: 1 if machine.whole() else step])


def test_printings_of_a_large_catalogue_come_back_from_every_type_of_file(db):
    known_catalogue = catalogue("highlander")
    rows = all_entries(known_catalogue)
    named_as_keys = [
        row for row in rows if slugify(row["name"]) in known_catalogue.cards.keys() - {row["card"]}
    ]
    assert named_as_keys
    check_every_type(known_catalogue, [*rows[::72], *some(8, named_as_keys)])


@pytest.mark.whole("one entry in 72, above")
def test_every_printing_of_the_large_catalogue_comes_back_from_every_type_of_file(db):
    known_catalogue = catalogue("highlander")
    check_every_type(known_catalogue, all_entries(known_catalogue))


def test_every_real_printing_comes_back_from_every_type_of_file(real_data):
    for game, file in (("ufs", "printings-2006-2008.csv"), ("cfc", "set.xml")):
        import_catalogue((real_data / "data" / game / file).read_bytes(), game=game)
        catalogue = get_catalogue(game)
        step = 1 if machine.whole() else 96
        check_every_type(catalogue, all_entries(catalogue)[::step])


@pytest.mark.parametrize("game", ["ufs", "highlander"])
def test_the_name_of_every_namesake_on_a_sheet_is_read_back_as_its_card(game):
    known_catalogue = catalogue(game)
    namesakes = find_namesakes(game)
    assert namesakes
    for row in all_entries(known_catalogue):
        if row["card"] in namesakes:
            shown_name = disambiguate_name(row, namesakes)
            (line,) = parse(f"4 {shown_name}").cards
            assert (shown_name, known_catalogue.index.resolve(line).card_key) == (shown_name, row["card"])


def test_an_octgn_file_names_the_game_as_octgn_does():
    known_catalogue = catalogue("cfc")
    content = write_deck_file("cfc", all_entries(known_catalogue)[:2], "octgn")
    assert f'game="{rules.get_game("cfc").cards.octgn_game}"' in content
