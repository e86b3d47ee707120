"""Two tabs of keepers: each keeps what he changed, and nobody writes over the other unseen."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import Group, User
from django.test import Client
from django.urls import reverse

from decks.catalogue.models import CatalogueImport
from decks.catalogue.services import imports as catalogue_imports
from decks.editions import services
from decks.editions.models import ListEdition
from tests.scenarios.catalogue import small_catalogue
from tests.scenarios.editions import draft
from tests.tournament.setup.test_concurrent_forms import opened

pytestmark = [pytest.mark.both_databases, pytest.mark.django_db]


@pytest.fixture
def keeper(client: Client) -> Client:
    """Somebody who keeps lists and the catalogue, signed in."""
    small_catalogue()
    lena = User.objects.create_user("lena@example.org")
    lena.groups.add(*Group.objects.filter(name__in=("List keepers", "Catalogue keepers")))
    client.force_login(lena)
    return client


def entry_page(row: ListEdition, place: int) -> str:
    return reverse("list_entry", args=[row.pk, place])


def test_two_who_change_what_a_draft_says_of_itself_keep_both(keeper: Client) -> None:
    made = draft()
    address = reverse("list_draft", args=[made.pk])
    tabs = [opened(keeper, address, "document") for _ in range(2)]
    assert keeper.post(address, {**tabs[0], "document": "News 7"}).status_code == 302
    assert keeper.post(address, {**tabs[1], "note": "For everybody."}).status_code == 302
    made.refresh_from_db()
    assert (made.document, made.note) == ("News 7", "For everybody.")


def test_what_both_said_of_a_draft_is_asked_about_and_then_taken(keeper: Client) -> None:
    made = draft()
    address = reverse("list_draft", args=[made.pk])
    tabs = [opened(keeper, address, "document") for _ in range(2)]
    keeper.post(address, {**tabs[0], "document": "News 7"})
    answer = keeper.post(address, {**tabs[1], "document": "News 8"})
    assert answer.context["details"].errors["document"] == [
        "Someone changed this after you opened the page. It is now “News 7”. Send yours again to replace it."
    ]
    made.refresh_from_db()
    assert made.document == "News 7"
    keeper.post(address, {**tabs[1], "document": "News 8", "initial-document": "News 7"})
    made.refresh_from_db()
    assert made.document == "News 8"


def test_two_who_change_different_entries_keep_both(keeper: Client) -> None:
    made = draft()
    tabs = [opened(keeper, entry_page(made, place), "clause") for place in (0, 1)]
    for place, tab in enumerate(tabs):
        answer = keeper.post(entry_page(made, place), {**tab, "clause": f"New {place}"})
        assert answer.status_code == 302
    made.refresh_from_db()
    assert [entry["clause"] for entry in made.entries[:2]] == ["New 0", "New 1"]


def test_an_entry_that_moved_up_meanwhile_is_the_one_that_changes(keeper: Client) -> None:
    made = draft()
    tab = opened(keeper, entry_page(made, 2), "clause")
    moved = made.entries[2]
    services.remove_entry(made, 0, revision=made.revision)
    assert keeper.post(entry_page(made, 2), {**tab, "clause": "New"}).status_code == 302
    made.refresh_from_db()
    assert made.entries[1] == {**moved, "clause": "New"}


def test_one_entry_that_two_change_is_asked_about_and_then_taken(keeper: Client) -> None:
    made = draft()
    address = entry_page(made, 0)
    tabs = [opened(keeper, address, "clause") for _ in range(2)]
    keeper.post(address, {**tabs[0], "clause": "News 7"})
    before = ListEdition.objects.get().entries
    answer = keeper.post(address, {**tabs[1], "clause": "News 8"})
    page = answer.content.decode()
    assert answer.status_code == 422
    assert "Someone changed this draft after you opened it. Entry 1 is now: " in page
    assert 'value="News 8"' in page
    assert ListEdition.objects.get().entries == before
    (mark,) = {answer.context["mark"]} - {tabs[1]["was"]}
    keeper.post(address, {**tabs[1], "clause": "News 8", "was": mark})
    assert ListEdition.objects.get().entries[0]["clause"] == "News 8"


def test_an_entry_is_added_to_what_another_has_changed_and_a_second_press_adds_none(keeper: Client) -> None:
    made = draft()
    address = reverse("list_entry_new", args=[made.pk])
    tab = {**opened(keeper, address, "clause"), "card": "Mara ●●", "clause": "News 1"}
    services.remove_entry(made, 0, revision=made.revision)
    count = len(ListEdition.objects.get().entries)
    for _ in range(2):
        assert keeper.post(address, tab).status_code == 302
    assert len(ListEdition.objects.get().entries) == count + 1


CONFLICTS = [
    {"token": token, "is_decidable": True, "place": "line 1", "stored": "asset", "incoming": "attack"}
    for token in ("a", "b")
]


@pytest.fixture
def sent() -> CatalogueImport:
    """A file with two conflicts that waits for decisions."""
    told = {"conflicts": CONFLICTS, "counts": {"undecidable": 0}}
    return CatalogueImport.objects.create(
        size=1, digest="", game="ufs", state="open", base="0:", preview=told
    )


def decisions(sent: CatalogueImport) -> dict[str, str]:
    sent.refresh_from_db()
    return {token: sent.side(token) for token in "ab"}


def test_two_who_decide_different_conflicts_keep_both(keeper: Client, sent: CatalogueImport) -> None:
    address = reverse("catalogue_decide", args=[sent.pk])
    shown = {"was-a": "keep", "was-b": "keep"}
    keeper.post(address, {**shown, "side-a": "take", "side-b": "keep"})
    keeper.post(address, {**shown, "side-a": "keep", "side-b": "take"})
    assert decisions(sent) == {"a": "take", "b": "take"}


@pytest.mark.parametrize(("step", "told"), [("apply", {}), ("decide", {"all": "keep"})])
def test_nothing_is_written_or_decided_at_once_over_decisions_that_were_not_seen(
    keeper: Client, sent: CatalogueImport, step: str, told: dict[str, str]
) -> None:
    seen = catalogue_imports.decisions_fingerprint(sent)
    catalogue_imports.decide(sent, each={"a": "take"})
    address = reverse(f"catalogue_{step}", args=[sent.pk])
    page = keeper.post(address, {"seen": seen, **told}, follow=True)
    (message,) = page.context["messages"]
    assert str(message) == (
        "Someone decided conflicts of this file after you opened the page. "
        "Review the decisions, then confirm again."
    )
    assert (decisions(sent), sent.state) == ({"a": "take", "b": "keep"}, "open")
