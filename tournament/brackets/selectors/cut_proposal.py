"""Compare a cut with the one the current standings would make."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from decks.shared.fingerprints import make_fingerprint
from decks.shared.refusals import Refused
from decks.shared.stated_reasons import StatedReason
from decks.shared.wording import say_reason
from rules.reason import Reason, Reference, reason
from tournament.engine.brackets.group_seeding import seed_from_groups
from tournament.events.models.event import Event, Stage
from tournament.events.models.player import Player
from tournament.events.models.round import Match
from tournament.events.names import EventNames
from tournament.events.selectors import get_bracket_stage, get_standings_stage
from tournament.events.settings import StagePlan, get_plan
from tournament.events.stated_reasons import state_reasons
from tournament.pairing.selectors.table_changes import TableChange
from tournament.standings.selectors import qualifying


@dataclass(frozen=True, slots=True)
class CutProposal:
    """The effects of re-making the cut; `refusal` says why it is not possible.

    `seeds` are the players by id, best seed first. `changes` are the tables, if someone has tried it out.
    """

    stage: Stage
    seeds: tuple[int, ...]
    enter: tuple[Player, ...]
    leave: tuple[Player, ...]
    reseeded_count: int
    refusal: str = ""
    selection: qualifying.CutSelection | None = None
    changes: tuple[TableChange, ...] = ()

    @property
    def way(self) -> str:
        """The value that chooses this option."""
        return "cut"

    @property
    def proof(self) -> None:
        """A cut follows the standings; there is nothing to prove."""

    @property
    def is_different(self) -> bool:
        """Whether other players would qualify, or the seeds would change."""
        return bool(self.enter or self.leave or self.reseeded_count)

    @property
    def mark(self) -> str:
        """Return what someone saw who looked at this; another choice has another mark."""
        return make_fingerprint((self.stage.pk, self.seeds))

    @property
    def sentence(self) -> str:
        """The players who enter and leave the cut, in one sentence."""
        return self.stated_reason.sentence

    @property
    def stated_reason(self) -> StatedReason:
        """The players who enter and leave the cut, for programs and people."""
        players = (*self.enter, *self.leave)
        names = EventNames(players={player.pk: player.name for player in players})
        (stated_change,) = state_reasons(
            [self.reason], names, {player.pk: player.number for player in players}
        )
        return stated_change

    @property
    def reason(self) -> Reason:
        """The players who enter and leave the cut."""
        if not self.is_different:
            return reason("cut_stays_same")
        return reason(
            "cut_changes",
            enter=tuple(Reference("player", player.pk) for player in self.enter),
            enter_count=len(self.enter),
            leave=tuple(Reference("player", player.pk) for player in self.leave),
            leave_count=len(self.leave),
            reseeded=self.reseeded_count,
        )

    def with_tables(self, changes: Sequence[TableChange]) -> CutProposal:
        """Return the same with the tables that change."""
        return replace(self, changes=tuple(changes))


def count_played_matches(stage: Stage) -> int:
    """Return how many matches of a bracket have a result.

    Who passed because the other left has not played.
    """
    matches = Match.objects.filter(round__stage=stage, p2__isnull=False)
    return matches.exclude(outcome="").exclude(ending=Match.Ending.LEFT).count()


def propose_cut(event: Event) -> CutProposal | None:
    """Compare the cut as it would be now with the one that was made; None without.

    A bracket that begins the event is no cut. If a match of it is finished, or no one can be chosen,
    `refusal` says so.
    """
    stage = get_bracket_stage(event)
    if stage is None or stage.position == 1:
        return None
    stage.event = event
    if played_count := count_played_matches(stage):
        return CutProposal(stage, (), (), (), 0, say_reason(reason("cut_has_results", count=played_count)))
    try:
        planned_stage = plan_entry_of(stage)
        selection = qualifying.select_qualifiers(event, planned_stage)
    except Refused as refusal:
        return CutProposal(stage, (), (), (), 0, refusal.sentence)
    players = [place.player for place in selection.places]
    return _compare_with_cut(
        stage, tuple(order_seeds(get_standings_stage(event), planned_stage, players)), selection
    )


def _compare_with_cut(
    stage: Stage, seeds: tuple[int, ...], selection: qualifying.CutSelection
) -> CutProposal:
    current_seeds = dict(stage.entrants.values_list("player_id", "seed"))
    proposed_seeds = {player: seed for seed, player in enumerate(seeds, 1)}
    players = Player.objects.in_bulk(current_seeds.keys() | proposed_seeds.keys())
    return CutProposal(
        stage,
        seeds,
        tuple(players[pk] for pk in proposed_seeds if pk not in current_seeds),
        tuple(
            players[pk]
            for pk in sorted(current_seeds, key=current_seeds.__getitem__)
            if pk not in proposed_seeds
        ),
        sum(current_seeds[pk] != proposed_seeds[pk] for pk in proposed_seeds.keys() & current_seeds.keys()),
        "" if len(proposed_seeds) > 1 else say_reason(reason("too_few_qualify")),
        selection,
    )


def plan_entry_of(stage: Stage) -> StagePlan:
    """Return what the plan says of a stage that was begun."""
    plan = get_plan(stage.event)
    return plan[min(stage.position, len(plan)) - 1]


def order_seeds(before: Stage | None, planned_stage: StagePlan, players: Sequence[int]) -> Sequence[int]:
    """Order seeds best first.

    From groups, group-mates meet as late as the bracket allows.
    """
    if before is None or not before.has_groups or not planned_stage.is_bracket:
        return players
    return seed_from_groups(players, dict(before.entrants.values_list("player_id", "group")))
