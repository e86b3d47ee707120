"""What everybody may see of an event, in a fixed number of queries; drafts stay out."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django.db.models import Count, Q, QuerySet

from tournament.models import Event, Match, Player, Round
from tournament.plan import plan_of
from tournament.selectors.points import points_before

Phase = Event.Phase
Status = Player.Status
PAST_SHOWN = 30

_REGISTERED = Count("players", filter=Q(players__status=Status.REGISTERED))
_WAITING = Count("players", filter=Q(players__status=Status.WAITING))


def counted_events() -> QuerySet[Event]:
    """All events, each with `registered` and `waiting` players counted."""
    return Event.objects.annotate(registered=_REGISTERED, waiting=_WAITING)


def public_events() -> QuerySet[Event]:
    """The events that are not being prepared, with the same counts."""
    return counted_events().exclude(phase=Phase.PREPARING)


def public_event(slug: str) -> Event | None:
    """One event as the public sees it; None when there is none or it is still being prepared. One query."""
    return public_events().filter(slug=slug).first()


def public_version(slug: str) -> tuple[int, int] | None:
    """The key and the version of an event that the public sees; None as above. One small query."""
    shown = Event.objects.exclude(phase=Phase.PREPARING).filter(slug=slug)
    return shown.values_list("pk", "version").first()


@dataclass(frozen=True, slots=True)
class Programme:
    """The events of the first page: being played, to come (the next one first), over (the last one first)."""

    now: list[Event]
    coming: list[Event]
    past: list[Event]


def programme() -> Programme:
    """Every public event by what can be done with it. Two queries."""
    events = list(public_events().exclude(phase=Phase.FINISHED).order_by("starts_at", "name"))
    return Programme(
        now=[event for event in events if event.phase != Phase.REGISTRATION],
        coming=[event for event in events if event.phase == Phase.REGISTRATION],
        past=list(public_events().filter(phase=Phase.FINISHED)[:PAST_SHOWN]),
    )


@dataclass(frozen=True, slots=True)
class Milestone:
    """One step of an event's day: `state` is done, now or ahead."""

    words: str
    state: str


def milestones(event: Event, latest: Round | None) -> list[Milestone]:
    """The phases of the event in order, with the one it is in."""
    steps = [
        (Phase.REGISTRATION, "Registration"),
        (Phase.CHECK_IN, "Check-in"),
        (Phase.SWISS, _swiss_words(event, latest)),
    ]
    if not event.has_table_rounds:
        steps.pop()
    if event.has_bracket:
        steps.append((Phase.CUT, event.get_cut_display() if event.cut != Event.Cut.NONE else "Bracket"))
    steps.append((Phase.FINISHED, "Champion" if event.has_bracket else "Final standings"))
    order = [phase for phase, _ in steps]
    place = order.index(Phase(event.phase)) if event.phase in order else -1
    over = event.phase == Phase.FINISHED
    return [
        Milestone(words, "done" if index < place or over else "now" if index == place else "ahead")
        for index, (_, words) in enumerate(steps)
    ]


def _swiss_words(event: Event, latest: Round | None) -> str:
    if event.phase != Phase.SWISS or latest is None or latest.stage.is_elimination:
        if event.plan:
            return plan_of(event)[0].words
        return f"{event.swiss_rounds} Swiss rounds" if event.swiss_rounds else "Swiss rounds"
    return f"Round {latest.number} of {event.swiss_rounds}"


def published_rounds(event: Event) -> list[Round]:
    """Rounds that players may see, in the order they are played. One query."""
    rounds = Round.objects.filter(stage__event=event).exclude(state=Round.State.DRAFT)
    return list(rounds.select_related("stage"))


def swiss_rounds(rounds: Iterable[Round]) -> list[Round]:
    """Those of the rounds that are no part of a bracket: Swiss and round robin."""
    return [each for each in rounds if not each.stage.is_elimination]


def player_list(event: Event) -> list[Player]:
    """Everybody who plays or waits to, by name; nobody who withdrew, and nothing private. One query."""
    people = event.players.exclude(status=Status.WITHDRAWN).only(
        "event_id", "number", "name", "members", "character", "status", "dropped_after", "checked_in_at"
    )
    return sorted(people, key=lambda player: (player.name.casefold(), player.number))


def characters_are_public(event: Event) -> bool:
    """Declared characters show once nobody can prepare against them any more (our reading of UFS 100.5.1)."""
    return event.phase in (Phase.SWISS, Phase.CUT, Phase.FINISHED)


_TABLE_FIELDS = (
    "pk", "table", "outcome", "p1_games", "p2_games", "draws", "p1_id", "p1__name", "p2_id", "p2__name",
    "amended_at",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Side:
    """One player of a table, with the points he came with."""

    id: int
    name: str
    points: int


@dataclass(frozen=True, slots=True)
class Table:
    """One table of a round. Without an opponent `blue` is None; without a result `score` is empty."""

    id: int
    number: int | None
    red: Side
    blue: Side | None
    outcome: str
    score: str
    is_amended: bool = False

    @property
    def is_open(self) -> bool:
        """Whether it still plays."""
        return not self.outcome

    @property
    def result_words(self) -> str:
        """The result as the hall reads it."""
        special = {
            Match.Outcome.BYE: "Bye",
            Match.Outcome.DOUBLE_LOSS: "Both lost",
            Match.Outcome.LOSS_NO_OPPONENT: "Loss",
        }
        return special.get(self.outcome, self.score) if self.outcome else "playing"


@dataclass(frozen=True, slots=True)
class Seating:
    """One player's place in a round, for the list by name. `won` is None where nobody won."""

    player: Side
    opponent: Side | None
    table: Table

    @property
    def score(self) -> str:
        """The result with this player's games first."""
        if self.table.outcome not in ("p1", "p2", "draw"):
            return self.table.result_words
        parts = self.table.score.split("–")
        if self.player.id != self.table.red.id:
            parts[0], parts[1] = parts[1], parts[0]
        return "–".join(parts)


def tables(played: Round) -> list[Table]:
    """The tables of a published round, byes last, with the points the players came with. Two queries."""
    points = points_before(played)
    rows = Match.objects.filter(round=played).values_list(*_TABLE_FIELDS)
    made = [_table(row, points) for row in rows]
    return sorted(made, key=lambda table: (table.number is None, table.number or 0, table.red.name))


def _table(row: tuple[Any, ...], points: Any) -> Table:
    pk, number, outcome, p1_games, p2_games, draws, p1, p1_name, p2, p2_name, amended = row
    score = f"{p1_games}–{p2_games}" + (f"–{draws}" if draws else "")
    return Table(
        id=pk,
        number=number,
        red=Side(p1, p1_name, points[p1]),
        blue=None if p2 is None else Side(p2, p2_name, points[p2]),
        outcome=outcome,
        score=score if outcome in ("p1", "p2", "draw") else "",
        is_amended=amended is not None,
    )


def by_name(rows: Iterable[Table]) -> list[Seating]:
    """Every player of the tables, by name."""
    places = []
    for table in rows:
        places.append(Seating(table.red, table.blue, table))
        if table.blue is not None:
            places.append(Seating(table.blue, table.red, table))
    return sorted(places, key=lambda place: (place.player.name.casefold(), place.player.id))


def search(rows: Iterable[Table], query: str) -> list[Table]:
    """The tables with that number, or with a player of whose name the words are a part, however written."""
    wanted = query.strip().casefold()
    if not wanted:
        return list(rows)
    if wanted.isdecimal():
        return [table for table in rows if table.number == int(wanted)]
    return [
        table
        for table in rows
        if any(wanted in side.name.casefold() for side in (table.red, table.blue) if side)
    ]
