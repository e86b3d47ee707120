"""Read the options of an event: the block `options` of its file and what the command line says instead."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Literal, TypeVar, get_args

from rules.reason import reason
from rules.text import truncate
from tournament.engine.event_file import ProblemCollector, shorten_value
from tournament.engine.problems import EngineError, problem
from tournament.engine.records import PlayerId
from tournament.engine.standings.systems import System, load_system, parse_system

Pair = tuple[PlayerId, PlayerId]
FirstRound = Literal["random", "fold", "slide", "adjacent"]
ClubsApart = Literal["no", "wish", "never"]
Short = Literal["shrink", "fill"]
Word = TypeVar("Word", bound=str)
FIRST_ROUNDS: tuple[FirstRound, ...] = get_args(FirstRound)
CLUBS_APART: tuple[ClubsApart, ...] = get_args(ClubsApart)
SHORT: tuple[Short, ...] = get_args(Short)
IN_OPTIONS = reason("path", path="options")
SYSTEM_OPTIONS = ("floor", "own_floor", "drawn_games", "year", "forfeits_meet")
OWN_PARTS = ("title", "points", "tiebreakers")


@dataclass(frozen=True, slots=True)
class EventOptions:
    """What may be chosen for an event. Players go by their numbers in the engine.

    `clubs_apart` keeps players of one group apart ("wish": at no other cost), in `apart_rounds` or in all.
    `wins_in` and `losses_out` end the Swiss rounds of a player, qualified or eliminated.
    `forbidden` pairs never meet if it can be helped, `fixed` ones meet in the next round.
    """

    system: System
    seed: int | None = None
    rounds: int | None = None
    first_round: FirstRound = "random"
    seeding: tuple[PlayerId, ...] = ()
    accelerated: bool = False
    clubs_apart: ClubsApart = "no"
    apart_rounds: tuple[int, ...] = ()
    forbidden: tuple[Pair, ...] = ()
    fixed: tuple[Pair, ...] = ()
    fresh_tables: bool = False
    wins_in: int | None = None
    losses_out: int | None = None
    cut: int | None = None
    diversity: bool = False
    short: Short = "shrink"
    reserves: int = 0
    declined: frozenset[PlayerId] = field(default_factory=frozenset)
    disqualified: frozenset[PlayerId] = field(default_factory=frozenset)


OPTION_KEYS = frozenset(EventOptions.__dataclass_fields__) | {*SYSTEM_OPTIONS, *OWN_PARTS}


class OptionsReader:
    """Reads one value after another, and notes what is wrong with them."""

    def __init__(
        self,
        data: Mapping[str, object],
        number: Callable[[object], PlayerId | None],
        trouble: ProblemCollector,
    ) -> None:
        self._data, self._number, self._trouble = data, number, trouble

    def read(self) -> EventOptions | None:
        """The options; None where there is no system to go by."""
        for key in self._data:
            if key not in OPTION_KEYS:
                known = tuple(sorted(OPTION_KEYS))
                self._trouble.add(problem("option-key", key=truncate(key), known=known), IN_OPTIONS)
        system = self._system()
        if system is None:
            return None
        return EventOptions(
            system,
            seed=self._whole("seed"),
            rounds=self._whole("rounds", least=1),
            first_round=self._word("first_round", FIRST_ROUNDS),
            seeding=self._players("seeding"),
            accelerated=self._switch("accelerated"),
            clubs_apart=self._word("clubs_apart", CLUBS_APART),
            apart_rounds=self._numbers("apart_rounds"),
            forbidden=self._pairs("forbidden"),
            fixed=self._pairs("fixed"),
            fresh_tables=self._switch("fresh_tables"),
            wins_in=self._whole("wins_in", least=1),
            losses_out=self._whole("losses_out", least=1),
            cut=self._whole("cut", least=1),
            diversity=self._switch("diversity"),
            short=self._word("short", SHORT),
            reserves=self._whole("reserves", least=0) or 0,
            declined=frozenset(self._players("declined")),
            disqualified=frozenset(self._players("disqualified")),
        )

    def _refuse(self, code: str, key: str, **params: str | tuple[str, ...] | int) -> None:
        value = shorten_value(self._data[key])
        self._trouble.add(problem(code, key=key, value=value, **params), IN_OPTIONS)

    def _system(self) -> System | None:
        data = self._data
        own = {key: data[key] for key in OWN_PARTS if key in data}
        try:
            if not own:
                chosen = {key: data[key] for key in SYSTEM_OPTIONS if data.get(key) is not None}
                return load_system(str(data.get("system", "ufs")), **chosen)
            for key in ("system", *SYSTEM_OPTIONS):
                if key in data and key != "forfeits_meet":
                    self._refuse("option-beside-own", key)
            listed = own.get("tiebreakers")
            if isinstance(listed, list):
                own["tiebreakers"] = list(map(_tiebreaker, listed))
            met = {"forfeits_meet": data["forfeits_meet"]} if "forfeits_meet" in data else {}
            return parse_system({"tiebreakers": [], **own, **met})
        except EngineError as fault:
            for each in fault.problems:
                self._trouble.add(each, each.where)
            return None

    def _whole(self, key: str, least: int | None = None) -> int | None:
        value = self._data.get(key)
        if value is None:
            return None
        if not isinstance(value, int) or isinstance(value, bool):
            self._refuse("games-number", key)
        elif least is not None and value < least:
            self._refuse("option-least", key, least=least)
        else:
            return value
        return None

    def _switch(self, key: str) -> bool:
        value = self._data.get(key)
        if value is not None and not isinstance(value, bool):
            self._refuse("switch-wanted", key)
        return value is True

    def _word(self, key: str, known: tuple[Word, ...]) -> Word:
        value = self._data.get(key, known[0])
        for word in known:
            if word == value:
                return word
        self._refuse("option-word", key, known=known)
        return known[0]

    def _list(self, key: str) -> list[object]:
        value = self._data.get(key)
        if value is None or isinstance(value, list):
            return value or []
        self._refuse("option-list", key)
        return []

    def _numbers(self, key: str) -> tuple[int, ...]:
        numbers = [each for each in self._list(key) if isinstance(each, int) and each > 0]
        if len(numbers) < len(self._list(key)):
            self._refuse("option-rounds", key)
        return tuple(numbers)

    def _players(self, key: str) -> tuple[PlayerId, ...]:
        return tuple(player for each in self._list(key) if (player := self._player(key, each)) is not None)

    def _pairs(self, key: str) -> tuple[Pair, ...]:
        pairs = []
        for each in self._list(key):
            if not isinstance(each, list) or len(each) != 2:
                self._refuse("option-pairs", key)
                continue
            one, two = (self._player(key, player) for player in each)
            if one is not None and two is not None:
                pairs.append((one, two))
        return tuple(pairs)

    def _player(self, key: str, file_id: object) -> PlayerId | None:
        player = self._number(file_id)
        if player is None:
            self._trouble.add(problem("option-player", key=key, player=shorten_value(file_id)), IN_OPTIONS)
        return player


def _tiebreaker(entry: object) -> object:
    """A tiebreaker of the list by its key, or an object as it is."""
    if not isinstance(entry, str):
        return entry
    from tournament.engine.standings.systems.custom import CHOICES_BY_KEY

    return CHOICES_BY_KEY[entry].entry() if entry in CHOICES_BY_KEY else {"kind": entry}
