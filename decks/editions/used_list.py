"""From decks.checked."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, Literal


@dataclass(frozen=True, slots=True)
class UsedList:
    """A dated list that a verdict rests on. `in_force` is an ISO day, empty for always.

    `source` tells whether it ships with the rules or was published here; `digest` is drawn from its content.
    """

    kind: str
    number: int
    name: str
    document: str
    in_force: str
    source: Literal["shipped", "published"]
    digest: str

    def to_json(self) -> dict[str, Any]:
        return asdict(self)
