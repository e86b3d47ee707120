"""An edition as plain data, and a digest that tells it from every other."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import date
from hashlib import sha256
from typing import Any

from rules import Edition


def as_data(edition: Edition) -> dict[str, Any]:
    """The edition as JSON can hold it; `rules.Edition.from_mapping` takes it back once the day is a date."""
    return {
        "game": edition.game,
        "kind": edition.kind,
        "number": edition.number,
        "name": edition.name,
        "document": edition.document,
        "clause": edition.clause,
        "versions": list(edition.versions),
        "in_force": edition.in_force.isoformat() if edition.in_force else None,
        "entries": [plain(entry) for entry in edition.entries],
    }


def plain(value: Any) -> Any:
    """A value of a data file as JSON can hold it: days become ISO text."""
    if isinstance(value, Mapping):
        return {str(key): plain(part) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return [plain(part) for part in value]
    return value.isoformat() if isinstance(value, date) else value


def digest(edition: Edition) -> str:
    """64 hexadecimal digits drawn from all that the edition says."""
    written = json.dumps(as_data(edition), sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return sha256(written.encode()).hexdigest()
