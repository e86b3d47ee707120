"""The page of a card.

It has its status on a day, its history in the lists, and its known and unknown facts.
"""

from __future__ import annotations

from datetime import date

import pytest
from django.urls import reverse

from decks.cards.selectors import get_card_page
from decks.catalogue.services.catalogue import import_catalogue
from tests.everyday import each_case
from tests.scenarios.catalogue import small_catalogue, write
from tests.scenarios.html import html_of
from tests.scenarios.rollback import rolled_back
from tests.scenarios.upcoming_decklists import DAY, ban_list

pytestmark = pytest.mark.django_db
TODAY = date(2026, 11, 21)


@pytest.fixture(autouse=True)
def _catalogue(db: None) -> None:
    small_catalogue()


def standings(key: str, day: date = TODAY, game: str = "ufs") -> list[tuple[str, str, str]]:
    return [(each.format_name, each.outcome, each.clause) for each in get_card_page(game, key, day).standings]


def list_rulings(key: str, day: date = TODAY) -> list[tuple[str, date | None]]:
    return [
        (ruling.sentence, ruling.in_force)
        for ruling in get_card_page("ufs", key, day).current_statements
        if ruling.kind == "bans"
    ]


def test_a_banned_card_names_clause_and_since_when():
    assert ("Constructed", "illegal", "502.1") in standings("kubi-ori")
    assert list_rulings("kubi-ori") == [("Banned.", date(2008, 2, 27))]


def test_a_ban_counts_from_its_day_on():
    ban_list("Anvil Stance")
    constructed = [each for each in standings("anvil-stance") if each[0] == "Constructed"]
    assert constructed == [("Constructed", "legal", "")]
    assert ("Constructed", "illegal", "502.1") in standings("anvil-stance", DAY)
    assert (list_rulings("anvil-stance"), list_rulings("anvil-stance", DAY)) == ([], [("Banned.", DAY)])


def test_the_history_tells_every_edition_in_order_and_when_a_ban_ended():
    ban_list("Anvil Stance")
    ban_list("Anvil Stance", number=3, in_force=date(2027, 1, 1))
    ban_list(number=4, in_force=date(2027, 2, 1))
    rows = [
        (history.number, history.sentence, history.in_force, history.until, history.is_over)
        for history in get_card_page("ufs", "anvil-stance", TODAY).history
    ]
    assert rows == [
        (2, "Banned.", DAY, date(2027, 1, 1), False),
        (3, "Banned.", date(2027, 1, 1), date(2027, 2, 1), False),
        (4, "No longer named.", date(2027, 2, 1), None, True),
    ]


def test_a_version_of_a_character_whose_dots_are_unknown_cannot_be_checked():
    import_catalogue(write({"x": {"name": "Dhalsim", "type": "character"}}))
    assert {each for each in standings("dhalsim") if each[0] == "Constructed"} == {
        ("Constructed", "unknown", "502.1")
    }
    assert list_rulings("dhalsim") == [("One version of this name: Banned.", date(2008, 2, 27))]


def test_a_fact_that_is_not_entered_is_shown_as_unknown():
    facts = {fact.name: fact.value for fact in get_card_page("ufs", "mara-1", TODAY).facts}
    assert (facts["type"], facts["dots"], facts["vitality"], facts["hand size"]) == (
        "character", "1", None, None,
    )  # fmt: skip


@each_case(
    ("game", "card", "unknown"),
    [
        ("ufs", {"name": "A", "type": "attack"}, "keywords"),
        ("cfc", {"name": "A", "type": "action"}, "rarity"),
        ("sf_miniatures", {"name": "A", "kind": "attack"}, "owner"),
        ("highlander", {"title": "A", "type": "edge"}, "gems"),
    ],
    around=rolled_back,
)
def test_each_game_has_a_page_with_its_own_facts(client, game, card, unknown):
    import_catalogue(write({"k1": card}, game=game))
    page = client.get(reverse("card", args=[game, "a"]))
    assert page.status_code == 200
    assert f'<dt>{unknown}</dt><dd><span class="muted">Unknown</span></dd>' in html_of(page)


def test_the_page_takes_a_day_and_refuses_what_is_none(client):
    ban_list("Anvil Stance")
    address = reverse("card", args=["ufs", "anvil-stance"])
    assert "badge-illegal" not in html_of(client.get(address, {"on": "2026-11-30"}))
    assert "badge-illegal" in html_of(client.get(address, {"on": "2026-12-01"}))
    for odd in ("soon", "\x00", "9" * 40, "2026-02-31"):
        page = client.get(address, {"on": odd})
        assert page.status_code == 200
        assert "field-problem" in html_of(page)


def test_before_any_rules_no_format_is_named(client):
    page = get_card_page("ufs", "mara-1", date(1990, 1, 1))
    assert page.standings == ()
