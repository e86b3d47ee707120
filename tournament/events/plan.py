"""The plan of an event: which stages it is played in, one after the other, read from its settings.

Tables first (Swiss rounds or round robin, as many stages as wanted), then at most one bracket. An event
without a plan of its own plays Swiss rounds and the cut of its settings.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from typing import Any

from decks.shared.refusals import Refused, refuse_all
from tournament.events.models.event import Event, Stage

Kind = Stage.Kind
MOST_STAGES = 6
MOST_GROUPS = 64
MOST_ROUNDS = 30
LARGEST_BRACKET = 512
FIELD = "plan"


@dataclass(frozen=True, slots=True)
class StagePlan:
    """One stage of a plan.

    `rounds` counts Swiss rounds (None: as the field needs). `size` players come in from the stage before
    (None: everybody, in the first stage), chosen `by` "top" or "diversity"; `short` says what a diversity
    cut does with too few characters. `groups` and `twice` are about round robins, `third_place` about a
    single elimination.
    """

    kind: str = Kind.SWISS.value
    rounds: int | None = None
    groups: int = 1
    twice: bool = False
    third_place: bool = False
    size: int | None = None
    by: str = "top"
    short: str = "shrink"

    @property
    def is_bracket(self) -> bool:
        """Whether a lost match can put a player out."""
        return self.kind in (Kind.SINGLE, Kind.DOUBLE)

    @property
    def words(self) -> str:
        """The stage in a few words."""
        third = ", with a match for third place" if self.third_place else ""
        return f"{self._what()}{self._who()}{third}"

    def _what(self) -> str:
        if self.kind == Kind.SWISS:
            return f"{self.rounds} Swiss rounds" if self.rounds else "Swiss rounds"
        if self.kind == Kind.ROBIN:
            twice = " twice" if self.twice else ""
            return f"Round robin{twice}" + (f" in {self.groups} groups" if self.groups > 1 else "")
        return str(Kind(self.kind).label)

    def _who(self) -> str:
        if self.size is None:
            return ""
        return f" of the best {self.size}" + (" of different characters" if self.by == "diversity" else "")

    def as_data(self) -> dict[str, Any]:
        """The stage as it is kept in the event's settings."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class Preset:
    """A kind of event to start from."""

    key: str
    name: str
    words: str
    plan: tuple[StagePlan, ...]


PRESETS = (
    Preset("swiss", "Swiss rounds", "With a cut afterwards if you choose one below.", ()),
    Preset("single", "Single elimination", "Whoever loses is out.", (StagePlan("single", third_place=True),)),
    Preset(
        "double",
        "Double elimination",
        "Whoever loses twice is out; the final is played again if its loser had not lost before.",
        (StagePlan("double"),),
    ),
    Preset("robin", "Round robin", "Everybody meets everybody.", (StagePlan("robin"),)),
    Preset(
        "groups",
        "Groups, then a bracket",
        "Round robins in four groups; the best eight play single elimination.",
        (StagePlan("robin", groups=4), StagePlan("single", size=8)),
    ),
    Preset(
        "swiss_double",
        "Swiss rounds, then double elimination",
        "The best eight of the Swiss rounds play on.",
        (StagePlan("swiss"), StagePlan("double", size=8)),
    ),
)


def preset(key: str) -> Preset | None:
    """The preset of that name."""
    return next((each for each in PRESETS if each.key == key), None)


def plan_of(event: Event) -> tuple[StagePlan, ...]:
    """The stages that the event is played in."""
    if event.plan:
        return tuple(StagePlan(**stage) for stage in event.plan)
    swiss = StagePlan(rounds=event.swiss_rounds)
    if event.cut == Event.Cut.NONE:
        return (swiss,)
    return swiss, StagePlan("single", size=event.cut_size, by=event.cut, short=event.short_cut)


def goes_from_swiss_to_cut(event: Event) -> bool:
    """Whether the plan is Swiss rounds and then the bracket, with nothing between."""
    return [stage.kind == Kind.SWISS for stage in plan_of(event)] == [True, False]


def settings_of(plan: Sequence[StagePlan]) -> dict[str, Any]:
    """The event's own fields that follow from a plan: Swiss rounds and the cut."""
    last = plan[-1]
    has_cut = last.is_bracket and last.size is not None
    return {
        "swiss_rounds": plan[0].rounds,
        "cut": last.by if has_cut else Event.Cut.NONE.value,
        "cut_size": last.size if has_cut else None,
        "short_cut": last.short if has_cut else Event.ShortCut.SHRINK.value,
    }


def read_plan(data: Any) -> tuple[StagePlan, ...]:
    """The stages in data; none for an empty list. Raises Refused with everything that is wrong at once."""
    if not isinstance(data, (list, tuple)) or not all(isinstance(stage, Mapping) for stage in data):
        raise Refused("plan_unreadable", "A plan is a list of stages.", field=FIELD)
    if len(data) > MOST_STAGES:
        raise Refused("plan_too_long", f"An event has at most {MOST_STAGES} stages.", field=FIELD)
    refuse_all([problem for at, stage in enumerate(data, 1) for problem in _type_problems(at, stage)])
    plan = tuple(StagePlan(**stage) for stage in data)
    refuse_all([problem for at, stage in enumerate(plan) for problem in _sense_problems(plan, at, stage)])
    return plan


def _wrong(at: int, words: str, fix: str | None = None) -> Refused:
    return Refused("plan_wrong", f"Stage {at}: {words}", fix=fix or "", field=FIELD)


_NUMBERS = {"rounds": (1, MOST_ROUNDS), "groups": (1, MOST_GROUPS), "size": (2, 9999)}
_WORDS = {
    "kind": tuple(Kind.values),
    "by": (Event.Cut.TOP.value, Event.Cut.DIVERSITY.value),
    "short": tuple(Event.ShortCut.values),
}


def _type_problems(at: int, stage: Mapping[str, Any]) -> Iterator[Refused]:
    names = {field.name for field in fields(StagePlan)}
    for name in sorted(set(map(str, stage)) - names):
        yield _wrong(at, f"there is no “{name}”; a stage has {', '.join(sorted(names))}.")
    for name, words in _WORDS.items():
        value = stage.get(name, words[0])
        if not isinstance(value, str) or value not in words:
            yield _wrong(at, f"“{name}” is one of {', '.join(words)}, not “{value}”.")
    for name, (least, most) in _NUMBERS.items():
        value = stage.get(name, least)
        optional = value is None and name != "groups"
        if not optional and not (type(value) is int and least <= value <= most):
            yield _wrong(at, f"“{name}” is a whole number from {least} to {most}, not “{value}”.")
    for name in ("twice", "third_place"):
        if not isinstance(stage.get(name, False), bool):
            yield _wrong(at, f"“{name}” is true or false.")


def _sense_problems(plan: Sequence[StagePlan], at: int, stage: StagePlan) -> Iterator[Refused]:
    number = at + 1
    if at == 0 and stage.size is not None:
        yield _wrong(number, "the first stage takes everybody.", "Leave its number of players empty.")
    if at > 0:
        yield from _entry_problems(plan, at, stage)
    if stage.is_bracket and number < len(plan):
        yield _wrong(number, "nothing follows a bracket.", "Put the bracket last.")
    if stage.rounds is not None and stage.kind != Kind.SWISS:
        yield _wrong(number, "only Swiss rounds are counted beforehand.", "Leave its rounds empty.")
    if (stage.groups > 1 or stage.twice) and stage.kind != Kind.ROBIN:
        yield _wrong(number, "only a round robin is played in groups or twice.")
    if stage.size is not None and stage.groups * 2 > stage.size:
        yield _wrong(number, f"{stage.size} players cannot fill {stage.groups} groups of two.")
    if stage.third_place and stage.kind != Kind.SINGLE:
        yield _wrong(number, "a match for third place belongs to a single elimination.")
    elif stage.third_place and stage.size is not None and stage.size < 4:
        yield _wrong(number, "a match for third place needs four players.")


def _entry_problems(plan: Sequence[StagePlan], at: int, stage: StagePlan) -> Iterator[Refused]:
    before = plan[at - 1].size
    if stage.size is None:
        yield _wrong(at + 1, "say how many players come in.")
    elif before is not None and stage.size > before:
        yield _wrong(at + 1, f"{stage.size} players cannot come out of a stage of {before}.")
    elif stage.is_bracket and stage.size > LARGEST_BRACKET:
        yield _wrong(at + 1, f"a bracket after other stages has at most {LARGEST_BRACKET} places.")
    if stage.by == "diversity" and (not stage.is_bracket or plan[at - 1].kind != Kind.SWISS):
        yield _wrong(at + 1, "a diversity cut leads from Swiss rounds into a bracket.")
