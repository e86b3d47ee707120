"""Everything that decides how a Swiss round is paired."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.db.models import Q, QuerySet

from decks.shared.refusals import Refused
from rules.reason import Reason, Reference, reasons_to_json, replace_references
from tournament.booster_drafts.selectors import map_pods
from tournament.engine.pairing import round_plan, swiss
from tournament.engine.pairing.history import MeetingHistory
from tournament.engine.pairing.inside_pods import JoinedRound, add_costs, join_one, join_pairings
from tournament.engine.pairing.model import Cost, Entrant, Pairing, PairingPreferences
from tournament.engine.pairing.past_rounds import PastRounds
from tournament.engine.pairing.round_model import PairingConstraints, RoundModel
from tournament.engine.pairing.swiss import pair_round
from tournament.engine.records import Score
from tournament.engine.standings.systems.system import System
from tournament.events.models.event import Event, Stage
from tournament.events.models.player import Player
from tournament.events.models.round import Match
from tournament.events.selectors import count_rounds_before
from tournament.events.settings import TableNumbers
from tournament.pairing.options import PairingOptions, parse_pairing_options
from tournament.shared.hashes import derive_seed
from tournament.standings.points import RESULT_FIELDS, PointsTally
from tournament.standings.selectors.exits import load_exits
from tournament.standings.selectors.standings import scoring_system_of


@dataclass(frozen=True, slots=True)
class SwissEntrants:
    """The players of a round and their meetings.

    `resting_players` have a bye that was given beforehand.
    """

    entrants: list[Entrant]
    meetings: MeetingHistory
    resting_players: list[int]

    @property
    def scores(self) -> dict[int, Score]:
        """Points of everyone who is paired, without what acceleration adds."""
        return {entrant.id: entrant.score for entrant in self.entrants}


def load_swiss_entrants(
    stage: Stage, number: int, system: System, numbers: TableNumbers, *, before: int
) -> SwissEntrants:
    """Return the field of round `number`, without a draft of that round. Two queries.

    `before` rounds were played in earlier stages. Tables are counted as the engine does.
    """
    tally, past = PointsTally(system.points), PastRounds(system.forfeits_meet)
    seats_by_player: dict[int, list[int]] = {}
    for played_in, p1, p2, table, forfeit, *outcome in _list_past_matches(stage, number):
        if p2 is None:
            if outcome[0] == Match.Outcome.BYE:
                past.add_bye(played_in, p1)
        else:
            past.add_pair(played_in, p1, p2, outcome[0], forfeit)
        for player in (p1, p2) if p2 is not None and table is not None else ():
            seats_by_player.setdefault(player, []).append(numbers.place(table))
        tally.add_match(p1, p2, tuple(outcome))
    exits = load_exits(stage, before_round=number)
    entrants, resting_ids = [], []
    for pk, club, fixed_table, first_byes in _active_players(stage, number):
        if pk in exits:
            continue
        if number - before <= first_byes:
            resting_ids.append(pk)
            continue
        seat = None if fixed_table is None else numbers.place(fixed_table)
        entrants.append(
            Entrant(
                id=pk,
                score=tally.scores[pk],
                byes=past.byes[pk],
                group=club.strip().casefold(),
                fixed_table=seat,
                last_tables=tuple(seats_by_player.get(pk, ())),
                rounds_since_bye=past.rounds_since_bye(pk, number),
                unplayed_rounds=number - before - 1 - past.played_counts[pk] if system.bye_by_play else 0,
            )
        )
    return SwissEntrants(entrants, past.history(range(before + 1, number)), resting_ids)


def _list_past_matches(stage: Stage, number: int) -> QuerySet[Match, tuple[Any, ...]]:
    past_matches = Match.objects.filter(round__stage=stage).exclude(round__number__gte=number)
    return past_matches.values_list("round__number", "p1_id", "p2_id", "table", "forfeit", *RESULT_FIELDS)


def _active_players(stage: Stage, number: int) -> QuerySet[Player, tuple[Any, ...]]:
    active_players = Player.objects.filter(
        event_id=stage.event_id, status=Player.Status.REGISTERED, dropped_after__isnull=True
    )
    if stage.position > 1:
        active_players = active_players.filter(stage_places__stage=stage)
    active_players = active_players.filter(entered_round__lte=number)
    return active_players.order_by("number").values_list("pk", "club", "fixed_table", "first_byes")


ALL_PLAYERS = Q()

Pair = tuple[int, int]
# A player and their opponent; a bye has none.
PairOrBye = tuple[int, int | None]


def table_numbers(event: Event) -> TableNumbers:
    """Return the tables that the event may use in its venue."""
    return TableNumbers(event.first_table, event.reserved_tables)


@dataclass(frozen=True, slots=True)
class PairingContext:
    """One Swiss round about to be paired. `local` counts it within its stage, from 1.

    `pods` are the pods of players by their ids, where each pod is a field of its own.
    """

    swiss: SwissEntrants
    options: PairingOptions
    number: int
    local: int
    planned_rounds: int | None
    forbidden_pairs: tuple[Pair, ...]
    seeding: tuple[int, ...]
    win: Score
    draw: Score
    pods: Mapping[int, int] | None = None

    @property
    def keeps_clubs_apart(self) -> bool:
        """Whether players of one club are kept apart in this round."""
        return self.options.keeps_apart_in(self.number)

    @property
    def clubs_never_meet(self) -> bool:
        """Whether they must not meet at all, instead of only if avoidable."""
        return self.keeps_clubs_apart and self.options.apart == "never"

    @property
    def preferences(self) -> PairingPreferences:
        """Return what is wished for among pairings that are equally good."""
        return PairingPreferences(
            groups_apart=self.keeps_clubs_apart and not self.clubs_never_meet,
            fresh_tables=self.options.fresh_tables,
        )

    def entrants(self) -> Sequence[Entrant]:
        """Return who is paired, with the points that count for it."""
        if not self.options.accelerated or self.planned_rounds is None:
            return self.swiss.entrants
        return round_plan.accelerate(
            self.swiss.entrants,
            self.seeding,
            round_number=self.local,
            rounds=self.planned_rounds,
            win=self.win,
            draw=self.draw,
        )

    def map_fields(self, pairs: Iterable[PairOrBye] = ()) -> dict[int, PairingContext]:
        """Return the fields that are paired separately, by pod.

        These are each pod with players, or the whole field as pod 0. Those of `pairs` are in one field, that
        of the first of them.
        """
        if self.pods is None:
            return {0: self}
        pods = {**self.pods, **{two: self.pods.get(one, 0) for one, two in pairs if two is not None}}
        entrants_by_pod: defaultdict[int, list[Entrant]] = defaultdict(list)
        for entrant in self.swiss.entrants:
            entrants_by_pod[pods.get(entrant.id, 0)].append(entrant)
        return {pod: self._narrow(entrants) for pod, entrants in sorted(entrants_by_pod.items())}

    def _narrow(self, entrants: list[Entrant]) -> PairingContext:
        ids = {entrant.id for entrant in entrants}
        seeding = tuple(player for player in self.seeding if player in ids)
        return replace(self, swiss=replace(self.swiss, entrants=entrants), seeding=seeding, pods=None)

    def refuse_without_pod(self) -> None:
        """Raise Refused where pods are fields and a player sits in none."""
        if self.pods is None:
            return
        ids = [entrant.id for entrant in self.swiss.entrants if entrant.id not in self.pods]
        if ids:
            names = Player.objects.filter(pk__in=ids).order_by("number").values_list("name", flat=True)
            raise Refused("players_without_pod", players=tuple(names[:6]), count=len(ids))

    def pair_fields(self, seed: int) -> JoinedRound:
        """Return the best pairing of each field, with tables of the whole round.

        Raises Refused without pods.
        """
        self.refuse_without_pod()
        if self.pods is None:
            return join_one(self.pair(seed))
        pairings = [
            field._forget_tables().pair(derive_seed(seed, "pod", pod))
            for pod, field in self.map_fields().items()
        ]
        entrants = {entrant.id: entrant for entrant in self.swiss.entrants}
        return join_pairings(pairings, entrants, fresh_tables=self.options.fresh_tables)

    def _forget_tables(self) -> PairingContext:
        """Return the same field without seats: those of the whole round count."""
        entrants = [each._replace(fixed_table=None, last_tables=()) for each in self.swiss.entrants]
        return replace(self, swiss=replace(self.swiss, entrants=entrants))

    def pair(self, seed: int) -> Pairing:
        """Return the best pairing of a field, drawn from the seed."""
        if self.local == 1 and self.options.first_round != "random":
            return swiss.pair_first_round(
                self.entrants(),
                seed=seed,
                method=self.options.first_round,
                seeding=self.seeding,
                forbidden=self.forbidden_pairs,
                own_group_forbidden=self.clubs_never_meet,
                preferences=self.preferences,
            )
        return pair_round(
            self.entrants(),
            self.swiss.meetings,
            seed=seed,
            rounds_left=None if self.planned_rounds is None else self.planned_rounds - self.local,
            forbidden=self.forbidden_pairs,
            own_group_forbidden=self.clubs_never_meet,
            preferences=self.preferences,
        )

    def cost(self, pairs: Iterable[PairOrBye]) -> Cost:
        """Return what a whole pairing costs; the bye is a pair with None."""
        all_pairs = list(pairs)
        if self.pods is None:
            return self._cost_field(all_pairs)
        fields = self.map_fields(all_pairs).values()
        return add_costs(
            field._cost_field([pair for pair in all_pairs if pair[0] in field.swiss.scores])
            for field in fields
        )

    def _cost_field(self, pairs: Iterable[PairOrBye]) -> Cost:
        rules = PairingConstraints(
            MeetingHistory(self.forbidden_pairs), self.clubs_never_meet, self.preferences
        )
        model = RoundModel(self.entrants(), self.swiss.meetings, rules)
        vertex = {player: at for at, player in enumerate(model.ids)}
        # A second bye of one pod, which a change of the pods can leave, has no place in an even field.
        known_pairs = [(vertex[one], vertex[two]) for one, two in pairs if two in vertex]
        return model.cost_of(sum(model.pair_cost(one, two) for one, two in known_pairs))


def load_pairing_context(event: Event, stage: Stage, number: int) -> PairingContext:
    """Return the situation before a round is paired, a draft of it left out.

    Four queries, five with a seeding.
    """
    options = parse_pairing_options(event.pairing_options)
    system = scoring_system_of(event)
    before = count_rounds_before(stage) if stage.position > 1 else 0
    return PairingContext(
        swiss=load_swiss_entrants(stage, number, system, table_numbers(event), before=before),
        options=options,
        number=number,
        local=number - before,
        planned_rounds=stage.planned_rounds,
        forbidden_pairs=tuple(event.forbidden_pairs.values_list("one_id", "two_id")),
        seeding=seeded_players(event, options, _first_round_players(stage, before))
        if options.needs_seeding
        else (),
        win=system.points.win,
        draw=system.points.draw,
        pods=map_pods(event) if options.inside_pods and stage.position == 1 else None,
    )


def _first_round_players(stage: Stage, before: int) -> Q:
    """Filter the players of a stage's first round; its halves stay the same later."""
    first = before + 1
    is_still_in = Q(dropped_after__isnull=True) | Q(dropped_after__gte=first)
    in_stage = Q(stage_places__stage=stage) if stage.position > 1 else Q()
    return is_still_in & in_stage & Q(entered_round__lte=first)


def seeded_players(
    event: Event, options: PairingOptions | None = None, condition: Q = ALL_PLAYERS
) -> tuple[int, ...]:
    """Return the registered players, best first.

    `condition` limits them to some. They are ordered by seed or rating. Players without one are in random
    order. One query.
    """
    seeding_order = (options or parse_pairing_options(event.pairing_options)).seeded_by
    registered_players = event.players.filter(condition, status=Player.Status.REGISTERED)
    rows = registered_players.values_list("pk", seeding_order, "lot")
    sign = -1 if seeding_order == "rating" else 1
    ordered_rows = sorted(rows, key=lambda row: (row[1] is None, sign * (row[1] or 0), row[2], row[0]))
    return tuple(row[0] for row in ordered_rows)


def locate_tables(reasons: Iterable[Reason], numbers: TableNumbers) -> tuple[Reason, ...]:
    """Return the engine's reasons with the numbers that tables have in the venue."""

    def locate(reference: Reference) -> Reference:
        if reference.kind == "table" and isinstance(reference.key, int):
            return Reference("table", numbers.table(reference.key))
        return reference

    return tuple(replace_references(each, locate) for each in reasons)


def pairing_report(result: JoinedRound, numbers: TableNumbers) -> dict[str, object]:
    """Report cost, certificate and remarks of a pairing, to be kept with the round."""
    return {
        **cost_report(result.cost),
        "lower_bound": str(result.certificate.lower_bound.floats),
        "proved": result.certificate.is_proved,
        "method": result.certificate.method,
        "remarks": reasons_to_json(locate_tables(result.remarks, numbers)),
    }


def cost_report(cost: Cost) -> dict[str, object]:
    """Return a cost in plain numbers, the worst first."""
    return {
        "forbidden": cost.forbidden_count,
        "rematches": cost.rematches,
        "third_meetings": cost.third_meetings,
        "immediate": cost.immediate_count,
        "bye_score": None if cost.bye_score is None else str(cost.bye_score),
        "floats": str(cost.floats),
        "unwished": cost.unwished_count,
    }
