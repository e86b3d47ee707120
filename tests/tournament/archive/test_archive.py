"""An event is exported as one document and restored unchanged."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from django.contrib.auth.models import User

from decks.shared.refusals import Refused
from tests import machine
from tests.everyday import each_case
from tests.scenarios.event_cache import memory
from tests.scenarios.factories import add_players, make_event, make_user, organizer
from tests.scenarios.rollback import rolled_back
from tests.tournament.brackets.test_cuts import event_after_swiss, open_match, win
from tournament.access.permissions import Actor
from tournament.archive.export import export_event
from tournament.archive.restore import restore_event
from tournament.brackets.services import cut as cuts
from tournament.decklists.services import lists as decklists
from tournament.events.models.event import Event, StageEntrant
from tournament.events.models.player import Player
from tournament.events.models.round import Match, Round, Seat
from tournament.log.services import undo_step
from tournament.results.services import results
from tournament.standings.selectors.standings import standings

pytestmark = pytest.mark.django_db


def rich_event() -> Event:
    """Return an event with lists, a bracket, an open match and a report."""
    return memory.build_once("rich", _rich_event)


def _rich_event() -> Event:
    event = event_after_swiss("KRCSGVKR")
    player = event.players.select_related("event", "deck_list").get(number=1)
    decklists.submit_list(
        player,
        organizer(),
        "4 Kubi Ori\n",
        original='"4","Kubi Ori"\n',
        by_staff=True,
        reason="handed in on paper",
    )
    cuts.make_cut(event, organizer())
    win(open_match(event))
    match = open_match(event)
    results.report_result(match, match.p1, p1_games=2, p2_games=1)
    return event


def without_import(document: dict[str, Any]) -> dict[str, Any]:
    """Return the document without the line that the import itself wrote."""
    return {**document, "log": [line for line in document["log"] if line["action"] != "event_imported"]}


def remove(event: Event) -> None:
    """Simulate another installation: nothing of the event is here."""
    for model in (Seat, Match, Round, StageEntrant, Player):
        model.objects.all().delete()
    event.delete()


def test_exported_and_imported_event_is_identical() -> None:
    event = rich_event()
    document = json.loads(json.dumps(export_event(event)))
    table = [(line.rank, line.player.number, line.row.values) for line in standings(event)]
    remove(event)
    back = restore_event(json.dumps(document), organizer())
    assert without_import(export_event(back)) == document
    assert [(line.rank, line.player.number, line.row.values) for line in standings(back)] == table


@pytest.mark.parametrize("players", [1, 50 if machine.whole() else 8])
def test_archive_takes_as_many_reads_for_one_player_as_for_many(
    players: int, django_assert_num_queries: Any
) -> None:
    event = make_event()
    for player in add_players(event, players):
        decklists.submit_list(player, organizer(), "4 Kubi Ori\n", by_staff=True, reason="handed in on paper")
    with django_assert_num_queries(42):
        export_event(event)


def test_import_beside_the_original_gets_its_own_address_and_links() -> None:
    event = rich_event()
    back = restore_event(json.dumps(export_event(event)), organizer())
    assert back.slug != event.slug
    assert not set(back.players.values_list("token", flat=True)) & set(
        event.players.values_list("token", flat=True)
    )


def test_imported_event_can_be_played_on() -> None:
    event = rich_event()
    back = restore_event(json.dumps(export_event(event)), organizer())
    while (match := open_match(back)) is not None:
        win(match)
    back.refresh_from_db()
    assert back.phase == "finished"


def test_importer_owns_the_event() -> None:
    event = rich_event()
    ivan: User = make_user("ivan@example.org")
    back = restore_event(json.dumps(export_event(event)), Actor.of_user(ivan))
    assert list(back.staff.values_list("user__username", "kind")) == [("ivan@example.org", "owner")]


@each_case(
    ("data", "code"),
    [
        ("", "archive_not_json"),
        ("[" * 100_000, "not_an_archive"),
        ("{}", "not_an_archive"),
        ('{"ringside_archive": 99}', "archive_version_unknown"),
        ('{"ringside_archive": 1}', "archive_incomplete"),
        ('{"ringside_archive": 1, "event": 7}', "archive_incomplete"),
    ],
    around=rolled_back,
)
def test_what_is_no_archive_is_refused_with_a_reason(data: str, code: str) -> None:
    with pytest.raises(Refused) as excinfo:
        restore_event(data, organizer())
    assert excinfo.value.code == code
    assert Event.objects.count() == 0


def test_every_wrong_value_is_named_with_its_place() -> None:
    document = export_event(rich_event())
    document["event"]["capacity"] = "many"
    document["event"]["phase"] = "later"
    with pytest.raises(Refused) as excinfo:
        restore_event(json.dumps(document), organizer())
    assert {p.sentence.split(":")[0] for p in excinfo.value.problems} == {"event.capacity", "event.phase"}


def test_an_archive_that_names_a_player_twice_is_refused_whole() -> None:
    document = export_event(rich_event())
    document["players"].append(document["players"][0])
    before = Event.objects.count()
    with pytest.raises(Refused) as excinfo:
        restore_event(json.dumps(document), organizer())
    assert excinfo.value.code == "archive_contradicts_itself"
    assert Event.objects.count() == before


def test_imported_event_can_be_undone_to_its_beginning_and_done_again() -> None:
    event = rich_event()
    undo_step(event.log.filter(action="result_entered").first(), organizer(), reason="wrong slip")
    document = json.loads(json.dumps(export_event(event)))
    log_rows = event.log.filter(head=None, undone_by=None, action="cut_made").get()
    undo_step(log_rows, organizer())
    expected_result = places_and_points(event)
    remove(event)
    back = restore_event(json.dumps(document), organizer())
    entry = undo_step(back.log.get(action="cut_made", undone_by=None), organizer())
    assert places_and_points(back) == expected_result
    assert Round.objects.filter(stage__event=back, stage__position=2).count() == 0
    undo_step(entry, organizer())
    again = export_event(back)
    assert without_revisions(again) == without_revisions(document)


def places_and_points(event: Event) -> list[tuple[int, int]]:
    return [(line.player.number, line.row.points) for line in standings(event)]


def without_revisions(document: dict[str, Any]) -> str:
    """Return players and stages without the counters that only rise."""
    text = json.dumps({key: document[key] for key in ("players", "stages")}, sort_keys=True)
    return re.sub(r'"revision": \d+', "", text)
