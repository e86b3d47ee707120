"""Custom systems of organizers, and the tiebreakers they choose from."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import TypedDict

from rules.reason import Reason, reason
from rules.text import truncate
from tournament.engine.problems import EngineError, EngineProblem, make_error, problem, raise_problems
from tournament.engine.records import Score
from tournament.engine.standings.systems.loading import exact_number, parse_system
from tournament.engine.standings.systems.system import System
from tournament.engine.standings.tiebreakers import KINDS

OWN_SYSTEM_KEY = "own"

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
        raise make_error("own-shape")
    problems = list(_problems(data))
    try:
        system = parse_system({key: data[key] for key in PARTS if key in data}, name=OWN_SYSTEM_KEY)
    except EngineError as fault:
        raise_problems([*problems, *fault.problems])
    raise_problems(problems)
    return replace(system, title=str(data.get("title") or TITLE), source=SOURCE)


class SystemData(TypedDict):
    """An own system as an event keeps it, and as its page sends it; exact numbers also as text."""

    title: str
    points: dict[str, int | str]
    tiebreakers: list[dict[str, int | str]]


def system_to_data(system: System) -> SystemData:
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


def _problems(data: Mapping[str, object]) -> Iterator[EngineProblem]:
    for part in sorted(str(key) for key in data if key not in PARTS):
        yield problem("own-shape.part", part=truncate(part), known=PARTS)
    yield from _name_problems(data.get("title") or TITLE, reason("path", path="title"))
    points = data.get("points")
    if isinstance(points, Mapping):
        yield from _point_problems(points)
    entries = data.get("tiebreakers")
    if not isinstance(entries, list):
        return
    if len(entries) > MOST_TIEBREAKERS:
        yield problem("own-many", count=len(entries), most=MOST_TIEBREAKERS)
    for place, entry in enumerate(entries, 1):
        if isinstance(entry, Mapping):
            yield from _entry_problems(entry, place)


def _point_problems(points: Mapping[str, object]) -> Iterator[EngineProblem]:
    for result, value in points.items():
        worth = exact_number(value)
        if worth is not None and not _is_fair(worth):
            yield problem(
                "own-points", points=truncate(value), most=MOST_POINTS, part=Fraction(1, SMALLEST_PART)
            ).at(reason("point", result=truncate(result)))


def _is_fair(worth: Score) -> bool:
    return 0 <= worth <= MOST_POINTS and Fraction(worth).denominator <= SMALLEST_PART


def _entry_problems(entry: Mapping[str, object], number: int) -> Iterator[EngineProblem]:
    if "aliases" in entry:
        yield problem("own-shape.aliases").at(reason("tiebreaker", number=number))
    yield from _name_problems(
        entry.get("name", entry.get("kind")), reason("tiebreaker.key", number=number, key="name")
    )
    key = entry.get("key", "key")
    if not isinstance(key, str) or not KEY.match(key):
        yield problem("own-key").at(reason("tiebreaker.key", number=number, key="key"))
    for name in COUNTS:
        count = exact_number(entry.get(name))
        if count is not None and count > MOST_LEFT_OUT:
            yield problem("own-count", count=truncate(count), most=MOST_LEFT_OUT).at(
                reason("tiebreaker.key", number=number, key=name)
            )
    floor = exact_number(entry.get("floor", entry.get("share")))
    if floor is not None and Fraction(floor).denominator > MOST_POINTS:
        yield problem("own-share", share=truncate(floor)).at(reason("tiebreaker", number=number))


def _name_problems(name: object, where: Reason) -> Iterator[EngineProblem]:
    if not isinstance(name, str) or not name.strip() or len(name) > LONGEST_NAME or not name.isprintable():
        yield problem("own-name", most=LONGEST_NAME).at(where)


@dataclass(frozen=True, slots=True)
class TiebreakerChoice:
    """One entry of the list: a short key for column heads, a name, the kind and what it starts from."""

    key: str
    name: str
    kind: str
    preset: Mapping[str, int | str] = field(default_factory=dict)

    def entry(self) -> dict[str, int | str]:
        """The tiebreaker as data, before anything is changed."""
        params = {
            key: value if isinstance(value, int) else str(value)
            for key, value in KINDS[self.kind].params.items()
        }
        return {"kind": self.kind, "key": self.key, "name": self.name, **params, **self.preset}


TIEBREAKER_CHOICES = (
    TiebreakerChoice("pts", "Points", "points"),
    TiebreakerChoice("bh", "Buchholz", "buchholz"),
    TiebreakerChoice("bh-c1", "Buchholz cut 1", "buchholz", {"cut_low": 1}),
    TiebreakerChoice("bh-c2", "Buchholz cut 2", "buchholz", {"cut_low": 2}),
    TiebreakerChoice("mbh", "Median Buchholz", "buchholz", {"cut_low": 1, "cut_high": 1}),
    TiebreakerChoice("sb", "Sonneborn-Berger", "sonneborn_berger"),
    TiebreakerChoice("koya", "Koya", "koya"),
    TiebreakerChoice("sos", "SOS, sum of opponents' scores", "buchholz"),
    TiebreakerChoice("sosos", "SOSOS, sum of opponents' SOS", "sosos"),
    TiebreakerChoice("msos", "Strength of schedule, a mean", "opponents_match_win", {"per": "round"}),
    TiebreakerChoice(
        "esos", "Extended strength of schedule", "opponents_opponents_match_win", {"per": "round"}
    ),
    TiebreakerChoice("ps", "Progressive score", "progressive"),
    TiebreakerChoice("h2h", "Head to head", "head_to_head"),
    TiebreakerChoice("net", "Net score", "net_games"),
    TiebreakerChoice("wins", "Wins", "wins"),
    TiebreakerChoice("played", "Wins over the board", "wins_played"),
    TiebreakerChoice("games", "Games won", "games_won"),
    TiebreakerChoice("met", "Matches played", "matches"),
    TiebreakerChoice("mw", "Match-win percentage", "match_win"),
    TiebreakerChoice("omw", "Opponents' match-win percentage", "opponents_match_win", {"floor": "1/3"}),
    TiebreakerChoice("gw", "Game-win percentage", "game_win"),
    TiebreakerChoice("ogw", "Opponents' game-win percentage", "opponents_game_win"),
    TiebreakerChoice("fbh", "Buchholz by FIDE", "fide_buchholz"),
    TiebreakerChoice("fsb", "Sonneborn-Berger by FIDE", "fide_sonneborn_berger"),
    TiebreakerChoice("order", "Initial order", "initial_order"),
    TiebreakerChoice("lot", "Lot", "lot"),
)

CHOICES_BY_KEY = {choice.key: choice for choice in TIEBREAKER_CHOICES}

PARAMETERS = {
    "cut_low": "Lowest left out",
    "cut_high": "Highest left out",
    "floor": "Never below",
    "share": "Least share of the points",
    "byes": "Byes are",
    "per": "Measured by",
    "bye": "A bye counts as",
    "drawn_games": "Game points of a drawn game",
    "year": "Regulations of",
}

OPTIONS: Mapping[str, tuple[tuple[str, str], ...]] = {
    "byes": (("counted", "counted"), ("ignored", "left out")),
    "per": (("points", "the most possible points"), ("round", "rounds")),
    "bye": (("nothing", "nothing"), ("player", "a player on 0 points")),
    "drawn_games": (("1", "1"), ("0", "0")),
    "year": (("2026", "2026"), ("2024", "2024")),
}
