"""Players out of a table and into one.

Nothing is lost silently, and nothing is written without a preview.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from django.conf import settings
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.utils.translation import override
from hypothesis import given
from hypothesis import strategies as st

from decks.shared.refusals import Conflict, Refused
from rules.reason import reason
from tests.everyday import each_case
from tests.scenarios.factories import make_event, organizer, play_round, sign_in_organizer, started_event
from tests.scenarios.log_words import words_of
from tests.scenarios.rollback import rolled_back
from tests.translations.pseudo import pseudo_language
from tournament.events.models.event import Event
from tournament.pairing.services import player_facts as pairing_facts
from tournament.registration import player_csv
from tournament.registration import services as registration
from tournament.registration.player_csv import export_player_csv
from tournament.registration.services import player_import
from tournament.registration.services.import_plan import PlayerImportPlan
from tournament.registration.views.player_tables import EXAMPLE_HEADER

pytestmark = pytest.mark.django_db

PLAIN = Event(game="ufs")
TABLE = "Name;E-mail;Character\nAnn Lee;ann@example.org;Ken\nBob;;Ryu\n"


@pytest.fixture
def desk() -> Client:
    return sign_in_organizer()


def kinds(event: Event, text: str) -> list[str]:
    return [
        line.kind
        for line in player_import.plan_player_import(event, player_csv.read_player_csv(text, event)).lines
    ]


def problems(event: Event, text: str) -> list[str]:
    return [
        p.code
        for line in player_import.plan_player_import(event, player_csv.read_player_csv(text, event)).lines
        for p in line.problems
    ]


def bring_in(event: Event, text: str) -> PlayerImportPlan:
    return player_import.run_player_import(event, organizer(), player_csv.read_player_csv(text, event))


def names(event: Event) -> list[str]:
    return list(event.players.order_by("number").values_list("name", flat=True))


@each_case(
    "text",
    [
        "Name;E-mail;Character\nAnn Lee;ann@example.org;Ken\n",
        "name,email,character\r\nAnn Lee,ann@example.org,Ken\r\n",
        "PLAYER\te-mail address\tdeclared character\nAnn Lee\tann@example.org\tKen",
        "Vorname|Nachname|Mail|Character\nAnn|Lee|ann@example.org|Ken",
        '"Name","Email","Character"\n"Ann Lee","ann@example.org","Ken"\n\n\n',
        "Ann Lee;ann@example.org;Ken",
    ],
    around=rolled_back,
)
def test_any_separator_and_heading_is_read(text: str) -> None:
    (line,) = player_csv.read_player_csv(text, PLAIN).lines
    filled_values = {name: value for name, value in line.values.items() if value}
    assert filled_values == {"name": "Ann Lee", "email": "ann@example.org", "character": "Ken"}


@each_case("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"], around=rolled_back)
def test_any_usual_encoding_is_read(encoding: str) -> None:
    text, note = player_csv.decode_csv("Name\nJosé Ångström\n".encode(encoding))
    assert player_csv.read_player_csv(text, PLAIN).lines[0].values["name"] == "José Ångström"
    assert bool(note) is (encoding == "cp1252")


@each_case(
    ("data", "code"),
    [(b"", "file_empty"), (b"\n \n", "file_empty"), (b"a;b;c;d\n1;2;3;4", "no_name_column"),
     (b"PK\x03\x04\0\0\0", "file_not_text"), (b"x" * 1_000_001, "file_too_large"),
     (b"Name\n" + b"Ann\n" * 5_001, "file_too_long")], around=rolled_back,
)  # fmt: skip
def test_what_is_no_table_of_players_is_refused_with_a_reason(data: bytes, code: str) -> None:
    with pytest.raises(Refused) as excinfo:
        player_csv.read_player_csv(player_csv.decode_csv(data)[0], PLAIN)
    assert excinfo.value.code == code


@given(st.binary(max_size=300))
def test_no_bytes_at_all_break_the_reader(data: bytes) -> None:
    try:
        player_csv.read_player_csv(player_csv.decode_csv(data)[0], PLAIN)
    except Refused:
        return


def test_columns_and_cells_that_are_not_read_are_named() -> None:
    table = player_csv.read_player_csv("Name;Shoe size\nAnn;43;and more\n", PLAIN)
    assert list(table.notes) == [
        reason("column_not_read", column="Shoe size"),
        reason("cells_not_read", line=2),
    ]


def test_plan_writes_nothing_and_says_line_by_line_what_would_happen() -> None:
    event = make_event()
    registration.add_player(event, organizer(), name="Bob", character="Ken")
    registration.add_player(event, organizer(), name="Carol")
    text = f"{TABLE}carol;;\nDave;nobody;\n"
    plan = player_import.plan_player_import(event, player_csv.read_player_csv(text, event))
    assert [line.kind for line in plan.lines] == ["add", "change", "same", "refused"]
    assert [change.to_json() for change in plan.lines[1].stated_changes] == [
        {
            "code": "value_changes",
            "params": {"column": "character", "before": "Ken", "after": "Ryu"},
            "sentence": "character: Ken → Ryu",
        }
    ]
    assert names(event) == ["Bob", "Carol"]


def test_import_does_what_was_shown_in_one_step() -> None:
    event = make_event()
    bring_in(event, f"{TABLE}Dave;nobody;\n")
    assert names(event) == ["Ann Lee", "Bob"]
    assert words_of(event.log.filter(head=None).first()) == (
        "olga@example.org imported players: 2 added, 0 changed, 1 rejected."
    )


def test_import_that_would_do_something_else_by_now_does_nothing() -> None:
    event = make_event()
    table = player_csv.read_player_csv(TABLE, event)
    mark = player_import.plan_player_import(event, table).fingerprint
    registration.register(event, name="Ann Lee", email="ann@example.org")
    with pytest.raises(Conflict):
        player_import.run_player_import(event, organizer(), table, seen_mark=mark)
    assert names(event) == ["Ann Lee"]


def test_fingerprint_and_exported_table_are_the_same_in_every_language(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    event = make_event()
    bring_in(event, TABLE)
    exported_table = export_player_csv(event)
    table = player_csv.read_player_csv("Name;Character;Paid\nAnn Lee;Ryu;yes\nDave;;\n", event)
    plan = player_import.plan_player_import(event, table)
    english = (plan.fingerprint, plan.words, plan.lines[0].changes)
    with pseudo_language(tmp_path, monkeypatch) as language, override(language):
        plan = player_import.plan_player_import(event, table)
        assert export_player_csv(event) == exported_table
        assert plan.fingerprint == english[0]
        assert plan.words != english[1]
        assert plan.lines[0].changes != english[2]


def test_table_imported_twice_registers_no_player_twice() -> None:
    event = make_event()
    bring_in(event, TABLE)
    assert kinds(event, TABLE) == ["same", "same"]
    bring_in(event, TABLE)
    assert event.players.count() == 2


@each_case(
    ("text", "code"),
    [
        ("Name;E-mail\nAnn;a@example.org\nBob;A@EXAMPLE.org\n", "twice_in_file"),
        ("Name\nAnn Lee\nann  lee\n", "twice_in_file"),
        ("Name;E-mail\nZed;other@example.org\n", "same_name"),
        ("Name;Rating\nAnn;many\n", "number_wrong"),
        ("Name;Byes\nAnn;99\n", "fact_wrong"),
        ("Name;Fixed table\nAnn;3\n", "table_is_fixed"),
        ("Name;State\nAnn;Withdrawn\n", "withdrawn_in_file"),
        (f"Name\n{'x' * 81}\n", "name_too_long"),
        ("Name;E-mail\n;a@example.org\n", "name_missing"),
        ("Name;Members\nAnn;Bob + Carol\n", "no_teams"),
    ],
    around=rolled_back,
)
def test_refused_line_says_why(text: str, code: str) -> None:
    event = make_event()
    zed = registration.add_player(event, organizer(), name="Zed", email="zed@example.org")
    pairing_facts.change_player_facts(zed, organizer(), fixed_table=3)
    assert problems(event, text) == [code]


def test_namesake_in_a_table_is_let_in_where_the_table_says_so() -> None:
    event = make_event()
    registration.add_player(event, organizer(), name="Ann", email="ann@example.org")
    bring_in(event, "Name;E-mail;Namesake\nAnn;other@example.org;yes\n")
    assert list(event.players.values_list("name", "namesake")) == [("Ann", 0), ("Ann", 1)]


def test_what_pairing_heeds_and_who_has_paid_come_in_with_the_table() -> None:
    event = make_event()
    bring_in(event, "Name;Club;Seed;Rating;Fixed table;Byes;Paid\nAnn;Dojo;1;1800;4;1;yes\n")
    fields = ("club", "seed", "rating", "fixed_table", "first_byes", "has_paid")
    assert event.players.values_list(*fields).get() == ("Dojo", 1, 1800, 4, 1, True)


def test_full_event_puts_the_rest_of_the_table_on_the_waiting_list() -> None:
    event = make_event(capacity=2)
    bring_in(event, "Name\nAnn\nBob\nCarol\n")
    assert list(event.players.values_list("status", flat=True)) == ["registered", "registered", "waiting"]


def test_table_read_in_while_rounds_run_enters_players_late() -> None:
    event = started_event(4, swiss_rounds=3, capacity=5)
    play_round(event)
    plan = bring_in(event, "Name\nYara\nZoe\n")
    assert [(line.kind, [p.code for p in line.problems]) for line in plan.lines] == [
        ("add", []),
        ("refused", ["event_full"]),
    ]
    assert event.players.get(name="Yara").matches_as_p1.get().outcome == "loss_no_opponent"


def test_exported_table_read_in_elsewhere_gives_the_same_table() -> None:
    event, other = make_event(), make_event(name="Other")
    bring_in(
        event,
        "Name;E-mail;Club;Seed;Paid\n=Ann;ann@example.org;+Dojo;1;yes\n'-Bob;;@home;;\n李;l@example.org;;;\n",
    )
    table = export_player_csv(event)
    bring_in(other, table)
    assert export_player_csv(other) == table
    assert kinds(event, table) == ["same"] * 3


def test_no_cell_of_an_export_is_a_formula() -> None:
    event = make_event()
    for name in ("=1+1", "+1+1", "-1-1", "@sum", "'=1", "\t=1"):
        registration.add_player(event, organizer(), name=name, is_namesake=True)
    cells = [cell for row in export_player_csv(event).splitlines()[1:] for cell in row.split(";")]
    assert [cell for cell in cells if cell.startswith(("=", "+", "-", "@", "\t"))] == []


def test_page_shows_first_and_writes_on_the_second_press(desk: Client) -> None:
    event = make_event()
    address = f"/console/{event.slug}/players/import/"
    upload = SimpleUploadedFile("players.csv", TABLE.encode("utf-16"))
    page = desk.post(address, {"file": upload})
    assert event.players.count() == 0
    assert page.context["plan"].counts == {"add": 2, "change": 0, "same": 0, "refused": 0}
    desk.post(address, {"text": page.context["text"], "mark": page.context["plan"].fingerprint})
    assert names(event) == ["Ann Lee", "Bob"]


@each_case(
    "form_values",
    [{}, {"text": "\0"}, {"text": "a;b;c;d"}, {"text": "Name\nAnn", "mark": "old"}],
    around=rolled_back,
)
def test_nonsense_on_the_import_page_writes_nothing(desk: Client, form_values: dict[str, str]) -> None:
    event = make_event()
    assert desk.post(f"/console/{event.slug}/players/import/", form_values).status_code in (200, 422)
    assert event.players.count() == 0


def test_export_is_a_file_that_spreadsheets_read_as_utf8(desk: Client) -> None:
    event = make_event()
    registration.add_player(event, organizer(), name="José")
    file = desk.get(f"/console/{event.slug}/players.csv")
    assert file["Content-Disposition"] == 'attachment; filename="spring-open-players.csv"'
    assert file.content.startswith(b"\xef\xbb\xbfNumber;Name;")


@pytest.mark.parametrize(
    "text",
    ['name,email\n"Ann,ann@x.org\nBob,b@x.org\n', 'Ann,"ann@x.org\nBob,b@x.org\n', 'name\n"Ann\nBob"\n'],
)
def test_a_quotation_mark_that_is_not_closed_swallows_no_player(text: str) -> None:
    with pytest.raises(Refused) as excinfo:
        player_csv.read_player_csv(text, PLAIN)
    assert excinfo.value.code == "quote_open"


def test_a_line_break_in_a_column_that_is_not_read_does_no_harm() -> None:
    table = player_csv.read_player_csv('name,notes\nAnn,"left-handed,\nsits by the door"\nBob,\n', PLAIN)
    assert [line.values["name"] for line in table.lines] == ["Ann", "Bob"]


@pytest.mark.parametrize("language", [code for code, _ in settings.LANGUAGES])
def test_example_header_is_read_in_every_language(language: str) -> None:
    with override(language):
        header = str(EXAMPLE_HEADER)
    table = player_csv.read_player_csv(f"{header}\nAnn;ann@example.org;Ken;North;1500\n", PLAIN)
    assert [column.read_as for column in table.columns] == ["name", "email", "character", "club", "rating"]
