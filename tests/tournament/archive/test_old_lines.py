"""Log lines that were stored as sentences get facts where these say the same; all others keep their
sentence.
"""

from __future__ import annotations

from collections import Counter
from importlib import import_module
from pathlib import Path

import pytest
from django.apps import apps

from tests.everyday import each_case
from tests.scenarios.factories import organizer
from tests.scenarios.log_words import all_words
from tests.scenarios.rollback import rolled_back
from tournament.archive.restore import restore_event
from tournament.events.models.event import Event
from tournament.log.models import LogEntry
from tournament.log.services import undo_step

pytestmark = pytest.mark.django_db

FOLDER = Path(__file__).parents[2] / "golden" / "archives"
COMMONEST = {"round_paired", "round_published", "round_finished", "player_added", "result_entered"}


def restore(name: str) -> Event:
    return restore_event((FOLDER / f"{name}.json").read_text(encoding="utf-8"), organizer())


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
