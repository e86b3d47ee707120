"""Teams and pairs: one registration with the names of its members."""

from __future__ import annotations

import pytest
from django.test import Client

from decks.shared.refusals import Invalid, Refused
from tests.everyday import each_case
from tests.scenarios.factories import make_event, organizer, sign_in_organizer
from tests.scenarios.rollback import rolled_back
from tournament.events.models.event import Event
from tournament.registration import player_csv
from tournament.registration import services as registration
from tournament.registration.player_csv import export_player_csv
from tournament.registration.services import player_import
from tournament.setup.forms.event import EventForm
from tournament.setup.services import events

pytestmark = pytest.mark.django_db

PAIRS = {
    "name": "Pairs", "game": "sf_miniatures", "format": "2v2", "rules_version": "1", "team_size": 2,
    "match_form": "one_round_25min", "round_minutes": 25,
}  # fmt: skip


@pytest.fixture
def event() -> Event:
    return make_event(**PAIRS)


def test_pair_registers_on_one_page_with_both_names(event: Event) -> None:
    client = Client()
    form_values = {"name": "The Dojo", "email": "ann@example.org", "member_1": "Ann Lee", "member_2": "Bob"}
    answer = client.post(f"/e/{event.slug}/register/", form_values)
    dojo = event.players.get()
    assert answer["Location"] == f"/p/{dojo.token}/?new=1"
    assert dojo.members == ["Ann Lee", "Bob"]
    for page in (f"/p/{dojo.token}/", f"/e/{event.slug}/players/"):
        assert "Ann Lee" in client.get(page).content.decode()


@each_case(
    ("members", "codes"),
    [
        ([], ["team_size_wrong"]),
        (["Ann"], ["team_size_wrong"]),
        (["Ann", "Bob", "Carol"], ["team_size_wrong"]),
        (["Ann", "ANN"], ["member_twice"]),
        (["Ann", " "], ["team_size_wrong"]),
        (["Ann", "x" * 81], ["name_too_long"]),
    ],
    around=rolled_back,
)
def test_team_of_the_wrong_size_is_refused(event: Event, members: list[str], codes: list[str]) -> None:
    with pytest.raises(Refused) as excinfo:
        registration.add_player(event, organizer(), name="The Dojo", members=members)
    assert [problem.code for problem in excinfo.value.problems] == codes


def test_member_of_one_team_is_asked_about_in_another(event: Event) -> None:
    registration.add_player(event, organizer(), name="The Dojo", members=["Ann", "Bob"])
    with pytest.raises(Refused) as excinfo:
        registration.add_player(event, organizer(), name="The Gym", members=["Carol", "ann"])
    assert excinfo.value.sentence == "The Dojo (number 1) is already registered."


def test_members_in_an_event_where_all_play_alone_are_refused() -> None:
    with pytest.raises(Refused) as excinfo:
        registration.add_player(make_event(), organizer(), name="The Dojo", members=["Ann", "Bob"])
    assert excinfo.value.code == "no_teams"


def test_walk_in_team_is_one_line(event: Event) -> None:
    client = sign_in_organizer()
    client.post(f"/console/{event.slug}/players/", {"line": "The Dojo; Ann + Bob"})
    assert list(event.players.values_list("name", "members")) == [("The Dojo", ["Ann", "Bob"])]


def test_members_can_be_corrected(event: Event) -> None:
    dojo = registration.add_player(event, organizer(), name="The Dojo", members=["Ann", "Bob"])
    registration.change_details(
        dojo, organizer(), name="The Dojo", email="", character="", members=["Ann", "Carol"]
    )
    dojo.refresh_from_db()
    assert dojo.members == ["Ann", "Carol"]


@each_case(
    ("game", "key", "size"),
    [
        ("sf_miniatures", "2v2", 2), ("sf_miniatures", "tag3", 3), ("sf_miniatures", "2v2v2", 2),
        ("sf_miniatures", "3-on-3", None), ("sf_miniatures", "ffa", None),
    ], around=rolled_back,
)  # fmt: skip
def test_new_event_proposes_the_team_size_of_its_format(game: str, key: str, size: int | None) -> None:
    assert EventForm(game=game, format_key=key)["team_size"].initial == size


@pytest.mark.parametrize("size", [1, 7, 10**6])
def test_teams_have_two_to_six_members(event: Event, size: int) -> None:
    with pytest.raises(Refused) as excinfo:
        events.update_event(event, organizer(), {"team_size": size})
    assert excinfo.value.code == "team_size_out_of_range"


def test_teams_travel_in_a_table(event: Event) -> None:
    registration.add_player(event, organizer(), name="The Dojo", members=["Ann", "Bob"])
    other = make_event(**{**PAIRS, "name": "Other"})
    table = export_player_csv(event)
    player_import.run_player_import(other, organizer(), player_csv.read_player_csv(table, other))
    assert export_player_csv(other) == table


def test_all_that_is_wrong_with_a_team_is_told_at_once(event: Event) -> None:
    with pytest.raises(Invalid) as excinfo:
        registration.register(event, name="", email="nobody", members=["Ann"])
    assert [p.code for p in excinfo.value.problems] == ["name_missing", "team_size_wrong", "email_invalid"]
