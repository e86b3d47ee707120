"""Problems of an input, each with a stable code and the facts of this case."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple

from rules.reason import Param, Reason, Reference

if TYPE_CHECKING:
    # Fractions load slowly, and help asks for none.
    from tournament.engine.records import PlayerId

SECTION = "problem"


class EngineProblem(NamedTuple):
    """One thing that is wrong.

    `where` names the place in the input, such as round 3, match 2.
    """

    reason: Reason
    where: Reason | None = None

    @property
    def code(self) -> str:
        """The code, without the variant of its words."""
        return self.reason.code.partition(".")[0]

    @property
    def place(self) -> str:
        """The place in the input in words; empty if the problem has none."""
        # Messages load slowly, and nothing is wrong with most inputs.
        from tournament.engine.wording import format_words

        return format_words("place", self.where) if self.where else ""

    def at(self, where: Reason | None) -> EngineProblem:
        """Return the same at a place of the input."""
        return EngineProblem(self.reason, where)

    def __str__(self) -> str:
        from tournament.engine.wording import format_sentence

        words = format_sentence(SECTION, self.reason)
        return f"{self.place}: {words}" if self.where else words


class EngineError(ValueError):
    """Raised when an input cannot be worked on.

    `problems` holds every problem that was found.
    """

    def __init__(self, problems: Iterable[EngineProblem]) -> None:
        self.problems = tuple(problems)
        super().__init__(*self.problems)

    def __str__(self) -> str:
        return " ".join(map(str, self.problems))


def problem(code: str, /, **params: Param) -> EngineProblem:
    """Return a problem with the facts of the case by name."""
    return EngineProblem(Reason(code, params))


def refer_to_player(player: PlayerId) -> Reference:
    """Return a player as a parameter of a problem or reason."""
    return Reference("player", player)


def refer_to_players(players: Iterable[PlayerId]) -> tuple[Reference, ...]:
    """Return several players as a parameter of a problem or reason."""
    return tuple(map(refer_to_player, players))


def raise_problems(problems: Iterable[EngineProblem]) -> None:
    """Raise EngineError when there is at least one problem; do nothing otherwise."""
    problem_list = tuple(problems)
    if problem_list:
        raise EngineError(problem_list)


def make_error(code: str, /, **params: Param) -> EngineError:
    """Return an EngineError for a single problem."""
    return EngineError((problem(code, **params),))
