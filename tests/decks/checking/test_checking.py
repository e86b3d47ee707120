"""A typed list, and all results of its check."""

from __future__ import annotations

import json

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

import rules
from decks.catalogue.selectors import get_catalogue
from decks.catalogue.services.catalogue import import_catalogue
from decks.checking import check as check_module
from decks.checking.check import check_text
from decks.checking.records import verdict_from_json
from decks.checking.result import CheckedLine
from tests import machine
from tests.scenarios.catalogue import FILLERS, LEGAL, list_of, small_catalogue, write

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _catalogue(db: None) -> None:
    small_catalogue()


def check(text: str | bytes, **more: object):
    return check_text("ufs", "constructed", text, rules_version="1.9", **more)


def errors(checked_list) -> list[tuple[str, str]]:
    return [(finding.rule, finding.code) for finding in checked_list.verdict.errors]


def test_sixty_understood_cards_with_a_character_are_legal():
    checked_list = check(LEGAL)
    assert checked_list.outcome == "legal"
    assert [(total.zone, total.cards) for total in checked_list.totals] == [("main", 60)]
    assert checked_list.unresolved_lines == ()
    assert checked_list.findings == ()
    assert (checked_list.format_name, checked_list.verdict.version) == ("Constructed", "1.9")


def test_each_line_tells_what_it_became():
    checked_list = check(list_of("Character", "1 Mara **"))
    heading, character, first = checked_list.lines[:3]
    assert (heading.kind, heading.is_resolved) == ("section", True)
    assert (character.qty, character.name, character.zone) == (1, "Mara ●●", "main")
    assert (character.card_key, character.printing_key) == ("mara-2", "ZZ1-102")
    assert (first.number, first.text, first.card_key) == (3, "4 Anvil Stance", "anvil-stance")


def test_a_line_that_names_a_printing_says_where_it_stands():
    (line,) = check("1 Mara ● (ZZ1 101)").lines
    assert (line.printing_key, line.place) == ("ZZ1-101", "ZZ1 101")


def test_a_misspelled_name_keeps_the_list_from_being_legal_and_brings_a_suggestion():
    checked_list = check(LEGAL.replace("4 Granite Guard", "4 Granit Guard"))
    assert checked_list.outcome == "unknown"
    (line,) = checked_list.unresolved_lines
    assert (line.text, line.status, line.card_key) == ("4 Granit Guard", "fuzzy-suggestions", None)
    assert [suggestion.card_key for suggestion in line.suggestions] == ["granite-guard"]


def test_the_copies_of_a_misspelled_card_still_count_towards_sixty():
    checked_list = check(LEGAL.replace("4 Granite Guard", "4 Granit Guard"))
    assert [(total.zone, total.cards) for total in checked_list.totals] == [("main", 60)]
    assert errors(checked_list) == []


def test_a_name_that_fits_two_versions_asks_which():
    checked_list = check(list_of("1 Mara"))
    (line,) = checked_list.unresolved_lines
    assert line.status == "ambiguous"
    assert {suggestion.card_key for suggestion in line.suggestions} == {"mara-1", "mara-2"}
    assert checked_list.outcome == "unknown"


def test_a_line_without_sense_keeps_the_list_from_being_legal():
    checked_list = check(LEGAL + "\n0 Oto ●●●")
    (line,) = checked_list.unresolved_lines
    assert (line.kind, line.status, line.qty) == ("problem", "quantity_not_positive", None)
    assert checked_list.outcome == "unknown"


def test_an_illegal_list_stays_illegal_whatever_else_is_unclear():
    checked_list = check(list_of("1 Mara ●", "1 Kubi Ori", "2 Nobody Knows This"))
    assert checked_list.outcome == "illegal"
    assert errors(checked_list) == [("UFS-L06", "banned-card")]


def test_every_broken_rule_is_reported_at_once():
    checked_list = check("1 Mara ●\n5 Anvil Stance\n1 Kubi Ori\nSideboard\n2 Ember Vow")
    assert errors(checked_list) == [
        ("UFS-L01", "deck-too-small"),
        ("UFS-L03", "too-many-copies"),
        ("UFS-L04", "sideboard-wrong-size"),
        ("UFS-L06", "banned-card"),
    ]


def test_lines_of_one_card_add_up():
    checked_list = check(list_of("1 Mara ●", "3 Anvil Stance", "2 ZZ1 1 Anvil Stance", fillers=54))
    (finding,) = [finding for finding in checked_list.findings if finding.rule == "UFS-L03"]
    assert finding.found == 9
    assert finding.lines == (2, 3, 4)


def test_a_declared_character_that_cannot_start_is_a_fault():
    options = {"diversity": True, "declared_character": "Oto"}
    assert errors(check(LEGAL, options=options)) == [("UFS-L22", "declared-character-missing")]


def test_local_rules_change_the_verdict_and_are_named():
    overlay = {"name": "House rules", "bans": ["Anvil Stance"]}
    checked_list = check(LEGAL, overlay=overlay)
    assert errors(checked_list) == [("UFS-L06", "banned-card")]
    assert checked_list.verdict.overlay == "House rules"
    assert checked_list.local_rule_words == ["Anvil Stance is banned here."]


def test_cards_set_aside_are_shown_and_do_not_count():
    checked_list = check(LEGAL + "\nMaybeboard\n4 Nobody Knows This")
    assert checked_list.outcome == "legal"
    assert [(total.zone, total.cards) for total in checked_list.totals] == [("main", 60), ("aside", 4)]
    assert [entry["zone"] for entry in checked_list.entries_json()] == ["main"] * 16


def test_a_list_as_json_names_cards_by_key_or_by_name():
    main = [{"card": "ZZ1-101", "qty": 1}, {"card": "Mara ●●", "qty": 1}]
    main += [{"card": key, "qty": 4} for key in list(FILLERS)[:14]] + [{"card": "Oaken Will", "qty": 2}]
    checked_list = check(json.dumps({"main": main, "sideboard": [{"card": "ZZ1-016", "qty": 4}] * 2}))
    assert checked_list.unresolved_lines == ()
    assert [(total.zone, total.cards) for total in checked_list.totals] == [("main", 60), ("sideboard", 8)]
    assert errors(checked_list) == [("UFS-L03", "too-many-copies")]


@pytest.mark.both_databases
def test_a_card_that_left_the_catalogue_is_unknown_again():
    from decks.catalogue.models import Printing

    Printing.objects.filter(key="ZZ1-001").first().delete()
    checked_list = check(LEGAL)
    assert [line.text for line in checked_list.unresolved_lines] == ["4 Anvil Stance"]


def test_a_new_import_is_seen_by_the_next_check():
    text = LEGAL.replace("4 Anvil Stance", "4 Late Arrival")
    assert check(text).outcome == "unknown"
    import_catalogue(write({"ZZ2-001": {"name": "Late Arrival", "type": "action", "dots": 0}}))
    assert check(text).outcome == "legal"


def test_a_change_by_hand_is_seen_by_the_next_check():
    from decks.catalogue.models import Card

    assert check(LEGAL).outcome == "legal"
    card = Card.objects.get(game="ufs", key="mara-1")
    card.attributes = {"type": "asset", "split": [], "dots": 1}
    card.save()
    assert errors(check(LEGAL)) == [("UFS-L02", "no-character")]


def test_facts_that_printings_do_not_share_are_unknown_until_a_printing_is_named():
    from decks.catalogue.selectors import get_catalogue

    cards = {
        "ZZ3-001~starter": {"name": "Twice Told", "type": "action", "unique": True, "variant": "starter"},
        "ZZ3-001~booster": {"name": "Twice Told", "type": "action", "unique": False, "variant": "booster"},
    }
    import_catalogue(write(cards))
    catalogue = get_catalogue("ufs")
    assert catalogue.card_facts("twice-told").attributes.get("unique") is None
    assert catalogue.card_facts("twice-told").attributes["type"] == "action"
    assert catalogue.card_facts("twice-told", "ZZ3-001~starter").attributes["unique"] is True


def test_a_warm_check_asks_only_whether_catalogue_or_lists_changed(django_assert_num_queries):
    check(LEGAL)
    with django_assert_num_queries(2):
        check(LEGAL)


def test_unknown_formats_and_bad_local_rules_are_told_to_the_caller():
    with pytest.raises(rules.UnknownFormat):
        check_text("ufs", "no-such-format", LEGAL)
    with pytest.raises(rules.BadOverlay):
        check(LEGAL, overlay={"parameters": {"no such rule": {"min": 1}}})


def test_a_stored_check_reads_back_as_it_was():
    checked_list = check(LEGAL.replace("4 Granite Guard", "4 Granit Guard") + "\n1 Kubi Ori")
    lines, verdict = json.loads(json.dumps([checked_list.line_records(), checked_list.verdict.to_record()]))
    assert tuple(map(CheckedLine.from_json, lines)) == checked_list.lines
    assert verdict_from_json(verdict).to_json() == checked_list.verdict.to_json()


WORDS = st.sampled_from(
    [
        "4",
        "x4",
        "Mara",
        "●●",
        "[ZZ1 101]",
        "Anvil Stance",
        "Sideboard",
        "//",
        "\ufeff",
        "\x00",
        "<a>",
        "{",
        "[b]",
        ",",
        "9" * 30,
    ]
)


@settings(
    max_examples=machine.examples(8),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(st.lists(st.lists(WORDS, max_size=5).map(" ".join), max_size=12).map("\n".join))
@example("Mara // Sideboard ●●")
def test_no_text_breaks_the_check_and_no_card_line_is_lost(text: str):
    checked_list = check(text)
    assert checked_list.outcome in ("legal", "illegal", "unknown")
    card_count = sum(total.cards for total in checked_list.totals)
    assert card_count == sum(line.qty for line in checked_list.lines if line.kind == "card")
    for line in checked_list.lines:
        if line.kind in ("card", "problem") and line.zone != "aside":
            # The card of a line can be known while its zone is asked.
            asks_zone = "zone_unread.mark" in [reason.code for reason in line.reasons]
            assert line.is_resolved == (line.card_key is not None and not asks_zone)
    json.dumps(checked_list.to_json())


def test_the_fillers_of_the_tests_are_enough():
    assert len(FILLERS) * 4 >= 60


def test_a_check_that_does_not_wait_for_a_new_catalogue_says_so(monkeypatch):
    before = get_catalogue("ufs")
    assert check(LEGAL, may_lag=True).notices == ()
    monkeypatch.setattr(check_module, "get_ready_catalogue", lambda game: (before, True))
    import_catalogue(write({"ZZ9-001": {"name": "New Card", "set": "ZZ9", "number": 1}}))
    lagging = check(f"{LEGAL}\n1 New Card", may_lag=True)
    assert [notice.code for notice in lagging.notices] == ["catalogue_before"]
    assert (lagging.outcome, check(f"{LEGAL}\n1 New Card").notices) == ("unknown", ())
