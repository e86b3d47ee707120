"""Archives of every past format, which can be imported.

Each format has a golden archive.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from decks.shared.refusals import Refused
from tests.everyday import each_case, each_nth
from tests.scenarios.factories import organizer
from tests.scenarios.rollback import rolled_back
from tests.tournament.archive.test_archive import rich_event
from tests.tournament.archive.test_old_lines import COMMONEST
from tournament.archive.export import export_event
from tournament.archive.log_entries import list_row_ids
from tournament.archive.old_results import fold_log_params
from tournament.archive.restore import restore_event
from tournament.archive.upgrade import FORMAT_VERSION, UPGRADES
from tournament.log.services import undo_step

pytestmark = pytest.mark.django_db

FOLDER = Path(__file__).parents[2] / "golden" / "archives"
GOLDEN = sorted(FOLDER.glob("*.json"))


def golden(path: Path) -> dict[str, Any]:
    return json.loads(path.read_text(encoding="utf-8"))


@pytest.fixture
def new_shape() -> dict[str, set[str]]:
    """The shape of a new archive."""
    return shape(export_event(rich_event()))


# An archive of an early format goes through the upgrades of all later ones.
@each_case("path", each_nth(2, GOLDEN), around=rolled_back)
def test_archive_of_each_format_comes_in_whole_in_the_shape_of_a_new_one(
    path: Path, new_shape: dict[str, set[str]]
) -> None:
    document = golden(path)
    event = restore_event(json.dumps(document), organizer())
    assert event.players.count() == len(document["players"]) == 8
    assert [stage.rounds.count() for stage in event.stages.order_by("position")] == [3, 1]
    again = export_event(event)
    assert again["ringside_archive"] == FORMAT_VERSION
    assert shape(again) == new_shape
    players = event.players.in_bulk()
    names = {place: players[pk].name for place, pk in enumerate(list_row_ids(event)["player"], 1)}
    lines = list(zip(document["log"], again["log"], strict=False))
    assert len(again["log"]) == len(document["log"]) + 1
    assert [facts(new, names) for _, new in lines] == [
        facts(old, names) or facts(new, names) for old, new in lines
    ]


def facts(line: dict[str, Any], names: Mapping[int, str]) -> Any:
    """Return a line of an archived log in the current form.

    Returns None where it was a sentence that may have facts. Before format 4 each was a sentence.
    """
    params = line["params"] if "params" in line else {"told": line["sentence"]}
    if "told" not in params:
        return fold_log_params(params)
    if line["action"] in COMMONEST:
        return None
    told_parts = params["told"] if isinstance(params["told"], list) else [params["told"]]
    return "".join(each if isinstance(each, str) else names[each["player"]] for each in told_parts)


def shape(document: dict[str, Any]) -> dict[str, set[str]]:
    """Return the keys of the parts of a document."""
    stage = document["stages"][0]
    parts = {
        "document": document, "event": document["event"], "player": document["players"][0], "stage": stage,
        "round": stage["rounds"][0], "match": stage["rounds"][0]["matches"][0], "line": document["log"][0],
    }  # fmt: skip
    return {name: set(part) for name, part in parts.items()}


def test_event_of_the_first_format_starts_with_plain_settings() -> None:
    event = restore_event((FOLDER / "format-1-first.json").read_text(encoding="utf-8"), organizer())
    assert (event.entry_fee, event.team_size, event.first_table, event.plan) == ("", None, 1, [])
    assert sorted(event.players.values_list("folded_name", flat=True)) == [f"player{n}" for n in range(1, 9)]


def test_steps_of_the_last_archive_of_format_1_can_be_undone() -> None:
    event = restore_event((FOLDER / "format-1-last.json").read_text(encoding="utf-8"), organizer())
    undo_step(event.log.get(action="cut_made"), organizer())
    assert event.stages.count() == 1


def test_event_of_an_earlier_format_speaks_english() -> None:
    event = restore_event((FOLDER / "format-6.json").read_text(encoding="utf-8"), organizer())
    assert event.language == "en"


@each_case("version", [0, -1, FORMAT_VERSION + 1, "1", 1.0, None, True, [1]], around=rolled_back)
def test_format_that_is_not_known_is_refused(version: object) -> None:
    with pytest.raises(Refused) as excinfo:
        restore_event(json.dumps({"ringside_archive": version}), organizer())
    assert excinfo.value.code == "archive_version_unknown"


def test_every_format_but_the_newest_has_an_upgrade_and_a_golden_archive() -> None:
    assert len(UPGRADES) == FORMAT_VERSION - 1
    assert {golden(path)["ringside_archive"] for path in GOLDEN} == set(range(1, FORMAT_VERSION + 1))
