"""The API's description, held against the code."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client
from rest_framework.serializers import Serializer

from tests.fixtures.api_answers import description

OURS = ("decks", "tournament")
pytestmark = pytest.mark.django_db


def test_description_is_valid_openapi_3_and_made_without_a_warning(tmp_path: Path) -> None:
    call_command(
        "spectacular", "--validate", "--fail-on-warn", "--format=openapi-json", file=tmp_path / "api"
    )
    schema = json.loads((tmp_path / "api").read_text("utf-8"))
    assert schema["openapi"].startswith("3.")


def test_no_two_components_have_one_name() -> None:
    names = Counter(each.__name__ for each in set(subclasses(Serializer)) if each.__module__.startswith(OURS))
    assert [name for name, times in names.items() if times > 1] == []


# Names, texts of people, text of files and figures: nothing that Ringside words.
DATA = """
    actor asked_by best character checked_by clause club content csv digest document drafted_by drawn_by
    email entry_fee exact file_name finished_by finished_by_name formula given_by hall heading in_cut
    leagues link name new_names note notes of original_text owner p1_name p2_name place places points
    pool_text printings question reason ruled_by ruling said_by samples score sent_by_name share
    short_hash shown source source_text started_by submitted_by taken_by team text title token url value
    win_rate words working
"""
# Codes, keys and slugs.
KEYS = """
    action actor_code alternatives answer card card_key cards changed closed_by_code code coming decided_by
    drop_reason_code ending event events follows_from format game how in_force key kind left mark match_form
    may_be number outcome overlay phase plan printing_key read_as result rule rules rules_version seat set
    severity sheet slug source_format stage_kind standings_system stands status submitted_by_code target
    time_zone type uncounted variant version versions way zone
"""
# What Ringside says in words, with the field beside it that says the same to programs.
LABELS = {
    "Call.closed_by": "closed_by_code",
    "ChangedPlayer.drop_reason": "drop_reason_code",
    "CheckAnswer.notices": "notice_reasons",
    "CheckAnswer.problems": "problem_reasons",
    "Cost.best": "key",
    "Cost.now": "key",
    "Cost.words": "key",
    "DeclaredChange.after": "key",
    "DeclaredChange.before": "key",
    "DeclaredChange.what": "key",
    "FixShape.sentence": "reasons",
    "FoundShape.label": "key",
    "Formula.formula": "key",
    "Group.name": "group",
    "ImportShape.error": "problems",
    "LeagueLine.actor": "actor_code",
    "LineShape.notes": "reasons",
    "LogEntry.actor": "actor_code",
    "LogEntry.sentence": "action",
    "Match.how_it_ended": "ending",
    "MissingFactShape.fact": "code",
    "OfferedAnswerShape.words": "answer",
    "OpenZone.words": "zone",
    "Player.drop_reason": "drop_reason_code",
    "PlayerReport.says": "p1_games",
    "PublicMatch.how_it_ended": "ending",
    "Ranked.stage": "stage_kind",
    "RecheckRow.cause": "causes",
    "RuleFindingShape.message": "reasons",
    "Sheet.name": "key",
    "Sheet.says": "key",
    "SheetJob.error": "problems",
    "SuggestionShape.label": "card_key",
    "TableChange.after": "players_after",
    "TableChange.before": "players_before",
    "VerdictShape.editions": "edition_reasons",
    "Version.submitted_by": "submitted_by_code",
    "Worked.formula": "key",
    "WouldBreakShape.error": "problems",
}
# Of a coded reason, beside code and parameters.
CODED = {"code", "sentence", "fix", "field"}


# Reasons under names that are data elsewhere.
STATED = {
    "AddedPlayer.draft_changes", "ChangedRound.tell", "ChangePreview.removed", "Consequences.after",
    "Consequences.before", "Consequences.falls", "Consequences.tables", "ConsequencesShape.unaffected",
    "DayShape.note", "FindingShape.reasons", "Notice.after", "Notice.before", "Plan.notes", "PlanShape.note",
    "PlanShape.sentences", "Planned.changes", "ProgressShape.progress", "Proposal.proof", "Sheet.lacks",
    "SheetJob.progress", "Term.note", "WouldBreakShape.progress",
}  # fmt: skip


def list_answer_shapes() -> dict[str, dict[str, Any]]:
    """Return the fields of each component that an answer holds."""
    whole = description()
    shapes = whole["components"]["schemas"]
    operations = [
        each for path in whole["paths"].values() for each in path.values() if isinstance(each, dict)
    ]
    open_names = [name for each in operations for name in iterate_names(each.get("responses", {}))]
    names: set[str] = set()
    while open_names:
        if (name := open_names.pop()) not in names:
            names.add(name)
            open_names += iterate_names(shapes[name])
    return {name: shapes[name].get("properties", {}) for name in sorted(names)}


def iterate_names(part: Any) -> Iterator[str]:
    """Yield the names of the components that a part of the description refers to."""
    if isinstance(part, dict):
        yield from (part["$ref"].rpartition("/")[2],) if "$ref" in part else ()
        part = list(part.values())
    if isinstance(part, list):
        yield from (name for each in part for name in iterate_names(each))


def is_free_text(field: dict[str, Any]) -> bool:
    """Return whether a field holds any text, or texts: no choice, date or address."""
    inner = field.get("items", field)
    return inner.get("type") == "string" and not {"enum", "format"} & inner.keys()


def test_each_text_of_answers_is_data_or_a_key_or_has_its_code_beside_it() -> None:
    plain = {*DATA.split(), *KEYS.split()}
    shapes = list_answer_shapes()
    texts = [
        f"{name}.{part}"
        for name, fields in shapes.items()
        for part, field in fields.items()
        if is_free_text(field) and not (part in CODED and {"code", "params", "sentence"} <= fields.keys())
    ]
    bare = [text for text in texts if text not in LABELS and text.rpartition(".")[2] not in plain]
    assert bare == [], "Give each a code: decks.shared.stated_reasons, or a key in a field beside it."
    assert [text for text in LABELS if text not in texts] == []
    assert [text for text, beside in LABELS.items() if beside not in shapes[text.partition(".")[0]]] == []


def test_reasons_of_answers_have_codes_and_parameters() -> None:
    """Texts that are read as data by their name would hide a sentence."""
    shapes = list_answer_shapes()
    reasons = [
        shapes[name] for name in ("EntryChangeShape", "Problem", "Proposal", "StatedReason", "Warning")
    ]
    assert all({"code", "params", "sentence"} <= fields.keys() for fields in reasons)
    reason_fields = {
        f"{name}.{part}"
        for name, fields in shapes.items()
        for part, field in fields.items()
        if "StatedReason" in iterate_names(field)
    }
    assert reason_fields >= STATED


def subclasses(cls: type[Any]) -> Iterator[type[Any]]:
    """Yield all classes that are made from one."""
    for each in cls.__subclasses__():
        yield each
        yield from subclasses(each)


def test_every_operation_has_a_summary_and_a_name_of_its_own() -> None:
    operations = [
        op for path in description()["paths"].values() for op in path.values() if isinstance(op, dict)
    ]
    names = [operation["operationId"] for operation in operations]
    assert len(names) == len(set(names))
    assert [op["operationId"] for op in operations if not op.get("summary")] == []


def test_description_is_served_where_the_contract_says(client: Client) -> None:
    answer = client.get("/api/schema/", headers={"accept": "application/json"})
    assert answer.status_code == 200
    assert answer.json()["info"]["title"] == "Ringside"
