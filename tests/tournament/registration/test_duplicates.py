"""One registration per person, however they try, and merging two."""

from __future__ import annotations

import json
from importlib import import_module

import pytest
from django.apps import apps
from django.db import IntegrityError, transaction
from django.test import Client
from hypothesis import example, given
from hypothesis import strategies as st

from decks.shared.refusals import Refused
from tests.everyday import each_case
from tests.scenarios.event_rows import state_of
from tests.scenarios.factories import (
    add_players,
    built_once,
    make_event,
    organizer,
    play_round,
    sign_in_organizer,
    started_event,
)
from tests.scenarios.rollback import rolled_back
from tournament.archive.export import export_event
from tournament.archive.restore import restore_event
from tournament.decklists.services import lists as decklists
from tournament.events.models.event import Event
from tournament.events.models.player import Player
from tournament.judging.services.penalties import give_penalty
from tournament.log.models import LogEntry
from tournament.log.services import undo_step
from tournament.pairing.services import player_facts as pairing_facts
from tournament.registration import services as registration
from tournament.registration.forms import NAMESAKE_LABEL
from tournament.setup.services import events
from tournament.shared.text import fold_name

pytestmark = [pytest.mark.both_databases, pytest.mark.django_db]
in_python = pytest.mark.one_database("Python alone compares the names")
on_pages = pytest.mark.one_database("other tests here ask both what its page asks")


def desk() -> Client:
    return sign_in_organizer()


@each_case("again", ["ann lee", "ANN  LEE", "Ánn Lee", "Ann-Lee", " annlee "], around=rolled_back)
def test_same_name_in_another_spelling_asks(again: str) -> None:
    event = make_event()
    registration.register(event, name="Ann Lee", email="ann@example.org")
    with pytest.raises(Refused) as excinfo:
        registration.register(event, name=again, email="other@example.org")
    assert (excinfo.value.code, excinfo.value.field) == ("same_name", "name")
    assert excinfo.value.sentence == "Ann Lee (number 1) is already registered."


@in_python
@each_case(
    ("one", "other", "same"),
    [
        ("Łukasz Øst", "lukasz ost", True), ("Groß", "GROSS", True), ("𝐀nn", "Ann", True),
        ("李 小龍", "李小龍", True),
        ("Ann Lee", "Anne Lee", False), ("...", "!!!", False),
    ], around=rolled_back,
)  # fmt: skip
def test_names_are_compared_without_case_accents_and_spaces(one: str, other: str, same: bool) -> None:
    assert (fold_name(one) == fold_name(other)) is same


@in_python
@given(st.text(max_size=120))
@example("\u0308 \u0327")
def test_folding_twice_changes_nothing_more_and_fits_the_column(name: str) -> None:
    assert len(fold_name(name)) <= 160
    assert fold_name(fold_name(name)) == fold_name(name)


def test_a_name_from_before_names_were_folded_asks_too() -> None:
    event = make_event()
    registration.add_player(event, organizer(), name="José Ángel")
    Player.objects.update(folded_name="")
    with pytest.raises(Refused) as excinfo:
        registration.add_player(event, organizer(), name="jose angel")
    assert excinfo.value.code == "same_name"


def test_names_from_before_are_folded_in_the_order_of_coming_and_namesakes_counted_up() -> None:
    event = make_event()
    names = ("José", "Bob", "jose", "JOSE")
    for name in names:
        registration.add_player(event, organizer(), name=name, is_namesake=True)
    Player.objects.exclude(name="jose").update(folded_name="", namesake=0)
    Player.objects.filter(name="jose").update(namesake=0)
    import_module("tournament.migrations.0013_fold_names").fold_names(apps, None)
    player_rows = Player.objects.order_by("number").values_list("name", "folded_name", "namesake")
    assert list(player_rows) == [
        ("José", "jose", 1),
        ("Bob", "bob", 0),
        ("jose", "jose", 0),
        ("JOSE", "jose", 2),
    ]


def test_namesake_who_says_so_is_let_in_beside_the_first() -> None:
    event = make_event()
    registration.register(event, name="Ann Lee", email="ann@example.org")
    other = registration.register(event, name="Ann Lee", email="lee@example.org", is_namesake=True)
    assert (other.number, other.namesake) == (2, 1)


def test_database_has_one_registration_a_name_without_a_confirmed_namesake() -> None:
    event = make_event()
    ann = registration.add_player(event, organizer(), name="Ann Lee")
    ann.pk, ann.number, ann.token, ann.deck_list_id = None, 2, "another", None
    with pytest.raises(IntegrityError), transaction.atomic():
        ann.save(force_insert=True)


@on_pages
def test_page_asks_is_this_you_and_lets_a_namesake_go_on() -> None:
    event = make_event()
    registration.register(event, name="Ann Lee", email="ann@example.org")
    client, form_values = Client(), {"name": "Ann Lee", "email": "lee@example.org"}
    response = client.post(f"/e/{event.slug}/register/", form_values)
    assert response.status_code == 422
    assert "Is this you?" in response.content.decode()
    client.post(f"/e/{event.slug}/register/", {**form_values, "is_namesake": "on"})
    assert event.players.count() == 2


@on_pages
def test_second_press_of_register_leads_to_the_page_that_is_there() -> None:
    event = make_event()
    client, form_values = Client(), {"name": "Ann", "email": "ann@example.org"}
    client.post(f"/e/{event.slug}/register/", form_values)
    again = client.post(f"/e/{event.slug}/register/", form_values)
    assert again["Location"] == f"/p/{event.players.get().token}/"
    assert event.players.count() == 1


@on_pages
def test_asking_for_the_link_answers_alike_for_known_and_unknown_addresses(settings: object) -> None:
    settings.BASE_URL = "https://ringside.example.org"
    event = make_event()
    registration.add_player(event, organizer(), name="Ann", email="ann@example.org")
    answers = []
    for address in ("ann@example.org", "nobody@example.org", "nul\0@example.org"):
        client = Client()
        response = client.post(f"/e/{event.slug}/register/", {"send_link": "1", "email": address})
        answers.append(
            (response.status_code, [str(m) for m in client.get(response["Location"]).context["messages"]])
        )
    assert answers[0] == answers[1] == answers[2]


@on_pages
def test_walk_in_with_a_known_name_is_asked_about_too() -> None:
    event = make_event()
    registration.register(event, name="Ann Lee", email="ann@example.org")
    page = desk().post(f"/console/{event.slug}/players/", {"line": "ann lee"}).content.decode()
    assert "Ann Lee (number 1) is already registered." in page
    assert str(NAMESAKE_LABEL) in page
    assert event.players.count() == 1


def test_withdrawal_is_not_taken_back_beside_a_new_registration() -> None:
    event = make_event()
    first = registration.add_player(event, organizer(), name="Ann Lee")
    registration.withdraw(first, organizer())
    registration.add_player(event, organizer(), name="Ann Lee")
    with pytest.raises(Refused) as excinfo:
        registration.undo_withdrawal(first, organizer())
    assert excinfo.value.code == "same_name"


@built_once
def register_twice(event: Event) -> Player:
    registration.add_player(event, organizer(), name="Ann Lee")
    return registration.register(event, name="Ann  Lee", email="ann@example.org", is_namesake=True)


def twice(event: Event) -> tuple[Player, Player]:
    register_twice(event)
    one, two = event.players.select_related("event", "deck_list").order_by("number")
    return one, two


def test_merged_registration_takes_over_what_it_lacks_and_frees_the_place() -> None:
    event = make_event(capacity=2)
    one, two = twice(event)
    registration.add_player(event, organizer(), name="Bob")
    merged_player = registration.merge_players(one, two, organizer())
    assert (merged_player.number, merged_player.email) == (1, "ann@example.org")
    assert dict(event.players.values_list("number", "status")) == {
        1: "registered",
        2: "withdrawn",
        3: "registered",
    }


@on_pages
def test_both_private_links_lead_to_the_registration_that_stays() -> None:
    event = make_event()
    one, two = twice(event)
    registration.merge_players(one, two, organizer())
    for link in (one.token, two.token):
        assert Client().get(f"/p/{link}/").context["player"].pk == one.pk
    assert Client().get(f"/api/me/{two.token}/").json()["player"]["number"] == 1


def test_list_that_was_handed_in_last_counts_after_a_merge() -> None:
    event = make_event()
    one, two = twice(event)
    version = decklists.submit_list(two, organizer(), "4 Kubi Ori", by_staff=True)
    assert registration.merge_players(one, two, organizer()).deck_list.current_id == version.pk


def test_whom_the_double_never_meets_the_player_never_meets() -> None:
    event = make_event()
    one, two = twice(event)
    bob = registration.add_player(event, organizer(), name="Bob")
    pairing_facts.forbid_pair(event, organizer(), two.number, bob.number, reason="married")
    registration.merge_players(one, two, organizer())
    assert list(event.forbidden_pairs.values_list("one__number", "two__number")) == [(1, 3)]


def test_registration_with_matches_stays_whichever_is_chosen() -> None:
    event = started_event(4, swiss_rounds=3)
    play_round(event)
    alice = event.players.get(name="Alice")
    double = registration.add_player(event, organizer(), name="Alicia")
    Player.objects.filter(pk=double.pk).update(entered_round=2)
    double.seats.all().delete()
    double.matches_as_p1.all().delete()
    stays = registration.merge_players(double, alice, organizer())
    assert (stays.pk, stays.name) == (alice.pk, "Alicia")


@pytest.mark.parametrize("plan", [[{"kind": "robin"}], [{"kind": "single"}]])
def test_registration_that_a_schedule_names_stays_although_no_round_is_out(
    plan: list[dict[str, str]],
) -> None:
    event = make_event(capacity=3, plan=plan)
    people = [
        registration.add_player(event, organizer(), name=name) for name in ("Ann", "Bob", "Cid", "Anne")
    ]
    events.start_event(event, organizer())
    for place in (0, 1, 2):
        scheduled_player = Player.objects.select_related("event").get(pk=people[place].pk)
        late = Player.objects.select_related("event").get(pk=people[3].pk)
        assert registration.merge_players(late, scheduled_player, organizer()) == scheduled_player
        undo_step(event.log.filter(action="players_merged").first(), organizer())


def test_two_whom_a_schedule_names_are_not_merged() -> None:
    event = started_event(3, plan=[{"kind": "robin"}])
    one, two, _ = event.players.select_related("event").order_by("number")
    with pytest.raises(Refused) as excinfo:
        registration.merge_players(one, two, organizer())
    assert excinfo.value.code == "both_played"


def test_penalties_and_calls_go_along_with_a_merge() -> None:
    event = make_event()
    one, two = (registration.add_player(event, organizer(), name=name) for name in ("Ann", "Anne"))
    give_penalty(two, organizer(), infraction="other", degree="warning", note="late")
    merged_player = registration.merge_players(one, two, organizer())
    assert [penalty.note for penalty in merged_player.penalties.all()] == ["late"]
    undo_step(LogEntry.objects.get(action="players_merged"), organizer())
    assert [penalty.note for penalty in two.penalties.all()] == ["late"]


def test_disqualified_player_cannot_register_a_second_time() -> None:
    event = make_event(swiss_rounds=2)
    one, two, _ = (registration.add_player(event, organizer(), name=name) for name in ("Ann", "Anne", "Bob"))
    events.start_event(event, organizer())
    give_penalty(two, organizer(), infraction="other", degree="disqualification", note="seen")
    for survivor, double in ((one, two), (two, one)):
        with pytest.raises(Refused) as excinfo:
            registration.merge_players(survivor, double, organizer())
        assert excinfo.value.code == "disqualified"


def test_a_registration_taken_back_with_the_merge_into_it_leaves_the_other_its_penalties() -> None:
    event = make_event()
    for name in ("Ann", "Gus"):
        registration.register(event, name=name, email=f"{name}@example.org")
    ann, gus = event.players.order_by("number")
    penalty = give_penalty(gus, organizer(), infraction="other", degree="warning", note="late")
    before = state_of(event)
    registration.merge_players(ann, gus, organizer())
    merged_state = state_of(event)
    registration_entry = LogEntry.objects.get(
        action="player_registered", params={"player": {"player": ann.pk}}
    )
    undo_entry = undo_step(registration_entry, organizer())
    assert list(event.penalties.values_list("pk", "player__name")) == [(penalty.pk, "Gus")]
    undo_step(undo_entry, organizer())
    assert state_of(event) == merged_state
    undo_step(LogEntry.objects.get(action="players_merged"), organizer())
    assert state_of(event) == before


def test_two_registrations_that_both_played_are_not_merged() -> None:
    event = started_event(4)
    play_round(event)
    one, two = event.players.all()[:2]
    with pytest.raises(Refused) as excinfo:
        registration.merge_players(one, two, organizer())
    assert excinfo.value.code == "both_played"


def test_merging_can_be_taken_back_with_lists_and_addresses() -> None:
    event = make_event()
    one, two = twice(event)
    decklists.submit_list(two, organizer(), "4 Kubi Ori", by_staff=True)
    before = list(event.players.order_by("pk").values())
    registration.merge_players(one, two, organizer())
    undo_step(LogEntry.objects.get(action="players_merged"), organizer())
    assert list(event.players.order_by("pk").values()) == before


def test_merged_registrations_travel_in_the_archive() -> None:
    event = make_event()
    one, two = twice(event)
    registration.merge_players(one, two, organizer())
    back = restore_event(json.dumps(export_event(event)), organizer())
    assert back.players.get(number=2).merged_into.number == 1


def test_doubles_page_names_pairs_of_one_name_and_merges_by_one_press() -> None:
    event = make_event()
    twice(event)
    add_players(event, 2)
    client = desk()
    page = client.get(f"/console/{event.slug}/players/doubles/")
    assert [(one.number, two.number) for one, two in page.context["pairs"]] == [(1, 2)]
    client.post(f"/console/{event.slug}/players/doubles/", {"kept": "2", "double": "1"})
    assert event.players.get(number=1).status == "withdrawn"


@on_pages
@each_case(
    "form_values",
    [{}, {"kept": "1"}, {"kept": "x", "double": "9" * 40}, {"kept": "1", "double": "1"}],
    around=rolled_back,
)
def test_nonsense_on_the_doubles_page_is_no_server_error(form_values: dict[str, str]) -> None:
    event = make_event()
    twice(event)
    assert desk().post(f"/console/{event.slug}/players/doubles/", form_values).status_code in (302, 404)
    assert event.players.exclude(status="withdrawn").count() == 2
