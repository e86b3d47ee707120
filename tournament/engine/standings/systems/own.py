"""An organizer's own system: data of the shape of the shipped files, fit to be shown and printed."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any

from rules.quoting import in_short
from tournament.engine.problems import EngineError, Problem, refuse
from tournament.engine.records import Score
from tournament.engine.standings.systems.loading import exact_number, system_from
from tournament.engine.standings.systems.system import System

OWN = "own"
TITLE = "The organizer's own system"
SOURCE = "Put together by the organizer of this event"
MOST_TIEBREAKERS = 20
MOST_POINTS = 1000
SMALLEST_PART = 100
MOST_LEFT_OUT = 50
LONGEST_NAME = 60
PARTS = ("title", "points", "tiebreakers")
COUNTS = ("cut_low", "cut_high")
KEY = re.compile(r"[a-z0-9][a-z0-9_-]{0,19}\Z")


def own_system(data: object) -> System:
    """The system in an organizer's data. Raises EngineError with every problem of the data."""
    if not isinstance(data, Mapping):
        refuse([Problem("own-shape", "A system is an object with title, points and tiebreakers.")])
        raise AssertionError
    found = list(_problems(data))
    try:
        system = system_from({key: data[key] for key in PARTS if key in data}, name=OWN)
    except EngineError as fault:
        refuse([*found, *fault.problems])
    refuse(found)
    return replace(system, title=str(data.get("title") or TITLE), source=SOURCE)


def as_data(system: System) -> dict[str, Any]:
    """A system as data that JSON can hold: exact numbers as whole numbers or as text such as "1/2"."""
    points = system.points
    return {
        "title": system.title,
        "points": {name: _plain(getattr(points, name)) for name in points.__dataclass_fields__},
        "tiebreakers": [
            {"kind": t.kind_name, "key": t.key, "name": t.name, **{k: _plain(v) for k, v in t.params.items()}}
            for t in system.tiebreakers
        ],
    }


def _plain(value: object) -> int | str:
    return value if isinstance(value, int) else str(value)


def _problems(data: Mapping[str, Any]) -> Iterator[Problem]:
    for part in sorted(str(key) for key in data if key not in PARTS):
        yield Problem(
            "own-shape", f'"{in_short(part)}" is no part of a system; there are {", ".join(PARTS)}.'
        )
    yield from _name_problems(data.get("title") or TITLE, "title")
    points = data.get("points")
    if isinstance(points, Mapping):
        yield from _point_problems(points)
    entries = data.get("tiebreakers")
    if not isinstance(entries, list):
        return
    if len(entries) > MOST_TIEBREAKERS:
        yield Problem("own-many", f"There are {len(entries)} tiebreakers; {MOST_TIEBREAKERS} are the most.")
    for place, entry in enumerate(entries, 1):
        if isinstance(entry, Mapping):
            yield from _entry_problems(entry, f"tiebreaker {place}")


def _point_problems(points: Mapping[str, Any]) -> Iterator[Problem]:
    for result, value in points.items():
        worth = exact_number(value)
        if worth is not None and not _is_fair(worth):
            yield Problem(
                "own-points",
                f"{in_short(value)} points are too many or too fine; give between 0 and {MOST_POINTS}, "
                f"in parts of no less than 1/{SMALLEST_PART}.",
                f"points, {result}",
            )


def _is_fair(worth: Score) -> bool:
    return 0 <= worth <= MOST_POINTS and Fraction(worth).denominator <= SMALLEST_PART


def _entry_problems(entry: Mapping[str, Any], where: str) -> Iterator[Problem]:
    if "aliases" in entry:
        yield Problem("own-shape", "A tiebreaker of one's own has no other names.", where)
    yield from _name_problems(entry.get("name", entry.get("kind")), f"{where}, name")
    key = entry.get("key", "key")
    if not isinstance(key, str) or not KEY.match(key):
        yield Problem(
            "own-key", "A key is at most 20 small letters, digits, hyphens and underscores.", f"{where}, key"
        )
    for name in COUNTS:
        count = exact_number(entry.get(name))
        if count is not None and count > MOST_LEFT_OUT:
            yield Problem(
                "own-count",
                f"{in_short(count)} are too many; {MOST_LEFT_OUT} are the most.",
                f"{where}, {name}",
            )
    floor = exact_number(entry.get("floor", entry.get("share")))
    if floor is not None and Fraction(floor).denominator > MOST_POINTS:
        yield Problem("own-share", f"{in_short(floor)} is too fine; give it in thousandths at most.", where)


def _name_problems(name: object, where: str) -> Iterator[Problem]:
    if not isinstance(name, str) or not name.strip() or len(name) > LONGEST_NAME or not name.isprintable():
        yield Problem("own-name", f"A name is one line of at most {LONGEST_NAME} characters.", where)
