"""Facts that no one entered.

Such a fact makes a verdict unknown exactly if it could change it.
"""

from __future__ import annotations

import pytest

from rules import UNKNOWN, CardFacts, Deck, Entry, check_deck, load_format
from tests.everyday import each_case
from tests.rules.builders import KEN, card, character, constructed, entries, fillers, foundation

FORM = load_format("ufs", "constructed")


def _verdict(deck: Deck, form=FORM):
    verdict = check_deck(deck, form)
    rows = [(finding.severity, finding.rule, finding.code) for finding in verdict.findings]
    return verdict.outcome, [each for each in rows if each[0] in ("error", "unknown")]


def _facts(deck: Deck, form=FORM):
    return [(fact.card, fact.fact) for fact in check_deck(deck, form).unknowns]


def test_unknown_is_neither_true_nor_false():
    with pytest.raises(TypeError):
        bool(UNKNOWN)


@each_case("known_facts", [False, 0, None, ""])
def test_unknown_is_a_value_of_its_own(known_facts):
    assert CardFacts("k", "K", {"fact": known_facts}).get("fact") is not UNKNOWN
    assert CardFacts("k", "K").get("fact") is UNKNOWN


def test_a_record_that_gives_a_fact_as_null_does_not_know_it():
    assert CardFacts.of("k", {"name": "K", "type": None}).get("type") is UNKNOWN


def test_a_card_that_no_catalogue_holds_makes_a_list_unknown():
    deck = constructed((1, CardFacts.of_missing("Fillr 9")))

    assert _verdict(deck) == ("unknown", [("unknown", "G-04", "card-not-in-catalogue")])
    assert _facts(deck) == [("Fillr 9", "the-card")]


def test_a_list_that_is_illegal_anyway_is_illegal():
    deck = Deck("ufs", entries((1, KEN), (1, CardFacts.of_missing("Fillr 9")), *fillers(57)))

    assert _verdict(deck) == (
        "illegal",
        [("error", "UFS-L01", "deck-too-small"), ("unknown", "G-04", "card-not-in-catalogue")],
    )


def test_an_unknown_type_does_not_matter_where_a_character_is_known():
    assert _verdict(constructed((4, card("Riddle", dots=0)))) == ("legal", [])


def test_an_unknown_type_matters_where_it_could_be_the_only_character():
    deck = Deck("ufs", entries((1, card("Riddle", split=())), *fillers(59)))

    assert _verdict(deck) == ("unknown", [("unknown", "UFS-L02", "character-unknown")])
    assert _facts(deck) == [("Riddle", "type")]


def test_every_missing_type_is_named():
    riddles = [(1, card(f"Riddle {place}", split=(), dots=0)) for place in (1, 2, 3)]
    deck = Deck("ufs", entries(*riddles, *fillers(57)))

    assert _facts(deck) == [(f"Riddle {place}", "type") for place in (1, 2, 3)]


def test_a_character_without_dots_does_not_matter_below_the_limit():
    vague = CardFacts.of("ken-?", {"name": "Ken", "type": "character", "split": ()})

    assert _verdict(constructed((3, vague))) == ("legal", [])


def test_a_character_without_dots_matters_where_it_could_be_the_fifth():
    vague = CardFacts.of("ken-?", {"name": "Ken", "type": "character", "split": ()})
    deck = constructed((4, vague))

    assert _verdict(deck) == ("unknown", [("unknown", "UFS-L03", "copies-unknown")])
    assert _facts(deck) == [("ken-?", "dots")]


def test_five_copies_of_one_catalogue_card_are_too_many_whatever_its_dots():
    vague = CardFacts.of("ryu-?", {"name": "Ryu", "type": "character", "split": ()})

    assert _verdict(constructed((5, vague)))[0] == "illegal"


@each_case(("dots", "outcome"), [("2", "illegal"), (" 1 ", "legal"), ("many", "unknown"), ([2], "unknown")])
def test_dots_written_otherwise_are_read_or_unknown(dots, outcome):
    card_facts = CardFacts.of("ken-?", {"name": "Ken", "type": "character", "dots": dots, "split": ()})

    assert _verdict(constructed((4, card_facts)))[0] == outcome


def test_two_lines_that_no_catalogue_holds_may_be_two_cards():
    unknown_cards = [(3, CardFacts.of_missing("Ryu")), (2, CardFacts.of_missing("Ryu"))]

    assert _verdict(constructed(*unknown_cards)) == (
        "unknown",
        [("unknown", "G-04", "card-not-in-catalogue"), ("unknown", "UFS-L03", "copies-unknown")],
    )


def test_one_of_two_cards_of_a_name_is_told_by_its_printing():
    vague = card("Dark Hado", type="foundation", split=())
    known_card = card("Dark Hado", type="foundation", split=(), set="SF03", number=15)

    assert _verdict(constructed((2, vague), (2, known_card))) == ("legal", [])
    assert _verdict(constructed((3, vague), (2, known_card)))[0] == "unknown"
    assert _facts(constructed((3, vague), (2, known_card))) == [("Dark Hado", "set"), ("Dark Hado", "number")]


def test_half_a_printing_is_enough_where_it_tells_the_two_apart():
    half = card("Dark Hado", type="foundation", split=(), set="SF04")
    whole = card("Dark Hado", type="foundation", split=(), set="SF03", number=15)

    assert _verdict(constructed((4, half), (4, whole)))[0] == "unknown"
    assert _verdict(constructed((1, half), (3, whole))) == ("legal", [])


def test_a_further_printing_of_a_name_with_two_cards_may_be_either():
    first, second, further = (
        card(place, name="Dark Hado", type="foundation", split=(), set=place, number=number)
        for place, number in (("SF03", 15), ("SF04", 70), ("SF05", 3))
    )

    assert _verdict(constructed((2, first), (2, second), (2, further))) == ("legal", [])
    assert _verdict(constructed((3, first), (2, further)))[0] == "unknown"
    assert _verdict(constructed((5, further)))[0] == "illegal"


def test_a_banned_name_is_enough():
    deck = constructed((1, card("Kubi Ori")))

    assert _verdict(deck) == ("illegal", [("error", "UFS-L06", "banned-card")])


def test_a_version_that_may_be_the_banned_one_is_unknown():
    vague = CardFacts.of("hugo-?", {"name": "Hugo", "type": "character", "split": ()})
    deck = constructed((1, vague))

    assert _verdict(deck) == ("unknown", [("unknown", "UFS-L06", "ban-unknown")])
    assert _facts(deck) == [("hugo-?", "dots")]


def test_another_version_of_a_banned_name_is_known_to_be_legal():
    assert _verdict(constructed((1, character("Hugo", 2)))) == ("legal", [])


def test_the_declared_character_may_be_the_card_without_a_type():
    deck = constructed((1, card("Ryu", dots=1)), diversity=True, declared_character="Ryu")

    assert _verdict(deck) == ("unknown", [("unknown", "UFS-L22", "declared-character-unknown")])


def test_only_the_type_tells_whether_a_card_is_a_character():
    deck = Deck("ufs", entries(*[(4, card(f"Punch {place}", type="attack")) for place in range(1, 16)]))

    assert _verdict(deck) == ("illegal", [("error", "UFS-L02", "no-character")])


def test_a_draft_without_foundation_waits_for_the_halves_of_its_cards():
    attacks = [(4, card(f"Punch {place}", type="attack", dots=0)) for place in range(1, 9)]
    deck = Deck("ufs", entries(*attacks))

    assert _verdict(deck, load_format("ufs", "draft")) == (
        "unknown",
        [("unknown", "UFS-L15", "character-unknown")],
    )


def test_a_version_not_told_may_be_the_one_in_the_pool():
    vague = CardFacts.of("ken-?", {"name": "Ken", "type": "character", "split": ()})
    deck = Deck("ufs", entries((1, vague), *fillers(39)), pool=entries((1, KEN), *fillers(80)))
    verdict = check_deck(deck, load_format("ufs", "sealed"))

    assert [(f.severity, f.rule, f.code) for f in verdict.findings] == [
        ("unknown", "UFS-L17", "pool-unknown")
    ]


def test_a_pool_without_that_name_settles_it():
    vague = CardFacts.of("ryu-?", {"name": "Ryu", "type": "character", "split": ()})
    deck = Deck("ufs", entries((1, vague), *fillers(39)), pool=entries((1, KEN), *fillers(80)))

    assert check_deck(deck, load_format("ufs", "sealed")).outcome == "illegal"


@each_case("qty", [-1, 1.5, "4", None, True])
def test_a_quantity_that_is_no_count_is_reported_with_its_line(qty):
    deck = Deck("ufs", (Entry(KEN, 1, 1), Entry(foundation("Stone"), qty, 2), *entries(*fillers(59))))
    finding = check_deck(deck, FORM).findings[0]

    assert (finding.code, finding.severity, finding.lines) == ("quantity-not-positive", "unknown", (2,))


def test_a_size_with_an_unreadable_quantity_is_unknown_not_short():
    deck = Deck("ufs", (Entry(KEN, 1, 1), Entry(foundation("Stone"), -2, 2), *entries(*fillers(58))))

    assert [(f.severity, f.rule) for f in check_deck(deck, FORM).findings if f.rule != "UFS-501.7"] == [
        ("unknown", "G-04"),
        ("unknown", "UFS-L01"),
    ]


def test_a_quantity_of_nothing_is_pointed_out():
    deck = constructed((0, foundation("Stone")))
    finding = next(f for f in check_deck(deck, FORM).findings if f.code == "quantity-zero")

    assert (finding.severity, finding.lines, check_deck(deck, FORM).outcome) == ("warning", (2,), "legal")


def test_a_line_that_was_not_read_makes_a_list_unknown():
    deck = constructed(unread=[{"line": 7, "why": "The line has no name."}])
    finding = check_deck(deck, FORM).findings[0]

    assert (finding.code, finding.lines, check_deck(deck, FORM).outcome) == ("line-not-read", (7,), "unknown")
    assert finding.message == "Part of the decklist could not be read. The line has no name."


def test_cards_in_a_zone_that_the_game_does_not_have_are_not_guessed_about():
    deck = constructed().with_zones({"pregame": entries((1, foundation("Stone")))})

    assert _verdict(deck) == ("unknown", [("unknown", "G-04", "zone-not-in-game")])


def test_a_raise_for_a_card_of_which_little_is_known_may_hold():
    basics = [f"A-{row}{column}" for row in "UML" for column in "LCR"] + [
        f"B-{row}{column}" for row in "UL" for column in "LCR"
    ]
    form = load_format("highlander", "standard")
    pairs = [(1, _title(slot, form, basic=slot)) for slot in basics]
    pairs += [(6, _title(f"Event {place}", form)) for place in range(1, 6)] + [(2, _title("Event 6", form))]
    raised_card = CardFacts.of(
        "raised", {"title": "Trick", "restriction": 2, "edition": "2E", "gems": {}, "text": "t"}
    )
    gems = {"A": 5, "S": 5, "T": 5, "E": 5, "R": 5, "M": 4}
    persona = _title("Duncan MacLeod", form, type="Persona", gems=gems, gender="M")
    deck = Deck(
        "highlander",
        entries(*pairs, (3, raised_card)),
        pregame=entries((1, persona), (1, _title("Darius", form, type="Pre-Game", raises_restriction=1))),
        options={"restriction_raise": {"card": "raised", "by": 1, "source": "Darius"}},
    )
    outcome, verdict = _verdict(deck, form)

    assert outcome == "unknown"
    assert ("unknown", "HL-L19", "raise-unknown") in verdict


def _title(title: str, form, **facts: object) -> CardFacts:
    return CardFacts.of(
        title, {**form.game.case_defaults, "title": title, "type": "Event", "edition": "2E", **facts}
    )


def test_an_unknown_finding_names_its_facts_in_the_answer_for_programs():
    deck = constructed((1, CardFacts.of_missing("Fillr 9")))

    assert check_deck(deck, FORM).to_json()["unknowns"] == [
        {"fact": "the card", "code": "the-card", "detail": None, "card": "Fillr 9", "name": "Fillr 9"}
    ]
