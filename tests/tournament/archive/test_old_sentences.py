"""Sentences that were stored before reasons.

Known ones become codes, and all others stay word for word.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.reason import Reason, reasons_from_json
from tests.scenarios.migrations import migrate, migrate_to_newest
from tournament.archive import old_sentences as sentences

pytestmark = pytest.mark.both_databases

LOT = "Both have 3 points and have not met; the lot drew them together."
DECISION = {"player": 4, "rank": 1, "in": True, "code": "qualified", "clause": "100.5.1"}


@pytest.mark.parametrize("sentence", sentences.CODES)
def test_fixed_sentence_becomes_its_code_and_says_the_same(sentence: str) -> None:
    reasons = sentences.upgrade_sentence(sentence)
    assert reasons == [{"code": sentences.CODES[sentence], "params": {}}]
    assert sentences.downgrade_reasons(reasons) == sentence


@given(st.text(max_size=300))
def test_any_sentence_goes_there_and_back(sentence: str) -> None:
    reasons = sentences.upgrade_sentence(sentence)
    reasons_from_json(reasons)
    assert sentences.downgrade_reasons(reasons) == sentence


def test_other_sentence_is_kept_word_for_word() -> None:
    assert sentences.upgrade_sentence(LOT) == [{"code": "told", "params": {"told": LOT}}]


def test_decision_of_the_cut_keeps_its_code() -> None:
    rows = [
        {**DECISION, "reason": sentences.SENTENCES["qualified"]},
        {**DECISION, "reason": "Best finisher with Ken."},
    ]
    upgraded = sentences.upgrade_selection(rows)
    assert [row["reason"] for row in upgraded] == [
        {"code": "qualified", "params": {}},
        {"code": "qualified", "params": {"told": "Best finisher with Ken."}},
    ]
    assert all("code" not in row for row in upgraded)
    assert sentences.downgrade_selection(upgraded) == rows


CHANGES: list[dict[str, Any]] = [
    {"table": "match", "id": 1, "before": None, "after": {"why": LOT, "table": 3}},
    {"table": "match", "columns": ["id", "why"], "created": [[1, LOT], [2, ""]]},
    {"table": "match", "columns": ["why"], "ids": [1], "before": [[""]], "after": [[LOT]]},
    {
        "table": "round",
        "id": 1,
        "before": {"pairing": {"remarks": [LOT], "by_hand": [{"move": "swap", "why": {"1": LOT}}]}},
        "after": {"pairing": {"attempt": 1, "by_hand": [{"move": "field"}]}},
    },
    {"table": "stage", "id": 1, "before": None, "after": {"selection": [{**DECISION, "reason": LOT}]}},
    {"table": "timesettlement", "id": 1, "before": None, "after": {"sentence": LOT, "result": "p1"}},
    {"table": "player", "id": 1, "before": {"name": "why"}, "after": {"name": "sentence"}},
]


@pytest.mark.parametrize("change", CHANGES, ids=lambda change: change["table"])
def test_logged_change_goes_there_and_back(change: dict[str, Any]) -> None:
    upgraded = sentences.upgrade_changes([change])
    assert (upgraded == [change]) == (change["table"] == "player")
    assert sentences.downgrade_changes(upgraded) == [change]


def test_settlement_in_the_log_has_reasons_in_the_place_of_its_sentence() -> None:
    [change] = sentences.upgrade_changes([CHANGES[5]])
    assert change["after"] == {"result": "p1", "reasons": sentences.upgrade_sentence(LOT)}


# -- the migration

BEFORE = ("tournament", "0018_log_facts")


@pytest.fixture
def old_tables() -> Iterator[Any]:
    """The tables as they were, and afterwards as they are."""
    yield migrate(*BEFORE)
    migrate_to_newest()


@pytest.mark.whole("a migration that is out changes no more; all run forward in each test run")
@pytest.mark.django_db(transaction=True)
def test_rows_from_before_say_what_they_said(old_tables: Any) -> None:
    rows = make_old_rows(old_tables)
    apps = migrate("tournament", "0019_reasons")
    match, settlement, round_, stage, entry = (
        apps.get_model("tournament", name).objects.get(pk=pk) for name, pk in rows.items()
    )
    assert reasons_from_json(match.why) == (Reason("paired_by_hand"),)
    assert settlement.reasons == sentences.upgrade_sentence(LOT)
    assert round_.pairing == {"attempt": 1, "remarks": sentences.upgrade_sentence(LOT)}
    assert stage.selection[0]["reason"] == {"code": "qualified", "params": {"told": LOT}}
    assert entry.changes[0]["after"]["why"] == sentences.upgrade_sentence(LOT)
    old = migrate(*BEFORE)
    back = {name: old.get_model("tournament", name).objects.get(pk=pk) for name, pk in rows.items()}
    assert back["Match"].why == "Staff put these two together by hand."
    assert back["TimeSettlement"].sentence == LOT
    assert back["Round"].pairing == {"attempt": 1, "remarks": [LOT]}
    assert back["Stage"].selection == [{**DECISION, "reason": LOT}]
    assert back["LogEntry"].changes == [CHANGES[0]]


def make_old_rows(apps: Any) -> dict[str, int]:
    """Return one row of each kind that holds sentences."""
    moment = "2026-05-02T09:00:00+00:00"

    def create(model: str, /, **values: Any) -> Any:
        return apps.get_model("tournament", model).objects.create(**values)

    event = create(
        "Event", name="Open", slug="open", starts_at=moment, game="ufs", format="constructed",
        rules_version="1.9", match_form="best_of_3_50min", round_minutes=50, seed=1,
    )  # fmt: skip
    one, two = (
        create("Player", event=event, number=number, name=name, lot=number, token=name, registered_at=moment)
        for number, name in enumerate(("Ada", "Ben"), 1)
    )
    stage = create("Stage", event=event, position=1, kind="swiss", selection=[{**DECISION, "reason": LOT}])
    round_ = create(
        "Round", stage=stage, number=1, seed=1, paired_at=moment, pairing={"attempt": 1, "remarks": [LOT]}
    )
    match = create(
        "Match", round=round_, table=1, p1=one, p2=two, why="Staff put these two together by hand."
    )
    settlement = create("TimeSettlement", match=match, result="p1", sentence=LOT, settled_at=moment)
    entry = create(
        "LogEntry", event=event, actor="Olga", action="round_paired", params={"told": "x"}, at=moment,
        changes=[CHANGES[0]],
    )  # fmt: skip
    rows = (match, settlement, round_, stage, entry)
    return {type(row).__name__: row.pk for row in rows}
