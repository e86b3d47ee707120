"""Select the cut from Swiss to elimination, with or without diversity.

Pure and generic: a player is any hashable value, and standings are the finishers with their ranks.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Generic, Literal, TypeVar, cast

from rules.names import normalize_name, split_rank_marks
from rules.reason import Param, Reason
from rules.rendering import Problem, render

P = TypeVar("P", bound=Hashable)
ShortCutPolicy = Literal["shrink", "fill"]
DecisionCode = Literal["qualified", "filled", "dropped", "declined", "same_character", "no_place"]


class BadCut(Problem, ValueError):
    """A cut that cannot be made."""


class UndeclaredCharacter(Problem, ValueError):
    """A finisher within reach of a diversity cut has declared no character.

    `player` says who.
    """

    def __init__(self, player: Hashable) -> None:
        super().__init__("character-undeclared", player=str(player))
        self.player = player


@dataclass(frozen=True, slots=True)
class Finisher(Generic[P]):
    """A player after Swiss.

    `character` is the declared one, None if nothing was declared. Players who start without a character share
    one name, such as "no character". `has_dropped` covers disqualified players as well; one who
    `has_declined` does not want the place.
    """

    rank: int
    player: P
    character: str | None = None
    has_dropped: bool = False
    has_declined: bool = False


@dataclass(frozen=True, slots=True)
class Decision(Generic[P]):
    """The reason why a player is in or out.

    `code` is for programs, `why` is what the section `cut` puts into words.
    """

    player: P
    rank: int
    is_in: bool
    code: DecisionCode
    why: Reason

    @property
    def reason(self) -> str:
        """Why, in words."""
        return render("cut", self.why)


@dataclass(frozen=True, slots=True)
class DiversityCut(Generic[P]):
    """The qualified players, by rank, and a decision on every finisher.

    `size` is how many go on, `asked_size` how many were to; `remarks` say what happened if they differ or
    places were filled.
    """

    qualifiers: tuple[Finisher[P], ...]
    decisions: tuple[Decision[P], ...]
    size: int
    asked_size: int
    remarks: tuple[Reason, ...]

    @property
    def note(self) -> str:
        """The remarks in words, empty if there is none."""
        return render("cut", *self.remarks)

    @property
    def bracket_size(self) -> int:
        """The smallest bracket, a power of two, that holds everyone who advances."""
        return 1 << (self.size - 1).bit_length() if self.size else 0

    @property
    def byes(self) -> int:
        """How many first-round places of that bracket stay empty."""
        return self.bracket_size - self.size

    @property
    def is_playable(self) -> bool:
        """Whether there is an opponent at all."""
        return self.size >= 2


def normalize_character(name: str) -> str:
    """Return a character in the form that diversity compares.

    The form has no rank marks, is trimmed, and ignores case.
    """
    return normalize_name(split_rank_marks(name)[0])


def select_diversity_cut(
    finishers: Sequence[Finisher[P]], size: int, *, diversity: bool = True, short: ShortCutPolicy = "shrink"
) -> DiversityCut[P]:
    """Return the best `size` finishers.

    With `diversity`, only the best of each character is included. Dropped players and those who decline are
    passed over and do not block their character. Where characters are too few, `short` says what happens:
    "shrink" leaves the places empty, "fill" gives them to the best players left out. Raises ValueError for a
    size under 1 or a rank that two finishers share, and `UndeclaredCharacter` for the first finisher whose
    place would depend on a missing declaration.
    """
    ranked_finishers = sorted(finishers, key=lambda finisher: finisher.rank)
    _refuse_nonsense(ranked_finishers, size, short)
    first = (
        _chosen_by_character(ranked_finishers, size) if diversity else _list_present(ranked_finishers)[:size]
    )
    filled_places = (
        _left_out(ranked_finishers, first)[: size - len(first)] if diversity and short == "fill" else []
    )
    decide_on = _Decider(first, filled_places, diversity)
    decisions = tuple(map(decide_on.decision, ranked_finishers))
    qualified_finishers = tuple(sorted((*first, *filled_places), key=lambda finisher: finisher.rank))
    return DiversityCut(
        qualified_finishers,
        decisions,
        len(qualified_finishers),
        size,
        _remarks(len(qualified_finishers), size, len(filled_places), diversity),
    )


def pair_bracket_first_round(players: Sequence[P]) -> tuple[tuple[P, P | None], ...]:
    """Return the first round of a bracket seeded by order, best against last.

    None represents a bye. The matches come in the order of the bracket, so that neighbors' winners meet.
    """
    if len(players) < 2:
        return ()
    seeds = [0]
    while len(seeds) < len(players):
        seeds = [place for seed in seeds for place in (seed, 2 * len(seeds) - 1 - seed)]
    bracket_seats = [players[seed] if seed < len(players) else None for seed in seeds]
    pairs = zip(bracket_seats[::2], bracket_seats[1::2], strict=True)
    return tuple((high, low) for high, low in pairs if high is not None)


def _refuse_nonsense(ranked_finishers: Sequence[Finisher[P]], size: int, short: str) -> None:
    if type(size) is not int or size < 1:
        raise BadCut("no-place-in-cut", size=repr(size))
    if short not in ("shrink", "fill"):
        raise BadCut("no-such-policy", policy=repr(short))
    shared_ranks = sorted({high.rank for high, low in pairwise(ranked_finishers) if high.rank == low.rank})
    if shared_ranks:
        raise BadCut("rank-shared", ranks=tuple(shared_ranks))


def _list_present(ranked_finishers: Sequence[Finisher[P]]) -> list[Finisher[P]]:
    return [finisher for finisher in ranked_finishers if not (finisher.has_dropped or finisher.has_declined)]


def _chosen_by_character(ranked_finishers: Sequence[Finisher[P]], size: int) -> list[Finisher[P]]:
    best_finishers: dict[str, Finisher[P]] = {}
    for finisher in _list_present(ranked_finishers):
        if len(best_finishers) == size:
            break
        if finisher.character is None or not finisher.character.strip():
            raise UndeclaredCharacter(finisher.player)
        best_finishers.setdefault(normalize_character(finisher.character), finisher)
    return list(best_finishers.values())


def _left_out(ranked_finishers: Sequence[Finisher[P]], first: Sequence[Finisher[P]]) -> list[Finisher[P]]:
    taken_ranks = {finisher.rank for finisher in first}
    return [finisher for finisher in _list_present(ranked_finishers) if finisher.rank not in taken_ranks]


class _Decider(Generic[P]):
    """Says why each finisher is in or out. Ranks, which no two share, say who is who."""

    def __init__(
        self, first: Sequence[Finisher[P]], filled_places: Sequence[Finisher[P]], diversity: bool
    ) -> None:
        self._first_ranks, self._diversity = {finisher.rank for finisher in first}, diversity
        self._filled_ranks = {finisher.rank for finisher in filled_places}
        named_finishers = [finisher for finisher in first if diversity and finisher.character is not None]
        self._rank_of = {normalize_character(f.character or ""): f.rank for f in reversed(named_finishers)}

    def decision(self, finisher: Finisher[P]) -> Decision[P]:
        """Return the decision on one finisher."""
        why = self._why(finisher)
        code = cast(DecisionCode, why.code.partition(".")[0])
        return Decision(finisher.player, finisher.rank, code in ("qualified", "filled"), code, why)

    def _why(self, finisher: Finisher[P]) -> Reason:
        if finisher.rank in self._first_ranks:
            if self._diversity:
                return decide("qualified.character", character=_name_finisher(finisher))
            return decide("qualified")
        if finisher.rank in self._filled_ranks:
            return decide("filled")
        if finisher.has_dropped:
            return decide("dropped")
        if finisher.has_declined:
            return decide("declined")
        ahead = self._rank_of.get(normalize_character(finisher.character)) if finisher.character else None
        if ahead is not None:
            return decide("same_character", character=_name_finisher(finisher), rank=ahead)
        return decide("no_place")


def decide(code: str, /, **params: Param) -> Reason:
    """Return the reason for a decision of the cut, by the code of its message.

    It says why a player is in or out, or what happened to the cut.
    """
    return Reason(code, params)


def _name_finisher(finisher: Finisher[P]) -> str:
    return split_rank_marks(finisher.character or "")[0]


def _remarks(size: int, requested_size: int, filled_count: int, diversity: bool) -> tuple[Reason, ...]:
    if filled_count and size == requested_size:
        return (decide("places-filled", places=requested_size, filled=filled_count),)
    if size == requested_size:
        return ()
    return (
        decide("places-empty", size=size, places=requested_size, filled=filled_count, diversity=diversity),
    )
