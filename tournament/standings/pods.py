"""Tables of more than two sides as the engine reads them.

They are read as rounds, points and who sat together.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Sequence
from fractions import Fraction

from tournament.engine.pods.results import PodEvent, PodMatch
from tournament.engine.pods.standings import tally_pods
from tournament.engine.records import PlayerId, Score
from tournament.engine.standings.systems.loading import exact_number
from tournament.events.models.event import Event
from tournament.events.models.player import Player
from tournament.events.models.round import Match, Round, Seat
from tournament.events.selectors import get_standings_rounds
from tournament.events.settings import get_sides

RoundTables = dict[int, dict[int, PodMatch]]


def get_place_points(event: Event) -> tuple[Score, ...]:
    """Return the points for the places at a table.

    They are those of the organizer, else those of the format.
    """
    own = [exact_number(value) for value in event.place_points]
    points = tuple(value for value in own if value is not None)
    return points or get_sides(event).points


def load_pod_rounds(rounds: Collection[int]) -> RoundTables:
    """Return the tables of these rounds.

    They are by the number of the round and the id of the match. It takes one query.
    """
    seats = Seat.objects.filter(round_id__in=rounds).order_by("round__number", "match_id", "side", "pk")
    columns = seats.values_list("round__number", "match_id", "match__outcome", "player_id", "place")
    players: defaultdict[tuple[int, int], list[tuple[PlayerId, int | None]]] = defaultdict(list)
    outcomes: dict[int, str] = {}
    for number, match, outcome, player, place in columns:
        players[number, match].append((player, place))
        outcomes[match] = outcome
    tables: RoundTables = defaultdict(dict)
    for (number, match), placed_players in players.items():
        tables[number][match] = _build_table(outcomes[match], placed_players)
    return tables


def _build_table(outcome: str, placed_players: Sequence[tuple[PlayerId, int | None]]) -> PodMatch:
    players = tuple(player for player, _ in placed_players)
    if outcome == Match.Outcome.BYE:
        return PodMatch(players, (1,))
    places = tuple(place for _, place in placed_players if place is not None)
    return PodMatch(players, places if len(places) == len(players) and outcome else ())


def load_pod_event(event: Event, *, after_round: int | None = None) -> PodEvent:
    """Return the published rounds of one stage.

    It is the last stage, or the stage of a given round, up to that round. It takes four queries.
    """
    rounds = get_standings_rounds(event).exclude(state=Round.State.DRAFT).order_by("number")
    if after_round is not None:
        rounds = rounds.filter(number__lte=after_round)
    rows = list(rounds.values_list("pk", "stage_id", "stage__position"))
    stage_id, position = rows[-1][1:] if rows else (None, 1)
    tables = load_pod_rounds([pk for pk, stage, _ in rows if stage == stage_id])
    before = sum(stage != stage_id for _, stage, _ in rows)
    players = event.players.filter(status=Player.Status.REGISTERED).order_by("number")
    if stage_id is not None and position > 1:
        players = players.filter(stage_places__stage_id=stage_id)
    if after_round is not None:
        players = players.filter(entered_round__lte=max(after_round, 1))
    drops = list(players.values_list("pk", "dropped_after"))
    seated_players = {
        player for each in tables.values() for match in each.values() for player in match.players
    }
    ids = [pk for pk, _ in drops]
    return PodEvent(
        (*ids, *sorted(seated_players - set(ids))),
        tuple(tuple(tables[number].values()) for number in sorted(tables)),
        {
            pk: max(drop_round - before, 0)
            for pk, drop_round in drops
            if drop_round is not None and (after_round is None or drop_round <= after_round)
        },
    )


def get_pod_points_before(round_: Round) -> defaultdict[int, Score]:
    """Return the points of each player before a round.

    They are those of its stage. For a bracket, they are those of the stage before.
    """
    stage, event = round_.stage, round_.stage.event
    earlier = Round.objects.filter(stage__event=event).exclude(state=Round.State.DRAFT)
    if stage.is_elimination:
        earlier = earlier.filter(stage__position=stage.position - 1)
    else:
        earlier = earlier.filter(stage=stage, number__lt=round_.number)
    tables = load_pod_rounds(list(earlier.values_list("pk", flat=True)))
    pod_event = PodEvent(
        tuple({player for each in tables.values() for match in each.values() for player in match.players}),
        tuple(tuple(each.values()) for each in tables.values()),
    )
    scores: defaultdict[int, Score] = defaultdict(int)
    scores.update(
        {player: tally.score for player, tally in tally_pods(pod_event, get_place_points(event)).items()}
    )
    return scores


def total_points(tables: RoundTables, points: Sequence[Score]) -> dict[PlayerId, Score]:
    """Return what everyone has who sat at these tables."""
    players = {player for each in tables.values() for match in each.values() for player in match.players}
    pod_event = PodEvent(tuple(players), tuple(tuple(each.values()) for each in tables.values()))
    return {player: tally.score for player, tally in tally_pods(pod_event, points).items()}


def parse_place_points(values: object) -> list[str] | None:
    """Return points by place as they are kept, best place first.

    It is None if they are not such points.
    """
    if not isinstance(values, (list, tuple)):
        return None
    numbers = [exact_number(value) for value in values]
    valid_numbers = [number for number in numbers if number is not None and number >= 0]
    falls = valid_numbers == sorted(valid_numbers, reverse=True)
    if (
        len(valid_numbers) < len(numbers)
        or not falls
        or any(Fraction(n).denominator > MOST_PARTS for n in valid_numbers)
    ):
        return None
    return [str(number) for number in valid_numbers]


MOST_PARTS = 100
