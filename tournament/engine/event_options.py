"""Reads the options of an event.

They are the block `options` of its file, and what the command line says instead.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from itertools import combinations
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeVar, get_args

from rules.reason import reason
from rules.text import truncate
from tournament.engine.event_file import ProblemCollector, shorten_value
from tournament.engine.event_file import is_id as is_number
from tournament.engine.problems import EngineError, EngineProblem, problem, refer_to_player
from tournament.engine.records import PlayerId, Score
from tournament.engine.standings.systems import System, load_system, parse_system
from tournament.engine.standings.systems.loading import exact_number

if TYPE_CHECKING:
    from tournament.engine.pods.sides import PodSides

Pair = tuple[PlayerId, PlayerId]
FirstRound = Literal["random", "fold", "slide", "adjacent"]
ClubsApart = Literal["no", "wish", "never"]
Short = Literal["shrink", "fill"]
Word = TypeVar("Word", bound=str)
FIRST_ROUNDS: tuple[FirstRound, ...] = get_args(FirstRound)
CLUBS_APART: tuple[ClubsApart, ...] = get_args(ClubsApart)
SHORT: tuple[Short, ...] = get_args(Short)
DUEL = 2
IN_OPTIONS = reason("path", path="options")
SYSTEM_OPTIONS = ("floor", "own_floor", "drawn_games", "year", "forfeits_meet")
OWN_PARTS = ("title", "points", "tiebreakers")


class EventOptions(NamedTuple):
    """The options of an event. Players go by their numbers in the engine.

    `clubs_apart` keeps players of one group apart ("wish": at no other cost), in `apart_rounds` or in all.
    `wins_in` and `losses_out` end the Swiss rounds of a player, qualified or eliminated.
    `forbidden` pairs never meet if it can be helped, `fixed` ones meet in the next round.
    Each of `draft_pods` is paired alone; without any, all players are one field.
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
    draft_pods: tuple[tuple[PlayerId, ...], ...] = ()
    fresh_tables: bool = False
    sides: PodSides | None = None
    fixed_tables: tuple[tuple[PlayerId, ...], ...] = ()
    wins_in: int | None = None
    losses_out: int | None = None
    cut: int | None = None
    diversity: bool = False
    short: Short = "shrink"
    reserves: int = 0
    declined: frozenset[PlayerId] = frozenset()
    disqualified: frozenset[PlayerId] = frozenset()


SIDES_OPTIONS = ("least_sides", "most_sides", "usual_sides", "place_points", "ends")
# Kept of another shape than they are written in.
KEPT = {"sides", "fixed_tables"}
OPTION_KEYS = (frozenset(EventOptions._fields) - KEPT) | {
    *SYSTEM_OPTIONS, *OWN_PARTS, *SIDES_OPTIONS
}  # fmt: skip
# Tables of more than two sides know nothing of these.
NOT_FOR_PODS = (
    "system",
    *SYSTEM_OPTIONS,
    *OWN_PARTS,
    "first_round",
    "accelerated",
    "fresh_tables",
    "seeding",
    "draft_pods",
)


def _make_places_system(sides: PodSides) -> System:
    # Most events have tables of two.
    from tournament.engine.pods.system import make_places_system

    return make_places_system(sides.place_points)


class OptionsReader:
    """Reads one value after another, and notes what is wrong with them."""

    def __init__(
        self,
        data: Mapping[str, object],
        number: Callable[[object], PlayerId | None],
        trouble: ProblemCollector,
        has_pods: bool = False,
    ) -> None:
        self._data, self._number, self._trouble = data, number, trouble
        self._has_pods = has_pods or (is_number(data.get("most_sides")) and data["most_sides"] != DUEL)

    def read(self) -> EventOptions | None:
        """Return the options; None if there is no system to go by."""
        for key in self._data:
            if key not in OPTION_KEYS:
                known_keys = tuple(sorted(OPTION_KEYS))
                self._trouble.add(problem("option-key", key=truncate(key), known=known_keys), IN_OPTIONS)
        for key in NOT_FOR_PODS if self._has_pods else SIDES_OPTIONS:
            if self._data.get(key) is not None and key in self._data:
                self._refuse("option-pods" if self._has_pods else "option-duels", key)
        sides = self._sides() if self._has_pods else None
        system = _make_places_system(sides) if sides else self._system()
        if system is None:
            return None
        options = self._options(system, sides)
        self._trouble.problems.extend(_find_blocked_tables(options))
        return options

    def _options(self, system: System, sides: PodSides | None) -> EventOptions:
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
            fixed=() if sides else self._pairs("fixed"),
            draft_pods=() if sides else self._draft_pods(),
            sides=sides,
            fixed_tables=self._tables("fixed") if sides else (),
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
                system_options = {key: data[key] for key in SYSTEM_OPTIONS if data.get(key) is not None}
                return load_system(str(data.get("system", "ufs")), **system_options)
            for key in ("system", *SYSTEM_OPTIONS):
                if key in data and key != "forfeits_meet":
                    self._refuse("option-beside-own", key)
            tiebreakers = own.get("tiebreakers")
            if isinstance(tiebreakers, list):
                own["tiebreakers"] = list(map(_tiebreaker, tiebreakers))
            forfeit_option = {"forfeits_meet": data["forfeits_meet"]} if "forfeits_meet" in data else {}
            return parse_system({"tiebreakers": [], **own, **forfeit_option})
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

    def _word(self, key: str, known_words: tuple[Word, ...]) -> Word:
        value = self._data.get(key, known_words[0])
        for word in known_words:
            if word == value:
                return word
        self._refuse("option-word", key, known=known_words)
        return known_words[0]

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
            if one is not None and one == two:
                self._trouble.add(
                    problem("option-pair-of-one", key=key, player=refer_to_player(one)), IN_OPTIONS
                )
            elif one is not None and two is not None:
                pairs.append((one, two))
        return tuple(pairs)

    def _tables(self, key: str) -> tuple[tuple[PlayerId, ...], ...]:
        tables = []
        for entry in self._list(key):
            if not isinstance(entry, list):
                self._refuse("option-tables", key)
                continue
            players = [self._player(key, each) for each in entry]
            tables.append(tuple(player for player in players if player is not None))
        return tuple(tables)

    def _draft_pods(self) -> tuple[tuple[PlayerId, ...], ...]:
        """Return the pods of a booster draft; no player sits in two of them."""
        pods = self._tables("draft_pods")
        for player, times in Counter(player for pod in pods for player in pod).items():
            if times > 1:
                twice = problem("draft-pod-twice", player=refer_to_player(player))
                self._trouble.add(twice, IN_OPTIONS)
        return pods

    def _sides(self) -> PodSides:
        from tournament.engine.pods.sides import ENDS, FEWEST_SIDES, MOST_SIDES, PodSides

        least = self._whole("least_sides") or FEWEST_SIDES
        most = self._whole("most_sides") or least
        usual = self._whole("usual_sides") or least
        if not FEWEST_SIDES <= least <= usual <= most <= MOST_SIDES:
            wrong = problem(
                "option-sides", least=least, usual=usual, most=most, fewest=FEWEST_SIDES, top=MOST_SIDES
            )
            self._trouble.add(wrong, IN_OPTIONS)
        return PodSides(least, most, usual, self._place_points(), self._word("ends", ENDS))

    def _place_points(self) -> tuple[Score, ...]:
        numbers = [exact_number(str(each)) for each in self._list("place_points")]
        points = [number for number in numbers if number is not None and number >= 0]
        if len(points) < len(numbers) or points != sorted(points, reverse=True):
            self._refuse("option-place-points", "place_points")
        return tuple(points) or (3,)

    def _player(self, key: str, file_id: object) -> PlayerId | None:
        player = self._number(file_id)
        if player is None:
            self._trouble.add(problem("option-player", key=key, player=shorten_value(file_id)), IN_OPTIONS)
        return player


def _find_blocked_tables(options: EventOptions) -> Iterator[EngineProblem]:
    """Yield pairs that are to meet in the next round and never."""
    forbidden_pairs = set(map(frozenset, options.forbidden))
    for players in (*options.fixed, *options.fixed_tables):
        for one, two in combinations(players, 2):
            if frozenset((one, two)) in forbidden_pairs:
                yield problem("fixed-forbidden", one=refer_to_player(one), two=refer_to_player(two)).at(
                    IN_OPTIONS
                )


def _tiebreaker(entry: object) -> object:
    """Return a tiebreaker of the list by its key, or an object as it is."""
    if not isinstance(entry, str):
        return entry
    from tournament.engine.standings.systems.custom import CHOICES_BY_KEY

    return CHOICES_BY_KEY[entry].entry() if entry in CHOICES_BY_KEY else {"kind": entry}
