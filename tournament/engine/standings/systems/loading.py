"""Load and validate scoring systems from files or mappings."""

from __future__ import annotations

import json
import os
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cache
from io import FileIO
from typing import TypeGuard

from rules.reason import Reason, reason
from rules.text import truncate
from tournament.engine.problems import EngineProblem, make_error, problem, raise_problems
from tournament.engine.records import Score
from tournament.engine.standings.scoring import Points
from tournament.engine.standings.systems.labels import LABELS, find_label, find_own_title
from tournament.engine.standings.systems.system import CONVENTIONS, System, Tiebreaker
from tournament.engine.standings.tiebreakers import DEFAULT_PARAMETERS

WORDS = {"byes": ("counted", "ignored"), "per": ("points", "round"), "bye": ("nothing", "player")}
NAMED = frozenset(("key", "name", "label", "kind", "aliases"))
TOP = frozenset(
    (
        "title",
        "points",
        "tiebreakers",
        "shown",
        "convention",
        "forfeits_meet",
        "bye_by_play",
        "agreed_draw_games",
    )
)
AGREED_DRAW_GAMES = {str(games): games for games in range(10)}
YEARS = (2024, 2026)
OPTIONS = ("floor", "own_floor", "drawn_games", "year", "forfeits_meet")
OWN_KINDS = frozenset(("match_win", "game_win"))


# Paths as objects would load slowly.
_FOLDER, _SUFFIX = __file__.removesuffix("loading.py"), ".json"


@cache
def system_names() -> tuple[str, ...]:
    """Return the names of the shipped systems."""
    names = [entry.name for entry in os.scandir(_FOLDER)]
    return tuple(sorted(name.removesuffix(_SUFFIX) for name in names if name.endswith(_SUFFIX)))


def load_system(name: str, **options: object) -> System:
    """Return a shipped system by name, with options.

    Options: `floor` (of the opponents' percentages; 0 for none), `own_floor` (true: one's own percentage has
    it too), `drawn_games` (the game points of a drawn game, 1 or 0), `year` (of the FIDE regulations, 2024 or
    2026), `forfeits_meet` (whether two who were paired and did not play have met). An option is refused if no
    tiebreaker of the system knows it. Raises EngineError.
    """
    if name not in system_names():
        raise make_error("system-unknown", system=truncate(name), known=system_names())
    return _with_options(
        _load_shipped(name), {key: value for key, value in options.items() if value is not None}
    )


@cache
def _load_shipped(name: str) -> System:
    with FileIO(f"{_FOLDER}{name}{_SUFFIX}") as file:
        return parse_system(json.loads(file.read()), name=name)


def parse_system(data: Mapping[str, object], *, name: str = "own") -> System:
    """Return a system from a mapping of the shape of the shipped files.

    Raises EngineError with every problem.
    """
    raise_problems(_problems(data))
    return System(
        name=name,
        points=_points(data.get("points")),
        tiebreakers=tuple(map(_tiebreaker, _tables(data.get("tiebreakers")))),
        extra_tiebreakers=tuple(map(_tiebreaker, _tables(data.get("shown")))),
        convention=str(data.get("convention", "")),
        own_title=find_own_title(data.get("title")),
        forfeits_meet=data.get("forfeits_meet", True) is True,
        bye_by_play=data.get("bye_by_play", False) is True,
        agreed_draw_games=AGREED_DRAW_GAMES.get(str(data.get("agreed_draw_games", 0)), 0),
    )


def _points(value: object) -> Points:
    points_data = value if isinstance(value, Mapping) else {}
    return Points(**{key: exact_number(worth) or 0 for key, worth in points_data.items()})


def _tables(value: object) -> Sequence[Mapping[str, object]]:
    return value if _is_list_of_tables(value) else ()


def exact_number(value: object) -> Score | None:
    """Return an exact number from an int, a Fraction or a text.

    A text is such as "1/3" or "0.33". None for anything else.
    """
    if isinstance(value, bool):
        return None
    if isinstance(value, int | Fraction):
        return value
    if not isinstance(value, str) or len(value) > 40 or "e" in value.casefold():
        return None
    try:
        exact = Fraction(value.strip())
    except (ValueError, ZeroDivisionError):
        return None
    return exact.numerator if exact.denominator == 1 else exact


def _tiebreaker(entry: Mapping[str, object]) -> Tiebreaker:
    kind_name, aliases = str(entry["kind"]), entry.get("aliases")
    name = str(entry.get("name", entry.get("key", kind_name)))
    label = find_label(name) if "name" in entry else str(entry.get("label", ""))
    parameters = {key: _parameter(key, value) for key, value in entry.items() if key not in NAMED}
    return Tiebreaker(
        key=str(entry.get("key", kind_name)),
        label=label,
        own_name="" if label else name,
        kind_name=kind_name,
        params={**DEFAULT_PARAMETERS[kind_name], **parameters},
        aliases=tuple(aliases) if isinstance(aliases, list) else (),
    )


def _parameter(key: str, value: object) -> Hashable:
    return str(value) if key in WORDS else exact_number(value)


def _problems(data: Mapping[str, object]) -> Iterator[EngineProblem]:
    for key in sorted(set(data) - TOP):
        yield problem("system-key", key=truncate(key), known=tuple(sorted(TOP)))
    if data.get("convention", "") not in ("", *CONVENTIONS):
        yield problem("system-convention", convention=truncate(data["convention"]))
    for key in ("forfeits_meet", "bye_by_play"):
        if not isinstance(data.get(key, True), bool):
            yield problem("system-switch", value=truncate(data[key])).at(reason("path", path=key))
    if str(data.get("agreed_draw_games", 0)) not in AGREED_DRAW_GAMES:
        value = truncate(data["agreed_draw_games"])
        yield problem("system-agreed-draw", value=value).at(reason("path", path="agreed_draw_games"))
    yield from _point_problems(data.get("points", {}))
    entries, shown_entries = data.get("tiebreakers"), data.get("shown", [])
    if not _is_list_of_tables(entries) or not _is_list_of_tables(shown_entries):
        yield problem("system-tiebreakers")
        return
    all_entries = [*entries, *shown_entries]
    for place, entry in enumerate(all_entries, 1):
        yield from _entry_problems(entry, place)
    keys = [str(entry.get("key", entry.get("kind"))) for entry in all_entries]
    if "points" in (
        str(entry["key"]) for entry in all_entries if "key" in entry and entry.get("kind") != "points"
    ):
        yield problem("system-key-taken")
    for key in sorted({key for key in keys if keys.count(key) > 1}):
        yield problem("system-key-twice", key=truncate(key))


def _is_list_of_tables(value: object) -> TypeGuard[Sequence[Mapping[str, object]]]:
    if not isinstance(value, Sequence) or isinstance(value, str):
        return False
    return all(isinstance(entry, Mapping) for entry in value)


def _point_problems(points: object) -> Iterator[EngineProblem]:
    if not isinstance(points, Mapping):
        yield problem("system-points")
        return
    point_names = Points._fields
    for key, value in points.items():
        if key not in point_names:
            yield problem("system-points.result", key=truncate(key), known=point_names).at(
                reason("path", path="points")
            )
        elif exact_number(value) is None:
            yield problem("system-points.value", value=truncate(value)).at(reason("point", result=key))
    win = exact_number(points.get("win", 3))
    if win is not None and win <= 0:
        yield problem("system-points.win").at(reason("point", result="win"))


def _entry_problems(entry: Mapping[str, object], number: int) -> Iterator[EngineProblem]:
    where = reason("tiebreaker", number=number)
    known_parameters = DEFAULT_PARAMETERS.get(str(entry.get("kind")))
    if known_parameters is None:
        kind_name = truncate(entry.get("kind"))
        yield problem("tiebreaker-kind", kind=kind_name, known=tuple(sorted(DEFAULT_PARAMETERS))).at(where)
        return
    aliases = entry.get("aliases", [])
    if not isinstance(aliases, list) or not all(isinstance(alias, str) for alias in aliases):
        yield problem("tiebreaker-aliases").at(where)
    for key, value in entry.items():
        if key in NAMED and (key != "label" or value in LABELS):
            continue
        if key not in known_parameters:
            yield problem(
                "tiebreaker-parameter.known" if known_parameters else "tiebreaker-parameter",
                kind=str(entry["kind"]),
                known=tuple(known_parameters),
                key=truncate(key),
            ).at(where)
        elif fault := _fault(key, value):
            yield problem("tiebreaker-value", fault=fault).at(
                reason("tiebreaker.key", number=number, key=key)
            )


def _fault(key: str, value: object) -> Reason | None:
    """Return what is wrong with a parameter's value; None when nothing is."""
    text = truncate(value)
    if key in WORDS:
        return None if value in WORDS[key] else reason("value-word", value=text, known=WORDS[key])
    exact = exact_number(value)
    if exact is None or exact < 0:
        return reason("value-number", value=text)
    if key in ("floor", "share", "dropped_cap"):
        return None if exact <= 1 else reason("value-share", value=text)
    if key == "drawn_games":
        return None if exact in (0, 1) else reason("value-drawn-games", value=text)
    if key == "year":
        return None if exact in YEARS else reason("value-year", value=text, known=YEARS)
    return None if isinstance(exact, int) else reason("value-whole", value=text)


def _with_options(system: System, options: Mapping[str, object]) -> System:
    raise_problems(_option_problems(system, options))
    if not options:
        return system
    floor = exact_number(options["floor"]) if "floor" in options else _floor(system)
    return replace(
        system,
        tiebreakers=tuple(_adjust(t, options, floor or 0) for t in system.tiebreakers),
        extra_tiebreakers=tuple(_adjust(t, options, floor or 0) for t in system.extra_tiebreakers),
        forfeits_meet=options.get("forfeits_meet", system.forfeits_meet) is True,
    )


def _floor(system: System) -> Score:
    return max((exact_number(t.params.get("floor")) or 0 for t in system.tiebreakers), default=0)


def _option_problems(system: System, options: Mapping[str, object]) -> Iterator[EngineProblem]:
    all_tiebreakers = (*system.tiebreakers, *system.extra_tiebreakers)
    # A floor takes the place of another one, so that one has to be there.
    allowed_keys = {
        key for t in all_tiebreakers for key, value in t.params.items() if key != "floor" or value
    }
    allowed_keys |= {
        "own_floor" for t in all_tiebreakers if t.kind_name in OWN_KINDS and "floor" in allowed_keys
    }
    for key, value in options.items():
        if key == "forfeits_meet":
            if not isinstance(value, bool):
                yield problem("system-switch", value=truncate(value)).at(reason("path", path=key))
            continue
        if key not in allowed_keys or key not in OPTIONS:
            yield problem("option-unknown", system=system.name, option=key)
        elif key != "own_floor" and (fault := _fault(key, value)):
            yield problem("option-value", fault=fault).at(reason("path", path=key))


def _adjust(tiebreaker: Tiebreaker, options: Mapping[str, object], floor: Score) -> Tiebreaker:
    """Return the tiebreaker with the options that it knows.

    A floor replaces those that the system has.
    """
    params = dict(tiebreaker.params)
    own = tiebreaker.kind_name in OWN_KINDS
    if options.get("own_floor") if own else params.get("floor"):
        params["floor"] = floor
    for key in ("drawn_games", "year"):
        if key in params and key in options:
            params[key] = exact_number(options[key])
    return tiebreaker._replace(params=params)
