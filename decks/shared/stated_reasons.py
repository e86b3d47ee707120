"""Reasons as the API shows them.

They have code and parameters for programs, and a sentence for people.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from decks.shared.json_shapes import Published
from decks.shared.wording import format_reason, say_reason
from rules.reason import Reason, params_to_json
from rules.wording import Name


@dataclass(frozen=True, slots=True)
class StatedReason(Published):
    """A reason.

    Holds its code for programs, the facts of the case, and a sentence for people.
    """

    code: str
    params: Mapping[str, object]
    sentence: str


def state_reason(
    reason: Reason, shown_reason: Reason | None = None, names: Name | None = None, *, section: str = ""
) -> StatedReason:
    """Return a reason as the API shows it.

    `shown_reason` is the same with the references that others know, `names` says what they are called.
    `section` is that of its message, if it is not one of those for stored reasons.
    """
    code = reason.code.partition(".")[0]
    sentence = format_reason(section, reason, names) if section else say_reason(reason, names)
    return StatedReason(code, params_to_json((shown_reason or reason).params), sentence)
