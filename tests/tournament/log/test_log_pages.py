"""The log as staff read it.

Tests cover sentences, filters, before and after, and undoing by button.
"""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from tests.everyday import each_case
from tests.scenarios.factories import (
    add_players,
    make_event,
    open_matches,
    organizer,
    play_round,
    publish_next,
    sign_in_organizer,
    started_event,
    win,
)
from tests.scenarios.rollback import rolled_back
from tests.tournament.desk.test_console_pages import signed_in
from tournament.brackets.services.stages import begin_next_stage
from tournament.events.models.event import Event
from tournament.events.models.round import Match, Round
from tournament.judging.services.deck_checks import draw_checks
from tournament.judging.services.penalties import give_penalty
from tournament.log import selectors as log
from tournament.log.field_names import COLUMNS, TABLES
from tournament.log.models import EVENT_TABLES, LogEntry, get_table_model
from tournament.log.row_words import HIDDEN_COLUMNS
from tournament.log.selectors import HIDDEN_TABLES, LogFilter, describe_step
from tournament.pairing.services.player_facts import forbid_pair
from tournament.registration import services as registration
from tournament.screens.services import choose_views
from tournament.setup.services import events
from tournament.staff import services as staff

pytestmark = pytest.mark.django_db


@pytest.fixture
def desk() -> Client:
    """A client signed in as Olga."""
    return sign_in_organizer()


def publish_first_round(players: int = 4) -> Event:
    event = started_event(players)
    publish_next(event)
    return event


def first_match(event: Event) -> Match:
    return open_matches(Round.objects.get(stage__event=event))[0]


def sentences(event: Event, **query: str) -> list[str]:
    return [entry.action for entry in log.get_log_page(event, LogFilter(**query)).page]


def test_log_narrowed_to_a_player_shows_the_steps_of_that_player_alone() -> None:
    event = make_event()
    _alice, bob, _carol = add_players(event, 3, one_by_one=True)
    registration.change_details(bob, organizer(), name="Bobby", email="", character="Ken")
    assert sentences(event, player=str(bob.pk)) == ["player_changed", "player_added"]


@pytest.mark.parametrize(("role", "is_shown"), [("scorekeeper", True), ("judge", False)])
def test_name_before_its_correction_is_for_who_may_correct_it(role: str, is_shown: bool) -> None:
    event = make_event()
    _alice, bob, _carol = add_players(event, 3, one_by_one=True)
    old_name = bob.name
    registration.change_details(bob, organizer(), name="Robin", email="", character="Ken")
    entries = LogEntry.objects.filter(about__contains=f" p{bob.pk} ").values_list("pk", flat=True)
    client = signed_in(event, role)
    pages = [client.get(f"/console/{event.slug}/log/{pk}/").content.decode() for pk in entries]
    assert (len(pages), all("Robin" in page for page in pages)) == (2, True)
    assert any(old_name in page for page in pages) == is_shown


@pytest.mark.both_databases
def test_log_narrowed_to_a_round_shows_its_pairing_publication_and_results() -> None:
    event = publish_first_round()
    win(first_match(event))
    shown_sentences = sentences(event, round=str(Round.objects.get().pk))
    assert shown_sentences == ["result_entered", "round_published", "round_paired"]


@pytest.mark.both_databases
def test_log_narrowed_to_a_kind_finds_it_as_a_consequence_too() -> None:
    event = publish_first_round()
    for match in open_matches(Round.objects.get()):
        win(match)
    assert sentences(event, action="round_finished") == ["result_entered"]
    assert sentences(event, person="nobody") == []


def test_one_step_shows_values_before_and_after_in_words() -> None:
    event = publish_first_round()
    match = win(first_match(event), score=(2, 1))
    rows = describe_step(LogEntry.objects.get(action="result_entered")).rows
    assert [(row.title, row.did) for row in rows] == [
        (f"Round 1, table {match.table}: {match.p1.name} vs. {match.p2.name}", "changed")
    ]
    lines = {line.label: (line.before, line.after) for line in rows[0].lines}
    assert lines["Outcome"] == ("Playing", "First player won")
    assert lines[str(COLUMNS["p1_games"])] == ("0", "2")
    assert lines[str(COLUMNS["p2_games"])] == ("0", "1")
    assert lines["Entered by"] == ("–", "olga@example.org")


def test_every_column_and_table_of_an_event_has_a_name_for_readers() -> None:
    concrete_fields_by_table = {
        table: get_table_model(table)._meta.concrete_fields for table in EVENT_TABLES.keys() - HIDDEN_TABLES
    }
    columns = {field.attname for fields in concrete_fields_by_table.values() for field in fields}
    assert columns - HIDDEN_COLUMNS == set(COLUMNS)
    with_own_titles = {"event", "player", "round", "match", "decklist", "resultreport", "stage"}
    assert concrete_fields_by_table.keys() - with_own_titles == set(TABLES) - with_own_titles


def test_result_taken_back_by_button_after_seeing_what_goes(desk: Client) -> None:
    event = publish_first_round()
    match = win(first_match(event))
    entry = LogEntry.objects.get(action="result_entered")
    address = f"/console/{event.slug}/log/{entry.pk}/undo/"
    page = desk.get(address)
    assert f"Round 1, table {match.table}: {match.p1.name} vs. {match.p2.name}" in page.content.decode()
    answer = desk.post(address, {"seen": page.context["plan"].mark, "reason": "wrong table"})
    assert answer["Location"] == f"/console/{event.slug}/log/"
    match.refresh_from_db()
    assert (match.outcome, LogEntry.objects.first().reason) == ("", "wrong table")
    text = desk.get(f"/console/{event.slug}/log/").content.decode()
    assert "Undone" in text
    assert ">Redo<" in text


def test_event_brought_back_to_before_the_round_by_button(desk: Client) -> None:
    event = publish_first_round()
    address = f"/console/{event.slug}/rounds/1/1/restore/"
    seen_mark = desk.get(address).context["plan"].mark
    desk.post(address, {"seen": seen_mark})
    assert Round.objects.count() == 0
    assert desk.get(address)["Location"] == f"/console/{event.slug}/log/"


@each_case(
    ("stage", "number", "heading"),
    [(1, 1, "Roll back to before round 1"), (2, 4, "Roll back to before round 4 of stage 2")],
    around=rolled_back,
)
def test_rollback_page_names_a_later_stage(stage: int, number: int, heading: str) -> None:
    client = sign_in_organizer()
    event = started_event(4, plan=[{"kind": "robin"}, {"kind": "swiss", "rounds": 1, "size": 2}])
    for _ in range(3):
        play_round(event)
    begin_next_stage(event, organizer())
    publish_next(event)
    text = client.get(f"/console/{event.slug}/rounds/{stage}/{number}/restore/").content.decode()
    [shown_heading] = re.findall(r"<h1>(.*?)</h1>", text, re.DOTALL)
    assert " ".join(shown_heading.split()) == heading


def test_old_page_shows_again_what_goes_instead_of_taking_back_more(desk: Client) -> None:
    event = publish_first_round()
    entry = LogEntry.objects.get(action="round_published")
    address = f"/console/{event.slug}/log/{entry.pk}/undo/"
    seen_mark = desk.get(address).context["plan"].mark
    win(first_match(event))
    assert desk.post(address, {"seen": seen_mark})["Location"] == address
    assert Round.objects.get().state == "published"


@each_case("query", ["player=x", "player=99999999999999999999", "page=-1", "round=²"], around=rolled_back)
def test_filters_that_are_no_numbers_are_not_found(desk: Client, query: str) -> None:
    event = publish_first_round()
    assert desk.get(f"/console/{event.slug}/log/?{query}").status_code == 404


def test_a_control_sign_in_the_name_of_a_person_shows_the_log(desk: Client) -> None:
    event = publish_first_round()
    assert desk.get(f"/console/{event.slug}/log/?person=%00").status_code == 200


@pytest.mark.parametrize("entry", [0, 99999999999999999999999])
def test_step_that_there_is_not_is_not_found(desk: Client, entry: int) -> None:
    event = publish_first_round()
    assert desk.get(f"/console/{event.slug}/log/{entry}/").status_code == 404


def test_steps_of_another_event_cannot_be_touched(desk: Client) -> None:
    event, other = publish_first_round(), make_event(name="Elsewhere")
    entry = LogEntry.objects.get(action="round_published")
    assert desk.get(f"/console/{other.slug}/log/{entry.pk}/undo/").status_code == 404
    assert Round.objects.get(stage__event=event).state == "published"


@pytest.mark.parametrize("players", [3, 40])
def test_log_page_takes_a_fixed_number_of_queries(desk: Client, players: int) -> None:
    event = make_event()
    add_players(event, players)
    desk.get(f"/console/{event.slug}/log/")
    with CaptureQueriesContext(
        connection,
    ) as queries:
        desk.get(f"/console/{event.slug}/log/")
    assert len(queries) == 13


def test_outside_program_takes_a_step_back_and_the_event_to_before_a_round(desk: Client) -> None:
    event = publish_first_round()
    match = win(first_match(event))
    entry = desk.get(f"/api/events/{event.slug}/log/").json()[0]
    address = f"/api/events/{event.slug}/log/{entry['id']}/undo/"
    answer = desk.post(address, {"reason": "slip"}, content_type="application/json")
    match.refresh_from_db()
    assert (answer.json()["action"], answer.json()["reason"], match.outcome) == ("undone", "slip", "")
    again = desk.post(address, content_type="application/json")
    assert (again.status_code, again.json()["problems"][0]["code"]) == (400, "already_taken_back")
    desk.post(f"/api/events/{event.slug}/rounds/1/1/restore/", content_type="application/json")
    assert Round.objects.count() == 0


def test_step_that_a_scorekeeper_may_not_undo_is_marked_before_the_press() -> None:
    event = publish_first_round()
    punished = first_match(event).p1
    give_penalty(punished, organizer(), infraction="other", degree="warning", note="late")
    events.update_event(event, organizer(), {"place": "The mill"})
    desk = signed_in(event, "scorekeeper")
    address = f"/console/{event.slug}/rounds/1/1/restore/"
    page = desk.get(address)
    olga = organizer().label
    assert page.context["beyond"] == [
        f"{olga} took a step that only judges and organizers can see. "
        "This can be undone only by an owner, a co-organizer or a judge.",
        f"{olga} changed the event: venue. This can be undone only by an owner or a co-organizer.",
    ]
    assert 'name="seen"' not in page.content.decode()
    assert desk.post(address, {"seen": page.context["plan"].mark}).status_code == 403
    answer = desk.post(f"/api/events/{event.slug}/rounds/1/1/restore/", content_type="application/json")
    assert answer.json()["problems"][0]["sentence"] == " ".join(page.context["beyond"])
    assert Round.objects.count() == 1


def test_scorekeeper_rolls_back_a_round_with_only_their_own_work() -> None:
    event = publish_first_round()
    win(first_match(event))
    choose_views(event, organizer(), ["clock"])
    desk = signed_in(event, "scorekeeper")
    address = f"/console/{event.slug}/rounds/1/1/restore/"
    page = desk.get(address)
    assert page.context["beyond"] == []
    assert desk.post(address, {"seen": page.context["plan"].mark}).status_code == 302
    assert Round.objects.count() == 0


@pytest.mark.parametrize(
    ("act", "whose"),
    [
        (lambda event: draw_checks(event, organizer(), count=1), "an owner, a co-organizer or a judge"),
        (
            lambda event: forbid_pair(event, organizer(), 1, 2, reason="siblings"),
            "an owner or a co-organizer",
        ),
        (lambda event: staff.create_invitation(event, organizer(), kind="judge"), "an owner"),
    ],
)
def test_undo_needs_the_right_of_the_step(act: Callable[[Event], object], whose: str) -> None:
    event = publish_first_round()
    act(event)
    entry = LogEntry.objects.filter(head=None).first()
    desk = signed_in(event, "scorekeeper")
    address = f"/console/{event.slug}/log/{entry.pk}/undo/"
    (sentence,) = desk.get(address).context["beyond"]
    assert sentence.endswith(f". This can be undone only by {whose}.")
    assert desk.post(address).status_code == 403
