"""English texts that Ringside kept in rows before they were codes.

They occur in archives and in the database.
"""

from __future__ import annotations

import json
from importlib import import_module
from typing import Any

import pytest
from django.apps import apps

from tests.scenarios.factories import open_matches, organizer, publish_next, started_event
from tests.scenarios.log_words import all_words
from tournament.access.permissions import Actor
from tournament.archive.export import export_event
from tournament.archive.old_texts import OLD_TEXTS
from tournament.archive.restore import restore_event
from tournament.events.models.event import Event
from tournament.judging.models import JudgeCall
from tournament.judging.services import calls
from tournament.log.services import undo_step
from tournament.results.services import results
from tournament.shared import coded_texts

pytestmark = pytest.mark.both_databases

CODES = {code: text for text, code in OLD_TEXTS.items()}


@pytest.fixture
def event(db: None) -> Event:
    """Return an event with two reports that agree, a drop and a canceled call.

    The drop comes from a slip, and the call was canceled by its player.
    """
    event = started_event(4)
    first, second = open_matches(publish_next(event))
    for player in (first.p1, first.p2):
        results.report_result(first, player, p1_games=2, p2_games=0)
    results.enter_result(second, organizer(), p1_games=2, p2_games=1, drop=["p2"])
    call = calls.call_judge(first.p1, Actor.of_player(first.p1))
    calls.resolve_call(call, Actor.of_player(first.p1))
    return event


def with_texts(value: Any) -> Any:
    """Return JSON in which each code is the text of earlier versions."""
    if isinstance(value, dict):
        return {name: with_texts(each) for name, each in value.items()}
    if isinstance(value, list):
        return [with_texts(each) for each in value]
    return CODES.get(value, value) if isinstance(value, str) else value


def write_old_texts(event: Event) -> None:
    """Write rows and log as an earlier version kept them."""
    import_module("tournament.migrations.0036_coded_texts").write_texts(apps, None)
    for call in JudgeCall.objects.select_related("player"):
        JudgeCall.objects.filter(pk=call.pk).update(closed_by=call.player.name)
    for entry in event.log.all():
        text = CODES[coded_texts.ON_SLIP] if entry.variant == "on_slip" else entry.reason
        variant = "" if entry.variant == "on_slip" else entry.variant
        event.log.filter(pk=entry.pk).update(changes=with_texts(entry.changes), reason=text, variant=variant)


def facts(event: Event) -> dict[str, Any]:
    document = export_event(event)
    return {name: document[name] for name in ("players", "stages", "judge_calls", "log")}


def test_rows_and_log_of_earlier_versions_get_codes(event: Event) -> None:
    before, lines = facts(event), all_words(event.log.all())
    write_old_texts(event)
    assert facts(event) != before
    import_module("tournament.migrations.0036_coded_texts").write_codes(apps, None)
    assert (facts(event), all_words(event.log.all())) == (before, lines)


def test_archive_of_the_format_before_comes_in_with_codes(event: Event) -> None:
    expected_result = facts(event)
    write_old_texts(event)
    document = {**export_event(event), "ringside_archive": 12}
    for stage in document["stages"]:
        for match in (each for round_ in stage["rounds"] for each in round_["matches"]):
            match["settlement"] = next(iter(match.pop("settlements")), None)
    back = restore_event(json.dumps(document), organizer())
    again = facts(back)
    assert json.loads(json.dumps(again["stages"])) == json.loads(json.dumps(expected_result["stages"]))
    assert [call["closed_by"] for call in again["judge_calls"]] == [coded_texts.BY_PLAYER]
    assert {player["drop_reason"] for player in again["players"]} == {"", coded_texts.ON_SLIP}
    assert [line["variant"] for line in again["log"] if line["action"] == "player_dropped"] == ["on_slip"]
    undo_step(back.log.filter(action="result_entered").latest("pk"), organizer())
    assert set(back.players.values_list("drop_reason", flat=True)) == {""}
