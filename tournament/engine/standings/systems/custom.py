"""Custom systems of organizers, and the tiebreakers they choose from."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TypedDict

from rules.reason import Reason, reason
from rules.text import truncate
from tournament.engine.problems import EngineError, EngineProblem, make_error, problem, raise_problems
from tournament.engine.records import Score
from tournament.engine.standings.systems.labels import name_label
from tournament.engine.standings.systems.loading import exact_number, parse_system
from tournament.engine.standings.systems.system import System
from tournament.engine.standings.tiebreakers import DEFAULT_PARAMETERS

OWN_SYSTEM_KEY = "own"

MOST_TIEBREAKERS = 20

MOST_POINTS = 1000

SMALLEST_PART = 100

MOST_LEFT_OUT = 50

LONGEST_NAME = 60

PARTS = ("title", "points", "tiebreakers", "forfeits_meet")

COUNTS = ("cut_low", "cut_high")

SHARES = ("floor", "share", "dropped_cap")

KEY = re.compile(r"[a-z0-9][a-z0-9_-]{0,19}\Z")


def own_system(data: object) -> System:
    """Return the system in an organizer's data.

    Raises EngineError with every problem of the data.
    """
    if not isinstance(data, Mapping):
        raise make_error("own-shape")
    problems = list(_problems(data))
    try:
        system = parse_system({key: data[key] for key in PARTS if key in data}, name=OWN_SYSTEM_KEY)
    except EngineError as fault:
        raise_problems([*problems, *fault.problems])
    raise_problems(problems)
    return system


class SystemData(TypedDict):
    """An own system as an event keeps it and as its page sends it.

    Exact numbers can also be text. A tiebreaker has the `name` that the organizer gave it, or the `label` of
    a built-in one.
    """

    title: str
    points: dict[str, int | str]
    tiebreakers: list[dict[str, int | str]]
    forfeits_meet: bool


def system_to_data(system: System) -> SystemData:
    """Return a system as data that JSON can hold.

    Exact numbers become whole numbers or text such as "1/2".
    """
    points = system.points
    return {
        "title": system.own_title,
        "points": {name: _to_json_number(value) for name, value in points._asdict().items()},
        "tiebreakers": [
            {
                "kind": t.kind_name,
                "key": t.key,
                **({"label": t.label} if t.label else {"name": t.own_name}),
                **{key: _to_json_number(value) for key, value in t.params.items()},
            }
            for t in system.tiebreakers
        ],
        "forfeits_meet": system.forfeits_meet,
    }


def _to_json_number(value: object) -> int | str:
    return value if isinstance(value, int) else str(value)


def _problems(data: Mapping[str, object]) -> Iterator[EngineProblem]:
    for part in sorted(str(key) for key in data if key not in PARTS):
        yield problem("own-shape.part", part=truncate(part), known=PARTS)
    if data.get("title"):
        yield from _name_problems(data["title"], reason("path", path="title"))
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
    name = entry.get("name", entry.get("kind"))
    yield from _name_problems(name, reason("tiebreaker.key", number=number, key="name"))
    key = entry.get("key", "key")
    if not isinstance(key, str) or not KEY.match(key):
        yield problem("own-key").at(reason("tiebreaker.key", number=number, key="key"))
    for name in COUNTS:
        count = exact_number(entry.get(name))
        if count is not None and count > MOST_LEFT_OUT:
            yield problem("own-count", count=truncate(count), most=MOST_LEFT_OUT).at(
                reason("tiebreaker.key", number=number, key=name)
            )
    for name in SHARES:
        share = exact_number(entry.get(name))
        if share is not None and Fraction(share).denominator > MOST_POINTS:
            yield problem("own-share", share=truncate(share)).at(reason("tiebreaker", number=number))


def _name_problems(name: object, where: Reason) -> Iterator[EngineProblem]:
    if not isinstance(name, str) or not name.strip() or len(name) > LONGEST_NAME or not name.isprintable():
        yield problem("own-name", most=LONGEST_NAME).at(where)


@dataclass(frozen=True, slots=True)
class TiebreakerChoice:
    """One entry of the list: its key, kind and what it starts from.

    The key is short, for column heads and the name.
    """

    key: str
    kind: str
    preset: Mapping[str, int | str] = field(default_factory=dict)

    @property
    def name(self) -> Reason:
        """Return what it is called."""
        return name_label(self.key)

    def entry(self) -> dict[str, int | str]:
        """Return the tiebreaker as data, before anything is changed."""
        params = {
            key: value if isinstance(value, int) else str(value)
            for key, value in DEFAULT_PARAMETERS[self.kind].items()
        }
        return {"kind": self.kind, "key": self.key, "label": self.key, **params, **self.preset}


TIEBREAKER_CHOICES = (
    TiebreakerChoice("pts", "points"),
    TiebreakerChoice("bh", "buchholz"),
    TiebreakerChoice("bh-c1", "buchholz", {"cut_low": 1}),
    TiebreakerChoice("bh-c2", "buchholz", {"cut_low": 2}),
    TiebreakerChoice("mbh", "buchholz", {"cut_low": 1, "cut_high": 1}),
    TiebreakerChoice("sb", "sonneborn_berger"),
    TiebreakerChoice("koya", "koya"),
    TiebreakerChoice("sos", "buchholz"),
    TiebreakerChoice("sosos", "sosos"),
    TiebreakerChoice("msos", "opponents_match_win", {"per": "round"}),
    TiebreakerChoice("esos", "opponents_opponents_match_win", {"per": "round"}),
    TiebreakerChoice("ps", "progressive"),
    TiebreakerChoice("h2h", "head_to_head"),
    TiebreakerChoice("net", "net_games"),
    TiebreakerChoice("wins", "wins"),
    TiebreakerChoice("played", "wins_played"),
    TiebreakerChoice("games", "games_won"),
    TiebreakerChoice("met", "matches"),
    TiebreakerChoice("mw", "match_win"),
    TiebreakerChoice("omw", "opponents_match_win", {"floor": "1/3"}),
    TiebreakerChoice("oomw", "opponents_opponents_match_win"),
    TiebreakerChoice("owp", "opponents_win_share", {"floor": "1/4", "dropped_cap": "3/4"}),
    TiebreakerChoice("oowp", "opponents_opponents_win_share", {"floor": "1/4", "dropped_cap": "3/4"}),
    TiebreakerChoice("gw", "game_win"),
    TiebreakerChoice("ogw", "opponents_game_win"),
    TiebreakerChoice("bp", "board_points"),
    TiebreakerChoice("bw", "board_win"),
    TiebreakerChoice("obp", "opponents_board_points"),
    TiebreakerChoice("obw", "opponents_board_win"),
    TiebreakerChoice("lrs", "lost_rounds"),
    TiebreakerChoice("ctb", "cumulative"),
    TiebreakerChoice("octb", "opponents_cumulative"),
    TiebreakerChoice("pml", "loss_share"),
    TiebreakerChoice("oml", "opponents_loss_share"),
    TiebreakerChoice("fbh", "fide_buchholz"),
    TiebreakerChoice("fsb", "fide_sonneborn_berger"),
    TiebreakerChoice("order", "initial_order"),
    TiebreakerChoice("lot", "lot"),
)

CHOICES_BY_KEY = {choice.key: choice for choice in TIEBREAKER_CHOICES}
