"""What players must know before an event."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple


class Condition(NamedTuple):
    """Something that players must know before the event (G-05), with its clause.

    `params` are the numbers that an organizer may set; `basis` is "ours" where no document says it.
    """

    key: str
    rule: str
    clause: str
    words: str
    params: Mapping[str, object]
    basis: str = "stated"
    overlay: str | None = None

    def in_words(self) -> str:
        return self.words.format(**self.params)
