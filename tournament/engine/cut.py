"""Select the cut from standings: seeds, alternates and a reason per player.

The rule itself (the best so many, or the best of each character) is `rules.cuts`; here it meets standings
with their shared ranks, players who are disqualified, have dropped or decline, and those who move up.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Literal

from rules.cuts import (
    Decision,
    DiversityCut,
    Finisher,
    UndeclaredCharacter,
    normalize_character,
    select_diversity_cut,
)
from rules.reason import Param, Reason, Reference, reason
from tournament.engine.problems import EngineError, make_error, problem, refer_to_player, refer_to_players
from tournament.engine.records import PlayerId
from tournament.engine.standings.standing import StandingRow

Short = Literal["shrink", "fill"]
Decided = tuple[StandingRow, Decision[PlayerId]]

DISQUALIFIED = reason("disqualified")


@dataclass(frozen=True, slots=True)
class CutPlace:
    """A place in the bracket: seed 1 is the best finisher of those who advance."""

    seed: int
    player: PlayerId


@dataclass(frozen=True, slots=True)
class CutDecision:
    """Why a player is in or out.

    `rank` is that of the standing, shared ranks included.
    """

    player: PlayerId
    rank: int
    is_in: bool
    reason: Reason

    @property
    def code(self) -> str:
        """The code of the reason, without the variant of its words."""
        return self.reason.code.partition(".")[0]


@dataclass(frozen=True, slots=True)
class CutResult:
    """The qualified players, with reasons.

    `notes` say when places stay empty, were filled, or were decided at random. `reserves` are those who would
    come in if the cut were larger, in order; who moves up for a certain player depends on their character:
    that is the cut with that player among those who declined.
    """

    places: tuple[CutPlace, ...]
    decisions: tuple[CutDecision, ...]
    reserves: tuple[PlayerId, ...]
    size: int
    asked_size: int
    notes: tuple[Reason, ...]


@dataclass(frozen=True, slots=True)
class _Finishers:
    """The finishers and how to cut them."""

    finishers: tuple[Finisher[PlayerId], ...]
    diversity: bool
    short: Short

    def cut(self, size: int) -> DiversityCut[PlayerId]:
        return select_diversity_cut(self.finishers, size, diversity=self.diversity, short=self.short)

    def character_keys(self) -> dict[PlayerId, str]:
        """Return the characters in the form in which diversity compares them.

        A player without a character represents themselves.
        """
        return {
            f.player: normalize_character(f.character) if f.character else f"{f.player}"
            for f in self.finishers
        }


def select_cut(
    rows: Sequence[StandingRow],
    size: int,
    *,
    diversity: bool = False,
    characters: Mapping[PlayerId, str | None] | None = None,
    short: Short = "shrink",
    decliners: Collection[PlayerId] = (),
    disqualified_players: Collection[PlayerId] = (),
    reserves: int = 0,
) -> CutResult:
    """Select the best `size` of a standing.

    With `diversity`, select the best of each character. Players who have dropped, are disqualified or decline
    are passed over. Where characters are too few, `short` leaves places empty ("shrink") or gives them to the
    best players left out ("fill"). `reserves` asks for that many who would come next. Raises EngineError for
    a size under 1, for every undeclared character within reach, and for a rank shared across the line between
    players without random numbers.
    """
    if size < 1:
        raise make_error("cut-size", size=size)
    field = _Finishers(_finishers(rows, characters or {}, decliners, disqualified_players), diversity, short)
    _refuse_undeclared(field, size + reserves)
    cut = field.cut(size)
    qualified_players = {finisher.player for finisher in cut.qualifiers}
    ties = _find_ties(rows, cut, field)
    return CutResult(
        places=tuple(CutPlace(seed, finisher.player) for seed, finisher in enumerate(cut.qualifiers, 1)),
        decisions=_decisions(rows, cut, disqualified_players),
        reserves=tuple(
            f.player for f in field.cut(size + reserves).qualifiers if f.player not in qualified_players
        ),
        size=cut.size,
        asked_size=size,
        notes=(*cut.remarks, *ties),
    )


def _finishers(
    rows: Sequence[StandingRow],
    characters: Mapping[PlayerId, str | None],
    decliners: Collection[PlayerId],
    disqualified_players: Collection[PlayerId],
) -> tuple[Finisher[PlayerId], ...]:
    return tuple(
        Finisher(
            rank=place,
            player=row.player,
            character=characters.get(row.player),
            has_dropped=row.dropped_after is not None or row.player in disqualified_players,
            has_declined=row.player in decliners,
        )
        for place, row in enumerate(rows, 1)
    )


def _refuse_undeclared(field: _Finishers, size: int) -> None:
    """Find every player whose missing declaration matters, not only the first."""
    try:
        field.cut(size)
        return
    except UndeclaredCharacter:
        declared_finishers = tuple(_as_declared(finisher) for finisher in field.finishers)
    qualified_finishers = replace(field, finishers=declared_finishers).cut(size).qualifiers
    undeclared_players = {
        finisher.player for finisher in field.finishers if not (finisher.character or "").strip()
    }
    raise EngineError(
        problem("character-undeclared.cut", player=refer_to_player(finisher.player))
        for finisher in qualified_finishers
        if finisher.player in undeclared_players
    )


def _as_declared(finisher: Finisher[PlayerId]) -> Finisher[PlayerId]:
    """Return the finisher with a character of their own if none is declared."""
    if (finisher.character or "").strip():
        return finisher
    return replace(finisher, character=f"undeclared {finisher.player}")


def _decisions(
    rows: Sequence[StandingRow], cut: DiversityCut[PlayerId], disqualified_players: Collection[PlayerId]
) -> tuple[CutDecision, ...]:
    decisions = []
    for row, decision in zip(rows, cut.decisions, strict=True):
        why = DISQUALIFIED if row.player in disqualified_players else decision.why
        decisions.append(CutDecision(row.player, row.rank, decision.is_in, why))
    return tuple(decisions)


def _find_ties(
    rows: Sequence[StandingRow], cut: DiversityCut[PlayerId], field: _Finishers
) -> tuple[Reason, ...]:
    """Return a reason for each rank that players in and out share.

    A rank counts only if nothing but the order of its players decided. Raises EngineError without random
    numbers, with every such rank.
    """
    levels = list(_levels(list(zip(rows, cut.decisions, strict=True)), field.character_keys()))
    shared_params: list[dict[str, Param]] = [
        {
            "players": refer_to_players(row.player for row in level),
            "place": Reference("place", level[0].rank),
        }
        for level in levels
    ]
    if levels and not levels[0][0].has_lots:
        raise EngineError(problem("cut-tied", **params) for params in shared_params)
    return tuple(reason("rank_drawn", **params) for params in shared_params)


def _levels(
    decided_places: Sequence[Decided], characters: Mapping[PlayerId, str]
) -> Iterator[list[StandingRow]]:
    """Yield, by rank, players of one rank of whom some are in and others out.

    Those who are out lack a place.
    """
    for _, group in groupby(decided_places, key=lambda pair: pair[0].rank):
        level = list(group)
        rivals = _rivals(level, characters)
        if rivals:
            yield [row for row, _ in level if row.player in rivals]


def _rivals(level: Sequence[Decided], characters: Mapping[PlayerId, str]) -> set[PlayerId]:
    """Return players of one rank who are in or out because of their order alone.

    Of two of them, the second, who is out, would be in had they come before the first: for want of a place,
    or because the first is of the same character or fills a place.
    """
    inside = [pair for pair in level if pair[1].is_in]
    outside = [(row.player, decision.code) for row, decision in level if not decision.is_in]
    no_place = {player for player, code in outside if code == "no_place"}
    if no_place and inside:
        no_place |= {row.player for row, _ in inside}
    taken_characters = {characters[player] for player, code in outside if code == "same_character"}
    rivals = {
        row.player
        for row, decision in inside
        if taken_characters and (decision.code == "filled" or characters[row.player] in taken_characters)
    }
    open_to = {characters[player] for player in rivals}
    is_filled = any(decision.code == "filled" for _, decision in inside)
    beaten_players = {
        player
        for player, code in outside
        if code == "same_character" and (is_filled or characters[player] in open_to)
    }
    return (no_place if inside else set()) | rivals | beaten_players
