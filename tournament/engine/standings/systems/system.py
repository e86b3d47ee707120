"""Scoring system: points of a match, tiebreakers, input conventions."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from rules.reason import Reason, plain_reason
from tournament.engine.records import Event, Match, Score
from tournament.engine.standings.scoring import Points
from tournament.engine.standings.systems.labels import name_label
from tournament.engine.standings.tiebreakers import KINDS, Params

if TYPE_CHECKING:
    from tournament.engine.standings.tiebreakers.base import TiebreakerKind


class Tiebreaker(NamedTuple):
    """One tiebreaker of a system: its kind with parameters, under a key and a name.

    The name is a built-in one, by its `label`, or `own_name`, as someone wrote it.
    """

    key: str
    kind_name: str
    params: Params
    label: str = ""
    own_name: str = ""
    aliases: tuple[str, ...] = ()

    @property
    def name(self) -> Reason:
        """Return what it is called."""
        return name_label(self.label) if self.label else plain_reason(self.own_name)

    @property
    def kind(self) -> TiebreakerKind:
        """Return what computes and explains it."""
        return KINDS[self.kind_name]

    @property
    def formula(self) -> Reason:
        """The formula of the value."""
        return self.kind.formula(self.params)


class TiebreakerDescription(NamedTuple):
    """One line of what is printed under a standing."""

    key: str
    name: Reason
    formula: Reason


@dataclass(frozen=True, slots=True)
class System:
    """Points of a match and the ordered tiebreakers.

    `extra_tiebreakers` are computed and printed but do not rank.
    `forfeits_meet`: in pairing, two who were paired and did not play count as having met. `bye_by_play`: of
    those who can have the bye, one with the fewest unplayed rounds gets it. `agreed_draw_games`: as so many
    drawn games an intentional draw is recorded. `own_title` is what an organizer calls the system; the
    built-in ones have a built-in title.
    """

    name: str
    points: Points
    tiebreakers: tuple[Tiebreaker, ...]
    extra_tiebreakers: tuple[Tiebreaker, ...] = ()
    convention: str = ""
    own_title: str = ""
    forfeits_meet: bool = True
    bye_by_play: bool = False
    agreed_draw_games: int = 0

    @property
    def title(self) -> Reason:
        """Return what it is called."""
        return plain_reason(self.own_title) if self.own_title else Reason(f"system.{self.name}")

    @property
    def source(self) -> Reason:
        """Where it comes from."""
        return Reason(f"system_source.{self.name}")

    def describe(self) -> tuple[TiebreakerDescription, ...]:
        """Return what a match is worth, and each ranking tiebreaker's formula.

        The tiebreakers are in order.
        """
        return describe_values(describe_points(self.points), self.tiebreakers)

    def tiebreaker(self, key: str) -> Tiebreaker | None:
        """Return the tiebreaker under a key or one of its other names.

        None when there is none.
        """
        for tiebreaker in (*self.tiebreakers, *self.extra_tiebreakers):
            if key == tiebreaker.key or key in tiebreaker.aliases:
                return tiebreaker
        return None

    def read(self, event: Event) -> Event:
        """Return the event in the form that the cross table reads.

        It follows the conventions of this system's field.
        """
        return CONVENTIONS[self.convention](event, self.points) if self.convention else event


def describe_points(points: Points) -> Reason:
    """Return what the results of a match are worth."""
    code = "points_worth.games" if points.game_win or points.game_draw else "points_worth"
    return Reason(code, points._asdict())


def describe_values(points: Reason, tiebreakers: Iterable[Tiebreaker]) -> tuple[TiebreakerDescription, ...]:
    """Return what the points are, and the formula of each tiebreaker, in order."""
    lines = (TiebreakerDescription(each.key, each.name, each.formula) for each in tiebreakers)
    return (TiebreakerDescription("points", name_label("pts"), points), *lines)


def read_board_points(event: Event, points: Points) -> Event:
    """Read scores as games where they are board points.

    Board points (25 to 7) stand in place of match points. Scores are board points all through as soon as one
    is more than a win is worth. The points written on a bye may be board points by themselves: those that the
    bye is credited with.
    """
    every = [match for matches in event.rounds for match in matches]
    scores = {score for m in every for score in (m.p1_score, m.p2_score) if score is not None}
    if max(scores, default=0) > points.win:
        return _each(event, lambda m: _scores_as_games(m, points))
    if max((_get_credit(match) for match in every), default=0) > points.win:
        return _each(event, lambda m: _credit_as_games(m, points))
    return event


def _get_credit(match: Match) -> Score:
    return (match.bye_points or 0) if match.p2 is None else 0


def _scores_as_games(match: Match, points: Points) -> Match:
    match = _credit_as_games(match, points)
    first, second = int(match.p1_score or 0), int(match.p2_score or 0)
    match = match._replace(p1_score=None, p2_score=None)
    return match._replace(p1_games=first, p2_games=second) if first or second else match


def _credit_as_games(match: Match, points: Points) -> Match:
    if _get_credit(match) <= points.win:
        return match
    return match._replace(bye_points=None, p1_games=int(_get_credit(match)), p2_games=0)


def _each(event: Event, change: Callable[[Match], Match]) -> Event:
    return event._replace(rounds=tuple(tuple(map(change, matches)) for matches in event.rounds))


CONVENTIONS: dict[str, Callable[[Event, Points], Event]] = {
    "board_points": read_board_points,
}
