"""Results from before `details`.

Rows and log of a database and of an archive are still read.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.scenarios.factories import open_matches, organizer, publish_next, started_event
from tests.scenarios.migrations import migrate, migrate_to_newest
from tournament.archive.export import export_event
from tournament.archive.old_results import ChangeFolder, fold_log_params, unfold_change
from tournament.archive.restore import restore_event
from tournament.archive.upgrade import upgrade_archive
from tournament.events.models.match_result import EMPTY_RESULT, MatchResult
from tournament.events.models.round import Match
from tournament.log.models import LogEntry
from tournament.log.services import undo_step
from tournament.results.services import results

pytestmark = pytest.mark.both_databases

GOLDEN = Path(__file__).parents[2] / "golden" / "archives" / "format-2-head-shots.json"
BEFORE = ("tournament", "0019_reasons")
NEW = {"outcome": "p1", "quickenings": 3}
EMPTY = {"outcome": "", "quickenings": None}


def row(before: Any, after: Any, pk: int = 7) -> dict[str, Any]:
    return {"table": "match", "id": pk, "before": before, "after": after}


def test_fold_of_one_column_knows_the_other_from_the_changes_before() -> None:
    folder = ChangeFolder()
    changes = [
        row(EMPTY, NEW),
        row({"quickenings_declined": False}, {"quickenings_declined": True}),
        row({"quickenings_declined": False}, {"quickenings_declined": True}, pk=8),
        row(
            {"quickenings": 3, "quickenings_declined": True},
            {"quickenings": None, "quickenings_declined": False},
        ),
    ]
    folded_text = [folder.fold(change) for change in changes]
    assert [(change["before"]["details"], change["after"]["details"]) for change in folded_text] == [
        ({}, {"quickenings": 3}),
        ({"quickenings": 3}, {"quickenings": 3, "quickenings_declined": True}),
        ({}, {"quickenings_declined": True}),
        ({"quickenings": 3, "quickenings_declined": True}, {}),
    ]


@pytest.mark.parametrize(
    "change",
    [
        row(None, {"id": 7, "outcome": "", "quickenings": None, "quickenings_declined": False}),
        row({"id": 7, "quickenings": 2, "quickenings_declined": True}, None),
        row({"outcome": ""}, {"outcome": "p1"}),
        {"table": "round", "id": 1, "before": None, "after": {"id": 1}},
        {"table": "match", "columns": ["id", "quickenings", "quickenings_declined", "table"],
         "created": [[7, None, False, 1], [8, 4, False, 2]]},
        {"table": "match", "columns": ["quickenings", "quickenings_declined"], "ids": [7, 8],
         "before": [[None, False], [1, True]], "after": [[2, False], [None, False]]},
        {"table": "match", "columns": ["id", "table"], "deleted": []},
    ],
)  # fmt: skip
def test_change_that_is_folded_and_unfolded_is_as_it_was(change: dict[str, Any]) -> None:
    assert without_column_order(unfold_change(ChangeFolder().fold(change))) == without_column_order(change)


def without_column_order(change: Any) -> Any:
    """Return a change without the order of its columns."""
    sides = change.keys() & {"created", "deleted", "before", "after"} if "columns" in change else ()
    rows = {side: [dict(zip(change["columns"], row, strict=True)) for row in change[side]] for side in sides}
    return {**change, **rows, "columns": sorted(change.get("columns", ()))}


@pytest.mark.parametrize(
    ("old", "details"),
    [
        ({"quickenings": 0, "declined": False}, []),
        ({"quickenings": 3, "declined": False}, [("result_detail", 3)]),
        ({"quickenings": 1, "declined": True}, [("result_detail", 1), ("result_detail.yes", None)]),
        ({"has_details": False, "details": []}, []),
    ],
)
def test_result_in_a_line_of_the_log_says_its_details(old: dict[str, Any], details: list[Any]) -> None:
    line = {"match": 1, "result": {"code": "result", "params": {"score": "1-0", **old}}}
    folded_text = fold_log_params(line)["result"]["params"]
    assert folded_text.keys() == {"score", "has_details", "details"}
    assert folded_text["has_details"] == bool(details)
    assert [(each["code"], each["params"].get("number")) for each in folded_text["details"]] == details


def test_reports_of_before_had_no_details() -> None:
    change = {"table": "resultreport", "id": 1, "before": None, "after": {"id": 1, "details": {"pearls": 1}}}
    assert unfold_change(change)["after"] == {"id": 1}


def test_upgraded_archive_keeps_what_changed_hands_in_matches_and_log() -> None:
    document = upgrade_archive(json.loads(GOLDEN.read_text(encoding="utf-8")))
    matches = [match for stage in document["stages"] for r in stage["rounds"] for match in r["matches"]]
    assert [match["details"] for match in matches[:2]] == [
        {"quickenings": 2, "quickenings_declined": True},
        {"quickenings": 2},
    ]
    assert not any("quickenings" in match for match in matches)
    assert '"quickenings_declined"' not in json.dumps([line["changes"] for line in document["log"]]).replace(
        '"quickenings_declined": true', ""
    )


@pytest.mark.django_db
def test_steps_of_an_upgraded_archive_can_be_undone() -> None:
    event = restore_event(GOLDEN.read_text(encoding="utf-8"), organizer())
    step = event.log.filter(action="result_entered").first()
    assert step is not None
    undo_step(step, organizer())
    reopened = Match.objects.filter(round__stage__event=event, outcome="")
    assert [MatchResult.of(match) for match in reopened] == [EMPTY_RESULT, EMPTY_RESULT]


@pytest.fixture
def migrations() -> Iterator[None]:
    """The tables can be moved back and forth; afterwards they are as they are."""
    yield
    migrate_to_newest()


@pytest.mark.whole("a migration that is out changes no more; all run forward in each test run")
@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("migrations")
def test_migration_moves_results_and_log_there_and_back() -> None:
    event = started_event(4, game="highlander", format="standard", rules_version="1.7",
                          match_form="one_game_30min")  # fmt: skip
    one, two = open_matches(publish_next(event))
    details = {"quickenings": 3, "quickenings_declined": True}
    results.enter_result(one, organizer(), p1_games=1, ending="head_shot", details=details)
    results.report_result(two, two.p1, p1_games=1)
    exported_events = export_event(event), list(LogEntry.objects.order_by("pk").values_list("pk", "changes"))

    old = migrate(*BEFORE).get_model("tournament", "Match").objects
    assert old.values_list("quickenings", "quickenings_declined").get(pk=one.pk) == (3, True)
    assert old.values_list("quickenings", "quickenings_declined").get(pk=two.pk) == (None, False)
    changes = [each for row in LogEntry.objects.values_list("changes", flat=True) for each in row]
    of_results = [each for each in changes if each["table"] in ("match", "resultreport")]
    assert of_results
    assert '"details"' not in json.dumps(of_results)

    migrate_to_newest()
    assert export_event(event)["stages"] == exported_events[0]["stages"]
    step = event.log.get(action="result_entered")
    undo_step(step, organizer())
    assert MatchResult.of(Match.objects.get(pk=one.pk)) == EMPTY_RESULT
