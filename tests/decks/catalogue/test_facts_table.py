"""A keeper fills in the facts of a set's cards as a table.

A deck gets a verdict.
"""

from __future__ import annotations

import pytest
from django.contrib.auth.models import Group, User
from django.test import Client
from django.urls import reverse

from decks.catalogue.facts_table import format_cell
from decks.catalogue.models import CatalogueImport
from decks.catalogue.services import imports
from decks.catalogue.services.catalogue import import_catalogue
from decks.checking.check import check_text
from rules.cards import Fact
from rules.catalogue_files.table import get_cell_reader
from tests.scenarios.fifth_game import EMBERHOLD, write_files

pytestmark = pytest.mark.django_db

CATALOGUE = """\
name,type,house,fame,set,number
Banner of the Fox,banner,Fox,,EH,1
Mill,holding,free,,EH,2
Inn,holding,free,,EH,3
Fox Knight,champion,,,EH,4
Fox Page,,Fox,1,EH,5
Rain,event,free,,EH,6
"""
DECK = "1 Banner of the Fox\n3 Mill\n1 Inn\n3 Fox Knight\n2 Fox Page\n2 Rain"


@pytest.fixture
def keeper(client: Client, tmp_path, monkeypatch) -> Client:
    monkeypatch.setenv("RINGSIDE_GAMES_DIR", str(write_files(tmp_path, EMBERHOLD)))
    import_catalogue(CATALOGUE.encode(), game="emberhold")
    kim = User.objects.create_user("kim@example.org", first_name="Kim")
    kim.groups.add(Group.objects.get(name="Catalogue editors"))
    client.force_login(kim)
    return client


def test_filled_table_gives_the_deck_a_verdict(keeper: Client) -> None:
    assert check_text("emberhold", "duel", DECK).outcome == "unknown"
    address = reverse("catalogue_facts", args=["emberhold", "EH"])
    lines = keeper.get(address).context["form"].initial["table"].splitlines()
    rows = [line.split("\t") for line in lines]
    columns = {name: place for place, name in enumerate(rows[0])}
    facts_by_card = {"Fox Knight": {"house": "Fox", "fame": "2"}, "Fox Page": {"type": "champion"}}
    for row in rows[1:]:
        for fact, value in facts_by_card.get(row[columns["name"]], {}).items():
            row[columns[fact]] = value
    table = "\n".join("\t".join(row) for row in rows)

    assert keeper.post(address, {"table": table}).status_code == 302
    catalogue_import = CatalogueImport.objects.get()
    imports.make_preview(catalogue_import.pk, lambda *_: None)
    catalogue_import.refresh_from_db()
    keeper.post(
        reverse("catalogue_apply", args=[catalogue_import.pk]),
        {"seen": imports.decisions_fingerprint(catalogue_import)},
    )
    imports.write_import(catalogue_import.pk, lambda *_: None)
    checked_list = check_text("emberhold", "duel", DECK)
    assert (checked_list.outcome, [each.message for each in checked_list.verdict.findings]) == ("legal", [])


def test_only_keepers_fill_in_facts(client: Client, keeper: Client) -> None:
    keeper.logout()

    assert client.get(reverse("catalogue_facts", args=["emberhold", "EH"])).status_code == 302


def fields_of(keeper: Client) -> dict[tuple[str, str], str]:
    """Return the fields of the grid, by card and fact."""
    rows = keeper.get(reverse("catalogue_facts", args=["emberhold", "EH"])).context["rows"]
    return {(row.name, cell.fact.key): cell.field for row in rows for cell in row.cells}


def test_changed_cells_alone_go_into_the_preview(keeper: Client) -> None:
    fields = fields_of(keeper)
    values = {
        fields["Fox Knight", "house"]: "Fox",
        fields["Fox Knight", "fame"]: "2",
        fields["Mill", "house"]: "free",
    }
    assert keeper.post(reverse("catalogue_facts", args=["emberhold", "EH"]), values).status_code == 302
    catalogue_import = CatalogueImport.objects.get()
    imports.make_preview(catalogue_import.pk, lambda *_: None)
    catalogue_import.refresh_from_db()
    changes = [(each["name"], each["fact"]) for each in catalogue_import.preview["changed"]]
    assert sorted(changes) == [("Fox Knight", "fame"), ("Fox Knight", "house")]


def test_cell_that_is_no_value_of_its_fact_is_refused_alone(keeper: Client) -> None:
    fields = fields_of(keeper)
    values = {fields["Fox Page", "type"]: "champion", fields["Fox Knight", "fame"]: "much"}
    answer = keeper.post(reverse("catalogue_facts", args=["emberhold", "EH"]), values)
    cells = [cell for row in answer.context["rows"] for cell in row.cells]
    assert (answer.status_code, CatalogueImport.objects.count()) == (422, 0)
    assert [cell.field for cell in cells if cell.is_wrong] == [fields["Fox Knight", "fame"]]
    assert [cell.value for cell in cells if cell.field == fields["Fox Page", "type"]] == ["champion"]


def test_grid_without_a_change_is_refused(keeper: Client) -> None:
    assert keeper.post(reverse("catalogue_facts", args=["emberhold", "EH"]), {}).status_code == 422
    assert CatalogueImport.objects.count() == 0


def test_cards_without_a_set_have_a_grid_too(keeper: Client) -> None:
    import_catalogue(b"name,type\nLost Fox,", game="emberhold")
    rows = keeper.get(reverse("catalogue_facts", args=["emberhold", "-"])).context["rows"]
    assert [row.name for row in rows] == ["Lost Fox"]


@pytest.mark.parametrize(
    "value", [{"A": 1, "S": 2}, {"Agility": 3}, {"A": -1}, {"Part 2": 1}, {}, ["a", "b"]]
)
def test_a_fact_is_read_back_from_its_cell(value: object) -> None:
    fact = Fact("gems", "table") if isinstance(value, dict) else Fact("groups", "words")
    reader = get_cell_reader(fact)

    assert reader is not None
    assert reader(format_cell(value)) == value
