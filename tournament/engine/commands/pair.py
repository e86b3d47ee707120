"""Pair the next Swiss round of an event, or repair its last one."""

from __future__ import annotations

from argparse import Namespace
from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TextIO

from rules.reason import reason
from rules.text import truncate
from tournament.engine.commands.exits import say_exits
from tournament.engine.commands.given import Given, read_given
from tournament.engine.commands.numbers import to_json_number
from tournament.engine.pairing.history import Pair
from tournament.engine.pairing.model import (
    Entrant,
    Pairing,
    PairingPreferences,
    PairingTable,
    refer_to_player,
)
from tournament.engine.pairing.past_rounds import PastRounds, read_past_rounds
from tournament.engine.pairing.swiss import pair_first_round, pair_round
from tournament.engine.problems import make_error, problem, raise_problems
from tournament.engine.records import Event, Match, PlayerId
from tournament.engine.seeded_random import derive_round_seed
from tournament.engine.standings.standing import compute_standings

if TYPE_CHECKING:
    from tournament.engine.pairing.repair import RoundRepair


def run(called: Namespace, stdin: TextIO) -> dict[str, object]:
    """The next round of the event on standard input."""
    event_input = _read_seeded(called, stdin)
    if event_input.pods is not None and event_input.options.sides is not None:
        from tournament.engine.commands import pods

        return pods.pair(event_input, event_input.pods, event_input.options.sides)
    _refuse_running(event_input.event.rounds)
    pairing = _ComingRound(event_input, event_input.event, len(event_input.event.rounds) + 1).pair()
    answer = {**_say_tables(event_input, pairing), "seed": event_input.options.seed, "cost": _cost(pairing)}
    return event_input.answer(**answer, **say_exits(event_input))


def run_repair(called: Namespace, stdin: TextIO) -> dict[str, object]:
    """The last round of the event on standard input, brought in order after scores or players changed."""
    event_input = _read_seeded(called, stdin)
    if event_input.pods is not None and event_input.options.sides is not None:
        from tournament.engine.commands import pods

        return pods.repair(event_input, event_input.pods, event_input.options.sides)
    rounds = event_input.event.rounds
    if not rounds:
        raise make_error("repair-nothing")
    _refuse_running(rounds[:-1])
    coming = _ComingRound(event_input, replace(event_input.event, rounds=rounds[:-1]), len(rounds))
    tables, bye = _published(rounds[-1])
    finished = [table.number for table, match in tables if match.result is not None]
    repaired = coming.repair([table for table, _ in tables], finished, bye)
    return event_input.answer(
        nearest={**_say_tables(event_input, repaired.nearest), "touched": list(repaired.touched)},
        fresh={**_say_tables(event_input, repaired.fresh), "touched": list(repaired.touched_fresh)},
        bye_moved=repaired.bye_moved,
        fewest=repaired.fewest,
        seed=event_input.options.seed,
        cost=_cost(repaired.nearest),
    )


def _read_seeded(called: Namespace, stdin: TextIO) -> Given:
    event_input = read_given(called, stdin)
    if event_input.options.seed is None:
        raise make_error("seed-missing")
    return event_input


def _published(matches: Sequence[Match]) -> tuple[list[tuple[PairingTable, Match]], PlayerId | None]:
    """The tables of a round, numbered by the file or in its order, and who has the bye."""
    pairs = [match for match in matches if match.p2 is not None]
    taken_tables = {match.table for match in pairs}
    free = iter(number for number in range(1, 2 * len(pairs) + 2) if number not in taken_tables)
    tables = [
        (PairingTable(next(free) if m.table is None else m.table, m.p1, m.p2), m)
        for m in pairs
        if m.p2 is not None
    ]
    return tables, next((match.p1 for match in matches if match.p2 is None), None)


@dataclass(frozen=True, slots=True)
class _Rules:
    """What speaks against a pair besides having met."""

    forbidden: tuple[Pair, ...]
    own_group_forbidden: bool
    preferences: PairingPreferences


class _ComingRound:
    """A round about to be paired, after the rounds of `event`."""

    def __init__(self, event_input: Given, event: Event, number: int) -> None:
        self._given, self._event, self._number = event_input, event, number
        past = read_past_rounds(event, event_input.options.system)
        self.history = past.history(range(1, number))
        self.rounds_left = self._count_rounds_left()
        self.seed = derive_round_seed(event_input.options.seed or 0, number)
        self.entrants = self._accelerate(list(self._list_entrants(past)))
        if event_input.exits and not self.entrants:
            raise make_error("exits-done")

    def _count_rounds_left(self) -> int | None:
        planned = self._given.options.rounds
        if planned is not None and planned < self._number:
            raise make_error(
                "rounds-played", planned=truncate(planned), played=self._number - 1, least=self._number
            )
        return None if planned is None else planned - self._number

    def _list_entrants(self, past: PastRounds) -> Iterator[Entrant]:
        """Yield who plays on, with points, byes and tables."""
        groups = {player.id: player.group for player in self._event.players}
        tables, exits = _tables_by_player(self._event), self._given.exits
        for row in compute_standings(self._event, self._given.options.system):
            if exits.find_exit(row) or self._event.drops.get(row.player, self._number) < self._number:
                continue
            yield Entrant(
                id=row.player,
                score=row.points,
                byes=past.byes[row.player],
                group=groups[row.player].strip().casefold(),
                fixed_table=self._given.fixed_tables.get(row.player),
                last_tables=tuple(tables[row.player]),
                rounds_since_bye=past.rounds_since_bye(row.player, self._number),
                unplayed=self._count_unplayed(past, row.player),
            )

    def _count_unplayed(self, past: PastRounds, player: PlayerId) -> int:
        """Rounds without a match that was played, where the system gives the bye by them."""
        by_play = self._given.options.system.bye_by_play
        return self._number - 1 - past.played[player] if by_play else 0

    def _accelerate(self, entrants: list[Entrant]) -> list[Entrant]:
        options = self._given.options
        if not options.accelerated:
            return entrants
        if options.rounds is None:
            raise make_error("accelerated-rounds")
        from tournament.engine.pairing.round_plan import accelerated

        points = options.system.points
        return accelerated(
            entrants,
            self._seeding,
            round_number=self._number,
            rounds=options.rounds,
            win=points.win,
            draw=points.draw,
        )

    @property
    def _seeding(self) -> tuple[PlayerId, ...]:
        """All players, best seed first: as the options say, then by their order in the file."""
        seeding = self._given.options.seeding
        players = self._event.players
        last = max((player.order for player in players if player.order is not None), default=0) + 1
        ordered = sorted(players, key=lambda each: last if each.order is None else each.order)
        return (*seeding, *(player.id for player in ordered if player.id not in seeding))

    @property
    def rules(self) -> _Rules:
        """Return what speaks against a pair besides having met."""
        options = self._given.options
        here = not options.apart_rounds or self._number in options.apart_rounds
        return _Rules(
            forbidden=options.forbidden,
            own_group_forbidden=here and options.clubs_apart == "never",
            preferences=PairingPreferences(
                groups_apart=here and options.clubs_apart == "wish", fresh_tables=options.fresh_tables
            ),
        )

    def pair(self) -> Pairing:
        """The best pairing there is; pairs that are fixed take the first tables."""
        options, rules = self._given.options, self.rules
        if options.fixed:
            return self._pair_others()
        if self._number == 1 and options.first_round != "random":
            return pair_first_round(
                self.entrants,
                seed=self.seed,
                method=options.first_round,
                seeding=self._seeding,
                forbidden=rules.forbidden,
                own_group_forbidden=rules.own_group_forbidden,
                preferences=rules.preferences,
            )
        return pair_round(
            self.entrants,
            self.history,
            seed=self.seed,
            rounds_left=self.rounds_left,
            forbidden=rules.forbidden,
            own_group_forbidden=rules.own_group_forbidden,
            preferences=rules.preferences,
        )

    def _pair_others(self) -> Pairing:
        fixed = self._given.options.fixed
        playing = {entrant.id: entrant.score for entrant in self.entrants}
        seated = [player for pair in fixed for player in pair]
        absent = [player for player in seated if player not in playing]
        raise_problems(problem("fixed-absent", player=refer_to_player(player)) for player in absent)
        if len(set(seated)) < len(seated):
            raise make_error("fixed-twice")
        tables = [
            PairingTable(number, one, two, playing[one], playing[two])
            for number, (one, two) in enumerate(fixed, 1)
        ]
        return self.repair(tables, range(1, len(tables) + 1), None).fresh

    def repair(
        self, tables: Sequence[PairingTable], finished: Collection[int], bye: PlayerId | None
    ) -> RoundRepair:
        """A round with some of its tables settled."""
        # A round that is paired as a whole needs nothing of this.
        from tournament.engine.pairing.repair import repair_round

        rules = self.rules
        return repair_round(
            tables,
            finished,
            self.entrants,
            self.history,
            seed=self.seed,
            bye=bye,
            rounds_left=self.rounds_left,
            forbidden=rules.forbidden,
            own_group_forbidden=rules.own_group_forbidden,
            preferences=rules.preferences,
        )


def _tables_by_player(event: Event) -> defaultdict[PlayerId, list[int]]:
    tables: defaultdict[PlayerId, list[int]] = defaultdict(list)
    for match in (match for matches in event.rounds for match in matches):
        if match.table is not None and match.p2 is not None:
            tables[match.p1].append(match.table)
            tables[match.p2].append(match.table)
    return tables


def _refuse_running(rounds: Sequence[Sequence[Match]]) -> None:
    raise_problems(
        problem("match-running").at(reason("match", round=number, match=place))
        for number, matches in enumerate(rounds, 1)
        for place, match in enumerate(matches, 1)
        if match.result is None
    )


def _say_tables(event_input: Given, pairing: Pairing) -> dict[str, object]:
    ids = event_input.ids
    return {
        "pairings": [{"table": t.number, "p1": ids[t.p1], "p2": ids[t.p2]} for t in pairing.tables],
        "bye": None if pairing.bye is None else ids[pairing.bye],
    }


def _cost(pairing: Pairing) -> dict[str, object]:
    cost, certificate = pairing.cost, pairing.certificate
    return {
        "forbidden": cost.forbidden,
        "rematches": cost.rematches,
        "third_meetings": cost.third_meetings,
        "immediate": cost.immediate,
        "bye_score": None if cost.bye_score is None else to_json_number(cost.bye_score),
        "floats": to_json_number(cost.floats),
        "unwished": cost.unwished,
        "proved": certificate.proved,
        "method": certificate.method,
    }
