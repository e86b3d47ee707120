"""An import plan as JSON: the preview before writing, the report after."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import NotRequired, TypeAlias, TypedDict

from decks.catalogue.importing.plan import CatalogueImportPlan, FactDifference
from decks.catalogue.importing.records import CardRecord
from decks.matching.reading import reasons_from_json
from decks.shared.wording import format_reason
from rules.reason import Param, Reason, reason

MOST_SHOWN = 300
MOST_PROBLEMS = 2_000
MOST_CONFLICTS = 5_000
"""Conflicts beyond this are decided all at once; a file with so many is of another catalogue."""

_LONGEST = 200
_UNSTORABLE = re.compile(r"[\0\ud800-\udfff]")


# A fact as it is stored: a text; None is unknown, an empty list is a list without values.
StoredValue: TypeAlias = str | bool | list[str] | None


class ConflictRow(TypedDict):
    """A difference as it is stored.

    A conflict of a report says whether the file won it.
    """

    token: str
    place: object
    key: str
    name: str
    fact: str
    stored: StoredValue
    incoming: StoredValue
    is_decidable: bool
    is_taken: NotRequired[bool]


class StoredPreview(TypedDict):
    """A plan as it is stored.

    A report also has the version of the catalogue that it made.
    """

    kind: str
    counts: dict[str, int]
    sets: list[dict[str, object]]
    new: list[dict[str, object]]
    changed: list[ConflictRow]
    removed: NotRequired[list[ConflictRow]]
    conflicts: list[ConflictRow]
    problems: list[dict[str, object]]
    notes: list[dict[str, object]]
    version: NotRequired[int]


def build_preview(plan: CatalogueImportPlan) -> StoredPreview:
    """Return what the plan would do.

    Figures cover everything, and rows cover as much as anyone looks at.
    """
    return {
        "kind": plan.kind,
        "counts": _counts(plan),
        "sets": _sets(plan),
        "new": [_new_row(each) for each in plan.new_cards[:MOST_SHOWN]],
        "changed": _differences(plan.changed_facts[:MOST_SHOWN]),
        "removed": _differences(plan.removed_facts),
        "conflicts": _differences(plan.conflicts[:MOST_CONFLICTS]),
        "problems": [
            {"place": _stored_reason(each.place), **_stored_reason(each.reason)}
            for each in plan.problems[:MOST_PROBLEMS]
        ],
        "notes": [_stored_reason(note) for note in plan.notes],
    }


# Earlier previews have the words.
KINDS = frozenset({"json", "lackey", "octgn_package", "tabletop", "octgn_set", "table"})


def _kind_in_words(kind: str) -> str:
    return format_reason("reason", reason("kind_of_catalogue", kind=kind)) if kind in KINDS else kind


def _stored_reason(why: Reason) -> dict[str, object]:
    return _clean_reason(why).to_json()


def _clean_reason(why: Reason) -> Reason:
    return Reason(why.code, {name: _clean_param(value) for name, value in why.params.items()})


def _clean_param(value: Param) -> Param:
    if isinstance(value, str):
        return clean_for_storage(value)
    return _clean_reason(value) if isinstance(value, Reason) else value


def preview_in_words(record: StoredPreview) -> dict[str, object]:
    """Return a stored preview or report with its messages in words.

    These are places, problems and notes. Older records have the words. The codes and params are beside them,
    under `kind_key`, `place_reason` and `note_reasons`.
    """
    if not record:
        return {}
    notes = reasons_from_json(record.get("notes", ()))
    return {
        **record,
        "kind": _kind_in_words(record.get("kind", "")),
        "kind_key": record.get("kind", ""),
        "new": [_place_in_words(each) for each in record.get("new", ())],
        "changed": [difference_in_words(each) for each in record.get("changed", ())],
        "removed": [difference_in_words(each) for each in record.get("removed", ())],
        "conflicts": [difference_in_words(each) for each in record.get("conflicts", ())],
        "problems": [_problem_in_words(each) for each in record.get("problems", ())],
        "notes": [format_reason("reason", note) for note in notes],
        "note_reasons": [note.to_json() for note in notes],
    }


def _place_in_words(row: Mapping[str, object]) -> dict[str, object]:
    place = row.get("place")
    if not isinstance(place, Mapping):
        return dict(row)
    return {**row, "place": format_reason("reason", Reason.from_json(place)), "place_reason": place}


def _problem_in_words(row: Mapping[str, object]) -> dict[str, object]:
    problem = _place_in_words(row)
    if "sentence" in problem:
        return {"params": {}, **problem}
    why = Reason.from_json({"code": problem["code"], "params": problem["params"]})
    code = why.code.partition(".")[0]
    return {**problem, "code": code, "sentence": format_reason("reason", why)}


def build_report(plan: CatalogueImportPlan) -> StoredPreview:
    """Return the same for a plan about to be carried out.

    The conflicts in which the file wins are marked.
    """
    taken_tokens = {difference.token for difference in plan.accepted_conflicts}
    report = build_preview(plan)
    for conflict in report["conflicts"]:
        conflict["is_taken"] = conflict["token"] in taken_tokens
    report["counts"]["taken"] = len(plan.accepted_conflicts)
    report["counts"]["kept"] = len(plan.conflicts) - len(plan.accepted_conflicts)
    return report


def _counts(plan: CatalogueImportPlan) -> dict[str, int]:
    return {
        "sets": len(plan.new_sets),
        "cards": sum(card.pk is None for card in plan.state.cards.values()),
        "printings": len(plan.new_cards),
        "facts": len(plan.changed_facts),
        "removed": len(plan.removed_facts),
        "conflicts": len(plan.conflicts),
        "undecidable": sum(not each.is_decidable for each in plan.conflicts),
        "unchanged": plan.unchanged_count,
        "problems": len(plan.problems),
    }


def _sets(plan: CatalogueImportPlan) -> list[dict[str, object]]:
    """Return the sets of which the file brings new printings, with how many."""
    printings_by_set = Counter(record.set_code for record in plan.new_cards)
    new = {each.code for each in plan.new_sets}
    names = {code: stored_set.name for code, stored_set in plan.state.sets.items()}
    return [
        {
            "code": clean_for_storage(code),
            "name": clean_for_storage(names.get(code, "")),
            "printings": count,
            "is_new": code in new,
        }
        for code, count in printings_by_set.items()
    ][:MOST_SHOWN]


def _new_row(record: CardRecord) -> dict[str, object]:
    place = f"{record.set_code} {record.number_as_printed}".strip()
    dots = record.card_facts.get("dots")
    name = f"{record.name} {'●' * dots}".strip() if isinstance(dots, int) else record.name
    return {
        "place": _stored_reason(record.place),
        "name": clean_for_storage(name),
        "printing": clean_for_storage(place),
    }


def _differences(differences: Sequence[FactDifference]) -> list[ConflictRow]:
    return [
        {
            "token": each.token,
            "place": _stored_reason(each.place),
            "key": clean_for_storage(each.key),
            "name": clean_for_storage(each.name),
            "fact": clean_for_storage(each.fact),
            "stored": _stored_value(each.stored_value),
            "incoming": _stored_value(each.incoming_value),
            "is_decidable": each.is_decidable,
        }
        for each in differences
    ]


def _stored_value(value: object) -> StoredValue:
    """Return a fact's value to be stored, on one line and not too long."""
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, list) and all(isinstance(each, str) for each in value):
        return clean_for_storage(", ".join(value)) if value else []
    return clean_for_storage(value if isinstance(value, str) else json.dumps(value, ensure_ascii=False))


def format_value(value: StoredValue) -> str:
    """Return a stored value for people; empty if it is unknown."""
    if value is None or isinstance(value, str):
        return value or ""
    return format_reason("reason", reason("fact_value", value=value if isinstance(value, bool) else None))


def difference_in_words(row: ConflictRow) -> dict[str, object]:
    """Return a stored difference with its place and values in words."""
    return {
        **_place_in_words(row),
        "stored": format_value(row["stored"]),
        "incoming": format_value(row["incoming"]),
    }


def clean_for_storage(text: str) -> str:
    """Return the text without what a database cannot store.

    It is cut to a length that fits on a page.
    """
    storable_text = _UNSTORABLE.sub("\ufffd", text)
    return storable_text if len(storable_text) <= _LONGEST else f"{storable_text[: _LONGEST - 1]}…"
