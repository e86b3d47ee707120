"""From tournament.selectors.field."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any

from django.db.models import QuerySet

from tournament.engine.pairing.records import Entrant
from tournament.engine.records import Score
from tournament.engine.standings.scoring import Points
from tournament.events.models.event import Stage
from tournament.events.models.player import Player
from tournament.events.models.round import Match
from tournament.events.table_numbers import TableNumbers
from tournament.standings.points import WORTH, Ledger
from tournament.standings.selectors.records import Outcome


@dataclass(frozen=True, slots=True)
class SwissField:
    """Who is paired in a round and who has met; `resting` have a bye that was given them beforehand."""

    entrants: list[Entrant]
    met: list[tuple[int, int]]
    resting: list[int]

    @property
    def scores(self) -> dict[int, Score]:
        """Points of everybody who is paired, without what acceleration adds."""
        return {entrant.id: entrant.score for entrant in self.entrants}


def swiss_field(
    stage: Stage, number: int, points: Points, numbers: TableNumbers, *, before: int
) -> SwissField:
    """The field of round `number`; `before` rounds were played in earlier stages. Two queries.

    A draft of that very round plays no part in it. Tables are counted as the engine does.
    """
    ledger = Ledger(points)
    byes: Counter[int] = Counter()
    sat: dict[int, list[int]] = {}
    met: list[tuple[int, int]] = []
    past = Match.objects.filter(round__stage=stage).exclude(round__number__gte=number)
    for p1, p2, table, *outcome in past.values_list("p1_id", "p2_id", "table", *WORTH):
        if p2 is None:
            byes[p1] += outcome[0] == Outcome.BYE
        else:
            met.append((p1, p2))
            if table is not None:
                sat.setdefault(p1, []).append(numbers.place(table))
                sat.setdefault(p2, []).append(numbers.place(table))
        ledger.credit(p1, p2, tuple(outcome))
    entrants, resting = [], []
    for pk, club, fixed, first_byes in _still_in(stage, number):
        if number - before <= first_byes:
            resting.append(pk)
            continue
        seat = None if fixed is None else numbers.place(fixed)
        club = club.strip().casefold()
        entrants.append(Entrant(pk, ledger.scores[pk], byes[pk], club, seat, tuple(sat.get(pk, ()))))
    return SwissField(entrants, met, resting)


def _still_in(stage: Stage, number: int) -> QuerySet[Player, tuple[Any, ...]]:
    playing = Player.objects.filter(
        event_id=stage.event_id, status=Player.Status.REGISTERED, dropped_after__isnull=True
    )
    if stage.position > 1:
        playing = playing.filter(stage_places__stage=stage)
    playing = playing.filter(entered_round__lte=number)
    return playing.order_by("number").values_list("pk", "club", "fixed_table", "first_byes")
