"""Read what judges see: calls, disputes, tables, deck checks, penalties, rulings."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from django.db.models import Exists, OuterRef, Q, QuerySet

from decks.shared.wording import format_reason
from decks.submissions.models import DeckVersion
from decks.submissions.selectors import current_verdict, verdict_prefetches
from tournament.clock.selectors import RoundClock, TableExtension, get_round_clock
from tournament.engine.clock import ClockPhase
from tournament.engine.penalties import is_score_allowed
from tournament.events import selectors as events_selectors
from tournament.events.models.event import Event
from tournament.events.models.player import Player
from tournament.events.models.result_sentences import describe_winner, shorten_names
from tournament.events.models.round import Match, Round
from tournament.events.name_order import sort_players
from tournament.events.seats import map_seats
from tournament.judging.models import CheckDraw, DeckCheck, JudgeCall, TableRuling
from tournament.pairing.selectors import pairings
from tournament.penalties.models import Penalty, PenaltyLevel
from tournament.penalties.selectors import PenaltyLosses, get_match_losses
from tournament.registration.selectors import player_number_in_code
from tournament.results.table_at_time import TimeCalled, list_seats_at_time, load_time_called
from tournament.shared.text import holds_name
from tournament.web.board_fields import MatchSeat

SHOWN_ROWS = 8
EXTRA_CHECK_MINUTES = 3


@dataclass(frozen=True, slots=True)
class JudgeDashboard:
    """The judge's first page."""

    calls: list[JudgeCall]
    disputes: list[Match]
    open_matches: list[Match]
    checks: list[DeckCheck]
    penalties: list[Penalty]
    rulings: list[TableRuling]

    @property
    def waiting_calls(self) -> int:
        """How many calls no judge has taken."""
        return sum(call.taken_at is None for call in self.calls)


def judge_dashboard(event: Event) -> JudgeDashboard:
    """Return everything that waits for a judge, the oldest first.

    Also returns what was done last. Seven queries at most.
    """
    open_matches = events_selectors.get_open_matches(event)
    return JudgeDashboard(
        calls=open_calls(event),
        disputes=[match for match in open_matches if match.is_disputed],
        open_matches=open_matches,
        checks=list(event.deck_checks.filter(outcome="").select_related("player").order_by("pk")),
        penalties=list(event.penalties.select_related("player")[:SHOWN_ROWS]),
        rulings=list(event.table_rulings.all()[:SHOWN_ROWS]),
    )


def open_calls(event: Event) -> list[JudgeCall]:
    """Return the open calls, also those on the way, the oldest first.

    One query, two if there are any.
    """
    return list(_find_live_calls(event=event).select_related("player").order_by("pk"))


def count_waiting_calls(event: Event) -> int:
    """Return how many calls no judge has taken. One query or two."""
    return _find_live_calls(event=event, taken_at__isnull=True).count()


def open_call_of(player: Player) -> JudgeCall | None:
    """Return the player's own open call. One query or two."""
    return _find_live_calls(player=player).first()


def is_call_live(call: JudgeCall) -> bool:
    """Return whether a call is open and its match is not over. One or two queries."""
    return _find_live_calls(pk=call.pk).exists()


def _find_live_calls(**filters: object) -> QuerySet[JudgeCall]:
    """Return calls with these values that no one closed and that are not over.

    A call ends with the result of its match. One without an open match, as of a player who is done for this
    round, ends with the next round; all end with the event. One query first finds out whether any is
    left open: the condition takes several times as long.
    """
    unclosed_calls = JudgeCall.objects.filter(closed_at__isnull=True, **filters)
    if not unclosed_calls.exists():
        return JudgeCall.objects.none()
    of_player = Q(p1=OuterRef("player")) | Q(p2=OuterRef("player"))
    own_match = Match.objects.filter(
        of_player,
        round__stage__event=OuterRef("event"),
        round__stage__position=OuterRef("stage"),
        round__number=OuterRef("round"),
    )
    ended_matches = own_match.exclude(outcome="").filter(result_at__gt=OuterRef("called_at"))
    later_round = Round.objects.filter(stage__event=OuterRef("event"), published_at__gt=OuterRef("called_at"))
    is_over = Exists(ended_matches) | (~Exists(own_match.filter(outcome="")) & Exists(later_round))
    return unclosed_calls.filter(~is_over, event__phase__in=(Event.Phase.SWISS, Event.Phase.CUT))


def find_match(event: Event, stage: int, number: int, table: int) -> Match | None:
    """Return a table of a published round."""
    matches = Match.objects.filter(round__stage__event=event, round__stage__position=stage)
    matches = matches.exclude(round__state=Round.State.DRAFT).filter(round__number=number, table=table)
    return (
        matches.select_related("round__stage__event", "p1", "p2").prefetch_related("reports__player").first()
    )


PRIVATE_LINK = re.compile(r"/p/(?P<token>[\w-]{10,40})(?:/|$)", re.IGNORECASE)

MATCH_LINK = re.compile(r"/(?:matches|S)/(?P<match>\d{1,12})(?:/|$)", re.IGNORECASE)


def find_scanned(event: Event, words: str) -> Match | Player | None:
    """Return the table of a number, or whom a scanned code means."""
    if words.isascii() and words.isdigit() and len(words) < 7:
        return latest_match_at_table(event, int(words))
    if (number := player_number_in_code(words, event)) is not None:
        return event.players.filter(number=number).first()
    if link := PRIVATE_LINK.search(words):
        return event.players.filter(token=link["token"]).first()
    if link := MATCH_LINK.search(words):
        matches = Match.objects.filter(round__stage__event=event, pk=int(link["match"]))
        return matches.exclude(table=None).select_related("round__stage").first()
    return None


def latest_match_at_table(event: Event, table: int) -> Match | None:
    """Return the newest published match at a table of that number."""
    matches = Match.objects.filter(round__stage__event=event, table=table).exclude(round__state="draft")
    ordered_matches = matches.order_by("round__stage__position", "round__number")
    return ordered_matches.select_related("round__stage").last()


def search_players_by_name(event: Event, words: str) -> list[Player]:
    """Return at most twenty players whose names contain all the words."""
    players = filter_names(event.players.exclude(status=Player.Status.WITHDRAWN), words)
    return sort_players(event, players)[:20]


def filter_names(players: QuerySet[Player], words: str) -> QuerySet[Player]:
    """Return players whose names contain all the words, or who have the number."""
    if words.isascii() and words.isdecimal() and len(words) < 7:
        return players.filter(Q(number=int(words)) | Q(team__number=int(words)))
    parts = words.split()[:6]
    if not parts:
        return players
    found_ids = [
        pk
        for pk, *names in players.values_list("pk", "name", "team__name")
        if all(holds_name(part, *filter(None, names)) for part in parts)
    ]
    return players.filter(pk__in=found_ids)


@dataclass(frozen=True, slots=True)
class TablePlayer:
    """One player at a table as the judge sees them; `version` is their current list.

    A team on boards has no list of its own: `seats` are its members.
    """

    player: Player
    version: DeckVersion | None
    outcome: str
    code: str
    check: DeckCheck | None
    penalties: list[Penalty]
    losses: PenaltyLosses
    seats: Sequence[TablePlayer] = ()


@dataclass(frozen=True, slots=True)
class ResultButton:
    """A result to enter with one press.

    `fits` says whether it includes the penalties of the match.
    """

    value: str
    sentence: str
    fits: bool


@dataclass(frozen=True, slots=True)
class TableView:
    """A table with everything a judge does there."""

    match: Match
    sides: list[TablePlayer]
    rulings: list[TableRuling]
    calls: list[JudgeCall]
    scores: list[ResultButton]
    clock: RoundClock | None
    time_called: TimeCalled | None
    seats: list[MatchSeat]

    @property
    def extension(self) -> TableExtension | None:
        """The time of its own that the table has."""
        return self.clock.of_match(self.match) if self.clock else None

    @property
    def is_time_called(self) -> bool:
        """Return whether the questions of the time rules come first.

        They do if time is over, or some are answered.
        """
        phase = self.extension.phase if self.extension else self.clock.phase if self.clock else None
        return phase == ClockPhase.TIME_CALLED or bool(self.time_called and self.time_called.facts)

    @property
    def decks(self) -> list[TablePlayer]:
        """Return the deck owners: both players, or both teams' members by seat."""
        pairs = zip(*(side.seats for side in self.sides), strict=False)
        return [member for pair in pairs for member in pair] or self.sides

    @property
    def can_check_both(self) -> bool:
        """Whether the table has two decks or more, none of which is being checked."""
        is_playing = len(self.sides) == 2 and not self.match.is_finished
        return is_playing and not any(deck.check and deck.check.is_open for deck in self.decks)

    @property
    def has_losses(self) -> bool:
        """Whether a game or match loss counts in this match."""
        return any(side.losses for side in self.sides)


def table_view(match: Match) -> TableView:
    """Return a table of a published round with all that concerns it."""
    event = match.round.stage.event
    losses = get_match_losses(match)
    players = [player for player in (match.p1, match.p2) if player is not None]
    place = Q(stage=match.round.stage.position, round=match.round.number, table=match.table)
    return TableView(
        match=match,
        sides=_table_players(event, _with_lists(players), losses),
        rulings=list(event.table_rulings.filter(place)),
        calls=[call for call in open_calls(event) if call.player_id in {p.pk for p in players}],
        scores=_score_buttons(match, losses),
        clock=get_round_clock(match.round),
        time_called=_time_called(match),
        seats=list_seats_at_time(match),
    )


def _time_called(match: Match) -> TimeCalled | None:
    """Return the questions at time with answers; None for boards or if none is open."""
    if match.p2 is None or match.is_finished or match.round.stage.event.has_boards:
        return None
    return load_time_called(match)


def _with_lists(players: Iterable[Player]) -> list[Player]:
    player_ids = [player.pk for player in players]
    rows = Player.objects.filter(pk__in=player_ids).select_related("deck_list__current", "event", "team")
    rows = rows.prefetch_related(*verdict_prefetches("deck_list__current"), "deck_checks", "penalties")
    return sorted(rows, key=lambda player: player_ids.index(player.pk))


def _table_players(
    event: Event, players: Sequence[Player], losses: dict[int, PenaltyLosses]
) -> list[TablePlayer]:
    """Return the players of a table.

    Teams on boards come with their members, each of whom has a deck.
    """
    seats = map_seats(event, players) if event.has_boards else {}
    members = {each.pk: each for each in _with_lists([one for owners in seats.values() for one in owners])}
    return [
        replace(
            _table_player(player, losses),
            seats=[_table_player(members[one.pk], {}) for one in seats.get(player.pk, ())],
        )
        for player in players
    ]


def _table_player(player: Player, losses: dict[int, PenaltyLosses]) -> TablePlayer:
    version = player.deck_list.current if player.deck_list else None
    return TablePlayer(
        player=player,
        version=version,
        outcome=current_verdict(version).outcome if version else "",
        code=version.short_hash if version else "",
        check=max(player.deck_checks.all(), key=lambda check: check.pk, default=None),
        penalties=sorted(player.penalties.all(), key=lambda penalty: -penalty.pk),
        losses=losses.get(player.pk, PenaltyLosses()),
    )


def table_player(player: Player) -> TablePlayer:
    """Return one player, away from any table."""
    return _table_players(player.event, _with_lists([player]), {})[0]


def _score_buttons(match: Match, losses: dict[int, PenaltyLosses]) -> list[ResultButton]:
    """Return the results that buttons offer, and which fit the penalty losses."""
    first, second = (losses.get(pk or 0, PenaltyLosses()) for pk in (match.p1_id, match.p2_id))
    names = shorten_names(match.p1, match.p2) if match.p2 else match.names
    buttons = []
    for games in pairings.list_score_options(match.round):
        fits = is_score_allowed(games, (first.games, second.games))
        if first.match or second.match:
            fits = fits and (games[0] > games[1] if second.match else games[1] > games[0])
        sentence = format_reason("reason", describe_winner((*games, 0), names))
        buttons.append(ResultButton(f"{games[0]}-{games[1]}", sentence, fits))
    return buttons


def check_draws_of(event: Event) -> list[CheckDraw]:
    """Return the draws of deck checks, the newest first. One query."""
    return list(event.check_draws.all())


@dataclass(frozen=True, slots=True)
class DeckCheckCount:
    """Deck checks of an event in figures, for the console."""

    open_count: int
    passed_count: int
    problem_count: int


def count_deck_checks(event: Event) -> DeckCheckCount:
    """Return how many checks are open, went well or found a problem. One query."""
    outcomes = list(event.deck_checks.values_list("outcome", flat=True))
    return DeckCheckCount(outcomes.count(""), outcomes.count("ok"), outcomes.count("problem"))


def proposed_extension(check: DeckCheck, now: datetime) -> int:
    """Propose an extension for the table in minutes.

    It is the minutes that the check has taken, including begun ones, and three more. This is a Ringside
    default.
    """
    time_spent = max(now - check.started_at, timedelta(0))
    return min(-(-int(time_spent.total_seconds()) // 60) + EXTRA_CHECK_MINUTES, 60)


@dataclass(frozen=True, slots=True)
class JudgingSummary:
    """The judges' work, as the console shows it."""

    calls: list[JudgeCall]
    checks: DeckCheckCount


def judging_summary(event: Event) -> JudgingSummary:
    """Open calls and deck checks at a glance. Two queries, three with calls."""
    return JudgingSummary(open_calls(event), count_deck_checks(event))


@dataclass(frozen=True, slots=True)
class PlayerJudging:
    """Data of a player's page: call, penalties, and whether they can call a judge."""

    call: JudgeCall | None
    penalties: list[Penalty]
    can_call: bool

    @property
    def call_topics(self) -> list[tuple[str, str]]:
        """The topics of a call, one tap each: codes with their words."""
        return [(topic.value, str(topic.label)) for topic in JudgeCall.Topic]

    @property
    def is_disqualified(self) -> bool:
        """Whether a disqualification is in effect."""
        return any(penalty.degree == PenaltyLevel.DISQUALIFICATION for penalty in self.penalties)


def player_judging(player: Player, *, has_rows: bool = True) -> PlayerJudging:
    """Return a player's own call and penalties. 2 queries, none without `has_rows`."""
    can_call = player.event.is_playing and player.is_in
    if not has_rows:
        return PlayerJudging(None, [], can_call)
    return PlayerJudging(open_call_of(player), list(player.penalties.all()), can_call)
