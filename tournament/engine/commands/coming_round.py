"""The Swiss round that a command is about to pair, after the rounds of its event."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from copy import copy
from typing import TYPE_CHECKING, TypedDict

from rules.text import truncate
from tournament.engine.commands.given import Given, refuse_two_seats
from tournament.engine.pairing.history import Pair
from tournament.engine.pairing.model import (
    Entrant,
    Pairing,
    PairingPreferences,
    PairingTable,
)
from tournament.engine.pairing.past_rounds import PastRounds, read_past_rounds
from tournament.engine.pairing.swiss import pair_first_round, pair_round
from tournament.engine.problems import make_error, problem, raise_problems, refer_to_player
from tournament.engine.records import Event, PlayerId
from tournament.engine.seeded_random import derive_round_seed
from tournament.engine.standings.scores import compute_scores

if TYPE_CHECKING:
    from tournament.engine.pairing.repair import RoundRepair


class _Rules(TypedDict):
    """Objections to a pair besides having met."""

    forbidden: tuple[Pair, ...]
    own_group_forbidden: bool
    preferences: PairingPreferences


class ComingRound:
    """A round about to be paired, after the rounds of `event`."""

    def __init__(self, event_input: Given, event: Event, number: int) -> None:
        self._event_input, self._event, self._number = event_input, event, number
        past = read_past_rounds(event, event_input.options.system)
        self.history = past.history(range(1, number))
        self.rounds_left = self._count_rounds_left()
        self.seed = derive_round_seed(event_input.options.seed or 0, number)
        self.fixed = event_input.options.fixed
        self._seeding = self._list_seeding()
        self.field = list(self._list_entrants(past))
        if event_input.has_exits and not self.field:
            raise make_error("exits-done")

    @property
    def entrants(self) -> list[Entrant]:
        """Return who is paired, with the points that count for it."""
        return self._accelerate(self.field)

    @property
    def has_fresh_tables(self) -> bool:
        """Whether players should get tables where they have not been."""
        return self._event_input.options.fresh_tables

    def narrow(self, pod: int, players: Collection[PlayerId]) -> ComingRound:
        """Return the same round for the players of one pod alone.

        It has no seats, because those of the whole round count.
        """
        narrowed_round = copy(self)
        narrowed_round.seed = derive_round_seed(self.seed, pod)
        narrowed_round.field = [
            entrant._replace(fixed_table=None, last_tables=())
            for entrant in self.field
            if entrant.id in players
        ]
        narrowed_round.fixed = tuple(pair for pair in self.fixed if pair[0] in players)
        narrowed_round._seeding = tuple(player for player in self._seeding if player in players)
        return narrowed_round

    def _count_rounds_left(self) -> int | None:
        planned_round_count = self._event_input.options.rounds
        if planned_round_count is not None and planned_round_count < self._number:
            raise make_error(
                "rounds-played",
                planned=truncate(planned_round_count),
                played=self._number - 1,
                least=self._number,
            )
        return None if planned_round_count is None else planned_round_count - self._number

    def _list_entrants(self, past: PastRounds) -> Iterator[Entrant]:
        """Yield who plays on, with points, byes and tables."""
        groups = {player.id: player.group for player in self._event.players}
        tables, away = _tables_by_player(self._event), self._list_away()
        for player, score in compute_scores(self._event, self._event_input.options.system).items():
            if player in away:
                continue
            yield Entrant(
                id=player,
                score=score,
                byes=past.byes[player],
                group=groups[player].strip().casefold(),
                fixed_table=self._event_input.fixed_tables.get(player),
                last_tables=tuple(tables[player]),
                rounds_since_bye=past.rounds_since_bye(player, self._number),
                unplayed_rounds=self._count_unplayed(past, player),
            )

    def _list_away(self) -> set[PlayerId]:
        """Return players who dropped before this round, or left by their wins or losses."""
        dropped_players = {player for player, last in self._event.drops.items() if last < self._number}
        if not self._event_input.has_exits:
            return dropped_players
        from tournament.engine.standings.standing import compute_standings

        rows, exits = (
            compute_standings(self._event, self._event_input.options.system),
            self._event_input.exits,
        )
        return dropped_players | {row.player for row in rows if exits.find_exit(row)}

    def _count_unplayed(self, past: PastRounds, player: PlayerId) -> int:
        """Return the number of rounds in which the player played no match.

        It counts only where the system gives the bye by this number.
        """
        by_play = self._event_input.options.system.bye_by_play
        return self._number - 1 - past.played_counts[player] if by_play else 0

    def _accelerate(self, entrants: list[Entrant]) -> list[Entrant]:
        options = self._event_input.options
        if not options.accelerated:
            return entrants
        if options.rounds is None:
            raise make_error("accelerated-rounds")
        from tournament.engine.pairing.round_plan import accelerate

        points = options.system.points
        return accelerate(
            entrants,
            self._seeding,
            round_number=self._number,
            rounds=options.rounds,
            win=points.win,
            draw=points.draw,
        )

    def _list_seeding(self) -> tuple[PlayerId, ...]:
        """Return all players, best seed first.

        The order is that of the options, then that of the file.
        """
        seeding = self._event_input.options.seeding
        players = self._event.players
        last = max((player.order for player in players if player.order is not None), default=0) + 1
        ordered_players = sorted(players, key=lambda each: last if each.order is None else each.order)
        return (*seeding, *(player.id for player in ordered_players if player.id not in seeding))

    @property
    def rules(self) -> _Rules:
        """Return the objections to a pair besides having met."""
        options = self._event_input.options
        here = not options.apart_rounds or self._number in options.apart_rounds
        return _Rules(
            forbidden=options.forbidden,
            own_group_forbidden=here and options.clubs_apart == "never",
            preferences=PairingPreferences(
                groups_apart=here and options.clubs_apart == "wish", fresh_tables=options.fresh_tables
            ),
        )

    def pair(self) -> Pairing:
        """Return the best pairing; fixed pairs take the first tables."""
        options = self._event_input.options
        if self.fixed:
            return self._pair_others()
        if self._number == 1 and options.first_round != "random":
            return pair_first_round(
                self.entrants,
                seed=self.seed,
                method=options.first_round,
                seeding=self._seeding,
                **self.rules,
            )
        return pair_round(
            self.entrants,
            self.history,
            seed=self.seed,
            rounds_left=self.rounds_left,
            **self.rules,
        )

    def _pair_others(self) -> Pairing:
        self.refuse_wrong_fixed()
        score_by_player = {entrant.id: entrant.score for entrant in self.entrants}
        tables = [
            PairingTable(number, one, two, score_by_player[one], score_by_player[two])
            for number, (one, two) in enumerate(self.fixed, 1)
        ]
        return self.repair(tables, range(1, len(tables) + 1), None).new_pairing

    def refuse_wrong_fixed(self) -> None:
        """Raise EngineError if a fixed pair has a player it may not have.

        Such a player does not play, or is in two fixed pairs.
        """
        playing_ids = {entrant.id for entrant in self.field}
        seated_players = [player for pair in self.fixed for player in pair]
        absent = [player for player in seated_players if player not in playing_ids]
        raise_problems(problem("fixed-absent", player=refer_to_player(player)) for player in absent)
        refuse_two_seats(seated_players)

    def repair(
        self, tables: Sequence[PairingTable], finished_tables: Collection[int], bye: PlayerId | None
    ) -> RoundRepair:
        """Return a round with some of its tables settled."""
        # A round that is paired as a whole needs nothing of this.
        from tournament.engine.pairing.repair import repair_round

        return repair_round(
            tables,
            finished_tables,
            self.entrants,
            self.history,
            seed=self.seed,
            bye=bye,
            rounds_left=self.rounds_left,
            **self.rules,
        )


def _tables_by_player(event: Event) -> defaultdict[PlayerId, list[int]]:
    tables: defaultdict[PlayerId, list[int]] = defaultdict(list)
    for match in (match for matches in event.rounds for match in matches):
        if match.table is not None and match.p2 is not None:
            tables[match.p1].append(match.table)
            tables[match.p2].append(match.table)
    return tables
