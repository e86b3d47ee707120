"""Comparison of the list presented for a game with the registered list.

Judges make it. Tests cover page and log.
"""

from __future__ import annotations

import pytest
from django.test import Client

from decks.submissions.exchanges import MovedCard, main_deck_cards
from tests.scenarios.event_with_decklist import event_with_alices_list
from tests.scenarios.factories import organizer
from tests.scenarios.log_words import words_of
from tests.scenarios.public_pages import text_of
from tests.tournament.desk.test_console_pages import signed_in
from tournament.decklists.models import ExchangeCheck
from tournament.decklists.services import exchanges
from tournament.events.models.event import Event
from tournament.events.models.player import Player

pytestmark = pytest.mark.django_db


@pytest.fixture
def event() -> Event:
    """Return an event with round 1 being played and a list of Alice's.

    Alice registered four of each of fifteen cards and a sideboard of eight.
    """
    return event_with_alices_list(players=2)


@pytest.fixture
def judge(event: Event) -> Client:
    return signed_in(event, "judge")


def address(event: Event) -> str:
    return f"/console/{event.slug}/lists/1/exchange/"


def alice_of(event: Event) -> Player:
    return event.players.select_related("event", "deck_list__current__deck_list").get(number=1)


def test_cards_are_tapped_and_the_verdict_names_the_clause(event: Event, judge: Client) -> None:
    form = judge.get(address(event)).context["form"]
    assert [(pick.card.name, pick.card.qty) for pick in form.going_in] == [
        ("Night Market", 4),
        ("Oaken Will", 4),
    ]
    legal = judge.post(address(event), {"game_in_round": "2", "out_1": "2", "into_0": "2"})
    assert (legal.status_code, legal.context["exchange"].verdict.outcome) == (200, "legal")
    assert "No problems found" in text_of(legal)
    uneven = judge.post(address(event), {"game_in_round": "2", "out_1": "2", "into_0": "1"})
    assert [each.code for each in uneven.context["exchange"].verdict.findings] == ["not-one-for-one"]
    assert "UFS Tournament Rules v1.9, 101.4" in text_of(uneven)
    assert ExchangeCheck.objects.count() == 0


def test_lines_may_be_typed_instead(event: Event, judge: Client) -> None:
    form_values = {"game_in_round": "3", "out": "1 Anvil Stance\n1 Brass Knuckle", "into": "2 oaken will"}
    assert judge.post(address(event), form_values).context["exchange"].verdict.outcome == "legal"
    answer = judge.post(address(event), {**form_values, "out": "2 Nobody"})
    assert answer.status_code == 422
    assert list(answer.context["form"].errors) == ["out"]


@pytest.mark.parametrize(
    "form_values",
    [
        {"game_in_round": "0"},
        {"game_in_round": ""},
        {"game_in_round": "9" * 30},
        {"game_in_round": "2", "out_1": "5"},
        {"game_in_round": "2", "out_1": "-1"},
        {"game_in_round": "2", "out": "x" * 5000},
        {"game_in_round": "2", "out": "5 Anvil Stance"},
    ],
)
def test_what_cannot_be_is_refused_beside_its_field(
    event: Event, judge: Client, form_values: dict[str, str]
) -> None:
    assert judge.post(address(event), form_values).status_code == 422
    assert ExchangeCheck.objects.count() == 0


def test_a_check_on_record_names_round_game_and_version_and_stands_in_the_log(
    event: Event, judge: Client
) -> None:
    form_values = {"game_in_round": "2", "out_1": "1", "into_0": "2", "keep": "1"}
    page = text_of(judge.post(address(event), form_values, follow=True))
    exchange_check = ExchangeCheck.objects.get()
    assert (
        exchange_check.stage,
        exchange_check.round,
        exchange_check.game_in_round,
        exchange_check.version.number,
    ) == (1, 1, 2, 1)
    assert (exchange_check.outcome, [(m["name"], m["qty"]) for m in exchange_check.taken_out]) == (
        "illegal",
        [("Anvil Stance", 1)],
    )
    assert "Round 1, game 2: −1 Anvil Stance; +2 Night Market" in page
    entry = event.log.order_by("-pk").first()
    assert (entry.action, words_of(entry)) == (
        "exchange_checked",
        f"{exchange_check.checked_by} checked the sideboarding of Alice before game 2: not legal.",
    )


def test_a_check_can_be_taken_back_once(event: Event, judge: Client) -> None:
    judge.post(address(event), {"game_in_round": "1", "keep": "1"})
    exchange_check = ExchangeCheck.objects.get()
    back = f"{address(event)}{exchange_check.pk}/back/"
    assert judge.post(back).status_code == 302
    assert ExchangeCheck.objects.count() == 0
    assert judge.post(back).status_code == 404
    actions = event.log.order_by("-pk").values_list("action", flat=True)
    assert list(actions[:2]) == ["exchange_check_taken_back", "exchange_checked"]


def test_taking_back_twice_at_once_is_taking_back_once(event: Event) -> None:
    presented = exchanges.PresentedExchange((), (), game_in_round=1)
    exchange = exchanges.record_exchange(alice_of(event), organizer(), presented)
    other = ExchangeCheck.objects.select_related("player__event").get(pk=exchange.pk)
    exchanges.undo_exchange_check(exchange, organizer())
    exchanges.undo_exchange_check(other, organizer())
    assert event.log.filter(action="exchange_check_taken_back").count() == 1


def test_without_a_list_there_is_nothing_to_hold_an_exchange_against(event: Event, judge: Client) -> None:
    answer = judge.get(f"/console/{event.slug}/lists/2/exchange/", follow=True)
    assert (
        "Bob has not submitted a decklist. Enter the decklist first, then check the sideboarding."
        in text_of(answer)
    )


def test_a_scorekeeper_may_not_look_into_exchanges(event: Event) -> None:
    assert signed_in(event, "scorekeeper").get(address(event)).status_code == 403


def test_the_log_hides_what_was_checked_from_a_scorekeeper(event: Event) -> None:
    alice = alice_of(event)
    card = main_deck_cards(alice.deck_list.current)[1]
    moved_cards = (MovedCard(card.card, card.name, 1),)
    exchanges.record_exchange(
        alice, organizer(), exchanges.PresentedExchange(moved_cards, (), game_in_round=2)
    )
    entry = event.log.get(action="exchange_checked")
    page = text_of(signed_in(event, "scorekeeper").get(f"/console/{event.slug}/log/{entry.pk}/"))
    assert (words_of(entry) in page, card.name in page) == (False, False)
    hidden_step = "took a step that only staff with access to decklists can see."
    assert f"{entry.actor_name} {hidden_step}" in page
