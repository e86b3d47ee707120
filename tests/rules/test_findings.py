"""Parts of a finding.

These are its sentence, cards, lines, limit, smallest fix and source.
"""

from __future__ import annotations

import json

import pytest

from rules import CardFacts, Change, Deck, Fix, check_deck, load_format
from rules.finding import format_verdict
from rules.fixes import apply_fix
from rules.reason import reason
from rules.rendering import say
from tests.everyday import each_case
from tests.rules.builders import KEN, card, character, constructed, entries, fillers, foundation

FORM = load_format("ufs", "constructed")


def _error(deck: Deck, row: str, form=FORM):
    return next(finding for finding in check_deck(deck, form).errors if finding.rule == row)


def test_a_short_deck_in_full():
    finding = _error(Deck("ufs", entries((1, KEN), *fillers(58))), "UFS-L01")

    assert finding.to_json() == {
        "rule": "UFS-L01",
        "clause": "100.3.1",
        "document": "UFS Tournament Rules v1.9",
        "version": "1.9",
        "code": "deck-too-small",
        "severity": "error",
        "message": "Main deck: 59 cards. Constructed requires at least 60.",
        "reasons": [
            {
                "code": "zone-too-small",
                "params": {"zone": "main", "format": "Constructed", "limit": 60, "found": 59},
            }
        ],
        "cards": [],
        "lines": [],
        "limit": 60,
        "found": 59,
        "fix": {
            "sentence": "Add 1 card to the main deck.",
            "changes": [{"action": "add", "zone": "main", "qty": 1, "card": None, "wanted": None}],
            "reasons": [{"code": "add-cards", "params": {"qty": 1, "zone": "main", "type": None}}],
        },
        "follows_from": None,
        "facts": [],
        "overlay": None,
    }


@pytest.mark.parametrize(("number", "key"), [(49, "zone-too-small.exactly"), (51, "zone-too-large.exactly")])
def test_a_deck_of_a_fixed_size_is_told_that_size(number, key):
    deck = Deck("cfc", entries(*fillers(number, copies=3)))
    finding = _error(deck, "CFC-L01", load_format("cfc", "standard"))

    params = {"zone": "main", "format": "Standard", "limit": 50, "found": number}
    assert finding.reasons == (reason(key, **params),)


def test_the_same_rule_cites_the_document_of_its_version():
    form = load_format("ufs", "constructed", rules="1.8")
    finding = _error(Deck("ufs", entries((1, KEN), *fillers(58))), "UFS-L01", form)

    assert (finding.document, finding.version, finding.clause) == (
        "UFS Tournament Rules v1.8",
        "1.8",
        "100.3.1",
    )


def test_a_banned_card_is_taken_out_and_replaced():
    finding = _error(constructed((1, foundation("Kubi Ori"))), "UFS-L06")

    assert (finding.cards, finding.lines, finding.limit, finding.found) == (("Kubi Ori",), (2,), 0, 1)
    out = (reason("quantity", qty=1, card="Kubi Ori"),)
    assert finding.fix == Fix(
        (reason("remove-and-add", cards=out, zone="main", left=59, missing=1),),
        (Change("remove", "main", 1, "Kubi Ori"), Change("add", "main", 1)),
    )


def test_a_deck_with_cards_to_spare_needs_no_replacement():
    deck = constructed((1, foundation("Kubi Ori")))
    roomy = deck.with_zones({"main": (*deck.main, *entries((1, foundation("Stone"))))})

    assert _error(roomy, "UFS-L06").fix.sentence == "Remove 1 Kubi Ori from the main deck."


def test_copies_are_counted_over_deck_and_sideboard():
    side = entries((2, foundation("Stone")), *fillers(6, stem="Side"))
    finding = _error(constructed((3, foundation("Stone")), side=side), "UFS-L03")

    assert finding.message == (
        "Too many copies: 5 Stone (3 in the main deck and 2 in the sideboard). The maximum is 4."
    )
    assert (finding.cards, finding.lines) == (("Stone",), (1, 2))


def test_two_names_of_one_card_are_named_together():
    finding = _error(constructed((3, foundation("Jab")), (2, foundation("Quick Elbow"))), "UFS-L03")

    assert finding.message == ("Too many copies: 5 Jab and Quick Elbow (one card). The maximum is 4.")


def test_a_character_is_named_with_its_dots():
    finding = _error(constructed((5, character("Ryu", 1))), "UFS-L03")

    assert finding.message.startswith("Too many copies: 5 Ryu ●.")


def test_copies_are_taken_from_where_they_can_be_spared():
    side = entries((2, foundation("Stone")), *fillers(6, stem="Side"))
    deck = constructed((3, foundation("Stone")), side=side)
    roomy = deck.with_zones({"main": (*deck.main, *entries((1, foundation("Pebble"))))})

    assert _error(roomy, "UFS-L03").fix.sentence == "Remove 1 Stone from the main deck."


@each_case(
    ("size", "mend"),
    [
        (1, "Remove 1 Side 1 from the sideboard."),
        (3, "Remove 3 Side 1 from the sideboard."),
        (4, "Add 4 cards to the sideboard."),
        (7, "Add 1 card to the sideboard."),
        (9, "Remove 1 Side 3 from the sideboard."),
    ],
)
def test_a_sideboard_is_mended_the_shorter_way(size, mend):
    finding = _error(constructed(side=entries(*fillers(size, stem="Side"))), "UFS-L04")

    has = f"Sideboard: {size} card{'s' * (size > 1)}"
    assert finding.message == f"{has}. Constructed allows exactly 8 or none."
    assert finding.fix.sentence == mend


def test_a_missing_declared_character_follows_from_having_no_character():
    deck = Deck("ufs", entries(*fillers(60)), options={"diversity": True, "declared_character": "Ken"})

    assert [(f.rule, f.follows_from) for f in check_deck(deck, FORM).errors] == [
        ("UFS-L02", None),
        ("UFS-L22", "UFS-L02"),
    ]


def test_a_character_in_the_sideboard_changes_places_with_another_card():
    side = entries((1, KEN), *fillers(7, stem="Side"))
    deck = Deck("ufs", entries(*fillers(60)), side, options={"diversity": True, "declared_character": "Ken"})
    sentence = "Swap 1 Ken ●● from the sideboard with 1 Filler 15 from the main deck."

    assert [f.fix.sentence for f in check_deck(deck, FORM).errors] == [sentence, sentence]
    mended_deck = apply_fix(deck, _error(deck, "UFS-L02").fix, lambda change: KEN)
    assert (mended_deck.size("main"), mended_deck.size("sideboard")) == (60, 8)
    assert check_deck(mended_deck, FORM).outcome == "legal"


def test_a_missing_declared_character_stands_alone_where_another_is_there():
    assert _error(constructed(diversity=True, declared_character="Ryu"), "UFS-L22").follows_from is None


def test_all_findings_come_at_once_errors_first_in_the_order_of_the_format():
    entries_ = entries(
        (5, foundation("Stone")), (1, foundation("Turbo")), (4, card("Dragon", character_only=["Ryu"]))
    )
    deck = Deck("ufs", entries_, entries((1, KEN)))

    assert [(f.rule, f.severity) for f in check_deck(deck, FORM).findings] == [
        ("UFS-L01", "error"),
        ("UFS-L03", "error"),
        ("UFS-L04", "error"),
        ("UFS-L06", "error"),
        ("UFS-L02", "unknown"),
        ("UFS-501.7", "note"),
    ]


def test_each_rule_is_reported_once():
    deck = constructed((5, foundation("Stone")), (6, foundation("Pebble")), (1, foundation("Turbo")))
    rules = [finding.rule for finding in check_deck(deck, FORM).errors]

    assert rules == ["UFS-L03", "UFS-L06"]
    assert _error(deck, "UFS-L03").cards == ("Stone", "Pebble")


def test_a_card_of_another_character_is_a_warning():
    verdict = check_deck(constructed((4, foundation("Dragon", character_only=["Ryu"]))), FORM)
    warning = next(f for f in verdict.findings if f.severity == "warning")

    assert (verdict.outcome, warning.rule, warning.clause) == ("legal", "UFS-L19", "500.4")
    assert warning.message == "Dragon (Ryu only): no character of the decklist can ever play it."


def test_a_card_of_another_character_is_held_against_the_declared_one():
    cards = (4, foundation("Dragon", character_only=["Ryu"])), (1, character("Ryu", 1))
    messages_by_name = {
        name: [f.message for f in check_deck(constructed(*cards, declared_character=name), FORM).findings]
        for name in ("Ken", "Ryu")
    }

    assert messages_by_name["Ken"][0] == "Ken can never play Dragon (Ryu only)."
    assert not any("Dragon" in message for message in messages_by_name["Ryu"])


def test_draft_says_nothing_of_cards_of_another_character():
    deck = Deck("ufs", entries((1, KEN), (4, foundation("Dragon", character_only=["Ryu"])), *fillers(25)))
    findings = check_deck(deck, load_format("ufs", "draft")).findings

    assert [(f.rule, f.severity) for f in findings] == [("UFS-L17", "warning"), ("UFS-501.7", "note")]


def test_diversity_in_a_draft_is_advised_against():
    deck = Deck(
        "ufs",
        entries((1, KEN), *fillers(29)),
        pool=entries((1, KEN), *fillers(40)),
        options={"diversity": True},
    )
    verdict = check_deck(deck, load_format("ufs", "draft"))

    assert (verdict.outcome, (verdict.findings[0].rule, verdict.findings[0].severity)) == (
        "legal",
        ("UFS-T11", "warning"),
    )


def test_a_banned_card_left_in_the_pool_is_a_warning():
    deck = Deck("ufs", entries((1, KEN), *fillers(39)), entries((1, foundation("Turbo"))))
    findings = check_deck(deck, load_format("ufs", "sealed")).findings

    assert [(f.rule, f.severity, f.code) for f in findings if f.rule == "UFS-L06"] == [
        ("UFS-L06", "warning", "banned-card-in-pool")
    ]


def test_a_pool_that_was_not_recorded_is_a_warning():
    findings = check_deck(Deck("ufs", entries((1, KEN), *fillers(39))), load_format("ufs", "sealed")).findings

    assert ("UFS-L17", "warning", "pool-not-recorded") in [(f.rule, f.severity, f.code) for f in findings]


def test_a_verdict_can_be_written_as_json():
    verdict = check_deck(constructed((5, foundation("Stone"))), FORM)
    payload = json.loads(json.dumps(verdict.to_json()))

    assert (payload["verdict"], payload["game"], payload["format"], payload["rules"]) == (
        "illegal",
        "ufs",
        "constructed",
        "1.9",
    )
    assert payload["findings"][0]["rule"] == "UFS-L03"


def test_a_deck_of_another_game_is_a_mistake_of_the_caller():
    with pytest.raises(ValueError) as problem:
        check_deck(Deck("cfc", ()), FORM)

    assert str(problem.value) == "A deck of cfc cannot be judged by a format of ufs."


def test_a_mend_leaves_the_first_deck_as_it_was():
    deck = constructed((1, foundation("Kubi Ori")))
    mended_deck = apply_fix(deck, _error(deck, "UFS-L06").fix, lambda change: foundation("Spare"))

    assert check_deck(mended_deck, FORM).outcome == "legal"
    assert check_deck(deck, FORM).outcome == "illegal"


def test_decks_and_cards_are_set_once():
    with pytest.raises(AttributeError):
        KEN.name = "Ryu"
    with pytest.raises(AttributeError):
        del constructed().main


def test_equal_decks_are_equal():
    assert constructed() == constructed()
    assert constructed() != constructed((1, foundation("Stone")))
    assert CardFacts("a", "A") != "a"


def test_fixes_that_do_not_touch_the_same_cards_or_sizes_add_up():
    verdict = check_deck(Deck("ufs", entries((1, KEN), (5, foundation("Bog")), *fillers(53))), FORM)

    fixes = [finding.fix for finding in verdict.errors if finding.fix]
    assert [fix.parts() for fix in fixes] == [{("zone", "main")}, {("card", "Bog")}]
    assert verdict.overlap_sentence == ""


def test_two_fixes_that_each_make_a_zone_smaller_overlap():
    banned_character = character("Dhalsim", 3)
    deck = Deck("ufs", entries((1, KEN), (5, foundation("Bog")), (1, banned_character), *fillers(54)))
    verdict = check_deck(deck, FORM)

    assert [finding.fix.parts() for finding in verdict.errors if finding.fix] == [
        {("card", "Bog"), ("zone", "main")},
        {("card", banned_character.key), ("zone", "main")},
    ]
    assert verdict.overlap_sentence == say("verdict", "fixes-overlap")
    assert format_verdict(verdict).endswith(verdict.overlap_sentence)
