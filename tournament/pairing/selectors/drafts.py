"""A draft for its organizer: warnings at each table, and its cost."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Required, Self, TypedDict

from django.utils.translation import gettext, gettext_lazy

from decks.shared.fingerprints import make_fingerprint
from decks.shared.json_shapes import Published
from rules.reason import Reason, Reference, reason
from tournament.engine.pairing.inside_pods import add_costs
from tournament.engine.pairing.model import Cost, Entrant, PairingError
from tournament.engine.records import Score
from tournament.events.models.event import Event
from tournament.events.models.round import Match, Round
from tournament.events.names import EventNames
from tournament.events.selectors import count_rounds_before
from tournament.events.settings import get_stage_sides
from tournament.events.stated_reasons import state_reasons
from tournament.log.facts import reference
from tournament.pairing.options import parse_pairing_options
from tournament.pairing.selectors.pairing_context import (
    PairingContext,
    PairOrBye,
    cost_report,
    load_pairing_context,
)
from tournament.pairing.selectors.pods import (
    compare_seating_with_best,
    find_pod_warnings,
    list_pods,
    load_pod_context,
)

# A change by hand as its draft keeps it, players by their numbers: what else it has goes by `move`.
ManualChange = TypedDict(
    "ManualChange",
    {
        "move": Required[str],
        "one": int,
        "two": int,
        "why": dict[str, list[dict[str, object]]],
        "from": int | None,
        "to": int,
        "side": int,
    },
    total=False,
)

MANUAL_CHANGES_KEY = "by_hand"
PAIR_BY_HAND = reason("paired_by_hand")
# Stands among the changes by hand where the field changed after them.
FIELD_CHANGE = "field"
# Begins the codes of objections to the tables of a draft; after it they are as the API has them.
DRAFT_CODES = "draft_"
WARNING_LABELS = {
    "second_bye": gettext_lazy("Second bye"),
    "bye_not_lowest": gettext_lazy("Not the lowest score"),
    "forbidden": gettext_lazy("Must never meet"),
    "rematch": gettext_lazy("Met before"),
    "one_club": gettext_lazy("Same club"),
    "float": gettext_lazy("Different points"),
}
COST_LABELS = {
    "sizes": gettext_lazy("Players at the tables"),
    "forbidden": gettext_lazy("Blocked pairings"),
    "rematches": gettext_lazy("Rematches and second byes"),
    "third_meetings": gettext_lazy("Third matches and third byes"),
    "immediate": gettext_lazy("Rematches and byes of the previous round"),
    "bye_score": gettext_lazy("Points of the bye"),
    "floats": gettext_lazy("Point differences, each squared"),
    "unwished": gettext_lazy("Pairings against a preference"),
    "small_again": gettext_lazy("Players at a smaller table again"),
}


def fingerprint_draft(draft: Round) -> str:
    """Return a fingerprint of a draft's tables, as someone saw them. One query."""
    tables = list(draft.matches.order_by("pk").values_list("p1_id", "p2_id", "table"))
    if not get_stage_sides(draft.stage).is_duel:
        tables += list(draft.seats.order_by("match_id", "side").values_list("match_id", "player_id", "side"))
    return make_fingerprint(tables)


@dataclass(frozen=True, slots=True)
class DraftNotice:
    """A standing draft, for those who are about to change its field.

    It says how many changes by hand the draft has. `is_schedule`: its groups say who meets. `is_seeded`: new
    seeds pair it again.
    """

    number: int
    manual_changes: int
    is_schedule: bool
    is_seeded: bool


def find_draft_notice(event: Event) -> DraftNotice | None:
    """Return the draft of an event, if any. One query in Swiss rounds, else none."""
    if event.phase != Event.Phase.SWISS:
        return None
    drafts = Round.objects.select_related("stage__event").filter(stage__event=event)
    draft = drafts.filter(state=Round.State.DRAFT).first()
    if draft is None:
        return None
    return DraftNotice(
        number=draft.number,
        manual_changes=sum(move["move"] != FIELD_CHANGE for move in list_manual_changes(draft)),
        is_schedule=draft.stage.has_schedule,
        is_seeded=find_seeding_column(draft) is not None,
    )


def find_seeding_column(draft: Round) -> str | None:
    """Return what of its players a draft was paired by, seed or rating.

    None for every round but a seeded first.
    """
    if draft.stage.has_schedule:
        return None
    options = parse_pairing_options(draft.stage.event.pairing_options)
    is_first = draft.number - count_rounds_before(draft.stage) == 1
    return options.seeded_by if is_first and options.first_round != "random" else None


@dataclass(frozen=True, slots=True)
class DraftWarning(Published):
    """An objection to a table.

    `by_hand` where the organizer put its players together.
    """

    PUBLISHED = ("code", "params", "table", "sentence", "by_hand")

    code: str
    params: Mapping[str, object]
    match: int
    table: int | None
    sentence: str
    by_hand: bool

    @classmethod
    def list_of(cls, match: Match, objections: Iterable[Reason], by_hand: bool) -> list[Self]:
        """Return the objections to a match, in words with the names of its players."""
        players = [side.player for side in match.sides] if match.is_pod else [match.p1, match.p2 or match.p1]
        names = EventNames(players={player.pk: player.name for player in players})
        numbers = {player.pk: player.number for player in players}
        return [
            cls(
                code=each.code.removeprefix(DRAFT_CODES),
                params=each.params,
                match=match.pk,
                table=match.table,
                sentence=each.sentence,
                by_hand=by_hand,
            )
            for each in state_reasons(list(objections), names, numbers)
        ]

    @property
    def placed_sentence(self) -> str:
        """The sentence with its table, if it has one."""
        if self.table is None:
            return self.sentence
        return gettext("Table %(table)s: %(problem)s") % {"table": self.table, "problem": self.sentence}

    @property
    def label(self) -> str:
        """The warning in a word or two."""
        return str(WARNING_LABELS[self.code])


@dataclass(frozen=True, slots=True)
class CostLine:
    """One part of the cost: of the pairing in its current state, and of the best one."""

    key: str
    words: str
    now: str
    best: str

    @property
    def is_worse(self) -> bool:
        """Whether the manual pairing costs more here."""
        return self.now != self.best


@dataclass(frozen=True)
class DraftView(Published):
    """The warnings of a draft, its cost beside the optimum, and its manual changes."""

    PUBLISHED = {"warnings": "warnings", "costs": "costs", "changes": "change_count"}

    warnings: tuple[DraftWarning, ...]
    costs: tuple[CostLine, ...]
    moves: tuple[ManualChange, ...]
    names: EventNames = field(default_factory=EventNames)

    @property
    def change_count(self) -> int:
        """How many changes were made by hand."""
        return len(self.moves)

    @property
    def to_confirm(self) -> tuple[DraftWarning, ...]:
        """Return what someone must confirm before the round is published."""
        return tuple(warning for warning in self.warnings if warning.by_hand)

    @cached_property
    def by_match(self) -> Mapping[int, list[DraftWarning]]:
        """The warnings of each match."""
        warnings_by_match: dict[int, list[DraftWarning]] = {}
        for warning in self.warnings:
            warnings_by_match.setdefault(warning.match, []).append(warning)
        return warnings_by_match

    @property
    def is_optimal(self) -> bool:
        """Whether no part of the cost is above the best pairing's."""
        return not any(line.is_worse for line in self.costs)


def list_manual_changes(draft: Round) -> list[ManualChange]:
    """Return what was changed by hand, in order; players by their numbers."""
    return list(draft.pairing.get(MANUAL_CHANGES_KEY, []))


def load_draft_view(draft: Round) -> DraftView:
    """Look at a draft. Six queries; of a schedule there is nothing to say."""
    if draft.stage.has_schedule:
        return DraftView((), (), ())
    if not get_stage_sides(draft.stage).is_duel:
        return _load_pod_view(draft)
    context = load_pairing_context(draft.stage.event, draft.stage, draft.number)
    matches = list(draft.matches.select_related("p1", "p2").order_by("table", "pk"))
    moves = list_manual_changes(draft)
    matches.sort(key=lambda match: match.table is None)
    warnings = tuple(_find_warnings(context, matches, _moved_players(moves)))
    players = [player for match in matches for player in (match.p1, match.p2) if player is not None]
    return DraftView(
        warnings,
        _compare_costs(context, draft, matches) if moves else (),
        tuple(moves),
        EventNames(players={player.pk: player.name for player in players}),
    )


def _load_pod_view(draft: Round) -> DraftView:
    """Return the objections to tables of more than two sides. Six queries."""
    context = load_pod_context(draft.stage.event, draft.stage, draft.number)
    matches = draft.matches.select_related("p1", "p2").prefetch_related("seats__player")
    moves = list_manual_changes(draft)
    moved_numbers = _moved_players(moves)
    warnings = [
        warning
        for match in matches.order_by("table", "pk")
        for by_hand in [any(side.player.number in moved_numbers for side in match.sides)]
        for warning in DraftWarning.list_of(match, find_pod_warnings(context, match), by_hand)
    ]
    costs = _list_cost_lines(context.report(list_pods(draft)), draft.pairing) if moves else ()
    return DraftView(tuple(warnings), costs, tuple(moves), EventNames(draft.stage.event))


def _moved_players(moves: list[ManualChange]) -> set[int]:
    swapped_numbers = {
        number for move in moves if move["move"] == "swap" for number in (move["one"], move["two"])
    }
    return swapped_numbers | {move["one"] for move in moves if move["move"] == "seat"}


def _compare_costs(context: PairingContext, draft: Round, matches: list[Match]) -> tuple[CostLine, ...]:
    resting_ids = set(context.swiss.resting_players)
    pairs = [(match.p1_id, match.p2_id) for match in matches if match.p1_id not in resting_ids]
    return _list_cost_lines(cost_report(context.cost(pairs)), draft.pairing)


def compare_with_best(round_: Round) -> tuple[CostLine, ...]:
    """Return the costs of the pairs of a Swiss round and of the best pairing.

    The round is published. The best pairing is that of the same players. Five queries.

    Players who have left, and those without an opponent beside the bye, count for neither. Empty if no pair
    is left or the players cannot be paired.
    """
    if not get_stage_sides(round_.stage).is_duel:
        return _list_cost_lines(*compare_seating_with_best(round_))
    context = load_pairing_context(round_.stage.event, round_.stage, round_.number)
    pairs = _list_counted_pairs(context, round_)
    player_ids = {player_id for pair in pairs for player_id in pair}
    entrants = [entrant for entrant in context.swiss.entrants if entrant.id in player_ids]
    options = replace(context.options, first_round="random")
    field = replace(context, swiss=replace(context.swiss, entrants=entrants), options=options)
    try:
        best = _find_best_cost(field, pairs, round_.seed) if pairs else None
    except PairingError:
        best = None
    return _list_cost_lines(cost_report(field.cost(pairs)), cost_report(best)) if best else ()


def _find_best_cost(context: PairingContext, pairs: list[PairOrBye], seed: int) -> Cost:
    return add_costs(each.pair(seed).cost for each in context.map_fields(pairs).values())


def _list_counted_pairs(context: PairingContext, round_: Round) -> list[PairOrBye]:
    entrant_ids: set[int | None] = {entrant.id for entrant in context.swiss.entrants}
    rows = list(round_.matches.order_by("pk").values_list("p1_id", "p2_id", "outcome"))
    pairs: list[PairOrBye] = [(p1, p2) for p1, p2, _ in rows if {p1, p2} <= entrant_ids]
    byes = [p1 for p1, p2, outcome in rows if outcome == Match.Outcome.BYE and p1 in entrant_ids]
    counted_byes = byes[:1] if context.pods is None else byes
    return [*pairs, *((player, None) for player in counted_byes)]


def _list_cost_lines(cost: Mapping[str, object], best: Mapping[str, object]) -> tuple[CostLine, ...]:
    return tuple(
        CostLine(key, str(words), _format_cost(cost[key]), _format_cost(best.get(key)))
        for key, words in COST_LABELS.items()
        if key in best and key in cost and (cost[key] is not None or best[key] is not None)
    )


def _format_cost(value: object) -> str:
    if isinstance(value, (list, tuple)):
        return ", ".join(map(str, value))
    return "–" if value is None else str(value)


def _find_warnings(
    context: PairingContext, matches: list[Match], moved_ids: set[int]
) -> Iterator[DraftWarning]:
    fields = {entrant.id: entrant for entrant in context.swiss.entrants}
    forbidden_pairs = {frozenset(pair) for pair in context.forbidden_pairs}
    lowest_scores = _find_lowest_scores(context)
    for match in matches:
        by_hand = bool({match.p1.number, match.p2.number if match.p2 else 0} & moved_ids)
        if match.p2 is None:
            lowest = lowest_scores.get(match.p1_id, 0)
            warnings = _check_bye(match, fields.get(match.p1_id), lowest)
        else:
            pair = frozenset((match.p1_id, match.p2_id))
            have_met = match.p2_id is not None and context.swiss.meetings.have_met(match.p1_id, match.p2_id)
            warnings = _check_pair(
                match, fields, have_met, pair in forbidden_pairs, context.keeps_clubs_apart
            )
        yield from DraftWarning.list_of(match, warnings, by_hand)


def _find_lowest_scores(context: PairingContext) -> dict[int, Score]:
    """Find for each player the lowest score of the field they are paired in.

    Players with a bye do not count.
    """
    lowest_scores: dict[int, Score] = {}
    for each_field in context.map_fields().values():
        entrants = each_field.swiss.entrants
        lowest = min((each.score for each in entrants if not each.byes), default=0)
        lowest_scores.update((each.id, lowest) for each in entrants)
    return lowest_scores


def _check_bye(match: Match, resting_entrant: Entrant | None, lowest: Score) -> Iterator[Reason]:
    if resting_entrant is None:
        return
    if resting_entrant.byes:
        yield reason("draft_second_bye", player=reference(match.p1))
    if resting_entrant.score > lowest:
        player, points = reference(match.p1), resting_entrant.score
        yield reason("draft_bye_not_lowest", player=player, points=points, lowest=lowest)


def _check_pair(
    match: Match, fields: Mapping[int, Entrant], have_met: bool, is_forbidden: bool, keeps_clubs_apart: bool
) -> Iterator[Reason]:
    pair = {"p1": Reference("player", match.p1_id), "p2": Reference("player", match.p2_id or 0)}
    one, two = fields.get(match.p1_id), fields.get(match.p2_id or 0)
    if is_forbidden:
        yield reason("draft_forbidden", **pair)
    if have_met:
        yield reason("draft_rematch", **pair)
    if one is None or two is None:
        return
    if keeps_clubs_apart and one.group and one.group == two.group:
        yield reason("draft_one_club", **pair, club=match.p1.club)
    if one.score != two.score:
        yield reason("draft_float", **pair, first=one.score, second=two.score)


def list_resting_players(round_: Round) -> list[str]:
    """Return the names of those in groups who rest in a round. One query at most."""
    numbers = round_.pairing.get("resting", [])
    if not numbers:
        return []
    players = round_.stage.event.players.filter(number__in=numbers).order_by("number")
    return list(players.values_list("name", flat=True))
