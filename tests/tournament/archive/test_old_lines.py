"""Log lines that were stored as sentences.

They get facts where these say the same, and all others keep their sentence.
"""

from __future__ import annotations

import re
from collections import Counter
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from django.apps import apps

from rules.reason import Reference
from tests.everyday import each_case
from tests.scenarios.factories import organizer
from tests.scenarios.log_words import all_words
from tests.scenarios.rollback import rolled_back
from tournament.archive import log_entries
from tournament.archive.old_lines import EventHistory, ToldLine
from tournament.archive.restore import restore_event
from tournament.events.models.event import Event
from tournament.log.models import LogEntry
from tournament.log.services import undo_step
from tournament.registration import services as registration

pytestmark = pytest.mark.django_db

FOLDER = Path(__file__).parents[2] / "golden" / "archives"
COMMONEST = {"round_paired", "round_published", "round_finished", "player_added", "result_entered"}


def restore(name: str) -> Event:
    """Restore an event as it was while lines of the log were sentences."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(log_entries, "translate_told_lines", lambda _lines: None)
        return restore_now(name)


def restore_now(name: str) -> Event:
    return restore_event((FOLDER / f"{name}.json").read_text(encoding="utf-8"), organizer())


def refer_to_players() -> None:
    import_module("tournament.migrations.0039_names_in_old_log_lines").refer_to_players(apps, None)


def translate() -> None:
    import_module("tournament.migrations.0021_facts_of_old_log_lines").find_facts(apps, None)


def count_told(event: Event) -> Counter[str]:
    return Counter(event.log.filter(params__has_key="told").values_list("action", flat=True))


@pytest.mark.parametrize("name", ["format-1-last", "format-2", "format-3"])
def test_all_of_the_commonest_lines_get_facts(name: str) -> None:
    event = restore(name)
    told_count = count_told(event)
    translate()
    assert (told_count["round_paired"], told_count["round_published"], told_count["round_finished"]) == (
        3,
        3,
        3,
    )
    assert told_count["result_entered"] > 10
    assert count_told(event) == Counter({each: n for each, n in told_count.items() if each not in COMMONEST})


def test_facts_refer_to_rounds_players_and_matches() -> None:
    event = restore("format-2")
    translate()
    log = event.log.order_by("pk")
    player = event.players.get(number=1)
    finished_matches, added_entry = (
        log.filter(action="round_finished")[0],
        log.filter(action="player_added")[0],
    )
    result = log.filter(action="result_entered")[0].params
    assert (finished_matches.params, added_entry.params) == (
        {"round": {"round": [1, 1]}},
        {"player": {"player": player.pk}},
    )
    assert (result["match"]["code"], result["result"]["code"]) == ("match", "result")


@pytest.mark.both_databases
def test_player_who_was_renamed_has_the_new_name_in_old_lines() -> None:
    event = restore("format-2-last")
    results = event.log.filter(action="result_entered")
    assert not any("Rafael" in line for line in all_words(results))
    translate()
    lines = all_words(results.all())
    assert any("Rafael" in line for line in lines)
    assert not any("Player 2" in line for line in lines)


def test_lines_whose_rows_the_log_does_not_tell_keep_their_sentences() -> None:
    event = restore("format-1-first")
    told_count = count_told(event)
    translate()
    assert count_told(event) == told_count


@each_case(
    ("action", "sentence"),
    [
        ("round_paired", "olga@example.org paired round 2."),
        ("round_paired", "Olga paired round 1."),
        ("result_entered", "olga@example.org: table 1, Player 1 against Player 2, ended 2-1."),
        ("player_added", "olga@example.org added Player 99."),
        ("undone", "olga@example.org undid: “olga@example.org paired round 1.”"),
    ],
    around=rolled_back,
)
def test_sentence_that_the_changes_do_not_say_is_kept(action: str, sentence: str) -> None:
    event = restore("format-2")
    entry = event.log.filter(action__in=[action, "round_paired"]).order_by("action", "pk")[0]
    LogEntry.objects.filter(pk=entry.pk).update(action=action, params={"told": sentence})
    translate()
    entry.refresh_from_db()
    assert entry.params == {"told": sentence}


def test_translated_step_is_still_undone() -> None:
    event = restore("format-2-last")
    translate()
    entry = event.log.filter(action="result_entered", undone_by=None).first()
    assert entry is not None
    undo_step(entry, organizer())
    entry.refresh_from_db()
    assert entry.undone_by is not None


def rename_everyone(event: Event) -> dict[str, str]:
    """Give each player a name that occurs nowhere else.

    Returns the new names by the old ones.
    """
    names = {player.name: f"Zoë{player.number}" for player in event.players.all()}
    for player in event.players.all():
        values = {"name": names[player.name], "email": player.email, "character": player.character}
        registration.change_details(player, organizer(), **values)
    return names


@pytest.mark.parametrize("name", ["format-1-last", "format-2-last", "format-3"])
def test_line_that_keeps_its_sentence_has_the_new_names_of_players(name: str) -> None:
    event = restore_now(name)
    lines_before = all_words(event.log.order_by("pk"))
    told_ids = [entry.pk for entry in event.log.order_by("pk") if "told" in entry.params]
    assert count_told(event).keys().isdisjoint(COMMONEST)
    names = rename_everyone(event)
    entries = event.log.filter(pk__in=told_ids)
    assert [entry.by_player for entry in entries if entry.action == "result_reported"] != []
    assert not entries.filter(actor__in=names).exists()
    lines = all_words(entries.order_by("pk"))
    old_names = [old for old in names for line in lines if re.search(rf"(?<!\w){old}(?!\w)", line)]
    assert old_names == [], lines
    assert lines_before


def test_migrated_rows_and_imported_archives_are_the_same() -> None:
    migrated_event, imported_event = restore("format-2-last"), restore_now("format-2-last")
    translate()
    refer_to_players()
    assert all_words(migrated_event.log.order_by("pk")) == all_words(imported_event.log.order_by("pk"))


def refer(sentence: str, *names: str, about: tuple[int, ...] = (1,), actor: str = "Olga") -> Any:
    """Return the parts of a sentence in an event with players of these names.

    The players are numbered from 1.
    """
    history = EventHistory()
    history.apply(
        {"table": "player", "id": pk, "before": None, "after": {"name": name}}
        for pk, name in enumerate(names, 1)
    )
    return history.refer_to_players(ToldLine("player_dropped", sentence, actor, (), about))


ONE = Reference("player", 1)


@pytest.mark.parametrize(
    ("sentence", "names", "parts"),
    [
        ("Olga dropped Ann.", ["Ann"], ("Olga dropped ", ONE, ".")),
        ("Ann dropped out.", ["Ann"], (ONE, " dropped out.")),
        ("Olga dropped fixed table 3 fan.", ["fixed table 3 fan", "3"], ("Olga dropped ", ONE, ".")),
        ("Olga dropped Ann Lee.", ["Ann", "Ann Lee"], ()),
        ("Olga dropped Joanna.", ["Ann"], ()),
        ("Olga dropped Ann.", ["Ann", "Ann"], ()),
        ("Ann: table 3, Ann against Bob.", ["Ann"], (ONE, ": table 3, ", ONE, " against Bob.")),
        ("Olga dropped Table.", ["Table"], ()),
        ("Olga dropped Bob.", ["Ann", "Bob"], ()),
        ("Olga dropped Bob at table 3.", ["table", "Bob"], ()),
        ("Olga dropped Bob at table 3.", ["3", "Bob"], ()),
        ("Olga dropped Olga.", ["Olga"], ()),
        ("", ["Ann"], ()),
    ],
)
def test_only_a_sure_name_becomes_a_reference(sentence: str, names: list[str], parts: Any) -> None:
    assert refer(sentence, *names) == parts


def test_actor_whose_name_holds_that_of_a_player_stays() -> None:
    assert refer("Ann Lee dropped Bob.", "Ann", actor="Ann Lee") == ()


def test_name_of_an_earlier_bearer_is_not_taken_for_that_of_a_later_one() -> None:
    history = EventHistory()
    for pk, name in ((1, "Ann"), (1, "Zoe"), (2, "Ann")):
        history.apply([{"table": "player", "id": pk, "before": None, "after": {"name": name}}])
    line = ToldLine("player_dropped", "Olga dropped Ann.", "Olga", (), (1, 2))
    assert history.refer_to_players(line) == ()


def test_actor_of_a_report_is_its_player_and_of_other_steps_may_be_someone_else() -> None:
    history = EventHistory()
    history.apply([{"table": "player", "id": 1, "before": None, "after": {"name": "Ann"}}])
    report = {"table": "resultreport", "id": 5, "before": None, "after": {"player_id": 1}}
    history.apply([report])
    line = ToldLine("result_reported", "Ann reported table 3.", "Ann", [report])
    assert (history.find_author(line), history.refer_to_players(line)) == (1, (ONE, " reported table 3."))
    entered_line = ToldLine("result_entered", "Ann entered table 3.", "Ann", [], (1,))
    assert (history.find_author(entered_line), history.refer_to_players(entered_line)) == (None, ())
