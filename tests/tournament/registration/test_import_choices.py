"""An import by hand.

Tests cover what a column is read as, and whether a line is about someone known.
"""

from __future__ import annotations

import re

import pytest
from django.urls import reverse

from decks.jobs.models import Job
from decks.jobs.worker import perform
from decks.shared.refusals import Refused
from tests.scenarios.factories import make_event, organizer, sign_in_organizer
from tournament.events.models.event import Event
from tournament.registration import services as registration
from tournament.registration.import_choices import ImportChoices
from tournament.registration.player_csv import ChosenColumns, PlayerCsv, read_columns, read_player_csv
from tournament.registration.services.player_import import plan_player_import, run_player_import

pytestmark = [pytest.mark.both_databases, pytest.mark.django_db]

PLAIN = Event(game="ufs")
FRENCH = "Joueur;Courriel;Héros;Ville\nAnn Lee;ann@example.org;Ken;Lyon\nBob;;Ryu;Nice\n"
CHOSEN = {
    "column-0": "name:Joueur",
    "column-1": "email:Courriel",
    "column-2": "character:Héros",
    "column-3": ":Ville",
}


def read(table: PlayerCsv) -> list[dict[str, str]]:
    return [dict(line.values) for line in table.lines]


def plan_of(event: Event, text: str, **form_values: str) -> list[tuple[str, list[str]]]:
    choices = ImportChoices.from_form({name.replace("_", "-"): value for name, value in form_values.items()})
    table = read_player_csv(text, event, choices.columns)
    lines = plan_player_import(event, table, choices=choices).lines
    return [(line.kind, [problem.code for problem in line.problems]) for line in lines]


def refusal_of(text: str, chosen_columns: ChosenColumns) -> str:
    with pytest.raises(Refused) as refusal:
        read_player_csv(text, PLAIN, chosen_columns)
    return refusal.value.code


def test_columns_of_unknown_headings_are_read_as_chosen() -> None:
    table = read_player_csv(FRENCH, PLAIN, ImportChoices.from_form(CHOSEN).columns)
    assert read(table) == [
        {"name": "Ann Lee", "email": "ann@example.org", "character": "Ken"},
        {"name": "Bob", "email": "", "character": "Ryu"},
    ]
    assert [(c.heading, list(c.samples), c.read_as, c.is_known) for c in table.columns][2:] == [
        ("Héros", ["Ken", "Ryu"], "character", False),
        ("Ville", ["Lyon", "Nice"], "", False),
    ]


def test_a_table_without_names_says_so_and_its_columns_can_be_chosen() -> None:
    assert refusal_of(FRENCH, ChosenColumns()) == "no_name_column"
    table = read_columns(FRENCH, PLAIN, ChosenColumns())
    assert ([c.heading for c in table.columns], table.has_header) == (
        ["Joueur", "Courriel", "Héros", "Ville"], True,
    )  # fmt: skip


def test_two_columns_are_not_read_as_one() -> None:
    chosen_columns = ImportChoices.from_form({"column-1": "name:Alias"}).columns
    assert refusal_of("Name;Alias\nAnn;A\n", chosen_columns) == "column_twice"


def test_a_choice_for_another_heading_does_not_count() -> None:
    chosen_columns = ImportChoices.from_form({"column-1": "email:Courriel"}).columns
    table = read_player_csv("Name;Ville\nAnn;Lyon\n", PLAIN, chosen_columns)
    assert read(table) == [{"name": "Ann"}]


@pytest.mark.parametrize(
    ("header", "names"), [("yes", ["Ann"]), ("no", ["Joueur", "Ann"]), ("", ["Joueur", "Ann"])]
)
def test_the_first_line_of_a_narrow_table_is_a_player_or_headings(header: str, names: list[str]) -> None:
    form_values = {"header": header, "column-0": "name:Joueur" if header == "yes" else "name:"}
    table = read_player_csv(
        "Joueur;Courriel\nAnn;ann@example.org\n", PLAIN, ImportChoices.from_form(form_values).columns
    )
    assert [line["name"] for line in read(table)] == names


@pytest.mark.parametrize(
    "form_values",
    [
        {"column-x": "name:"},
        {"column-99999999": "a"},
        {"column-0": "phase:Name"},
        {"person-": "new"},
        {"person-²": "1:ann"},
    ],
)
def test_choices_that_make_no_sense_change_nothing(form_values: dict[str, str]) -> None:
    choices = ImportChoices.from_form(form_values)
    assert read(read_player_csv("Name\nAnn\n", PLAIN, choices.columns)) == [{"name": "Ann"}]
    assert choices.find_person(2, "Ann") == ""


def test_equal_names_are_the_same_person_or_someone_else() -> None:
    event = make_event()
    registration.add_player(event, organizer(), name="Ann Lee", email="ann@example.org")
    text = "Name;Email;Club\nAnn Lee;other@example.org;North\n"
    assert plan_of(event, text) == [("refused", ["same_name"])]
    assert plan_of(event, text, person_2="new:annlee") == [("add", [])]
    assert plan_of(event, text, person_2="1:annlee") == [("change", [])]
    assert plan_of(event, text, person_2="new:bob") == [("refused", ["same_name"])]
    assert plan_of(event, "Name;Club\nann lee;North\n") == [("change", [])]
    assert plan_of(event, "Name;Club\nann lee;North\n", person_2="new:annlee") == [("add", [])]


def test_the_question_names_every_player_of_the_name() -> None:
    event = make_event()
    for _ in range(2):
        registration.add_player(event, organizer(), name="Ann Lee", is_namesake=True)
    (line,) = plan_player_import(event, read_player_csv("Name;Club\nAnn Lee;North\n", event)).lines
    assert line.question is not None
    assert ([p.number for p in line.question.players], line.question.answer, line.kind) == (
        [1, 2],
        "",
        "refused",
    )
    (other,) = plan_player_import(event, read_player_csv("Name;Club\nBob;North\n", event)).lines
    assert other.question is None


def test_two_lines_of_one_name_are_two_people_where_chosen() -> None:
    event = make_event()
    text = "Name;Club\nAnn;North\nAnn;South\n"
    assert plan_of(event, text) == [("add", []), ("refused", ["twice_in_file"])]
    assert plan_of(event, text, person_3="new:ann") == [("add", []), ("add", [])]


def test_a_plan_says_what_it_will_do() -> None:
    event = make_event()
    registration.add_player(event, organizer(), name="Ann")
    text = "Name;Email\nAnn;ann@example.org\nBob;\nCid;\nDan;nowhere\n"
    plan = plan_player_import(event, read_player_csv(text, event))
    assert plan.summary == "Will add 2 players. Will change 1 player. 1 line is rejected."


def test_the_page_keeps_text_and_choices_until_the_import_is_done() -> None:
    event = make_event()
    desk = sign_in_organizer()
    address = reverse("console_players_import", args=[event.slug])
    first = desk.post(address, {"text": FRENCH})
    assert (first.status_code, [c.heading for c in first.context["columns"]]) == (
        422, ["Joueur", "Courriel", "Héros", "Ville"],
    )  # fmt: skip
    second = desk.post(address, {"text": FRENCH, "header": "yes", **CHOSEN})
    assert (second.status_code, second.context["plan"].counts["add"], second.context["text"]) == (
        200,
        2,
        FRENCH,
    )
    assert re.search(r'value="name:Joueur"\s+selected', second.content.decode())
    mark = second.context["plan"].fingerprint
    desk.post(address, {"text": FRENCH, "header": "yes", **CHOSEN, "mark": mark})
    assert list(event.players.values_list("name", "email", "character")) == [
        ("Ann Lee", "ann@example.org", "Ken"), ("Bob", "", "Ryu"),
    ]  # fmt: skip


@pytest.mark.django_db(transaction=True)
def test_a_long_table_is_imported_with_its_choices() -> None:
    event = make_event()
    desk = sign_in_organizer()
    text = "Joueur;Ville\n" + "".join(f"Player {n};Lyon\n" for n in range(300)) + "Player 1;Nice\n"
    form_values = {
        "text": text,
        "header": "yes",
        "column-0": "name:Joueur",
        "column-1": "club:Ville",
        "person-302": "new:player1",
    }
    address = reverse("console_players_import", args=[event.slug])
    plan = desk.post(address, form_values).context["plan"]
    assert plan.counts["add"] == 301
    desk.post(address, {**form_values, "mark": plan.fingerprint})
    perform(Job.objects.get(kind="import_players").pk, heartbeat=False)
    assert event.players.filter(club__in=("Lyon", "Nice")).count() == 301


def test_an_import_for_someone_else_is_one_step_with_its_choices() -> None:
    event = make_event()
    registration.add_player(event, organizer(), name="Ann")
    choices = ImportChoices.from_form({"person-2": "new:ann"})
    table = read_player_csv("Name\nAnn\n", event)
    run_player_import(event, organizer(), table, choices=choices)
    assert list(event.players.values_list("name", "namesake")) == [("Ann", 0), ("Ann", 1)]
