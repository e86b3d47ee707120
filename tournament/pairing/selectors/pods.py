"""Everything that decides how to seat a round of tables of more than two sides."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

from rules.reason import Reason, reason
from rules.sides import Sides
from tournament.engine.pairing.model import Entrant, PairingError
from tournament.engine.pods.model import PodCost, PodField, PodHistory, PodRound, order_pair
from tournament.engine.pods.seating import seat_round
from tournament.engine.pods.sizes import TableSizes
from tournament.engine.records import PlayerId
from tournament.events.models.event import Event, Stage
from tournament.events.models.player import Player
from tournament.events.models.round import Match, Round
from tournament.events.settings import get_sides
from tournament.log.facts import reference
from tournament.pairing.options import PairingOptions, parse_pairing_options
from tournament.standings.pods import RoundTables, get_place_points, load_pod_rounds, total_points


@dataclass(frozen=True, slots=True)
class PodEntrants:
    """The players to seat and their past tables.

    It also says how often each sat at a smaller table of a round. `resting_players` have a bye that was given
    them beforehand.
    """

    entrants: list[Entrant]
    history: PodHistory
    small_seats: Mapping[PlayerId, int]
    resting_players: list[PlayerId]


@dataclass(frozen=True, slots=True)
class PodContext:
    """One round about to be seated."""

    swiss: PodEntrants
    sides: Sides
    options: PairingOptions
    number: int
    forbidden: tuple[tuple[PlayerId, PlayerId], ...]

    def report(self, pods: Collection[Sequence[PlayerId]]) -> dict[str, object]:
        """Return the costs of tables and byes.

        Players who are not entrants count for neither.
        """
        places = {entrant.id: at for at, entrant in enumerate(self.swiss.entrants)}
        seated_pods = [[places[player] for player in pod if player in places] for pod in pods]
        tables, resting = (
            [pod for pod in seated_pods if len(pod) > 1],
            [pod[0] for pod in seated_pods if len(pod) == 1],
        )
        sizes = tuple(sorted(map(len, tables), reverse=True))
        field = PodField(
            tuple(self.swiss.entrants),
            self.swiss.history,
            TableSizes(sizes, len(resting)),
            frozenset(map(order_pair, self.forbidden)),
            self.options.keeps_apart_in(self.number),
            self.swiss.small_seats,
        )
        return report_cost(field.cost(tables, resting), sizes)

    def seat(self, seed: int) -> PodRound:
        """Return the best seating that is found, drawn from the seed."""
        return seat_round(
            self.swiss.entrants,
            self.swiss.history,
            seed=seed,
            least=self.sides.least,
            most=self.sides.most,
            usual=self.sides.usual,
            forbidden=self.forbidden,
            groups_apart=self.options.keeps_apart_in(self.number),
            small_seats=self.swiss.small_seats,
        )


def load_pod_context(event: Event, stage: Stage, number: int) -> PodContext:
    """Return the situation before a round is seated, a draft of it left out.

    Four queries.
    """
    earlier = stage.rounds.filter(number__lt=number).values_list("pk", flat=True)
    tables = load_pod_rounds(list(earlier))
    return PodContext(
        _build_entrants(event, stage, tables, number),
        get_sides(event),
        parse_pairing_options(event.pairing_options),
        number,
        tuple(event.forbidden_pairs.values_list("one_id", "two_id")),
    )


def _build_entrants(event: Event, stage: Stage, tables: RoundTables, number: int) -> PodEntrants:
    points = total_points(tables, get_place_points(event))
    byes, small = Counter[PlayerId](), Counter[PlayerId]()
    history = PodHistory()
    for round_tables in (tables[each] for each in sorted(tables)):
        seated_groups = [match.players for match in round_tables.values() if not match.is_bye]
        history.add_round(seated_groups)
        byes.update(match.players[0] for match in round_tables.values() if match.is_bye)
        largest = max(map(len, seated_groups), default=0)
        small.update(player for table in seated_groups if len(table) < largest for player in table)
    entrants, resting = [], []
    active_players = event.players.filter(
        status=Player.Status.REGISTERED, dropped_after__isnull=True, entered_round__lte=number
    )
    if stage.position > 1:
        active_players = active_players.filter(stage_places__stage=stage)
    for pk, club, first_byes in active_players.order_by("number").values_list("pk", "club", "first_byes"):
        if number <= first_byes and stage.position == 1:
            resting.append(pk)
        else:
            group = club.strip().casefold()
            entrants.append(Entrant(pk, points.get(pk, 0), byes=byes[pk], group=group))
    return PodEntrants(entrants, history, small, resting)


def pod_report(result: PodRound) -> dict[str, object]:
    """Report cost and certificate of a seating, to be kept with the round."""
    sizes = sorted((len(pod.players) for pod in result.pods), reverse=True)
    return {
        **report_cost(result.cost, sizes),
        "lower_bound": str(result.certificate.lower_bound.gaps),
        "proved": result.certificate.is_proved,
        "method": result.certificate.method,
        "remarks": [],
    }


def report_cost(cost: PodCost, sizes: Sequence[int]) -> dict[str, object]:
    """Return a cost in plain numbers, the worst first."""
    return {
        "sizes": list(sizes),
        "forbidden": cost.forbidden_count,
        "rematches": cost.repeats,
        "third_meetings": cost.third_meetings,
        "immediate": cost.immediate_count,
        "bye_score": str(cost.bye_scores),
        "floats": str(cost.gaps),
        "unwished": cost.unwished_count,
        "small_again": cost.small_again,
    }


def list_pods(round_: Round) -> list[tuple[PlayerId, ...]]:
    """Return the tables and byes of a round by the ids of their players. One query."""
    pods: dict[int, tuple[PlayerId, ...]] = {}
    seats = round_.seats.order_by("match__table", "match_id", "side").values_list("match_id", "player_id")
    for match, player in seats:
        pods[match] = (*pods.get(match, ()), player)
    return list(pods.values())


def compare_seating_with_best(round_: Round) -> tuple[Mapping[str, object], Mapping[str, object]]:
    """Return the costs of the tables of a published round and of the best seating.

    The best seating is that of the same players. Both are empty if these players cannot be seated.
    """
    context = load_pod_context(round_.stage.event, round_.stage, round_.number)
    pods = list_pods(round_)
    seated_ids = {player for pod in pods for player in pod}
    entrants = [entrant for entrant in context.swiss.entrants if entrant.id in seated_ids]
    field = replace(context, swiss=replace(context.swiss, entrants=entrants))
    try:
        best = field.seat(round_.seed)
    except PairingError:
        return {}, {}
    return field.report(pods), pod_report(best)


def find_pod_warnings(now: PodContext, match: Match) -> Iterator[Reason]:
    """Yield the objections to a table: blocked pairings, and those who met before."""
    players = {side.player.pk: side.player for side in match.sides}
    pairs = [order_pair(pair) for pair in combinations(players, 2)]
    for one, two in _among(pairs, {order_pair(pair) for pair in now.forbidden}):
        yield reason("draft_forbidden", p1=reference(players[one]), p2=reference(players[two]))
    rematch_count = sum(now.swiss.history.meetings[pair] > 0 for pair in pairs)
    if rematch_count:
        yield reason("draft_rematch.table", count=rematch_count)


def _among(
    pairs: Collection[tuple[PlayerId, PlayerId]], wanted_pairs: Collection[tuple[PlayerId, PlayerId]]
) -> list[tuple[PlayerId, PlayerId]]:
    return [pair for pair in pairs if pair in wanted_pairs]
