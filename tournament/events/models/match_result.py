"""The result of a match as one dataclass.

Columns, forms, API and log take their fields from it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields
from functools import cache
from typing import TYPE_CHECKING, Any, Self

from django.db import models
from django.utils.translation import gettext_lazy, pgettext_lazy

from rules.endings import ENDINGS, LONGEST_KEY
from tournament.engine.boards import Board


class Outcome(models.TextChoices):
    """The winner, if any."""

    PLAYING = "", pgettext_lazy("state", "Playing")
    P1 = "p1", gettext_lazy("First player won")
    P2 = "p2", gettext_lazy("Second player won")
    DRAW = "draw", pgettext_lazy("result", "Draw")
    BYE = "bye", pgettext_lazy("result", "Bye")
    DOUBLE_LOSS = "double_loss", gettext_lazy("Both lost")
    LOSS_NO_OPPONENT = "loss_no_opponent", gettext_lazy("Loss without an opponent")
    PLACES = "places", gettext_lazy("By places")


class Ending(models.TextChoices):
    """Parts of a result that the games do not show.

    A game may declare further ones, by keys of its own.
    """

    PLAYED = "", gettext_lazy("Played out")
    TIME = "time", gettext_lazy("Time was called")
    CONCESSION = "concession", gettext_lazy("Conceded")
    AGREED_DRAW = "agreed_draw", gettext_lazy("Intentional draw")
    NO_SHOW = "no_show", gettext_lazy("No-show")
    LEFT = "left", gettext_lazy("Left the event")
    PENALTY = "penalty", gettext_lazy("Match loss by penalty")
    DISQUALIFIED = "disqualified", gettext_lazy("Disqualified")


ENTERED, REPORTED, COUNTED = "entered", "reported", "counted"


def _column(column: models.Field[Any, Any], *uses: str) -> Any:
    """Return a field of a result: its column, and its uses beside that.

    ENTERED: staff say it. REPORTED: players say it too. COUNTED: standings and pairings depend on it.
    """
    return field(default_factory=column.get_default, metadata={"column": column, "uses": frozenset(uses)})


def _games(label: StrOrPromise) -> Any:
    return _column(models.PositiveSmallIntegerField(label, default=0), ENTERED, REPORTED, COUNTED)


@dataclass(frozen=True, slots=True)
class MatchResult:
    """The stored result of a match.

    `forfeit`: nothing was played, which tiebreakers may ask. `details`: what the game declares as its
    `result_fields`, by key; only what was answered. Where teams play on boards, `p1_games`, `p2_games` and
    `draws` count the `boards`.
    """

    outcome: str = _column(
        models.CharField(max_length=16, choices=Outcome.choices, blank=True, default=""), COUNTED
    )
    p1_games: int = _games(gettext_lazy("games of the first player"))
    p2_games: int = _games(gettext_lazy("games of the second player"))
    draws: int = _games(gettext_lazy("drawn games"))
    ending: str = _column(
        models.CharField(
            gettext_lazy("how it ended"),
            max_length=LONGEST_KEY,
            blank=True,
            default="",
            help_text=f"Empty, {', '.join(ENDINGS)}, or an ending that the game declares.",
        ),
        ENTERED,
        REPORTED,
    )
    forfeit: bool = _column(models.BooleanField(default=False, help_text="Decided without play."))
    consent: bool = _column(
        models.BooleanField(
            gettext_lazy("the opponent accepts it"),
            default=False,
            help_text="The opponent accepted the concession.",
        ),
        ENTERED,
    )
    details: Mapping[str, object] = _column(
        models.JSONField(default=dict, blank=True, help_text="Further facts of the game."),
        ENTERED,
        REPORTED,
    )
    boards: Sequence[Board | None] = _column(
        models.JSONField(
            default=list,
            blank=True,
            help_text="The boards of a team match by seat: games of the first team, of the second, drawn.",
        ),
        ENTERED,
        REPORTED,
    )

    @classmethod
    def of(cls, row: object) -> Self:
        """Return the result that a match has, or what a report says.

        What the row does not have is empty.
        """
        return cls(**{name: getattr(row, name) for name in result_names() if hasattr(row, name)})

    def values(self, use: str = "") -> dict[str, Any]:  # Any: columns of a model
        """Return the columns of a match, or those of one use."""
        return {name: value for name, value in asdict(self).items() if name in result_names(use)}

    @property
    def score(self) -> str:
        """See `format_score`."""
        return format_score(self)


def format_score(result: Any) -> str:
    """Return the games of a result, match or report as people write them: 2-1.

    With a drawn game it is 1-1-1.
    """
    games = f"{result.p1_games}-{result.p2_games}"
    return f"{games}-{result.draws}" if result.draws else games


def iterate_columns(use: str = "") -> Iterator[models.Field[Any, Any]]:
    """Yield a fresh column for each field of a result, under its name.

    If a use is given, only the fields of that use are included.
    """
    for each in fields(MatchResult):
        if not use or use in each.metadata["uses"]:
            column = each.metadata["column"].clone()
            column.name = each.name
            yield column


@cache
def result_names(use: str = "") -> tuple[str, ...]:
    """Return the names of the fields of a result, or of those of one use."""
    return tuple(each.name for each in fields(MatchResult) if not use or use in each.metadata["uses"])


def _columns(name: str, use: str = "") -> type[models.Model]:
    """Return an abstract table with the columns of a result."""
    # A copy has no name yet.
    columns = {each.name: each.clone() for each in iterate_columns(use)}
    return type(
        name,
        (models.Model,),
        {"__module__": __name__, "Meta": type("Meta", (), {"abstract": True}), **columns},
    )


if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

    class ResultColumns(models.Model, MatchResult):
        """The columns of a result in a table."""

        class Meta:
            abstract = True

    class ReportColumns(models.Model, MatchResult):
        """The columns of what a player reports."""

        class Meta:
            abstract = True

else:
    ResultColumns = _columns("ResultColumns")
    ReportColumns = _columns("ReportColumns", REPORTED)

EMPTY_RESULT = MatchResult()
