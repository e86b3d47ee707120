"""A decklist on a phone.

Typed text is never lost, files are read, and a pool becomes a deck.
"""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from decks.submissions.models import DeckVersion
from tests.fixtures.browser import count_restyled
from tests.scenarios import labels
from tests.scenarios.catalogue import LEGAL, list_of, small_catalogue
from tests.scenarios.factories import add_players, make_event
from tournament.access.permissions import Actor
from tournament.decklists.services import lists as decklists

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
# Elements of a line, with the cards that it offers.
FEW = 30
LINES = 40
TYPED = LEGAL.replace("1 Mara ●", "1 Mara ●●")
DROP = """(text) => {
  const data = new DataTransfer();
  data.items.add(new File([text], "deck.o8d"));
  const drop = new DragEvent("drop", { dataTransfer: data, bubbles: true });
  document.getElementById("id_text").dispatchEvent(drop);
}"""


def field(page: Page, name: str = "text") -> Any:
    return page.locator(f"#id_{name}")


def test_nothing_typed_is_lost_until_it_is_handed_in(phone: Page, live: Any, complaints: list[str]) -> None:
    small_catalogue()
    alice = add_players(make_event(), 2)[0]
    decklists.submit_list(alice, Actor.of_player(alice), LEGAL)
    address = f"/p/{alice.token}/list/"

    phone.goto(address)
    expect(phone.locator("#kept")).to_be_hidden()
    field(phone).fill(TYPED)
    phone.goto("about:blank")
    phone.goto(address)
    expect(field(phone)).to_have_value(TYPED)
    expect(phone.locator("#kept")).to_be_visible()
    expect(phone.locator("#verdict")).to_contain_text("Mara ●●")

    phone.context.set_offline(True)
    field(phone).fill(TYPED + "\n1 Oto ●●●")
    # The check of what is typed fails, too: the connection is back only after the form has found none.
    with phone.expect_event("requestfailed", lambda request: request.is_navigation_request()):
        phone.get_by_role("button", name=labels.SUBMIT_DECKLIST).click(no_wait_after=True)
    phone.context.set_offline(False)
    complaints.clear()  # of the lost connection
    phone.goto(address)
    expect(field(phone)).to_have_value(TYPED + "\n1 Oto ●●●")

    phone.get_by_role("button", name="Show submitted decklist").click()
    expect(field(phone)).to_have_value(LEGAL)
    phone.evaluate(DROP, TYPED)
    expect(field(phone)).to_have_value(TYPED)
    expect(phone.locator("#verdict")).to_contain_text("Mara ●●")
    phone.get_by_role("button", name=labels.SUBMIT_DECKLIST).click()
    expect(phone.get_by_text("is submitted and counts.")).to_be_visible()
    phone.goto(address)
    expect(phone.locator("#kept")).to_be_hidden()
    assert DeckVersion.objects.latest("number").source_text.splitlines() == TYPED.splitlines()


def test_a_key_in_the_list_restyles_no_other_line(phone: Page, live: Any) -> None:
    small_catalogue()
    alice = add_players(make_event(), 2)[0]
    phone.goto(f"/p/{alice.token}/list/")
    field(phone).fill(list_of("1 Mara ●", "2 Kubi Ori", fillers=57))
    expect(phone.locator("#plan")).to_contain_text("Remove 2 Kubi Ori")
    assert max(count_restyled(phone, lambda: field(phone).press("End"))) < FEW
    assert max(count_restyled(phone, lambda: field(phone).press_sequentially("\n1 Oa"))) < FEW


def test_a_verdict_with_a_note_at_each_line_lays_the_list_out_a_few_times(phone: Page, live: Any) -> None:
    small_catalogue()
    alice = add_players(make_event(), 2)[0]
    phone.goto(f"/p/{alice.token}/list/")
    field(phone).fill("\n".join(f"1 Unknown {number}" for number in range(LINES)))
    marks = phone.locator(".line-mark:visible")
    expect(marks).to_have_count(LINES)

    def type_line() -> None:
        field(phone).press("Control+Home")
        field(phone).press("2")
        expect(marks).to_have_count(LINES - 1)
        expect(marks).to_have_count(LINES)

    assert len(count_restyled(phone, type_line)) < LINES


def test_a_pool_typed_once_becomes_a_deck_by_taps(phone: Page, live: Any) -> None:
    small_catalogue()
    alice = add_players(make_event(format="sealed"), 2)[0]
    phone.goto(f"/p/{alice.token}/list/")
    field(phone, "pool").fill("1 Mara ●\n4 Anvil Stance")
    phone.get_by_role("button", name="Choose deck from pool").click()
    phone.get_by_role("button", name="Add one:  Mara ●").click()
    phone.get_by_role("button", name="Add one:  Anvil Stance").click(click_count=2)
    expect(phone.locator("[data-sum]")).to_have_text("3 cards")
    phone.get_by_role("button", name="Use this deck").click()
    expect(field(phone)).to_have_value("Main deck\n1 Mara ●\n2 Anvil Stance")
    expect(field(phone, "pool")).to_have_value("1 Mara ●\n4 Anvil Stance")
    phone.goto(f"/p/{alice.token}/list/")
    expect(field(phone)).to_have_value("Main deck\n1 Mara ●\n2 Anvil Stance")
