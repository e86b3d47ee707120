"""Read leagues: tables over finished events, linked registrations, permissions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from zoneinfo import ZoneInfo

from django.contrib.auth.models import AnonymousUser, User
from django.db import connection
from django.db.models import QuerySet
from django.utils.translation import gettext

import rules
from decks.shared.cache import SingleFlightCache
from decks.shared.json_shapes import Published
from decks.shared.wording import format_reason
from rules.reason import Param, Reason, Reference, params_from_json, reason
from tournament.access.permissions import RIGHTS_BY_ROLE, Right
from tournament.brackets.selectors.bracket import final_ranking
from tournament.engine.league import (
    EventResult,
    LeagueRegistration,
    LeagueRow,
    PersonGroups,
    Points,
    PointsTable,
    compute_points,
    fold_name,
    group_registrations,
    rank_league,
)
from tournament.events.models.event import Event
from tournament.events.models.player import Player
from tournament.events.models.round import Match, Round
from tournament.events.selectors import get_user_time_zone
from tournament.leagues.models import League, LeagueEvent, LeagueLine, SamePerson
from tournament.log.models import EntryWords
from tournament.log.wording import LogNames
from tournament.shared.awards import load_points

MAX_CACHED_RANKINGS = 128

Viewer = User | AnonymousUser


@dataclass(frozen=True, slots=True)
class RankedEntrant:
    """A player's final place in one event.

    `sharing_count` players have the same place.
    """

    id: int
    number: int
    name: str
    email: str
    place: int
    sharing_count: int


@dataclass(frozen=True, slots=True)
class LeagueEventResult(Published):
    """The result of a person in one event of the table."""

    PUBLISHED = {
        "event": "event.slug",
        "player": "number",
        "place": "place",
        "points": "exact_points",
        "counts": "counts",
    }
    event: Event
    number: int
    place: int
    points: Points
    counts: bool

    @property
    def exact_points(self) -> str:
        """A whole number or a fraction."""
        return str(self.points)


@dataclass(frozen=True, slots=True)
class PersonRow(Published):
    """One person's line; a result is None if they did not play."""

    PUBLISHED = {
        "rank": "rank",
        "is_shared": "is_shared",
        "name": "name",
        "points": "exact_points",
        "results": "played_results",
    }
    rank: int
    is_shared: bool
    name: str
    points: Points
    results: tuple[LeagueEventResult | None, ...]

    @property
    def exact_points(self) -> str:
        """A whole number or a fraction."""
        return str(self.points)

    @property
    def played_results(self) -> tuple[LeagueEventResult, ...]:
        """The results of the events in which they played."""
        return tuple(result for result in self.results if result is not None)


@dataclass(frozen=True, slots=True)
class NamesakeGroup:
    """Registrations of one name that may be one person."""

    name: str
    registrations: tuple[tuple[int, str], ...]


@dataclass(frozen=True, slots=True)
class LeagueTable(Published):
    """The table of a league: past events with everyone's line, and events to come.

    `uncounted_events` are events of another game or team size than the league's.
    """

    PUBLISHED = {
        "events": "finished_slugs",
        "coming": "upcoming_slugs",
        "uncounted": "uncounted_slugs",
        "rows": "rows",
    }
    finished_events: list[Event]
    upcoming_events: list[Event]
    uncounted_events: list[Event]
    rows: list[PersonRow]
    namesakes: list[NamesakeGroup]
    points: PointsTable

    @property
    def finished_slugs(self) -> list[str]:
        """The short names of the events that are over."""
        return [event.slug for event in self.finished_events]

    @property
    def upcoming_slugs(self) -> list[str]:
        """The short names of the events to come."""
        return [event.slug for event in self.upcoming_events]

    @property
    def uncounted_slugs(self) -> list[str]:
        """The short names of the events that do not count."""
        return [event.slug for event in self.uncounted_events]


# Final rankings by event and version.
_ranking_cache: SingleFlightCache[tuple[int, int], tuple[RankedEntrant, ...]] = SingleFlightCache(
    MAX_CACHED_RANKINGS
)


def _ranking_of(event: Event) -> tuple[RankedEntrant, ...]:
    if connection.in_atomic_block:
        return _rank_event(event)
    return _ranking_cache.get_or_compute((event.pk, event.version), lambda: _rank_event(event))


def _rank_event(event: Event) -> tuple[RankedEntrant, ...]:
    final_places, played_ids = final_ranking(event), _find_played_ids(event)
    sharing = Counter(each.place for each in final_places)
    return tuple(
        RankedEntrant(
            each.player.pk,
            each.player.number,
            each.player.name,
            each.player.email,
            each.place,
            sharing[each.place],
        )
        for each in final_places
        if each.player.pk in played_ids
    )


def _find_played_ids(event: Event) -> set[int]:
    """Return players who came to a match.

    A place that no one played for earns no points (Ringside default).
    """
    matches = Match.objects.filter(round__stage__event=event, p2__isnull=False)
    rows = matches.exclude(round__state=Round.State.DRAFT).values_list("p1", "p2", "outcome", "ending")
    played_ids = set()
    for p1, p2, outcome, ending in rows:
        is_no_show = ending == Match.Ending.NO_SHOW
        played_ids |= {p1} if not is_no_show or outcome == Match.Outcome.P1 else set()
        played_ids |= {p2} if not is_no_show or outcome == Match.Outcome.P2 else set()
    return played_ids


def can_manage_league(user: Viewer, league: League) -> bool:
    """Return whether the person may change the league.

    These are its owner and site administrators.
    """
    return user.is_authenticated and (user.is_superuser or league.owner_id == user.pk)


def managed_leagues(user: Viewer) -> QuerySet[League]:
    """Return the leagues that a person runs."""
    if not user.is_authenticated:
        return League.objects.none()
    return League.objects.all() if user.is_superuser else League.objects.filter(owner=user)


def addable_events(user: User, league: League) -> QuerySet[Event]:
    """Return the events that the person manages and the league does not have yet."""
    events = Event.objects.exclude(league_entries__league=league).order_by("-starts_at")
    if user.is_superuser:
        return events
    kinds = [kind for kind, rights in RIGHTS_BY_ROLE.items() if Right.MANAGE in rights]
    return events.filter(staff__user=user, staff__kind__in=kinds)


@dataclass(frozen=True, slots=True)
class Discipline:
    """The contestants of a league: players of one game, or teams of one size."""

    game: str
    team_size: int | None

    @classmethod
    def of(cls, event: Event) -> Discipline:
        """Return the discipline of an event."""
        return cls(event.game, event.team_size)

    @property
    def words(self) -> Reason:
        """The discipline in words: the game and the size of its teams."""
        return reason("discipline", game=rules.get_game(self.game).name, size=self.team_size or 1)


def find_discipline(league: League) -> Discipline | None:
    """Return what the league ranks.

    It follows the event that was added first. None before that. One query.
    """
    return _find_discipline(LeagueEvent.objects.filter(league=league).select_related("event"))


def _find_discipline(entries: Iterable[LeagueEvent]) -> Discipline | None:
    first = min(entries, key=lambda entry: entry.pk, default=None)
    return Discipline.of(first.event) if first else None


def league_table(league: League) -> LeagueTable:
    """Return the places, by the events that are over and public."""
    entries = list(LeagueEvent.objects.filter(league=league).select_related("event"))
    discipline = _find_discipline(entries)
    public_events = [entry.event for entry in entries if entry.event.is_public]
    events = [event for event in public_events if Discipline.of(event) == discipline]
    finished_events = [event for event in events if event.phase == Event.Phase.FINISHED]
    entrants = {event.pk: _ranking_of(event) for event in finished_events}
    groups = _group_people(league, entrants)
    points = load_points(league.points)
    return LeagueTable(
        finished_events=finished_events,
        upcoming_events=[event for event in events if event not in finished_events],
        uncounted_events=[event for event in public_events if Discipline.of(event) != discipline],
        rows=_person_rows(finished_events, entrants, groups.groups, points, league.best_of),
        namesakes=_namesake_groups(finished_events, entrants, groups.namesakes),
        points=points,
    )


def places_by_email(league: League) -> dict[str, int]:
    """Return ranks by email address, case folded; players without one are left out."""
    rank_by_player = {
        (cell.event.pk, cell.number): row.rank
        for row in league_table(league).rows
        for cell in row.results
        if cell is not None
    }
    players = Player.objects.filter(event__in={event for event, _ in rank_by_player}).exclude(email="")
    return {
        email.casefold(): rank_by_player[event, number]
        for event, number, email in players.values_list("event", "number", "email")
        if (event, number) in rank_by_player
    }


def _group_people(league: League, entrants: dict[int, tuple[RankedEntrant, ...]]) -> PersonGroups:
    registrations = [
        LeagueRegistration(each.id, event, each.name, each.email)
        for event, entrant in entrants.items()
        for each in entrant
    ]
    same_person_pairs = SamePerson.objects.filter(league=league).values_list("one_id", "two_id")
    return group_registrations(registrations, same_person_pairs)


def _person_rows(
    finished_events: Sequence[Event],
    entrants: dict[int, tuple[RankedEntrant, ...]],
    groups: Iterable[tuple[int, ...]],
    points: PointsTable,
    best_of: int | None,
) -> list[PersonRow]:
    person_by_player = {pk: group[0] for group in groups for pk in group}
    results: dict[int, list[EventResult]] = {}
    entrant_by_event: dict[tuple[int, int], RankedEntrant] = {}
    names: dict[int, str] = {}
    for event in finished_events:
        for each in entrants[event.pk]:
            person = person_by_player[each.id]
            names[person] = each.name
            if (person, event.pk) not in entrant_by_event:
                entrant_by_event[person, event.pk] = each
                worth = compute_points(points, each.place, each.sharing_count)
                results.setdefault(person, []).append(EventResult(event.pk, each.place, worth))
    rows = rank_league(results, best_of)
    return [_person_row(row, names[row.person], finished_events, entrant_by_event) for row in rows]


def _person_row(
    row: LeagueRow[int],
    name: str,
    finished_events: Sequence[Event],
    entrant_by_event: dict[tuple[int, int], RankedEntrant],
) -> PersonRow:
    result_by_event = {result.event: result for result in row.results}
    cells = tuple(
        LeagueEventResult(
            event, entrant_by_event[row.person, event.pk].number, result.place, result.points, result.counts
        )
        if (result := result_by_event.get(event.pk))
        else None
        for event in finished_events
    )
    return PersonRow(row.rank, row.is_shared, name, row.points, cells)


def _namesake_groups(
    finished_events: Sequence[Event],
    entrants: dict[int, tuple[RankedEntrant, ...]],
    id_groups: Iterable[tuple[int, ...]],
) -> list[NamesakeGroup]:
    name_and_place = {
        each.id: (each.name, _describe_registration(each, event))
        for event in finished_events
        for each in entrants[event.pk]
    }
    groups = [
        NamesakeGroup(name_and_place[ids[0]][0], tuple((pk, name_and_place[pk][1]) for pk in ids))
        for ids in id_groups
    ]
    return sorted(groups, key=lambda each: fold_name(each.name))


def _describe_registration(each: RankedEntrant, event: Event) -> str:
    registration = {"player": each.name, "event": event.name, "number": each.number}
    return gettext("%(player)s, %(event)s, number %(number)s") % registration


def zone_of_league(league: League, reader: User) -> ZoneInfo | None:
    """Return the zone of the league's last event, else of the reader's.

    At most two queries.
    """
    last = league.entries.select_related("event").order_by("-event__starts_at").first()
    return last.event.zone if last else get_user_time_zone(reader)


def to_reason(line: LeagueLine) -> Reason:
    """Return what a line of a league's log says, with its actor."""
    return Reason(line.code, {**params_from_json(line.params), "actor": _get_actor(line)})


def _get_actor(line: LeagueLine) -> Param:
    if line.user_id is not None:
        return Reference("user", line.user_id)
    return line.actor or Reason("deleted_account")


def show_lines(lines: Iterable[LeagueLine]) -> list[LeagueLine]:
    """Return the same lines in words. One query for each kind of name."""
    shown_lines = list(lines)
    reasons = [to_reason(line) for line in shown_lines]
    names = LogNames().collect(reasons)
    for line, each in zip(shown_lines, reasons, strict=True):
        actor = Reason("actor", {"actor": _get_actor(line)})
        line.words = EntryWords(format_reason("log", each, names), format_reason("log", actor, names))
    return shown_lines
