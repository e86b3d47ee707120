"""Everything that decides how a Swiss round is paired: the field, the organizer's options, the past."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Q

from tournament.engine.pairing import acceleration, first_round
from tournament.engine.pairing.field import Field, Rules
from tournament.engine.pairing.history import History
from tournament.engine.pairing.records import Cost, Pairing, Wishes
from tournament.engine.pairing.swiss import pair_round
from tournament.events.models.event import Event, Stage
from tournament.events.models.player import Player
from tournament.events.selectors.stages import rounds_before
from tournament.events.table_numbers import TableNumbers
from tournament.pairing.options import PairingOptions, read_options
from tournament.pairing.selectors.swiss_field import SwissField, swiss_field
from tournament.standings.selectors.standings import system_of

EVERYBODY = Q()

Pair = tuple[int, int]


def table_numbers(event: Event) -> TableNumbers:
    """The tables that the event may use in its hall."""
    return TableNumbers(event.first_table, event.reserved_tables)


@dataclass(frozen=True, slots=True)
class Situation:
    """One Swiss round about to be paired. `local` counts it within its stage, from 1."""

    field: SwissField
    options: PairingOptions
    number: int
    local: int
    planned: int | None
    forbidden: tuple[Pair, ...]
    seeding: tuple[int, ...]
    win: Any
    draw: Any

    @property
    def keeps_clubs_apart(self) -> bool:
        """Whether players of one club are kept apart in this round."""
        return self.options.keeps_apart_in(self.number)

    @property
    def clubs_never_meet(self) -> bool:
        """Whether they may not meet at all, instead of rather not."""
        return self.keeps_clubs_apart and self.options.apart == "never"

    @property
    def wishes(self) -> Wishes:
        """What is wished for among pairings that are equally good."""
        return Wishes(
            groups_apart=self.keeps_clubs_apart and not self.clubs_never_meet,
            fresh_tables=self.options.fresh_tables,
        )

    def entrants(self) -> Sequence[Any]:
        """Who is paired, with the points that count for it."""
        if not self.options.accelerated or self.planned is None:
            return self.field.entrants
        return acceleration.accelerated(
            self.field.entrants,
            self.seeding,
            round_number=self.local,
            rounds=self.planned,
            win=self.win,
            draw=self.draw,
        )

    def pair(self, seed: int) -> Pairing:
        """The best pairing there is, drawn from the seed."""
        limits: dict[str, Any] = {
            "forbidden": self.forbidden,
            "own_group_forbidden": self.clubs_never_meet,
            "wishes": self.wishes,
        }
        if self.local == 1 and self.options.first_round != "random":
            method: Any = self.options.first_round
            return first_round.first_round(
                self.entrants(), seed=seed, method=method, seeding=self.seeding, **limits
            )
        left = None if self.planned is None else self.planned - self.local
        return pair_round(self.entrants(), self.field.met, seed=seed, rounds_left=left, **limits)

    def cost(self, pairs: Iterable[tuple[int, int | None]]) -> Cost:
        """What a whole pairing of this field costs; the bye is a pair with None."""
        rules = Rules(History(self.forbidden), self.clubs_never_meet, self.wishes)
        field = Field(self.entrants(), History(self.field.met), rules)
        vertex = {player: at for at, player in enumerate(field.ids)}
        return field.cost_of(sum(field.pair_cost(vertex[one], vertex[two]) for one, two in pairs))


def situation(event: Event, stage: Stage, number: int) -> Situation:
    """The situation before a round is paired, a draft of it left out. Four queries, five with a seeding."""
    options = read_options(event.pairing_options)
    points = system_of(event).points
    before = rounds_before(stage) if stage.position > 1 else 0
    return Situation(
        field=swiss_field(stage, number, points, table_numbers(event), before=before),
        options=options,
        number=number,
        local=number - before,
        planned=stage.planned_rounds,
        forbidden=tuple(event.forbidden_pairs.values_list("one_id", "two_id")),
        seeding=seeding(event, options, _first_field(stage, before)) if options.needs_seeding else (),
        win=points.win,
        draw=points.draw,
    )


def _first_field(stage: Stage, before: int) -> Q:
    """Who was in the first round of a stage: its halves stay, whoever comes or leaves later."""
    first = before + 1
    stayed = Q(dropped_after__isnull=True) | Q(dropped_after__gte=first)
    among = Q(stage_places__stage=stage) if stage.position > 1 else Q()
    return stayed & among & Q(entered_round__lte=first)


def seeding(event: Event, options: PairingOptions | None = None, among: Q = EVERYBODY) -> tuple[int, ...]:
    """Who is registered (and `among` some), best first: by seed or rating, without one by lot. One query."""
    by = (options or read_options(event.pairing_options)).seeded_by
    registered = event.players.filter(among, status=Player.Status.REGISTERED)
    rows = registered.values_list("pk", by, "lot")
    sign = -1 if by == "rating" else 1
    ordered = sorted(rows, key=lambda row: (row[1] is None, sign * (row[1] or 0), row[2], row[0]))
    return tuple(row[0] for row in ordered)


def pairing_report(result: Pairing) -> dict[str, Any]:
    """Cost and certificate of a pairing in plain words and numbers, to be kept with the round."""
    return {
        **cost_report(result.cost),
        "lower_bound": str(result.certificate.lower_bound.floats),
        "proved": result.certificate.proved,
        "method": result.certificate.method,
        "remarks": list(result.remarks),
    }


def cost_report(cost: Cost) -> dict[str, Any]:
    """A cost in plain numbers, the worst first."""
    return {
        "forbidden": cost.forbidden,
        "rematches": cost.rematches,
        "bye_score": None if cost.bye_score is None else str(cost.bye_score),
        "floats": str(cost.floats),
        "unwished": cost.unwished,
    }
