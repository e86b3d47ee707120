"""Propose repairs of a published round after a result or a player changed."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from django.utils.formats import number_format
from django.utils.translation import gettext

from decks.shared.fingerprints import make_fingerprint
from decks.shared.json_shapes import Published
from decks.shared.refusals import Refused
from decks.shared.stated_reasons import StatedReason, state_reason
from rules.reason import Param, Reason, Reference, reason
from tournament.engine.pairing import repair as engine_repair
from tournament.engine.pairing.model import Pairing, PairingError, PairingTable
from tournament.engine.pairing.nearest import MOST_VERTICES
from tournament.events.models.event import Stage
from tournament.events.models.player import Player
from tournament.events.models.round import Match, Round
from tournament.events.names import EventNames, format_problems
from tournament.events.settings import TableNumbers
from tournament.events.stated_reasons import state_reasons
from tournament.pairing.selectors import venues
from tournament.pairing.selectors.pairing_context import (
    PairingContext,
    load_pairing_context,
    locate_tables,
    table_numbers,
)
from tournament.pairing.selectors.table_changes import EMPTY_TABLE, TableChange, TableContent, change_table

PlayerPair = frozenset[int | None]
ByeChange = tuple[int | None, int | None]


@dataclass(frozen=True, slots=True)
class ProposedTable:
    """A proposed pair or, without `p2` and `table`, a bye, with reasons."""

    table: int | None
    p1: int
    p2: int | None
    why: tuple[Reason, ...]


@dataclass(frozen=True, slots=True)
class RepairProposal(Published):
    """One way to bring the round in order: the matches that go, the tables that come.

    `byes` has an entry for each bye that changes: the players, by id, who have it before and after.
    `is_fewest` says whether it is proved that no best pairing changes fewer; None if that is not the aim.
    """

    PUBLISHED = {
        "way": "way", "plan": "mark", "code": "stated_reason.code", "params": "stated_reason.params",
        "sentence": "stated_reason.sentence", "proof": "proof", "changes": "changes",
    }  # fmt: skip

    way: str
    removed_matches: tuple[Match, ...]
    added_tables: tuple[ProposedTable, ...]
    names: Mapping[int, str]
    numbers: Mapping[int, int]
    floats: str
    is_fewest: bool | None = None
    byes: tuple[ByeChange, ...] = ()

    @property
    def proof(self) -> StatedReason | None:
        """Return the proof about the number of changed tables.

        It is None if no tables change or if few changes are not the aim.
        """
        if self.is_fewest is None or not self.changes:
            return None
        if self.is_fewest:
            return state_reason(reason("fewest_tables"))
        shown_most = number_format(MOST_VERTICES, force_grouping=True)
        return state_reason(
            reason("fewest_tables_open", most=shown_most), reason("fewest_tables_open", most=MOST_VERTICES)
        )

    @property
    def mark(self) -> str:
        """Return a fingerprint of this proposal, as someone saw it.

        Another proposal has another one.
        """
        basis = (
            sorted((match.pk, match.revision) for match in self.removed_matches),
            sorted(map(repr, self.added_tables)),
        )
        return make_fingerprint(basis)

    @property
    def changes(self) -> list[TableChange]:
        """Table by table, the byes last."""
        before = [match for match in self.removed_matches if match.p2_id is not None]
        old = {match.table: self._fill_table(match.p1_id, match.p2_id) for match in before}
        after = [table for table in self.added_tables if table.p2 is not None]
        new = {table.table: self._fill_table(table.p1, table.p2) for table in after}
        tables = sorted({*old, *new}, key=lambda n: (n is None, n or 0))
        return [
            *(change_table(each, old.get(each, EMPTY_TABLE), new.get(each, EMPTY_TABLE)) for each in tables),
            *(change_table(None, self._fill_table(one), self._fill_table(two)) for one, two in self.byes),
        ]

    def _fill_table(self, one: int | None, two: int | None = None) -> TableContent:
        players = tuple(self.numbers[pk] for pk in (one, two) if pk is not None)
        return TableContent("" if one is None else _format_pair(one, two, self.names), players)

    @property
    def sentence(self) -> str:
        """The changed tables, in one sentence."""
        return self.stated_reason.sentence

    @property
    def stated_reason(self) -> StatedReason:
        """The changed tables, for programs and people."""
        (stated_change,) = state_reasons([self.reason], EventNames(players=self.names), self.numbers)
        return stated_change

    @property
    def reason(self) -> Reason:
        """The changed tables, and the players who lose and get the bye."""
        if not self.removed_matches and not self.added_tables:
            return reason("tables_stay")
        tables = tuple(each.table for each in self.changes if each.table is not None)
        byes = [_describe_bye(*bye) for bye in self.byes]
        if len(byes) > 1:
            moves = tuple(Reason("bye_moves", bye) for bye in byes)
            return reason("tables_change.byes", tables=tables, count=len(tables), byes=moves)
        bye = byes[0] if byes else _describe_bye(None, None)
        return Reason("tables_change", {"tables": tables, "count": len(tables), **bye})


def _describe_bye(before: int | None, after: int | None) -> dict[str, Param]:
    return {
        "bye_from": None if before is None else Reference("player", before),
        "bye_to": None if after is None else Reference("player", after),
    }


def _format_pair(one: int, two: int | None, names: Mapping[int, str]) -> str:
    if two is None:
        return gettext("%(player)s has the bye") % {"player": names[one]}
    return gettext("%(p1)s vs. %(p2)s") % {"p1": names[one], "p2": names[two]}


@dataclass(frozen=True, slots=True)
class RoundRepairs:
    """The published round, its finished tables, and repairs of the others."""

    round: Round
    finished_count: int
    open_count: int
    swap: RepairProposal
    new_pairing: RepairProposal

    @property
    def proposals(self) -> list[RepairProposal]:
        """Both ways to change the open tables."""
        return [self.swap, self.new_pairing]

    def of(self, way: str) -> RepairProposal:
        """Return the proposal of a way."""
        return self.swap if way == self.swap.way else self.new_pairing


def open_round_after(round_: Round) -> Round | None:
    """Return the later published, unfinished round of the same Swiss stage.

    It takes one query.
    """
    if round_.stage.kind != Stage.Kind.SWISS:
        return None
    later_rounds = Round.objects.filter(
        stage=round_.stage, number__gt=round_.number, state=Round.State.PUBLISHED
    )
    return later_rounds.select_related("stage__event").order_by("number").last()


def propose_repairs(
    round_: Round, seed: int, *, settled_ids: Collection[int] = (), apart: Collection[tuple[int, int]] = ()
) -> RoundRepairs:
    """Return what to do about a Swiss round of whose field something has changed.

    In a draft everyone who is in gets a place, in a published round those who have one.

    Finished tables, `settled_ids` (of matches), given byes and losses without an opponent stay; pairs of
    `apart` (ids of players) do not. The bye goes to another player if that is better, unless its holder has
    left. Raises Refused if the field cannot be paired at all.
    """
    context = load_pairing_context(round_.stage.event, round_.stage, round_.number)
    context = replace(context, forbidden_pairs=(*context.forbidden_pairs, *apart))
    matches = list(round_.matches.select_related("p1", "p2").order_by("table", "pk"))
    numbers = table_numbers(round_.stage.event)
    if round_.is_draft:
        context.refuse_without_pod()
    players = _load_names_and_numbers(round_, matches, context)
    boards = list(_list_boards(context, matches, numbers, settled_ids))
    if not boards:
        raise Refused("too_few_players")
    names = {pk: name for pk, (name, _) in players.items()}
    player_numbers = {pk: number for pk, (_, number) in players.items()}
    builders = [_ProposalBuilder(board, names, player_numbers, numbers) for _, board in boards]
    repairs = _run_repairs(round_, boards, seed, numbers)
    return RoundRepairs(
        round=round_,
        finished_count=sum(len(board.finished_tables) for _, board in boards),
        open_count=sum(len(board.tables) - len(board.finished_tables) for _, board in boards),
        swap=_join_proposals(
            [
                each.proposal("swap", plan.nearest_pairing, plan.is_fewest)
                for each, plan in zip(builders, repairs, strict=True)
            ]
        ),
        new_pairing=_join_proposals(
            [each.proposal("all", plan.new_pairing) for each, plan in zip(builders, repairs, strict=True)]
        ),
    )


def _load_names_and_numbers(
    round_: Round, matches: Sequence[Match], context: PairingContext
) -> dict[int, tuple[str, int]]:
    """Return name and number of the players of these matches, by id.

    In a draft, everyone who is in is included.
    """
    players = {p.pk: (p.name, p.number) for m in matches for p in (m.p1, m.p2) if p is not None}
    if round_.is_draft:
        entrant_ids = [entrant.id for entrant in context.swiss.entrants]
        rows = Player.objects.filter(pk__in=entrant_ids).values_list("pk", "name", "number")
        players |= {pk: (name, number) for pk, name, number in rows}
    return players


def _list_boards(
    context: PairingContext, matches: Sequence[Match], numbers: TableNumbers, settled_ids: Collection[int]
) -> Iterator[tuple[PairingContext, _Board]]:
    """Yield each field that is paired separately, with its part of the round.

    There is one field, or one for each pod.
    """
    fields = context.map_fields((match.p1_id, match.p2_id) for match in matches)
    # A pod that everyone has left is no field any more.
    first = next(iter(fields), 0)
    pods = {} if context.pods is None else context.pods
    matches_by_pod: defaultdict[int, list[Match]] = defaultdict(list)
    for match in matches:
        pod = pods.get(match.p1_id, 0)
        matches_by_pod[pod if pod in fields else first].append(match)
    for pod, field in fields.items():
        yield field, _Board.of(matches_by_pod[pod], set(context.swiss.resting_players), numbers, settled_ids)


def _run_repairs(
    round_: Round, boards: Sequence[tuple[PairingContext, _Board]], seed: int, numbers: TableNumbers
) -> list[engine_repair.RoundRepair]:
    """Repair each field; no field takes a table of another.

    Raises Refused if one cannot be paired.
    """
    in_use = venues.tables_in_use(venues.events_sharing_venue(round_.stage.event))
    elsewhere = {numbers.place(table) for table in in_use}
    tables_by_board = [set(board.match_of) for _, board in boards]
    repairs: list[engine_repair.RoundRepair] = []
    for at, (field, board) in enumerate(boards):
        others = set().union(*tables_by_board[:at], *tables_by_board[at + 1 :])
        try:
            plan = _run_repair(field, board, seed, elsewhere | others, takes_all=round_.is_draft)
        except PairingError as error:
            problems = format_problems(error, round_.stage.event)
            raise Refused("cannot_be_paired.repair", why=problems) from error
        tables_by_board[at] |= {
            t.number for way in (plan.nearest_pairing, plan.new_pairing) for t in way.tables
        }
        repairs.append(plan)
    return repairs


def _join_proposals(proposals: Sequence[RepairProposal]) -> RepairProposal:
    """Return one way to bring all fields in order."""
    first = proposals[0]
    proofs = [proposal.is_fewest for proposal in proposals if proposal.is_fewest is not None]
    return replace(
        first,
        removed_matches=tuple(match for each in proposals for match in each.removed_matches),
        added_tables=tuple(table for each in proposals for table in each.added_tables),
        floats=str(sum(Fraction(each.floats) for each in proposals)),
        is_fewest=all(proofs) if proofs else None,
        byes=tuple(bye for each in proposals for bye in each.byes),
    )


@dataclass(frozen=True, slots=True)
class _Board:
    """The round as the engine reads it: places of tables, their matches, the bye."""

    tables: tuple[PairingTable, ...]
    match_of: Mapping[int, Match]
    finished_tables: frozenset[int]
    bye: Match | None
    seated_players: frozenset[int]

    @classmethod
    def of(
        cls,
        matches: Sequence[Match],
        given_matches: set[int],
        numbers: TableNumbers,
        settled_ids: Collection[int] = (),
    ) -> _Board:
        pairs = [match for match in matches if match.p2_id is not None]
        # A match without a table is in no one's way.
        match_of = {-n if m.table is None else numbers.place(m.table): m for n, m in enumerate(pairs, 1)}
        tables = tuple(PairingTable(n, m.p1_id, m.p2_id) for n, m in match_of.items() if m.p2_id is not None)
        byes = [
            m
            for m in matches
            if m.outcome == Match.Outcome.BYE and m.p1_id not in given_matches and m.pk not in settled_ids
        ]
        bye = byes[0] if byes else None
        seated_players = {player for table in tables for player in table.players} | (
            {bye.p1_id} if bye else set()
        )
        finished_tables = frozenset(
            n for n, match in match_of.items() if match.is_finished or match.pk in settled_ids
        )
        return cls(tables, match_of, finished_tables, bye, frozenset(seated_players))


def _run_repair(
    context: PairingContext, board: _Board, seed: int, taken_tables: Collection[int], *, takes_all: bool
) -> engine_repair.RoundRepair:
    entrants = [entrant for entrant in context.entrants() if entrant.id in board.seated_players or takes_all]
    bye = board.bye.p1_id if board.bye else None
    return engine_repair.repair_round(
        board.tables,
        board.finished_tables,
        entrants,
        context.swiss.meetings,
        seed=seed,
        bye=bye,
        bye_stands=bye is not None and all(entrant.id != bye for entrant in entrants),
        rounds_left=None
        if context.planned_rounds is None
        else max(context.planned_rounds - context.local, 0),
        forbidden=context.forbidden_pairs,
        own_group_forbidden=context.clubs_never_meet,
        preferences=context.preferences,
        taken_tables=taken_tables,
    )


@dataclass(frozen=True, slots=True)
class _ProposalBuilder:
    """Turn a pairing of the engine into a proposal with the numbers on the tables."""

    board: _Board
    names: Mapping[int, str]
    player_numbers: Mapping[int, int]
    numbers: TableNumbers

    def proposal(self, way: str, pairing: Pairing, is_fewest: bool | None = None) -> RepairProposal:
        board = self.board
        current_matches: dict[PlayerPair, Match] = {
            frozenset((m.p1_id, m.p2_id)): m
            for n, m in board.match_of.items()
            if n not in board.finished_tables
        }
        settled_pairs = {frozenset(t.players) for t in board.tables if t.number in board.finished_tables}
        wanted_tables: dict[PlayerPair, PairingTable] = {
            frozenset(t.players): t for t in pairing.tables if frozenset(t.players) not in settled_pairs
        }
        removed_matches = [match for pair, match in current_matches.items() if pair not in wanted_tables]
        new_tables = [table for pair, table in wanted_tables.items() if pair not in current_matches]
        bye = board.bye.p1_id if board.bye else None
        if board.bye and pairing.bye != bye:
            removed_matches.append(board.bye)
        proposed_tables = [ProposedTable(self.numbers.table(t.number), t.p1, t.p2, t.why) for t in new_tables]
        if pairing.bye is not None and pairing.bye != bye:
            why = locate_tables(pairing.explain(pairing.bye), self.numbers)
            proposed_tables.append(ProposedTable(None, pairing.bye, None, why))
        return RepairProposal(
            way,
            tuple(removed_matches),
            tuple(proposed_tables),
            self.names,
            self.player_numbers,
            str(pairing.cost.floats),
            is_fewest,
            () if pairing.bye == bye else ((bye, pairing.bye),),
        )
