"""Results of tables with more than two sides.

The module has what a typed line says, and which places are possible.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from decks.shared.refusals import Refused
from rules.sides import LAST_STANDING, Sides
from tournament.engine.pods.results import are_places

POD_LINE = re.compile(r"^\s*(?P<table>\d{1,5})[\s:.,]+(?P<rest>\S.*)$")
LEVEL_SIDES = re.compile(r"^\d{1,2}(=\d{1,2})*$")
DROP = re.compile(r"^d(?P<side>\d{1,2})$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class ParsedPlaces:
    """The places of all sides in their order, and the numbers of the sides that drop."""

    places: tuple[int, ...]
    drop: tuple[int, ...] = ()


def read_table(line: str) -> int | None:
    """Return the table that a line names; None if it names none."""
    match = POD_LINE.match(line)
    return int(match["table"]) if match else None


def parse_places(line: str, count: int, sides: Sides) -> ParsedPlaces:
    """Read “12 3” (side 3 won) or “12 3 1 2” (all sides, best first).

    “1=3” means that they are level, “d2” drops a side. Raises Refused for sides that are not there, for one
    named twice, and for an order that is not whole.
    """
    match = POD_LINE.match(line)
    words = re.split(r"[\s,;]+", match["rest"].strip()) if match else []
    drop = [int(drop_match["side"]) for word in words if (drop_match := DROP.match(word))]
    groups = [word for word in words if not DROP.match(word)]
    if not groups or not all(map(LEVEL_SIDES.match, groups)):
        raise Refused(
            "places_unreadable", field="line", line=line.strip()[:40], example=give_places_example(sides)
        )
    order = [[int(number) for number in group.split("=")] for group in groups]
    named_sides = [number for group in order for number in group]
    _refuse_wrong_sides([*named_sides, *drop], named_sides, count)
    return ParsedPlaces(rank_sides(order, count, sides), tuple(dict.fromkeys(drop)))


def give_places_example(sides: Sides) -> str:
    """Return a line that enters a result."""
    return "12 3" if sides.ends == LAST_STANDING else "12 3 1 2"


def _refuse_wrong_sides(every: Sequence[int], named_sides: Sequence[int], count: int) -> None:
    strange = [number for number in every if not 1 <= number <= count]
    if strange:
        raise Refused("side_not_there", field="line", side=strange[0], count=count)
    twice = [number for number in named_sides if named_sides.count(number) > 1]
    if twice:
        raise Refused("side_twice", field="line", side=twice[0])


def rank_sides(order: Sequence[Sequence[int]], count: int, sides: Sides) -> tuple[int, ...]:
    """Return the place of each side, from groups of level sides, best first.

    Raises Refused.
    """
    named_sides = [number for group in order for number in group]
    rest = [number for number in range(1, count + 1) if number not in named_sides]
    if sides.ends == LAST_STANDING and len(order) > 1:
        raise Refused("only_winner_counts", field="line")
    if sides.ends != LAST_STANDING and len(rest) > 1:
        raise Refused("places_missing", field="line", count=len(rest))
    places = dict[int, int]()
    for group in [*order, rest]:
        place = len(places) + 1
        places.update(dict.fromkeys(group, place))
    return tuple(places[number] for number in range(1, count + 1))


def find_places_problems(places: Sequence[int], count: int, sides: Sides) -> Iterator[Refused]:
    """Yield the objections to these places at a table of a given number of sides."""
    if len(places) != count or not are_places(places):
        yield Refused(
            "places_impossible", field="places", written=", ".join(map(str, places))[:60], count=count
        )
    elif sides.ends == LAST_STANDING and len(set(places)) > WINNERS_AND_OTHERS:
        yield Refused("only_winner_counts", field="places")


WINNERS_AND_OTHERS = 2
