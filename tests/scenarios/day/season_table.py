"""A slow second calculation of a league table.

It gets places, people and points, each by its definition.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from fractions import Fraction

from tournament.events.models.event import Event
from tournament.events.models.player import Player
from tournament.leagues.models import League
from tournament.penalties.models import Penalty
from tournament.standings.selectors.standings import standings

OURS = {1: 20, 2: 16, 3: 13, 4: 11, 5: 8, 6: 8}
Line = tuple[int, str, Fraction | int, frozenset[tuple[int, int, Fraction | int]]]


@dataclass(frozen=True)
class Reached:
    """A registration and its place in its event, worth so much."""

    player: Player
    place: int
    points: Fraction


def expected_table(league: League) -> Counter[Line]:
    """Rank, name, points and the places behind them, of everyone."""
    over = [
        entry.event
        for entry in league.entries.select_related("event").order_by("event__starts_at", "event_id")
        if entry.event.phase == Event.Phase.FINISHED
    ]
    places = [each for event in over for each in _places(league, event)]
    keys = [(_key(league, person), person) for person in _people(league, places)]
    return Counter(
        (
            1 + sum(other > key for other, _ in keys),
            person[-1].player.name,
            key[0],
            frozenset((e.player.event_id, e.place, e.points) for e in _one_an_event(person)),
        )
        for key, person in keys
    )


def _places(league: League, event: Event) -> list[Reached]:
    """Return the place of everyone who is not disqualified.

    Players who share a place share its points.
    """
    out = set(
        Penalty.objects.filter(event=event, degree="disqualification").values_list("player_id", flat=True)
    )
    lines = [line for line in standings(event) if line.player.pk not in out]
    reached_states = []
    for line in lines:
        better = sum(other.rank < line.rank for other in lines)
        same = sum(other.rank == line.rank for other in lines)
        worth = Fraction(sum(_worth(league, better + 1 + n) for n in range(same)), same)
        reached_states.append(Reached(line.player, better + 1, worth))
    return reached_states


def _worth(league: League, place: int) -> int:
    if not league.points:
        return OURS[place]
    spans = [points for first, last, points in league.points["spans"] if first <= place <= last]
    return int(spans[0] if spans else league.points["others"])


def _people(league: League, places: list[Reached]) -> list[list[Reached]]:
    """Return the registrations of each person.

    They are matched by email address, by a merge, then by a unique name.
    """
    groups = [{each.player.pk} for each in places]
    people = {each.player.pk: each.player for each in places}
    for one, two in league.persons.values_list("one_id", "two_id"):
        if one in people and two in people:
            groups = _join_groups(groups, {one, two})
    mails = {player.email.casefold() for player in people.values()} - {""}
    for mail in sorted(mails):
        groups = _join_groups(groups, {pk for pk, p in people.items() if p.email.casefold() == mail})
    for name in dict.fromkeys(player.name.casefold() for player in people.values()):
        bearers = {pk for pk, p in people.items() if p.name.casefold() == name}
        of_name = [group & bearers for group in groups if group & bearers]
        recipient = [group for group in of_name if any(people[pk].email for pk in group)]
        played_events = [event for group in of_name for event in {people[pk].event_id for pk in group}]
        if len(recipient) <= 1 and len(played_events) == len(set(played_events)):
            groups = _join_groups(groups, bearers)
    return [[each for each in places if each.player.pk in group] for group in groups]


def _join_groups(groups: list[set[int]], these: set[int]) -> list[set[int]]:
    apart = [group for group in groups if not group & these]
    return [*apart, set().union(*(group for group in groups if group & these))]


def _one_an_event(person: list[Reached]) -> list[Reached]:
    """Count the better of two registrations of a player in one event."""
    by_event: dict[int, Reached] = {}
    for each in sorted(person, key=lambda each: each.place):
        by_event.setdefault(each.player.event_id, each)
    return list(by_event.values())


def _key(league: League, person: list[Reached]) -> tuple[Fraction, tuple[Fraction, ...]]:
    points = sorted((each.points for each in _one_an_event(person)), reverse=True)[: league.best_of]
    return sum(points, Fraction(0)), tuple(points)
