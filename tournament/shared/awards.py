"""Parse and format prizes and league points, one line per place.

Prizes may also be for the best of a character (“best Ken: a playmat”), points for all others (“others: 2”).
The words “best”, “to” and “others” are read in English and in the language of the reader.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, TypedDict

from django.utils.translation import pgettext

from decks.shared.refusals import Refused, refuse_all
from rules.reason import Param
from tournament.engine.league import DEFAULT_POINTS, PointsTable
from tournament.engine.prizes import Prize

LAST_PLACE = 9999
MAX_AWARD_LINES = 60
MAX_PRIZE_LENGTH = 200
MAX_POINTS = 1_000_000
OTHERS = "others"


class PrizeData(TypedDict, total=False):
    """A prize as an event keeps it: for places, or for the best of a character."""

    first: int
    last: int
    best: str
    words: str


class PointsData(TypedDict, total=False):
    """A table of points as a league keeps it; nothing means the default."""

    spans: Sequence[Sequence[int]]
    others: int


def load_prizes(data: Iterable[PrizeData]) -> list[Prize]:
    """Return the prizes of an event from what is kept of them."""
    return [
        Prize(entry["words"], best=entry["best"])
        if "best" in entry
        else Prize(entry["words"], entry["first"], entry["last"])
        for entry in data
    ]


def format_prizes(prizes: Iterable[Prize]) -> str:
    """Format prizes as an organizer writes them."""
    return "\n".join(f"{_head(prize)}: {prize.words}" for prize in prizes)


def _head(prize: Prize) -> str:
    return f"{_best_word()} {prize.best}" if prize.best else _span(prize.first, prize.last)


def _best_word() -> str:
    return pgettext("before the name of a character", "best")


def _match_best(head: str) -> re.Match[str] | None:
    return re.fullmatch(rf"(?:best|{re.escape(_best_word())})\s+(.+)", head, re.IGNORECASE)


def _match_places(head: str) -> re.Match[str] | None:
    to = re.escape(pgettext("between two places", "to"))
    return re.fullmatch(rf"(\d{{1,6}})(?:\s*(?:-|–|to|{to})\s*(\d{{1,6}}))?", head, re.IGNORECASE)


def _span(first: int, last: int) -> str:
    return str(first) if first == last else f"{first}-{last}"


def parse_prizes(text: str) -> list[PrizeData]:
    """Return what people wrote, as it is kept.

    Raises Refused with everything that is wrong, line by line.
    """
    return validate_prizes(
        _parse_prize(number, line) for number, line in _lines(text, "prizes_wrong.too_long_text")
    )


def validate_prizes(entries: Iterable[Any]) -> list[PrizeData]:
    """Return prizes in the form they are kept in.

    Raises Refused with everything that is wrong.
    """
    prizes: list[PrizeData] = []
    problems: list[Refused] = []
    for number, entry in enumerate(entries, 1):
        problem = entry if isinstance(entry, Refused) else _prize_problem(number, entry)
        if problem is not None:
            problems.append(problem)
        else:
            prizes.append(_known_values(entry))
    if len(prizes) > MAX_AWARD_LINES:
        problems.append(_wrong("prizes_wrong.too_many", MAX_AWARD_LINES + 1, most=MAX_AWARD_LINES))
    refuse_all(problems)
    return prizes


def _known_values(entry: PrizeData) -> PrizeData:
    if "best" in entry:
        return {"best": entry["best"], "words": entry["words"]}
    return {"first": entry["first"], "last": entry["last"], "words": entry["words"]}


def _parse_prize(number: int, line: str) -> PrizeData | Refused:
    head, colon, words = (part.strip() for part in line.partition(":"))
    if colon and (best := _match_best(head)):
        return {"best": best[1], "words": words}
    if colon and (places := _match_places(head)):
        return {"first": int(places[1]), "last": int(places[2] or places[1]), "words": words}
    return _wrong("prizes_wrong.no_place", number, written=line[:60])


def _prize_problem(number: int, entry: Any) -> Refused | None:
    if not isinstance(entry, dict) or not isinstance(entry.get("words"), str) or not entry["words"].strip():
        return _wrong("prizes_wrong.empty", number)
    if len(entry["words"]) > MAX_PRIZE_LENGTH:
        return _wrong("prizes_wrong.too_long", number, most=MAX_PRIZE_LENGTH)
    if "best" in entry:
        is_valid = isinstance(entry["best"], str) and 0 < len(entry["best"].strip()) <= 80
        return None if is_valid else _wrong("prizes_wrong.character", number)
    return _span_problem("prizes_wrong.places", number, entry.get("first"), entry.get("last"))


def _span_problem(code: str, number: int, first: Any, last: Any) -> Refused | None:
    if type(first) is int and type(last) is int and 1 <= first <= last <= LAST_PLACE:
        return None
    return _wrong(code, number, last=LAST_PLACE)


def _wrong(code: str, line: int, **params: Param) -> Refused:
    return Refused(code, field=code.partition("_")[0], line=line, **params)


def _lines(text: str, code: str) -> Iterator[tuple[int, str]]:
    lines = [line.strip() for line in text.splitlines()]
    if len(lines) > 4 * MAX_AWARD_LINES:
        raise _wrong(code, 4 * MAX_AWARD_LINES)
    return ((number, line) for number, line in enumerate(lines, 1) if line)


def load_points(data: PointsData) -> PointsTable:
    """Return a league's table of points from its stored data.

    It is our default if nothing is stored.
    """
    if not data:
        return DEFAULT_POINTS
    return PointsTable(tuple((first, last, points) for first, last, points in data["spans"]), data["others"])


def format_points_table(table: PointsTable, others: str = OTHERS) -> str:
    """Return a table of points as it is written, with the word for all other places."""
    lines = [f"{_span(first, last)}: {points}" for first, last, points in table.spans]
    return "\n".join([*lines, f"{others}: {table.others}"])


def get_others_word() -> str:
    """Return the word for all other places in the reader's language."""
    return pgettext("all other places", "others")


def parse_points(text: str) -> PointsData:
    """Return the table of points that people wrote, as it is kept.

    Empty text stands for our default. Raises Refused with everything that is wrong, line by line.
    """
    spans: list[tuple[int, int, int]] = []
    other_points, problems = 0, []
    for number, line in _lines(text, "points_wrong.too_long_text"):
        head, _, worth = (part.strip() for part in line.partition(":"))
        places = _match_places(head)
        if not worth.isdecimal() or len(worth) > 7 or int(worth) > MAX_POINTS:
            problems.append(_wrong("points_wrong.not_a_number", number, most=MAX_POINTS))
        elif head.casefold() in (OTHERS, get_others_word().casefold()):
            other_points = int(worth)
        elif places is None:
            problems.append(_wrong("points_wrong.no_place", number, written=line[:60]))
        else:
            spans.append((int(places[1]), int(places[2] or places[1]), int(worth)))
            problems += filter(None, [_points_problem(number, spans)])
    refuse_all(problems)
    return {"spans": [list(span) for span in spans], "others": other_points} if spans or other_points else {}


def _points_problem(number: int, spans: Sequence[tuple[int, int, int]]) -> Refused | None:
    first, last, _ = spans[-1]
    if any(first <= other_last and other_first <= last for other_first, other_last, _ in spans[:-1]):
        return _wrong("points_wrong.place_twice", number)
    return _span_problem("points_wrong.places", number, first, last)
