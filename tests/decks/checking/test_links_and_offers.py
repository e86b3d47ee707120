"""A link that opens a list in the checker, and offered cards.

The cards are offered while a line is typed.
"""

from __future__ import annotations

import pytest
from django.urls import reverse

from decks.checking.links import LONGEST_LINK, read_list_of_link, write_link
from tests.scenarios.catalogue import LEGAL, small_catalogue
from tests.scenarios.html import html_of

pytestmark = pytest.mark.django_db
FORMAT = "ufs/constructed/1.9"


@pytest.fixture(autouse=True)
def _catalogue(db: None) -> None:
    small_catalogue()


def fetch_offers(client, search_text: str) -> list[dict[str, object]]:
    return client.get(reverse("deck_card_offers"), {"format": FORMAT, "q": search_text}).json()["cards"]


def test_a_link_opens_the_list_with_its_verdict(client) -> None:
    page = client.get(f"{reverse('deck_check')}?{write_link(FORMAT, LEGAL)}")

    assert page.context["form"]["text"].value() == LEGAL
    assert page.context["checked_list"].outcome == "legal"


def test_the_checked_list_has_a_link_to_it(client) -> None:
    page = html_of(client.post(reverse("deck_check"), {"format": FORMAT, "text": LEGAL}))

    assert write_link(FORMAT, LEGAL).replace("&", "&amp;") in page


@pytest.mark.parametrize("packed_list", ["", "%%%", "abc", "eJwz", "x" * 50])
def test_a_link_that_was_cut_opens_an_empty_field(client, packed_list: str) -> None:
    assert read_list_of_link(packed_list) == ""
    assert client.get(reverse("deck_check"), {"list": packed_list}).status_code == 200


def test_a_list_too_long_for_a_link_has_none() -> None:
    assert write_link(FORMAT, "\n".join(f"1 Card {number * 7919 % 10007}" for number in range(3000))) == ""
    assert len(write_link(FORMAT, LEGAL)) < LONGEST_LINK


def test_cards_are_offered_from_three_letters_on(client) -> None:
    assert fetch_offers(client, "gr") == []
    assert [card["label"] for card in fetch_offers(client, "gran")] == ["Granite Guard"]


def test_an_offered_card_says_its_limit_and_whether_it_is_banned(client) -> None:
    banned_card, allowed_card = fetch_offers(client, "kubi")[0], fetch_offers(client, "anvil")[0]

    assert (banned_card["is_banned"], banned_card["says"]) == (True, "banned")
    assert (allowed_card["is_banned"], allowed_card["most"]) == (False, 4)


def test_no_card_is_offered_for_a_format_that_does_not_exist(client) -> None:
    assert client.get(reverse("deck_card_offers"), {"format": "x/y/z", "q": "anvil"}).status_code == 404
