"""Lines that ask for a change of the pairings.

“x 3.2 4.2” swaps two players, “m 3 12” moves a match.
"""

from __future__ import annotations

import re
from urllib.parse import urlencode

from django.urls import reverse

from decks.shared.refusals import Refused
from tournament.events.models.round import Match, Round

SWAP_PATTERN = re.compile(
    r"^\s*x\s*(?P<one>\d{1,5})\s*[./]\s*(?P<side>[12])[\s,]+(?P<two>\d{1,5})\s*[./]\s*(?P<other>[12])\s*$",
    re.I,
)
MOVE_PATTERN = re.compile(r"^\s*m\s*(?P<table>\d{1,5})[\s,]+(?P<to>\d{1,5})\s*$", re.I)


def find_change_address(line: str, round_: Round) -> str | None:
    """Return the preview of the change that a line asks for; None for any other line.

    Raises Refused for a table without a match.
    """
    if swap := SWAP_PATTERN.match(line):
        one = _find_player(round_, int(swap["one"]), swap["side"])
        two = _find_player(round_, int(swap["two"]), swap["other"])
        return _make_address(round_, kind="swap", one=one, two=two)
    if move := MOVE_PATTERN.match(line):
        _find_match(round_, int(move["table"]))
        return _make_address(round_, kind="move", table=int(move["table"]), to=int(move["to"]))
    return None


def _find_match(round_: Round, table: int) -> Match:
    match = round_.matches.select_related("p1", "p2").filter(table=table).first()
    if match is None:
        raise Refused("no_such_table.in_round", table=table, round=round_.number)
    return match


def _find_player(round_: Round, table: int, side: str) -> int:
    match = _find_match(round_, table)
    player = match.p1 if side == "1" or match.p2 is None else match.p2
    return player.number


def _make_address(round_: Round, **values: str | int) -> str:
    place = [round_.stage.event.slug, round_.stage.position, round_.number]
    return f"{reverse('console_round_change', args=place)}?{urlencode(values)}#preview"
