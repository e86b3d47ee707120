"""Conversion of old sentences into reasons, and back.

The sentences were stored before there were reasons. A fixed sentence becomes its code; any other is kept word
for word.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypedDict

from decks.shared.wording import say_reason
from rules.reason import TOLD, Param, Reason, plain_reason, reasons_from_json
from tournament.log.changes import ChangeData, Values, convert_rows

CODES: Mapping[str, str] = {
    "The organizer gave this bye before the event.": "bye_given",
    "Staff gave this bye by hand.": "bye_by_hand",
    "Staff put these two together by hand.": "paired_by_hand",
    "The schedule puts them together.": "scheduled",
    "The other player has left the event.": "opponent_left",
    "Came after this round had begun: a loss, as the organizer said.": "round_missed.loss",
    "Came after this round had begun: a bye, as the organizer said.": "round_missed.bye",
    "Among the best finishers.": "qualified",
    "Best finisher left out; takes a place that no further character could fill.": "filled",
    "Has left the event: neither plays on nor blocks the character.": "dropped",
    "Does not want the place: neither plays on nor blocks the character.": "declined",
    "Is disqualified: neither plays on nor blocks the character.": "disqualified",
    "All places went to better finishers.": "no_place",
}
SENTENCES: Mapping[str, str] = {code: sentence for sentence, code in CODES.items()}


Convert = Callable[[Any], Any]
Column = tuple[str, str]


class ManualChange(TypedDict, total=False):
    """A change of the pairing by hand: for each table a sentence, or reasons."""

    why: dict[str, object]


class OldPairing(TypedDict, total=False):
    """The sentences that were stored with a round."""

    remarks: list[object]
    by_hand: list[ManualChange]


class OldDecision(TypedDict, total=False):
    """One place in the cut, as far as it had a sentence."""

    code: str
    reason: object


def upgrade_sentence(sentence: Any) -> list[dict[str, object]]:
    """Return the reasons for a sentence; none for an empty one."""
    if not sentence:
        return []
    code = CODES.get(sentence)
    return [(Reason(code) if code else plain_reason(str(sentence))).to_json()]


def downgrade_reasons(reasons: Any, longest: int = 300) -> str:
    """Return the sentence for reasons, with ids for the names of players."""
    return " ".join(_old_sentence(each) for each in reasons_from_json(reasons))[:longest]


def _old_sentence(reason: Reason) -> str:
    """Return the stored sentence of a code that had a fixed one.

    This also applies if its words have changed since.
    """
    fixed_sentence = None if reason.params else SENTENCES.get(reason.code)
    return fixed_sentence or say_reason(reason)


def upgrade_pairing(pairing: OldPairing) -> OldPairing:
    """Return what is kept with a round, with reasons for its remarks.

    The remarks of changes by hand have reasons as well.
    """
    return _convert_pairing(
        pairing, lambda remarks: [each for one in remarks for each in upgrade_sentence(one)], upgrade_sentence
    )


def downgrade_pairing(pairing: OldPairing) -> OldPairing:
    """Return the reverse of `upgrade_pairing`."""
    return _convert_pairing(
        pairing, lambda remarks: [downgrade_reasons([each]) for each in remarks], downgrade_reasons
    )


def _convert_pairing(pairing: OldPairing, remarks: Convert, why: Convert) -> OldPairing:
    converted_pairing: OldPairing = {**pairing}
    if "remarks" in pairing:
        converted_pairing["remarks"] = remarks(pairing["remarks"])
    if "by_hand" in pairing:
        converted_pairing["by_hand"] = [
            {**change, "why": {table: why(each) for table, each in change["why"].items()}}
            if "why" in change
            else change
            for change in pairing["by_hand"]
        ]
    return converted_pairing


def upgrade_selection(decisions: Iterable[OldDecision] | None) -> list[OldDecision]:
    """Return who is in the cut and why, with a reason for code and sentence."""
    return [_upgrade_decision({**row}) for row in decisions or ()]


def _upgrade_decision(row: OldDecision) -> OldDecision:
    code, sentence = row.pop("code"), str(row["reason"])
    params: dict[str, Param] = {} if CODES.get(sentence) == code else {TOLD: sentence}
    return {**row, "reason": Reason(code, params).to_json()}


def downgrade_selection(decisions: Iterable[OldDecision] | None) -> list[OldDecision]:
    """Return the reverse of `upgrade_selection`."""
    return [
        {
            **row,
            "code": Reason.from_json(row["reason"]).code.partition(".")[0],
            "reason": downgrade_reasons([row["reason"]]),
        }
        for row in decisions or ()
    ]


UPGRADES: Mapping[Column, tuple[str, Convert]] = {
    ("match", "why"): ("why", upgrade_sentence),
    ("round", "pairing"): ("pairing", upgrade_pairing),
    ("stage", "selection"): ("selection", upgrade_selection),
    ("timesettlement", "sentence"): ("reasons", upgrade_sentence),
}
DOWNGRADES: Mapping[Column, tuple[str, Convert]] = {
    ("match", "why"): ("why", downgrade_reasons),
    ("round", "pairing"): ("pairing", downgrade_pairing),
    ("stage", "selection"): ("selection", downgrade_selection),
    ("timesettlement", "reasons"): ("sentence", lambda reasons: downgrade_reasons(reasons, 600)),
}


def upgrade_changes(changes: Iterable[ChangeData]) -> list[ChangeData]:
    """Return the changes of a step, with reasons where rows had sentences."""
    return [_convert_change(change, UPGRADES) for change in changes]


def downgrade_changes(changes: Iterable[ChangeData]) -> list[ChangeData]:
    """Return the reverse of `upgrade_changes`."""
    return [_convert_change(change, DOWNGRADES) for change in changes]


def _convert_change(change: ChangeData, converters: Mapping[Column, tuple[str, Convert]]) -> ChangeData:
    columns = {name: new for (table, name), new in converters.items() if table == change["table"]}
    return convert_rows(change, lambda _, row: _convert_row(row, columns)) if columns else change


def _convert_row(row: Values, columns: Mapping[str, tuple[str, Convert]]) -> Values:
    converted_row = {}
    for name, value in row.items():
        new_name, convert = columns.get(name, (name, None))
        converted_row[new_name] = convert(value) if convert else value
    return converted_row
