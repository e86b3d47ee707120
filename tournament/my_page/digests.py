"""A small digest for each player.

It changes when something on the page of this player changes. All digests of an event are made at once from
rows as the database has them, and kept for its version: a phone that asks costs one small query. Whatever a
private page shows of the database has its source here.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import chain
from operator import ne

from django.db import connection
from django.db.models import JSONField, Model, TextField
from django.db.models.functions import Cast

from decks.shared.cache import SingleFlightCache
from tournament.brackets.selectors.bracket import champion_of_event
from tournament.clock.models import ClockEntry
from tournament.events.models.event import Event, StageEntrant
from tournament.events.models.player import Player
from tournament.events.models.round import Match, ResultReport, Round, Seat
from tournament.events.selectors import get_published_rounds
from tournament.judging.models import JudgeCall
from tournament.penalties.models import Penalty
from tournament.registration.selectors import waiting_players
from tournament.standings.selectors.outlook import outlooks
from tournament.standings.selectors.player import settled_ranks

CACHED_EVENTS = 8
# Processor time of one reload and of one request for the digest, with room for staff beside them.
PAGE_MILLISECONDS = 10
QUESTION_MILLISECONDS = 2
LEAST_SPREAD = 300

# Values that a match shows for both players, besides its own columns.
OPPONENTS = (
    "p1__name",
    "p2__name",
    "p1__number",
    "p2__number",
    "p1__status",
    "p2__status",
)
MEMBERS = ("p1__members", "p2__members")

Facts = dict[int, list[object]]
SeatRow = tuple[int, int, str, int | None]


@dataclass(frozen=True, slots=True)
class Digests:
    """The digests of one version by player.

    It also says how many players have a new digest since the last version. `judged_players` are players with
    a call or a penalty: the page of no one else has to look for them.
    """

    by_player: Mapping[int, str]
    changed_count: int
    judged_players: frozenset[int]

    @property
    def spread(self) -> int:
        """Milliseconds over which the players with a new digest load their pages."""
        return max(LEAST_SPREAD, self.changed_count * PAGE_MILLISECONDS)

    @property
    def question_spread(self) -> int:
        """Milliseconds over which all phones ask for their digests."""
        return max(LEAST_SPREAD, len(self.by_player) * QUESTION_MILLISECONDS)


_digest_cache: SingleFlightCache[tuple[int, int], Digests] = SingleFlightCache(CACHED_EVENTS)
_latest: dict[int, Digests] = {}


def load_digests(event: int, version: int) -> Digests:
    """Return the digests of an event, made once for each of its versions."""
    # Inside a step the rows may already have changed while the version has not.
    if connection.in_atomic_block:
        return _make_digests(event)
    return _digest_cache.get_or_compute((event, version), lambda: _make_digests(event))


def find_version(token: str) -> tuple[int, int, int] | None:
    """Find player, event and version behind a private link; None for an unknown one.

    One small query.
    """
    row = (
        Player.objects.filter(token=token)
        .values_list("pk", "merged_into_id", "event_id", "event__version")
        .first()
    )
    return (row[1] or row[0], row[2], row[3]) if row else None


def find_follower(token: str) -> tuple[int, int, str] | None:
    """Find player, event and address behind a private link of a public event.

    One small query.
    """
    rows = Player.objects.filter(token=token).exclude(event__phase=Event.Phase.PREPARING)
    row = rows.values_list("pk", "merged_into_id", "event_id", "event__slug").first()
    return (row[1] or row[0], row[2], row[3]) if row else None


def _make_digests(pk: int) -> Digests:
    event = Event.objects.get(pk=pk)
    own_rows = list(_list_own_rows(event))
    judged_players = frozenset(player for player, _ in own_rows)
    facts = _collect_facts(event, own_rows)
    shared_facts_text = repr(_collect_shared_facts(event))
    by_player = {
        player: _hash(shared_facts_text, repr(player_facts)) for player, player_facts in facts.items()
    }
    before = _latest.get(pk)
    earlier_digests = before.by_player if before else {}
    changed_count = sum(ne(earlier_digests.get(player), digest) for player, digest in by_player.items())
    digests = Digests(by_player, changed_count, judged_players)
    _latest[pk] = digests
    return digests


def _hash(*parts: str) -> str:
    return hashlib.blake2b("\n".join(parts).encode(), digest_size=9).hexdigest()


def _columns(model: type[Model]) -> list[str | Cast]:
    return [
        _as_text(field.attname) if isinstance(field, JSONField) else field.attname
        for field in model._meta.concrete_fields
    ]


def _as_text(column: str) -> Cast:
    """Return a JSON column as the database has it: a digest needs no values in it."""
    return Cast(column, TextField())


def _collect_shared_facts(event: Event) -> list[object]:
    """Return what every private page shows of the event, its rounds and its clock."""
    champion = champion_of_event(event)
    rounds = Round.objects.filter(stage__event=event).exclude(state=Round.State.DRAFT).order_by("pk")
    clock = ClockEntry.objects.filter(round__stage__event=event, match=None).order_by("pk")
    return [
        [getattr(event, field.attname) for field in Event._meta.concrete_fields if field.name != "version"],
        list(event.stages.order_by("pk").values_list()),
        list(rounds.values_list("pk", "state", "published_at", "amended_at")),
        list(clock.values_list("pk")),
        list(event.build_clock.order_by("pk").values_list("pk")),
        list(event.pod_seats.order_by("pk").values_list("pk")),
        champion.pk if champion else None,
    ]


def _collect_facts(event: Event, own_rows: Iterable[tuple[int, object]]) -> Facts:
    facts: Facts = defaultdict(list)
    for row in event.players.order_by("pk").values_list("pk", *_columns(Player)):
        facts[row[0]].append(row)
    others = (_list_matches, _list_places, _list_decklists, _list_standings, _list_outlooks)
    for player, fact in chain(own_rows, *(source(event) for source in others)):
        if player in facts:
            facts[player].append(fact)
    for place, player in enumerate(waiting_players(event).values_list("pk", flat=True)):
        facts[player].append(("waits", place))
    return dict(facts)


def _list_matches(event: Event) -> Iterator[tuple[int, object]]:
    """Yield each player's own matches, with reports and time extensions.

    A match has the opponent's name. Extensions are those of the player's own table.
    """
    matches = Match.objects.filter(round__stage__event=event).exclude(round__state=Round.State.DRAFT)
    players_of: dict[int, tuple[int | None, ...]] = {}
    sides = _list_sides(event)
    for row in matches.order_by("pk").values_list(
        "pk", "p1", "p2", *OPPONENTS, *map(_as_text, MEMBERS), *_columns(Match)
    ):
        seats = sides.get(row[0], [])
        players_of[row[0]] = tuple(seat[1] for seat in seats) or (row[1], row[2])
        yield from _for_both(players_of[row[0]], (row, seats))
    reports = ResultReport.objects.filter(match__in=matches).order_by("pk")
    clock = ClockEntry.objects.filter(match__in=matches).order_by("pk")
    for row in (*reports.values_list("match", *_columns(ResultReport)), *clock.values_list("match", "pk")):
        yield from _for_both(players_of.get(row[0], ()), row)


def _list_sides(event: Event) -> Mapping[int, list[SeatRow]]:
    """Return the seats of tables with more than two sides, by match.

    Each seat has the player's name and place.
    """
    sides: defaultdict[int, list[SeatRow]] = defaultdict(list)
    seats = Seat.objects.filter(round__stage__event=event, side__gt=0).order_by("match_id", "side")
    for row in seats.values_list("match_id", "player_id", "player__name", "place"):
        sides[row[0]].append(row)
    return sides


def _for_both(players: Iterable[int | None], fact: object) -> Iterator[tuple[int, object]]:
    yield from ((player, fact) for player in players if player is not None)


def _list_own_rows(event: Event) -> Iterator[tuple[int, object]]:
    """Yield own calls and penalties."""
    calls = JudgeCall.objects.filter(event=event).order_by("pk").values_list("player", *_columns(JudgeCall))
    penalties = Penalty.objects.filter(event=event).order_by("pk").values_list("player", *_columns(Penalty))
    yield from ((row[0], row) for row in (*calls, *penalties))


def _list_places(event: Event) -> Iterator[tuple[int, object]]:
    """Yield places in later stages."""
    places = StageEntrant.objects.filter(stage__event=event).order_by("pk")
    yield from ((row[0], row) for row in places.values_list("player", "pk", "seed"))


def _list_decklists(event: Event) -> Iterator[tuple[int, object]]:
    """Yield the list that counts, and all that was said of it since."""
    counting = Player.objects.filter(event=event, deck_list__current__isnull=False).order_by("pk")
    current = "deck_list__current"
    lists = [counting.values_list("pk", "team_id", current)]
    for relation in ("rechecks", "rulings", "answers"):
        rows = counting.filter(**{f"{current}__{relation}__isnull": False}).order_by(f"{current}__{relation}")
        lists.append(rows.values_list("pk", "team_id", f"{current}__{relation}"))
    # The page of a team shows the lists of its members.
    yield from ((team or player, row) for player, team, row in chain.from_iterable(lists))


def _list_standings(event: Event) -> Iterator[tuple[int, object]]:
    """Yield the rank of each player after the last complete round.

    A player's points and record follow from the player's own matches.
    """
    latest = settled_ranks(event, get_published_rounds(event))
    yield from ((player, (latest.after, rank)) for player, rank in latest.ranks.items())


def _list_outlooks(event: Event) -> Iterator[tuple[int, object]]:
    for player, outlook in outlooks(event).items():
        yield player, (outlook.outlook, outlook.method, outlook.results)
