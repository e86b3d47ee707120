"""What a reader of catalogue files returns: records as written, before anything is made of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from decks.cataloguing.describe import Problem, Record


@dataclass(slots=True)
class Content:
    """Records in the order of the file. `game` of None: the file does not say."""

    game: str | None = None
    records: list[Record] = field(default_factory=list)
    sets: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)
