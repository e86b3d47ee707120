"""Compare a cut with the one the current standings would make."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from decks.shared.refusals import Refused
from tournament.engine.brackets.group_seeding import seed_from_groups
from tournament.events.models.event import Event, Stage
from tournament.events.models.player import Player
from tournament.events.models.round import Match
from tournament.events.selectors import get_bracket_stage, get_standings_stage
from tournament.events.settings import StagePlan, get_plan
from tournament.pairing.selectors.repairs import TableChange
from tournament.shared.hashes import make_fingerprint
from tournament.standings.selectors import qualifying as cut


@dataclass(frozen=True, slots=True)
class CutProposal:
    """What making the cut anew would change; `refusal` says why it cannot be made.

    `seeds` are the players by id, best seed first. `changes` are the tables, where somebody has tried it out.
    """

    stage: Stage
    seeds: tuple[int, ...]
    enter: tuple[Player, ...]
    leave: tuple[Player, ...]
    reseeded: int
    refusal: str = ""
    chosen: cut.CutSelection | None = None
    changes: tuple[TableChange, ...] = ()

    @property
    def way(self) -> str:
        """The word with which this way out is chosen."""
        return "cut"

    @property
    def proof(self) -> str:
        """A cut follows the standings; there is nothing to prove."""
        return ""

    @property
    def is_different(self) -> bool:
        """Whether somebody else would play on, or the seeds would be others."""
        return bool(self.enter or self.leave or self.reseeded)

    @property
    def mark(self) -> str:
        """What somebody saw who looked at this; another choice has another mark."""
        return make_fingerprint((self.stage.pk, self.seeds))

    @property
    def sentence(self) -> str:
        """Who comes in and who goes out, in one sentence."""
        if not self.is_different:
            return "The cut stays as it is: the same players with the same seeds."
        said = [
            _format_players(self.enter, "comes in", "come in"),
            _format_players(self.leave, "goes out", "go out"),
        ]
        words = "; ".join(part for part in said if part) or "The same players play on"
        seeds = f"; {self.reseeded} {'seeds change' if self.reseeded > 1 else 'seed changes'}"
        return words + (seeds if self.reseeded else "") + "."

    def with_tables(self, changes: Sequence[TableChange]) -> CutProposal:
        """The same with the tables that change."""
        return replace(self, changes=tuple(changes))


def _format_players(players: Sequence[Player], one: str, many: str) -> str:
    names = ", ".join(player.name for player in players)
    return f"{names} {one if len(players) == 1 else many}" if players else ""


def count_played_matches(stage: Stage) -> int:
    """How many matches of a bracket have a result; who passed because the other left has not played."""
    matches = Match.objects.filter(round__stage=stage, p2__isnull=False)
    return matches.exclude(outcome="").exclude(ending=Match.Ending.LEFT).count()


def propose_cut(event: Event) -> CutProposal | None:
    """The cut as it would be made now, beside the one that was made; None where there is none to compare.

    A bracket that begins the event is no cut. Where a match of it is finished, or nobody can be chosen,
    `refusal` says so.
    """
    stage = get_bracket_stage(event)
    if stage is None or stage.position == 1:
        return None
    stage.event = event
    if played := count_played_matches(stage):
        many = f"{played} of its matches {'is' if played == 1 else 'are'} finished"
        return CutProposal(
            stage, (), (), (), 0, f"The cut stays: {many}, and finished matches are never touched."
        )
    try:
        planned = plan_entry_of(stage)
        chosen = cut.select_qualifiers(event, planned)
    except Refused as refusal:
        return CutProposal(stage, (), (), (), 0, refusal.sentence)
    players = [place.player for place in chosen.places]
    return _compare_with_cut(stage, tuple(order_seeds(get_standings_stage(event), planned, players)), chosen)


def _compare_with_cut(stage: Stage, seeds: tuple[int, ...], chosen: cut.CutSelection) -> CutProposal:
    stood = dict(stage.entrants.values_list("player_id", "seed"))
    wanted = {player: seed for seed, player in enumerate(seeds, 1)}
    people = Player.objects.in_bulk(stood.keys() | wanted.keys())
    return CutProposal(
        stage,
        seeds,
        tuple(people[pk] for pk in wanted if pk not in stood),
        tuple(people[pk] for pk in sorted(stood, key=stood.__getitem__) if pk not in wanted),
        sum(stood[pk] != wanted[pk] for pk in wanted.keys() & stood.keys()),
        "" if len(wanted) > 1 else "Fewer than two players would qualify.",
        chosen,
    )


def plan_entry_of(stage: Stage) -> StagePlan:
    """What the plan says of a stage that was begun."""
    plan = get_plan(stage.event)
    return plan[min(stage.position, len(plan)) - 1]


def order_seeds(before: Stage | None, planned: StagePlan, players: Sequence[int]) -> Sequence[int]:
    """Best first; out of groups into a bracket so that group-mates meet as late as it allows."""
    if before is None or before.groups < 2 or not planned.is_bracket:
        return players
    return seed_from_groups(players, dict(before.entrants.values_list("player_id", "group")))
