"""An import by the API.

Tests cover a preview with columns and questions, and the import with the same choices.
"""

from __future__ import annotations

from typing import Any

import pytest
from rest_framework.test import APIClient

from tests.everyday import each_case
from tests.scenarios.factories import make_event, organizer
from tests.scenarios.rollback import rolled_back
from tournament.events.models.event import Event
from tournament.registration import services as registration

pytestmark = pytest.mark.django_db

FRENCH = "Joueur;Courriel;Héros;Ville\nAnn Lee;ann@example.org;Ken;Lyon\nBob;;Ryu;Nice\n"
CHOSEN = [
    {"column": 1, "read_as": "name"},
    {"column": 2, "read_as": "email"},
    {"column": 3, "read_as": "character"},
    {"column": 4, "read_as": ""},
]


@pytest.fixture
def staff() -> APIClient:
    """A client of the organizer."""
    client = APIClient()
    client.force_authenticate(organizer().user)
    return client


def send(staff: APIClient, event: Event, status: int = 200, **values: object) -> dict[str, Any]:
    answer = staff.post(f"/api/events/{event.slug}/players/table/", values, format="json")
    assert answer.status_code == status, answer.content
    return dict(answer.json())


def codes(answer: dict[str, Any]) -> list[str]:
    return [problem["code"] for problem in answer["problems"]]


def test_preview_without_names_shows_the_columns_to_choose_from(staff: APIClient) -> None:
    event = make_event()
    plan = send(staff, event, csv=FRENCH)
    assert (codes(plan), plan["mark"], plan["lines"], plan["written"]) == (["no_name_column"], "", [], False)
    assert plan["columns"][1:3] == [
        {
            "column": 2,
            "heading": "Courriel",
            "samples": ["ann@example.org"],
            "read_as": "",
            "is_known": False,
        },
        {"column": 3, "heading": "Héros", "samples": ["Ken", "Ryu"], "read_as": "", "is_known": False},
    ]
    assert codes(send(staff, event, 400, csv=FRENCH, mark="a" * 32)) == ["no_name_column"]


@pytest.mark.both_databases
def test_table_is_read_and_imported_by_the_chosen_columns(staff: APIClient) -> None:
    event = make_event()
    plan = send(staff, event, csv=FRENCH, columns=CHOSEN)
    assert [column["read_as"] for column in plan["columns"]] == ["name", "email", "character", ""]
    assert ([line["kind"] for line in plan["lines"]], plan["problems"]) == (["add", "add"], [])
    import_answer = send(staff, event, csv=FRENCH, columns=CHOSEN, mark=plan["mark"])
    assert import_answer["written"] is True
    assert list(event.players.values_list("name", "email", "character")) == [
        ("Ann Lee", "ann@example.org", "Ken"), ("Bob", "", "Ryu"),
    ]  # fmt: skip


def test_mark_of_other_choices_is_a_conflict(staff: APIClient) -> None:
    event = make_event()
    mark = send(staff, event, csv=FRENCH, columns=CHOSEN)["mark"]
    others = [*CHOSEN[:2], {"column": 3, "read_as": "club"}, CHOSEN[3]]
    assert codes(send(staff, event, 409, csv=FRENCH, columns=others, mark=mark)) == [
        "import_changed_meanwhile"
    ]
    assert event.players.count() == 0


def test_first_line_is_a_player_where_the_body_says_so(staff: APIClient) -> None:
    event = make_event()
    columns = [{"column": place, "read_as": name} for place, name in enumerate(("name", "club", "rating"), 1)]
    plan = send(staff, event, csv="Ann;North;1500\nBob;South;1400\n", has_header=False, columns=columns)
    assert ([line["name"] for line in plan["lines"]], plan["has_header"]) == (["Ann", "Bob"], False)


def test_equal_name_is_a_player_or_someone_else_as_chosen(staff: APIClient) -> None:
    event = make_event()
    registration.add_player(event, organizer(), name="Ann Lee", email="ann@example.org")
    text = "Name;Email;Club\nAnn Lee;other@example.org;North\n"

    def plan_line(**values: object) -> tuple[object, ...]:
        (line,) = send(staff, event, csv=text, **values)["lines"]
        return line["kind"], line["player"], line["namesakes"], line["is_someone_else"]

    [line] = send(staff, event, csv=text)["lines"]
    assert [(each["code"], bool(each["sentence"])) for each in line["problems"]] == [("same_name", True)]
    someone_else = [{"line": 2, "player": None}]
    assert plan_line() == ("refused", None, [1], False)
    assert plan_line(persons=[{"line": 2, "player": 1}]) == ("change", 1, [1], False)
    assert plan_line(persons=someone_else) == ("add", None, [1], True)
    mark = send(staff, event, csv=text, persons=someone_else)["mark"]
    send(staff, event, csv=text, persons=someone_else, mark=mark)
    assert list(event.players.values_list("name", "club")) == [("Ann Lee", ""), ("Ann Lee", "North")]


@each_case(
    ("values", "code"),
    [
        ({"columns": [{"column": 3, "read_as": "club"}]}, "no_such_column"),
        ({"columns": [{"column": 2, "read_as": "club"}, {"column": 2, "read_as": ""}]}, "no_such_column"),
        ({"columns": [{"column": 2, "read_as": "clubs"}]}, "unknown_column_name"),
        ({"columns": [{"column": 2, "read_as": "name"}]}, "column_twice"),
        ({"persons": [{"line": 9, "player": None}]}, "no_such_line"),
        ({"persons": [{"line": 2, "player": 7}]}, "no_such_namesake"),
        ({"persons": [{"line": 2}]}, "required"),
    ],
    around=rolled_back,
)
def test_choice_that_fits_nothing_is_refused(staff: APIClient, values: dict[str, object], code: str) -> None:
    assert codes(send(staff, make_event(), 400, csv="Name;Ville\nAnn;Lyon\n", **values)) == [code]
