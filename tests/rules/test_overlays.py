"""Local rules for one event.

They are tested as data, in words, and as named in every verdict that they change.
"""

from __future__ import annotations

import json

import pytest

import rules
from rules import BadOverlay, CardFacts, Deck, Overlay, check_deck, check_exchange, load_format
from rules.format_text import explain_format
from rules.overlay import render_local_rule
from rules.reason import Reason
from tests.everyday import each_case
from tests.rules.builders import KEN, card, character, constructed, entries, fillers, foundation

LOCAL = "Tuesday league"
FOUR_BOOSTERS = (
    "Each player opens 1 starter deck of their choice and 4 booster packs, "
    "the same kind and number for everyone."
)


def _overlay_by_broken_rule(deck: Deck, overlay, key: str = "constructed", game: str = "ufs", **values):
    verdict = check_deck(deck, load_format(game, key, overlay=overlay, **values))
    return {finding.rule: finding.overlay for finding in verdict.errors}


def test_a_local_ban_is_named_in_its_finding():
    deck = constructed((1, foundation("Stone")))
    overlay = {"name": LOCAL, "bans": ["Stone"]}
    finding = check_deck(deck, load_format("ufs", "constructed", overlay=overlay)).errors[0]

    assert (finding.rule, finding.overlay, finding.document) == ("UFS-L06", LOCAL, LOCAL)
    assert finding.message == "Stone is banned by Tuesday league."


def test_a_local_and_a_published_ban_are_told_apart():
    deck = constructed((1, foundation("Stone")), (1, foundation("Turbo")))
    form = load_format("ufs", "constructed", overlay={"name": LOCAL, "bans": ["Stone"]})
    finding = check_deck(deck, form).errors[0]

    assert finding.message == (
        "Turbo is banned by Banned list (UFS Tournament Rules v1.9, in force from Wed 27 Feb 2008). "
        "Stone is banned by Tuesday league."
    )


def test_local_bans_are_no_attached_list():
    form = load_format("ufs", "constructed", rules="1.8", overlay={"name": LOCAL, "bans": ["Stone"]})

    assert [finding.rule for finding in check_deck(constructed(), form).findings] == ["UFS-B20"]


def test_a_local_ban_may_hit_one_version():
    overlay = {"name": LOCAL, "bans": [{"name": "Ryu", "dots": 1}]}

    assert _overlay_by_broken_rule(constructed((1, character("Ryu", 1))), overlay) == {"UFS-L06": LOCAL}
    assert _overlay_by_broken_rule(constructed((1, character("Ryu", 2))), overlay) == {}


def test_a_local_ban_hits_both_names_of_one_card():
    overlay = {"name": LOCAL, "bans": ["Green"]}

    assert _overlay_by_broken_rule(constructed((1, foundation("Beginner's Luck"))), overlay) == {
        "UFS-L06": LOCAL
    }


def test_a_local_ban_works_where_no_list_is_attached():
    overlay = {"name": LOCAL, "bans": ["Stone"]}

    assert _overlay_by_broken_rule(constructed((1, foundation("Stone"))), overlay, rules="1.8") == {
        "UFS-L06": LOCAL
    }


def test_a_ban_may_be_lifted_for_an_event():
    deck = constructed((1, foundation("Turbo")), (1, foundation("Kubi Ori")))
    verdict = check_deck(
        deck, load_format("ufs", "constructed", overlay={"name": LOCAL, "unbans": ["Turbo"]})
    )

    assert [(f.rule, f.cards) for f in verdict.errors] == [("UFS-L06", ("Kubi Ori",))]
    assert verdict.overlay == LOCAL


def test_a_parameter_may_be_changed_by_heading_or_by_row():
    deck = Deck("ufs", entries((1, KEN), *fillers(54)))
    for name in ("deck_size", "UFS-L01"):
        assert _overlay_by_broken_rule(deck, {"name": LOCAL, "parameters": {name: {"min": 55}}}) == {}
        assert _overlay_by_broken_rule(deck, {"name": LOCAL, "parameters": {name: {"min": 56}}}) == {
            "UFS-L01": LOCAL
        }


def test_a_changed_rule_says_its_new_limit():
    form = load_format(
        "ufs", "constructed", overlay={"name": LOCAL, "parameters": {"deck_size": {"max": 60}}}
    )
    verdict = check_deck(Deck("ufs", entries((1, KEN), *fillers(60))), form)

    assert verdict.errors[0].message == "Main deck: 61 cards. Constructed requires exactly 60."
    assert form.overlay_in_words() == ("Main deck: exactly 60 cards. (deck_size)",)


def test_a_parameter_may_be_taken_away():
    overlay = {"name": LOCAL, "parameters": {"deck_size": {"max": None}}}
    deck = Deck("cfc", entries(*fillers(60, copies=3)))

    assert _overlay_by_broken_rule(deck, None, "standard", "cfc") == {"CFC-L01": None}
    assert _overlay_by_broken_rule(deck, overlay, "standard", "cfc") == {}


def test_a_reading_may_be_changed():
    overlay = {"name": LOCAL, "readings": {"deck_size": "at_least_fifty"}}

    assert (
        _overlay_by_broken_rule(Deck("cfc", entries(*fillers(51, copies=3))), overlay, "standard", "cfc")
        == {}
    )
    assert _overlay_by_broken_rule(
        Deck("cfc", entries(*fillers(49, copies=3))), overlay, "standard", "cfc"
    ) == {"CFC-L01": LOCAL}


def test_versions_may_count_as_one_card():
    overlay = {"name": LOCAL, "readings": {"copies": "versions_together"}}
    deck = constructed((2, character("Ken", 1)), (2, character("Ken", 3)))
    vague = constructed((4, CardFacts.of("ken-?", {"name": "Ken", "type": "character"})))

    assert (_overlay_by_broken_rule(deck, None), _overlay_by_broken_rule(deck, overlay)) == (
        {},
        {"UFS-L03": LOCAL},
    )
    assert _overlay_by_broken_rule(vague, overlay) == {"UFS-L03": LOCAL}


def test_two_cards_of_one_name_stay_two_where_versions_are_one():
    overlay = {"name": LOCAL, "readings": {"copies": "versions_together"}}
    hado = [
        (4, foundation("Dark Hado", set=code, number=number)) for code, number in (("SF03", 15), ("SF04", 70))
    ]

    assert _overlay_by_broken_rule(constructed(*hado), overlay) == {}


def test_the_minimum_may_be_lifted_after_an_exchange():
    registered_deck = Deck("ufs", entries((1, KEN), *fillers(39)))
    presented = Deck("ufs", entries((1, KEN), *fillers(38)), pool=registered_deck.main)
    outcomes = [
        check_exchange(
            registered_deck, presented, load_format("ufs", "sealed", overlay=overlay), game_in_round=2
        ).outcome
        for overlay in (None, {"name": LOCAL, "off": ["deck_size_after_exchange"]})
    ]

    assert outcomes == ["illegal", "legal"]


@pytest.mark.parametrize(
    ("reading", "broken_rules"), [("constructed_only", {}), ("pool_too", {"UFS-L06": LOCAL})]
)
def test_bans_in_limited_play_may_be_read_otherwise(reading, broken_rules):
    deck = Deck("ufs", entries((1, KEN), *fillers(39)), entries((1, foundation("Turbo"))))

    assert (
        _overlay_by_broken_rule(deck, {"name": LOCAL, "readings": {"banned": reading}}, "sealed")
        == broken_rules
    )


def test_half_a_foundation_may_be_too_little():
    split = card("Two in One", type="attack", split=("attack", "foundation"), dots=0)
    deck = Deck("ufs", entries((30, split)))

    assert _overlay_by_broken_rule(deck, None, "draft") == {}
    assert _overlay_by_broken_rule(
        deck, {"name": LOCAL, "readings": {"character": "whole_foundation"}}, "draft"
    ) == {"UFS-L15": LOCAL}


def test_an_organizer_may_allow_a_cfc_sideboard():
    deck = Deck("cfc", entries(*fillers(50, copies=3)), entries((3, card("Strike"))))

    assert (
        _overlay_by_broken_rule(
            deck, {"name": LOCAL, "readings": {"sideboard": "allowed"}}, "standard", "cfc"
        )
        == {}
    )


def test_a_rule_may_be_lifted():
    deck = constructed((5, foundation("Stone")))

    assert _overlay_by_broken_rule(deck, {"name": LOCAL, "off": ["copies"]}) == {}


def test_other_pack_counts_are_conditions():
    overlay = {"name": LOCAL, "parameters": {"product": {"boosters": 4}}}
    product = next(
        c for c in load_format("ufs", "sealed", overlay=overlay).conditions() if c.key == "product"
    )

    assert product.in_words() == FOUR_BOOSTERS
    assert product.overlay == LOCAL


def test_a_rule_and_a_condition_of_one_heading_change_together():
    overlay = {"name": LOCAL, "parameters": {"ability": {"ability": 12}}}
    form = load_format("highlander", "sealed", overlay=overlay)
    condition = next(condition for condition in form.conditions() if condition.key == "ability")

    assert (form.rule("ability").params["ability"], condition.params["ability"]) == (12, 12)


def test_every_change_is_said_in_words():
    overlay = Overlay.from_mapping(
        {
            "name": LOCAL,
            "bans": [{"name": "Ken", "dots": 2}],
            "unbans": ["Turbo"],
            "parameters": {"deck_size": {"min": 50}, "product": {"boosters": 4}},
            "readings": {"banned": "pool_too"},
            "off": ["character"],
        }
    )

    assert load_format("ufs", "sealed", overlay=overlay).overlay_in_words() == (
        "Ken ●● is banned here.",
        "Turbo is allowed here.",
        "Main deck: at least 50 cards. (deck_size)",
        "A banned card may not be in the sideboard either. (banned)",
        FOUR_BOOSTERS,
        "Lifted: Main deck: at least one character card. (character)",
    )
    assert overlay.in_words() == (
        "Ken ●● is banned here.",
        "Turbo is allowed here.",
        "deck_size: min 50.",
        "product: boosters 4.",
        "banned is read as pool_too.",
        "character is lifted.",
    )


def test_an_overlay_survives_its_own_data():
    data = {
        "name": LOCAL,
        "bans": [{"name": "Ken", "dots": 2}],
        "unbans": [],
        "parameters": {"deck_size": {"min": 50}},
        "readings": {"banned": "pool_too"},
        "off": ["character"],
    }

    assert Overlay.from_mapping(data).to_json() == data


def test_the_explained_format_shows_its_local_rules():
    form = load_format("ufs", "constructed", overlay={"name": LOCAL, "bans": ["Stone"]})

    assert explain_format(form).splitlines()[-2:] == [
        "Local rules: Tuesday league",
        "  Stone is banned here.",
    ]


@each_case(
    ("overlay", "message"),
    [
        (
            {"parameters": {"decksize": {"min": 1}}},
            "Constructed has no rule decksize. Its rules are: readable_lines, ",
        ),
        (
            {"parameters": {"deck_size": {"least": 1}}},
            "deck_size has no parameter least. Its parameters are: zone, min, max and or_none.",
        ),
        ({"readings": {"deck_size": "loose"}}, "deck_size has no reading loose. Its readings are: none."),
        ({"off": ["nothing"]}, "Constructed has no rule nothing. Its rules are: "),
        (
            {"parameters": {"points": {"bonus": 1}}},
            "points has no parameter bonus. Its parameters are: win, draw and loss.",
        ),
        (
            {"parameters": {"points": {"win": "three"}}},
            "points cannot have win 'three'. The format has 3.",
        ),
        (
            {"parameters": {"deck_size": {"min": "sixty"}}},
            "deck_size cannot have min 'sixty'. It must be a whole number.",
        ),
        (
            {"parameters": {"deck_size": {"zone": "hand"}}},
            "deck_size cannot have zone 'hand'. It must be a word.",
        ),
        ({"parameters": {"copies": {"max": None}}}, "copies needs the parameter max."),
        ({"ban": ["Ken"]}, "ban is not part of local rules."),
        ({"bans": "Ken"}, "bans must be a list of cards, each a name or plain facts."),
        ({"parameters": {"deck_size": 60}}, "parameters must be a table of rules and their parameters."),
    ],
)
def test_an_overlay_that_does_not_fit_is_refused_with_what_would(overlay, message):
    with pytest.raises(BadOverlay) as problem:
        load_format("ufs", "constructed", overlay=overlay)

    assert str(problem.value).startswith(message)


def test_all_misfits_are_told_at_once():
    with pytest.raises(BadOverlay) as problem:
        load_format("ufs", "constructed", overlay={"off": ["a", "b"]})

    assert str(problem.value).count("has no rule") == 2


def test_the_format_without_an_overlay_stays_as_it_was():
    load_format("ufs", "constructed", overlay={"name": LOCAL, "parameters": {"deck_size": {"min": 1}}})

    assert _overlay_by_broken_rule(Deck("ufs", entries((1, KEN))), None) == {"UFS-L01": None}


@each_case("cards", [[""], [" "], [{}], [{"card": {"name": "Stone"}}], [{"name": None}], [7]])
def test_a_ban_that_names_no_card_is_refused_instead_of_banning_every_card(cards):
    with pytest.raises(BadOverlay, match="a list of cards, each a name or plain facts"):
        load_format("ufs", "constructed", overlay={"name": LOCAL, "bans": cards})


@each_case("game", rules.games())
def test_every_lifted_rule_reads_back_from_json_as_it_was(game):
    for key in game.formats:
        stated_format = load_format(game.key, key)
        lifted_format = load_format(
            game.key, key, overlay={"off": [rule.name for rule in stated_format.rules]}
        )
        changes = lifted_format.local_rules()
        assert len(changes) == len(stated_format.rules)
        records = json.loads(json.dumps([each.to_json() for each in changes]))
        assert [render_local_rule(Reason.from_json(each)) for each in records] == [
            *lifted_format.overlay_in_words()
        ]
