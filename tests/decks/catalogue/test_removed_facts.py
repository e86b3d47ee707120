"""A keeper clears stored facts in the grid.

They are previewed, removed, unknown afterwards, and back by undo.
"""

from __future__ import annotations

import json

import pytest
from django.contrib.auth.models import Group, User
from django.test import Client

from decks.catalogue.models import Card, CatalogueImport, ImportedFile, Printing
from decks.catalogue.services import imports
from decks.catalogue.services.catalogue import import_catalogue
from decks.catalogue.services.undo import undo_import
from decks.checking.check import check_text
from tests.decks.catalogue.test_catalogue_concurrency import outcome_of
from tests.decks.catalogue.test_catalogue_imports import work
from tests.decks.submissions.test_submission_concurrency import at_once
from tests.scenarios.fifth_game import EMBERHOLD, write_files

pytestmark = [pytest.mark.both_databases, pytest.mark.django_db]
CATALOGUE = """\
name,type,house,fame,set,number
Banner of the Fox,banner,Fox,,EH,1
Mill,holding,free,,EH,2
Inn,holding,free,,EH,3
Fox Knight,champion,Fox,2,EH,4
Fox Page,champion,Fox,1,EH,5
Rain,event,free,,EH,6
"""
DECK = "1 Banner of the Fox\n3 Mill\n1 Inn\n3 Fox Knight\n2 Fox Page\n2 Rain"
GRID = "/catalogue/sets/emberhold/EH/"


@pytest.fixture
def kim(tmp_path, monkeypatch) -> User:
    monkeypatch.setenv("RINGSIDE_GAMES_DIR", str(write_files(tmp_path, EMBERHOLD)))
    import_catalogue(CATALOGUE.encode(), game="emberhold")
    kim = User.objects.create_user("kim@example.org", first_name="Kim")
    kim.groups.add(Group.objects.get(name="Catalogue editors"))
    return kim


@pytest.fixture
def keeper(client: Client, kim: User) -> Client:
    client.force_login(kim)
    return client


def open_grid(keeper: Client) -> dict[str, str]:
    """Return the values that a browser sends for the opened grid."""
    context = keeper.get(GRID).context
    return {cell.field: cell.value for row in context["rows"] for cell in row.cells} | {
        "shown": context["shown_values"]
    }


def field(name: str, fact: str) -> str:
    return f"{Printing.objects.get(card__name=name).pk}:{fact}"


def send_cells(keeper: Client, **cells: str) -> CatalogueImport:
    """Send the grid with the facts of Fox Knight changed, and have it read."""
    values = open_grid(keeper) | {field("Fox Knight", fact): value for fact, value in cells.items()}
    keeper.post(GRID, values)
    work()
    return CatalogueImport.objects.get()


def write(catalogue_import: CatalogueImport, person: User) -> CatalogueImport:
    imports.request_apply(catalogue_import, person)
    work()
    return CatalogueImport.objects.get(pk=catalogue_import.pk)


def facts_of(name: str) -> dict[str, object]:
    return Card.objects.get(name=name).attributes


def test_cleared_cell_says_that_its_fact_will_be_removed(keeper: Client):
    page = keeper.get(GRID).content.decode()
    stored_cell = page.split(f'name="{field("Fox Knight", "fame")}"')[1].split(">")[0]
    empty_cell = page.split(f'name="{field("Mill", "fame")}"')[1].split(">")[0]
    assert 'placeholder="Will be removed"' in stored_cell
    assert "placeholder" not in empty_cell


def test_cleared_fact_is_previewed_removed_and_returned_by_undo(keeper: Client, kim: User):
    assert check_text("emberhold", "duel", DECK).outcome == "legal"
    catalogue_import = send_cells(keeper, house="")
    preview = catalogue_import.preview
    removed_facts = [(each["name"], each["fact"], each["stored"]) for each in preview["removed"]]
    assert removed_facts == [("Fox Knight", "house", "Fox")]
    figures = {name: preview["counts"][name] for name in ("removed", "facts", "conflicts", "unchanged")}
    assert figures == {"removed": 1, "facts": 0, "conflicts": 0, "unchanged": 0}
    assert "Removed facts" in keeper.get(f"/catalogue/imports/{catalogue_import.pk}/").content.decode()
    assert facts_of("Fox Knight")["house"] == ["Fox"]

    written_import = write(catalogue_import, kim)
    assert (written_import.state, written_import.report["counts"]["removed"]) == ("done", 1)
    assert "house" not in facts_of("Fox Knight")
    assert check_text("emberhold", "duel", DECK).outcome == "unknown"

    undo_import(written_import, kim)
    assert facts_of("Fox Knight")["house"] == ["Fox"]
    assert check_text("emberhold", "duel", DECK).outcome == "legal"


def test_cell_cleared_beside_a_changed_one_goes_alone(keeper: Client, kim: User):
    catalogue_import = send_cells(keeper, house="", fame="3")
    assert [each["fact"] for each in catalogue_import.preview["removed"]] == ["house"]
    assert [each["fact"] for each in catalogue_import.preview["conflicts"]] == ["fame"]
    write(catalogue_import, kim)
    assert facts_of("Fox Knight") == {"type": "champion", "fame": 2}


def test_fact_of_a_printing_and_its_card_goes_from_both(keeper: Client, kim: User):
    Printing.objects.filter(card__name="Fox Knight").update(attributes={"house": ["Owl"]})
    catalogue_import = send_cells(keeper, house="")
    assert [each["stored"] for each in catalogue_import.preview["removed"]] == ["Owl", "Fox"]
    write(catalogue_import, kim)
    assert "house" not in Printing.objects.get(card__name="Fox Knight").facts()


@pytest.mark.parametrize("page", ["table", "file"])
def test_empty_cells_of_a_catalogue_file_remove_nothing(keeper: Client, kim: User, page: str):
    content = "name,type,house,fame,set,number\nFox Knight,champion,,,EH,4\n"
    if page == "table":
        keeper.post(GRID, {"table": content, "shown": open_grid(keeper)["shown"]})
    else:
        keeper.post("/catalogue/", {"text": content, "game": "emberhold"})
    assert ImportedFile.objects.get().removed_facts == {}
    work()
    catalogue_import = CatalogueImport.objects.get()
    assert catalogue_import.preview["counts"]["removed"] == 0
    write(catalogue_import, kim)
    assert facts_of("Fox Knight") == {"type": "champion", "house": ["Fox"], "fame": 2}


def test_fact_stored_after_the_grid_was_opened_stays(keeper: Client):
    Card.objects.filter(name="Fox Knight").update(attributes={"type": "champion"})
    values = open_grid(keeper)
    Card.objects.filter(name="Fox Knight").update(attributes={"type": "champion", "fame": 4})
    assert keeper.post(GRID, values).status_code == 422
    assert CatalogueImport.objects.count() == 0


def test_cleared_fact_that_someone_changed_meanwhile_is_shown_again(keeper: Client):
    values = open_grid(keeper) | {field("Fox Knight", "fame"): ""}
    Card.objects.filter(name="Fox Knight").update(
        attributes={"type": "champion", "house": ["Fox"], "fame": 4}
    )
    answer = keeper.post(GRID, values)
    wrong_cells = [cell for row in answer.context["rows"] for cell in row.cells if cell.is_wrong]
    assert (answer.status_code, CatalogueImport.objects.count()) == (422, 0)
    assert [(cell.fact.key, cell.value, cell.is_overtaken) for cell in wrong_cells] == [("fame", "4", True)]
    assert json.loads(answer.context["shown_values"])[field("Fox Knight", "fame")] == "4"


@pytest.mark.parametrize("shown_values", ["", "no json", "[1]", "[" * 100_000, '{"1:fame": {"a": []}}'])
def test_grid_whose_opened_values_are_unreadable_removes_nothing(keeper: Client, shown_values: str):
    values = open_grid(keeper) | {field("Fox Knight", "fame"): "", "shown": shown_values}
    keeper.post(GRID, values)
    assert [each.removed_facts for each in ImportedFile.objects.all()] == []


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_fact_cleared_and_changed_at_once_is_decided_by_the_first(keeper: Client, kim: User):
    clearing = send_cells(keeper, fame="")
    content = b"name,fame,set,number\nFox Knight,5,EH,4\n"
    changing = imports.receive_file(content, file_name="c.csv", game="emberhold", person=kim)
    work()
    imports.decide(changing, all_of_them="take")
    for each in (clearing, changing):
        imports.request_apply(each, kim)
    import_ids = [clearing.pk, changing.pk]

    answers = at_once(2, lambda number: outcome_of(imports.write_import, import_ids[number], lambda *_: None))

    assert sorted(answers) == ["done", "preview_stale"]
    assert facts_of("Fox Knight").get("fame") == (None if answers[0] == "done" else 5)
