"""Usual structures of events: the stages to start from."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from django.utils.translation import gettext, gettext_lazy

from rules.sides import Sides
from tournament.events.settings import StagePlan

if TYPE_CHECKING:
    from django.utils.functional import Promise


@dataclass(frozen=True, slots=True)
class PlanPreset:
    """A kind of event to start from."""

    key: str
    name: str | Promise
    words: str | Promise
    plan: tuple[StagePlan, ...]

    @property
    def label(self) -> str:
        """Its name, with what it means."""
        return gettext("%(name)s: %(words)s") % {"name": self.name, "words": self.words}


PLAN_PRESETS = (
    PlanPreset(
        "swiss",
        gettext_lazy("Swiss rounds"),
        gettext_lazy("With a cut afterwards if you choose one below."),
        (),
    ),
    PlanPreset(
        "single",
        gettext_lazy("Single elimination"),
        gettext_lazy("A player is out after one loss."),
        (StagePlan("single", third_place=True),),
    ),
    PlanPreset(
        "double",
        gettext_lazy("Double elimination"),
        gettext_lazy(
            "A player is out after two losses. The final is repeated if its loser had not lost before."
        ),
        (StagePlan("double"),),
    ),
    PlanPreset(
        "robin",
        gettext_lazy("Round robin"),
        gettext_lazy("Every player plays every other player."),
        (StagePlan("robin"),),
    ),
    PlanPreset(
        "groups",
        gettext_lazy("Groups, then a bracket"),
        gettext_lazy("Round robins in four groups. The best eight play single elimination."),
        (StagePlan("robin", groups=4), StagePlan("single", size=8)),
    ),
    PlanPreset(
        "groups_of_four",
        gettext_lazy("Groups of four, then a bracket"),
        gettext_lazy("In each group, a player qualifies with two wins and is out after two losses."),
        (StagePlan("groups"), StagePlan("single", size=8)),
    ),
    PlanPreset(
        "swiss_double",
        gettext_lazy("Swiss rounds, then double elimination"),
        gettext_lazy("The best eight of the Swiss rounds play double elimination."),
        (StagePlan("swiss"), StagePlan("double", size=8)),
    ),
)


# Tables of more than two sides are seated in Swiss rounds alone; their final is one of them, or duels.
SIDES_PRESETS = (
    PlanPreset(
        "swiss",
        gettext_lazy("Swiss rounds"),
        gettext_lazy("With duels afterwards if you choose a cut below."),
        (),
    ),
    PlanPreset(
        "final_table",
        gettext_lazy("Swiss rounds, then a final table"),
        gettext_lazy("The best players of the Swiss rounds play one more round at one table."),
        (StagePlan(), StagePlan(rounds=1)),
    ),
    PlanPreset(
        "semi_final_tables",
        gettext_lazy("Swiss rounds, semi-finals and a final table"),
        gettext_lazy("The winners of the semi-final tables play the final."),
        (StagePlan(), StagePlan(rounds=1), StagePlan(rounds=1)),
    ),
)


def list_presets(sides: Sides) -> list[PlanPreset]:
    """Return the presets of a mode.

    The tables of a final are as large as is usual in the mode.
    """
    if sides.is_duel:
        return list(PLAN_PRESETS)
    return [replace(each, plan=_fill_tables(each.plan, sides.usual)) for each in SIDES_PRESETS]


def _fill_tables(plan: tuple[StagePlan, ...], size: int) -> tuple[StagePlan, ...]:
    """Return the same stages with their sizes.

    The final has one table, the round before it one for each seat.
    """
    sizes = [None, size**2, size][: len(plan)] if len(plan) > 2 else [None, size][: len(plan)]
    return tuple(replace(stage, size=players) for stage, players in zip(plan, sizes, strict=True))


def list_preset_choices(sides: Sides) -> list[tuple[str, str]]:
    """Return the presets as choices of a form, in the reader's language."""
    return [(each.key, each.label) for each in list_presets(sides)]


def get_preset(key: str, sides: Sides) -> PlanPreset | None:
    """Return the preset of that name."""
    return next((each for each in list_presets(sides) if each.key == key), None)
