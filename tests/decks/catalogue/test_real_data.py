"""The code against the real catalogues; skipped if they are not at hand."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from django.conf import settings

import rules
from decks.cards.selectors import search_cards
from decks.catalogue.models import Card, Printing
from decks.catalogue.services.catalogue import import_catalogue
from decks.checking.check import check_text
from tests.everyday import some
from tests.scenarios.catalogue import import_files

pytestmark = pytest.mark.django_db


SHIPPED = Path(settings.BASE_DIR) / "fixtures"
PRINTINGS = "data/ufs/printings-2006-2008.csv"


def test_all_real_clash_decks_are_legal_with_the_cards_that_ship(real_data, db):
    import_files([SHIPPED / "cfc/catalogue.json"])
    decks = sorted((real_data / "data/cfc/decks").glob("*.o8d"))
    assert [outcome(file.read_bytes()) for file in decks] == [("legal", [])] * 17


@pytest.mark.daily_on_postgres
def test_the_real_files_add_facts_to_the_cards_that_ship_and_contradict_none(real_data, db):
    import_files([SHIPPED / "cfc/catalogue.json"])
    for name in ("set.xml", "set-hidden.xml"):
        plan = import_catalogue((real_data / "data/cfc" / name).read_bytes())
        assert (plan.new_cards, plan.conflicts, plan.problems) == ([], [], [])


@pytest.fixture
def cfc(real_data, db):
    import_files(real_data / "data/cfc" / name for name in ("set.xml", "set-hidden.xml"))
    return sorted((real_data / "data/cfc/decks").glob("*.o8d"))


def outcome(data: bytes | str) -> tuple[str, list[str]]:
    (format_key, *_) = rules.format_names("cfc")
    checked_list = check_text("cfc", format_key, data)
    return checked_list.outcome, [finding.rule for finding in checked_list.verdict.errors]


def test_the_clash_package_holds_424_deck_cards_and_52_that_are_none(cfc):
    counts = [Printing.objects.filter(is_deck_card=is_card).count() for is_card in (True, False)]
    assert counts == [424, 52]


def test_importing_the_package_again_changes_nothing(real_data, cfc):
    plan = import_catalogue((real_data / "data/cfc/set.xml").read_bytes())
    assert (plan.unchanged_count, plan.writes_something) == (424, False)


def test_a_clash_deck_with_a_card_out_in_or_tripled_is_judged_rightly(cfc):
    text = cfc[-1].read_text(encoding="utf-8-sig")
    assert outcome(text.replace('qty="3"', 'qty="2"', 1)) == ("illegal", ["CFC-L01"])
    assert outcome(text.replace('qty="2"', 'qty="3"', 1)) == ("illegal", ["CFC-L01"])
    assert outcome(text.replace('qty="3"', 'qty="9"', 1)) == ("illegal", ["CFC-L01", "CFC-L02"])


def test_all_clash_decks_are_legal_and_every_line_is_found_by_its_identifier(cfc):
    (format_key, *_) = rules.format_names("cfc")
    assert len(cfc) == 17
    for file in cfc:
        checked_list = check_text("cfc", format_key, file.read_bytes())
        assert (file.name, checked_list.outcome, checked_list.verdict.errors) == (file.name, "legal", ())
        cards = [line for line in checked_list.lines if line.kind == "card"]
        assert {(line.found_by, line.is_certain, line.is_resolved) for line in cards} == {
            ("identifier", True, True)
        }
        assert (checked_list.unresolved_lines, sum(line.qty for line in cards)) == ((), 50)


def test_every_clash_deck_with_a_card_out_in_or_tripled_is_judged_rightly(cfc):
    for file in some(4, cfc):
        text = file.read_text(encoding="utf-8-sig")
        first = re.search(r'qty="(\d)"', text)
        copies = int(first[1])
        for changed_copies in {copies - 1, copies + 1, 3 * copies} - {0}:
            rules_broken = ["CFC-L01", *(["CFC-L02"] if changed_copies > 3 else [])]
            judged_list = outcome(text.replace(first[0], f'qty="{changed_copies}"', 1))
            assert (file.name, changed_copies, judged_list) == (
                file.name,
                changed_copies,
                ("illegal", rules_broken),
            )


@pytest.fixture
def ufs(real_data, db):
    import_files([SHIPPED / "ufs/catalogue.json"])
    import_files([real_data / PRINTINGS], game="ufs")


@pytest.mark.daily_on_postgres
def test_the_ufs_printings_are_the_shipped_ones_without_conflict(real_data, db):
    import_files([SHIPPED / "ufs/catalogue.json"])
    plan = import_catalogue((real_data / PRINTINGS).read_bytes(), game="ufs")
    assert (plan.new_cards, plan.conflicts, plan.problems) == ([], [], [])
    assert Printing.objects.filter(game="ufs").exclude(card_set=None).count() >= 1527
    assert Card.objects.get(game="ufs", key="hem-stitch").attributes["type"] == "attack"
    assert list_places_of_dark_hados() == ["SF03 15/90", "SF04 070/144"]


def list_places_of_dark_hados():
    cards = Card.objects.filter(game="ufs", name="Dark Hado")
    return sorted(card.printings.get().place for card in cards)


def test_the_two_dark_hados_stay_two_cards(ufs):
    assert list_places_of_dark_hados() == ["SF03 15/90", "SF04 070/144"]


def test_one_ken_is_found_in_every_spelling(ufs):
    spellings = ("Ken ●●", "Ken..", "Ken**", "Ken2", "SF01 38", "SF01 38/143", "SF01-038")
    best = {text: search_cards(text, game="ufs")[0] for text in spellings}
    assert {text: best_match.label for text, best_match in best.items()} == dict.fromkeys(spellings, "Ken ●●")
    assert best["Ken2"].places == ("SF01 38/143",)


def test_no_attribute_of_clash_that_the_rules_need_is_lost_on_the_way_in(cfc):
    clash = Card.objects.get(game="cfc", name="Nina").attributes
    assert set(clash) >= {
        "publisher", "team", "type", "subtype", "ability", "ability_symbol", "ability_name", "bp", "sp",
        "backups",
    }  # fmt: skip
    printing = Printing.objects.get(game="cfc", card__name="Nina")
    assert set(printing.attributes) == {"rarity", "illustrator", "gid"}
    assert printing.number_as_printed == "C001"


def test_no_attribute_of_a_table_of_printings_that_the_rules_need_is_lost_on_the_way_in(ufs):
    table = Printing.objects.get(game="ufs", key="PA-001")
    assert (table.card.name, table.card.attributes["type"]) == ("Gabe, Boy Wonder", "character")
    assert table.attributes["rarity"] == "Rare"
