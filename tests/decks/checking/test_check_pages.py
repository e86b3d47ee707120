"""The open pages: check a list, search cards, look at a card."""

from __future__ import annotations

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from decks.catalogue.services.catalogue import import_catalogue
from decks.submissions.models import DeckVersion
from tests.scenarios.catalogue import FILLERS, LEGAL, list_of, small_catalogue, write
from tests.scenarios.html import html_of

pytestmark = pytest.mark.django_db
FORMAT = "ufs/constructed/1.9"


@pytest.fixture(autouse=True)
def _catalogue(db: None) -> None:
    small_catalogue()


def check(client, text: str = LEGAL, *, partial: bool = False, **more):
    headers = {"HX-Request": "true"} if partial else {}
    return client.post(reverse("deck_check"), {"format": FORMAT, "text": text, **more}, headers=headers)


def test_the_page_offers_every_format_of_every_game(client):
    page = html_of(client.get("/decks/check/"))
    for value in (FORMAT, "ufs/constructed/1.8", "ufs/sealed/1.9", "cfc/"):
        assert f'value="{value}' in page


def test_a_legal_list_is_called_legal(client):
    page = check(client)
    assert page.status_code == 200
    assert '<span class="badge badge-legal">Legal</span>' in html_of(page)
    assert "No problems found" in html_of(page)


def test_while_typing_only_the_verdict_comes_back(client):
    part = html_of(check(client, partial=True))
    assert "badge-legal" in part
    assert "<html" not in part
    assert "<html" in html_of(check(client))


def test_each_broken_rule_stands_with_clause_lines_and_smallest_fix(client):
    part = html_of(check(client, list_of("1 Mara ●", "1 Kubi Ori"), partial=True))
    assert "Kubi Ori is banned" in part
    assert "UFS Tournament Rules v1.9, 502.1" in part
    assert "Line 2" in part
    assert 'class="finding-fix"' in part


def test_an_unknown_name_stands_in_its_line_with_a_way_out(client):
    part = html_of(check(client, LEGAL.replace("4 Granite Guard", "4 Granit Guard"), partial=True))
    assert "Cannot be checked" in part
    assert '<li class="line-problem" data-line="8" data-state="open">' in part
    assert 'Similar cards: <a href="/cards/ufs/granite-guard/" ' in part


def test_what_people_type_is_shown_as_text(client):
    part = html_of(check(client, "1 <script>alert(1)</script>\n<b>Deck</b>", partial=True))
    assert "<script>" not in part
    assert "&lt;script&gt;" in part


def test_an_empty_list_brings_no_verdict(client):
    part = html_of(check(client, "  \n ", partial=True))
    assert 'class="badge' not in part
    assert "The verdict appears here" in part


def test_a_file_is_checked_instead_of_the_text(client):
    upload = SimpleUploadedFile("deck.txt", b"\xff\xfe" + LEGAL.encode("utf-16-le"))
    assert "badge-legal" in html_of(check(client, "", file=upload))


def test_a_format_that_does_not_exist_is_refused_in_words(client):
    part = client.post(
        "/decks/check/", {"format": "chess/standard/1", "text": LEGAL}, headers={"HX-Request": "true"}
    )
    assert part.status_code == 200
    assert "alert-error" in html_of(part)


def test_a_declared_character_is_looked_for(client):
    part = html_of(check(client, character="Oto", partial=True))
    assert "badge-illegal" in part


def test_nothing_is_kept(client):
    check(client)
    assert DeckVersion.objects.count() == 0


def test_the_check_costs_two_queries(client, django_assert_num_queries):
    check(client, partial=True)
    with django_assert_num_queries(2):
        check(client, partial=True)


def test_no_page_holds_script_or_style_of_its_own(client):
    pages = [
        client.get("/decks/check/"),
        check(client),
        client.get("/cards/"),
        client.get("/cards/ufs/mara-1/"),
    ]
    for page in pages:
        body = html_of(page)
        assert " style=" not in body
        assert "<style" not in body
        assert all(tag.startswith("<script src=") for tag in _tags(body, "<script"))
        assert " onclick=" not in body


def _tags(body: str, start: str) -> list[str]:
    return [start + rest.split(">", 1)[0] for rest in body.split(start)[1:]]


@pytest.mark.parametrize("query", ["mara", "MÄRA", "Mara ●", "Mara.", "Mara*", "Mara1", "zz1 101", "mraa"])
def test_a_card_is_found_however_it_is_typed(client, query):
    page = html_of(client.get("/cards/", {"q": query, "game": "ufs"}))
    assert 'href="/cards/ufs/mara-1/"' in page


def test_the_search_answers_in_parts_while_typing(client):
    part = html_of(client.get("/cards/", {"q": "anvil"}, headers={"HX-Request": "true"}))
    assert 'href="/cards/ufs/anvil-stance/"' in part
    assert "<html" not in part


def test_a_search_in_vain_says_so(client):
    assert "No results for" in html_of(client.get("/cards/", {"q": "zzzzqqqq"}))


@pytest.mark.parametrize("query", ["", " ", "'\"<>", "x" * 500, "\u0000"])
def test_any_search_text_is_answered(client, query):
    assert client.get("/cards/", {"q": query}).status_code == 200


def test_a_card_page_shows_facts_printings_and_where_it_is_allowed(client):
    answer = client.get("/cards/ufs/mara-1/")
    page = html_of(answer)
    assert "Mara ●" in page
    assert "ZZ1 101" in page
    assert "First Bell" in page
    assert "<dt>type</dt><dd>character</dd>" in page
    assert '<span class="badge badge-legal">Allowed</span>' in page
    assert not answer.context["page"].current_statements


def test_a_banned_card_says_since_when_and_where(client):
    page = html_of(client.get("/cards/ufs/kubi-ori/"))
    assert page.count('<span class="badge badge-illegal">Banned</span>') == 3
    assert "UFS Tournament Rules v1.9, 502.1</details>, in force from Wed 27 Feb 2008" in page


def test_two_names_of_one_card_point_to_each_other(client):
    import_catalogue(
        write({"SF01-136": {"name": "Beginner's Luck", "dots": 0, "set": "SF01", "number": 136}})
    )
    assert "together with Green" in html_of(client.get("/cards/ufs/beginners-luck/"))


def test_a_card_that_does_not_exist_is_not_found(client):
    assert client.get("/cards/ufs/no-such-card/").status_code == 404
    assert client.get("/cards/chess/queen/").status_code == 404


@pytest.mark.parametrize("printings", [1, 3])
def test_a_card_page_costs_the_same_queries_for_one_printing_and_for_three(
    client, printings, django_assert_num_queries
):
    again = {f"ZZ{n}-001": {**FILLERS["ZZ1-001"], "set": f"ZZ{n}"} for n in range(2, printings + 1)}
    import_catalogue(write(again))
    client.get("/cards/ufs/anvil-stance/")
    with django_assert_num_queries(5):
        client.get("/cards/ufs/anvil-stance/")


def test_the_api_checks_a_list(client):
    form_values = {
        "game": "ufs",
        "format": "constructed",
        "rules": "1.9",
        "text": list_of("1 Mara ●", "1 Kubi Ori"),
    }
    answer = client.post("/api/decks/check/", form_values, content_type="application/json")
    assert answer.status_code == 200
    body = answer.json()
    assert (body["outcome"], body["totals"]) == ("illegal", {"main": 61})
    assert [(f["rule"], f["clause"]) for f in body["verdict"]["findings"]] == [("UFS-L06", "502.1")]
    assert body["lines"][1]["card_key"] == "kubi-ori"


@pytest.mark.parametrize(
    "change",
    [
        {"format": "nope"},
        {"game": "chess"},
        {"text": None},
        {"overlay": {"off": 3}},
        {"on": "someday"},
        {"rules": "9"},
    ],
)
def test_the_api_refuses_what_makes_no_sense(client, change):
    form_values = {"game": "ufs", "format": "constructed", "text": LEGAL, **change}
    assert client.post("/api/decks/check/", form_values, content_type="application/json").status_code == 400


def test_the_api_finds_cards(client):
    (best, *_) = client.get("/api/cards/", {"q": "Mara ●●", "game": "ufs"}).json()
    assert (best["key"], best["label"], best["places"]) == ("mara-2", "Mara ●●", ["ZZ1 102"])


def test_the_administration_shows_catalogue_and_lists(admin_client):
    for name in ("cardset", "card", "printing", "decklist", "deckversion", "ruling"):
        assert admin_client.get(f"/admin/decks/{name}/").status_code == 200
    assert admin_client.get("/admin/decks/deckversion/add/").status_code == 403


def test_a_card_that_plays_as_corrected_is_a_remark_below_the_verdict(client):
    stitch = {"name": "Hem Stitch", "type": "attack", "split": [], "dots": 0, "set": "SC01", "number": 45}
    import_catalogue(write({"SC01-045": stitch}))
    part = html_of(check(client, LEGAL.replace("4 Anvil Stance", "4 Hem Stitch"), partial=True))
    assert "No problems found" in part
    assert "<summary>Card notes (1)</summary>" in part
    assert "501.6" in part


def test_neither_the_list_nor_the_file_is_called_optional(client):
    html = html_of(client.get("/decks/check/"))
    assert '<label for="id_text">Decklist</label>' in html
    assert '<label for="id_file">Deck file</label>' in html


UNKNOWN = "\n".join(f"4 Quartz Oath {number}" for number in ("A", "B", "C"))


def test_a_deck_of_cards_that_are_missing_says_how_many_are_known_and_how_to_add_the_rest(
    client, admin_client
):
    deck = f"1 Mara ●\n{UNKNOWN}"
    part = html_of(check(client, deck, partial=True))
    assert "Ringside knows 1 of the 4 cards in this deck." in part
    assert 'href="/guide/how-to/organizers/import-cards/"' in part
    assert 'href="/catalogue/"' in html_of(check(admin_client, deck, partial=True))


def test_a_few_misspelled_names_are_no_missing_cards(client):
    part = html_of(check(client, f"{LEGAL}\n{UNKNOWN}", partial=True))
    assert "Ringside knows" not in part
