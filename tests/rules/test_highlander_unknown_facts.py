"""Facts that no one has entered.

The verdict waits for them only where they could change it.
"""

from __future__ import annotations

from typing import Any

from rules import CardFacts, Deck, Entry, check_deck, load_format
from tests.everyday import each_case
from tests.rules.test_highlander_properties import CARDS, DEFAULTS, RECORDS, SLOTS

FILLERS = [(f"F{number:02}", 6) for number in range(7, 12)]


def without(key: str, *facts: str, **others: object) -> CardFacts:
    """Return a card of the case file, some of its facts not known and others changed."""
    record = {**DEFAULTS, **RECORDS[key], **others}
    return CardFacts.of(key, {name: value for name, value in record.items() if name not in facts})


def judge(
    *counted_cards: tuple[int, CardFacts],
    pregame: tuple[CardFacts, ...] = (CARDS["duncan"],),
    format: str = "standard",
    size: int = 50,
    **options: object,
) -> tuple[str, list[str], list[tuple[str, str | None]]]:
    """Outcome, broken rules and missing facts of a deck filled up to a size."""
    base = [(1, CARDS[slot]) for slot in SLOTS] + [(qty, CARDS[key]) for key, qty in FILLERS]
    main = [*base, *counted_cards]
    rest = size - sum(qty for qty, _ in main)
    main = (
        [*main, (rest, CARDS["F20"])]
        if rest > 0
        else main[: len(main) - 1]
        if rest < 0 and not counted_cards
        else main
    )
    deck = Deck(
        "highlander",
        tuple(Entry(card, qty, line) for line, (qty, card) in enumerate(main, 1)),
        (),
        tuple(Entry(card, 1) for card in pregame),
        None,
        options,
    )
    verdict = check_deck(deck, load_format("highlander", format))
    return verdict.outcome, [f.rule for f in verdict.errors], [(f.fact, f.card) for f in verdict.unknowns]


LEGAL: tuple[str, list[str], list[Any]] = ("legal", [], [])
DUNCAN = CARDS["duncan"]


def test_a_deck_of_known_cards_is_legal():
    assert judge() == LEGAL


def test_an_edition_is_needed():
    assert judge((1, without("event", "edition"))) == ("unknown", [], [("edition", "event")])


def test_gems_of_a_card_are_needed():
    assert judge((1, without("event", "gems"))) == ("unknown", [], [("gems", "event")])


def test_gems_of_the_persona_are_not_needed_without_gems_in_the_deck():
    assert judge(pregame=(without("duncan", "gems"),)) == LEGAL


def test_gems_of_the_persona_are_needed_with_gems_in_the_deck():
    verdict = judge((1, CARDS["agility"]), pregame=(without("duncan", "gems"),))

    assert verdict == ("unknown", [], [("gems", "duncan")])


def test_no_persona_allows_more_than_thirty_nine_gems():
    heavy = without("agility", gems={"A": 10})

    assert judge((4, heavy), pregame=(without("duncan", "gems"),))[:2] == ("illegal", ["HL-L05"])


def test_an_altered_assignment_stands_in_for_the_persona():
    altered_cards = {"A": 5, "S": 5, "T": 5, "E": 5, "R": 5}
    pregame = (without("duncan", "gems"), CARDS["pre_gems"])

    assert (
        judge((1, CARDS["agility"]), pregame=pregame, gem_assignment=altered_cards, gem_sheet=True) == LEGAL
    )


def test_the_master_gem_is_needed_for_master_cards():
    verdict = judge((1, CARDS["master"]), pregame=(without("duncan", "gems"),))

    assert verdict == ("unknown", [], [("gems", "duncan")])


def test_a_foil_bonus_is_needed_only_beyond_the_plain_limit():
    foil = without("foil_agile", "foil_bonus")

    assert judge((5, CARDS["agility"]), pregame=(DUNCAN, foil)) == LEGAL
    assert judge((6, CARDS["agility"]), pregame=(DUNCAN, foil)) == (
        "unknown",
        [],
        [("foil_bonus", "foil_agile")],
    )


def test_an_owner_is_needed():
    verdict = judge((1, without("event", "owner", "owner_kind")))

    assert verdict == ("unknown", [], [("owner", "event")])


def test_a_mark_is_needed_where_something_lets_the_card_in():
    card = without("amanda_card", "mark")

    assert judge((1, card))[:2] == ("illegal", ["HL-L20"])
    assert judge((1, card), (1, CARDS["darius"])) == ("unknown", [], [("mark", "amanda_card")])


def test_a_pregame_card_of_unknown_powers_may_let_a_card_in():
    verdict = judge((1, CARDS["amanda_card"]), pregame=(DUNCAN, without("pre_a", "admits")))

    assert verdict == ("unknown", [], [("admits", "pre_a")])


def test_a_reserved_card_stays_out_whatever_a_pregame_card_may_say():
    verdict = judge((1, CARDS["amanda_reserved"]), pregame=(DUNCAN, without("pre_a", "admits")))

    assert verdict[:2] == ("illegal", ["HL-L21"])


def test_a_listed_allowance_card_must_tell_its_kind():
    darius = without("darius", "allowance")

    assert judge((1, darius)) == LEGAL
    assert judge((1, darius), (1, CARDS["amanda_card"])) == ("unknown", [], [("allowance", "darius")])


def test_another_card_is_no_allowance_card():
    assert judge((1, without("event", "allowance")), (1, CARDS["amanda_card"]))[:2] == (
        "illegal",
        ["HL-L20"],
    )


def test_a_restriction_number_is_needed_for_the_second_copy():
    card = without("two", "restriction")

    assert judge((1, card)) == LEGAL
    assert judge((2, card)) == ("unknown", [], [("restriction", "two")])


def test_texts_are_needed_where_two_cards_of_a_title_may_be_one():
    other = without("two_reason", "text")

    assert judge((1, CARDS["two"]), (1, other)) == LEGAL
    assert judge((2, CARDS["two"]), (1, other)) == ("unknown", [], [("text", "two_reason")])
    assert judge((3, CARDS["two"]), (1, other))[:2] == ("illegal", ["HL-L17"])


def test_a_stroke_in_a_title_is_open_only_near_the_limit():
    wings = without("wings", "titles", title="Focus/ Police")

    assert judge((1, wings), (4, CARDS["focus"])) == LEGAL
    assert judge((1, wings), (6, CARDS["focus"])) == ("unknown", [], [("titles", "wings")])


def test_titles_that_say_none_count_for_the_own_title_alone():
    plain = [without(key, titles=["none"]) for key in ("F18", "F19")]
    assert judge(*((6, card) for card in plain)) == ("legal", [], [])


def test_raised_titles_are_needed_only_beyond_six():
    silent = without("duncan", "raises")

    assert judge((6, CARDS["slash"]), pregame=(silent,)) == LEGAL
    assert judge((7, CARDS["slash"]), pregame=(silent,)) == ("unknown", [], [("raises", "duncan")])


def test_an_effect_on_the_minimum_is_needed_only_below_it():
    silent = without("pre_a", "lowers_minimum")

    assert judge(pregame=(DUNCAN, silent)) == LEGAL
    assert judge(size=49, pregame=(DUNCAN, silent)) == ("unknown", [], [("lowers_minimum", "pre_a")])


def test_a_pregame_card_without_a_type_may_be_a_second_persona():
    outcome, broken_rules, facts = judge(pregame=(DUNCAN, without("pre_a", "type")))

    assert (outcome, broken_rules, set(facts)) == ("unknown", [], {("type", "pre_a")})


def test_hands_are_needed_for_two_weapons():
    dirk, hook = without("dirk", "hand_icons"), without("hook", "hand_icons")

    assert judge(pregame=(DUNCAN, dirk)) == LEGAL
    assert judge(pregame=(DUNCAN, dirk, hook)) == (
        "unknown",
        [],
        [("hand_icons", "dirk"), ("hand_icons", "hook")],
    )
    assert judge(pregame=(DUNCAN, CARDS["claymore"], hook))[:2] == ("illegal", ["HL-L29"])


def test_whether_an_off_hand_weapon_must_be_paired_is_needed_when_it_is_alone():
    hook = without("hook", "must_pair")

    assert judge(pregame=(DUNCAN, hook)) == ("unknown", [], [("must_pair", "hook")])
    assert judge(pregame=(DUNCAN, hook, CARDS["dirk"])) == LEGAL


def test_groups_are_told_by_the_title_or_needed():
    silent = without("event", "groups")
    hunter = without("event", "groups", title="Hunter")

    assert judge((1, silent))[0] == "unknown"
    assert judge((1, without("event", "groups", sub_title="")))[0] == "legal"
    assert judge((1, hunter))[:2] == ("illegal", ["HL-L33"])


def test_whose_quickening_it_is_is_needed():
    verdict = judge(pregame=(DUNCAN, without("quickening_amanda", "of")))

    assert verdict == ("unknown", [], [("of", "quickening_amanda")])


def test_a_number_is_needed_where_one_number_alone_is_banned():
    assert judge((1, without("only_one", "id"))) == ("unknown", [], [("id", "only_one")])


def test_a_gender_is_needed_for_two_heads():
    heads = (DUNCAN, without("amanda", "gender"))

    assert judge(pregame=heads, format="two_headed_giant") == ("unknown", [], [("gender", "amanda")])


def test_two_heads_of_one_gender_need_no_third_fact():
    heads = (DUNCAN, CARDS["methos"])

    assert judge(pregame=heads, format="two_headed_giant")[:2] == ("illegal", ["HL-L45"])


def test_what_a_persona_begins_with_is_needed():
    outcome, broken_rules, facts = judge(format="plot_hilt")

    assert (outcome, broken_rules) == ("unknown", [])
    assert facts == [("own-bonus-card", None), ("own-bonus-card", None)]


def test_a_persona_may_tell_that_it_has_neither():
    assert judge(pregame=(without("duncan", own_hilt="", own_plot=""),), format="plot_hilt") == LEGAL


def test_an_unknown_fact_does_not_save_a_deck_that_is_illegal_anyway():
    verdict = judge((1, CARDS["turkey"]), (1, without("event", "edition")))

    assert verdict == ("illegal", ["HL-L36"], [("edition", "event")])


def test_a_card_that_no_catalogue_holds_is_not_legal():
    outcome, broken_rules, facts = judge((1, CardFacts.of_missing("Unheard Of")))

    assert (outcome, broken_rules) == ("unknown", [])
    assert ("the-card", "Unheard Of") in facts


@each_case(("sleeves", "codes"), [(None, []), (True, []), (False, ["sleeves-unknown"])])
def test_an_edition_matters_for_sleeves_only_without_them(sleeves, codes):
    main = [Entry(CARDS["two"], 1), Entry(without("event", "edition"), 1)]
    deck = Deck("highlander", tuple(main), (), (Entry(DUNCAN, 1),), None, {"sleeved": sleeves})
    findings = check_deck(deck, load_format("highlander", "sealed")).findings

    assert [f.code for f in findings if f.rule == "HL-L03"] == codes


def test_a_third_head_may_hide_behind_an_unknown_type():
    heads = (DUNCAN, CARDS["amanda"], without("pre_a", "type"))

    assert judge(pregame=heads, format="two_headed_giant")[:2] == ("unknown", [])


def test_the_kind_of_an_owner_is_needed_where_an_allowance_card_opens_one_kind():
    card = without("katana_card", "owner_kind", owner="Sword of Nobody")

    assert judge((1, card))[:2] == ("illegal", ["HL-L20"])
    assert judge((1, card), (1, CARDS["weapons_expert"])) == (
        "unknown",
        [],
        [("owner_kind", "katana_card")],
    )


def test_a_type_line_may_tell_the_off_hand():
    hook = without("hook", "off_hand", "must_pair", type="Weapon of Choice (off hand)")
    dirk = without("dirk", "off_hand", type="Weapon of Choice (primary)")

    assert judge(pregame=(DUNCAN, dirk, hook)) == LEGAL
    assert judge(pregame=(DUNCAN, dirk)) == LEGAL


@each_case("kind", ["Pre-Game Watcher", "Pre-Game: Watcher", "Watcher"])
def test_a_watcher_is_known_however_its_type_is_written(kind):
    watcher = without("pre_watcher", type=kind)

    assert judge((1, CARDS["watcher"]), pregame=(DUNCAN, watcher)) == LEGAL


def test_an_unused_card_of_unknown_type_may_be_one_to_choose():
    event_without_type = without("event", "type")
    deck = Deck(
        "highlander",
        (Entry(CARDS["two"], 1),),
        (),
        (Entry(DUNCAN, 1),),
        (Entry(CARDS["two"], 1), Entry(DUNCAN, 1), Entry(event_without_type, 1)),
    )
    verdict = check_deck(deck, load_format("highlander", "sealed"))

    assert (verdict.outcome, [f.fact for f in verdict.unknowns]) == ("unknown", ["type"])


def test_a_pool_that_was_not_recorded_is_pointed_out():
    deck = Deck("highlander", (Entry(CARDS["two"], 1),), (), (Entry(DUNCAN, 1),))
    verdict = check_deck(deck, load_format("highlander", "sealed"))

    assert (verdict.outcome, [f.code for f in verdict.findings]) == ("legal", ["pool-not-recorded"])


HEADS = (DUNCAN, without("amanda", "type"))
FAITH = CARDS["faith"]


@each_case(
    ("cards", "pregame", "format"),
    [
        (["amanda_card"], HEADS, "two_headed_giant"),
        (["amanda_signed"], HEADS, "two_headed_giant"),
        (["clan_card"], (FAITH, without("duncan", "type")), "two_headed_giant"),
        (["amanda_card", "faiths_queen"], (DUNCAN, without("faith", "type")), "two_headed_giant"),
        (["katana_card"], (DUNCAN, CARDS["hook"], without("katana", "type")), "standard"),
    ],
)
def test_the_owner_of_a_card_may_be_the_card_without_a_type(cards, pregame, format):
    verdict = judge(*((1, CARDS[key]) for key in cards), pregame=pregame, format=format)

    assert verdict[:2] == ("unknown", [])


def test_a_card_without_a_type_is_no_one_of_another_name():
    cards, pregame = (1, CARDS["amanda_signed"]), (DUNCAN, without("pre_a", "type"))

    assert judge(cards, pregame=pregame)[:2] == ("illegal", ["HL-L22"])


def test_a_faction_card_may_be_let_in_by_a_card_whose_text_is_not_known():
    before = (DUNCAN, without("quickening_romans", "admits"))

    assert judge((1, CARDS["roman_card"]), pregame=before)[:2] == ("unknown", [])


def test_a_misprinted_owner_tells_a_card_without_a_number():
    horde = without("horde_misprinted", "id")

    assert judge((1, horde), pregame=(CARDS["khabul"],)) == LEGAL


def test_two_cards_that_may_be_quickenings_may_be_of_two_personas():
    pair = (
        without("quickening_romans", "type", title="Quickening"),
        without("pre_a", "type", title="Quickening"),
    )

    assert judge(pregame=(DUNCAN, *pair))[:2] == ("unknown", [])


@each_case(
    ("deck_cards", "pool_cards"),
    [
        (["event"], ["event", without("only_one", "id")]),
        (["event", "master"], ["event", without("blank", "text")]),
    ],
)
def test_a_sealed_pool_may_be_used_up_where_a_fact_is_missing(deck_cards, pool_cards):
    cards = [CARDS[each] if isinstance(each, str) else each for each in pool_cards]
    deck = Deck(
        "highlander",
        tuple(Entry(CARDS[key], 1) for key in deck_cards),
        (),
        (Entry(DUNCAN, 1),),
        tuple(Entry(each, 1) for each in (*cards, DUNCAN)),
        {"starting_ability": 10},
    )
    verdict = check_deck(deck, load_format("highlander", "sealed"))

    assert (verdict.outcome, verdict.errors) == ("unknown", ())


def test_an_allowance_card_may_belong_to_the_persona():
    queen = without("faiths_queen", "owner", "owner_kind")

    assert judge((1, CARDS["amanda_card"]), (1, queen), pregame=(FAITH,))[:2] == ("unknown", [])


def test_a_second_weapon_may_be_the_card_without_a_type():
    pair = (DUNCAN, CARDS["hook_paired"], without("dirk", "type"))

    assert judge(pregame=pair)[:2] == ("unknown", [])


def test_a_bonus_card_may_belong_to_the_card_without_a_type():
    bonus = {"hilt": CARDS["hilt"], "plot": CARDS["plot"]}
    verdict = judge(
        pregame=(without("kalas", "type"),),
        format="plot_hilt",
        bonus=bonus,
        persona_has={"hilt": True, "plot": True},
    )

    assert verdict[:2] == ("unknown", [])
