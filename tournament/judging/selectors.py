"""What judges look at: calls, disputes, tables, deck checks, rulings. Fixed numbers of queries."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Q, QuerySet

from decks.submissions.models import DeckVersion
from decks.submissions.selectors.standing import standing, with_standing
from tournament.engine.penalties import allows
from tournament.events.models.event import Event
from tournament.events.models.player import Player
from tournament.events.models.round import Match, Round
from tournament.events.selectors import rounds as console
from tournament.judging.models import CheckDraw, DeckCheck, JudgeCall, TableRuling
from tournament.pairing.selectors import round_page
from tournament.penalties.models import Degree, Penalty
from tournament.penalties.selectors import Losses, losses_in

SHOWN = 8
EXTRA_MINUTES = 3


@dataclass(frozen=True, slots=True)
class Desk:
    """The judge's first page."""

    calls: list[JudgeCall]
    disputes: list[Match]
    playing: list[Match]
    checks: list[DeckCheck]
    penalties: list[Penalty]
    rulings: list[TableRuling]


def desk(event: Event) -> Desk:
    """Everything that waits for a judge, the oldest first, and what was done last. Seven queries at most."""
    playing = console.open_matches(event)
    return Desk(
        calls=open_calls(event),
        disputes=[match for match in playing if console.is_disputed(match)],
        playing=playing,
        checks=list(event.deck_checks.filter(outcome="").select_related("player").order_by("pk")),
        penalties=list(event.penalties.select_related("player")[:SHOWN]),
        rulings=list(event.table_rulings.all()[:SHOWN]),
    )


def open_calls(event: Event) -> list[JudgeCall]:
    """Players who wait for a judge, or whose judge is on the way; the longest waiting first. One query."""
    return list(event.judge_calls.filter(closed_at__isnull=True).select_related("player").order_by("pk"))


def call_of(player: Player) -> JudgeCall | None:
    """The player's own open call. One query."""
    return player.judge_calls.filter(closed_at__isnull=True).first()


def match_at(event: Event, stage: int, number: int, table: int) -> Match | None:
    """A table of a published round."""
    found = Match.objects.filter(round__stage__event=event, round__stage__position=stage)
    found = found.exclude(round__state=Round.State.DRAFT).filter(round__number=number, table=table)
    return found.select_related("round__stage__event", "p1", "p2").prefetch_related("reports__player").first()


def tables_numbered(event: Event, table: int) -> Match | None:
    """The newest published match at a table of that number."""
    found = Match.objects.filter(round__stage__event=event, table=table).exclude(round__state="draft")
    ordered = found.order_by("round__stage__position", "round__number")
    return ordered.select_related("round__stage").last()


def players_called(event: Event, words: str) -> list[Player]:
    """The players whose names hold all the words, in any order; at most twenty."""
    found: QuerySet[Player] = event.players.exclude(status=Player.Status.WITHDRAWN)
    for word in words.split()[:6]:
        found = found.filter(name__icontains=word)
    return list(found.order_by("name", "number")[:20])


@dataclass(frozen=True, slots=True)
class SideOfTable:
    """One player at a table as the judge sees him; `version` is the list that stands, if he has one."""

    player: Player
    version: DeckVersion | None
    outcome: str
    code: str
    check: DeckCheck | None
    penalties: list[Penalty]
    losses: Losses

    @property
    def costly(self) -> list[Penalty]:
        """Penalties of more than a warning."""
        return [p for p in self.penalties if p.degree not in (Degree.NOTE, Degree.WARNING)]


@dataclass(frozen=True, slots=True)
class TableView:
    """A table with everything a judge does there."""

    match: Match
    sides: list[SideOfTable]
    rulings: list[TableRuling]
    calls: list[JudgeCall]
    scores: list[tuple[str, bool]]

    @property
    def can_check_both(self) -> bool:
        """Whether two decks lie here of which none is being checked."""
        is_playing = len(self.sides) == 2 and not self.match.is_finished
        return is_playing and not any(side.check and side.check.is_open for side in self.sides)

    @property
    def has_losses(self) -> bool:
        """Whether a game or match loss counts in this match."""
        return any(side.losses for side in self.sides)


def table_view(match: Match) -> TableView:
    """A table of a published round with its players, lists, checks, penalties and rulings."""
    event = match.round.stage.event
    losses = losses_in(match)
    people = [player for player in (match.p1, match.p2) if player is not None]
    place = Q(stage=match.round.stage.position, round=match.round.number, table=match.table)
    return TableView(
        match=match,
        sides=[_side(player, losses) for player in _with_lists(people)],
        rulings=list(event.table_rulings.filter(place)),
        calls=[call for call in open_calls(event) if call.player_id in {p.pk for p in people}],
        scores=_scores(match, losses),
    )


def _with_lists(people: Iterable[Player]) -> list[Player]:
    wanted = [player.pk for player in people]
    rows = Player.objects.filter(pk__in=wanted).select_related("deck_list__current", "event")
    rows = rows.prefetch_related(*with_standing("deck_list__current"), "deck_checks", "penalties")
    return sorted(rows, key=lambda player: wanted.index(player.pk))


def _side(player: Player, losses: dict[int, Losses]) -> SideOfTable:
    version = player.deck_list.current if player.deck_list else None
    return SideOfTable(
        player=player,
        version=version,
        outcome=standing(version).outcome if version else "",
        code=version.short_hash if version else "",
        check=max(player.deck_checks.all(), key=lambda check: check.pk, default=None),
        penalties=sorted(player.penalties.all(), key=lambda penalty: -penalty.pk),
        losses=losses.get(player.pk, Losses()),
    )


def side_of(player: Player) -> SideOfTable:
    """A player on his own, away from any table."""
    return _side(_with_lists([player])[0], {})


def _scores(match: Match, losses: dict[int, Losses]) -> list[tuple[str, bool]]:
    """The results that buttons offer, and whether each counts the losses by penalty."""
    first, second = (losses.get(pk or 0, Losses()) for pk in (match.p1_id, match.p2_id))
    offered = []
    for score in round_page.scores(match.round):
        games = [int(part) for part in score.split("-")]
        fits = allows((games[0], games[1]), (first.games, second.games))
        if first.match or second.match:
            fits = fits and (games[0] > games[1] if second.match else games[1] > games[0])
        offered.append((score, fits))
    return offered


@dataclass(frozen=True, slots=True)
class CheckState:
    """A player in the overview of deck checks."""

    player: Player
    checks: list[DeckCheck]

    @property
    def last(self) -> DeckCheck | None:
        """The newest check."""
        return self.checks[0] if self.checks else None


def check_states(event: Event) -> list[CheckState]:
    """Every player of the event with his deck checks, the unchecked ones last. Two queries."""
    people = event.players.filter(status=Player.Status.REGISTERED).order_by("name", "number")
    rows = [
        CheckState(p, sorted(p.deck_checks.all(), key=lambda c: -c.pk))
        for p in people.prefetch_related("deck_checks")
    ]
    return sorted(rows, key=lambda row: (row.last is None, -(row.last.pk if row.last else 0)))


def draws_of(event: Event) -> list[CheckDraw]:
    """The draws of deck checks, the newest first. One query."""
    return list(event.check_draws.all())


@dataclass(frozen=True, slots=True)
class CheckCount:
    """Deck checks of an event in figures, for the console."""

    open: int
    ok: int
    problem: int


def check_count(event: Event) -> CheckCount:
    """How many checks are open, went well or found a problem. One query."""
    outcomes = list(event.deck_checks.values_list("outcome", flat=True))
    return CheckCount(outcomes.count(""), outcomes.count("ok"), outcomes.count("problem"))


def proposed_extension(check: DeckCheck, now: datetime) -> int:
    """Minutes for the table: as long as the check has taken, begun ones counted, and three more. Ours."""
    spent = max(now - check.started_at, timedelta(0))
    return min(-(-int(spent.total_seconds()) // 60) + EXTRA_MINUTES, 60)


@dataclass(frozen=True, slots=True)
class Summary:
    """What the console shows of the judges' work."""

    calls: list[JudgeCall]
    checks: CheckCount


def summary(event: Event) -> Summary:
    """Open calls and deck checks at a glance. Two queries."""
    return Summary(open_calls(event), check_count(event))


@dataclass(frozen=True, slots=True)
class OwnJudging:
    """What a player sees on his page: his call, his penalties, and whether he can call a judge."""

    call: JudgeCall | None
    penalties: list[Penalty]
    can_call: bool

    @property
    def is_disqualified(self) -> bool:
        """Whether a disqualification stands."""
        return any(penalty.degree == Degree.DISQUALIFICATION for penalty in self.penalties)


def own_judging(player: Player) -> OwnJudging:
    """A player's own call and penalties; other players' are never here. Two queries."""
    return OwnJudging(call_of(player), list(player.penalties.all()), player.event.is_playing and player.is_in)
