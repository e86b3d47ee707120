"""Two cards of one name.

Set and number distinguish them wherever a deck is compared with its list.
"""

from __future__ import annotations

from datetime import UTC, datetime
from io import BytesIO
from typing import Any

import pytest
from django.db.models import Q
from pypdf import PdfReader

from decks.catalogue.models import Card
from decks.catalogue.selectors import disambiguate_name, find_namesakes
from decks.submissions.exchanges import main_deck_cards
from decks.submissions.models import DeckVersion
from decks.submissions.services import create_list
from tests.scenarios.catalogue import import_once, small_catalogue, write
from tests.scenarios.decklists import submit
from tests.scenarios.factories import add_players, built_once, make_event, organizer, publish_next
from tests.scenarios.html import html_of
from tests.tournament.desk.test_console_pages import signed_in
from tournament.access.permissions import Actor
from tournament.decklists.count_forms import PoolPickForm
from tournament.decklists.field import build_field
from tournament.decklists.models import ExchangeCheck
from tournament.decklists.selectors import build_check_sheet
from tournament.decklists.services import lists as decklists
from tournament.events.models.event import Event
from tournament.events.models.round import Match
from tournament.printing.registry import SHEETS
from tournament.printing.render import render_sheet_pdf
from tournament.printing.request import PrintRequest
from tournament.setup.services import events

pytestmark = pytest.mark.django_db
NOW = datetime(2026, 5, 2, 9, 30, tzinfo=UTC)
HADOS = {
    key: {
        "name": "Dark Hado", "type": "foundation", "dots": 0, "distinct_from": [other],
        "set": code, "number": number, "number_as_printed": printed_name,
    }
    for key, other, code, number, printed_name in (
        ("SF03-015", "SF04-070", "SF03", 15, "15/90"), ("SF04-070", "SF03-015", "SF04", 70, "070/144"),
    )
}  # fmt: skip
TOLD_APART = ["Anvil Stance", "Dark Hado (SF03 15/90)", "Dark Hado (SF04 070/144)"]


@pytest.fixture
@built_once
def version() -> DeckVersion:
    """Four players in round 1; Alice has registered both cards called Dark Hado."""
    small_catalogue()
    import_once(write(HADOS))
    event = make_event()
    alice = add_players(event, 4)[0]
    text = "4 Dark Hado (SF04 070/144)\n3 Anvil Stance\n2 Dark Hado (SF03 15/90)"
    decklists.submit_list(alice, Actor.of_player(alice), text)
    events.start_event(event, organizer())
    publish_next(event)
    return DeckVersion.objects.get()


def event_of(version: DeckVersion) -> Event:
    return version.deck_list.player.event


def test_cards_of_one_name_stand_with_set_and_number_in_checking_order(version: DeckVersion) -> None:
    sheet = build_check_sheet(version)
    assert [row.name for group in sheet.groups for row in group.rows] == TOLD_APART
    assert [row.qty for group in sheet.groups for row in group.rows] == [3, 2, 4]


@pytest.mark.both_databases
def test_versions_that_differ_in_rank_dots_are_no_namesakes(version: DeckVersion) -> None:
    assert sorted(card.key for card in Card.objects.filter(name="Mara")) == ["mara-1", "mara-2"]
    assert sorted(find_namesakes("ufs")) == ["dark-hado", "dark-hado-no2"]


def test_line_without_a_printing_gets_the_place_of_its_card(version: DeckVersion) -> None:
    entry = {"card": "dark-hado", "printing": None, "name": "Dark Hado"}
    assert disambiguate_name(entry, find_namesakes("ufs")) == "Dark Hado (SF03 15/90)"
    assert disambiguate_name({**entry, "card": None}, find_namesakes("ufs")) == "Dark Hado"


def test_cards_of_one_name_cost_two_queries(version: DeckVersion, django_assert_num_queries: Any) -> None:
    with django_assert_num_queries(2):
        find_namesakes("ufs")


def test_the_field_tells_cards_of_one_name_apart(version: DeckVersion) -> None:
    assert sorted(use.name for use in build_field(event_of(version)).cards) == TOLD_APART


@pytest.mark.both_databases
def test_judge_reads_both_cards_of_one_name_on_all_pages(version: DeckVersion) -> None:
    event = event_of(version)
    match = Match.objects.filter(Q(p1__number=1) | Q(p2__number=1)).get()
    judge = signed_in(event, "judge")
    both = html_of(judge.get(f"/judge/{event.slug}/tables/1/1/{match.table}/lists/"))
    assert [words for words in TOLD_APART if f">{words}</" in both] == TOLD_APART


def test_judge_picks_the_right_card_of_one_name_in_an_exchange_and_reads_it_on_record(
    version: DeckVersion,
) -> None:
    event = event_of(version)
    address = f"/console/{event.slug}/lists/1/exchange/"
    judge = signed_in(event, "judge")
    form = judge.get(address).context["form"]
    picks = {pick.card.name: pick.field for pick in form.going_out}
    assert sorted(picks) == sorted(TOLD_APART)
    field = picks["Dark Hado (SF04 070/144)"]
    assert field.label == "Dark Hado (SF04 070/144)"
    judge.post(address, {"game_in_round": "2", field.name: "1", "keep": "1"})
    (moved_card,) = ExchangeCheck.objects.get().taken_out
    assert disambiguate_name(moved_card, find_namesakes("ufs")) == "Dark Hado (SF04 070/144)"
    assert "game 2: −1 Dark Hado (SF04 070/144) <span" in html_of(judge.get(address))


def test_card_of_one_name_that_is_taken_from_a_pool_stands_in_the_list(version: DeckVersion) -> None:
    cards = [(card, card.qty) for card in main_deck_cards(version)]
    form = PoolPickForm({"pick_0": "1", "pick_2": "2"}, game="ufs", cards=cards)
    assert form.is_valid()
    assert form.as_text() == "Main deck\n1 Dark Hado (SF04 070/144)\n2 Dark Hado (SF03 15/90)"
    other = create_list(game="ufs", format_key="constructed", rules_version="1.9")
    again = submit(other, form.as_text(), actor="Alice")
    assert [(card.card, card.qty) for card in main_deck_cards(again)] == [
        (cards[0][0].card, 1),
        (cards[2][0].card, 2),
    ]


@pytest.mark.paper
@pytest.mark.parametrize("key", ["registration", "deck-check"])
def test_cards_of_one_name_are_printed_with_set_and_number(version: DeckVersion, key: str) -> None:
    event = event_of(version)
    print_request = PrintRequest(event, None, "A4", NOW, player=event.players.get(number=1))
    text = PdfReader(BytesIO(render_sheet_pdf(SHEETS[key], print_request))).pages[0].extract_text()
    assert [words for words in TOLD_APART if words in text] == TOLD_APART
