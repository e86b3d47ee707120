"""The meaning of an event's settings: stages, game and format, table numbers."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from itertools import count
from typing import Any

import rules
from decks.editions.selectors import editions
from decks.shared.refusals import Refused, refuse_all
from decks.shared.wording import format_reason
from rules import timed
from rules.endings import GameEnding
from rules.reason import Param, Reason, reason
from rules.rendering import translate_text
from rules.sides import DUEL, Sides
from rules.timed import Concession
from tournament.engine.brackets.groups_of_four import QUALIFIERS, can_fill_groups, count_groups
from tournament.engine.brackets.layout import can_have_consolation
from tournament.engine.standings.systems.loading import load_system, system_names
from tournament.events.models.event import Event, Stage
from tournament.events.models.match_result import Ending

Kind = Stage.Kind

MAX_STAGES = 6
MAX_GROUPS = 64
MAX_ROUNDS = 30
MAX_BRACKET_SIZE = 512
MAX_EXIT = 15

PLAN_FIELD = "plan"


@dataclass(frozen=True, slots=True)
class StagePlan:
    """One stage of a plan.

    `rounds` counts Swiss rounds (None: as the field needs). `size` players come in from the stage before
    (None: everyone, in the first stage), chosen `by` "top" or "diversity"; `short` says what a diversity cut
    does with too few characters. `groups` and `twice` are about round robins, `third_place` and `consolation`
    about a single elimination, `reset` (a second grand final) about a double elimination. In Swiss rounds,
    `wins_in` wins qualify and `losses_out` losses eliminate. Groups of four have no options.
    """

    kind: str = Kind.SWISS.value
    rounds: int | None = None
    groups: int = 1
    twice: bool = False
    third_place: bool = False
    consolation: bool = False
    reset: bool = True
    wins_in: int | None = None
    losses_out: int | None = None
    size: int | None = None
    by: str = "top"
    short: str = "shrink"

    @property
    def is_bracket(self) -> bool:
        """Whether a lost match can put a player out."""
        return self.kind in (Kind.SINGLE, Kind.DOUBLE)

    @property
    def has_exits(self) -> bool:
        """Whether a number of wins or losses ends the Swiss rounds for a player."""
        return self.wins_in is not None or self.losses_out is not None

    @property
    def lets_players_leave(self) -> bool:
        """Whether players qualify or are out before the last round."""
        return self.has_exits or self.kind == Kind.GROUPS

    @property
    def most_rounds(self) -> int | None:
        """Return the most rounds that can be played.

        They are those planned, or those after which every player has left. None if the field decides.
        """
        if self.rounds is None and self.wins_in is not None and self.losses_out is not None:
            return min(self.wins_in + self.losses_out - 1, MAX_ROUNDS)
        return self.rounds

    @property
    def words(self) -> str:
        """The stage in a few words."""
        return format_reason("reason", self.describe())

    def describe(self) -> Reason:
        """Return what the stage is, who plays in it, and whether for third place."""
        facts: dict[str, Param] = {"rounds": self.rounds or 0, "groups": self.groups, "twice": self.twice}
        return reason(
            "stage_plan",
            kind=Reason(f"stage_kind.{self.kind}", facts),
            by=None if self.size is None else self.by,
            size=self.size,
            third=self.third_place,
            consolation=self.consolation,
            reset=self.reset,
            wins_in=self.wins_in or 0,
            losses_out=self.losses_out or 0,
        )

    def as_data(self) -> dict[str, object]:
        """Return the stage as it is kept in the event's settings."""
        return asdict(self)


def get_plan(event: Event) -> tuple[StagePlan, ...]:
    """Return the stages that the event is played in."""
    if event.plan:
        return tuple(StagePlan(**stage) for stage in event.plan)
    swiss = StagePlan(rounds=event.swiss_rounds)
    if event.cut == Event.Cut.NONE:
        return (swiss,)
    return swiss, StagePlan("single", size=event.cut_size, by=event.cut, short=event.short_cut)


def is_swiss_then_cut(event: Event) -> bool:
    """Return whether the plan is Swiss rounds and then the bracket.

    Nothing may be between them.
    """
    return [stage.kind == Kind.SWISS for stage in get_plan(event)] == [True, False]


def get_plan_settings(plan: Sequence[StagePlan]) -> dict[str, object]:
    """Return the event's own fields that follow from a plan.

    These are Swiss rounds and the cut.
    """
    last = plan[-1]
    has_cut = last.is_bracket and last.size is not None
    return {
        "swiss_rounds": plan[0].rounds,
        "cut": last.by if has_cut else Event.Cut.NONE.value,
        "cut_size": last.size if has_cut else None,
        "short_cut": last.short if has_cut else Event.ShortCut.SHRINK.value,
    }


def parse_plan(data: Any) -> tuple[StagePlan, ...]:
    """Return the stages in data; none for an empty list.

    Raises Refused with everything that is wrong at once.
    """
    if not isinstance(data, (list, tuple)) or not all(isinstance(stage, Mapping) for stage in data):
        raise Refused("plan_unreadable", field=PLAN_FIELD)
    if len(data) > MAX_STAGES:
        raise Refused("plan_too_long", field=PLAN_FIELD, max_stages=MAX_STAGES)
    refuse_all(
        [problem for position, stage in enumerate(data, 1) for problem in _type_problems(position, stage)]
    )
    plan = tuple(StagePlan(**stage) for stage in data)
    refuse_all(
        [problem for position, stage in enumerate(plan) for problem in _sense_problems(plan, position, stage)]
    )
    return plan


def _plan_problem(variant: str, position: int, **params: Param) -> Refused:
    return Refused(f"plan_wrong.{variant}", field=PLAN_FIELD, stage=position, **params)


_NUMBER_RANGES = {
    "rounds": (1, MAX_ROUNDS),
    "groups": (1, MAX_GROUPS),
    "size": (2, 9999),
    "wins_in": (1, MAX_EXIT),
    "losses_out": (1, MAX_EXIT),
}

_CHOICES = {
    "kind": tuple(Kind.values),
    "by": (Event.Cut.TOP.value, Event.Cut.DIVERSITY.value),
    "short": tuple(Event.ShortCut.values),
}


def _type_problems(position: int, stage: Mapping[str, object]) -> Iterator[Refused]:
    names = {field.name for field in fields(StagePlan)}
    for name in sorted(set(map(str, stage)) - names):
        yield _plan_problem("name_unknown", position, name=name, names=tuple(sorted(names)))
    for name, words in _CHOICES.items():
        value = stage.get(name, words[0])
        if not isinstance(value, str) or value not in words:
            yield _plan_problem("choice_unknown", position, name=name, choices=words, value=str(value))
    for name, (least, most) in _NUMBER_RANGES.items():
        value = stage.get(name, least)
        optional = value is None and name != "groups"
        if not optional and not (type(value) is int and least <= value <= most):
            yield _plan_problem("number_wrong", position, name=name, least=least, most=most, value=str(value))
    for name in ("twice", "third_place", "consolation", "reset"):
        if not isinstance(stage.get(name, False), bool):
            yield _plan_problem("flag_wrong", position, name=name)


def _sense_problems(plan: Sequence[StagePlan], position: int, planned_stage: StagePlan) -> Iterator[Refused]:
    number = position + 1
    if position == 0 and planned_stage.size is not None:
        yield _plan_problem("first_takes_all", number)
    if position > 0:
        yield from _entry_problems(plan, position, planned_stage)
    if planned_stage.kind == Kind.GROUPS and number == len(plan):
        yield _plan_problem("groups_last", number)
    if planned_stage.is_bracket and number < len(plan):
        yield _plan_problem("bracket_not_last", number)
    if planned_stage.rounds is not None and planned_stage.kind != Kind.SWISS:
        yield _plan_problem("rounds_not_counted", number)
    if (planned_stage.groups > 1 or planned_stage.twice) and planned_stage.kind != Kind.ROBIN:
        yield _plan_problem("not_a_round_robin", number)
    if planned_stage.size is not None and planned_stage.groups * 2 > planned_stage.size:
        yield _plan_problem(
            "too_many_groups", number, players=planned_stage.size, groups=planned_stage.groups
        )
    yield from _option_problems(number, planned_stage)


def _option_problems(number: int, planned_stage: StagePlan) -> Iterator[Refused]:
    """Yield which options do not fit how the stage is played."""
    if planned_stage.third_place and planned_stage.kind != Kind.SINGLE:
        yield _plan_problem("third_place", number)
    elif planned_stage.third_place and planned_stage.size is not None and planned_stage.size < 4:
        yield _plan_problem("third_place_size", number)
    if planned_stage.consolation and planned_stage.kind != Kind.SINGLE:
        yield _plan_problem("consolation", number)
    elif (
        planned_stage.consolation
        and planned_stage.size is not None
        and not can_have_consolation(planned_stage.size)
    ):
        yield _plan_problem("consolation_size", number, players=planned_stage.size)
    if planned_stage.has_exits and planned_stage.kind != Kind.SWISS:
        yield _plan_problem("exits", number)
    if not planned_stage.reset and planned_stage.kind != Kind.DOUBLE:
        yield _plan_problem("reset", number)


def _entry_problems(plan: Sequence[StagePlan], position: int, planned_stage: StagePlan) -> Iterator[Refused]:
    before = _count_qualifiers(plan[position - 1])
    if planned_stage.size is None:
        yield _plan_problem("size_missing", position + 1)
    elif planned_stage.kind == Kind.GROUPS and not can_fill_groups(planned_stage.size):
        yield _plan_problem("groups_not_filled", position + 1, players=planned_stage.size)
    elif before is not None and planned_stage.size > before:
        yield _plan_problem("size_too_large", position + 1, players=planned_stage.size, before=before)
    elif planned_stage.is_bracket and planned_stage.size > MAX_BRACKET_SIZE:
        yield _plan_problem("bracket_too_large", position + 1, most_places=MAX_BRACKET_SIZE)
    if planned_stage.by == "diversity" and (
        not planned_stage.is_bracket or plan[position - 1].kind != Kind.SWISS
    ):
        yield _plan_problem("diversity_cut", position + 1)


def _count_qualifiers(planned_stage: StagePlan) -> int | None:
    """Return how many players at most can advance from a stage.

    None if that depends on the field.
    """
    if planned_stage.size is None or planned_stage.kind != Kind.GROUPS:
        return planned_stage.size
    return QUALIFIERS * count_groups(planned_stage.size)


def get_game(event: Event) -> rules.Game:
    """Return the game this event plays."""
    return rules.get_game(event.game)


def get_format(event: Event) -> rules.Format:
    """Return the event's format.

    It has the event's rules version, the lists in force on its day, and its local rules.
    """
    return editions.load_format(
        event.game,
        event.format,
        rules_version=event.rules_version,
        on=event.starts_local.date(),
        overlay=event.overlay or None,
    )


def get_undated_format(event: Event) -> rules.Format:
    """Return the format as `get_format`, for what no dated list can change.

    Makes no database query.
    """
    return rules.load_format(
        event.game, event.format, rules=event.rules_version, overlay=event.overlay or None
    )


def get_sides(event: Event) -> Sides:
    """Return how many sides a match of the event has.

    Two where its format is not known.
    """
    try:
        return get_undated_format(event).sides
    except rules.UnknownFormat:
        return DUEL


def get_stage_sides(stage: Stage) -> Sides:
    """Return how many sides a match of a stage has.

    In every mode, a bracket consists of duels.
    """
    return DUEL if stage.is_elimination else get_sides(stage.event)


def get_match_form(event: Event) -> rules.MatchForm:
    """Return how a match is played: games to win and minutes."""
    return next(form for form in get_game(event).match_forms if form.key == event.match_form)


def get_games_to_win(event: Event) -> int:
    """Return games that win a match."""
    return get_match_form(event).games_to_win


def get_agreed_draw_games(event: Event) -> int:
    """Return how many drawn games an intentional draw without games counts as.

    The scoring system records it as that many.
    """
    is_shipped = event.standings_system in system_names()
    return load_system(event.standings_system).agreed_draw_games if is_shipped else 0


def get_concession_rule(event: Event) -> Concession:
    """Return what giving up means in the event's game, with its clause."""
    return timed.concession(event.game, event.rules_version)


def get_own_ending(event: Event, key: str) -> GameEnding | None:
    """Return the ending with that key that the event's game declares.

    None for an ending of every game.
    """
    return next((ending for ending in get_game(event).endings if ending.key == key), None)


def name_ending(event: Event, key: str) -> str:
    """Return the name of an ending in forms.

    An ending that the game does not know is called by its key.
    """
    own = get_own_ending(event, key)
    if own is not None:
        return translate_text(own.label)
    return str(Ending(key).label) if key in Ending.values else key


LAST_TABLE = 9999

OUTSIDE_OFFSET = 1_000_000


class TableNumbers:
    """A converter between the engine's places (1, 2, 3 …) and table numbers.

    It converts both ways. Table numbers are those on the tables. A number that is not the event's own (below
    its first table, or reserved) can still be someone's fixed seat: its place is beyond all others.

    >>> numbers = TableNumbers(first=21, reserved_numbers=[22])
    >>> [numbers.table(place) for place in (1, 2, 3)], numbers.place(24), numbers.table(numbers.place(5))
    ([21, 23, 24], 3, 5)
    """

    __slots__ = ("first", "reserved_numbers")

    def __init__(self, first: int = 1, reserved_numbers: Iterable[int] = ()) -> None:
        self.first = first
        self.reserved_numbers = sorted({number for number in reserved_numbers if number >= first})

    def __iter__(self) -> Iterator[int]:
        """Yield the event's tables, from the first on, without end."""
        reserved_numbers = set(self.reserved_numbers)
        return (number for number in count(self.first) if number not in reserved_numbers)

    def table(self, place: int) -> int:
        """Return the number on the table of a place."""
        if place > OUTSIDE_OFFSET:
            return place - OUTSIDE_OFFSET
        number = self.first + place - 1
        for reserved_table in self.reserved_numbers:
            number += reserved_table <= number
        return number

    def place(self, table: int) -> int:
        """Return the place of a table."""
        below = bisect_left(self.reserved_numbers, table)
        if table < self.first or table in self.reserved_numbers[below : below + 1]:
            return OUTSIDE_OFFSET + table
        return table - self.first + 1 - below
