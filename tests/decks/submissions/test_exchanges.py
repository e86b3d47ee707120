"""Exchanges with the sideboard against the registered list (UFS 101.4, 101.5)."""

from __future__ import annotations

import pytest

import rules
from decks.shared.refusals import Refused
from decks.submissions import services
from decks.submissions.exchanges import (
    MovedCard,
    evaluate_exchange,
    main_deck_cards,
    read_card_lines,
    reserve_cards,
)
from decks.submissions.models import DeckVersion
from tests.scenarios.catalogue import list_of, small_catalogue
from tests.scenarios.decklists import submit

pytestmark = pytest.mark.django_db
# The sideboard has eight cards: Night Market ×4, Oaken Will ×4; the main deck ends before them.
SIDE = "\n\nSideboard\n4 Night Market\n4 Oaken Will"
REGISTERED = list_of("4 Mara ●", fillers=56).replace("4 Night Market", "4 Mara ●●") + SIDE


def submit_text(text: str, format: str = "constructed", **values: object) -> DeckVersion:
    small_catalogue()
    deck_list = services.create_list(game="ufs", format_key=format, rules_version="1.9")
    return submit(deck_list, text, actor="Alice", **values)


def judge_exchange(
    version: DeckVersion, out: str, into: str, game: int = 2, first: bool | None = None
) -> object:
    form = rules.load_format("ufs", version.deck_list.format_key, rules="1.9")
    return evaluate_exchange(
        version,
        form,
        taken_out=read_card_lines(version, out, field="out", among=main_deck_cards(version)),
        brought_in=read_card_lines(version, into, field="into", among=reserve_cards(version)),
        game_in_round=game,
        first_round=first,
    )


def codes(exchange: object) -> list[tuple[str, str, str]]:
    errors = (f for f in exchange.verdict.findings if f.severity == "error")
    return [(f.rule, f.clause, f.code) for f in errors]


def test_one_for_one_from_the_sideboard_is_legal() -> None:
    exchange = judge_exchange(submit_text(REGISTERED), "2 Anvil Stance", "1 Night Market\n1 Oaken Will")
    assert (codes(exchange), exchange.main, exchange.sideboard) == ([], 60, 8)
    assert exchange.verdict.outcome == "legal"


def test_one_card_too_many_is_not_one_for_one() -> None:
    exchange = judge_exchange(submit_text(REGISTERED), "1 Anvil Stance", "2 Night Market")
    assert codes(exchange) == [("UFS-L23", "101.4", "not-one-for-one")]


def test_a_card_that_was_not_registered_is_found_out() -> None:
    exchange = judge_exchange(submit_text(REGISTERED), "1 Anvil Stance", "1 Oto ●●●")
    assert codes(exchange) == [("UFS-L23", "101.4", "not-one-for-one")]


def test_the_first_game_of_a_round_is_played_as_registered() -> None:
    version = submit_text(REGISTERED)
    assert codes(judge_exchange(version, "", "", game=1)) == []
    exchange_check = judge_exchange(version, "1 Anvil Stance", "1 Night Market", game=1)
    assert codes(exchange_check) == [("UFS-L25", "101.4", "not-reset")]


def test_the_last_character_may_not_be_taken_out() -> None:
    text = REGISTERED.replace("4 Mara ●●", "4 Paper Tiger")
    exchange = judge_exchange(submit_text(text), "4 Mara ●", "4 Night Market")
    assert codes(exchange) == [("UFS-L02", "100.3.1, 101.1", "no-character")]


def test_in_limited_play_any_number_of_the_pool_may_come_in() -> None:
    deck = list_of("1 Mara ●", fillers=40)
    version = submit_text(deck, "sealed", pool=deck + "\n3 Paper Tiger")
    assert [(reserve_card.name, reserve_card.qty) for reserve_card in reserve_cards(version)] == [
        ("Paper Tiger", 3)
    ]
    assert codes(judge_exchange(version, "1 Anvil Stance", "3 Paper Tiger")) == []
    beyond = judge_exchange(version, "", "4 Paper Tiger")
    assert codes(beyond) == [("UFS-L17", "100.3.2", "not-in-pool")]


def test_nothing_may_have_moved_before_the_very_first_game_of_the_event() -> None:
    deck = list_of("1 Mara ●", fillers=40)
    version = submit_text(deck, "sealed", pool=deck + "\n3 Paper Tiger")
    exchange_check = judge_exchange(version, "", "1 Paper Tiger", game=1, first=True)
    assert codes(exchange_check) == [("UFS-L24", "101.5", "exchange-before-first-game")]


def test_no_more_can_go_out_than_was_registered() -> None:
    with pytest.raises(Refused) as excinfo:
        judge_exchange(submit_text(REGISTERED), "5 Anvil Stance\n1 Night Market", "")
    assert [problem.sentence for problem in excinfo.value.problems] == [
        "5 Anvil Stance cannot be removed: the submitted main deck has 4.",
        "1 Night Market cannot be removed: the submitted main deck has 0.",
    ]


def test_a_name_that_the_lists_part_holds_once_needs_no_dots() -> None:
    version = submit_text(REGISTERED.replace("4 Mara ●●", "4 Paper Tiger"))
    assert read_card_lines(version, "1 Mara", field="out", among=main_deck_cards(version)) == [
        MovedCard(main_deck_cards(version)[0].card, "Mara ●", 1)
    ]


def test_a_name_that_may_be_two_cards_is_asked_about() -> None:
    version = submit_text(REGISTERED)
    with pytest.raises(Refused) as excinfo:
        read_card_lines(version, "1 Mara\n1 Xyzzy", field="out", among=main_deck_cards(version))
    first, second = excinfo.value.problems
    assert (first.code, first.field) == ("card_unclear", "out")
    assert first.fix == "Write Mara ● or Mara ●●."
    assert second.sentence == "Line 2: it is not clear which card “1 Xyzzy” is."


def test_a_game_without_rules_about_exchanges_says_so() -> None:
    deck_list = services.create_list(game="cfc", format_key="standard")
    version = submit(deck_list, "1 Xyzzy", actor="Alice")
    with pytest.raises(Refused) as excinfo:
        evaluate_exchange(
            version, rules.load_format("cfc", "standard"), taken_out=(), brought_in=(), game_in_round=2
        )
    assert excinfo.value.code == "no_exchange"
