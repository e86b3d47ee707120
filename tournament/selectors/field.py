"""Records for the engine, read as values in a fixed number of queries."""

from __future__ import annotations

from collections import Counter
from typing import Any

from tournament.engine import records
from tournament.engine.pairing import Entrant, Pairing
from tournament.models import Event, Match, Player, Round, Stage

MATCH_FIELDS = ("round_id", "table", "p1_id", "p2_id", "outcome", "p1_games", "p2_games", "draws")


def engine_event(event: Event, *, after_round: int | None = None) -> records.Event:
    """The Swiss rounds of an event as the engine reads them: drafts and the cut stay out. Three queries."""
    rounds = Round.objects.filter(stage__event=event, stage__kind=Stage.Kind.SWISS)
    rounds = rounds.exclude(state=Round.State.DRAFT)
    if after_round is not None:
        rounds = rounds.filter(number__lte=after_round)
    order = list(rounds.order_by("number").values_list("pk", flat=True))
    by_round: dict[int, list[records.Match]] = {pk: [] for pk in order}
    for row in Match.objects.filter(round_id__in=order).order_by("pk").values_list(*MATCH_FIELDS):
        by_round[row[0]].append(_match(row))
    players = _players(event)
    return records.Event(
        players=tuple(records.Player(id=pk, name=name) for pk, name, _ in players),
        rounds=tuple(tuple(by_round[pk]) for pk in order),
        drops={pk: dropped for pk, _, dropped in players if dropped is not None},
    )


def _players(event: Event) -> list[tuple[int, str, int | None]]:
    entered = event.players.filter(status=Player.Status.REGISTERED)
    return list(entered.order_by("number").values_list("pk", "name", "dropped_after"))


def _match(row: tuple[Any, ...]) -> records.Match:
    _, table, p1, p2, outcome, p1_games, p2_games, draws = row
    return records.Match(
        p1=p1,
        p2=p2,
        result=records.Result(outcome) if outcome else None,
        p1_games=p1_games,
        p2_games=p2_games,
        draws=draws,
        table=table,
    )


def entrants(event: Event, stage: Stage, number: int) -> tuple[list[Entrant], list[tuple[int, int]]]:
    """Who is paired in the given round, with score and byes so far, and who has met. Two queries."""
    playing = event.players.filter(
        status=Player.Status.REGISTERED, dropped_after__isnull=True, entered_round__lte=number
    )
    scores: Counter[int] = Counter()
    byes: Counter[int] = Counter()
    met: list[tuple[int, int]] = []
    for p1, p2, outcome in Match.objects.filter(round__stage=stage).values_list("p1_id", "p2_id", "outcome"):
        if p2 is None:
            byes[p1] += 1
        else:
            met.append((p1, p2))
        _credit(scores, p1, p2, outcome)
    ids = playing.order_by("number").values_list("pk", flat=True)
    return [Entrant(id=pk, score=scores[pk], byes=byes[pk]) for pk in ids], met


def _credit(scores: Counter[int], p1: int, p2: int | None, outcome: str) -> None:
    if outcome in (Match.Outcome.P1, Match.Outcome.BYE):
        scores[p1] += 3
    elif outcome == Match.Outcome.DRAW:
        scores[p1] += 1
        scores[p2] += 1
    elif outcome == Match.Outcome.P2:
        scores[p2] += 3


def swiss_points(shown: Round) -> Counter[int]:
    """Match points of each player in the Swiss rounds before the given round. One query."""
    points: Counter[int] = Counter()
    before = Match.objects.filter(
        round__stage__event_id=shown.stage.event_id, round__stage__kind=Stage.Kind.SWISS
    )
    if not shown.stage.is_elimination:
        before = before.filter(round__number__lt=shown.number)
    for p1, p2, outcome in before.values_list("p1_id", "p2_id", "outcome"):
        _credit(points, p1, p2, outcome)
    return points


def pairing_report(result: Pairing) -> dict[str, Any]:
    """Cost and certificate of a pairing in plain words and numbers, to be kept with the round."""
    return {
        "rematches": result.cost.rematches,
        "floats": str(result.cost.floats),
        "lower_bound": str(result.certificate.lower_bound.floats),
        "proved": result.certificate.proved,
        "method": result.certificate.method,
        "remarks": list(result.remarks),
    }
