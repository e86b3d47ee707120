"""Repair a published round after a correction with minimal changes.

Tables that are finished stay. Of the others as many stay as a best pairing of their players can keep.
The alternative is the same field paired again from scratch, so that the organizer can choose.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from rules.reason import Reason, Reference, reason
from tournament.engine.pairing.floats import FloatCost, square_difference
from tournament.engine.pairing.history import MeetingHistory
from tournament.engine.pairing.lookahead import (
    MOST_VERTICES,
    FutureRounds,
    pair_with_lookahead,
)
from tournament.engine.pairing.model import (
    NO_PREFERENCES,
    Certificate,
    Cost,
    Entrant,
    Pairing,
    PairingError,
    PairingPreferences,
    PairingTable,
)
from tournament.engine.pairing.nearest import NearestPairing, find_nearest, keep_unchanged
from tournament.engine.pairing.publishing import make_table_writer, publish
from tournament.engine.pairing.round_model import MOST_PLANNED, PairingConstraints, RoundModel
from tournament.engine.pairing.search import SearchResult
from tournament.engine.pairing.seating import assign_tables
from tournament.engine.problems import problem, refer_to_player
from tournament.engine.records import PlayerId
from tournament.engine.seeded_random import SeededRandom


@dataclass(frozen=True, slots=True)
class RoundRepair:
    """The options for repairing a published round.

    `nearest_pairing` and `new_pairing` are whole rounds, finished tables included; their costs and proofs
    count the open tables alone. `changed_tables` and `changed_tables_of_new` are the numbers of published
    tables whose pair is gone. `bye_moved` says whether the bye goes to another player in `nearest_pairing`.
    `is_fewest` is whether it is proved that no best pairing touches fewer.
    """

    nearest_pairing: Pairing
    changed_tables: tuple[int, ...]
    new_pairing: Pairing
    changed_tables_of_new: tuple[int, ...]
    bye_moved: bool
    is_fewest: bool

    @property
    def explanation(self) -> tuple[Reason, Reason]:
        """Return what the repair does and what pairing again would do."""
        if not self.changed_tables and not self.bye_moved:
            nearest = reason("repair.none")
        else:
            tables = tuple(Reference("table", number) for number in self.changed_tables)
            code = "repair" if tables else "repair.bye"
            nearest = reason(code, tables=tables, count=len(tables), bye_moves=self.bye_moved)
        return nearest, reason("repair_again", count=len(self.changed_tables_of_new))


@dataclass(frozen=True, slots=True)
class _Published:
    """The published round, split into what stays and what may change.

    The bye counts as table 0.
    """

    finished_tables: tuple[PairingTable, ...]
    open_tables: tuple[PairingTable, ...]
    bye: PlayerId | None
    bye_stands: bool
    taken_numbers: frozenset[int]

    @property
    def standing_bye(self) -> PlayerId | None:
        return self.bye if self.bye_stands else None

    @property
    def settled_players(self) -> set[PlayerId | None]:
        return {self.standing_bye, *(player for table in self.finished_tables for player in table.players)}


def repair_round(
    published_pairing: Pairing | Sequence[PairingTable],
    finished_tables: Collection[int],
    entrants: Sequence[Entrant],
    met_pairs: MeetingHistory | Iterable[tuple[PlayerId, PlayerId]],
    *,
    seed: int,
    bye: PlayerId | None = None,
    bye_stands: bool = False,
    rounds_left: int | None = None,
    float_cost: FloatCost = square_difference,
    forbidden: Iterable[tuple[PlayerId, PlayerId]] = (),
    own_group_forbidden: bool = False,
    preferences: PairingPreferences = NO_PREFERENCES,
    taken_tables: Collection[int] = (),
) -> RoundRepair:
    """Repair a published round.

    This is needed after scores were corrected, someone dropped or came late. `finished_tables` holds the
    numbers of the tables that cannot change. `entrants` are all who take part, with corrected scores, those
    at finished tables too; `met_pairs` holds earlier rounds only. `bye` names the player with the published
    bye where `published_pairing` is only a list of tables, and `bye_stands` says that they keep it. No new
    table gets a number of `taken_tables`. The other arguments are those of `pair_round`.

    Raises PairingError for a finished table that is not published, and as `pair_round` does.
    """
    history = MeetingHistory.of(met_pairs)
    rules = PairingConstraints(MeetingHistory(forbidden), own_group_forbidden, preferences)
    split = _split(published_pairing, finished_tables, bye, bye_stands, frozenset(taken_tables))
    settled_pairs = split.settled_players
    free = [entrant for entrant in entrants if entrant.id not in settled_pairs]
    if not free:
        return _nothing_open(split, seed)
    field = RoundModel(free, history, rules, float_cost)
    may_look_ahead = rounds_left or (rounds_left is None and len(entrants) <= MOST_PLANNED)
    whole = RoundModel(entrants, history, rules, float_cost) if may_look_ahead else None
    rounds_ahead = whole.count_rounds_ahead(rounds_left) if whole else 0
    return _repair_open_tables(field, split, whole if rounds_ahead else None, rounds_ahead, seed)


def _repair_open_tables(
    field: RoundModel, split: _Published, whole: RoundModel | None, rounds_left: int, seed: int
) -> RoundRepair:
    """Pair the players of open tables again.

    As many tables are kept as a best pairing can keep. `whole` is everyone who plays on, where later rounds
    count.
    """
    outlook = _outlook(whole, rounds_left, field, split) if whole is not None else None
    result = pair_with_lookahead(field, seed, rounds_left if outlook else 0, outlook)
    chance, given_pairs = SeededRandom(seed, "repair"), _list_given_pairs(field, split)
    accept = outlook.acceptance(result, chance) if outlook else None
    near = find_nearest(field, given_pairs, result.total, chance, accept)
    return _compare(field, split, near or keep_unchanged(result.draft, given_pairs), result, seed)


def _split(
    published_pairing: Pairing | Sequence[PairingTable],
    finished_tables: Collection[int],
    bye: PlayerId | None,
    bye_stands: bool,
    taken_tables: frozenset[int],
) -> _Published:
    tables = published_pairing.tables if isinstance(published_pairing, Pairing) else tuple(published_pairing)
    bye_before = published_pairing.bye if isinstance(published_pairing, Pairing) else bye
    unknown = sorted(set(finished_tables) - {table.number for table in tables})
    if unknown:
        raise PairingError([problem("table-not-published", tables=tuple(unknown), count=len(unknown))])
    return _Published(
        finished_tables=tuple(table for table in tables if table.number in finished_tables),
        open_tables=tuple(table for table in tables if table.number not in finished_tables),
        bye=bye_before,
        bye_stands=bye_stands,
        taken_numbers=taken_tables,
    )


def _list_given_pairs(field: RoundModel, split: _Published) -> list[tuple[int, int]]:
    """Return the open pairs of the published round, as vertices.

    A pair is included if both still take part.
    """
    vertex = {player: v for v, player in enumerate(field.ids)}
    pairs = [(vertex.get(table.p1, -1), vertex.get(table.p2, -1)) for table in split.open_tables]
    if field.bye >= 0 and split.bye in vertex and not split.bye_stands:
        pairs.append((vertex[split.bye], field.bye))
    return [(u, v) for u, v in pairs if u >= 0 and v >= 0]


def _outlook(
    whole: RoundModel, rounds_left: int, field: RoundModel, split: _Published
) -> FutureRounds | None:
    """Return the outlook of all who play on.

    None if the field is too large for it or the bye does not add up.
    """
    vertex = {player: v for v, player in enumerate(whole.ids)}
    settled_pairs: list[tuple[PlayerId | None, PlayerId | None]] = [
        table.players for table in split.finished_tables
    ]
    if split.bye is not None and split.bye_stands:
        settled_pairs.append((split.bye, None))
    named_players = {*field.ids, *(player for pair in settled_pairs for player in pair)}
    if len(whole) > MOST_VERTICES or not named_players <= vertex.keys():
        return None
    pairs = [(vertex[a], vertex[b]) for a, b in settled_pairs]
    return FutureRounds(whole, rounds_left, [vertex[player] for player in field.ids], pairs)


# -- writing the answer


def _compare(
    field: RoundModel, split: _Published, near: NearestPairing, result: SearchResult, seed: int
) -> RoundRepair:
    nearest_result = SearchResult(near.draft, near.total, result.lower_bound, result.method, result.windows)
    nearest, fresh = (_whole_round(field, split, each, seed) for each in (nearest_result, result))
    return RoundRepair(
        nearest_pairing=nearest,
        changed_tables=_list_gone_tables(split, nearest),
        new_pairing=fresh,
        changed_tables_of_new=_list_gone_tables(split, fresh),
        bye_moved=nearest.bye != split.bye,
        is_fewest=near.is_proved,
    )


def _list_gone_tables(split: _Published, pairing: Pairing) -> tuple[int, ...]:
    there = {frozenset(table.players) for table in pairing.tables}
    return tuple(sorted(table.number for table in split.open_tables if frozenset(table.players) not in there))


def _whole_round(field: RoundModel, split: _Published, result: SearchResult, seed: int) -> Pairing:
    """Return the finished tables and the new ones.

    A table that stays keeps its number, and the others take the numbers left.
    """
    pairing = publish(field, result, seed)
    tables, remarks = _number_tables(field, split, make_table_writer(field, result)())
    if pairing.bye is not None and split.standing_bye is not None:
        remarks.append(reason("two_byes", player=refer_to_player(split.standing_bye)))
    return Pairing(
        write_tables=lambda: (tables, tuple(remarks)),
        bye=pairing.bye if pairing.bye is not None else split.standing_bye,
        seed=seed,
        cost=pairing.cost,
        certificate=pairing.certificate,
        groups=pairing.groups,
    )


def _number_tables(
    field: RoundModel, split: _Published, tables: Sequence[PairingTable]
) -> tuple[tuple[PairingTable, ...], list[Reason]]:
    number_of = {frozenset(table.players): table for table in split.open_tables}
    kept_tables, new_tables = list(split.finished_tables), []
    for table in tables:
        was = number_of.get(frozenset(table.players))
        if was is None:
            new_tables.append(table)
        else:
            kept_tables.append(_as_published(table, was))
    seated_tables, remarks = assign_tables(
        new_tables,
        {entrant.id: entrant for entrant in field.entrants},
        field.rules.preferences.fresh_tables,
        taken_tables=split.taken_numbers | {table.number for table in kept_tables},
    )
    return tuple(sorted([*kept_tables, *seated_tables], key=lambda table: table.number)), remarks


def _as_published(table: PairingTable, was: PairingTable) -> PairingTable:
    """Return a table that stays, at its number and in its seats.

    It has the current scores of its players.
    """
    if table.p1 != was.p1:
        table = table._replace(p1=was.p1, p2=was.p2, score1=table.score2, score2=table.score1)
    return table._replace(number=was.number)


def _nothing_open(split: _Published, seed: int) -> RoundRepair:
    """Leave the round as it is: everything is finished."""
    nothing = Cost(forbidden_count=0, rematches=0, bye_rank=0, floats=0)
    stays = Pairing(
        write_tables=lambda: (split.finished_tables, ()),
        bye=split.standing_bye,
        seed=seed,
        cost=nothing,
        certificate=Certificate(nothing, is_proved=True, method="table"),
    )
    return RoundRepair(stays, (), stays, (), bye_moved=stays.bye != split.bye, is_fewest=True)
