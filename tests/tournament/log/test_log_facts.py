"""The log keeps actions with parameters, and is put into words when it is read."""

from __future__ import annotations

import ast

import pytest
from django.db import connection
from django.db.models import F
from django.test.utils import CaptureQueriesContext

from tests import machine
from tests.scenarios.factories import (
    add_players,
    make_event,
    make_user,
    open_matches,
    organizer,
    publish_next,
    sign_in_organizer,
    started_event,
    win,
)
from tests.scenarios.log_words import all_words, words_of
from tests.style.sources import find_nodes, list_modules, read_text
from tests.tournament.desk.test_console_pages import signed_in
from tournament.access.permissions import ALL_RIGHTS, Actor, Right
from tournament.events.models.player import Player
from tournament.judging.services.penalties import give_penalty
from tournament.log.models import LogEntry
from tournament.log.services import undo_step
from tournament.log.step import step
from tournament.log.wording import show_entries, show_entry
from tournament.registration import services as registration

pytestmark = pytest.mark.django_db


def test_rows_among_parameters_become_references_that_the_entry_is_about() -> None:
    event = started_event(4)
    round_ = publish_next(event)
    ada, bob = event.players.order_by("number")[:2]
    with step(event, organizer()) as recorder:
        recorder.log("players_met", round=round_, players=[ada, bob], match=open_matches(round_)[0])
    entry = event.log.first()
    match = open_matches(round_)[0]
    assert entry.params["round"] == {"round": [1, 1]}
    assert entry.params["players"] == [{"player": ada.pk}, {"player": bob.pk}]
    assert entry.params["match"]["params"]["p1"] == {"player": match.p1_id}
    assert set(entry.about.split()) == {
        f"p{ada.pk}", f"p{bob.pk}", f"p{match.p1_id}", f"p{match.p2_id}", f"r{round_.pk}",
    }  # fmt: skip


def test_variant_is_kept_beside_the_action() -> None:
    event = make_event(capacity=None)
    with step(event, organizer()) as recorder:
        recorder.log("phase_registration.closed")
    entry = event.log.get(action="phase_registration")
    assert (entry.variant, words_of(entry)) == ("closed", f"{organizer().label} closed check-in.")


@pytest.mark.both_databases
def test_renamed_player_and_account_have_their_new_names_in_old_lines() -> None:
    event = make_event()
    player = registration.add_player(event, organizer(), name="Ada")
    registration.withdraw(player, Actor.of_player(player))
    registration.change_details(player, organizer(), name="Eda", email="", character="")
    user = organizer().user
    user.first_name = "Olga Organizer"
    user.save()
    assert all_words(event.log.filter(action__startswith="player_").order_by("pk")) == [
        "Olga Organizer added Eda.",
        "Eda withdrew.",
        "Olga Organizer changed the details of Eda.",
    ]
    withdrew = show_entry(event.log.get(action="player_withdrew"))
    assert (withdrew.actor, withdrew.by_player, withdrew.actor_name) == ("", player.pk, "Eda")


def test_registration_that_is_taken_back_keeps_its_name_in_the_log() -> None:
    event = make_event()
    player = registration.add_player(event, organizer(), name="Ada")
    registration.change_details(player, organizer(), name="Eda", email="", character="")
    undo_entry = undo_step(event.log.get(action="player_added"), organizer())
    assert not event.players.exists()
    assert words_of(undo_entry) == "olga@example.org undid: “olga@example.org added Eda.” and 1 later step"


@pytest.mark.both_databases
def test_player_whom_nothing_knows_is_called_by_number() -> None:
    event = make_event()
    entry = event.log.create(at=event.starts_at, action="player_added", params={"player": {"player": 987654}})
    assert words_of(entry) == "A deleted account added player 987654."


def test_undo_names_its_step_by_reference_however_often_it_is_turned_round() -> None:
    event = make_event()
    registration.add_player(event, organizer(), name="Ada")
    added_entry = event.log.first()
    codes = []
    entry = added_entry
    for _ in range(4):
        entry = undo_step(entry, organizer())
        codes.append((entry.code, entry.params["step"]))
    reference = {"entry": added_entry.pk}
    assert codes == [
        ("undone", reference), ("redone", reference), ("undone.again", reference), ("redone", reference),
    ]  # fmt: skip


def test_hidden_step_leaks_neither_facts_nor_references() -> None:
    event = started_event(4)
    player = event.players.first()
    give_penalty(player, organizer(), infraction="other", degree="warning", note="secret note")
    client = signed_in(event, "scorekeeper")
    lines = client.get(f"/api/events/{event.slug}/log/").json()
    hidden_line = next(line for line in lines if line["action"] == "hidden")
    assert (hidden_line["variant"], hidden_line["params"], hidden_line["reason"]) == ("judge", {}, "")
    assert (
        hidden_line["sentence"] == f"{organizer().label} took a step that only judges and organizers can see."
    )


def test_undo_of_a_hidden_step_is_hidden_too() -> None:
    event = started_event(4)
    player = event.players.first()
    give_penalty(player, organizer(), infraction="other", degree="warning", note="secret note")
    undo_entry = undo_step(event.log.get(action="penalty_given"), organizer())
    show_entry(undo_entry, ALL_RIGHTS - {Right.JUDGE})
    assert (undo_entry.action, undo_entry.params) == ("hidden", {})
    assert player.name not in undo_entry.sentence


def test_api_of_the_log_has_action_parameters_and_sentence() -> None:
    event = started_event(4)
    # Ids and numbers of players differ.
    Player.objects.filter(event=event).update(number=F("number") + 100)
    match = open_matches(publish_next(event))[0]
    win(match)
    client = sign_in_organizer()
    line = next(
        line
        for line in client.get(f"/api/events/{event.slug}/log/").json()
        if line["action"] == "result_entered"
    )
    assert line["params"]["result"]["params"]["score"] == "2-0"
    assert line["params"]["match"]["params"]["p1"] == {"player": match.p1.number}
    assert line["sentence"] == (
        f"{organizer().label}: table {match.table} ({match.p1} vs. {match.p2}) ended 2-0."
    )


def test_filter_by_person_has_accounts_players_and_texts() -> None:
    event = make_event()
    player = registration.register(event, name="Ada", email="ada@example.org")
    with step(event, Actor(label="Command line")) as recorder:
        recorder.log("clock_set")
    client = signed_in(event, "owner")
    page = client.get(f"/console/{event.slug}/log/").context["view"]
    user = organizer().user
    assert page.people == [
        ("player-" + str(player.pk), "Ada"), ("Command line", "Command line"),
        (f"account-{user.pk}", user.username),
    ]  # fmt: skip
    for person, action in ((f"player-{player.pk}", "player_registered"), ("Command line", "clock_set")):
        log_page = client.get(f"/console/{event.slug}/log/", {"person": person}).context["view"]
        assert [entry.action for entry in log_page.page.object_list] == [action]


@pytest.mark.parametrize("count", [3, 30 if machine.whole() else 9])
def test_names_of_a_page_come_in_one_query_for_each_kind(count: int) -> None:
    event = make_event()
    for player in add_players(event, count, one_by_one=True):
        registration.withdraw(player, Actor.of_user(make_user(f"{player.number}@example.org")))
    entries = list(event.log.all())
    with CaptureQueriesContext(connection) as queries:
        show_entries(entries)
    assert len(queries) == 2


def test_no_step_of_tournament_stores_a_sentence() -> None:
    """`told` is for texts from elsewhere."""
    stored_sentences = []
    for file in list_modules("tournament"):
        for node in find_nodes(file, ast.Call) if ".log(" in read_text(file) else ():
            if getattr(node.func, "attr", "") == "log":
                stored_sentences += [
                    f"{file.name}:{node.lineno}"
                    for value in [*node.args, *(keyword.value for keyword in node.keywords)]
                    if isinstance(value, ast.JoinedStr) and not _is_time(value)
                ]
    assert stored_sentences == []


def _is_time(value: ast.JoinedStr) -> bool:
    return all(isinstance(part, ast.FormattedValue) and part.format_spec for part in value.values)


def test_entries_that_were_not_put_into_words_say_so() -> None:
    event = make_event()
    with pytest.raises(LookupError, match="not put into words"):
        print(LogEntry.objects.filter(event=event).first().sentence)
