"""Parameters of log lines.

Rows become references, and a line is about the players and rounds among them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeAlias

from django.contrib.auth.models import AbstractBaseUser
from django.db.models import Model

from rules.reason import Param, Reason, Reference, iter_references
from tournament.events.models.event import Event
from tournament.events.models.player import Player
from tournament.events.models.round import Match, Round

LogParam: TypeAlias = "Param | Model | Sequence[Param | Model]"


# The name of a match with more than two sides.
POD_CODES = {"match": "match.pod", "match.heading": "match.heading.pod"}


def to_param(value: LogParam) -> Param:
    """Return a parameter as reasons carry it.

    Raises TypeError for a row that no message can name.
    """
    if isinstance(value, Model):
        return _to_reference(value)
    if isinstance(value, str):
        return str(value)
    if isinstance(value, Sequence) and not isinstance(value, Reason | Reference):
        return tuple(to_param(each) for each in value)
    return value


def _to_reference(row: Model) -> Param:
    if isinstance(row, Match):
        return describe_match(row)
    if isinstance(row, Round):
        return Reference("round", (row.stage.position, row.number))
    for model, kind in ((Player, "player"), (Event, "event"), (AbstractBaseUser, "user")):
        if isinstance(row, model):
            return Reference(kind, row.pk)
    raise TypeError(f"a message cannot name a row of {row._meta.label}")


def reference(row: Model) -> Reference:
    """Return what a reason inside another says of a row.

    Raises TypeError for a match or a row without a name.
    """
    param = _to_reference(row)
    if not isinstance(param, Reference):
        raise TypeError(f"{row._meta.label} is a reason, not a reference")
    return param


def describe_match(match: Match, code: str = "match") -> Reason:
    """Return a match by its table and players.

    The players may sit elsewhere later. `match.heading` begins a sentence.
    """
    if match.is_pod:
        players = tuple(Reference("player", side.player.pk) for side in match.sides)
        return Reason(POD_CODES[code], {"table": match.table, "players": players})
    params: dict[str, Param] = {
        "table": match.table,
        "p1": Reference("player", match.p1_id),
        "p2": Reference("player", match.p2_id) if match.p2_id else None,
    }
    return Reason(code, params)


def iter_subject_words(value: LogParam) -> Iterator[str]:
    """Yield the players and rounds in a parameter, as words of `LogEntry.about`."""
    if isinstance(value, Round):
        yield f"r{value.pk}"
    elif isinstance(value, Match):
        yield f"r{value.round_id}"
    for reference in iter_references(to_param(value)):
        if reference.kind == "player":
            yield f"p{reference.key}"
