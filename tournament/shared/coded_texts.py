"""Texts of rows that people write, or that Ringside gives and keeps as codes.

The columns say who wrote a row (a name of an account; a player's is not kept, it may be corrected), and why a
player dropped. No text of people begins with the sign of a code.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from django.utils.translation import gettext_lazy

if TYPE_CHECKING:
    from django.utils.functional import _StrOrPromise as StrOrPromise

SIGN = "@"
BY_PLAYER = "@player"
BY_BOTH_PLAYERS = "@players"
BY_VISITOR = "@visitor"
DISQUALIFIED = "@disqualified"
NOT_CHECKED_IN = "@not_checked_in"
ON_SLIP = "@on_slip"

LABELS: Mapping[str, StrOrPromise] = {
    BY_PLAYER: gettext_lazy("the player"),
    BY_BOTH_PLAYERS: gettext_lazy("both players"),
    BY_VISITOR: gettext_lazy("A visitor"),
    DISQUALIFIED: gettext_lazy("Disqualified"),
    NOT_CHECKED_IN: gettext_lazy("Not checked in"),
    ON_SLIP: gettext_lazy("marked on the match slip"),
}
# The column that keeps such a text, by table.
CODED_COLUMNS: Mapping[str, str] = {
    "deckversion": "submitted_by",
    "judgecall": "closed_by",
    "match": "result_by",
    "player": "drop_reason",
    "timesettlement": "settled_by",
}


def strip_sign(text: str) -> str:
    """Return a text of people as a row keeps it."""
    return text.lstrip(SIGN)


def find_text_code(text: str) -> str:
    """Return the code that a row keeps in place of a text, without its sign.

    It is empty for a text written by people.
    """
    return text.removeprefix(SIGN) if text in LABELS else ""


def format_coded_text(text: str) -> str:
    """Return a text written by people, or what a code stands for.

    The code is put into the reader's language.
    """
    return str(LABELS.get(text, text))
