"""The shipped catalogues and the lists of the demo."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest
from django.conf import settings
from django.core.management import CommandError, call_command

from decks.catalogue.models import Card, CatalogueState, Printing
from decks.catalogue.selectors import get_catalogue
from decks.checking.check import check_text
from rules import shipped_editions
from tests.everyday import each_case
from tests.scenarios.catalogue import import_files

pytestmark = pytest.mark.django_db
FOLDER = Path(settings.BASE_DIR) / "fixtures"
LISTS = sorted((FOLDER / "demo" / "decks").glob("*.txt"))


def load() -> str:
    out = io.StringIO()
    call_command("load_fixtures", stdout=out, stderr=out)
    return out.getvalue()


@pytest.fixture
def loaded_cards(db: None) -> None:
    for game in ("ufs", "cfc", "sf_miniatures"):
        import_files([FOLDER / game / "catalogue.json"])


def test_all_games_are_loaded_and_a_second_time_changes_nothing(db):
    first, before = load(), dict(CatalogueState.objects.values_list("game", "version"))
    assert set(before) == {"cfc", "highlander", "sf_miniatures", "ufs"}
    assert "in conflict" in first
    load()
    assert dict(CatalogueState.objects.values_list("game", "version")) == before


@each_case(
    ("game", "cards", "printings"), [("ufs", 1536, 1538), ("cfc", 476, 476), ("sf_miniatures", 26, 26)]
)
def test_each_game_holds_the_cards_that_people_play(loaded_cards, game, cards, printings):
    assert Card.objects.filter(game=game).count() == cards
    assert Printing.objects.filter(game=game).count() == printings


def test_every_highlander_number_is_a_printing(db):
    import_files([FOLDER / "highlander" / "catalogue.json"])
    assert Printing.objects.filter(game="highlander", attributes__has_key="id").count() == 775
    assert Printing.objects.get(game="highlander", key="HM3-107").attributes["aliases"] == ["HN13-107"]


def test_every_banned_ufs_card_is_in_the_catalogue(loaded_cards):
    catalogue = get_catalogue("ufs")
    bans = next(edition for edition in shipped_editions("ufs") if edition.kind == "bans")
    names = {(card.name, card.dots) for card in catalogue.cards.values()}
    assert len(bans.entries) == 16
    assert {(e["card"]["name"], e["card"].get("dots", 0)) for e in bans.entries} <= names


def test_clash_knows_the_cards_of_decks_and_the_markers_that_are_none(loaded_cards):
    of_deck = Printing.objects.filter(game="cfc", is_deck_card=True)
    assert (of_deck.count(), Printing.objects.filter(game="cfc", is_deck_card=False).count()) == (424, 52)
    assert get_catalogue("cfc").cards["red-arremer"].facts(None)["backups"] == ["Vampire", "Zombie", "Zombie"]


def test_a_set_is_found_by_each_code_that_people_use_and_a_name_in_two_spellings_is_one_card(loaded_cards):
    codes = ("4 Dark Hado (darkpath) 70", "4 Dark Hado (SF04) 70", "4 Dark Hado [darkpath]")
    lines = (*codes, "4 One-Armed Manuevers")
    checked_list = check_text("ufs", "constructed", "\n".join(lines), rules_version="1.9")
    *same_cards, other_spelling = checked_list.lines
    assert [line.printing_key for line in same_cards] == ["SF04-070"] * 3
    assert other_spelling.name == "One-Armed Maneuvers"


def test_what_no_document_states_is_left_out(loaded_cards):
    cards = get_catalogue("ufs").cards
    assert "symbols" not in cards["kubi-ori"].facts(None)
    assert cards["ken-2"].facts(None)["type"] == "character"
    assert "unique" not in cards["taking-the-bait"].facts(None)
    assert cards["taking-the-bait"].facts("SC03-090~starter")["unique"] is True


def test_shipped_files_hold_facts_and_no_nulls():
    for file in FOLDER.glob("*/catalogue.json"):
        for key, facts in json.loads(file.read_text(encoding="utf-8"))["cards"].items():
            assert None not in facts.values(), key


def expected_verdict(file: Path) -> str:
    odd = {"odd-banned-card": "illegal", "odd-five-copies": "illegal", "odd-misspelled-name": "unknown"}
    return odd.get(file.stem, "legal")


def test_each_list_of_the_demo_comes_out_as_it_should(loaded_cards):
    outcomes = {
        file.stem: check_text("ufs", "constructed", file.read_bytes(), rules_version="1.9").outcome
        for file in LISTS
    }
    assert outcomes == {file.stem: expected_verdict(file) for file in LISTS}
    assert len([outcome for outcome in outcomes.values() if outcome == "legal"]) == 16


def clash_deck() -> str:
    """Fifty cards by name, three of each but the last."""
    cards = json.loads((FOLDER / "cfc/catalogue.json").read_text(encoding="utf-8"))["cards"].values()
    names = [card["name"] for card in cards if card["type"] == "Character"][:17]
    return "\n".join(f"{3 if name != names[-1] else 2} {name}" for name in names)


def test_a_deck_of_clash_that_was_typed_by_its_names_is_legal(loaded_cards):
    checked_list = check_text("cfc", "standard", clash_deck())
    assert (checked_list.outcome, [total.cards for total in checked_list.totals]) == ("legal", [50])


def test_every_line_of_the_legal_lists_is_understood_and_they_can_start_their_character(loaded_cards):
    for file in LISTS:
        if expected_verdict(file) == "legal":
            character = file.stem.split("-")[0]
            options = {"diversity": True, "declared_character": character}
            text = file.read_text(encoding="utf-8")
            checked_list = check_text("ufs", "constructed", text, rules_version="1.9", options=options)
            assert (file.stem, checked_list.outcome, checked_list.unresolved_lines) == (
                file.stem,
                "legal",
                (),
            )


def test_a_catalogue_is_imported_and_previewed_by_command(db, tmp_path):
    file = tmp_path / "cards.csv"
    file.write_text("name,set,number,type\nMara.,ZZ1,1,Character\n,ZZ1,2,Action\n")
    out, err = io.StringIO(), io.StringIO()
    call_command("import_catalogue", str(file), game="ufs", preview=True, stdout=out, stderr=err)
    assert Card.objects.count() == 0
    assert "line 3: The record has no name." in err.getvalue()
    call_command("import_catalogue", str(file), game="ufs", stdout=out, stderr=err)
    assert Card.objects.get().name == "Mara"
    figures = "1 new printing, 0 facts added, 0 in conflict, 0 unchanged, 1 not readable."
    assert out.getvalue().count(figures) == 2


def test_a_file_that_cannot_be_imported_ends_the_command_in_words(db, tmp_path):
    with pytest.raises(CommandError, match="cannot be read"):
        call_command("import_catalogue", str(tmp_path / "none.json"))
    broken_file = tmp_path / "broken.json"
    broken_file.write_text("{")
    with pytest.raises(CommandError, match="The JSON cannot be read"):
        call_command("import_catalogue", str(broken_file))
