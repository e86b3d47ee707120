"""Declared fields.

One declaration is on every form and page, in the table, API, archive and log.
"""

from __future__ import annotations

import csv
import io
import json
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from django.core.checks import run_checks
from django.test import Client

from decks.shared.refusals import Refused
from rules import RegistrationField, library
from rules.library import SHIPPED, Library
from rules.lint import lint
from rules.lint_parts import field_problems
from rules.registration import READERS
from tests.everyday import each_case
from tests.fixtures.api_answers import description
from tests.rules.test_adding_a_game import FILES as TIDEWATER
from tests.scenarios.factories import make_event, make_user, organizer
from tests.scenarios.html import html_of
from tests.scenarios.rollback import rolled_back
from tournament.access.permissions import Actor, Right
from tournament.archive.export import export_event
from tournament.archive.restore import restore_event
from tournament.events.models.event import Event, StaffRole
from tournament.events.models.player import Player
from tournament.log.services import undo_step
from tournament.registration import fields
from tournament.registration import services as registration
from tournament.registration.player_csv import export_player_csv, read_player_csv
from tournament.registration.services import player_import

NOTE_LABEL = fields.FIELDS[0].label
pytestmark = pytest.mark.django_db

TOWN = RegistrationField("home_town", "Home town", help="Where you come from.", max_length=20)
GAME_FIELD = """
[[registration_fields]]
key = "home_town"
label = "Home town"
help = "Where you come from."
max_length = 20
"""


def declare(monkeypatch: pytest.MonkeyPatch, *new_fields: RegistrationField) -> None:
    """Add fields to the declaration of the room."""
    monkeypatch.setattr(fields, "FIELDS", (*fields.FIELDS, *new_fields))


@pytest.fixture(scope="module")
def games_with_town(tmp_path_factory: pytest.TempPathFactory) -> Library:
    """The shipped games, of which one declares the field."""
    folder = tmp_path_factory.mktemp("town") / "games"
    shutil.copytree(SHIPPED, folder)
    file = folder / "ufs" / "game.toml"
    file.write_text(file.read_text() + GAME_FIELD)
    games = Library(folder)
    assert lint(games) == []
    return games


OF_GAME = pytest.param(
    "game", marks=pytest.mark.whole("test_new_game_of_a_folder_asks_what_it_declares, and the room's fields")
)


@pytest.fixture
def event() -> Event:
    """An event from before the declaration.

    Once something is replaced, each event is built again.
    """
    return make_event()


@pytest.fixture(params=["room", OF_GAME])
def town(event: Event, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Declare the field “Home town”, by the room or by the game.

    The game declares it in a separate folder.
    """
    if request.param == "room":
        declare(monkeypatch, TOWN)
        return
    games = request.getfixturevalue("games_with_town")
    monkeypatch.setattr(library, "get_shipped_library", lambda: games)


def client_of(kind: str, event: Event) -> Client:
    """Return a client signed in with a role in the event."""
    client, user = Client(), make_user(f"{kind}@example.org")
    StaffRole.objects.create(event=event, user=user, kind=kind)
    client.force_login(user)
    return client


def register(event: Event, **values: Any) -> Player:
    return registration.register(event, **{"name": "Ann", "email": "ann@example.org", **values})


def load_details(player: Player) -> dict[str, object]:
    return Player.objects.get(pk=player.pk).details


def codes(run: Callable[[], object]) -> list[tuple[str, str | None]]:
    with pytest.raises(Refused) as excinfo:
        run()
    return [(problem.code, problem.field) for problem in excinfo.value.problems]


def rows_of(table: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(table.removeprefix("\ufeff")), delimiter=";"))


# --- a field that somebody adds ---------------------------------------------------------------------------


def test_declared_field_is_asked_on_the_public_form_and_stored(
    event: Event, town: None, client: Client
) -> None:
    page = html_of(client.get(f"/e/{event.slug}/register/"))
    assert 'name="home_town"' in page
    assert "Where you come from." in page
    client.post(
        f"/e/{event.slug}/register/",
        {"name": "Ann", "email": "ann@example.org", "home_town": " Kyoto "},
    )
    assert event.players.get().details == {"home_town": "Kyoto"}


def test_declared_field_is_shown_and_changed_on_the_console_page(event: Event, town: None) -> None:
    player, desk = register(event, details={"home_town": "Kyoto"}), client_of("scorekeeper", event)
    address = f"/console/{event.slug}/players/{player.number}/"
    assert 'value="Kyoto"' in html_of(desk.get(address))
    desk.post(address, {"name": "Ann", "email": "ann@example.org", "home_town": "Osaka"})
    assert load_details(player) == {"home_town": "Osaka"}


def test_staff_adds_a_player_with_the_declared_field(event: Event, town: None) -> None:
    desk = client_of("scorekeeper", event)
    desk.post(f"/console/{event.slug}/players/", {"name": "Bob", "home_town": "Nara"})
    assert event.players.get().details == {"home_town": "Nara"}


def test_player_reads_and_changes_the_declared_field_by_private_link(town: None, client: Client) -> None:
    player = register(make_event(), details={"home_town": "Kyoto"})
    assert "Kyoto" in html_of(client.get(f"/p/{player.token}/"))
    assert 'value="Kyoto"' in html_of(client.get(f"/p/{player.token}/details/"))
    client.post(f"/p/{player.token}/details/", {"home_town": "Osaka"})
    assert load_details(player) == {"home_town": "Osaka"}


def test_what_staff_changed_meanwhile_is_not_overwritten_by_the_player(town: None, client: Client) -> None:
    player = register(make_event(), details={"home_town": "Kyoto"})
    registration.answer_fields(player, organizer(), {"home_town": "Nara"})
    answer = client.post(f"/p/{player.token}/details/", {"home_town": "Osaka", "initial-home_town": "Kyoto"})
    assert (answer.status_code, load_details(player)) == (422, {"home_town": "Nara"})


def test_declared_field_is_a_column_of_the_table_out_and_in(town: None) -> None:
    event, other = make_event(), make_event()
    register(event, details={"home_town": "Kyoto", "organizer_note": "Late.\nBy train."})
    table = export_player_csv(event)
    (row,) = rows_of(table)
    assert (row["Home town"], row[NOTE_LABEL]) == ("Kyoto", "Late. By train.")

    player_import.run_player_import(other, organizer(), read_player_csv(table, other))
    assert other.players.get().details == {"home_town": "Kyoto", "organizer_note": "Late. By train."}
    # The same table says nothing new where it came from, also of a text in two lines.
    again = player_import.plan_player_import(event, read_player_csv(table, event))
    assert [line.kind for line in again.lines] == ["same"]


def test_import_changes_the_declared_field_alone_and_says_so(event: Event, town: None) -> None:
    player = register(event, details={"home_town": "Kyoto", "organizer_note": "Late"})
    table = read_player_csv("Name;Home town\nAnn;Osaka\n", event)
    plan = player_import.run_player_import(event, organizer(), table)
    assert [(line.kind, line.changes) for line in plan.lines] == [("change", ["Home town: Kyoto → Osaka"])]
    assert load_details(player) == {"home_town": "Osaka", "organizer_note": "Late"}


def test_import_page_names_the_column(event: Event, town: None) -> None:
    page = html_of(client_of("scorekeeper", event).get(f"/console/{event.slug}/players/import/"))
    assert "Paid, Note to the organizer" in page
    assert " and Home town" in page


def test_declared_field_goes_through_the_api(event: Event, town: None, client: Client) -> None:
    form_values = {"name": "Ann", "email": "ann@example.org", "details": {"home_town": "Kyoto"}}
    response = client.post(
        f"/api/events/{event.slug}/register/", form_values, content_type="application/json"
    )
    assert response.status_code == 201
    desk = client_of("scorekeeper", event)
    address = f"/api/events/{event.slug}/players/1/"
    details = desk.get(address).json()["details"]
    assert (details["organizer_note"], details["home_town"]) == ("", "Kyoto")
    changed_values = {"name": "Ann", "email": "ann@example.org", "details": {"home_town": "Osaka"}}
    answer = desk.put(address, changed_values, content_type="application/json")
    assert answer.json()["details"] == {**details, "home_town": "Osaka"}
    token = response.json()["token"]
    assert client.get(f"/api/me/{token}/").json()["player"]["details"]["home_town"] == "Osaka"


def test_api_refuses_an_unknown_detail_with_the_nearest_one(event: Event, town: None, client: Client) -> None:
    form_values = {"name": "Ann", "email": "ann@example.org", "details": {"home_twon": "Kyoto"}}
    answer = client.post(f"/api/events/{event.slug}/register/", form_values, content_type="application/json")
    (problem,) = answer.json()["problems"]
    assert (answer.status_code, problem["code"], problem["field"]) == (400, "unknown_field", "home_twon")
    assert problem["fix"] == "Did you mean “home_town”?"


@each_case("form_values", ["Kyoto", [], 1, None], around=rolled_back)
def test_api_refuses_details_that_are_no_object(client: Client, form_values: object) -> None:
    event = make_event()
    body = {"name": "Ann", "email": "ann@example.org", "details": form_values}
    answer = client.post(f"/api/events/{event.slug}/register/", body, content_type="application/json")
    assert (answer.status_code, [each["field"] for each in answer.json()["problems"]]) == (400, ["details"])


def test_description_of_the_api_has_the_declared_field(town: None) -> None:
    parts = description()["components"]["schemas"]
    shape = {"type": "string", "maxLength": 20, "description": "Home town. Where you come from."}
    for name in ("NewPlayerRequest", "LatePlayerRequest", "Player", "PublicPlayer"):
        assert parts[name]["properties"]["details"]["properties"]["home_town"] == shape


def test_declared_field_travels_in_the_archive(event: Event, town: None) -> None:
    player = register(event, details={"home_town": "Kyoto"})
    registration.answer_fields(player, organizer(), {"home_town": "Osaka"})
    document = export_event(event)
    assert document["players"][0]["details"] == {"home_town": "Osaka"}
    again = restore_event(json.dumps(document), organizer())
    assert again.players.get().details == {"home_town": "Osaka"}
    undo_step(again.log.get(action="player_changed"), organizer())
    assert again.players.get().details == {"home_town": "Kyoto"}


@pytest.fixture
def document(event: Event, town: None) -> dict[str, Any]:
    """The archive of an event with one player."""
    register(event)
    return export_event(event)


@each_case(
    ("details", "code"),
    [
        ({"home_twon": "Kyoto"}, "unknown_field"),
        ({"home_town": 7}, "value_wrong_kind"),
        ({"home_town": "x" * 21}, "value_too_long"),
        ({"home_town": "a\nb"}, "text_unreadable"),
        ({"home_town": None}, "archive_value_wrong"),
        ({"home_town": ["Kyoto"]}, "archive_value_wrong"),
        (["home_town"], "archive_value_wrong"),
        ("Kyoto", "archive_value_wrong"),
    ],
    around=rolled_back,
)
def test_archive_with_an_unknown_or_wrong_detail_is_refused(
    document: dict[str, Any], details: object, code: str
) -> None:
    document["players"][0]["details"] = details
    with pytest.raises(Refused) as excinfo:
        restore_event(json.dumps(document), organizer())
    assert [problem.code for problem in excinfo.value.problems] == [code]
    assert "players[0].details" in excinfo.value.sentence


def test_log_names_the_declared_field_to_those_who_may_read_it(event: Event, town: None) -> None:
    player = register(event, details={"home_town": "Kyoto"})
    registration.answer_fields(player, Actor.of_player(player), {"home_town": "Osaka"})
    entry = event.log.get(action="player_changed")
    address = f"/console/{event.slug}/log/{entry.pk}/"
    desk, judge = (html_of(client_of(kind, event).get(address)) for kind in ("scorekeeper", "judge"))
    assert all(text in desk for text in ("Home town", "Kyoto", "Osaka"))
    assert not any(text in judge for text in ("Home town", "Kyoto", "Osaka"))


# One description of the API for the tests that compare answers with it: to make it takes longer than they do.
VARIOUS = (
    TOWN,
    RegistrationField("age", "Age", kind="whole"),
    replace(TOWN, key="staff_town", label="Town by staff", asked="staff"),
    replace(TOWN, key="see_town", label="Town for staff", may_read="see"),
    replace(TOWN, key="public_town", label="Town for everyone", may_read="public"),
)


def test_row_from_before_the_declaration_has_the_empty_value(
    event: Event, monkeypatch: pytest.MonkeyPatch, client: Client
) -> None:
    player = register(event)
    declare(monkeypatch, *VARIOUS)
    desk = client_of("scorekeeper", event)
    details = desk.get(f"/api/events/{event.slug}/players/1/").json()["details"]
    assert (details["organizer_note"], details["home_town"], details["age"]) == ("", "", None)
    assert client.get(f"/p/{player.token}/details/").status_code == 200
    assert rows_of(export_player_csv(event))[0]["Age"] == ""


def test_answers_to_a_field_that_is_no_longer_declared_stay_stored_and_unseen(
    event: Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        declare(patch, TOWN)
        player = register(event, details={"home_town": "Kyoto"})
    registration.answer_fields(player, organizer(), {"organizer_note": "Late"})
    assert load_details(player) == {"home_town": "Kyoto", "organizer_note": "Late"}
    assert restore_event(json.dumps(export_event(event)), organizer()).players.get().details == {
        "organizer_note": "Late"
    }
    assert "Kyoto" not in html_of(client_of("scorekeeper", event).get(f"/console/{event.slug}/players/1/"))


# --- kinds, askers, readers -------------------------------------------------------------------------------

KINDS = {
    "text": (RegistrationField("extra", "Extra", max_length=3), "abc", "abcd", "value_too_long"),
    "line": (RegistrationField("extra", "Extra"), "a b", "a\nb", "text_unreadable"),
    "surrogate": (RegistrationField("extra", "Extra"), "é", "\ud800", "text_unreadable"),
    "long_text": (RegistrationField("extra", "Extra", "long_text"), "a\nb", "a\x00b", "text_unreadable"),
    "choice": (RegistrationField("extra", "Extra", "choice", choices=("S", "M")), "M", "L", "choice_unknown"),
    "yes_no": (RegistrationField("extra", "Extra", "yes_no"), True, "yes", "value_wrong_kind"),
    "whole": (RegistrationField("extra", "Extra", "whole"), 7, 7.5, "value_wrong_kind"),
    "flag": (RegistrationField("extra", "Extra", "whole"), 0, True, "value_wrong_kind"),
    "negative": (RegistrationField("extra", "Extra", "whole"), 7, -1, "number_out_of_range"),
}


@pytest.mark.parametrize("case", KINDS)
def test_each_kind_takes_its_values_and_refuses_others(
    event: Event, monkeypatch: pytest.MonkeyPatch, case: str
) -> None:
    field, good, bad, code = KINDS[case]
    declare(monkeypatch, field)
    assert codes(lambda: register(event, details={"extra": bad})) == [(code, "extra")]
    player = register(event, details={"extra": good})
    assert load_details(player) == {"extra": good}
    registration.answer_fields(player, organizer(), {"extra": field.empty})
    assert load_details(player) == {}


@pytest.mark.parametrize("case", ["text", "long_text", "choice", "yes_no", "whole"])
def test_each_kind_goes_through_form_and_table(monkeypatch: pytest.MonkeyPatch, case: str) -> None:
    field, good, _, _ = KINDS[case]
    declare(monkeypatch, field)
    event, other = make_event(), make_event()
    form_values = {"name": "Ann", "email": "ann@example.org", "extra": "on" if good is True else str(good)}
    Client().post(f"/e/{event.slug}/register/", form_values)
    assert event.players.get().details == {"extra": good}
    table = read_player_csv(export_player_csv(event), other)
    player_import.run_player_import(other, organizer(), table)
    one_line = " ".join(good.split()) if isinstance(good, str) else good
    assert other.players.get().details == {"extra": one_line}


def test_cell_that_the_field_cannot_have_refuses_its_line(
    event: Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    declare(monkeypatch, KINDS["choice"][0], RegistrationField("age", "Age", "whole"))
    table = read_player_csv("Name;Extra;Age\nAnn;L;old\nBob;S;30\n", event)
    plan = player_import.run_player_import(event, organizer(), table)
    pairs = [(line.kind, [problem.code for problem in line.problems]) for line in plan.lines]
    assert pairs == [("refused", ["choice_unknown", "value_wrong_kind"]), ("add", [])]
    assert event.players.get().details == {"extra": "S", "age": 30}


def test_required_field_is_needed_by_players_and_not_by_staff(
    event: Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    declare(monkeypatch, replace(TOWN, required=True))
    assert codes(lambda: register(event)) == [("value_missing", "home_town")]
    player = registration.add_player(event, organizer(), name="Bob")
    assert load_details(player) == {}
    missing_codes = codes(lambda: registration.answer_fields(player, organizer(), {"home_town": " "}))
    assert missing_codes == [("value_missing", "home_town")]


def test_field_for_staff_alone_is_not_for_players(
    event: Event, monkeypatch: pytest.MonkeyPatch, client: Client
) -> None:
    declare(monkeypatch, *VARIOUS)
    form = html_of(client.get(f"/e/{event.slug}/register/"))
    assert ("home_town" in form, "staff_town" in form) == (True, False)
    unknown_field = [("unknown_field", "staff_town")]
    assert codes(lambda: register(event, details={"staff_town": "Kyoto"})) == unknown_field
    player = registration.add_player(event, organizer(), name="Bob", details={"staff_town": "Kyoto"})
    assert "Kyoto" not in html_of(client.get(f"/p/{player.token}/"))
    assert "staff_town" not in html_of(client.get(f"/p/{player.token}/details/"))
    details = client.get(f"/api/me/{player.token}/").json()["player"]["details"]
    assert {"organizer_note", "home_town"} <= details.keys()
    assert "staff_town" not in details


def test_field_for_players_alone_is_read_by_staff_beside_the_form(
    event: Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    declare(monkeypatch, replace(TOWN, asked="player"))
    register(event, details={"home_town": "Kyoto"})
    page = html_of(client_of("scorekeeper", event).get(f"/console/{event.slug}/players/1/"))
    assert ">Kyoto</dd>" in page
    assert 'name="home_town"' not in page


def test_fields_are_read_by_those_who_may(event: Event, monkeypatch: pytest.MonkeyPatch) -> None:
    declare(monkeypatch, *VARIOUS)
    towns = {"home_town": "Kyoto", "see_town": "Nara", "public_town": "Osaka"}
    register(event, details=towns)
    clients = {"public": Client(), **{kind: client_of(kind, event) for kind in ("judge", "scorekeeper")}}
    towns_by_reader = {
        "public": {"Osaka"}, "judge": {"Nara", "Osaka"}, "scorekeeper": {"Kyoto", "Nara", "Osaka"},
    }  # fmt: skip

    def read(who: str, address: str) -> set[str]:
        page = html_of(clients[who].get(address))
        return {town for town in towns.values() if town in page}

    assert {who: read(who, f"/api/events/{event.slug}/players/") for who in clients} == towns_by_reader
    assert read("public", f"/e/{event.slug}/players/") == {"Osaka"}
    assert "Town for everyone: Osaka" in html_of(Client().get(f"/e/{event.slug}/players/"))
    form = html_of(Client().get(f"/e/{event.slug}/register/"))
    assert form.count("Where you come from. Everyone can read it.") == 1
    for page in ("players/1/", "players/"):
        for who in ("judge", "scorekeeper"):
            assert read(who, f"/console/{event.slug}/{page}") == towns_by_reader[who]


def test_readers_are_rights_of_those_who_change_players() -> None:
    assert set(READERS) == {"public", Right.SEE, Right.PLAYERS}


def test_two_registrations_that_become_one_keep_the_answers_of_both(
    event: Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    declare(monkeypatch, TOWN)
    one = register(event, details={"home_town": "Kyoto"})
    two = register(
        event,
        email="b@example.org",
        is_namesake=True,
        details={"home_town": "Nara", "organizer_note": "Late"},
    )
    merged_player = registration.merge_players(one, two, organizer())
    assert load_details(merged_player) == {"home_town": "Kyoto", "organizer_note": "Late"}


# --- what is declared -------------------------------------------------------------------------------------


@pytest.mark.parametrize("field", fields.FIELDS, ids=lambda field: field.key)
def test_declared_fields_are_well_formed(field: RegistrationField) -> None:
    assert list(field_problems(field.key, field)) == []


def list_clashes() -> list[str]:
    """Return what the system check finds of fields whose name something else has."""
    return [warning.msg for warning in run_checks() if warning.id == "ringside.E003"]


def test_shipped_fields_have_names_of_their_own() -> None:
    assert list_clashes() == []


@each_case(
    "registration_field",
    [
        replace(TOWN, key="email"), replace(TOWN, label="Table"), replace(TOWN, key="organizer_note"),
        replace(TOWN, key="member_1"), replace(TOWN, key="character"),
        replace(TOWN, label=NOTE_LABEL),
    ],
)  # fmt: skip
def test_name_that_something_else_has_is_found_by_the_check(
    monkeypatch: pytest.MonkeyPatch, registration_field: RegistrationField
) -> None:
    with monkeypatch.context() as patch:
        declare(patch, registration_field)
        assert list_clashes() != []


@each_case(
    ("game", "cut", "is_asked", "is_required"),
    [
        ("ufs", "top", True, False), ("ufs", "diversity", True, True),
        ("cfc", "top", False, False), ("cfc", "diversity", True, True),
    ], around=rolled_back,
)  # fmt: skip
def test_character_is_asked_where_the_game_declares_it_or_the_cut_needs_it(
    game: str, cut: str, is_asked: bool, is_required: bool
) -> None:
    field = fields.character_field(Event(game=game, cut=cut))
    assert (field is not None, bool(field and field.required)) == (is_asked, is_required)


def test_new_game_of_a_folder_asks_what_it_declares(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, client: Client
) -> None:
    shutil.copytree(SHIPPED, tmp_path / "games")
    for name, text in TIDEWATER.items():
        file = tmp_path / "games" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    games = Library(tmp_path / "games")
    monkeypatch.setattr(library, "get_shipped_library", lambda: games)
    event = make_event(game="tidewater", format="crew", rules_version="1", match_form="one_game_20min")

    page = html_of(client.get(f"/e/{event.slug}/register/"))
    assert '<option value="North">North</option>' in page
    assert 'name="character"' not in page
    form_values = {"name": "Ann", "email": "ann@example.org", "home_port": "South"}
    client.post(f"/e/{event.slug}/register/", form_values)
    assert event.players.get().details == {"home_port": "South"}
    assert rows_of(export_player_csv(event))[0]["Home port"] == "South"
    answer = client.get(f"/api/me/{event.players.get().token}/")
    assert answer.json()["player"]["details"]["home_port"] == "South"
    register_elsewhere = codes(lambda: register(make_event(), details={"home_port": "South"}))
    assert register_elsewhere == [("unknown_field", "home_port")]


# --- what is not asked --------------------------------------------------------------------------------------


def test_a_character_that_the_form_does_not_ask_stays_when_staff_changes_the_name() -> None:
    event = make_event(game="highlander", format="standard", rules_version="1.7", match_form="one_game_30min")
    player, desk = register(event, character="Duncan"), client_of("scorekeeper", event)
    desk.post(f"/console/{event.slug}/players/{player.number}/", {"name": "Anna", "email": "ann@example.org"})
    player.refresh_from_db()
    assert (player.name, player.character) == ("Anna", "Duncan")
