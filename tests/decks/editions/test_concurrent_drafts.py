"""Two tabs of keepers: each keeps their own changes.

No one writes over the other unseen.
"""

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
from tests.tournament.setup.test_concurrent_forms import open_form

pytestmark = pytest.mark.django_db


@pytest.fixture
def keeper(client: Client) -> Client:
    """A signed-in keeper of lists and the catalogue."""
    small_catalogue()
    lena = User.objects.create_user("lena@example.org")
    lena.groups.add(*Group.objects.filter(name__in=("Ban list editors", "Catalogue editors")))
    client.force_login(lena)
    return client


def entry_page(row: ListEdition, place: int) -> str:
    return reverse("list_entry", args=[row.pk, place])


def test_two_who_change_what_a_draft_says_of_itself_keep_both(keeper: Client) -> None:
    new_draft = draft()
    address = reverse("list_draft", args=[new_draft.pk])
    tabs = [open_form(keeper, address, "document") for _ in range(2)]
    assert keeper.post(address, {**tabs[0], "document": "News 7"}).status_code == 302
    assert keeper.post(address, {**tabs[1], "note": "For everybody."}).status_code == 302
    new_draft.refresh_from_db()
    assert (new_draft.document, new_draft.note) == ("News 7", "For everybody.")


def test_what_both_said_of_a_draft_is_asked_about_and_then_taken(keeper: Client) -> None:
    new_draft = draft()
    address = reverse("list_draft", args=[new_draft.pk])
    tabs = [open_form(keeper, address, "document") for _ in range(2)]
    keeper.post(address, {**tabs[0], "document": "News 7"})
    answer = keeper.post(address, {**tabs[1], "document": "News 8"})
    assert answer.context["details"].errors["document"] == [
        "Someone changed this after you opened the page. It is now “News 7”. Send yours again to replace it."
    ]
    new_draft.refresh_from_db()
    assert new_draft.document == "News 7"
    keeper.post(address, {**tabs[1], "document": "News 8", "initial-document": "News 7"})
    new_draft.refresh_from_db()
    assert new_draft.document == "News 8"


def test_two_who_change_different_entries_keep_both(keeper: Client) -> None:
    new_draft = draft()
    tabs = [open_form(keeper, entry_page(new_draft, place), "clause") for place in (0, 1)]
    for place, tab in enumerate(tabs):
        answer = keeper.post(entry_page(new_draft, place), {**tab, "clause": f"New {place}"})
        assert answer.status_code == 302
    new_draft.refresh_from_db()
    assert [entry["clause"] for entry in new_draft.entries[:2]] == ["New 0", "New 1"]


def test_an_entry_that_moved_up_meanwhile_is_the_one_that_changes(keeper: Client) -> None:
    new_draft = draft()
    tab = open_form(keeper, entry_page(new_draft, 2), "clause")
    moved_entry = new_draft.entries[2]
    services.remove_entry(new_draft, 0, revision=new_draft.revision)
    assert keeper.post(entry_page(new_draft, 2), {**tab, "clause": "New"}).status_code == 302
    new_draft.refresh_from_db()
    assert new_draft.entries[1] == {**moved_entry, "clause": "New"}


def test_one_entry_that_two_change_is_asked_about_and_then_taken(keeper: Client) -> None:
    new_draft = draft()
    address = entry_page(new_draft, 0)
    tabs = [open_form(keeper, address, "clause") for _ in range(2)]
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
    new_draft = draft()
    address = reverse("list_entry_new", args=[new_draft.pk])
    tab = {**open_form(keeper, address, "clause"), "card": "Mara ●●", "clause": "News 1"}
    services.remove_entry(new_draft, 0, revision=new_draft.revision)
    count = len(ListEdition.objects.get().entries)
    for _ in range(2):
        assert keeper.post(address, tab).status_code == 302
    assert len(ListEdition.objects.get().entries) == count + 1


CONFLICTS = [
    {"token": token, "is_decidable": True, "place": "line 1", "stored": "asset", "incoming": "attack"}
    for token in ("a", "b")
]


@pytest.fixture
def sent_import() -> CatalogueImport:
    """A file with two conflicts that waits for decisions."""
    sent_values = {"conflicts": CONFLICTS, "counts": {"undecidable": 0}}
    return CatalogueImport.objects.create(
        size=1, digest="", game="ufs", state="open", base="0:", preview=sent_values
    )


def decisions(sent_import: CatalogueImport) -> dict[str, str]:
    sent_import.refresh_from_db()
    return {token: sent_import.side(token) for token in "ab"}


def test_two_who_decide_different_conflicts_keep_both(keeper: Client, sent_import: CatalogueImport) -> None:
    address = reverse("catalogue_decide", args=[sent_import.pk])
    shown_values = {"was-a": "keep", "was-b": "keep"}
    keeper.post(address, {**shown_values, "side-a": "take", "side-b": "keep"})
    keeper.post(address, {**shown_values, "side-a": "keep", "side-b": "take"})
    assert decisions(sent_import) == {"a": "take", "b": "take"}


@pytest.mark.parametrize(("step", "values"), [("apply", {}), ("decide", {"all": "keep"})])
def test_nothing_is_written_or_decided_at_once_over_decisions_that_were_not_seen(
    keeper: Client, sent_import: CatalogueImport, step: str, values: dict[str, str]
) -> None:
    seen_mark = catalogue_imports.decisions_fingerprint(sent_import)
    catalogue_imports.decide(sent_import, each={"a": "take"})
    address = reverse(f"catalogue_{step}", args=[sent_import.pk])
    page = keeper.post(address, {"seen": seen_mark, **values}, follow=True)
    (message,) = page.context["messages"]
    assert str(message) == (
        "Someone decided conflicts of this file after you opened the page. "
        "Review the decisions, then confirm again."
    )
    assert (decisions(sent_import), sent_import.state) == ({"a": "take", "b": "keep"}, "open")
