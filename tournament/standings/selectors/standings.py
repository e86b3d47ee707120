"""Standings of an event and points before a round, cached by event version."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

from django.db import connection
from django.db.models import Q
from django.utils.formats import get_format

from decks.shared.cache import SingleFlightCache
from decks.shared.json_shapes import Published
from decks.shared.wording import say_reason
from tournament.engine import records
from tournament.engine.pods.standings import compute_pod_standings
from tournament.engine.pods.system import PlacesSystem, make_places_system
from tournament.engine.problems import EngineError
from tournament.engine.records import Score
from tournament.engine.standings import standing as engine_standing
from tournament.engine.standings.systems.custom import OWN_SYSTEM_KEY, SystemData, own_system, system_to_data
from tournament.engine.standings.systems.labels import name_label
from tournament.events.models.event import Event, Stage
from tournament.events.models.player import Player
from tournament.events.models.round import Match, Round
from tournament.events.selectors import get_standings_rounds
from tournament.events.settings import get_sides
from tournament.shared.text import get_percent_pattern
from tournament.standings.pods import get_place_points, get_pod_points_before, load_pod_event
from tournament.standings.points import RESULT_FIELDS, PointsTally, Scores

CACHED_STANDINGS = 64

DEFAULT_SYSTEM = "ufs"

PERCENTAGE_KINDS = frozenset(
    ("match_win", "opponents_match_win", "opponents_opponents_match_win", "game_win", "opponents_game_win")
)

FRACTION_DIGITS = 4


@dataclass(frozen=True, slots=True)
class TiebreakerValue(Published):
    """A tiebreaker of a line, exact and as shown."""

    key: str
    exact: str
    shown: str


@dataclass(frozen=True, slots=True)
class StandingsLine:
    """One row of a standings table."""

    row: engine_standing.StandingRow
    player: Player
    tiebreakers: tuple[engine_standing.Tiebreaker, ...]

    @property
    def cells(self) -> tuple[str, ...]:
        """Each tiebreaker's value as shown, in the reader's language."""
        return format_tiebreakers(self.row.values, self.tiebreakers)

    @property
    def named_figures(self) -> list[tuple[str, engine_standing.Tiebreaker]]:
        """Return each tiebreaker with its value as shown, without a percent sign."""
        return list(zip(_format_figures(self.row.values, self.tiebreakers), self.tiebreakers, strict=True))

    @property
    def tiebreaker_values(self) -> list[TiebreakerValue]:
        """Each tiebreaker, exact and as shown."""
        values = zip(self.tiebreakers, self.row.values, self.cells, strict=True)
        return [TiebreakerValue(each.key, str(value), shown_value) for each, value, shown_value in values]

    @property
    def exact_points(self) -> str:
        """A whole number or a fraction."""
        return str(self.row.points)

    @property
    def dropped_after(self) -> int | None:
        """Return the round after which the player dropped.

        It is returned only if it is not later than the round of this table.
        """
        return self.player.dropped_after if self.is_dropped else None

    @property
    def rank(self) -> int:
        """The place; shared places have one number."""
        return self.row.rank

    @property
    def is_dropped(self) -> bool:
        """Whether the player had dropped by the round of this table."""
        return self.row.dropped_after is not None

    @property
    def record(self) -> str:
        """Wins, losses and draws as people write them."""
        return f"{self.row.wins}-{self.row.losses}-{self.row.draws}"


def format_tiebreakers(
    values: Sequence[Score], tiebreakers: Sequence[engine_standing.Tiebreaker]
) -> tuple[str, ...]:
    """Return the exact value of each tiebreaker as a table shows it, rounded half up.

    Shares are percentages with one decimal. Other fractions have up to four decimals.
    """
    figures, percent = _format_figures(values, tiebreakers), get_percent_pattern()
    return tuple(
        percent % {"number": figure} if _is_percentage(tiebreaker) else figure
        for figure, tiebreaker in zip(figures, tiebreakers, strict=True)
    )


def _format_figures(values: Sequence[Score], tiebreakers: Sequence[engine_standing.Tiebreaker]) -> list[str]:
    """Return the same without the signs of percentages."""
    point = get_format("DECIMAL_SEPARATOR")
    return [
        _format_figure(value, tiebreaker).replace(".", point)
        for value, tiebreaker in zip(values, tiebreakers, strict=True)
    ]


def _format_figure(value: Score, tiebreaker: engine_standing.Tiebreaker) -> str:
    if _is_percentage(tiebreaker):
        return _round_half_up(value, 1, parts=100)
    if isinstance(value, int):
        return str(value)
    return _round_half_up(value, FRACTION_DIGITS).rstrip("0").rstrip(".")


def _is_percentage(tiebreaker: engine_standing.Tiebreaker) -> bool:
    return tiebreaker.kind_name in PERCENTAGE_KINDS and tiebreaker.params.get("per") != "round"


def _round_half_up(value: Score, digits: int, *, parts: int = 1) -> str:
    """Round half up in integers; fractions take ten times as long in a table."""
    scale = 10**digits
    above, below = abs(value.numerator) * parts, value.denominator
    whole, part = divmod((above * 2 * scale + below) // (2 * below), scale)
    return f"{'-' if value < 0 else ''}{whole}.{part:0{digits}d}"


# The version in the key makes a stale answer impossible.
_standings_cache: SingleFlightCache[tuple[int, int, int | None], tuple[StandingsLine, ...]] = (
    SingleFlightCache(CACHED_STANDINGS)
)


def put_name_into_words(entry: Mapping[str, int | str]) -> dict[str, int | str]:
    """Return a tiebreaker as data, with its name in words if it is built in.

    A built-in tiebreaker is recognized by its label.
    """
    return {
        "name" if key == "label" else key: say_reason(name_label(str(value))) if key == "label" else value
        for key, value in entry.items()
    }


def put_system_into_words(system: engine_standing.System) -> SystemData:
    """Return a system as data, with every name in words."""
    data = system_to_data(system)
    tiebreakers = [put_name_into_words(entry) for entry in data["tiebreakers"]]
    return {**data, "title": say_reason(system.title), "tiebreakers": tiebreakers}


@dataclass(frozen=True, slots=True)
class TiebreakerText(Published):
    """A line of the explanation below standings."""

    key: str
    name: str
    formula: str


@dataclass(frozen=True, slots=True)
class SystemText(Published):
    """A scoring system as data and as text."""

    name: str
    title: str
    source: str
    data: SystemData
    formulas: tuple[TiebreakerText, ...]


def describe_system(system: engine_standing.System) -> SystemText:
    """Return a system with its formulas in words."""
    formulas = tuple(
        TiebreakerText(each.key, say_reason(each.name), say_reason(each.formula))
        for each in system.describe()
    )
    texts = system.name, say_reason(system.title), say_reason(system.source)
    return SystemText(*texts, put_system_into_words(system), formulas)


def scoring_system_of(event: Event) -> engine_standing.System:
    """Return the system that makes the event's standings.

    It is a shipped system or the organizer's own. Tables of more than two sides have points by place.
    """
    if not get_sides(event).is_duel:
        return make_places_system(get_place_points(event))
    try:
        if event.standings_system == OWN_SYSTEM_KEY:
            return own_system(event.own_system)
        return engine_standing.load_system(event.standings_system)
    except EngineError:
        # Services and archives refuse such data; written past them it must not hide the standings.
        return engine_standing.load_system(DEFAULT_SYSTEM)


def standings(event: Event, *, after_round: int | None = None) -> tuple[StandingsLine, ...]:
    """Return the table after the given round, or in its current state.

    Finished matches of a running round count.
    """
    # Inside a step the rows may already have changed while the version has not.
    if connection.in_atomic_block:
        return calculate_standings(event, after_round=after_round)
    key = (event.pk, get_event_version(event), after_round)
    return _standings_cache.get_or_compute(key, lambda: calculate_standings(event, after_round=after_round))


def calculate_standings(
    event: Event, *, after_round: int | None = None, system: engine_standing.System | None = None
) -> tuple[StandingsLine, ...]:
    """Calculate the standings by the event's scoring system or by another."""
    system = system or scoring_system_of(event)
    if isinstance(system, PlacesSystem):
        return _calculate_pod_standings(event, system, after_round)
    players = {player.pk: player for player in event.players.filter(status=Player.Status.REGISTERED)}
    random_numbers = {pk: player.lot for pk, player in players.items()}
    engine_event = _without_later_entries(
        load_engine_event(event, after_round=after_round), players, after_round
    )
    rows = engine_standing.compute_standings(engine_event, system, lots=random_numbers)
    return tuple(build_line(row, players[row.player], system.tiebreakers) for row in rows)


def _calculate_pod_standings(
    event: Event, system: PlacesSystem, after_round: int | None
) -> tuple[StandingsLine, ...]:
    pod_event = load_pod_event(event, after_round=after_round)
    players = event.players.in_bulk(pod_event.players)
    lots = {pk: player.lot for pk, player in players.items()}
    rows = compute_pod_standings(pod_event, system.place_points, lots=lots)
    # A row of such a table has what a reader of standings asks a row for.
    lines = ((cast(engine_standing.StandingRow, row), players[row.player]) for row in rows)
    return tuple(StandingsLine(row, player, system.tiebreakers) for row, player in lines)


def _without_later_entries(
    engine_event: records.Event, players: Mapping[int, Player], after_round: int | None
) -> records.Event:
    """Return an event without those who entered after the requested round.

    What they were given since is removed too.
    """
    if after_round is None:
        return engine_event
    late_ids = {p.id for p in engine_event.players if players[p.id].entered_round > after_round}
    entrants = tuple(p for p in engine_event.players if p.id not in late_ids)
    rounds = tuple(tuple(match for match in each if match.p1 not in late_ids) for each in engine_event.rounds)
    return engine_event._replace(players=entrants, rounds=rounds)


def build_line(
    row: engine_standing.StandingRow, player: Player, tiebreakers: tuple[engine_standing.Tiebreaker, ...]
) -> StandingsLine:
    """Return a row of the engine with its player."""
    return StandingsLine(row=row, player=player, tiebreakers=tiebreakers)


MATCH_FIELDS = ("round_id", "table", "p1_id", "p2_id", "outcome", "p1_games", "p2_games", "draws", "forfeit")


CACHED_EVENTS = 16

_RESULT_BY_OUTCOME: dict[str, records.Result | None] = {
    "": None,
    Match.Outcome.PLACES: None,
    **{each.value: each for each in records.Result},
}

# Standings, outlooks and the arithmetic of every player are made of the same matches.
_event_cache: SingleFlightCache[tuple[int, int, int | None, int | None], records.Event] = SingleFlightCache(
    CACHED_EVENTS
)


def get_event_version(event: Event) -> int:
    """Return the version that an event has now, whenever it was read. One query."""
    return Event.objects.values_list("version", flat=True).get(pk=event.pk)


def load_engine_event(
    event: Event, *, after_round: int | None = None, stage: Stage | None = None
) -> records.Event:
    """Return one stage of an event as the engine reads it.

    Drafts and brackets are left out. It takes at most four queries. Without a `stage` it is the one that
    round `after_round` belongs to, otherwise the last that has a published round. Who left after that round
    has not left yet.
    """
    # Inside a step the rows may already have changed while the version has not.
    if connection.in_atomic_block:
        return _query_engine_event(event, after_round, stage)
    key = (event.pk, get_event_version(event), after_round, stage.pk if stage else None)
    return _event_cache.get_or_compute(key, lambda: _query_engine_event(event, after_round, stage))


def _query_engine_event(event: Event, after_round: int | None, stage: Stage | None) -> records.Event:
    every = get_standings_rounds(event).exclude(state=Round.State.DRAFT).order_by("stage__position", "number")
    published_rounds = list(every.values_list("pk", "number", "stage_id", "stage__position", "stage__kind"))
    if after_round is not None:
        published_rounds = [row for row in published_rounds if row[1] <= after_round]
    shown_stage = (
        (stage.pk, stage.position, stage.kind)
        if stage
        else published_rounds[-1][2:]
        if published_rounds
        else None
    )
    before = sum(shown_stage is not None and row[3] < shown_stage[1] for row in published_rounds)
    players = _load_players(event, shown_stage)
    return records.Event(
        players=tuple(records.Player(id=pk, name=name, order=seed) for pk, name, seed, _ in players),
        rounds=_load_rounds(
            [row[0] for row in published_rounds if shown_stage is not None and row[2] == shown_stage[0]]
        ),
        drops={
            pk: max(drop_round - before, 0)
            for pk, _, _, drop_round in players
            if drop_round is not None and (after_round is None or drop_round <= after_round)
        },
    )


def _load_players(
    event: Event, shown_stage: tuple[int, int, str] | None
) -> list[tuple[int, str, int | None, int | None]]:
    """Return all players of a stage given as key, position and kind.

    They are its entrants. In a first Swiss stage, they are all registered players.
    """
    players = event.players.filter(status=Player.Status.REGISTERED)
    if shown_stage is not None and (shown_stage[1] > 1 or shown_stage[2] != Stage.Kind.SWISS):
        players = players.filter(stage_places__stage_id=shown_stage[0])
    return list(players.order_by("number").values_list("pk", "name", "seed", "dropped_after"))


def _load_rounds(order: list[int]) -> tuple[tuple[records.Match, ...], ...]:
    by_round: dict[int, list[records.Match]] = {pk: [] for pk in order}
    for row in Match.objects.filter(round_id__in=order).order_by("pk").values_list(*MATCH_FIELDS):
        by_round[row[0]].append(_to_engine_match(row))
    return tuple(tuple(by_round[pk]) for pk in order)


def _to_engine_match(row: tuple[Any, ...]) -> records.Match:
    _, table, p1, p2, outcome, p1_games, p2_games, draws, forfeit = row
    return records.Match(
        p1=p1,
        p2=p2,
        result=_RESULT_BY_OUTCOME[outcome],
        p1_games=p1_games,
        p2_games=p2_games,
        draws=draws,
        table=table,
        forfeit=forfeit,
    )


def points_before(round_: Round, players: Collection[int | None] | None = None) -> Scores:
    """Return the points of each player before a round.

    They are those of its stage. For a bracket, they are those of the stage before. Those of `players` alone
    are right, where these are given. One query.
    """
    stage = round_.stage
    if not get_sides(stage.event).is_duel:
        return get_pod_points_before(round_)
    tally = PointsTally(scoring_system_of(stage.event).points)
    position = stage.position - 1 if stage.is_elimination else stage.position
    before = Match.objects.filter(round__stage__event_id=stage.event_id, round__stage__position=position)
    if not stage.is_elimination:
        before = before.filter(round__number__lt=round_.number)
    if players is not None:
        before = before.filter(Q(p1__in=players) | Q(p2__in=players))
    for p1, p2, *outcome in before.values_list("p1_id", "p2_id", *RESULT_FIELDS):
        tally.add_match(p1, p2, tuple(outcome))
    return tally.scores
